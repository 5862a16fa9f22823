// SPDX-License-Identifier: GPL-3.0-or-later
// Why a cryptographic hash is not a fingerprint: one added character changes half of the bits.
{
  const textsOf = inBoth({ a: "We won the game", b: "We won the games" }, { a: "我是中国人", b: "我是中国人啊" });
  const ARMS = ["exact", "simhash:features=chars:2", "minhash:features=chars:2"];

  function digests() {
    const texts = textsOf(), hex = [md5(texts.a), md5(texts.b)], bits = hex.map(bitsOfHex), apart = differing(bits[0], bits[1]);
    return [
      make("h2", { class: "part" }, say("avalanche.md5")),
      make("p", { class: "digest" }, "A ", make("code", { "data-figure": "md5-a" }, hex[0])),
      make("p", { class: "digest" }, "B ", make("code", { "data-figure": "md5-b" }, hex[1])),
      figures(figureOf("md5-differ", apart.length, say("avalanche.differ", 128)), figureOf("md5-expect", 64, say("avalanche.expect"))),
      bitStack([{ label: "A", bits: bits[0] }, { label: "B", bits: bits[1] }], { marks: new Set(apart) }),
    ];
  }

  async function beside() {
    const rows = await lab.compare(ARMS, textsOf().a, textsOf().b);
    return tableOf(say("avalanche.beside"), [say("algorithm"), say("distance"), say("of.most")],
      rows.map((row, i) => [say("avalanche.arm" + (i + 1)), make("span", { "data-figure": "distance-" + i }, row.distance), row.maximum]));
  }

  addStep("avalanche", 3, 2, true, (board) => {
    const above = make("div", { class: "result" }), below = make("div", { class: "waits result" }), fill = filling(below);
    const refresh = () => { above.replaceChildren(...digests()); fill(beside); };
    board.append(pairOfBoxes(textsOf(), refresh), above, below);
    refresh();
  });
}
