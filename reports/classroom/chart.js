// SPDX-License-Identifier: GPL-3.0-or-later
// Charts: axes, curves, dots, bands.

// x, y: { from, to, ticks, label, shown }; the width is place.clientWidth. toX and toY return pixels.
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

// A band between two curves over the same x.
function addBand(on, low, high) {
  on.svg.append(draw("path", { class: "band", d: pathOf(on, [...low, ...[...high].reverse()]) + "Z" }));
}

// Each kind also has its own marker shape: the corners of its polygon, in radii. k0 and other kinds are circles.
const CORNERS = { k1: [[-1, -1], [1, -1], [1, 1], [-1, 1]], k2: [[0, -1.3], [1.2, 0.9], [-1.2, 0.9]], k3: [[0, -1.4], [1.4, 0], [0, 1.4], [-1.4, 0]], k4: [[0, 1.3], [1.2, -0.9], [-1.2, -0.9]],
  k5: [[-1.3, -0.5], [1.3, -0.5], [1.3, 0.5], [-1.3, 0.5]], k6: [[-0.5, -1.3], [0.5, -1.3], [0.5, 1.3], [-0.5, 1.3]] };
function marker(kind, x, y, radius, ...inside) {
  if (!CORNERS[kind]) return draw("circle", { class: "dot " + kind, cx: x, cy: y, r: radius }, ...inside);
  return draw("polygon", { class: "dot " + kind, points: CORNERS[kind].map(([a, b]) => (x + a * radius).toFixed(1) + "," + (y + b * radius).toFixed(1)).join(" ") }, ...inside);
}

function addDot(on, x, y, kind, title) {
  on.svg.append(marker(kind, on.toX(x), on.toY(y), 0.35 * rem(), title ? draw("title", {}, title) : null));
}

// Writes each curve's name above it, where the curves are farthest apart and away from `mark`: [{ points, title }…].
function addNames(on, curves, mark) {
  const maps = curves.map(({ points }) => new Map(points)), apart = (x) => {
    const heights = maps.map((map) => map.get(x)).sort((a, b) => a - b);
    return Math.min(...heights.slice(1).map((height, i) => height - heights[i]));
  };
  const shared = [...maps[0].keys()].filter((x) => maps.every((map) => map.has(x))), inner = shared.slice(2, -3).filter((x) => Math.abs(x - mark) > 3);
  if (!inner.length) return;
  const x = inner.reduce((best, one) => (apart(one) > apart(best) ? one : best));
  curves.forEach(({ title }, i) => on.svg.append(draw("text", { class: "curve-name", x: on.toX(x), y: on.toY(maps[i].get(x)) - 0.5 * rem() }, title)));
}

function addUpright(on, x, kind) {
  const [from, to] = on.range;
  on.svg.append(draw("line", { class: kind, x1: on.toX(x), x2: on.toX(x), y1: on.toY(from), y2: on.toY(to) }));
}

// Legend of colours, dashes and shapes: [[kind, text, whether the curve has dots]…].
const sample = (kind, dots) => draw("svg", { class: "sample", width: 40, height: 14, viewBox: "0 0 40 14", "aria-hidden": "true" }, draw("path", { class: "curve " + kind, d: "M0 7H40" }), dots ? marker(kind, 20, 7, 4.5) : null);
const legend = (rows) => make("ul", { class: "legend" }, rows.map(([kind, text, dots]) => make("li", {}, /^k\d$/.test(kind) ? sample(kind, dots) : make("span", { class: "swatch " + kind }), text)));
