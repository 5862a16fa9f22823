// SPDX-License-Identifier: GPL-3.0-or-later
// Compares two texts with every fingerprint during typing.
const Compare = (() => {
  const MOST = 100000;
  const FERRY = ["The ferry company said yesterday that night sailings on the North Gate line will start again on Friday. The last boat leaves at ten, boats run every thirty minutes, and the fare stays the same. The line had stopped for four months while the pier was repaired, and passengers had to take the bus over the East Bridge.",
    "澜州轮渡公司昨天宣布，北门线从本周五起恢复夜航。末班船二十二时开出，每三十分钟一班，票价不变。夜航因码头维修停了四个月，其间乘客只能绕行东桥。公司经理说，新码头装了雨棚和照明，候船的人不再淋雨。首日预计有一百多名乘客。"];
  // Most fingerprints call the first a near-duplicate at their default thresholds, in both languages.
  const EXAMPLES = [{
    word: [FERRY[0], FERRY[0].replace("four months", "nearly four months")],
    rewritten: [FERRY[0], "Passengers of the North Gate ferry can travel at night again from Friday on. Boats leave every half hour until ten at the old fare, the company announced. For four months, while workers mended the pier, there was only the bus across the East Bridge."],
    sounds: ["They're going to buy two new books by the sea, and their son will meet them there.", "Their going too by to knew books buy the see, and there sun will meat them they're."],
    order: ["The weather is fine. We walk in the park. In the evening we eat together.", "In the evening we eat together. The weather is fine. We walk in the park."],
    different: ["Boats run every thirty minutes; the last one leaves at ten.", "The library is closed at the weekend; books go into the box at the door."],
  }, {
    word: [FERRY[1], FERRY[1].replace("停了四个月", "停了四个多月")],
    rewritten: [FERRY[1], "记者获悉，本周五起，乘客又能在夜里坐上北门线的渡轮了。据公司介绍，船每半小时一班，开到晚上十点，票价照旧。过去四个月码头维修，人们只好从东桥绕过去。"],
    homophones: ["他在那里做作业，她再也不坐在座位上。", "她再那里坐作业，他在也不做在坐位上。"],
    script: ["请把电脑里的后面几个文件发给我，谢谢。", "請把電腦裡的後面幾個文件發給我，謝謝。"],
    order: ["天气很好。我们去公园散步。晚上一起吃饭。", "晚上一起吃饭。天气很好。我们去公园散步。"],
    different: ["夜航每三十分钟一班，末班船二十二时开出。", "图书馆周末闭馆，读者可以把书还到门口的箱子里。"],
  }];
  // Fingerprints shown first (English, Chinese); a button shows the others. Only Han characters have initials.
  const FIRST = [["simhash", "hyperplane", "minhash", "jaccard", "cosine", "winnowing"], ["simhash", "hyperplane", "minhash", "jaccard", "cosine", "pinyin"]];
  const texts = { a: null, b: null };
  let arms = [], own = [], chosen = "simhash", answer = null, all = false, untouched = true;
  const places = {};

  // ---- The boxes ----

  function box(side) {
    const id = "text-" + side, count = make("span", { class: "small", id: id + "-count" });
    const area = make("textarea", { id, rows: 6, "aria-describedby": id + "-count", spellcheck: "false" });
    area.value = texts[side];
    const take = () => { texts[side] = area.value; untouched = false; update(); };
    on(area, "input", take);
    Drop.on(area, (text) => { area.value = text; take(); }, (sentence) => problem([sentence.message]));
    places[side] = area;
    places[side + "count"] = count;
    return make("div", { class: "box" }, make("label", { for: id }, say("text." + side)), area, count);
  }
  // Shows the first example, in the language of the page, until the user enters a text.
  function begin() {
    if (untouched) [texts.a, texts.b] = EXAMPLES[Language.column].word;
  }
  function take(a, b) {
    untouched = false;
    texts.a = places.a.value = a;
    texts.b = places.b.value = b;
    update();
  }
  const examples = () => make("div", { class: "buttons" }, make("span", { class: "small" }, say("example") + say("colon")),
    ...Object.entries(EXAMPLES[Language.column]).map(([name, [a, b]]) => button(say("example." + name), () => take(a, b))),
    button(say("swap"), () => take(texts.b, texts.a)), button(say("clear"), () => { take("", ""); places.a.focus(); }));

  // ---- The table ----

  function problem(sentences) {
    fill(places.problem, sentences.map((sentence) => make("p", { class: "warning" }, sentence)));
  }
  const unitOf = (row) => {
    const unit = row.scale.split(" ")[0];
    return WORDS["scale." + unit] ? say("scale." + unit) : unit;
  };
  const measureOf = (row) => {
    const name = "measure." + row.measure.toLowerCase().replaceAll(" ", ".");
    return WORDS[name] ? say(name) : row.measure;
  };
  function bar(row) {
    const width = Math.round((row.distance / row.maximum) * 100);
    const mark = row.threshold === null ? [] : [draw("line", { class: "usual", x1: (row.threshold / row.maximum) * 100, x2: (row.threshold / row.maximum) * 100, y1: 0, y2: 10 })];
    return draw("svg", { class: "bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" }, draw("rect", { class: "track", y: 2, width: 100, height: 6 }), draw("rect", { y: 2, width, height: 6 }), ...mark);
  }
  function verdict(row) {
    if (!row.evidence) return make("span", { title: say("nothing.why") }, say("nothing"));
    if (row.threshold === null) return make("span", { class: "small" }, say("unusual"));
    const is = row.distance <= row.threshold;
    return make("span", { class: "verdict " + (is ? "is" : "not"), title: row.threshold_source }, (is ? "● " : "○ ") + say(is ? "duplicate" : "not"), " ", make("span", { class: "small limit" }, "≤ " + tidy(row.threshold, 1)));
  }
  function pick(name) {
    chosen = name;
    show();
    clearTimeout(waiting);
    showInside();
    const pressed = places.table.querySelector("button[aria-pressed=true]");
    if (pressed) pressed.focus();
  }
  function cells(row) {
    const name = button(row.arm, () => pick(row.arm), { "aria-pressed": String(row.arm === chosen), "data-arm": row.arm, title: row.error ? "" : say("compared", row.compared || "–") });
    if (row.error) return [name, Saying.problem(row), "", "", "", ""];
    return [name, bar(row), make("span", {}, tidy(row.distance), make("span", { class: "roomy" }, " / " + tidy(row.maximum) + " " + unitOf(row))), row.similarity === null ? "–" : make("span", {}, tidy(row.similarity, 3), make("span", { class: "small roomy" }, " " + measureOf(row))),
      verdict(row), row.a.features + row.b.features ? row.a.features + ", " + row.b.features : "–"];
  }
  function show() {
    if (!answer) return;
    const head = [say("arm"), make("span", { class: "unseen" }, say("bar")), say("distance"), say("similarity"), say("verdict"), say("features")];
    const table = tableOf(say("table.caption"), head, answer.arms.map(cells), new Set([2, 3, 5]));
    for (const line of table.rows) for (const column of [1, 5]) line.cells[column].classList.add("roomy");
    fill(places.table, table, moreButton());
    clearTimeout(waiting);
    waiting = setTimeout(showInside, 120);
  }
  // Details of the fingerprint take longer than the table and are computed when typing pauses.
  let waiting = 0;
  function showInside() {
    if (answer) Places.show(places.inside, answer.arms.find((one) => one.arm === chosen) || answer.arms[0], texts);
  }
  const first = () => FIRST[Language.column];
  const shownArms = () => (all ? [...first(), ...arms.filter((arm) => !first().includes(arm))] : first()).filter((arm) => arms.includes(arm) && !own.includes(arm));
  function moreButton() {
    const rest = arms.length - first().length;
    return make("p", {}, button(all ? say("fewer") : say("more.arms", rest), () => { all = !all; update().then(() => places.table.querySelector("#more")?.focus()); }, { id: "more", "aria-expanded": String(all) }));
  }

  // ---- Requests ----

  function wrong() {
    const empty = ["a", "b"].filter((side) => texts[side] === "");
    if (empty.length === 2) return [say("empty.both")];
    const sentences = empty.map((side) => say("empty.one", side.toUpperCase()));
    for (const side of ["a", "b"])
      if (texts[side].length > MOST) sentences.push(say("long", side.toUpperCase(), texts[side].length, MOST));
    return sentences;
  }
  async function update() {
    for (const side of ["a", "b"]) places[side + "count"].textContent = say("characters", texts[side].length > MOST ? texts[side].length : lengthOf(texts[side]));
    const sentences = wrong();
    problem(sentences);
    if (sentences.length) { answer = null; fill(places.table); fill(places.inside); return; }
    if (!lab.call) return; // called again when the lab is ready
    const asked = performance.now();
    const reply = await ask({ op: "compare", arms: [...shownArms(), ...own], a: texts.a, b: texts.b, longest: 64 }, "compare");
    if (!reply || wrong().length) return;
    if (reply.error) { fill(places.problem, Saying.problem(reply)); return; }
    answer = reply;
    show();
    places.table.dataset.milliseconds = (performance.now() - asked).toFixed(1);
  }

  // ---- The user's own fingerprint ----

  async function add(field) {
    const spec = field.value.trim();
    if (!spec) return;
    if (!lab.call) fill(places.own, make("p", { class: "small" }, say("own.waits", spec)));
    await lab.ready;
    if ([...shownArms(), ...own].includes(spec)) { fill(places.own, make("p", { class: "warning" }, say("own.twice", spec))); return; }
    const reply = await ask({ op: "fingerprint", arms: [spec], texts: [""] });
    const failed = [reply, ...(reply.arms || [])].find((one) => one.error);
    fill(places.own, failed ? Saying.problem(failed) : "");
    if (failed) return;
    own.push(spec);
    if (places.field.value.trim() === spec) places.field.value = "";
    chosen = reply.arms[0].arm;
    Corpus.start();
    update();
  }
  function ownArm() {
    const field = make("input", { id: "own", type: "text", size: 34, placeholder: "simhash:bits=128,features=chars:2", spellcheck: "false", autocomplete: "off" });
    on(field, "keydown", (event) => { if (event.key === "Enter") add(field); });
    on(field, "input", () => fill(places.own)); // clears the message about another spec
    field.value = places.field ? places.field.value : "";
    places.field = field;
    places.own = make("div", { role: "status" });
    return make("div", { class: "own" }, make("label", { for: "own" }, say("own")), field, button(say("own.add"), () => add(field)), make("span", { class: "small" }, say("own.hint")), places.own);
  }

  function build() {
    begin();
    places.problem = make("div", { role: "status", id: "problem" });
    places.table = make("div", { class: "wide", id: "distances" });
    places.inside = make("div", { id: "inside" });
    const section = make("section", {}, make("h2", {}, say("two")), make("div", { class: "boxes" }, box("a"), box("b")), examples(), places.problem, places.table, ownArm(), places.inside);
    update();
    return section;
  }
  return { build, update, start(list) { arms = list; }, arms: () => [...new Set([...arms, ...own])] };
})();
