// SPDX-License-Identifier: GPL-3.0-or-later
// Widgets of the boards: text boxes, sliders, buttons, rows of bits, tables.

let widgetCount = 0;
const freshId = (stem) => stem + "-" + ++widgetCount;

// A text box of at most `most` characters; calls `change` on input.
function textBox(label, value, change, { rows = 2, most = 500 } = {}) {
  const id = freshId("text");
  const full = make("p", { class: "small", role: "status" });
  // A pasted text may be longer: it is cut, with a note.
  const take = () => {
    const given = [...box.value], long = given.length > most;
    if (long) box.value = given.slice(0, most).join("");
    full.textContent = long ? say("box.full", grouped(most), grouped(given.length - most)) : "";
    change(box.value);
  };
  const box = make("textarea", { id, rows, spellcheck: "false", oninput: take });
  box.value = value;
  return make("div", { class: "field" }, make("label", { for: id }, label), box, full);
}

// A slider with its value beside it; `shown` formats the value.
function slider(label, range, change, shown = String) {
  const id = freshId("slider");
  const output = make("output", { for: id }, shown(range.value));
  const input = make("input", { type: "range", id, min: range.min, max: range.max, step: range.step || 1,
    oninput: () => { output.textContent = shown(+input.value); input.setAttribute("aria-valuetext", output.textContent); change(+input.value); } });
  input.value = range.value;
  input.setAttribute("aria-valuetext", output.textContent);
  return make("div", { class: "slider" }, make("label", { for: id }, label), input, output);
}

// A choice of one value: [[value, label]…].
function choice(label, values, chosen, change) {
  const name = freshId("choice");
  return make("fieldset", { class: "choice" }, make("legend", {}, label), values.map(([value, text]) =>
    make("label", {}, make("input", { type: "radio", name, value, checked: value === chosen, onchange: () => change(value) }), make("span", {}, text))));
}

const button = (label, press, attributes = {}) => make("button", { type: "button", onclick: press, ...attributes }, label);
const buttons = (...all) => make("div", { class: "buttons" }, all);

// ---- Bits ----

// Stacked rows of bits, in groups of eight that wrap: [{ label, bits, kind }]. marks: positions highlighted in every row;
// press(place): bits are buttons.
function bitStack(rows, { marks = new Set(), at = -1, press = null, group = 8 } = {}) {
  const stack = make("div", { class: press ? "bits pressed" : "bits" });
  const count = rows[0].bits.length;
  for (let begin = 0; begin < count; begin += group) {
    const part = make("div", { class: "bit-group" });
    for (const row of rows) {
      const line = make("div", { class: "bit-row" + (row.kind ? " " + row.kind : "") }, make("span", { class: "bit-label" }, row.label));
      for (let i = begin; i < Math.min(count, begin + group); i++) line.append(bitCell(row, i, marks.has(i), i === at, press));
      part.append(line);
    }
    stack.append(part);
  }
  return stack;
}

function bitCell(row, place, marked, current, press) {
  const bit = row.bits[place];
  const attributes = { class: "bit" + (bit === "1" ? " one" : "") + (marked ? " marked" : "") + (current ? " current" : "") };
  if (!press || row.fixed) return make("span", attributes, bit);
  return make("button", { ...attributes, type: "button", "aria-pressed": bit === "1" ? "true" : "false", "data-place": place,
    "aria-label": say("bit.place", place + 1, bit), onclick: () => press(place) }, bit);
}

// ---- Tables ----

// head: texts; rows: [[cell…]], the first cell is the row header. Columns of numbers are right-aligned.
function tableOf(caption, head, rows, attributes = {}) {
  const textOf = (cell) => (cell instanceof Element ? cell.textContent : String(cell));
  const number = head.map((_, i) => rows.length > 0 && rows.every((row) => /^([−+-]?[\d.,]+%?|–)$/.test(textOf(row[i]))));
  const kind = (i) => ({ class: number[i] ? "number" : null });
  return make("div", { class: "wide", role: "region", tabindex: 0, "aria-label": caption, ...attributes }, make("table", {},
    make("caption", {}, caption),
    make("thead", {}, make("tr", {}, head.map((cell, i) => make("th", { scope: "col", ...kind(i) }, cell)))),
    make("tbody", {}, rows.map((row) => make("tr", {}, row.map((cell, i) => (i ? make("td", kind(i), cell) : make("th", { scope: "row" }, cell))))))));
}

// A big number with its label, readable from the back row.
const figureOf = (name, value, label) => make("div", { class: "figure" }, make("strong", { "data-figure": name }, value), make("span", {}, label));
const figures = (...all) => make("div", { class: "figures" }, all);

// A line of arithmetic.
const formula = (name, text) => make("p", { class: "formula", "data-figure": name }, text);

// ---- Waiting for the lab ----

// Runs `work` and fills `place` with its result; drops outdated answers and shows errors.
function filling(place) {
  let turn = 0;
  return async (work) => {
    const mine = ++turn;
    place.setAttribute("aria-busy", "true");
    let filled;
    try {
      filled = await work();
    } catch (error) {
      filled = [make("p", { class: "warning", role: "alert" }, error.message)];
    }
    if (mine !== turn) return;
    place.replaceChildren(...[filled].flat(Infinity).filter((child) => child));
    place.removeAttribute("aria-busy");
  };
}

// ---- Numbers ----

const grouped = (value) => Math.round(value).toLocaleString("en-US");
const decimals = (value, places) => value.toFixed(places).replace("-", "−");
const signed = (value) => (value < 0 ? "−" + -value : String(value));
const percent = (share, places = 0) => (100 * share).toFixed(places) + "%";
