// SPDX-License-Identifier: GPL-3.0-or-later
// Texts as vectors of word counts, and the cosine of the angle between them.
{
  const textsOf = inBoth({ a: "I like watching television but do not like watching films.", b: "I do not like watching television and do not like watching films." },
    { a: "我喜欢看电视，不喜欢看电影。", b: "我不喜欢看电视，也不喜欢看电影。" });
  // Word order of the textbook's vectors for its pair; other texts use the order of their words.
  const TEXTBOOK = ["我", "喜欢", "看", "电视", "电影", "不", "也"];

  const countsOf = (features) => new Map(features.map((feature) => [feature.term, feature.weight]));
  function vocabulary(a, b) {
    const words = [...new Set([...a.keys(), ...b.keys()])];
    return words.length === TEXTBOOK.length && words.every((word) => TEXTBOOK.includes(word)) ? TEXTBOOK : words;
  }

  // Draws the angle: A along the ground, B at the angle.
  function arrows(cosine, place) {
    const width = widthOf(place, 22), length = width * 0.8, angle = Math.acos(Math.min(1, cosine)), tall = length * 0.72 * Math.sin(angle) + 3 * rem(), foot = [width * 0.08, tall - rem()];
    const tip = (turn) => [foot[0] + length * Math.cos(turn), foot[1] - length * Math.sin(turn) * 0.72];
    const arrow = (turn, kind, name) => {
      const [x, y] = tip(turn);
      return [draw("line", { class: "arrow " + kind, x1: foot[0], y1: foot[1], x2: x, y2: y }), draw("text", { class: "name", x: x + 6, y: y + 4 }, name)];
    };
    return picture(width, tall, say("cosine.arrows"), arrow(0, "k0", "A"), arrow(angle, "k1", "B"),
      draw("text", { x: foot[0] + length * 0.45, y: foot[1] - length * 0.45 * Math.tan(angle / 2) * 0.8 }, decimals((angle * 180) / Math.PI, 1) + "°"));
  }

  async function vectors(place) {
    const texts = textsOf(), [a, b, [exact]] = await Promise.all([lab.features("cosine", texts.a), lab.features("cosine", texts.b), lab.compare(["cosine"], texts.a, texts.b)]);
    const ofA = countsOf(a), ofB = countsOf(b), words = vocabulary(ofA, ofB);
    const x = words.map((word) => ofA.get(word) || 0), y = words.map((word) => ofB.get(word) || 0);
    const sum = (list) => list.reduce((total, value) => total + value, 0);
    const product = sum(x.map((value, i) => value * y[i])), squares = [x, y].map((list) => sum(list.map((value) => value * value)));
    if (!squares[0] || !squares[1]) return make("p", {}, say("no.words"));
    const cosine = product / Math.sqrt(squares[0] * squares[1]);
    return [
      make("div", { class: "halves" }, tableOf(say("cosine.table"), [say("word"), "A", "B", "A·B"], words.map((word, i) => [word, x[i], y[i], x[i] * y[i]])), make("div", {},
      formula("vector-a", "A = [" + x.join(", ") + "]"), formula("vector-b", "B = [" + y.join(", ") + "]"),
      formula("product", "A·B = " + x.map((value, i) => value + "·" + y[i]).join(" + ") + " = " + product),
      formula("norms", "|A| = √" + squares[0] + ", |B| = √" + squares[1]),
      formula("cosine", "cos = " + product + "/(√" + squares[0] + "·√" + squares[1] + ") = " + decimals(cosine, 3)),
      figures(figureOf("lab-cosine", decimals(exact.similarity, 3), say("cosine.lab"))),
      arrows(cosine, place))),
    ];
  }

  addStep("cosine", 4, 2, true, (board) => {
    const place = make("div", { class: "waits result" }), fill = filling(place), refresh = () => fill(() => vectors(place));
    board.append(pairOfBoxes(textsOf(), refresh), place);
    refresh();
  });
}
