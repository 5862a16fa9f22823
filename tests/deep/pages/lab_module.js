// SPDX-License-Identifier: GPL-3.0-or-later
// lab_module.js MODULE PROGRAM DOCUMENTS - the module gives the program's own bytes: 2,000 texts under every algorithm and many choices
// of features, and every code point of Unicode alone and among marks. Texts are made here from pieces of DOCUMENTS and a seed.
"use strict";
const fs = require("fs"), path = require("path"), { execFileSync } = require("child_process");
const Lab = require(path.join(__dirname, "../../../reports/lab/lab.js"));
const [modulePath, program, documents] = process.argv.slice(2);

// ---- Texts ----

// xorshift32 (Marsaglia 2003): the same texts in every run.
let state = 2463534242;
function below(n) {
  state ^= state << 13; state ^= state >>> 17; state ^= state << 5;
  return (state >>> 0) % n;
}
const pick = (list) => list[below(list.length)];

const articles = fs.readFileSync(documents, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line).text.replace(/[\r\n]/g, " "));
const FOREIGN = ["The quick brown fox", "naïve façade", "Straße ẞ ſ", "ﬁne ﬂow", "Ελληνικά Σίσυφος", "Привет Ёж", "שָׁלוֹם", "مرحبا ﷺ", "नमस्ते क्षि", "ไทยทดสอบ",
  "ひらがな カタカナ ｶﾞｷﾞ", "한국어 각", "각", "Việt Nam", "①②Ⅷ㌔㍿", "𝔘𝔫𝔦", "ＡＢＣ１２３", "台灣與後面的頭髮", "乾隆皇帝 乾燥 幹部", "51区 9架 3.14",
  "二〇〇八年", "一九九○年", "二○○八", "⻄部⻝品", "l'été d’où 3μm", "צה\"ל", "ภาษาไทย", "x\u0302y",
  "㐀㐁𠀀𪚥𫝀", "豈更車", "👩‍👩‍👧‍👦🏳️‍🌈👍🏽", "e\u0301\u0323o\u0308\u0304", "a\u200db\u00adc\ufeff", "\u202eabc\u202c", "。！？；…——“”", "=1+1 <script>&amp;"];
const HALVES = ["\ud800", "\udc00", "\ud83d", "x\udfffy", "\ud83d\ud83d\ude00"];

function piece() {
  const kind = below(10), article = pick(articles), from = below(article.length);
  if (kind < 5) return article.slice(from, from + below(60));
  if (kind < 8) return pick(FOREIGN);
  if (kind < 9) return String.fromCodePoint(...Array.from({ length: 1 + below(6) }, () => scalar(below(0x110000))));
  return pick(HALVES);
}
function scalar(code) {
  return (code >= 0xd800 && code < 0xe000) || code === 10 || code === 13 ? 0x4e00 : code;
}
const mixed = ["", " ", "。", "\ud800", "a", "的", ...articles.slice(0, 200), articles.join("").slice(0, 20000)];
while (mixed.length < 2000) mixed.push(Array.from({ length: 1 + below(8) }, piece).join(""));

// Every code point, thirty-two to a text; then each behind a letter and among marks, in stretches short and long.
const all = [];
for (let code = 0; code < 0x110000; code += 32) all.push(String.fromCodePoint(...Array.from({ length: 32 }, (_, i) => scalar(code + i))));
const marks = [];
for (let code = 0; code < 0x110000; code++) if (!(code >= 0xd800 && code < 0xe000) && /\p{M}|\p{Default_Ignorable_Code_Point}/u.test(String.fromCodePoint(code)) && !(code >= 0xe0000)) marks.push(code);
for (let i = 0; i < 20000; i++) {
  const length = 1 + below(i % 100 === 0 ? 2000 : 12);
  all.push(String.fromCodePoint(pick([0x61, 0xe9, 0x4e2d, 0x1100, 0xac00, 0x915, 0x1f44d, scalar(below(0x3000))]), ...Array.from({ length }, () => (below(4) ? pick(marks) : scalar(below(0x20000))))));
}

// ---- Both ----

const bytesOf = (texts) => Buffer.from(texts.map((text) => text.replace(/\p{Surrogate}/gu, "\ufffd")).join("\n") + "\n");

function byProgram(arm, input) {
  const lines = execFileSync(program, ["fingerprint", "--quiet", "--arm", arm], { input, maxBuffer: 1 << 30, stdio: ["pipe", "pipe", "ignore"] }).toString().split("\n");
  return lines.slice(1, -1).map((line) => line.slice(line.indexOf("\t") + 1));
}

function compare(ask, arm, texts, input) {
  const told = ask({ op: "fingerprint", arms: [arm], texts }).arms[0];
  if (told.error) throw new Error(arm + ": " + told.error);
  const here = told.texts.map((text) => text.fingerprint), there = byProgram(arm, input);
  if (here.length !== there.length) throw new Error(arm + ": " + here.length + " fingerprints, and the program has " + there.length);
  const first = here.findIndex((value, i) => value !== there[i]);
  if (first < 0) return 0;
  console.log("FAIL: " + arm + ": text " + (first + 1) + ": " + here[first].slice(0, 80) + ", the program: " + there[first].slice(0, 80) + ": " + JSON.stringify(texts[first]).slice(0, 200));
  return here.filter((value, i) => value !== there[i]).length;
}

