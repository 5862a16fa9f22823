// SPDX-License-Identifier: GPL-3.0-or-later
// SimHash in five steps. Words of the article's examples have the article's hashes (the English versions have English words);
// other words have the lab's.
const simhashStep = (() => {
  const STAGES = 5;
  const given = (rows) => rows.map(([term, weight, hash]) => ({ term, weight, hash }));
  const examplesOf = inBoth({
    six: { bits: 6, words: given([["America", 4, "100101"], ["Area 51", 5, "101011"]]) },
    eight: { bits: 8, words: given([["tickets", 5, "10011100"], ["server", 4, "01110101"], ["fault", 4, "00110011"], ["trains", 4, "11001010"]]), out: ["fault", "trains"] },
    sentence: { text: "Area 51 staff say the base holds nine flying saucers, and have seen grey aliens", levels: { area: 4, 51: 5, staff: 3, base: 2, nine: 3, flying: 4, saucers: 5, seen: 3, grey: 4, aliens: 5 } },
    own: { text: "" },
  }, {
    six: { bits: 6, words: given([["美国", 4, "100101"], ["51区", 5, "101011"]]) },
    eight: { bits: 8, words: given([["12306", 5, "10011100"], ["服务器", 4, "01110101"], ["故障", 4, "00110011"], ["车次", 4, "11001010"]]), out: ["故障", "车次"] },
    sentence: { text: "美国“51区”雇员称内部有9架飞碟，曾看见灰色外星人", levels: { 美国: 4, "51区": 5, 雇员: 3, 称: 1, 内部: 2, 有: 1, "9架": 3, 飞碟: 5, 曾: 1, 看见: 3, 灰色: 4, 外星人: 5 } },
    own: { text: "" },
  });
  const state = { example: "six", bits: 16, stage: 1, out: new Set(), weights: new Map(), own: {}, language: null };
  // Resets the state to an example.
  const choose = (name) => Object.assign(state, { example: name, out: new Set(examplesOf()[name].out || []), weights: new Map() });

  // The words of the example with weight and hash. Hashes of the lab are truncated to the width.
  async function wordsOf() {
    const example = examplesOf()[state.example];
    if (example.words) return { bits: example.bits, words: example.words };
    const text = state.example === "own" ? state.own[Words.language()] : example.text, features = await lab.features("simhash:weight=tf", text);
    const words = features.map(({ term, weight, hash }) => ({ term, weight: example.levels ? example.levels[term] || 1 : weight, hash: bitsOfHex(hash).slice(-state.bits) }));
    return { bits: state.bits, words };
  }

  const weigh = (words) => words.map((word) => ({ ...word, weight: state.weights.has(word.term) ? state.weights.get(word.term) : word.weight }));
  const kept = (words) => words.filter((word) => !state.out.has(word.term));
  const vote = (word, place) => (word.hash[place] === "1" ? word.weight : -word.weight);
  // The positions whose bit changes without the word.
  function flips(word, sums, fingerprint) {
    return sums.map((sum, i) => [sum - vote(word, i), i]).filter(([sum, i]) => (sum > 0 ? "1" : "0") !== fingerprint[i]).map(([, i]) => i);
  }

  // ---- The table up to the current stage ----

  const coloured = (value) => make("td", { class: "number vote" + (value > 0 ? " up" : value < 0 ? " down" : "") }, signed(value));
  function weightCell(word, change) {
    const input = make("input", { type: "number", min: 1, max: 9, step: 1, "aria-label": say("simhash.weightof", word.term),
      onchange: () => { const value = Math.max(1, Math.min(9, Math.round(+input.value) || 1)); state.weights.set(word.term, value); change(); } });
    input.value = word.weight;
    return make("td", { class: "number" }, input);
  }
  function wordRow(word, place, change) {
    const out = state.out.has(word.term), { stage } = state;
    const name = button(word.term, () => { if (out) state.out.delete(word.term); else state.out.add(word.term); change(); }, { class: "word k" + (place % 8) + (out ? " out" : ""), "aria-pressed": out ? "false" : "true", "data-word": word.term });
    return make("tr", { class: out ? "out" : null, "data-row": word.term }, make("th", { scope: "row" }, name),
      stage >= 3 ? weightCell(word, change) : null,
      stage >= 2 && stage < 3 ? [...word.hash].map((bit) => make("td", { class: "bit" + (bit === "1" ? " one" : "") }, bit)) : null,
      stage >= 3 ? [...word.hash].map((_, i) => coloured(vote(word, i))) : null);
  }
  function table(words, merged, change) {
    const { stage } = state, bits = words[0].hash.length, places = Array.from({ length: bits }, (_, i) => i);
    const lead = (text) => [make("th", { scope: "row" }, text), stage >= 3 ? make("td", {}) : null];
    return make("div", { class: "wide", role: "region", tabindex: 0, "aria-label": say("simhash.table") }, make("table", { class: "votes" },
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, say("word")), stage >= 3 ? make("th", { scope: "col", class: "number" }, say("weight")) : null,
        stage >= 2 ? places.map((i) => make("th", { scope: "col", class: "number place" }, i + 1)) : null)),
      make("tbody", {}, words.map((word, i) => wordRow(word, i, change))),
      stage >= 4 ? make("tfoot", {}, make("tr", { class: "sums" }, lead(say("simhash.sum")), merged.sums.map(coloured)),
        stage >= 5 ? make("tr", { class: "reduced" }, lead(say("simhash.bit")), [...merged.bits].map((bit) => make("td", { class: "bit" + (bit === "1" ? " one" : "") }, bit))) : null) : null));
  }

  return { STAGES, examplesOf, state, choose, wordsOf, weigh, kept, vote, flips, table };
})();
