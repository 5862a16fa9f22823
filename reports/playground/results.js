// SPDX-License-Identifier: GPL-3.0-or-later
// Results on the corpus: a table of thresholds per arm, curves, and the pairs of a count.
const Results = (() => {
  const CELLS = ["tp", "fp", "fn", "tn"], MOST_PAIRS = 50, MOST_SHOWN = 400;
  let place = null, found = null;

  // ---- Table ----

  function countOf(arm, number, row, cell) {
    const text = tidy(row[cell], 1);
    return button(text, () => showPairs(arm, number, row.threshold, cell), { class: "count", "aria-label": say(cell) + " " + text + ", " + say("threshold") + " " + tidy(row.threshold) });
  }
  function tableFor(arm, number) {
    const rows = arm.rows.map((row) => [tidy(row.threshold), ...CELLS.map((cell) => countOf(arm, number, row, cell)), ...["precision", "recall", "f1"].map((name) => withRange(row[name]))]);
    const table = tableOf(arm.arm + " · " + scaleOf(arm.scale), [say("threshold"), ...CELLS.map((cell) => say(cell)), say("precision"), say("recall"), say("f1")], rows, new Set([1, 2, 3, 4, 5, 6, 7]));
    table.dataset.arm = arm.arm;
    const notes = [make("p", { class: "small" }, say("best", share(arm.best_f1[0]), tidy(arm.best_threshold), withRange(arm.average_precision)))];
    if (arm.empty) notes.push(make("p", { class: "small" }, say("empty", arm.empty)));
    if (arm.caution) notes.push(Saying.caution(arm.caution));
    return make("details", number ? {} : { open: "" }, make("summary", {}, arm.arm), make("div", { class: "wide" }, table), ...notes);
  }

  // ---- Pairs ----

  function textOf(list, side) {
    const nodes = fplab.marked(list, side);
    return make("p", { class: "pair-text" }, ...nodes);
  }
  const cut = (text) => (text.length > MOST_SHOWN ? text.slice(0, MOST_SHOWN) : text);
  function pairOf(a, b, distance) {
    const runs = fplab.diff(cut(a.text), cut(b.text)), rest = (one) => (one.text.length > MOST_SHOWN ? [make("span", { class: "small" }, say("pairs.cut", one.text.length))] : []);
    return make("li", {}, make("p", { class: "small" }, ...fplab.shown(a.id), " – ", ...fplab.shown(b.id), ", " + say("pairs.distance", tidy(distance))), textOf(runs, "a"), ...rest(a), textOf(runs, "b"), ...rest(b));
  }
  async function showPairs(arm, number, threshold, cell) {
    const answer = await corpusLab.ask({ op: "pairs", arm: number, cell, threshold, most: MOST_PAIRS }, "pairs");
    if (!answer) return;
    if (answer.error) { fill(place, Saying.problem(answer)); return; }
    const { a, b, distance } = answer.pairs, title = say("pairs.of", arm.arm, say(cell), answer.count, tidy(threshold));
    const items = a.map((_, i) => pairOf(found.corpus.documents[a[i]], found.corpus.documents[b[i]], distance[i]));
    const heading = make("h3", { tabindex: "-1" }, title);
    fill(place, heading, answer.count === 0 ? make("p", {}, say("pairs.none")) : make("ol", { class: "pairs" }, ...items), answer.count > items.length ? make("p", { class: "small" }, say("pairs.some", items.length)) : "");
    heading.focus();
  }

  // ---- Curves ----

  const WIDE = 460, TALL = 300, LEFT = 58, RIGHT = 448, TOP = 12, BOTTOM = 256;
  function frame(label, ticksX, ticksY, nameX, nameY) {
    const svg = draw("svg", { viewBox: "0 0 " + WIDE + " " + TALL, role: "img", "aria-label": label });
    for (const [at, text] of ticksX) svg.append(draw("line", { class: "grid", x1: at, x2: at, y1: TOP, y2: BOTTOM }), draw("text", { x: at, y: BOTTOM + 16, "text-anchor": "middle" }, text));
    for (const [at, text] of ticksY) svg.append(draw("line", { class: "grid", x1: LEFT, x2: RIGHT, y1: at, y2: at }), draw("text", { x: LEFT - 5, y: at + 4, "text-anchor": "end" }, text));
    svg.append(draw("text", { x: (LEFT + RIGHT) / 2, y: TALL - 8, "text-anchor": "middle" }, nameX), draw("text", { x: 11, y: (TOP + BOTTOM) / 2, "text-anchor": "middle", transform: "rotate(-90 11 " + (TOP + BOTTOM) / 2 + ")" }, nameY));
    return svg;
  }
  const QUARTERS = [0, 0.25, 0.5, 0.75, 1];
  const across = (value) => LEFT + value * (RIGHT - LEFT), up = (value) => BOTTOM - value * (BOTTOM - TOP);
  const keyOf = (i, text) => make("span", { class: "legend" }, make("span", { class: "key k" + (i % 8) }, String(i + 1)), " " + text + " ");

  function precisionRecall({ arms, positives }) {
    const svg = frame(say("curve.pr"), QUARTERS.map((value) => [across(value), String(value)]), QUARTERS.map((value) => [up(value), String(value)]), say("recall"), say("precision"));
    arms.forEach(({ curve }, i) => {
      const points = curve.tp.map((tp, k) => [tp / positives, tp + curve.fp[k] ? tp / (tp + curve.fp[k]) : null]).filter((point) => point[1] !== null);
      svg.append(draw("path", { class: "curve s" + (i % 8), d: points.map(([recall, precision], k) => (k ? "L" : "M") + across(recall).toFixed(1) + " " + up(precision).toFixed(1)).join("") }));
      const at = points[Math.min(points.length - 1, Math.floor((points.length * (i + 1)) / (arms.length + 1)))];
      if (at) svg.append(draw("circle", { class: "dot f" + (i % 8), cx: across(at[0]), cy: up(at[1]), r: 8 }), draw("text", { class: "dot-name", x: across(at[0]), y: up(at[1]) + 4, "text-anchor": "middle" }, String(i + 1)));
    });
    return make("figure", {}, svg, make("figcaption", {}, say("curve.pr") + say("colon"), ...arms.map((arm, i) => keyOf(i, arm.arm))));
  }

  // 32 bins over the whole scale, or one per integer distance if there are fewer.
  function binned(arm) {
    const bins = arm.integral && arm.maximum < 64 ? arm.maximum + 1 : 33, of = (d) => Math.min(bins - 1, Math.floor((d / arm.maximum) * (bins - 1) + 1e-9));
    const made = { positives: new Array(bins).fill(0), negatives: new Array(bins).fill(0) };
    arm.histogram.distance.forEach((d, i) => { for (const kind of ["positives", "negatives"]) made[kind][of(d)] += arm.histogram[kind][i]; });
    return { bins, ...made };
  }
  function histogram(arm) {
    const { bins, positives, negatives } = binned(arm), total = (list) => list.reduce((sum, n) => sum + n, 0) || 1;
    const shares = [positives, negatives].map((list) => list.map((n) => n / total(list))), top = Math.max(...shares.flat(), 0.01);
    const ticks = [0, 0.5, 1].map((part) => [across(part), tidy(part * arm.maximum, 0)]);
    const svg = frame(say("curve.histogram", arm.arm), ticks, [0, 0.5, 1].map((part) => [up(part), (part * top * 100).toFixed(0) + " %"]), say("distance") + " (" + scaleOf(arm.scale) + ")", say("curve.pairs"));
    const wide = (RIGHT - LEFT) / bins / 2;
    shares.forEach((list, kind) => list.forEach((value, i) => {
      if (value) svg.append(draw("rect", { class: kind ? "negative" : "positive", x: (LEFT + (2 * i + kind) * wide).toFixed(1), y: up(value / top).toFixed(1), width: (wide * 0.92).toFixed(2), height: (BOTTOM - up(value / top)).toFixed(1) }));
    }));
    return make("figure", {}, svg, make("figcaption", {}, arm.arm + ": ", make("span", { class: "swatch positive" }), say("curve.duplicates") + " ", make("span", { class: "swatch negative" }), say("curve.others")));
  }

  function show(to, results) {
    found = results;
    place = make("div", { id: "pairs" }, make("p", { class: "small" }, say("pairs.place")));
    const { answer } = results, failed = answer.failed.map((one) => make("div", {}, make("p", {}, say("failed", one.arm)), Saying.problem(one)));
    fill(to, make("h3", {}, say("results")), make("p", { class: "small" }, say("results.how")), failed, answer.arms.map(tableFor), place,
      answer.arms.length ? make("div", { class: "plots" }, precisionRecall(answer), ...answer.arms.map(histogram)) : "");
  }
  return { show };
})();
