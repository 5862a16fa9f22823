// SPDX-License-Identifier: GPL-3.0-or-later
// The worksheet: guesses and exercises of all steps, with lines to write on, and the answers on a separate page.
const sheet = (() => {
  let answers = false;
  const lines = (count) => Array.from({ length: count }, () => make("div", { class: "write" }));
  const numbers = (step) => Array.from({ length: step.exercises }, (_, i) => i + 1);

  function questions() {
    return Steps.map((step, at) => make("section", { class: "sheet-step" }, make("h2", {}, at + 1 + ". " + say(step.id + ".title")),
      make("p", {}, rich(say(step.id + ".ask"))), make("p", { class: "guess" }, say("sheet.guess"), make("span", { class: "write-here" })),
      make("ol", {}, numbers(step).map((number) => make("li", {}, make("p", {}, rich(say(step.id + ".q" + number))), lines(2))))));
  }
  function key() {
    return make("section", { class: "sheet-key" }, make("h2", {}, say("sheet.key")),
      Steps.map((step, at) => make("div", {}, make("h3", {}, at + 1 + ". " + say(step.id + ".title")), make("ol", {}, numbers(step).map((number) => make("li", {}, rich(say(step.id + ".a" + number))))))));
  }

  return (place, redraw) => {
    const box = make("input", { type: "checkbox", checked: answers, onchange: () => { answers = box.checked; redraw(); } });
    place.append(make("h1", {}, say("sheet.title")), make("p", { class: "screen-only" }, say("sheet.text")),
      make("div", { class: "buttons screen-only" }, button(say("sheet.print"), () => print(), { "data-press": "print" }), make("label", { class: "check" }, box, " ", say("sheet.answers"))),
      make("p", { class: "names" }, ["sheet.name", "sheet.class", "sheet.date"].map((name) => make("span", {}, say(name), make("span", { class: "write-here" })))), ...questions());
    if (answers) place.append(key());
  };
})();
