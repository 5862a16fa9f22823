// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures that follow the threshold.
// ---- Curves ----

const corpora = [...new Set(data.arms.map((arm) => arm.corpus))];
const LEFT = 40, RIGHT = 452, TOP = 12, BOTTOM = 292;

// A panel with both axes; `ticks` are [value, label]; x and y convert values to positions.
function panel(label, across, up, xTicks, yTicks, names) {
  const picture = draw("svg", { viewBox: "0 0 460 330", role: "img", "aria-label": label });
  for (const [value, text] of xTicks) {
    picture.append(draw("path", { class: "grid", d: "M" + across(value) + " " + TOP + "V" + BOTTOM }), draw("text", { x: across(value), y: BOTTOM + 15, "text-anchor": across(value) > RIGHT - 8 && text.length > 2 ? "end" : "middle" }, text));
  }
  for (const [value, text] of yTicks) {
    picture.append(draw("path", { class: "grid", d: "M" + LEFT + " " + up(value) + "H" + RIGHT }), draw("text", { x: LEFT - 5, y: up(value) + 4, "text-anchor": "end" }, text));
  }
  const middle = (TOP + BOTTOM) / 2;
  picture.append(draw("text", { x: (LEFT + RIGHT) / 2, y: BOTTOM + 32, "text-anchor": "middle" }, names[0]),
    draw("text", { x: 10, y: middle, "text-anchor": "middle", transform: "rotate(-90 10 " + middle + ")" }, names[1]));
  return picture;
}
const QUARTERS = [0, 0.25, 0.5, 0.75, 1].map((value) => [value, String(value)]);
const unit = { across: (value) => LEFT + value * (RIGHT - LEFT), up: (value) => BOTTOM - value * (BOTTOM - TOP) };
const colour = (arm) => "var(--k" + (arm.number % 8) + ")";
const dashes = (arm) => ["none", "7 3", "2 3"][Math.floor(arm.number / 8) % 3];

