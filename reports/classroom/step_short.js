// SPDX-License-Identifier: GPL-3.0-or-later
// Why short texts fail: the same small edit in a text whose length a slider sets.
{
  const LENGTHS = [20, 40, 60, 80, 100, 150, 200, 250, 300, 400, 500, 600, 800, 1000], EDITS = 15, CHANGED = 3;
  const stateOf = inBoth({ length: 60, story: null, found: null }, { length: 60, story: null, found: null });
  const lettersOf = inBoth({ space: " ", letter: /\p{L}/u }, { space: "", letter: /\p{Script=Han}/u });

  // The longest original news text, as one line. Not a copy: copies have site lines.
  async function story() {
    const state = stateOf();
    if (!state.story) state.story = [...(await newswire()).documents.filter((document) => document.version === "original").reduce((longest, document) => (document.text.length > longest.length ? document.text : longest), "").replace(/\s+/g, lettersOf().space)];
    return state.story;
  }
  // Replaces three consecutive characters by others of the story: an edit of the same size at every length.
  function edited(signs, length, number) {
    const draws = drawsFrom(100 * length + number), { letter, space } = lettersOf(), copy = signs.slice(0, length);
    let at = draws.below(length - CHANGED + 1);
    while (space && !copy.slice(at, at + CHANGED).every((sign) => letter.test(sign))) at = draws.below(length - CHANGED + 1); // within a word, if spaces separate words
    for (let i = at; i < at + CHANGED; i++) {
      do copy[i] = signs[draws.below(signs.length)]; while (copy[i] === signs[i] || !letter.test(copy[i]));
    }
    return { text: copy.join(""), at };
  }
  async function distances() {
    const state = stateOf();
    if (state.found) return state.found;
    const signs = await story(), edits = LENGTHS.map((length) => Array.from({ length: EDITS }, (_, i) => edited(signs, length, i).text));
    const texts = LENGTHS.flatMap((length, i) => [signs.slice(0, length).join(""), ...edits[i]]), [prints] = await lab.fingerprints(["simhash"], texts);
    state.found = LENGTHS.map((length, i) => {
      const [original, ...others] = prints.slice(i * (EDITS + 1), (i + 1) * (EDITS + 1));
      return { length, each: others.map((other) => differing(original.bits, other.bits).length) };
    });
    return state.found;
  }
  const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;

  async function shown(place) {
    const state = stateOf(), [rows, signs] = [await distances(), await story()], most = Math.ceil(Math.max(...rows.flatMap((row) => row.each)) / 5) * 5;
    const on = chart(place, { label: say("short.chart"), x: { from: 0, to: 1000, ticks: [0, 100, 300, 500, 1000], label: say("short.axis") }, y: { from: 0, to: most, ticks: Array.from({ length: most / 5 + 1 }, (_, i) => 5 * i), label: say("short.bits") }, most: 46 });
    addCurve(on, [[0, 3], [1000, 3]], "k2");
    addCurve(on, rows.map((row) => [row.length, mean(row.each)]), "k1");
    for (const row of rows) for (const value of row.each) addDot(on, row.length, value, row.length === state.length ? "k0" : "faint");
    addUpright(on, state.length, "mark");
    const row = rows.find((one) => one.length === state.length), example = edited(signs, state.length, 0), text = [...example.text];
    return [
      on.svg, legend([["k1", say("short.mean", EDITS)], ["k2", say("short.three")]]),
      figures(figureOf("short-mean", decimals(mean(row.each), 1), say("short.meanhere", state.length)), figureOf("short-within", row.each.filter((value) => value <= 3).length + "/" + EDITS, say("short.within"))),
      make("p", { class: "quoted", lang: textLanguage() }, text.slice(0, example.at).join(""), make("mark", {}, text.slice(example.at, example.at + CHANGED).join("")), text.slice(example.at + CHANGED).join("")),
    ];
  }

  addStep("short", 2, 2, true, (board) => {
    const state = stateOf(), place = make("div", { class: "waits result" }), fill = filling(place), refresh = () => fill(() => shown(place));
    board.append(slider(say("short.slider"), { min: 0, max: LENGTHS.length - 1, value: LENGTHS.indexOf(state.length) }, (i) => { state.length = LENGTHS[i]; refresh(); }, (i) => String(LENGTHS[i])), place);
    refresh();
  });
}
