// SPDX-License-Identifier: GPL-3.0-or-later
// Showing it all, boxes, languages, and the beginning.
function show() {
  byId("shown").textContent = rule() === "one" ? slider.value : word("own");
  byId("shown").className = rule() === "one" ? "" : "own";
  showCounts();
  showPairs();
  showCurves();
  byId("bars").replaceChildren(...armsShown().filter((arm) => arm.bars.length).map(bars));
  byId("lacks").replaceChildren(...data.corpora.filter((corpus) => corpus.lack).map((corpus) => make("p", { class: "small" }, inLanguage(corpus.lack))));
}

// ---- Boxes ----

function toggle(what, value, checked) {
  if (checked) hidden[what].delete(value);
  else hidden[what].add(value);
  counted.clear();
  if (what === "arm") {
    for (const element of document.querySelectorAll('[data-arm="' + value + '"]')) element.toggleAttribute("data-off", !checked);
    showFront();
  }
  show();
}

// Of kinds and lengths there are boxes where there are two or more: [key, label].
function putBoxes(what, boxes) {
  const shape = byId(what + "-boxes");
  if (boxes.length < 2) return;
  shape.hidden = false;
  for (const [value, label] of boxes) {
    const box = make("input", { type: "checkbox", "data-part-box": value });
    box.checked = true;
    box.addEventListener("change", () => toggle(what, value, box.checked));
    shape.append(make("label", {}, box, " ", ...shown(label || "–")));
  }
}
const kindBoxes = () => [...new Set(data.corpora.flatMap((corpus) => corpus.kinds || []))].map((name) => [name, name]);
const lengthBoxes = () => data.corpora.flatMap((corpus) => (corpus.lengths || []).map((name, i) => [lengthKey(corpus, i), (several ? corpus.name + ": " : "") + name]));

// ---- What the reader does ----

function speak(language) {
  root.dataset.show = language;
  root.lang = language === "zh" ? "zh-CN" : "en";
  for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.language === language));
  showAll();
}
function showAll() {
  if (!slider || !data.arms.length) return;
  show();
  showFront();
}
function choose(value) {
  document.querySelector('[name=rule][value="' + value + '"]').checked = true;
  show();
}

function beginBoard() {
  const ends = data.arms.flatMap((arm) => [...arm.bars.map((bar) => bar[0]), ...arm.results.map((row) => row[0])]);
  slider.max = Math.ceil(Math.max(1, ...ends));
  byId("board").hidden = false;
  for (const [id, value] of [["threshold", "one"], ["ratio", "cost"], ["wanted", "precision"]]) byId(id).addEventListener("input", () => choose(value));
  for (const radio of document.querySelectorAll("[name=rule]")) radio.addEventListener("change", show);
  for (const box of document.querySelectorAll("[data-box]")) box.addEventListener("change", () => toggle("arm", Number(box.dataset.box), box.checked));
  putBoxes("kind", kindBoxes());
  putBoxes("length", lengthBoxes());
  slider.value = Math.min(10, Number(slider.max));
}

function begin() {
  if (slider && data.arms.length) beginBoard();
  if (buttons.length) {
    buttons[0].parentElement.hidden = false;
    for (const button of buttons) button.addEventListener("click", () => speak(button.dataset.language));
    speak((navigator.language || "en").startsWith("zh") ? "zh" : "en");
  } else showAll();
  // On paper all is open.
  window.addEventListener("beforeprint", () => { for (const part of document.querySelectorAll("details")) part.open = true; });
}
begin();
