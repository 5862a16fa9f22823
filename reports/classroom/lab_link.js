// SPDX-License-Identifier: GPL-3.0-or-later
// Requests of the steps to the lab. Every fingerprint, feature and distance of the lesson comes from here.
const lab = (() => {
  let opened = null;
  function open() {
    const able = typeof WebAssembly !== "undefined" && typeof DecompressionStream !== "undefined";
    if (!opened) opened = able ? Lab.open(document.getElementById("lab").textContent) : Promise.reject(new Error(say("lab.old")));
    return opened;
  }
  const good = (answer) => {
    if (answer.error) throw new Error(answer.error);
    return answer;
  };
  const ask = async (request) => good(await (await open()).call(request));
  // { term: […], hash: […] } → [{ term, hash }…].
  const rowsOf = (columns) => columns.term.map((_, i) => Object.fromEntries(Object.entries(columns).map(([name, list]) => [name, list[i]])));
  const stepCalled = (steps, begin) => steps.find((step) => step.title.startsWith(begin));

  // Assigns initials to the characters of a text: every Han character has one, in order.
  function signsOf({ normalised, initials }) {
    const letters = [...initials], signs = [...normalised];
    const whole = signs.filter((sign) => /\p{Script=Han}/u.test(sign)).length === letters.length;
    return signs.filter((sign) => sign.trim()).map((text) => ({ text, initial: whole && /\p{Script=Han}/u.test(text) ? letters.shift() : "" }));
  }

  return {
    open,
    // [{ term, weight, hash: 16 hexadecimal digits, … }] in the order of the text.
    features: async (arm, text) => rowsOf((await ask({ op: "features", arm, text })).features),
    // [arm][text] → { fingerprint, bits }, of 64 bits.
    fingerprints: async (arms, texts) => (await ask({ op: "fingerprint", arms, texts })).arms.map(good).map((row) => row.texts.map((one) => ({ ...one, bits: bitsOfHex(one.fingerprint) }))),
    // [arm] → { distance, maximum, similarity, … }.
    compare: async (arms, a, b) => (await ask({ op: "compare", arms, a, b })).arms.map(good),
    // SimHash of words with given hashes (strings of 0 and 1) and weights: { sums, bits }.
    async merge(bits, words) {
      const features = { term: words.map((word) => word.term), weight: words.map((word) => word.weight), hash: words.map((word) => BigInt("0b" + word.hash).toString(16).padStart(16, "0")) };
      const { steps } = await ask({ op: "explain", arm: "simhash:bits=" + bits, features });
      return { sums: stepCalled(steps, "4.").rows[0][0].split(" ").map(Number), bits: stepCalled(steps, "5.").rows[0][0] };
    },
    // The pinyin fingerprint: { signs: [{ text, initial }], letters: [{ letter, count, frequency, reference, level }], value }.
    async initials(arm, text) {
      const [told, { steps }] = await Promise.all([ask({ op: "features", arm, text }), ask({ op: "explain", arm, text })]);
      const table = stepCalled(steps, "2-4."), at = Object.fromEntries(table.columns.map((name, i) => [name, i]));
      return { signs: signsOf(told), value: stepCalled(steps, "5.").lines[0],
        letters: table.rows.map((row) => ({ letter: row[at.letter], count: +row[at.count], frequency: +row[at.frequency], reference: +row[at.reference], level: row[at.level] })) };
    },
    // A text corrupted at a rate: { text, sites, changes, edits: [[start, end]…] in the new text }.
    async corrupt(kind, rate, seed, text) {
      const made = await ask({ op: "corrupt", kind, rate, seed, text });
      return { ...made, edits: made.edits.start.map((start, i) => [start, made.edits.end[i]]) };
    },
    // [threshold] → { threshold, tp, fp, fn, tn, precision, recall, f1 }; the last three are [value, low, high].
    async counts(arm, { documents, pairs }, most) {
      const thresholds = Array.from({ length: most + 1 }, (_, i) => i);
      const answer = await ask({ op: "evaluate", arms: [arm], documents, pairs, thresholds, replicates: 200 });
      answer.failed.map(good);
      return answer.arms[0].rows;
    },
  };
})();

// ---- Bits ----

// "5e17…" → "0101…".
const bitsOfHex = (hex) => [...hex].map((digit) => parseInt(digit, 16).toString(2).padStart(4, "0")).join("");
const differing = (a, b) => [...a].reduce((list, bit, i) => (bit === b[i] ? list : [...list, i]), []);
