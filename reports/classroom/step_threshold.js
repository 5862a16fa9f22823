// SPDX-License-Identifier: GPL-3.0-or-later
// Why 3: precision against recall on labelled pairs, evaluated in the page, and matches by chance among billions of texts.
{
  const state = { threshold: 3, arm: "simhash", found: new Map() };
  const MOST = 30, BITS = 64;

  async function evaluated(arm) {
    const name = Words.language() + arm;
    if (!state.found.has(name)) state.found.set(name, await lab.counts(arm, await newswire(), MOST));
    return state.found.get(name);
  }

  // ---- Trade-off ----

  function trade(rows, place) {
    const on = chart(place, { label: say("threshold.chart"), x: { from: 0, to: MOST, ticks: [0, 3, 10, 20, 30], label: say("threshold.axis") },
      y: { from: 0, to: 1, ticks: [0, 0.25, 0.5, 0.75, 1] }, most: 48 });
    const curves = [["precision", "k0", say("precision")], ["recall", "k1", say("recall")], ["f1", "k2", "F1"]].map(([name, kind, title]) => ({ name, kind, title,
      points: rows.filter((row) => row[name][0] !== null).map((row) => [row.threshold, row[name][0]]) }));
    for (const { name, kind, points } of curves) {
      addCurve(on, points, kind);
      const here = rows[state.threshold];
      if (here[name][0] !== null) addDot(on, here.threshold, here[name][0], kind);
    }
    addUpright(on, state.threshold, "mark");
    addNames(on, curves, state.threshold);
    return [on.svg, legend(curves.map(({ kind, title }) => [kind, title, true]))];
  }

  const share = ([value]) => (value === null ? "–" : decimals(value, 3));
  const range = ([value, low, high]) => (value === null || low === null ? "" : say("threshold.range", decimals(low, 2), decimals(high, 2)));
  function counts(row) {
    return tableOf(say("threshold.counts", row.threshold), [say("threshold.verdict"), say("threshold.same"), say("threshold.other")],
        [[say("threshold.called"), ["tp", row.tp], ["fp", row.fp]], [say("threshold.notcalled"), ["fn", row.fn], ["tn", row.tn]]].map(([name, ...cells]) => [name, ...cells.map(([figure, value]) => make("span", { "data-figure": figure }, grouped(value)))]));
  }
  function shares(row) {
    return figures(figureOf("precision", share(row.precision), say("threshold.precision") + range(row.precision)), figureOf("recall", share(row.recall), say("threshold.recall") + range(row.recall)), figureOf("f1", share(row.f1), "F1"));
  }

  // ---- Chance: the share of random fingerprints within k bits is Σ C(64, i)/2⁶⁴, i ≤ k ----

  function chance(threshold) {
    let ways = 1, sum = 1;
    for (let i = 1; i <= threshold; i++) { ways = (ways * (BITS - i + 1)) / i; sum += ways; }
    return { ways: sum, share: sum / 2 ** BITS };
  }
  const scientific = (value) => {
    if (value >= 0.01 && value < 1e6) return value < 10 ? value.toPrecision(2) : grouped(value);
    const [digits, power] = value.toExponential(1).split("e");
    return digits + "·10" + [...power.replace("+", "")].map((sign) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[+sign] || "⁻").join("");
  };
  function byChance() {
    const { ways, share: part } = chance(state.threshold);
    return [make("h2", { class: "part" }, say("threshold.chance")), make("p", {}, rich(say("threshold.chancetext"))),
      figures(figureOf("ways", ways < 1e15 ? grouped(ways) : scientific(ways), say("threshold.ways", state.threshold)), figureOf("neighbours", scientific(part * 8e9), say("threshold.neighbours")))];
  }

  addStep("threshold", 4, 3, true, (board) => {
    const place = make("div", { class: "waits result" }), below = make("div", { class: "result" }), fill = filling(place);
    const refresh = () => {
      fill(async () => { const rows = await evaluated(state.arm); return [shares(rows[state.threshold]), trade(rows, place), counts(rows[state.threshold])]; });
      below.replaceChildren(...byChance());
    };
    // Only Han characters have initials.
    const arms = [["simhash", "SimHash"], ["minhash", "MinHash"], Words.language() === "zh" ? ["pinyin", say("threshold.pinyin")] : ["jaccard", "Jaccard"]];
    if (!arms.some(([arm]) => arm === state.arm)) state.arm = "simhash";
    board.append(choice(say("threshold.arm"), arms, state.arm, (arm) => { state.arm = arm; refresh(); }),
      slider(say("threshold.slider"), { min: 0, max: MOST, value: state.threshold }, (value) => { state.threshold = value; refresh(); }), place, below);
    refresh();
  });
}
