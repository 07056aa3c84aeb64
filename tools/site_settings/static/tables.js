// Filters above the table of the catalogue, made from its own cells; tables of all pages sort by a click on a heading.
"use strict";

function number(text) {
  const found = text.replace(/[,*\s]/g, "").match(/^[-+]?\.?\d[\d.]*(e[-+]?\d+)?/i);
  return found ? Number(found[0]) : NaN;
}

function sortable(table) {
  table.querySelectorAll("thead th").forEach((heading, column) => {
    if (!heading.textContent.trim()) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "certus-sort";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const up = heading.getAttribute("aria-sort") !== "ascending";
      table.querySelectorAll("thead th").forEach((each) => each.removeAttribute("aria-sort"));
      heading.setAttribute("aria-sort", up ? "ascending" : "descending");
      const text = (row) => (row.cells[column] ? row.cells[column].textContent.trim() : "");
      const body = table.tBodies[0];
      const rows = [...body.rows].sort((a, b) => {
        const difference = number(text(a)) - number(text(b));
        const order = Number.isNaN(difference) ? text(a).localeCompare(text(b), "en", { numeric: true }) : difference;
        return up ? order : -order;
      });
      body.append(...rows);
    });
  });
}

function choice(label, values) {
  const select = document.createElement("select");
  select.add(new Option(`every ${label}`, ""));
  values.forEach((value) => select.add(new Option(value, value)));
  return named(label, select);
}

function named(label, field) {
  const box = document.createElement("label");
  box.append(label, field);
  return [box, field];
}

function filtered(place) {
  const table = place.querySelector("table");
  const rows = [...table.tBodies[0].rows].map((row) => ({
    row,
    task: row.cells[1].textContent,
    tools: row.cells[3].textContent.split("; ").map((part) => part.split(": ")[0]).filter(Boolean),
    text: row.textContent.toLowerCase(),
  }));
  const sorted = (values) => [...new Set(values)].sort((a, b) => a.localeCompare(b, "en"));
  const input = document.createElement("input");
  input.type = "search";
  const [textBox] = named("name or words", input);
  const [taskBox, task] = choice("task", sorted(rows.map((each) => each.task)));
  const [toolBox, tool] = choice("tool", sorted(rows.flatMap((each) => each.tools)));
  const count = document.createElement("output");
  const form = document.createElement("form");
  form.className = "certus-filters";
  form.append(textBox, taskBox, toolBox, count);
  form.addEventListener("submit", (event) => event.preventDefault());
  const apply = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((each) => {
      const kept =
        (!task.value || each.task === task.value) &&
        (!tool.value || each.tools.includes(tool.value)) &&
        words.every((word) => each.text.includes(word));
      each.row.hidden = !kept;
      shown += kept ? 1 : 0;
    });
    count.value = `${shown} of ${rows.length} metrics`;
  };
  form.addEventListener("input", apply);
  const asked = new URLSearchParams(location.search);
  input.value = asked.get("words") || "";
  task.value = asked.get("task") || "";
  tool.value = asked.get("tool") || "";
  place.prepend(form);
  apply();
}

document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll("article table").forEach(sortable);
  document.querySelectorAll(".certus-filter").forEach(filtered);
});
