// SPDX-License-Identifier: GPL-3.0-or-later
// Redrawing, checkboxes, languages, links, and start of the report.
function show() {
  keepPlace();
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

// Checkboxes for kinds or lengths if there are two or more: [key, label].
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

// ---- Links: state in the URL, contents, tables as files ----

// #h=22, #rule=precision&wanted=0.95, #rule=cost&ratio=5; hide=1,2 for hidden arms. No hash for the recommended answer.
function keepPlace() {
  const state = new URLSearchParams();
  if (rule() === "one") state.set("h", slider.value);
  if (rule() === "precision") state.set("wanted", byId("wanted").value);
  if (rule() === "cost") state.set("ratio", byId("ratio").value);
  if (hidden.arm.size) state.set("hide", [...hidden.arm].map((number) => number + 1).join(","));
  const text = state.toString();
  if (text || /[=]/.test(location.hash)) history.replaceState(null, "", text ? "#" + text : location.pathname + location.search);
}
function readPlace() {
  const state = new URLSearchParams(location.hash.slice(1)), put = (id, name) => { if (state.has(name)) byId(id).value = state.get(name); };
  put("threshold", "h");
  put("wanted", "wanted");
  put("ratio", "ratio");
  const value = state.has("h") ? "one" : state.has("wanted") ? "precision" : state.has("ratio") ? "cost" : "best";
  document.querySelector('[name=rule][value="' + value + '"]').checked = true;
  for (const number of (state.get("hide") || "").split(",").filter(Boolean)) {
    const box = document.querySelector('[data-box="' + (Number(number) - 1) + '"]');
    if (box) { box.checked = false; toggle("arm", Number(number) - 1, false); }
  }
}

function putContents() {
  const list = make("ul", {});
  for (const section of document.querySelectorAll("section[id]")) {
    const title = section.querySelector("h2");
    if (title) list.append(make("li", {}, make("a", { href: "#" + section.id }, ...[...title.childNodes].map((node) => node.cloneNode(true)))));
  }
  const contents = document.querySelector("nav.contents");
  if (contents) contents.append(list);
}
function asCsv(table) {
  const cell = (of) => { const text = [...of.childNodes].map((node) => (node.classList && node.classList.contains("zh") && of.querySelector(".en") ? "" : node.textContent)).join(""); return /[",\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text; };
  return [...table.rows].map((row) => [...row.cells].map(cell).join(",") + "\n").join("");
}
function putDownloads() {
  for (const table of document.querySelectorAll(".wide > table")) {
    const link = make("a", { class: "csv", download: (table.closest("section") || table).id + ".csv", href: "#" }, "CSV");
    link.addEventListener("click", () => { link.href = URL.createObjectURL(new Blob(["\ufeff" + asCsv(table)], { type: "text/csv" })); });
    table.parentElement.after(make("p", { class: "small" }, link));
  }
}

// ---- Input ----

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
  for (const [id, value] of [["threshold", "one"], ["ratio", "cost"], ["wanted", "precision"], ["estimate", "precision"]]) byId(id).addEventListener("input", () => choose(value));
  for (const radio of document.querySelectorAll("[name=rule]")) radio.addEventListener("change", show);
  for (const box of document.querySelectorAll("[data-box]")) box.addEventListener("change", () => toggle("arm", Number(box.dataset.box), box.checked));
  putBoxes("kind", kindBoxes());
  putBoxes("length", lengthBoxes());
  const first = data.arms.reduce((best, arm) => (arm.ap !== null && (!best || arm.ap > best.ap) ? arm : best), null);
  slider.value = first ? Math.round(first.best) : Math.min(10, Number(slider.max));
  byId("to-answer").addEventListener("click", () => { slider.value = first ? Math.round(first.best) : 10; choose("best"); });
  readPlace();
}

function begin() {
  putContents();
  putDownloads();
  if (slider && data.arms.length) beginBoard();
  if (buttons.length) {
    buttons[0].parentElement.hidden = false;
    for (const button of buttons) button.addEventListener("click", () => speak(button.dataset.language));
    speak((navigator.language || "en").startsWith("zh") ? "zh" : "en");
  } else showAll();
  // Opens all details for printing.
  window.addEventListener("beforeprint", () => { for (const part of document.querySelectorAll("details")) part.open = true; });
}
begin();
