// SPDX-License-Identifier: GPL-3.0-or-later
// The interactive part of the report: its words, and the elements that the other parts of the script fill. First of five
// concatenated parts.
const { make, draw, shown, diff, marked } = fplab;
const root = document.documentElement;
const place = document.getElementById("data");
const data = place ? JSON.parse(place.textContent) : { arms: [], corpora: [] };
const buttons = [...document.querySelectorAll("[data-language]")];
const byId = (id) => document.getElementById(id);

// ---- Words: English, Chinese ----

const WORDS = {
  // The board.
  how: ["A pair is called a duplicate when its distance is at most the threshold. Arrow keys move the slider, too.", "距离不超过阈值的文本对判为重复。滑块也可用方向键移动。"],
  rules: ["How the threshold is set", "如何确定阈值"],
  rule_best: ["Each arm at its best F1: the answer", "每个方案各取 F1 最大的阈值：即结论"],
  rule_one: ["All arms at one threshold, set by the slider", "所有方案用同一阈值，由滑块设定"],
  rule_cost: ["Each arm at its cheapest threshold, where a missed duplicate costs as much as {0} false positives", "每个方案各取代价最小的阈值：漏判一对的代价相当于误判 {0} 对"],
  rule_precision: ["Each arm at its largest threshold with a precision of at least {0}", "每个方案各取精确率不低于 {0} 的最大阈值"],
  rule_estimate: ["by the estimate, not by the lower limit of its interval", "按估计值，而不按区间下限"],
  arms_shown: ["Arms shown", "显示的方案"],
  kinds: ["Kinds counted", "计入的类型"],
  lengths: ["Lengths counted: characters of the shorter text", "计入的长度：较短文本的字符数"],
  slider: ["Threshold", "阈值"],
  to_answer: ["Go to the answer", "回到结论"],
  counts: ["Counts and figures at the threshold; select a count to list its pairs", "该阈值下的计数与指标；点击计数可查看相应的文本对"],
  curves: ["Curves; the point is the threshold", "曲线；圆点为当前阈值"],
  bars: ["Distances: duplicates above, others below, each on its own scale; the line is the threshold", "距离分布：上方为重复，下方为非重复，各用自己的比例尺；竖线为阈值"],
  // Tables, pairs and curves.
  tp: ["TP", "TP"],
  fp: ["FP", "FP"],
  fn: ["FN", "FN"],
  tn: ["TN", "TN"],
  tp_long: ["true positives: duplicates that are called", "判对：判为重复，确为重复"],
  fp_long: ["false positives: called duplicates, but are not", "误判：判为重复，实非重复"],
  fn_long: ["missed: duplicates that are not called", "漏判：未判为重复，实为重复"],
  tn_long: ["true negatives: others that are not called", "判对：未判为重复，也非重复"],
  corpus: ["corpus", "语料"],
  arm: ["arm", "方案"],
  scale: ["scale", "尺度"],
  precision: ["precision", "精确率"],
  recall: ["recall", "召回率"],
  distance: ["distance", "距离"],
  f1: ["F1", "F1"],
  threshold: ["threshold", "阈值"],
  own: ["each its own", "各取其值"],
  nothing: ["none", "无"],
  duplicates: ["duplicates", "重复"],
  others: ["others", "非重复"],
  false_rate: ["share of the others that are called", "非重复中被误判的比例"],
  curve_pr: ["Precision against recall", "精确率与召回率"],
  curve_roc: ["ROC: recall against the share of the others that are called; dashed: chance", "ROC：召回率与误判比例；虚线为随机"],
  curve_f1: ["F1 against the threshold", "F1 与阈值"],
  bytes: ["bytes a document", "每篇字节数"],
  seconds: ["seconds for all sketches", "计算全部指纹的秒数"],
  quality: ["average precision", "平均精确率"],
  quality_bytes: ["Average precision against bytes a document; short dotted lines: the bound, what independent bits or slots could do", "平均精确率与每篇字节数；短虚线为界，即相互独立的位或槽所能达到的水平"],
  quality_seconds: ["Average precision against the time of all sketches", "平均精确率与计算指纹的时间"],
  derived: ["≈ computed from the counts; beyond the tabulated thresholds there are no intervals.", "≈ 由计数算出；列出的阈值之外没有区间。"],
  selected: ["≈ recounted for the ticked kinds and lengths, without intervals.", "≈ 按勾选的类型和长度重新计数，没有区间。"],
  open: ["{0}: {1}, {2}; list the pairs", "{0}：{1}，{2}；列出文本对"],
  cells: ["which pairs", "哪些文本对"],
  pairs_of: ["{0} at threshold {1}", "{0}，阈值 {1}"],
  close: ["Close", "关闭"],
  whole: ["{0} pairs, clearest first.", "共 {0} 对，最明确的在前。"],
  sampled: ["The page holds {0} of {1} pairs, sampled at random, in equal numbers from every distance; {2} of them are listed here, clearest first.", "本页收有全部 {1} 对中的 {0} 对，从每个距离随机抽取同样多；其中 {2} 对列在这里，最明确的在前。"],
  marks: [" Text that only one side has is marked.", " 只在一方出现的文字有标记。"],
  others_say: ["others: {0}", "其他方案：{0}"],
  comma: [", ", "、"],
  cut: ["The first {0} of {1} characters.", "前 {0} 个字符，共 {1} 个。"],
  more: ["Show {0} more of {1}", "再显示 {0} 对（尚有 {1} 对）"],
};
const chinese = () => (buttons.length ? root.dataset.show === "zh" : root.lang.startsWith("zh"));
const inLanguage = (texts) => texts[chinese() ? 1 : 0];
const word = (name, ...values) => inLanguage(WORDS[name]).replace(/\{(\d)\}/g, (whole, i) => (i < values.length ? values[i] : whole));

