"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  document.body.classList.add("scripted");
  const off = new Set();
  const charts = {};
  const collator = new Intl.Collator("en", { numeric: true });

  const element = (tag, text, attributes = {}) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  };
  const shown = (value) => (value === null || value === undefined ? "-" : value.toFixed(4));
  const ready = () => {
    const waiting = Object.keys(charts).length;
    document.body.dataset.charts = waiting;
  };

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

  // Lines are seen if their systems are on and they hold what is searched for.
  const searches = [...document.querySelectorAll("input[data-search]")];
  const refresh = () => {
    for (const table of document.querySelectorAll("table[data-sortable]")) {
      const search = table.parentElement.previousElementSibling?.querySelector("input[data-search]");
      const wanted = search ? search.value.toLowerCase() : "";
      for (const row of table.tBodies[0].rows) {
        const of = row.dataset.of ? row.dataset.of.split(" ") : [];
        row.hidden = of.some((each) => off.has(Number(each))) || (wanted !== "" && !row.textContent.toLowerCase().includes(wanted));
      }
    }
    for (const redraw of Object.values(charts)) redraw();
  };
  searches.forEach((input) => input.addEventListener("input", refresh));
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

  // Charts. Their rows follow the switches; their colors are those of the page, in light, dark and print.
  const config = {
    background: null,
    font: "system-ui, sans-serif",
    view: { stroke: null },
    axis: { labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal", labelFlush: false, labelSeparation: 6 },
    legend: { labelFontSize: 12 },
  };
  const views = new Map();
  const chart = (kind, rows, said) => {
    const place = document.querySelector(`figure[data-chart="${kind}"]`);
    const specification = data.specifications[kind];
    if (!place || !specification || typeof vegaEmbed === "undefined") return () => {};
    const caption = element("p", "", { class: "note" });
    if (said) place.before(caption);
    return async () => {
      caption.textContent = said ? said() : "";
      const view = views.get(place);
      if (view) {
        view.data("rows", rows()).resize().runAsync();
        return;
      }
      const inner = element("div");
      place.replaceChildren(inner);
      const options = { mode: "vega-lite", actions: false, ast: true, renderer: "svg", tooltip: { theme: "custom" }, config };
      const made = await vegaEmbed(inner, { ...specification, datasets: { rows: rows() } }, options);
      if (!inner.isConnected) return made.view.finalize(); // drawn again in the meantime
      views.set(place, made.view);
      place.dataset.drawn = "1";
    };
  };
  // A page of paper is narrower than most screens: charts are drawn again at its width, and wide tables made smaller.
  const PAPER = 690;
  const widen = (view, width) => {
    view.width(width).resize().run();
    view.resize().run(); // a legend that has more lines now takes its room in a second pass
  };
  const refit = () => views.forEach((view, place) => widen(view, place.clientWidth));
  window.addEventListener("beforeprint", () => {
    for (const [place, view] of views) if (place.clientWidth > PAPER) widen(view, PAPER);
    document.body.classList.add("printed");
    for (const table of document.querySelectorAll(".scroll > table:not(#made *)")) {
      const wide = table.scrollWidth;
      if (wide > PAPER) table.style.zoom = PAPER / wide;
    }
  });
  window.addEventListener("afterprint", () => {
    document.body.classList.remove("printed");
    for (const table of document.querySelectorAll(".scroll > table:not(#made *)")) table.style.zoom = "";
    refit();
  });
  let resized;
  window.addEventListener("resize", () => {
    clearTimeout(resized);
    resized = setTimeout(refit, 150);
  });
  const on = (row) => (row.of || []).every((each) => !off.has(each));

  for (const kind of ["values", "differences"]) {
    const rows = data[kind];
    if (!rows || !rows.length || !controls(kind)) continue;
    const metrics = [...new Set(rows.map((row) => row.metric))];
    // Of many pairs, those of one system at a time; all are in the table.
    const many = kind === "differences" && rows.length > 40 * metrics.length;
    let redraw = () => {};
    const ask = (label, options) => select(controls(kind), label, options, options[0][0], () => redraw());
    const list = metrics.length > 1 ? ask("Metric", metrics.map((each) => [each, each])) : null;
    const whose = many ? ask("Differences of", data.systems.map((name, place) => [String(place), name])) : null;
    const chosen = (row) => row.metric === (list ? list.value : metrics[0]) && (!whose || row.of.includes(Number(whose.value)));
    const said = () => [list ? list.value : metrics[0], whose ? `differences of ${data.systems[whose.value]}` : ""].filter(Boolean).join(", ");
    redraw = chart(kind, () => rows.filter((row) => chosen(row) && on(row)), said);
    charts[kind] = redraw;
    redraw();
  }
  for (const [name, curve] of Object.entries(data.curves || {})) {
    charts[name] = chart(name, () => curve.rows.filter(on));
    charts[name]();
  }

  // Single units: one system with all metrics, or two systems with their differences.
  const units = data.units;
  const where = document.querySelector("[data-table]");
  if (units && where) {
    const box = controls("units");
    const metrics = Object.keys(units.values);
    const several = data.systems.length > 1;
    const named = data.systems.map((name, place) => [String(place), name]);
    const first = 300;
    let all = false;
    let order = [several ? 3 : 1, false];
    let one, other;
    const changed = () => { fill(); redraw(); };
    const metric = select(box, "Metric", metrics.map((each) => [each, each]), metrics[0], changed);
    if (several) {
      one = select(box, "System", named, "1", changed);
      other = select(box, "less", named, "0", changed);
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
      return units.ids.map((id, place) => {
        const value = values[place] ?? null;
        if (!several) return [id, value];
        const against = others[place] ?? null;
        return [id, value, against, minus(value, against)];
      });
    };
    const count = element("p", "", { class: "note", role: "status" });
    const more = element("button", "show all", { type: "button", "data-more": "" });
    more.addEventListener("click", () => { all = true; fill(); });
    where.before(count);
    where.after(more);
    const fill = () => {
      const names = several ? [units.unit, data.systems[one.value], data.systems[other.value], "difference"] : [units.unit, metric.value];
      const wanted = search.value.toLowerCase();
      const [column, up] = order;
      const found = lines().filter(([id]) => id.toLowerCase().includes(wanted));
      found.sort((a, b) => (a[column] === null ? 1 : b[column] === null ? -1 : (up ? 1 : -1) * before(a[column], b[column])));
      const table = element("table");
      table.append(element("caption", several ? `${metric.value} of each ${units.unit}` : `Each ${units.unit}`));
      const head = table.createTHead().insertRow();
      names.forEach((name, place) => head.append(element("th", name, { scope: "col", ...(place ? { class: "number" } : {}) })));
      const body = table.createTBody();
      for (const line of all ? found : found.slice(0, first)) {
        const row = body.insertRow();
        const name = element("th", undefined, { scope: "row" });
        const documents = Object.hasOwn(data.documents || {}, line[0]) && data.documents[line[0]];
        if (documents) name.append(opened(line[0], documents, row));
        else name.textContent = line[0];
        row.append(name);
        line.slice(1).forEach((value) => row.append(element("td", shown(value), { class: "number" })));
      }
      sortable(table, (place, rising) => { order = [place, rising]; fill(); });
      head.cells[column].setAttribute("aria-sort", up ? "ascending" : "descending");
      where.replaceChildren(table);
      count.textContent = `${found.length} of ${units.ids.length} shown`;
      more.hidden = all || found.length <= first;
      if (!more.hidden) count.textContent = `the first ${first} of ${found.length} shown`;
    };
    // Documents of a query: those of the two systems beside each other.
    const opened = (id, documents, row) => {
      const button = element("button", id, { type: "button", "aria-expanded": "false" });
      button.addEventListener("click", () => {
        const open = button.getAttribute("aria-expanded") === "true";
        button.setAttribute("aria-expanded", String(!open));
        if (open) { row.nextElementSibling.remove(); return; }
        const under = element("tr");
        const cell = element("td", undefined, { colspan: "4" });
        cell.append(ranks(id, documents));
        under.append(cell);
        row.after(under);
      });
      return button;
    };
    const ranks = (id, documents) => {
      const asked = several ? [one.value, other.value] : ["0"];
      const table = element("table");
      table.append(element("caption", `First documents of ${id}: * tied with another, ? not judged`));
      const head = table.createTHead().insertRow();
      head.append(element("th", "rank", { scope: "col" }));
      asked.forEach((each) => {
        head.append(element("th", data.systems[each], { scope: "col" }), element("th", "grade", { scope: "col" }));
        if (several) head.append(element("th", "rank in the other", { scope: "col" }));
      });
      const listed = asked.map((each) => documents[each] || []);
      const body = table.createTBody();
      for (let rank = 0; rank < Math.max(...listed.map((each) => each.length)); rank++) {
        const row = body.insertRow();
        row.append(element("th", String(rank + 1), { scope: "row" }));
        listed.forEach((each, place) => {
          const [name, grade, tied] = each[rank] || ["", "", 0];
          row.append(element("td", name + (tied ? " *" : "")), element("td", grade === null ? "?" : String(grade)));
          if (several) {
            const there = listed[1 - place].findIndex(([found]) => found === name);
            row.append(element("td", name === "" ? "" : there < 0 ? "not among them" : String(there + 1)));
          }
        });
      }
      return table;
    };
    const redraw = several
      ? chart("units", () => lines()
          .filter((line) => line[3] !== null)
          .sort((a, b) => b[3] - a[3])
          .map(([id, value, against, difference], place) => ({ id, value, other: against, difference, place: place + 1 })),
        () => `${metric.value}: ${data.systems[one.value]} less ${data.systems[other.value]}`)
      : () => {};
    changed();
    charts.units = () => {};
  }
  ready();
})();
