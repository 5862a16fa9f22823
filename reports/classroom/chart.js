// SPDX-License-Identifier: GPL-3.0-or-later
// A chart: axes, curves, dots, a band.

// x, y: { from, to, ticks, label, shown }; place.clientWidth says how wide. toX and toY are pixels.
function chart(place, { label, x, y, height = 16, most = 44 }) {
  const unit = rem(), width = widthOf(place, most), tall = height * unit;
  const left = 3.7 * unit, bottom = 3.2 * unit, top = 0.8 * unit, right = 1.6 * unit;
  const toX = (value) => left + ((value - x.from) / (x.to - x.from)) * (width - left - right);
  const toY = (value) => tall - bottom - ((value - y.from) / (y.to - y.from)) * (tall - bottom - top);
  const svg = picture(width, tall, label);
  for (const tick of y.ticks) {
    svg.append(draw("line", { class: "grid", x1: left, x2: width - right, y1: toY(tick), y2: toY(tick) }),
      draw("text", { x: left - 0.4 * unit, y: toY(tick) + 0.3 * unit, "text-anchor": "end" }, (y.shown || String)(tick)));
  }
  for (const tick of x.ticks) {
    svg.append(draw("line", { class: "axis", x1: toX(tick), x2: toX(tick), y1: tall - bottom, y2: tall - bottom + 0.3 * unit }),
      draw("text", { x: toX(tick), y: tall - bottom + 1.2 * unit, "text-anchor": "middle" }, (x.shown || String)(tick)));
  }
  svg.append(draw("line", { class: "axis", x1: left, x2: width - right, y1: tall - bottom, y2: tall - bottom }),
    draw("text", { x: (left + width - right) / 2, y: tall - 0.5 * unit, "text-anchor": "middle" }, x.label));
  if (y.label) svg.append(draw("text", { x: 0.9 * unit, y: (tall - bottom) / 2, "text-anchor": "middle", transform: "rotate(-90 " + 0.9 * unit + " " + (tall - bottom) / 2 + ")" }, y.label));
  return { svg, toX, toY, range: [y.from, y.to] };
}

const pathOf = (on, points) => points.map(([x, y], i) => (i ? "L" : "M") + on.toX(x).toFixed(1) + " " + on.toY(y).toFixed(1)).join("");

function addCurve(on, points, kind) {
  on.svg.append(draw("path", { class: "curve " + kind, d: pathOf(on, points) }));
}

// Between two curves over the same x.
function addBand(on, low, high) {
  on.svg.append(draw("path", { class: "band", d: pathOf(on, [...low, ...[...high].reverse()]) + "Z" }));
}

function addDot(on, x, y, kind, title) {
  const radius = 0.35 * rem();
  on.svg.append(draw("circle", { class: "dot " + kind, cx: on.toX(x), cy: on.toY(y), r: radius }, title ? draw("title", {}, title) : null));
}

function addUpright(on, x, kind) {
  const [from, to] = on.range;
  on.svg.append(draw("line", { class: kind, x1: on.toX(x), x2: on.toX(x), y1: on.toY(from), y2: on.toY(to) }));
}

// What the colours mean: [[kind, text]…].
const legend = (rows) => make("ul", { class: "legend" }, rows.map(([kind, text]) => make("li", {}, make("span", { class: "swatch " + kind }), text)));
