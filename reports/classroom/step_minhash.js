// SPDX-License-Identifier: GPL-3.0-or-later
// MinHash: shuffle the cards of both sets; the probability that the first card is in both is their Jaccard coefficient.
{
  const textsOf = inBoth({ a: "I like watching television but do not like watching films.", b: "I do not like watching television and do not like watching films." },
    { a: "我喜欢看电视，不喜欢看电影。", b: "我不喜欢看电视，也不喜欢看电影。" });
  const featuresOf = inBoth("features=words", "features=chars:2"); // as described in the text of the step
  const state = { order: null, shuffles: 0, agreed: 0, slots: 64, draws: drawsFrom(3), language: null };
  const SLOTS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

  async function sets() {
    const [a, b] = await Promise.all([textsOf().a, textsOf().b].map((text) => lab.features("jaccard:" + featuresOf(), text)));
    const ofA = new Set(a.map((feature) => feature.term)), ofB = new Set(b.map((feature) => feature.term)), union = [...new Set([...ofA, ...ofB])];
    return { ofA, ofB, union, common: union.filter((term) => ofA.has(term) && ofB.has(term)).length };
  }

  // ---- Cards ----

  const sideOf = ({ ofA, ofB }, term) => (ofA.has(term) ? (ofB.has(term) ? "both" : "only-a") : "only-b");
  function shuffle(found, times) {
    for (let i = 0; i < times; i++) {
      state.order = shuffled(found.union, state.draws);
      state.shuffles++;
      state.agreed += sideOf(found, state.order[0]) === "both";
    }
  }
  function cards(found) {
    const order = state.order || found.union;
    const first = (set) => order.findIndex((term) => set.has(term)), firstA = first(found.ofA), firstB = first(found.ofB);
    return [
      make("ol", { class: "cards" }, order.map((term, i) => make("li", { class: "card " + sideOf(found, term) }, make("span", { class: "card-term" }, term),
        make("span", { class: "card-first" }, (i === firstA && state.order ? "A" : "") + (i === firstB && state.order ? "B" : ""))))),
      legend([["both", say("minhash.both")], ["only-a", say("minhash.onlya")], ["only-b", say("minhash.onlyb")]]),
      state.order ? make("p", { "aria-live": "polite", "data-figure": "shuffle" }, rich(say(firstA === firstB ? "minhash.agree" : "minhash.disagree", order[firstA], order[firstB]))) : null,
      figures(figureOf("jaccard", found.common + "/" + found.union.length + " = " + decimals(found.common / Math.max(1, found.union.length), 3), say("minhash.jaccard")), figureOf("shuffles", grouped(state.shuffles), say("minhash.shuffles")),
        figureOf("agreed", state.shuffles ? decimals(state.agreed / state.shuffles, 3) : "–", say("minhash.agreed"))),
    ];
  }

  // ---- The lab's signatures ----

  async function converging(place) {
    const rows = await lab.compare(["jaccard:" + featuresOf(), ...SLOTS.map((slots) => "minhash:slots=" + slots + "," + featuresOf())], textsOf().a, textsOf().b);
    const [exact, ...estimates] = rows.map((row) => row.similarity), last = SLOTS.length - 1;
    const on = chart(place, { label: say("minhash.chart"), x: { from: 0, to: last, ticks: SLOTS.map((_, i) => i).filter((i) => i % 2 === 0), label: say("minhash.slots"), shown: (i) => grouped(SLOTS[i]) },
      y: { from: 0, to: 1, ticks: [0, 0.25, 0.5, 0.75, 1] }, most: 44 });
    const spread = (i) => 2 * Math.sqrt((exact * (1 - exact)) / SLOTS[i]), places = SLOTS.map((_, i) => i);
    addBand(on, places.map((i) => [i, Math.max(0, exact - spread(i))]), places.map((i) => [i, Math.min(1, exact + spread(i))]));
    addCurve(on, [[0, exact], [last, exact]], "k2");
    addCurve(on, places.map((i) => [i, estimates[i]]), "k1");
    estimates.forEach((value, i) => addDot(on, i, value, SLOTS[i] === state.slots ? "k0" : "k1", SLOTS[i] + ": " + decimals(value, 3)));
    return [on.svg, legend([["k1", say("minhash.estimate"), true], ["k2", say("minhash.exact")], ["band", say("minhash.band")]]),
      figures(figureOf("estimate", decimals(estimates[SLOTS.indexOf(state.slots)], 3), say("minhash.atslots", grouped(state.slots))), figureOf("exact", decimals(exact, 3), say("minhash.labjaccard")))];
  }

  addStep("minhash", 4, 3, true, (board) => {
    const above = make("div", { class: "waits" }), below = make("div", { class: "waits result" }), fill = filling(above), fillBelow = filling(below);
    const refresh = (times = 0) => fill(async () => { const found = await sets(); if (!found.union.length) return make("p", {}, say("no.words")); shuffle(found, times); return cards(found); });
    const curve = () => fillBelow(() => converging(below));
    const forget = () => { Object.assign(state, { order: null, shuffles: 0, agreed: 0, draws: drawsFrom(3) }); };
    const more = (times) => button(say("minhash.shuffle", grouped(times)), () => refresh(times), { "data-press": "shuffle-" + times });
    if (state.language !== Words.language()) { forget(); state.language = Words.language(); }
    board.append(pairOfBoxes(textsOf(), () => { forget(); refresh(); curve(); }), make("h2", { class: "part" }, say("minhash.cards")), buttons(more(1), more(100), more(1000), button(say("again"), () => { forget(); refresh(); })), above,
      make("h2", { class: "part" }, say("minhash.signatures")),
      slider(say("minhash.slots"), { min: 0, max: SLOTS.length - 1, value: SLOTS.indexOf(state.slots) }, (i) => { state.slots = SLOTS[i]; curve(); }, (i) => grouped(SLOTS[i])), below);
    refresh();
    curve();
  });
}
