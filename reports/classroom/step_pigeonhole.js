// SPDX-License-Identifier: GPL-3.0-or-later
// The pigeonhole principle: if at most k bits differ, one of k + 1 blocks is equal; and the work that this saves.
{
  const BITS = 64;
  const state = { blocks: 4, power: 30, flipped: new Set(), bits: null, draws: drawsFrom(7) };
  const blockBits = () => BITS / state.blocks;
  const superscript = (number) => [...String(number)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[+digit]).join("");

  // ---- Highlighted blocks ----

  function blocks(refresh) {
    const size = blockBits(), row = make("div", { class: "blocks" });
    let whole = 0;
    for (let block = 0; block < state.blocks; block++) {
      const places = Array.from({ length: size }, (_, i) => block * size + i), equal = places.every((i) => !state.flipped.has(i));
      whole += equal;
      row.append(make("div", { class: "block" + (equal ? " equal" : ""), "data-equal": equal ? "yes" : "no" },
        make("div", { class: "block-name" }, say("pigeonhole.block", block + 1), " ", equal ? "= ✓" : "≠"),
        make("div", { class: "block-bits" }, places.map((i) => {
          const bit = state.flipped.has(i) ? (state.bits[i] === "1" ? "0" : "1") : state.bits[i];
          return bitCell({ bits: { [i]: bit } }, i, state.flipped.has(i), false, (place) => { if (!state.flipped.delete(place)) state.flipped.add(place); refresh(place); });
        }))));
    }
    const many = state.flipped.size;
    return [row, make("div", { "aria-live": "polite" }, figures(figureOf("flipped", many, say("pigeonhole.flipped")), figureOf("equal", whole, say("pigeonhole.equal", state.blocks))),
      make("p", {}, rich(say(whole ? (many < state.blocks ? "pigeonhole.sure" : "pigeonhole.lucky") : "pigeonhole.lost", state.blocks - 1, state.blocks))))];
  }

  function flipAtRandom(count) {
    state.flipped = new Set(shuffled(Array.from({ length: BITS }, (_, i) => i), state.draws).slice(0, count));
  }
  const flipEach = () => { state.flipped = new Set(Array.from({ length: state.blocks }, (_, block) => block * blockBits() + state.draws.below(blockBits()))); };

  // ---- Arithmetic ----

  function arithmetic() {
    const n = state.blocks, size = blockBits(), rest = state.power - size, keys = 2 ** size, each = 2 ** state.power / keys, found = n * each, distance = n - 1;
    let ways = 1;
    const terms = Array.from({ length: distance }, (_, i) => { ways = (ways * (BITS - i)) / (i + 1); return ways; }), variants = terms.reduce((sum, term) => sum + term, 0);
    const amount = (value) => (value >= 1 ? grouped(value) : value.toPrecision(2));
    return [
      formula("brute", say("pigeonhole.brute") + " 2" + superscript(state.power) + " = " + grouped(2 ** state.power)),
      formula("candidates", say("pigeonhole.candidates") + " " + n + " · 2" + (rest >= 0 ? superscript(rest) : "⁻" + superscript(-rest)) + " = " + amount(found)),
      formula("shared", say("pigeonhole.shared") + " " + n + " · " + amount(found) + " = " + amount(n * found)),
      formula("variants", say("pigeonhole.variants") + " " + terms.map((_, i) => "C(64," + (i + 1) + ")").join(" + ") + " = " + terms.map(grouped).join(" + ") + " = " + grouped(variants)),
      formula("storage", say("pigeonhole.storage") + " " + n),
      figures(figureOf("saved", grouped(2 ** state.power / Math.max(found, 1)), say("pigeonhole.saved"))),
    ];
  }

  addStep("pigeonhole", 4, 3, false, (board) => {
    const place = make("div", { class: "waits" }), sums = make("div", {}), fill = filling(place);
    const show = (focus) => {
      if (!state.bits) return;
      place.replaceChildren(...blocks(show));
      const cell = focus === undefined ? null : place.querySelector('[data-place="' + focus + '"]');
      if (cell) cell.focus();
    };
    const calculate = () => sums.replaceChildren(make("h2", { class: "part" }, say("pigeonhole.arithmetic")), ...arithmetic());
    const press = (name, label, act) => button(label, () => { act(); show(); }, { "data-press": name });
    board.append(choice(say("pigeonhole.blocks"), [[4, say("pigeonhole.of", 4, 16)], [8, say("pigeonhole.of", 8, 8)]], state.blocks, (count) => { Object.assign(state, { blocks: +count, flipped: new Set() }); show(); calculate(); }),
      buttons(press("three", say("pigeonhole.throw", 3), () => flipAtRandom(3)), press("four", say("pigeonhole.throw", 4), () => flipAtRandom(4)), press("each", say("pigeonhole.each"), flipEach), press("none", say("again"), () => state.flipped.clear())),
      make("p", { class: "small" }, say("pigeonhole.press")), place,
      slider(say("pigeonhole.slider"), { min: 20, max: 36, value: state.power }, (power) => { state.power = power; calculate(); }, (power) => "2" + superscript(power)), sums);
    fill(async () => { const [[one]] = await lab.fingerprints(["simhash"], ["我是中国人"]); state.bits = one.bits; return blocks(show); });
    calculate();
  });
}
