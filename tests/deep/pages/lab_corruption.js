// SPDX-License-Identifier: GPL-3.0-or-later
// lab_corruption.js MODULE ANSWERS DOCUMENTS KIND… - the module changes texts as the program's own build does: every kind of corruption, at
// several rates, on the texts of DOCUMENTS, on many scripts, and on every code point. ANSWERS is build/tests/deep/pages/lab_answers.
"use strict";
const fs = require("fs"), path = require("path"), { execFileSync } = require("child_process");
const Lab = require(path.join(__dirname, "../../../reports/lab/lab.js"));
const [modulePath, answers, documents, ...kinds] = process.argv.slice(2);

const texts = fs.readFileSync(documents, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line).text);
texts.push("", " ", "a", "Straße ẞ, naïve façade: 3,141.59 ١٢٣ १२३ ０１２!", "👩‍👩‍👧‍👦🏳️‍🌈👍🏽 e\u0301\u0323 각\u1100\u1161\u11a8 नमस्ते क्षि", "Ελληνικά ΣΊΣΥΦΟΣ Привет; Ёж? שָׁלוֹם مرحبا", "台灣與後面的頭髮。銀行行長行不行？");
for (let code = 0; code < 0x30000; code += 64) texts.push(String.fromCodePoint(...Array.from({ length: 64 }, (_, i) => (code + i >= 0xd800 && code + i < 0xe000 ? 0x61 : code + i)), 0x200d, 0x1f44d));
// Lists in simplified characters are converted for such a text, and the page has no dictionaries for that.
const REFUSED = 'texts are not converted between scripts in the page';
const requests = [];
for (const kind of kinds) texts.forEach((text, copy) => requests.push(Lab.write({ op: "corrupt", kind, rate: [0.02, 0.3, 1][copy % 3], seed: 7, copy, text })));

async function main() {
  const call = await Lab.engine().start(new WebAssembly.Module(fs.readFileSync(modulePath)));
  const there = execFileSync(answers, [], { input: requests.join("\n") + "\n", maxBuffer: 1 << 30 }).toString().trim().split("\n");
  let wrong = 0, changed = 0, refused = 0;
  requests.forEach((request, i) => {
    const here = JSON.stringify(JSON.parse(call(request)));
    if (JSON.parse(here).error === REFUSED) { refused++; return; }
    if (here !== JSON.stringify(JSON.parse(there[i])) && ++wrong < 5) console.log("FAIL: " + request.slice(0, 200) + ": " + here.slice(0, 200) + ", the program: " + there[i].slice(0, 200));
    changed += JSON.parse(there[i]).changes > 0;
  });
  console.log(requests.length + " requests, " + changed + " texts changed, " + refused + " in traditional characters refused, " + wrong + " that differ");
  process.exitCode = wrong || there.length !== requests.length || changed < requests.length / 3 || refused > requests.length / 100 ? 1 : 0;
}
main().catch((error) => { console.log("FAIL: " + error.message); process.exitCode = 1; });