function line(arm, places, step) {
  const d = places.map(([x, y], i) => (i ? (step ? "H" + x.toFixed(1) + "V" + y.toFixed(1) : "L" + x.toFixed(1) + " " + y.toFixed(1)) : "M" + x.toFixed(1) + " " + y.toFixed(1))).join("");
  return draw("path", { d, fill: "none", stroke: colour(arm), "stroke-width": 2, "stroke-dasharray": dashes(arm) });
}
function dot(arm, x, y) {
  return draw("g", { class: "dot" }, draw("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: 8, fill: colour(arm) }), draw("text", { x: x.toFixed(1), y: (y + 4).toFixed(1) }, String(arm.number + 1)));
}
const figure = (picture, caption) => make("figure", {}, picture, make("figcaption", {}, caption));

// Precision against recall.
function precisionRecall(corpus, arms, named) {
  const { across, up } = unit, picture = panel(corpus + ": " + word("precision") + ", " + word("recall"), across, up, QUARTERS, QUARTERS, [word("recall"), word("precision")]);
  for (const arm of arms) {
    const { points, positives } = countsOf(arm);
    const places = filtered() ? points.filter((point) => point.tp + point.fp > 0 && positives > 0).map((point) => [across(point.tp / positives), up(point.tp / (point.tp + point.fp))])
      : arm.curve.filter((point) => point[1] !== null).map((point) => [across(point[2]), up(point[1])]);
    picture.append(line(arm, places, false));
  }
  for (const arm of arms) {
    const figures = figuresAt(arm, thresholdOf(arm));
    if (figures.precision !== null && figures.recall !== null) picture.append(dot(arm, across(figures.recall), up(figures.precision)));
  }
  const caption = make("figcaption", {}, (several ? corpus + ": " : "") + word("curve_pr"));
  if (named) caption.append(" ", ...arms.flatMap((arm) => [make("span", { class: "named" }, key(arm), " " + arm.arm), " "]));
  return make("figure", {}, picture, caption);
}

function roc(corpus, arms) {
  const { across, up } = unit, picture = panel(corpus + ": ROC", across, up, QUARTERS, QUARTERS, [word("false_rate"), word("recall")]);
  picture.append(draw("path", { class: "chance", d: "M" + across(0) + " " + up(0) + "L" + across(1) + " " + up(1) }));
  for (const arm of arms) {
    const { points, positives, negatives } = countsOf(arm);
    if (!(positives > 0 && negatives > 0)) continue;
    const spot = (point) => [across(point.fp / negatives), up(point.tp / positives)];
    picture.append(line(arm, [[across(0), up(0)], ...points.filter((point) => point.fp !== null).map(spot)], false));
    const figures = figuresAt(arm, thresholdOf(arm));
    if (figures.fp !== null) picture.append(dot(arm, ...spot(figures)));
  }
  return figure(picture, (several ? corpus + ": " : "") + word("curve_roc"));
}

const ticksTo = (most) => {
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((size) => most / size <= 9) || most / 8, ticks = [];
  for (let at = 0; at <= most + 1e-9; at += step) ticks.push([at, String(Math.round(at * 100) / 100)]);
  return ticks;
};
function f1(corpus, arms) {
  const most = Number(slider.max), across = (value) => LEFT + Math.max(0, Math.min(value, most)) / most * (RIGHT - LEFT), { up } = unit;
  const picture = panel(corpus + ": F1", across, up, ticksTo(most), QUARTERS, [word("threshold"), word("f1")]);
  for (const arm of arms) {
    const { points, positives } = countsOf(arm);
    const places = points.filter((point) => point.fp !== null && point.tp + point.fp + positives > 0).map((point) => [across(point.distance), up(2 * point.tp / (point.tp + point.fp + positives))]);
    picture.append(line(arm, places, true));
  }
  for (const arm of arms) {
    const at = thresholdOf(arm), figures = figuresAt(arm, at);
    if (figures.f1 !== null) picture.append(dot(arm, across(at), up(figures.f1)));
  }
  return figure(picture, (several ? corpus + ": " : "") + word("curve_f1"));
}

function showCurves() {
  const pictures = corpora.flatMap((corpus) => {
    const arms = armsShown().filter((arm) => arm.corpus === corpus);
    return [precisionRecall(corpus, arms), roc(corpus, arms), f1(corpus, arms)];
  });
  byId("curves").replaceChildren(...pictures);
  for (const place of document.querySelectorAll("[data-answer]"))
    place.replaceChildren(precisionRecall(place.dataset.answer, armsShown().filter((arm) => arm.corpus === place.dataset.answer), true));
}

// ---- Distances ----

const WIDTH = 330, HALF = 55, MIDDLE = 72, BELOW = MIDDLE + HALF + 12;

// Bars for the selected pairs; bars of histograms.tsv are of all pairs.
function barsOf(arm) {
  if (!arm.cells) return arm.bars;
  const bars = arm.bars.map((bar) => [bar[0], bar[1], 0, 0]);
  let at = 0, before = { tp: 0, fp: 0 };
  for (const point of countsOf(arm).points) {
    while (at + 1 < bars.length && point.distance >= bars[at][1]) at++;
    bars[at][2] += point.tp - before.tp;
    bars[at][3] += point.fp - before.fp;
    before = point;
  }
  return bars;
}

function bars(arm) {
  const own = filtered() ? barsOf(arm) : arm.bars, at = thresholdOf(arm);
  const most = Math.max(...own.map((bar) => bar[1])), largest = [2, 3].map((i) => Math.max(1e-9, ...own.map((bar) => bar[i])));
  const x = (distance) => 4 + (distance / most) * (WIDTH - 8);
  const picture = draw("svg", { viewBox: "0 0 " + WIDTH + " 158", role: "img", "aria-label": arm.arm + ": " + word("distance") + ", " + word("threshold") + " " + spell(at) });
  for (const bar of own) {
    const width = Math.max(0.5, x(bar[1]) - x(bar[0]) - 0.6), above = bar[2] / largest[0] * HALF, below = bar[3] / largest[1] * HALF;
    if (above > 0) picture.append(draw("rect", { class: "positive", x: x(bar[0]), y: MIDDLE - above, width, height: above }));
    if (below > 0) picture.append(draw("rect", { class: "negative", x: x(bar[0]), y: MIDDLE, width, height: below }));
  }
  picture.append(draw("path", { class: "axis", d: "M4 " + MIDDLE + "H" + (WIDTH - 4) }));
  // The threshold itself is included: with integer distances the line is after its bar.
  const behind = Math.max(0, Math.min(most, at + (arm.whole ? 1 : 0)));
  picture.append(draw("path", { class: "mark", d: "M" + x(behind) + " 14V" + (MIDDLE + HALF + 2) }));
  picture.append(draw("text", { x: 4, y: BELOW + 15 }, "0"), draw("text", { x: WIDTH - 4, y: BELOW + 15, "text-anchor": "end" }, inLanguage(arm.scale)));
  picture.append(draw("text", { x: 4, y: 11 }, word("duplicates")), draw("text", { x: 4, y: BELOW }, word("others")));
  return make("figure", {}, picture, make("figcaption", {}, key(arm), " " + (several ? arm.corpus + ", " : "") + arm.arm));
}

// ---- Quality against bytes and time ----

// The Pareto front: arms that no other arm beats in both.
const front = (arms, cost) => arms.filter((arm) => !arms.some((other) => other.ap >= arm.ap && other[cost] <= arm[cost] && (other.ap > arm.ap || other[cost] < arm[cost])));

const short = (name) => ([...name].length > 22 ? [...name].slice(0, 21).join("") + "…" : name);
const plain = (value) => (value >= 1e6 || (value < 0.001 && value > 0) ? value.toExponential(0) : String(Number(value.toPrecision(2))));

// Positions of names beside their dots, tried in order. A name must cover no dot and no name; if none fits, the number is used.
const BESIDE = [-5, 14, 4, -18, 27].flatMap((down) => [[12, down], [-12, down]]);
function putNames(picture, spots) {
  const taken = spots.map(({ x, y }) => [x - 9, y - 9, x + 9, y + 9]);
  const meets = (box) => taken.some((other) => box[0] < other[2] && box[2] > other[0] && box[1] < other[3] && box[3] > other[1]);
  for (const { arm, x, y } of spots) {
    const name = short(arm.arm), wide = 6.5 * name.length;
    for (const [aside, down] of BESIDE) {
      const from = aside > 0 ? x + aside : x + aside - wide, box = [from, y + down - 9, from + wide, y + down + 3];
      if (from < LEFT || from + wide > RIGHT || meets(box)) continue;
      taken.push(box);
      picture.append(draw("text", { class: "name", x: x + aside, y: y + down, "text-anchor": aside > 0 ? "start" : "end" }, name));
      break;
    }
  }
}

// Ticks of a logarithmic axis, which ends at the first and the last: decades, or 1, 2, 5 for a short span.
function decades(values) {
  const low = Math.min(...values) / 1.1, high = Math.max(...values) * 1.1, steps = high > 40 * low ? [1] : [1, 2, 5], marks = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) marks.push(...steps.map((step) => Number((step * 10 ** power).toPrecision(2))));
  return marks.filter((mark, i) => (i + 1 === marks.length || marks[i + 1] > low) && (i === 0 || marks[i - 1] < high));
}
// Ticks of a linear axis.
function round(low, high) {
  const step = [0.01, 0.02, 0.05, 0.1, 0.2].find((size) => (high - low) / size < 6) || 0.25, first = Math.floor(low / step + 1e-9), last = Math.max(first + 1, Math.ceil(high / step - 1e-9));
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toFixed(2)));
}

