// SPDX-License-Identifier: GPL-3.0-or-later
// The pupil's own experiment: changes a share of the text in a chosen way and shows the distance of every algorithm.
{
  const ARMS = [["simhash:features=chars:3", "SimHash"], ["minhash:features=chars:3", "MinHash"], ["jaccard:features=chars:3", "Jaccard"], ["cosine", "cosine"], ["pinyin", "pinyin"], ["winnowing", "winnowing"], ["sentences", "sentences"]];
  const SHARES = [0, 2, 5, 10, 15, 20, 30, 40, 60, 80, 100], REPEATS = 3;
  const stateOf = inBoth({ text: null, share: 10, seed: 0, kind: "substitute" }, { text: null, share: 10, seed: 0, kind: "substitute" });

  const kindsOf = inBoth(["substitute", "homophone", "delete", "transpose", "words", "sentences"], ["substitute", "homophone", "lookalike", "delete", "transpose", "words", "sentences"]);
  // The lab has homophones of Han characters; other texts use the page's list of English words.
  function corrupted(share, repeat) {
    const { kind, seed, text } = stateOf(), from = 1000 * seed + repeat;
    return kind === "homophone" && !/\p{Script=Han}/u.test(text) ? soundAlikes(share / 100, from, text) : lab.corrupt(kind, share / 100, from, text);
  }

  // The text with its changes marked.
  function marked({ text, edits }) {
    let at = 0;
    const parts = edits.flatMap(([start, end]) => {
      const before = text.slice(at, start);
      at = end;
      return [before, start < end ? make("mark", {}, text.slice(start, end)) : make("mark", { class: "gone" }, "‸")];
    });
    return [...parts, text.slice(at)];
  }

  // [arm][share] → mean distance as a share of the largest distance.
  async function measured() {
    const state = stateOf(), sums = ARMS.map(() => SHARES.map(() => 0));
    for (let at = 0; at < SHARES.length; at++)
      for (let repeat = 0; repeat < REPEATS; repeat++) {
        const rows = await lab.compare(ARMS.map(([arm]) => arm), state.text, (await corrupted(SHARES[at], repeat)).text);
        rows.forEach((row, arm) => { sums[arm][at] += row.evidence ? row.distance / row.maximum / REPEATS : NaN; });
      }
    return sums;
  }

  async function curves(place) {
    const state = stateOf();
    if (!state.text.trim()) return make("p", {}, say("no.words"));
    const sums = await measured(), seen = ARMS.map((_, arm) => arm).filter((arm) => !Number.isNaN(sums[arm][0])); // pinyin reads only Han characters
    const on = chart(place, { label: say("experiment.chart"), x: { from: 0, to: 100, ticks: [0, 20, 40, 60, 80, 100], label: say("experiment.axis"), shown: (value) => value + "%" }, y: { from: 0, to: 1, ticks: [0, 0.25, 0.5, 0.75, 1], label: say("experiment.distance"), shown: (value) => percent(value) }, height: 18, most: 50 });
    for (const arm of seen) {
      const points = sums[arm].map((value, i) => [SHARES[i], value]).filter(([, value]) => !Number.isNaN(value));
      addCurve(on, points, "k" + arm);
      for (const [share, value] of points) addDot(on, share, value, "k" + arm, ARMS[arm][1] + " " + percent(value));
    }
    addUpright(on, state.share, "mark");
    return [on.svg, legend(seen.map((arm) => ["k" + arm, say("experiment." + ARMS[arm][1].toLowerCase()), true]))];
  }

  async function here() {
    const state = stateOf(), made = await corrupted(state.share, 0), rows = await lab.compare(ARMS.map(([arm]) => arm), state.text, made.text);
    return [
      make("p", { class: "quoted" }, marked(made)),
      figures(figureOf("changes", grouped(made.changes), say("experiment.changes", grouped(made.sites)))),
      tableOf(say("experiment.table", state.share), [say("algorithm"), say("distance"), say("of.most"), say("similarity")], rows.map((row, arm) => [say("experiment." + ARMS[arm][1].toLowerCase()),
        make("span", { "data-figure": "experiment-" + arm }, !row.evidence ? "–" : Number.isInteger(row.distance) ? row.distance : decimals(row.distance, 1)), row.maximum, row.similarity === null ? "–" : decimals(row.similarity, 3)])),
    ];
  }

  addStep("experiment", 2, 3, true, (board) => {
    const state = stateOf();
    if (state.text === null) state.text = say("experiment.sample");
    const place = make("div", { class: "waits result" }), below = make("div", { class: "waits result" }), fill = filling(place), fillBelow = filling(below);
    const near = () => fillBelow(here), all = () => { fill(() => curves(place)); near(); };
    let waiting = 0;
    board.append(choice(say("experiment.kind"), kindsOf().map((kind) => [kind, say("experiment.kind." + kind)]), state.kind, (kind) => { state.kind = kind; all(); }),
      textBox(say("experiment.box"), state.text, (text) => { state.text = text; clearTimeout(waiting); waiting = setTimeout(all, 300); }, { rows: 4, most: 5000 }),
      slider(say("experiment.slider"), { min: 0, max: 100, value: state.share }, (share) => { state.share = share; clearTimeout(waiting); waiting = setTimeout(all, 150); near(); }, (share) => share + "%"),
      buttons(button(say("experiment.seed"), () => { state.seed++; all(); }, { "data-press": "seed" })), make("p", { class: "small" }, say("experiment.how")), place, below);
    all();
  });
}
