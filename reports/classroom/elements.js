// SPDX-License-Identifier: GPL-3.0-or-later
// Makes elements of HTML and SVG. Strings become text nodes, never markup.

function furnish(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined).map((child) => (typeof child === "number" ? String(child) : child)));
  return element;
}

// make("p", { class: "small", onclick: f }, "text", element, [more]). Invisible characters are shown by code point.
const visible = (child) => (typeof child === "string" ? fplab.shown(child) : child);
const make = (name, attributes, ...children) => furnish(document.createElement(name), attributes, children.flat(Infinity).map(visible));
const draw = (name, attributes, ...children) => furnish(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

// Renders **strong** and `code` in a text of the table of texts.
function rich(text) {
  return text.split(/(\*\*[^*]+\*\*|`[^`]+`)/).filter((part) => part).map((part) => {
    if (part.startsWith("**")) return make("strong", {}, part.slice(2, -2));
    if (part.startsWith("`")) return make("code", {}, part.slice(1, -1));
    return part;
  });
}

// A text of the table as paragraphs, separated by empty lines.
const paragraphs = (name, ...values) => say(name, ...values).split("\n\n").map((text) => make("p", {}, rich(text)));

// Pixels per rem: drawings scale with the font size.
const rem = () => parseFloat(getComputedStyle(document.documentElement).fontSize);
// The width in pixels available to a drawing in `place`, at most `most` rem.
const widthOf = (place, most) => Math.floor(Math.max(260, Math.min(place.clientWidth || 600, most * rem())));

// A drawing with a label for screen readers.
function picture(width, height, label, ...children) {
  return draw("svg", { width, height, viewBox: "0 0 " + width + " " + height, role: "img", "aria-label": label }, ...children);
}
