// SPDX-License-Identifier: GPL-3.0-or-later
// The table of counts, and the pairs of each count.
// ---- The table ----

const count = (value) => (value === null ? "–" : String(Math.round(value * 10) / 10));
const share = (value) => (value === null ? "–" : value.toFixed(3));
function withRange(figures, name) {
  const range = figures[name + "Range"];
  if (range && range[0] !== null) return share(figures[name]) + " (" + share(range[0]) + "–" + share(range[1]) + ")";
  return (figures.derived && figures[name] !== null ? "≈ " : "") + share(figures[name]);
}
const key = (arm) => make("span", { class: "key k" + (arm.number % 8) }, String(arm.number + 1));

const CELLS = ["fp", "fn", "tp", "tn"];

function countCell(arm, at, figures, name) {
  const text = count(figures[name]), cell = make("td", { class: "number", "data-name": name, "data-value": figures[name] });
  if (!arm.cells) { cell.append(text); return cell; }
  const button = make("button", { type: "button", class: "count", "data-cell": name, "aria-label": word("open", word(name + "_long"), text, arm.arm) }, text);
  button.addEventListener("click", () => open(arm, name));
  cell.append(button);
  return cell;
}

function armRow(arm) {
  const at = thresholdOf(arm), figures = figuresAt(arm, at), row = make("tr", { "data-live": arm.number });
  if (several) row.append(make("td", {}, arm.corpus));
  row.append(make("th", { scope: "row" }, key(arm), " " + arm.arm), make("td", { class: "number", "data-name": "threshold", "data-value": at }, spell(at)), make("td", {}, inLanguage(arm.scale)));
  for (const name of ["precision", "recall"]) row.append(make("td", { class: "number", "data-name": name, "data-value": figures[name] }, withRange(figures, name)));
  row.append(make("td", { class: "number", "data-name": "f1", "data-value": figures.f1 }, (figures.derived && figures.f1 !== null ? "≈ " : "") + share(figures.f1)));
  for (const name of ["tp", "fp", "fn", "tn"]) row.append(countCell(arm, at, figures, name));
  // On a narrow screen a row is a card: every cell gets a label.
  for (const cell of row.querySelectorAll("td[data-name]")) cell.dataset.label = word(cell.dataset.name);
  return [row, figures.derived];
}

function showCounts() {
  const names = ["precision", "recall", "f1", "tp", "fp", "fn", "tn"];
  const head = make("tr", {}, make("th", { scope: "col" }, word("arm")), make("th", { scope: "col", class: "number" }, word("threshold")), make("th", { scope: "col" }, word("scale")));
  if (several) head.prepend(make("th", { scope: "col" }, word("corpus")));
  for (const name of names) head.append(make("th", { scope: "col", class: "number" }, WORDS[name + "_long"] ? make("abbr", { title: word(name + "_long") }, word(name)) : word(name)));
  const rows = armsShown().map(armRow);
  byId("counts").replaceChildren(make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows.map((row) => row[0]))));
  const notes = [];
  if (rows.some((row) => row[1])) notes.push(word(filtered() ? "selected" : "derived"));
  byId("derived").textContent = notes.join(chinese() ? "" : " ");
  byId("spoken").textContent = word("threshold") + " " + (rule() === "one" ? slider.value : word("own"));
}

// ---- Pairs of a count ----

let opened = null; // {arm, name, most}

const distanceOf = (arm, pair) => pair[5 + arm.lane];
// The pairs of a cell; errors farthest from the threshold first.
function pairsOf(arm, name, threshold) {
  const label = name === "tp" || name === "fn" ? 1 : 0, calls = name === "tp" || name === "fp", nearest = calls ? 1 : -1;
  return corpusOf(arm).pairs
    .filter((pair) => pair[2] === label && keeps(corpusOf(arm), pair[3], pair[4]) && (distanceOf(arm, pair) <= threshold) === calls)
    .sort((x, y) => nearest * (distanceOf(arm, x) - distanceOf(arm, y)));
}

const rounded = (value) => String(Math.round(value * 100) / 100);
const spread = (arm, pair) => rounded(distanceOf(arm, pair));

