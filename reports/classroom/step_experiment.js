// SPDX-License-Identifier: GPL-3.0-or-later
// An experiment of one's own: a share of the characters is replaced, and every algorithm says how far the text has gone.
{
  const ARMS = [["simhash:features=chars:3", "SimHash"], ["minhash:features=chars:3", "MinHash"], ["jaccard:features=chars:3", "Jaccard"], ["cosine", "cosine"], ["pinyin", "pinyin"], ["winnowing", "winnowing"], ["sentences", "sentences"]];
  const SHARES = [0, 2, 5, 10, 15, 20, 30, 40, 60, 80, 100], REPEATS = 3;
  const state = { text: null, share: 10, seed: 1 };

  // Of the letters and digits, a share becomes others: Han for Han, drawn from the text itself and a list, letters for letters.
  const HAN = [..."的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经"];
  const LATIN = [..."abcdefghijklmnopqrstuvwxyz"];
  function corrupted(text, share, seed) {
    const signs = [...text], places = signs.map((sign, i) => (/[\p{L}\p{N}]/u.test(sign) ? i : -1)).filter((i) => i >= 0), draws = drawsFrom(seed);
    const chosen = new Set(shuffled(places, draws).slice(0, Math.round((share / 100) * places.length)));
    return signs.map((sign, i) => {
      if (!chosen.has(i)) return { text: sign };
      const from = /\p{Script=Han}/u.test(sign) ? HAN : LATIN;
      let other;
      do other = from[draws.below(from.length)]; while (other === sign);
      return { text: other, changed: true };
    });
  }
  const plain = (signs) => signs.map((sign) => sign.text).join("");

  // [arm][share] → the mean share of the largest distance.
  async function measured() {
    const sums = ARMS.map(() => SHARES.map(() => 0));
    for (let at = 0; at < SHARES.length; at++)
      for (let repeat = 0; repeat < REPEATS; repeat++) {
        const rows = await lab.compare(ARMS.map(([arm]) => arm), state.text, plain(corrupted(state.text, SHARES[at], state.seed * 1000 + repeat)));
        rows.forEach((row, arm) => { sums[arm][at] += row.evidence ? row.distance / row.maximum / REPEATS : NaN; });
      }
    return sums;
  }

  async function curves(place) {
    if (!state.text.trim()) return make("p", {}, say("no.words"));
    const sums = await measured(), seen = ARMS.map((_, arm) => arm).filter((arm) => !Number.isNaN(sums[arm][0])); // pinyin reads Han characters alone
    const on = chart(place, { label: say("experiment.chart"), x: { from: 0, to: 100, ticks: [0, 20, 40, 60, 80, 100], label: say("experiment.axis"), shown: (value) => value + "%" }, y: { from: 0, to: 1, ticks: [0, 0.25, 0.5, 0.75, 1], label: say("experiment.distance"), shown: (value) => percent(value) }, height: 18, most: 50 });
    for (const arm of seen) {
      const points = sums[arm].map((value, i) => [SHARES[i], value]).filter(([, value]) => !Number.isNaN(value));
      addCurve(on, points, "k" + arm);
      for (const [share, value] of points) addDot(on, share, value, "k" + arm, ARMS[arm][1] + " " + percent(value));
    }
    addUpright(on, state.share, "mark");
    return [on.svg, legend(seen.map((arm) => ["k" + arm, say("experiment." + ARMS[arm][1].toLowerCase())]))];
  }

  async function here() {
    const signs = corrupted(state.text, state.share, state.seed * 1000), other = plain(signs), rows = await lab.compare(ARMS.map(([arm]) => arm), state.text, other);
    return [
      make("p", { class: "quoted" }, signs.map((sign) => (sign.changed ? make("mark", {}, sign.text) : sign.text))),
      tableOf(say("experiment.table", state.share), [say("algorithm"), say("distance"), say("of.most"), say("similarity")], rows.map((row, arm) => [say("experiment." + ARMS[arm][1].toLowerCase()),
        make("span", { "data-figure": "experiment-" + arm }, !row.evidence ? "–" : Number.isInteger(row.distance) ? row.distance : decimals(row.distance, 1)), row.maximum, row.similarity === null ? "–" : decimals(row.similarity, 3)])),
    ];
  }

  addStep("experiment", 2, 3, true, (board) => {
    if (state.text === null) state.text = say("experiment.sample");
    const place = make("div", { class: "waits result" }), below = make("div", { class: "waits result" }), fill = filling(place), fillBelow = filling(below);
    const near = () => fillBelow(here), all = () => { fill(() => curves(place)); near(); };
    let waiting = 0;
    board.append(textBox(say("experiment.box"), state.text, (text) => { state.text = text; clearTimeout(waiting); waiting = setTimeout(all, 300); }, 4),
      slider(say("experiment.slider"), { min: 0, max: 100, value: state.share }, (share) => { state.share = share; clearTimeout(waiting); waiting = setTimeout(all, 150); near(); }, (share) => share + "%"),
      buttons(button(say("experiment.seed"), () => { state.seed++; all(); }, { "data-press": "seed" })), make("p", { class: "small" }, say("experiment.how")), place, below);
    all();
  });
}