// Part of a word, before or after its {0}, as nodes that stay: of a page in both languages the style shows one.
function said(name, part = 0) {
  const [en, zh] = WORDS[name].map((text) => text.split("{0}")[part]);
  return buttons.length && en !== zh ? [make("span", { class: "en", lang: "en" }, en), make("span", { class: "zh", lang: "zh-CN" }, zh)] : [inLanguage([en, zh])];
}

// ---- The board ----

const input = (type, attributes) => make("input", { type, ...attributes });
const label = (...children) => [make("label", {}, ...children), "\n"];

function rules() {
  const choice = (value, ...rest) => label(input("radio", { name: "rule", value, ...(value === "best" ? { checked: "" } : {}) }), " ", ...said("rule_" + value), ...rest);
  const number = (value, attributes) => [" ", input("number", attributes), " ", ...said("rule_" + value, 1)];
  return make("fieldset", { class: "rules" }, make("legend", {}, ...said("rules")), "\n", ...choice("best"), ...choice("one"),
    ...choice("cost", ...number("cost", { id: "ratio", min: 0.001, max: 1000000, step: "any", value: 1, "aria-label": "missed : wrong" })),
    ...choice("precision", ...number("precision", { id: "wanted", min: 0, max: 1, step: 0.01, value: 0.95, "aria-label": "precision" })),
    ...label(input("checkbox", { id: "estimate" }), " ", ...said("rule_estimate")));
}
function armBoxes() {
  const names = new Map(data.arms.map((arm) => [arm.number, arm.arm]));
  const box = ([number, name]) => label(input("checkbox", { checked: "", "data-box": number }), " ", make("span", { class: "key k" + (number % 8) }, number + 1), " " + name);
  return make("fieldset", { class: "arms" }, make("legend", {}, ...said("arms_shown")), "\n", ...[...names].sort(([a], [b]) => a - b).flatMap(box));
}
// Filled if pairs are there and there are several kinds or lengths.
const partBoxes = (what) => make("fieldset", { class: "arms", id: what + "-boxes", hidden: "" }, make("legend", {}, ...said(what + "s")));
function putBoard(board) {
  const slide = make("div", { class: "slider" }, make("label", { for: "threshold" }, ...said("slider")), " ", input("range", { id: "threshold", min: 0, max: 64, step: 1, value: 10 }), " ",
    make("output", { id: "shown", for: "threshold" }, "10"), " ", make("button", { type: "button", id: "to-answer" }, ...said("to_answer")));
  board.append(make("p", {}, ...said("how")), rules(), armBoxes(), partBoxes("kind"), partBoxes("length"), slide, make("h3", { id: "counts-title" }, ...said("counts")),
    make("div", { class: "wide", role: "group", tabindex: 0, "aria-labelledby": "counts-title" }, make("div", { id: "counts" })),
    make("p", { id: "derived", class: "small" }), make("p", { id: "spoken", class: "unseen", role: "status" }), make("div", { id: "lacks" }), make("div", { id: "pairs", hidden: "" }),
    make("h3", {}, ...said("curves")), make("div", { id: "curves", class: "plots" }), make("h3", {}, ...said("bars")), make("div", { id: "bars", class: "plots" }));
  board.normalize(); // letters are spaced within a node
}
if (byId("board")) putBoard(byId("board"));
const slider = byId("threshold");