// Steps as the program tells them, MD5 and SHA-1 of `exact` among them.
function compareSteps(ask, arm, text) {
  const cells = (rows, columns) => rows.map((row) => columns.map((name, i) => (Array.isArray(row) ? row[i] : row[name])));
  const here = ask({ op: "explain", arm, text }).steps;
  const there = JSON.parse(execFileSync(program, ["explain", arm, "--format", "json", "--text", text], { maxBuffer: 1 << 30, stdio: ["pipe", "pipe", "ignore"] }).toString());
  const same = here.length === there.length && here.every((step, i) => step.title === there[i].title && JSON.stringify(step.lines) === JSON.stringify(there[i].lines) &&
    JSON.stringify(cells(step.rows, step.columns)) === JSON.stringify(cells(there[i].rows, step.columns)));
  if (!same) console.log("FAIL: explain " + arm + " of " + JSON.stringify(text).slice(0, 100));
  return same ? 0 : 1;
}

// The corpus evaluated in the module, beside results.tsv of the program: counts, and measures with their intervals, to 10⁻⁹.
function compareEvaluation(ask, arms, folder) {
  const rows = (name) => fs.readFileSync(path.join(folder, name), "utf8").split("\n").filter(Boolean);
  const told = ask({ op: "evaluate", arms, documents: rows("docs.jsonl").map((line) => JSON.parse(line)).map(({ id, text }) => ({ id, text })),
    pairs: rows("pairs.tsv").map((line) => line.split("\t")).map(([a, b, label]) => [a, b, Number(label)]) });
  const lines = execFileSync(program, ["eval", "-c", folder, "--threshold", "1..10", "--format", "tsv", ...arms.flatMap((arm) => ["-a", arm])], { stdio: ["pipe", "pipe", "ignore"] }).toString().trim().split("\n").map((line) => line.split("\t"));
  const head = lines.shift(), at = (line, name) => (line[head.indexOf(name)] === "NA" ? null : Number(line[head.indexOf(name)]));
  const far = (a, b) => (a === null || b === null ? a !== b : Math.abs(a - b) > 1e-9);
  let wrong = 0;
  for (const line of lines) {
    const arm = told.arms.find((one) => one.arm === line[head.indexOf("arm")]), row = arm.rows.find((one) => one.threshold === at(line, "threshold"));
    const same = ["tp", "fp", "fn", "tn"].every((name) => !far(row[name], at(line, name))) &&
      ["precision", "recall"].every((name) => !far(row[name][0], at(line, name)) && !far(row[name][1], at(line, name + "_low")) && !far(row[name][2], at(line, name + "_high"))) && !far(row.f1[0], at(line, "f1"));
    if (same) continue;
    wrong++;
    console.log("FAIL: " + line.join(" ") + ": the module has " + JSON.stringify(row));
  }
  console.log(lines.length + " rows of results: " + wrong + " that differ");
  return wrong;
}

const FEATURES = ["features=chars:3", "features=chars:2,punctuation=drop,weight=tf", "features=words:2,weight=binary", "features=initials:3", "features=sentences",
  "features=words,weight=tfidf", "features=words,weight=tfidf,idf=builtin", "features=words,weight=levels,idf=builtin,top=20", "features=words,weight=length,stop=shipped",
  "hash=fnv1a", "hash=fnv1a-utf16", "hash=md5", "hash=md5-utf16", "hashseed=7", "han=keep", "hmm=off", "search=on", "join=none", "shortest=2"];

async function main() {
  const call = await Lab.engine().start(new WebAssembly.Module(fs.readFileSync(modulePath)));
  const ask = (request) => {
    const answer = JSON.parse(call(Lab.write(request)));
    if (answer.error) throw new Error(answer.error);
    return answer;
  };
  const { algorithms } = ask({ op: "algorithms" });
  const arms = algorithms.concat(FEATURES.map((spec) => "simhash:" + spec), ["cosine:features=chars:2,weight=logtf", "cosine:weight=tfidf", "jaccard:measure=weighted", "minhash:slots=16,b=2", "minhash:width=64",
    "pinyin:levels=10", "simhash:bits=128", "simhash:center=mean", "hyperplane:bits=256"]);
  let wrong = 0;
  const input = bytesOf(mixed);
  for (const arm of arms) wrong += compare(ask, arm, mixed, input);
  console.log(arms.length + " arms, " + mixed.length + " texts: " + wrong + " fingerprints that differ");
  const allInput = bytesOf(all);
  let folded = 0;
  for (const arm of ["exact", "exact:han=keep", "simhash:features=chars:2,punctuation=drop"]) folded += compare(ask, arm, all, allInput);
  console.log("every code point, " + all.length + " texts: " + folded + " fingerprints that differ");
  let told_otherwise = 0;
  const explained = JSON.parse(execFileSync(program, ["algorithms", "--format", "json"], { stdio: ["pipe", "pipe", "ignore"] })).map((row) => row.algorithm).filter((name) => algorithms.includes(name));
  for (const arm of explained) for (const text of [articles[0].slice(0, 300), "我喜欢看电视，不喜欢看电影。", "Ünïcode ﬁ 𠀀 👍 台灣"]) told_otherwise += compareSteps(ask, arm, text);
  console.log("steps of " + explained.length + " algorithms: " + told_otherwise + " that differ");
  const rows = compareEvaluation(ask, ["simhash", "minhash", "jaccard", "cosine:weight=tfidf", "pinyin", "oracle", "constant"], path.dirname(documents));
  process.exitCode = rows || told_otherwise || wrong || folded ? 1 : 0;
}
main().catch((error) => { console.log("FAIL: " + error.message); process.exitCode = 1; });
