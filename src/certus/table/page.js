"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  document.body.classList.add("scripted");
  const off = new Set();
  const collator = new Intl.Collator("en", { numeric: true });

  const element = (tag, text, attributes = {}) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  };
  const holder = element("div");
  holder.innerHTML = "<svg></svg>";
  const drawn = (tag, attributes) => {
    const made = document.createElementNS(holder.firstChild.namespaceURI, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  };
  const shown = (value) => (value === null || value === undefined ? "-" : value.toFixed(4));

  // Sorting: a button in each heading. Numbers go before text, what is empty last.
  const keyOf = (cell) => {
    const text = cell ? cell.textContent.trim() : "";
    const number = /^[<\[]?\s*([-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?)/i.exec(text);
    return text === "" || text === "-" ? null : number ? Number(number[1]) : text;
  };
  const before = (one, other) => {
    if (typeof one === "number" && typeof other === "number") return one - other;
    if (typeof one !== typeof other) return typeof one === "number" ? -1 : 1;
    return collator.compare(one, other);
  };
  const sortable = (table, sort) => {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      if (!head.textContent) return;
      const button = element("button", head.textContent, { type: "button" });
      head.dataset.name = head.textContent;
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const up = head.getAttribute("aria-sort") === "descending" || !(head.hasAttribute("aria-sort") || head.classList.contains("number"));
        heads.forEach((each) => each.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        sort(column, up);
      });
    });
  };
  for (const table of document.querySelectorAll("table[data-sortable]")) {
    sortable(table, (column, up) => {
      const body = table.tBodies[0];
      const rows = [...body.rows].map((row) => [keyOf(row.cells[column]), row]);
      rows.sort(([one], [other]) => (one === null ? 1 : other === null ? -1 : (up ? 1 : -1) * before(one, other)));
      body.append(...rows.map(([, row]) => row));
    });
  }

  // Lines are seen if their systems are on and they hold what is searched for; parts of charts fade.
  const isOff = (each) => each.dataset.of.split(" ").some((index) => off.has(Number(index)));
  const refresh = () => {
    for (const table of document.querySelectorAll("table[data-sortable]")) {
      const search = table.parentElement.previousElementSibling?.querySelector("input[data-search]");
      const wanted = search ? search.value.toLowerCase() : "";
      for (const row of table.tBodies[0].rows) {
        row.hidden = (row.dataset.of && isOff(row)) || (wanted !== "" && !row.textContent.toLowerCase().includes(wanted));
      }
    }
    for (const each of document.querySelectorAll("li[data-of], figure svg [data-of]")) each.classList.toggle("off", isOff(each));
  };
  document.querySelectorAll("input[data-search]").forEach((input) => input.addEventListener("input", refresh));
  const boxes = [...document.querySelectorAll("#systems input")];
  const switched = () => {
    boxes.forEach((box) => (box.checked ? off.delete(Number(box.value)) : off.add(Number(box.value))));
    refresh();
  };
  boxes.forEach((box) => box.addEventListener("change", switched));
  for (const button of document.querySelectorAll("#systems button")) {
    button.addEventListener("click", () => {
      boxes.forEach((box) => (box.checked = button.dataset.all === "1"));
      switched();
    });
  }

  const select = (where, label, options, chosen, changed) => {
    const box = element("label", `${label} `);
    const list = element("select");
    options.forEach(([value, text]) => list.append(element("option", text, { value })));
    list.value = chosen;
    list.addEventListener("change", changed);
    box.append(list);
    where.append(box);
    return list;
  };
  const controls = (kind) => document.querySelector(`[data-controls="${kind}"]`);
  const named = data.systems.map((name, index) => [String(index), name]);

  // Wide tables are made smaller on paper, which is narrower than most screens.
  const PAPER = 690;
  const tables = () => document.querySelectorAll(".scroll > table:not(#made *)");
  window.addEventListener("beforeprint", () => {
    document.body.classList.add("printed");
    for (const table of tables()) if (table.scrollWidth > PAPER) table.style.zoom = PAPER / table.scrollWidth;
  });
  window.addEventListener("afterprint", () => {
    document.body.classList.remove("printed");
    for (const table of tables()) table.style.zoom = "";
  });

  // The counts at a threshold: a slider, and a point on both curves.
  if (data.counts) {
    const box = controls("threshold");
    const indices = Object.keys(data.counts);
    const points = [];
    for (const id of ["roc", "precision-by-recall"]) {
      for (const svg of document.querySelectorAll(`#${id} svg[data-box]`)) {
        const point = drawn("circle", { r: 6, class: "point" });
        svg.append(point);
        points.push([id, svg.dataset.box.split(" ").map(Number), point]);
      }
    }
    const state = element("p", undefined, { class: "cells", role: "status" });
    const about = element("p", undefined, { class: "note" });
    const number = (value) => String(Number(value.toPrecision(6)));
    const share = (part, whole) => (whole > 0 ? part / whole : null);
    const moved = () => {
      const counts = data.counts[list ? list.value : indices[0]];
      const at = Number(range.value);
      const [tp, fp] = [counts.true[at], counts.false[at]];
      const recall = share(tp, counts.positives);
      const precision = share(tp, tp + fp);
      const fpr = share(fp, counts.negatives);
      const texts = { threshold: counts.thresholds[at], "true positives": number(tp), "false positives": number(fp), "false negatives": number(counts.positives - tp), "true negatives": number(counts.negatives - fp), recall: shown(recall), precision: shown(precision), "false positive rate": shown(fpr) };
      state.replaceChildren(...Object.entries(texts).map(([name, text]) => {
        const cell = element("span", `${name} `);
        cell.append(element("b", text));
        return cell;
      }));
      range.setAttribute("aria-valuetext", `threshold ${texts.threshold}`);
      about.textContent = counts.thresholds.length < counts.of ? `${counts.thresholds.length} of ${counts.of} thresholds.` : "";
      for (const [id, [left, top, side], point] of points) {
        const [x, y] = id === "roc" ? [fpr, recall] : [recall, precision];
        point.setAttribute("visibility", x === null || y === null ? "hidden" : "visible");
        point.setAttribute("cx", left + side * (x ?? 0));
        point.setAttribute("cy", top + side * (1 - (y ?? 0)));
      }
    };
    const changed = () => {
      const { thresholds } = data.counts[list ? list.value : indices[0]];
      range.max = thresholds.length - 1;
      // the threshold next to one half is where most readers begin
      const near = thresholds.findIndex((each) => Number(each) < 0.5);
      range.value = near > 0 ? near - 1 : Math.floor(thresholds.length / 2);
      moved();
    };
    const list = indices.length > 1 ? select(box, "System", indices.map((index) => named[index]), indices[0], changed) : null;
    const label = element("label", "Threshold ");
    const range = element("input", undefined, { type: "range", min: 0, step: 1 });
    label.append(range);
    range.addEventListener("input", moved);
    box.append(label);
    box.after(state, about);
    changed();
  }

  // Single units: one system with all metrics, or two systems with their differences.
  const units = data.units;
  const where = document.querySelector("[data-table]");
  if (!units || !where) return;
  const box = controls("units");
  const metrics = Object.keys(units.values);
  const several = data.systems.length > 1;
  const first = 300;
  let all = false;
  let order = [several ? 3 : 1, false];
  let one, other;
  const changed = () => { fill(true); };
  const metric = select(box, "Metric", metrics.map((each) => [each, each]), metrics[0], changed);
  if (several) {
    one = select(box, "System", named, String(units.pair[0]), changed);
    other = select(box, "minus", named, String(units.pair[1]), changed);
  }
  const searchBox = element("label", `Search ${units.unit} `);
  const search = element("input", undefined, { type: "search" });
  search.addEventListener("input", () => fill());
  searchBox.append(search);
  box.append(searchBox);
  const minus = (value, from) => (value === null || from === null || value === undefined || from === undefined ? null : value - from);
  const lines = () => {
    const mine = units.values[metric.value];
    const values = several ? mine[one.value] || [] : mine["0"] || [];
    const others = several ? mine[other.value] || [] : [];
    return units.ids.map((id, index) => {
      const value = values[index] ?? null;
      if (!several) return [id, value];
      const against = others[index] ?? null;
      return [id, value, against, minus(value, against)];
    });
  };
  const count = element("p", "", { class: "note", role: "status" });
  const more = element("button", "show all", { type: "button", "data-more": "" });
  more.addEventListener("click", () => { all = true; fill(); });
  where.before(count);
  where.after(more);
  // The value or difference of a line as a bar from 0.
  const bar = (value, low, high) => {
    const svg = drawn("svg", { class: "bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" });
    const at = (x) => (100 * (x - low)) / (high - low || 1);
    svg.append(drawn("rect", { class: value < 0 ? "down" : "up", x: Math.min(at(0), at(value)), width: Math.abs(at(value) - at(0)), height: 10 }));
    svg.append(drawn("line", { x1: at(0), x2: at(0), y1: 0, y2: 10, "vector-effect": "non-scaling-stroke" }));
    return svg;
  };
  const fill = (again = false) => {
    const chosen = several ? `${metrics.indexOf(metric.value)}-${one.value}-${other.value}` : `${metrics.indexOf(metric.value)}-0-0`;
    for (const figure of document.querySelectorAll("#units figure")) figure.hidden = figure.dataset.chart !== chosen;
    const names = several ? [units.unit, data.systems[one.value], data.systems[other.value], "difference"] : [units.unit, metric.value];
    const wanted = search.value.toLowerCase();
    const [column, up] = order;
    const every = lines();
    const found = every.filter(([id]) => id.toLowerCase().includes(wanted));
    found.sort((a, b) => (a[column] === null ? 1 : b[column] === null ? -1 : (up ? 1 : -1) * before(a[column], b[column])));
    const ends = [0, ...every.map((line) => line.at(-1)).filter((value) => value !== null)];
    const [low, high] = [ends.reduce((a, b) => Math.min(a, b)), ends.reduce((a, b) => Math.max(a, b))];
    const table = element("table");
    table.append(element("caption", several ? `${metric.value} of each ${units.unit}` : `Each ${units.unit}`));
    const head = table.createTHead().insertRow();
    names.forEach((name, index) => head.append(element("th", name, { scope: "col", ...(index ? { class: "number" } : {}) })));
    head.append(element("td"));
    const body = table.createTBody();
    for (const line of all ? found : found.slice(0, first)) {
      const row = body.insertRow();
      const name = element("th", undefined, { scope: "row" });
      if (documentsOf(line[0])) name.append(opener(line[0]));
      else name.textContent = line[0];
      row.append(name);
      line.slice(1).forEach((value) => row.append(element("td", shown(value), { class: "number" })));
      const cell = row.insertCell();
      if (line.at(-1) !== null) cell.append(bar(line.at(-1), low, high));
    }
    sortable(table, (index, rising) => { order = [index, rising]; fill(); });
    head.cells[column].setAttribute("aria-sort", up ? "ascending" : "descending");
    where.replaceChildren(table);
    count.textContent = `${found.length} of ${units.ids.length} shown`;
    more.hidden = all || found.length <= first;
    if (!more.hidden) count.textContent = `the first ${first} of ${found.length} shown`;
    if (again || !panel.hasChildNodes()) open(found.map(([id]) => id).find(documentsOf));
  };
  // Names of documents begin with letters that they share with the last one.
  const documents = [];
  for (let at = 0; data.documents && at < data.documents.names.length; at += 2) {
    const [n, rest] = data.documents.names.slice(at, at + 2);
    documents.push([...(documents.at(-1) ?? "")].slice(0, n).join("") + rest);
  }
  // Documents of a query: those of the two systems beside each other.
  const panel = document.querySelector("[data-documents]");
  const documentsOf = (id) => data.documents && Object.hasOwn(data.documents.queries, id) && data.documents.queries[id];
  const open = (id) => {
    panel.replaceChildren(...(id === undefined ? [] : [ranks(id, documentsOf(id))]));
    for (const button of where.querySelectorAll("tbody button")) button.setAttribute("aria-expanded", String(button.textContent === id));
  };
  const opener = (id) => {
    const button = element("button", id, { type: "button", "aria-expanded": "false" });
    button.addEventListener("click", () => {
      open(id);
      panel.scrollIntoView({ block: "nearest" });
    });
    return button;
  };
  const ranks = (id, [numbers, texts, lists]) => {
    const grades = texts.split(",");
    const asked = several ? [one.value, other.value] : ["0"];
    const table = element("table");
    table.append(element("caption", `First documents of ${id}: * tied with another, ? not judged`));
    const head = table.createTHead().insertRow();
    head.append(element("th", "rank", { scope: "col" }));
    asked.forEach((each) => {
      head.append(element("th", data.systems[each], { scope: "col" }), element("th", "grade", { scope: "col" }));
      if (several) head.append(element("th", "rank in the other", { scope: "col" }));
    });
    const listed = asked.map((each) => (lists[each] || []).map((index) => (index < 0 ? [index + numbers.length, " *"] : [index, ""])));
    const body = table.createTBody();
    for (let rank = 0; rank < Math.max(...listed.map((each) => each.length)); rank++) {
      const row = body.insertRow();
      row.append(element("th", String(rank + 1), { scope: "row" }));
      listed.forEach((each, side) => {
        const [index, mark] = each[rank] || [null, ""];
        const cells = index === null ? ["", ""] : [documents[numbers[index]] + mark, grades[index] || "?"];
        row.append(...cells.map((text) => element("td", text)));
        if (several) {
          const there = listed[1 - side].findIndex(([found]) => found === index);
          row.append(element("td", index === null ? "" : there < 0 ? "not among them" : String(there + 1)));
        }
      });
    }
    return table;
  };
  changed();
})();