function documentOf(corpus, at, side, runs) {
  const [id, characters, text] = corpus.documents[at];
  const box = make("div", { class: "text" }, make("p", { class: "id" }, ...shown(id)));
  if (text === undefined) return box;
  box.append(make("div", { class: "body", dir: "auto" }, ...marked(runs, side)));
  if (characters > corpus.longest) box.append(make("p", { class: "small" }, word("cut", corpus.longest, characters)));
  return box;
}

function card(arm, pair) {
  const corpus = corpusOf(arm), texts = corpus.documents[pair[0]].length > 2;
  const runs = texts ? diff(corpus.documents[pair[0]][2], corpus.documents[pair[1]][2]) : [];
  const facts = [word("distance") + " " + spread(arm, pair)];
  if (corpus.kinds[pair[3]]) facts.unshift(corpus.kinds[pair[3]]);
  const others = data.arms.filter((other) => other.of === arm.of && other !== arm).map((other) => other.arm + " " + spread(other, pair));
  if (others.length) facts.push(word("others_say", others.join(word("comma"))));
  return make("li", { tabindex: "-1", "data-pair": JSON.stringify([corpus.documents[pair[0]][0], corpus.documents[pair[1]][0]]) },
    make("p", { class: "facts" }, ...shown(facts.join(" · "))),
    make("div", { class: "texts" }, documentOf(corpus, pair[0], "a", runs), documentOf(corpus, pair[1], "b", runs)));
}

function tabs(arm, figures, name) {
  const group = make("div", { class: "tabs", role: "group", "aria-label": word("cells") });
  for (const cell of CELLS) {
    const tab = make("button", { type: "button", "aria-pressed": String(cell === name), "data-tab": cell }, word(cell + "_long") + " " + count(figures[cell]));
    tab.addEventListener("click", () => { open(arm, cell); document.querySelector('[data-tab="' + cell + '"]').focus(); });
    group.append(tab);
  }
  return group;
}

const STEP = 10;
// Appends the next pairs of the list.
function append(arm, list) {
  const all = document.querySelector("ol.pairs"), from = all.children.length;
  all.append(...list.slice(from, opened.most).map((pair) => card(arm, pair)));
  const left = list.length - all.children.length, more = byId("more");
  more.hidden = left <= 0;
  more.textContent = word("more", Math.min(STEP, left), left);
  return all.children[from];
}
function showPairs() {
  const panel = byId("pairs");
  panel.hidden = !opened || hidden.arm.has(opened.arm.number);
  if (panel.hidden) { panel.replaceChildren(); return; }
  const { arm, name } = opened, threshold = thresholdOf(arm), corpus = corpusOf(arm), list = pairsOf(arm, name, threshold);
  const title = make("h3", { id: "pairs-title", tabindex: "-1" }, key(arm), " " + word("pairs_of", (several ? arm.corpus + word("comma") : "") + arm.arm, spell(threshold)));
  const close = make("button", { type: "button", class: "close" }, word("close")), more = make("button", { type: "button", id: "more" });
  close.addEventListener("click", shut);
  more.addEventListener("click", () => { opened.most += STEP; append(arm, list).focus(); });
  const said = corpus.pairs.length < corpus.total ? word("sampled", corpus.pairs.length, corpus.total, list.length) : word("whole", list.length);
  panel.replaceChildren(make("div", { class: "bar" }, title, close), tabs(arm, figuresAt(arm, threshold), name),
    make("p", { class: "small", id: "pairs-said" }, said + (list.length && corpus.documents.some((document) => document.length > 2) ? word("marks") : "")),
    make("ol", { class: "pairs" }), more);
  append(arm, list);
}
function open(arm, name) {
  opened = { arm, name, most: STEP };
  showPairs();
  byId("pairs-title").focus();
}
function shut() {
  const { arm, name } = opened;
  opened = null;
  showPairs();
  const rows = [...document.querySelectorAll("[data-live]")], back = rows[armsShown().indexOf(arm)];
  if (back) back.querySelector('[data-cell="' + name + '"]').focus();
}
