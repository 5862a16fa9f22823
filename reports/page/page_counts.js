// SPDX-License-Identifier: GPL-3.0-or-later
// Selection, counts at a threshold, thresholds.
// ---- Selection ----

const hidden = { arm: new Set(), kind: new Set(), length: new Set() };
const filtered = () => hidden.kind.size + hidden.length.size > 0;
const corpusOf = (arm) => data.corpora[arm.of];
// Kinds of the same name are shared by all corpora; lengths are divided per corpus.
const lengthKey = (corpus, length) => data.corpora.indexOf(corpus) + ":" + corpus.lengths[length];
const keeps = (corpus, kind, length) => !hidden.kind.has(corpus.kinds[kind]) && !hidden.length.has(lengthKey(corpus, length));
const several = new Set(data.arms.map((arm) => arm.corpus)).size > 1;
const armsShown = () => data.arms.filter((arm) => !hidden.arm.has(arm.number));

// ---- Counts at a threshold ----

// For every point its distance and the numbers of duplicates and negatives within it: counted in the selected parts, or, if
// the page has no counts for the corpus, computed from the curve.
function countParts(arm) {
  const tp = new Float64Array(arm.points.length), fp = new Float64Array(arm.points.length);
  for (const [kind, length, counts] of arm.cells) {
    if (!keeps(corpusOf(arm), kind, length)) continue;
    for (let i = 0; i < counts.length; i += 3) { fp[counts[i]] += counts[i + 1]; tp[counts[i]] += counts[i + 2]; }
  }
  let positives = 0, negatives = 0;
  const points = arm.points.map((distance, i) => {
    positives += tp[i];
    negatives += fp[i];
    return { distance, tp: positives, fp: negatives };
  });
  return { points, positives, negatives };
}
function countCurve(arm) {
  const points = arm.curve.map(([distance, precision, recall]) => {
    const tp = recall * arm.positives;
    return { distance, tp, fp: precision > 0 ? tp / precision - tp : null };
  });
  return { points, positives: arm.positives, negatives: arm.pairs - arm.positives };
}
const counted = new Map();
function countsOf(arm) {
  if (!counted.has(arm)) counted.set(arm, arm.cells ? countParts(arm) : countCurve(arm));
  return counted.get(arm);
}

function lastWithin(points, threshold, distance) {
  let low = 0, high = points.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (distance(points[middle]) <= threshold) low = middle + 1;
    else high = middle;
  }
  return low ? points[low - 1] : null;
}

// A histogram with one bar per distance gives exact counts.
function isCountable(arm) {
  return !arm.cells && arm.bars.length > 0 && arm.bars.every((bar) => bar[1] - bar[0] === 1) && arm.curve.every((point) => Number.isInteger(point[0]));
}
for (const arm of data.arms) {
  // Without answer.tsv (earlier versions): the row of results.tsv with the largest F1.
  const largest = arm.results.reduce((best, row) => (row[11] !== null && (!best || row[11] > best[11]) ? row : best), null);
  arm.best = arm.answer.length ? arm.answer[0][0] : largest ? largest[0] : 0;
  arm.at = new Map([...arm.results, ...arm.answer].map((row) => [row[0], row]));
  arm.countable = isCountable(arm);
  arm.whole = arm.bars.length > 0 && arm.bars.every((bar) => bar[1] - bar[0] === 1);
}

const tidy = (value) => (value === null ? null : Math.round(value * 1e6) / 1e6);

function within(arm, threshold) {
  if (arm.countable) {
    let tp = 0, fp = 0;
    for (const bar of arm.bars) if (bar[0] <= threshold) { tp += bar[2]; fp += bar[3]; }
    return { tp, fp };
  }
  return lastWithin(countsOf(arm).points, threshold, (point) => point.distance) || { tp: 0, fp: 0 };
}

// The row of results.tsv if there is one and all pairs are selected; else counts and the measures computed from them.
function figuresAt(arm, threshold) {
  const row = filtered() ? null : arm.at.get(threshold);
  if (row) {
    return { tp: row[1], fp: row[2], fn: row[3], tn: row[4], precision: row[5], precisionRange: [row[6], row[7]],
      recall: row[8], recallRange: [row[9], row[10]], f1: row[11], derived: false };
  }
  const { positives, negatives } = countsOf(arm), point = within(arm, threshold), tp = tidy(point.tp), fp = tidy(point.fp);
  const curve = filtered() ? null : lastWithin(arm.curve, threshold, (at) => at[0]);
  const ratio = (part, of) => (of > 0 ? part / of : null);
  return { tp, fp, fn: tidy(positives - tp), tn: fp === null ? null : tidy(negatives - fp),
    precision: curve ? curve[1] : fp === null ? null : ratio(tp, tp + fp), recall: curve ? curve[2] : ratio(tp, positives),
    f1: fp === null || positives === 0 ? null : 2 * tp / (tp + fp + positives), derived: true };
}

// ---- Thresholds ----

const number = (id) => Number(byId(id).value);
const rule = () => document.querySelector("[name=rule]:checked").value;

// The smallest of the thresholds of least cost if a false negative costs as much as `ratio` false positives; −1 predicts none.
function cheapest(arm, ratio) {
  const { points, positives } = countsOf(arm);
  let best = -1, least = ratio * positives;
  for (const point of points) {
    const cost = point.fp === null ? Infinity : ratio * (positives - point.tp) + point.fp;
    if (cost < least * (1 - 1e-12)) { least = cost; best = point.distance; }
  }
  return best;
}
// The largest threshold with at least the wanted precision; −1 if there is none. Unless the estimate is requested, the lower
// limit of its interval must reach it; thresholds without an interval do not count.
function leastStrict(arm, wanted) {
  if (!filtered() && !byId("estimate").checked) {
    const good = arm.results.filter((row) => row[6] !== null && row[6] >= wanted);
    return good.length ? good[good.length - 1][0] : -1;
  }
  if (!filtered() && arm.curve.length) {
    const good = arm.curve.filter((point) => point[1] !== null && point[1] >= wanted);
    return good.length ? good[good.length - 1][0] : -1;
  }
  const good = countsOf(arm).points.filter((point) => point.tp > 0 && point.tp >= wanted * (point.tp + point.fp) * (1 - 1e-12));
  return good.length ? good[good.length - 1].distance : -1;
}
function thresholdOf(arm) {
  if (rule() === "best") return arm.best;
  if (rule() === "cost") return cheapest(arm, number("ratio") > 0 ? number("ratio") : 1);
  if (rule() === "precision") return leastStrict(arm, number("wanted"));
  return Number(slider.value);
}
const spell = (threshold) => (threshold < 0 ? word("nothing") : String(Math.round(threshold * 1e4) / 1e4));
