// SPDX-License-Identifier: GPL-3.0-or-later
// The Hamming distance: bit by bit, a step at a time.
{
  const textsOf = inBoth({ a: "Busy night in the children's ward as doctors and nurses see one child after another", b: "In the children's ward doctors and nurses see one child after another on a busy night" },
    { a: "直击儿科急诊现状忙碌不止 儿科接诊进行时", b: "儿科急诊现状直击不停忙碌 儿科接诊进行时" });
  const state = { at: 0, bits: null, flipped: new Set(), timer: 0 };
  const flip = (bits) => [...bits].map((bit, i) => (state.flipped.has(i) ? (bit === "1" ? "0" : "1") : bit)).join("");

  function rows(refresh) {
    const [a, b] = [state.bits[0], flip(state.bits[1])];
    const apart = differing(a, b), seen = apart.filter((place) => place < state.at);
    const exclusive = [...a].map((bit, i) => (i < state.at ? (bit === b[i] ? "0" : "1") : "·")).join("");
    return [
      make("div", { "aria-live": "polite" }, figures(figureOf("distance", seen.length, say("hamming.count", state.at)),
        state.at >= 64 ? figureOf("verdict", apart.length <= 3 ? "≤ 3" : "> 3", say(apart.length <= 3 ? "hamming.near" : "hamming.far")) : null)),
      bitStack([{ label: "A", bits: a, fixed: true }, { label: "B", bits: b }, { label: "⊕", bits: exclusive, kind: "exclusive", fixed: true }], { marks: new Set(seen), at: state.at - 1,
        press: (place) => { if (state.flipped.has(place)) state.flipped.delete(place); else state.flipped.add(place); refresh(place); } }),
    ];
  }

  addStep("hamming", 2, 2, false, (board) => {
    const place = make("div", { class: "waits" }), controls = make("div", {}), fill = filling(place);
    const show = (focus) => {
      place.replaceChildren(...rows(show));
      const cell = focus === undefined ? null : place.querySelector('[data-place="' + focus + '"]');
      if (cell) cell.focus();
    };
    const compute = () => fill(async () => {
      const [found] = await lab.fingerprints(["simhash"], [textsOf().a, textsOf().b]);
      state.bits = found.map((one) => one.bits);
      return rows(show);
    });
    const walk = () => {
      clearInterval(state.timer);
      if (!state.bits) return;
      state.at = 0;
      state.timer = setInterval(() => { if (!place.isConnected || ++state.at >= 64) { state.at = 64; clearInterval(state.timer); } if (place.isConnected) show(); }, 120);
    };
    const stop = (at) => { clearInterval(state.timer); state.at = at; if (state.bits) show(); };
    controls.append(buttons(button(say("hamming.first"), () => stop(0), { "data-press": "first" }), button(say("hamming.next"), () => stop(Math.min(64, state.at + 1)), { "data-press": "next" }), button(say("hamming.walk"), walk),
      button(say("hamming.all"), () => stop(64), { "data-press": "all" }), button(say("hamming.mend"), () => { state.flipped.clear(); stop(64); })));
    board.append(pairOfBoxes(textsOf(), () => { state.flipped.clear(); compute(); }), controls, make("p", { class: "small" }, say("hamming.flip")), place);
    compute();
  });
}
