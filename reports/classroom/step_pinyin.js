// SPDX-License-Identifier: GPL-3.0-or-later
// The pinyin fingerprint: each character's initial, the frequencies of twenty letters, a few levels. Homophones do not change it.
{
  const state = { text: "银行发展", swapped: false, levels: 4 };
  const BYTES = { 10: 9, 8: 8, 4: 5, 2: 3 };
  const arm = () => "pinyin:levels=" + state.levels;

  // The textbook's pair; for other texts the lab replaces every character that has a homophone.
  const TEXTBOOK = { 银行发展: "银杭发盏" };
  const homophones = async (text) => TEXTBOOK[text] || (await lab.corrupt("homophone", 1, 1, text)).text;

  // Shows each character above its letter.
  const ruby = (signs, before) => make("div", { class: "signs", lang: "zh-CN" }, signs.map(({ text, initial }, i) =>
    make("span", { class: "sign" + (before && before[i] && before[i].text !== text ? " swapped" : "") }, make("span", { class: "sign-text" }, text), make("span", { class: "sign-letter" }, initial || "·"))));

  function letters(explained, place) {
    const unit = rem(), width = widthOf(place, 52), column = width / explained.length, tall = 9 * unit, most = Math.max(...explained.map((letter) => Math.max(letter.frequency, letter.reference)), 0.01);
    const svg = picture(width, tall + 3.2 * unit, say("pinyin.chart"));
    explained.forEach((letter, i) => {
      const x = i * column, height = (value) => (value / most) * (tall - unit);
      svg.append(draw("rect", { class: "reference", x: x + column * 0.1, width: column * 0.8, height: height(letter.reference), y: tall - height(letter.reference) }),
        draw("rect", { class: "frequency", x: x + column * 0.28, width: column * 0.44, height: height(letter.frequency), y: tall - height(letter.frequency) }, draw("title", {}, letter.letter + ": " + letter.count)),
        draw("text", { x: x + column / 2, y: tall + 1.1 * unit, "text-anchor": "middle" }, letter.letter), draw("text", { class: "name", x: x + column / 2, y: tall + 2.5 * unit, "text-anchor": "middle" }, letter.level));
    });
    svg.append(draw("line", { class: "axis", x1: 0, x2: width, y1: tall, y2: tall }));
    return [svg, legend([["frequency", say("pinyin.frequency")], ["reference", say("pinyin.reference")]]), make("p", { class: "small" }, say("pinyin.levelsbelow"))];
  }

  async function shown(place) {
    const other = await homophones(state.text), [first, second, [row], [simhash]] = await Promise.all([lab.initials(arm(), state.text), lab.initials(arm(), other), lab.compare([arm()], state.text, other), lab.compare(["simhash:features=chars:2"], state.text, other)]);
    const explained = state.swapped ? second : first;
    return [
      ruby(explained.signs, state.swapped ? first.signs : null),
      formula("initials", explained.signs.map((sign) => sign.initial || "").join("")),
      make("div", { class: "result" }, figures(figureOf("pinyin-distance", row.distance, say("pinyin.distance")), figureOf("simhash-distance", simhash.distance, say("pinyin.simhash")))),
      make("p", { class: "small" }, say("pinyin.other"), " ", make("span", { lang: "zh-CN" }, other)),
      letters(explained.letters, place),
      figures(figureOf("pinyin-fingerprint", explained.value, say("pinyin.fingerprint")), figureOf("bytes", BYTES[state.levels], say("pinyin.bytes"))),
    ];
  }

  addStep("pinyin", 3, 2, true, (board) => {
    const place = make("div", { class: "waits" }), row = make("div", {}), fill = filling(place);
    const refresh = () => fill(() => shown(place));
    const swapButton = () => row.replaceChildren(buttons(button(say(state.swapped ? "pinyin.back" : "pinyin.swap"), () => { state.swapped = !state.swapped; swapButton(); row.querySelector("button").focus(); refresh(); }, { "data-press": "swap", "aria-pressed": state.swapped ? "true" : "false" })));
    swapButton();
    board.append(textBox(say("pinyin.box"), state.text, (text) => { state.text = text; refresh(); }),
      choice(say("pinyin.levels"), [[10, "0–9"], [8, "0–7"], [4, "0–3"], [2, "0–1"]], state.levels, (levels) => { state.levels = +levels; refresh(); }), row, place);
    refresh();
  });
}
