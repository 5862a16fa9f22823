// SPDX-License-Identifier: GPL-3.0-or-later
// The board of SimHash: buttons, votes as bars, and the bits that each word flips.
{
  const { STAGES, examplesOf, state, choose, wordsOf, weigh, kept, vote, flips, table } = simhashStep;
  const FOLD = 16;

  // ---- Bars: yes up, no down, one colour per word; the mark is the sum ----

  function bars(words, merged, from, count, most, place) {
    const unit = rem(), width = widthOf(place, 2.6 * count + 2), column = width / count, half = 5.5 * unit, svg = picture(width, 2 * half + 1.4 * unit, say("simhash.bars"));
    const scale = (half - 0.4 * unit) / most;
    for (let i = 0; i < count; i++) {
      const reach = [0, 0], x = i * column + column * 0.15;
      words.forEach((word, at) => {
        if (state.out.has(word.term)) return;
        const value = vote(word, from + i), up = value > 0, tall = Math.abs(value) * scale;
        svg.append(draw("rect", { class: "vote-bar k" + (at % 8), x, width: column * 0.7, height: tall, y: up ? half - reach[0] - tall : half + reach[1] }, draw("title", {}, word.term + " " + signed(value))));
        reach[up ? 0 : 1] += tall;
      });
      const y = half - merged.sums[from + i] * scale;
      svg.append(draw("line", { class: "sum", x1: x - column * 0.1, x2: x + column * 0.8, y1: y, y2: y }),
        draw("text", { x: i * column + column / 2, y: 2 * half + 1.1 * unit, "text-anchor": "middle", class: "bit-text" + (merged.bits[from + i] === "1" ? " one" : "") }, state.stage >= 5 ? merged.bits[from + i] : from + i + 1));
    }
    svg.append(draw("line", { class: "axis", x1: 0, x2: width, y1: half, y2: half }));
    return svg;
  }

  function allBars(words, merged, place) {
    const bits = merged.bits.length, yes = merged.sums.map((_, i) => kept(words).reduce((sum, word) => sum + Math.max(0, vote(word, i)), 0));
    const total = kept(words).reduce((sum, word) => sum + word.weight, 0), most = Math.max(1, ...yes.map((value) => Math.max(value, total - value)));
    const fold = place.clientWidth < 34 * rem() ? 8 : FOLD, rows = [];
    for (let from = 0; from < bits; from += fold) rows.push(bars(words, merged, from, Math.min(fold, bits - from), most, place));
    return [make("h2", { class: "part" }, say("simhash.bars")), make("p", { class: "small" }, say("simhash.reading")), make("div", { class: "bars" }, rows)];
  }

  // ---- Which word flips which bit ----

  function flipTable(words, merged) {
    const rows = kept(words).map((word) => {
      const places = flips(word, merged.sums, merged.bits).map((i) => i + 1);
      return [word.term, word.weight, places.length, places.length ? places.join(", ") : "–"];
    });
    return [make("h2", { class: "part" }, say("simhash.flips")), tableOf(say("simhash.flipstable"), [say("word"), say("weight"), say("simhash.count"), say("simhash.places")], rows, { "data-figure": "flips" })];
  }

  async function stages(place, change) {
    const found = await wordsOf(), words = weigh(found.words);
    if (!kept(words).length) return make("p", {}, say("no.words"));
    const merged = await lab.merge(found.bits, kept(words));
    return [
      make("p", { class: "stage-text", "aria-live": "polite" }, rich(say("simhash.stage" + state.stage))),
      table(words, merged, change),
      state.stage >= 4 ? formula("sums", merged.sums.map(signed).join(" ")) : null,
      state.stage >= 5 ? figures(figureOf("fingerprint", merged.bits, say("simhash.fingerprint"))) : null,
      state.stage >= 4 ? allBars(words, merged, place) : null,
      state.stage >= 5 ? flipTable(words, merged) : null,
    ];
  }

  // ---- Board ----

  function stageButtons(go) {
    return make("div", { class: "buttons stages", role: "group", "aria-label": say("simhash.stages") },
      Array.from({ length: STAGES }, (_, i) => button(i + 1 + " " + say("simhash.name" + (i + 1)), () => go(i + 1), { "aria-pressed": state.stage === i + 1 ? "true" : "false", "data-stage": i + 1 })),
      button(say("simhash.next"), () => go(state.stage % STAGES + 1), { class: "next", "data-press": "stage" }));
  }

  addStep("simhash", 9, 3, false, (board) => {
    const language = Words.language();
    if (!(language in state.own)) state.own[language] = say("simhash.sample");
    if (state.language !== language) { choose(state.example); state.language = language; }
    const choices = make("div", {}), stageRow = make("div", {}), place = make("div", { class: "waits" }), fill = filling(place);
    const refresh = () => fill(() => stages(place, refresh));
    const go = (stage) => {
      const pressed = document.activeElement && document.activeElement.dataset;
      state.stage = stage;
      stageRow.replaceChildren(stageButtons(go));
      if (pressed && pressed.press === "stage") stageRow.querySelector(".next").focus();
      refresh();
    };
    const showChoices = () => {
      const example = examplesOf()[state.example];
      choices.replaceChildren(choice(say("simhash.example"), Object.keys(examplesOf()).map((name) => [name, say("simhash.example." + name)]), state.example, (name) => {
        choose(name);
        showChoices();
        go(1);
      }), ...(example.words ? [] : [choice(say("simhash.width"), [[8, "8"], [16, "16"], [64, "64"]], state.bits, (bits) => { state.bits = +bits; refresh(); })]),
      ...(state.example === "own" ? [textBox(say("simhash.owntext"), state.own[language], (text) => { state.own[language] = text; refresh(); }, { most: 120 })] : []),
      ...(state.example === "sentence" ? [make("p", { class: "quoted", lang: textLanguage() }, example.text)] : []));
    };
    showChoices();
    go(state.stage);
    board.append(choices, stageRow, place);
  });
}
