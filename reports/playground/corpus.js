// SPDX-License-Identifier: GPL-3.0-or-later
// The user's own corpus: input, parsing, evaluation.
const Corpus = (() => {
  const EXAMPLES = [["The North Gate ferry sails at night again; 113 passengers came on the first day.\nWe learn that the North Gate ferry sails at night again since yesterday, with 113 passengers on the first day.\nNight sailings of the North Gate ferry are back, and 113 passengers came on the first day.",
    "The city library is closed at the weekend; readers can put books into the box at the door.\nClosed for repairs this weekend: the city library asks readers to put books into the box at the door.", "Light rain is forecast for tomorrow, with 12 to 18 degrees.\nTomorrow brings light rain and 12 to 18 degrees, so take an umbrella.", "Work on the new underground line began today; trains are to run in three years.", "From next week the school canteen serves breakfast at the same price.\nThe school canteen serves breakfast from next week on, at the same price, and the pupils are glad."],
  ["澜州轮渡北门线恢复夜航，首日有一百一十三名乘客。\n记者获悉，澜州轮渡北门线昨晚恢复夜航，首日乘客一百一十三名。\n瀾州輪渡北門線恢復夜航，首日有一百一十三名乘客。",
    "市图书馆周末闭馆，读者可以把书还到门口的箱子里。\n本周末市图书馆闭馆检修，读者可把书还到门口的还书箱。", "天气预报说明天有小雨，气温十二到十八度。\n明天有小雨，气温十二至十八度，出门请带伞。", "新的地铁线路今天开工，预计三年以后通车。", "学校食堂从下周起供应早餐，价格不变。\n下周起学校食堂供应早餐，价格不变，学生很高兴。"]].map((groups) => groups.join("\n\n") + "\n");
  const USUAL = ["simhash", "minhash", "jaccard", "cosine", "pinyin"];
  let text = "", chosen = new Set(USUAL), results = null, timer = 0;
  const places = {};

  // The last message stays: cancels a pending check, which would report on other texts.
  const told = (...what) => {
    clearTimeout(timer);
    fill(places.told, what);
  };
  const small = (sentence) => told(make("p", { class: "small" }, sentence));
  const warn = (sentence) => told(Saying.sentence(sentence));

  function parsed() {
    try { return Reading.parse(text); } catch (error) {
      if (!(error instanceof Sentence)) throw error;
      warn(error);
      return null;
    }
  }
  function look() {
    results = null;
    fill(places.results);
    if (!text.trim()) { told(); return; }
    const corpus = parsed();
    if (corpus) small(say("corpus.read", corpus.documents.length, corpus.positives, corpus.negatives));
  }
  function take(given) {
    text = given;
    places.area.value = given;
    look();
  }
  async function stop() {
    await corpusLab.stop();
    small(say("stopped"));
  }
  // Shows the progress of the stage and, after a second, the estimated remaining time. Stages with other names are short. If
  // progress falls, the stage has restarted for another fingerprint.
  function goesOn(place) {
    let stage = "", begun = 0, first = 0, last = 0;
    return (name, done, total) => {
      const now = performance.now(), word = "stage." + name;
      if (name !== stage || done < last) { stage = name; begun = now; first = done; }
      last = done;
      const left = (((now - begun) / (done - first)) * (total - done)) / 1000;
      const shown = now - begun < 1000 || done === first ? "" : " " + say("left", Math.ceil(left));
      place.textContent = (WORDS[word] ? say(word) : say("stage.other")) + say("colon") + Math.floor((100 * done) / total) + " %" + shown;
    };
  }
  async function evaluate() {
    const corpus = parsed(), arms = Compare.arms().filter((arm) => chosen.has(arm));
    if (!corpus) return;
    if (!lab.call) { small(say("starting")); await lab.ready; return evaluate(); }
    if (!arms.length) { warn({ message: say("arms.none") }); return; }
    clearTimeout(timer);
    const far = make("span", { id: "far" });
    fill(places.told, make("p", { class: "small" }, say("evaluating") + " ", far, " ", button(say("stop"), stop, { id: "stop" })));
    fill(places.results);
    const begun = performance.now();
    const answer = await corpusLab.ask({ op: "evaluate", arms, documents: corpus.documents, pairs: corpus.pairs, hash_seeds: 1 }, "evaluate", goesOn(far));
    if (!answer) return;
    if (answer.error) { told(Saying.problem(answer)); return; }
    small(say("corpus.read", answer.documents, answer.positives, answer.negatives) + " " + say("evaluated", ((performance.now() - begun) / 1000).toFixed(1)));
    results = { answer, corpus };
    Results.show(places.results, results);
  }

  // Removes a warning when its text or choice changes.
  function forget() {
    if (places.told.querySelector(".warning")) told();
  }
  function box() {
    const area = make("textarea", { id: "corpus", rows: 9, spellcheck: "false", wrap: "off" });
    area.value = text;
    on(area, "input", () => { text = area.value; forget(); clearTimeout(timer); timer = setTimeout(look, 200); });
    Drop.on(area, take, warn);
    places.area = area;
    return [make("label", { for: "corpus" }, say("corpus.text")), area];
  }
  function fileButton() {
    const input = make("input", { type: "file", class: "unseen", id: "file", tabindex: "-1", "aria-hidden": "true" });
    on(input, "change", () => { if (input.files.length) Drop.take(input.files[0], take, warn); input.value = ""; });
    return [input, button(say("corpus.file"), () => input.click())];
  }
  function armBoxes() {
    const boxes = Compare.arms().map((arm) => {
      const input = make("input", { type: "checkbox" });
      input.checked = chosen.has(arm);
      on(input, "change", () => { forget(); if (input.checked) chosen.add(arm); else chosen.delete(arm); });
      return [arm, make("label", {}, input, " " + arm)];
    });
    const first = boxes.filter(([arm]) => USUAL.includes(arm)), rest = boxes.filter(([arm]) => !USUAL.includes(arm)), labels = (list) => list.map(([, label]) => label);
    fill(places.arms, make("legend", {}, say("corpus.arms")), ...labels(first), rest.length ? make("details", rest.some(([arm]) => chosen.has(arm)) ? { open: "" } : {}, make("summary", {}, say("more.arms", rest.length)), ...labels(rest)) : "");
  }
  function build() {
    places.told = make("div", { role: "status", id: "told" });
    places.results = make("div", { id: "results" });
    places.arms = make("fieldset", { class: "arms" });
    armBoxes();
    const ways = make("ul", { class: "small" }, ...["lines", "tsv", "jsonl"].map((way) => make("li", {}, say("corpus." + way))));
    const section = make("section", {}, make("h2", {}, say("corpus")), make("p", {}, say("corpus.how")), ways, ...box(),
      make("div", { class: "buttons" }, ...fileButton(), button(say("corpus.example"), () => take(EXAMPLES[Language.column]))), places.arms,
      make("div", { class: "buttons" }, button(say("evaluate"), evaluate, { class: "main", id: "evaluate" })), places.told, places.results);
    if (results) Results.show(places.results, results);
    return section;
  }
  return { build, start: armBoxes };
})();
