// SPDX-License-Identifier: GPL-3.0-or-later
// Helper functions of the playground.
const { make, draw } = fplab;

function on(element, event, act) {
  element.addEventListener(event, act);
  return element;
}
const button = (text, act, attributes = {}) => on(make("button", { type: "button", ...attributes }, text), "click", act);
const fill = (place, ...children) => place.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));

// Rounded, without trailing zeros.
const tidy = (value, digits = 2) => (value === null || value === undefined ? "–" : String(Number(value.toFixed(digits))));
const share = (value) => (value === null ? "–" : value.toFixed(3));
const withRange = ([value, low, high]) => share(value) + (low === null ? "" : " (" + share(low) + "–" + share(high) + ")");
// fplab's name of a scale ("bits of 64") in the language of the page.
const scaleOf = (scale) => {
  const [unit, , most] = scale.split(" "), name = "scale." + unit;
  return WORDS[name] && most ? say("scale.whole", most, say(name)) : scale;
};
const lengthOf = (text) => { let count = 0; for (const _ of text) count++; return count; };

// A table from [head] and [[cell]…]; cells are texts or nodes, the first cell of a row is its header.
function tableOf(caption, head, rows, numbers) {
  const kind = (i) => (numbers.has(i) ? { class: "number" } : {});
  return make("table", {}, make("caption", {}, caption),
    make("thead", {}, make("tr", {}, ...head.map((text, i) => make("th", { scope: "col", ...kind(i) }, text)))),
    make("tbody", {}, ...rows.map((cells) => make("tr", {}, ...cells.map((cell, i) => make(i ? "td" : "th", i ? kind(i) : { scope: "row" }, cell))))));
}

// Announcements for screen readers.
const Spoken = { place: null, say(text) { if (Spoken.place) Spoken.place.textContent = text; } };

// The lab; requests wait until it has started. If it cannot start, requests get no answer and the page shows a message on top.
const lab = (() => {
  const made = { call: null };
  made.ready = new Promise((resolve) => { made.open = (call) => { made.call = call; resolve(); }; });
  return made;
})();
async function ask(request, place) {
  if (!lab.call) await lab.ready;
  return lab.call(request, place);
}

// A second lab for evaluating a corpus, so that text boxes keep working. Opened at the first request; stop() ends its work.
const corpusLab = (() => {
  let opened = null;
  return {
    async ask(request, place, progress) {
      if (!opened) opened = Lab.open(document.getElementById("lab").textContent);
      return (await opened).call(request, place, progress);
    },
    async stop() {
      const ended = opened;
      opened = null;
      if (ended) (await ended).close();
    },
  };
})();