function quality(corpus, arms, cost) {
  const known = arms.filter((arm) => arm.ap !== null && arm[cost] > 0);
  if (known.length === 0) return null;
  const xMarks = decades(known.map((arm) => arm[cost])), low = Math.log10(xMarks[0]), wide = Math.log10(xMarks[xMarks.length - 1]) - low;
  const yMarks = round(Math.min(...known.map((arm) => arm.apLow ?? arm.ap)), Math.max(...known.map((arm) => arm.apHigh ?? arm.ap))), least = yMarks[0], high = yMarks[yMarks.length - 1] - least;
  const across = (value) => LEFT + (Math.log10(value) - low) / wide * (RIGHT - LEFT), up = (value) => BOTTOM - (value - least) / high * (BOTTOM - TOP);
  const xTicks = xMarks.map((value) => [value, plain(value)]), yTicks = yMarks.map((value) => [value, value.toFixed(2)]);
  const picture = panel(corpus + ": " + word(cost), across, up, xTicks, yTicks, [word(cost), word("quality")]);
  const best = front(known, cost).sort((a, b) => a[cost] - b[cost]);
  picture.append(draw("path", { class: "front", d: best.map((arm, i) => (i ? "H" + across(arm[cost]) + "V" + up(arm.ap) : "M" + across(arm[cost]) + " " + up(arm.ap))).join("") }));
  for (const arm of known) {
    if (arm.apLow !== null) picture.append(draw("path", { d: "M" + across(arm[cost]) + " " + up(arm.apLow) + "V" + up(arm.apHigh), stroke: colour(arm), "stroke-width": 2 }));
  }
  for (const arm of known) picture.append(dot(arm, across(arm[cost]), up(arm.ap)));
  for (const arm of cost === "bytes" ? known : [])
    if (arm.bound !== null) picture.append(draw("path", { d: "M" + (across(arm[cost]) - 7) + " " + up(arm.bound) + "h14", stroke: colour(arm), "stroke-width": 2.5, "stroke-dasharray": "2 2" }));
  putNames(picture, known.map((arm) => ({ arm, x: across(arm[cost]), y: up(arm.ap) })));
  return figure(picture, (several ? corpus + ": " : "") + word("quality_" + cost));
}

function showFront() {
  const shape = byId("quality-figures");
  if (!shape) return;
  const pictures = corpora.flatMap((corpus) => ["bytes", "seconds"].map((cost) => quality(corpus, armsShown().filter((arm) => arm.corpus === corpus), cost)));
  shape.replaceChildren(...pictures.filter((picture) => picture));
}
