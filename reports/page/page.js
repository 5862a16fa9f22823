// SPDX-License-Identifier: GPL-3.0-or-later
// The page's own script: languages, the threshold, boxes for arms. Asks for nothing from outside.
"use strict";
(function () {
  const root = document.documentElement;
  const place = document.getElementById("data");
  const data = place ? JSON.parse(place.textContent) : { words: {}, arms: [] };
  const buttons = [...document.querySelectorAll("[data-language]")];
  const hidden = new Set();
  const slider = document.getElementById("threshold");
  const SVG = "http://www.w3.org/2000/svg";

  const chinese = () => (buttons.length ? root.dataset.show === "zh" : root.lang.startsWith("zh"));
  const word = (name) => data.words[name][chinese() ? 1 : 0];

  // ---- Making elements ----

  function make(name, attributes, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  }
  function draw(name, attributes, ...children) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  }

  // ---- Counts at a threshold ----

  // Where results.tsv has the threshold, its row; elsewhere whole distances are counted in the histogram, which has a bar for
  // each, and others follow from the last point of the curve.
  function countable(arm) {
    return arm.bars.length > 0 && arm.bars.every((bar) => bar[1] - bar[0] === 1) && arm.curve.every((point) => Number.isInteger(point[0]));
  }
  for (const arm of data.arms) {
    arm.at = new Map(arm.results.map((row) => [row[0], row]));
    arm.countable = countable(arm);
    arm.negatives = arm.pairs - arm.positives;
  }

  function pointAt(arm, threshold) {
    let low = 0, high = arm.curve.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (arm.curve[middle][0] <= threshold) low = middle + 1;
      else high = middle;
    }
    return low ? arm.curve[low - 1] : null;
  }

  function countsBeyond(arm, threshold, point) {
    if (arm.countable) {
      let tp = 0, fp = 0;
      for (const bar of arm.bars) if (bar[0] <= threshold) { tp += bar[2]; fp += bar[3]; }
      return [tp, fp];
    }
    if (!point) return [0, 0];
    const tp = point[2] * arm.positives;
    return [tp, point[1] > 0 ? tp / point[1] - tp : null];
  }

  const tidy = (value) => (value === null ? null : Math.round(value * 1e6) / 1e6);

  function figuresAt(arm, threshold) {
    const row = arm.at.get(threshold);
    if (row) {
      return { tp: row[1], fp: row[2], fn: row[3], tn: row[4], precision: row[5], precisionRange: [row[6], row[7]],
        recall: row[8], recallRange: [row[9], row[10]], f1: row[11], derived: false };
    }
    const point = pointAt(arm, threshold);
    const [tp, fp] = countsBeyond(arm, threshold, point).map(tidy);
    const f1 = fp === null || arm.positives === 0 ? null : 2 * tp / (tp + fp + arm.positives);
    return { tp, fp, fn: tidy(arm.positives - tp), tn: fp === null ? null : tidy(arm.negatives - fp),
      precision: point ? point[1] : null, recall: point ? point[2] : 0, f1, derived: true };
  }

  // ---- The table ----

  const count = (value) => (value === null ? "–" : String(Math.round(value * 10) / 10));
  const share = (value) => (value === null ? "–" : value.toFixed(3));
  function withRange(figures, name) {
    const range = figures[name + "Range"];
    if (range && range[0] !== null) return share(figures[name]) + " (" + share(range[0]) + "–" + share(range[1]) + ")";
    return (figures.derived && figures[name] !== null ? "≈ " : "") + share(figures[name]);
  }

  const several = new Set(data.arms.map((arm) => arm.corpus)).size > 1;
  const shown = () => data.arms.filter((arm) => !hidden.has(arm.number));

  function key(arm) {
    return make("span", { class: "key k" + (arm.number % 8) }, String(arm.number + 1));
  }

  function showCounts(threshold) {
    const names = ["tp", "fp", "fn", "tn", "precision", "recall", "f1"];
    const head = make("tr", {}, make("th", { scope: "col" }, word("arm")), make("th", { scope: "col" }, word("scale")));
    if (several) head.prepend(make("th", { scope: "col" }, word("corpus")));
    for (const name of names) head.append(make("th", { scope: "col", class: "number" }, word(name)));
    const body = make("tbody", {});
    let derived = false;
    for (const arm of shown()) {
      const figures = figuresAt(arm, threshold);
      derived = derived || figures.derived;
      const row = make("tr", { "data-live": arm.number });
      if (several) row.append(make("td", {}, arm.corpus));
      row.append(make("th", { scope: "row" }, key(arm), " " + arm.arm), make("td", {}, arm.scale));
      for (const name of names.slice(0, 4)) row.append(make("td", { class: "number", "data-name": name, "data-value": figures[name] }, count(figures[name])));
      for (const name of names.slice(4, 6)) row.append(make("td", { class: "number", "data-name": name, "data-value": figures[name] }, withRange(figures, name)));
      row.append(make("td", { class: "number", "data-name": "f1", "data-value": figures.f1 }, (figures.derived && figures.f1 !== null ? "≈ " : "") + share(figures.f1)));
      body.append(row);
    }
    document.getElementById("counts").replaceChildren(make("table", {}, make("thead", {}, head), body));
    document.getElementById("derived").textContent = derived ? word("derived") : "";
    document.getElementById("spoken").textContent = word("threshold") + " " + threshold;
  }

  // ---- Precision against recall ----

  const corpora = [...new Set(data.arms.map((arm) => arm.corpus))];
  const LEFT = 40, RIGHT = 452, TOP = 12, BOTTOM = 292;
  const across = (recall) => LEFT + recall * (RIGHT - LEFT);
  const up = (precision) => BOTTOM - precision * (BOTTOM - TOP);

  function axes(picture) {
    for (let tick = 0; tick <= 1.001; tick += 0.25) {
      picture.append(draw("path", { class: "grid", d: "M" + across(tick) + " " + TOP + "V" + BOTTOM + "M" + LEFT + " " + up(tick) + "H" + RIGHT }));
      picture.append(draw("text", { x: across(tick), y: BOTTOM + 15, "text-anchor": "middle" }, String(tick)));
      picture.append(draw("text", { x: LEFT - 5, y: up(tick) + 4, "text-anchor": "end" }, String(tick)));
    }
    picture.append(draw("text", { x: (LEFT + RIGHT) / 2, y: BOTTOM + 32, "text-anchor": "middle" }, word("recall")));
    picture.append(draw("text", { x: 10, y: (TOP + BOTTOM) / 2, "text-anchor": "middle", transform: "rotate(-90 10 " + (TOP + BOTTOM) / 2 + ")" }, word("precision")));
  }

  function line(arm) {
    const points = arm.curve.filter((point) => point[1] !== null);
    return points.map((point, i) => (i ? "L" : "M") + across(point[2]).toFixed(1) + " " + up(point[1]).toFixed(1)).join("");
  }

  function dot(arm, figures) {
    const x = across(figures.recall).toFixed(1), y = up(figures.precision).toFixed(1);
    return draw("g", { class: "dot" }, draw("circle", { cx: x, cy: y, r: 8, fill: "var(--k" + (arm.number % 8) + ")" }),
      draw("text", { x, y: Number(y) + 4 }, String(arm.number + 1)));
  }

  function showCurves(threshold) {
    const pictures = corpora.map((corpus) => {
      const arms = shown().filter((arm) => arm.corpus === corpus);
      const picture = draw("svg", { viewBox: "0 0 460 330", role: "img", "aria-label": corpus + ": " + word("precision") + ", " + word("recall") });
      axes(picture);
      for (const arm of arms) {
        picture.append(draw("path", { d: line(arm), fill: "none", stroke: "var(--k" + (arm.number % 8) + ")", "stroke-width": 2,
          "stroke-dasharray": ["none", "7 3", "2 3"][Math.floor(arm.number / 8) % 3] }));
      }
      for (const arm of arms) {
        const figures = figuresAt(arm, threshold);
        if (figures.precision !== null && figures.recall !== null) picture.append(dot(arm, figures));
      }
      return make("figure", {}, picture, make("figcaption", {}, corpus));
    });
    document.getElementById("curves").replaceChildren(...pictures);
  }

  // ---- Distances ----

  const WIDTH = 330, HALF = 55, MIDDLE = 72, BELOW = MIDDLE + HALF + 12;

  function bars(arm, threshold) {
    const most = Math.max(...arm.bars.map((bar) => bar[1]));
    const largest = [2, 3].map((i) => Math.max(1e-9, ...arm.bars.map((bar) => bar[i])));
    const x = (distance) => 4 + (distance / most) * (WIDTH - 8);
    const picture = draw("svg", { viewBox: "0 0 " + WIDTH + " 158", role: "img",
      "aria-label": arm.arm + ": " + word("distance") + ", " + word("threshold") + " " + threshold });
    for (const bar of arm.bars) {
      const width = Math.max(0.5, x(bar[1]) - x(bar[0]) - 0.6), above = bar[2] / largest[0] * HALF, below = bar[3] / largest[1] * HALF;
      if (above > 0) picture.append(draw("rect", { class: "positive", x: x(bar[0]), y: MIDDLE - above, width, height: above }));
      if (below > 0) picture.append(draw("rect", { class: "negative", x: x(bar[0]), y: MIDDLE, width, height: below }));
    }
    picture.append(draw("path", { class: "axis", d: "M4 " + MIDDLE + "H" + (WIDTH - 4) }));
    // What is at the threshold itself is called: the line stands behind it, where distances are whole.
    const at = Math.min(most, threshold + (arm.countable ? 1 : 0));
    picture.append(draw("path", { class: "mark", d: "M" + x(at) + " 14V" + (MIDDLE + HALF + 2) }));
    picture.append(draw("text", { x: 4, y: BELOW + 15 }, "0"));
    picture.append(draw("text", { x: WIDTH - 4, y: BELOW + 15, "text-anchor": "end" }, arm.scale));
    picture.append(draw("text", { x: 4, y: 11 }, word("duplicates")), draw("text", { x: 4, y: BELOW }, word("others")));
    return make("figure", {}, picture, make("figcaption", {}, key(arm), " " + (several ? arm.corpus + ", " : "") + arm.arm));
  }

  function show() {
    const threshold = Number(slider.value);
    document.getElementById("shown").textContent = threshold;
    showCounts(threshold);
    showCurves(threshold);
    document.getElementById("bars").replaceChildren(...shown().filter((arm) => arm.bars.length).map((arm) => bars(arm, threshold)));
  }

  // ---- What the reader does ----

  function toggle(box) {
    const number = Number(box.dataset.box);
    if (box.checked) hidden.delete(number);
    else hidden.add(number);
    for (const element of document.querySelectorAll('[data-arm="' + number + '"]')) element.toggleAttribute("data-off", !box.checked);
    show();
  }

  function speak(language) {
    root.dataset.show = language;
    root.lang = language === "zh" ? "zh-CN" : "en";
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.language === language));
    if (slider && data.arms.length) show();
  }

  function begin() {
    if (slider && data.arms.length) {
      const ends = data.arms.flatMap((arm) => [...arm.bars.map((bar) => bar[0]), ...arm.results.map((row) => row[0])]);
      slider.max = Math.ceil(Math.max(1, ...ends));
      document.getElementById("board").hidden = false;
      slider.addEventListener("input", show);
      for (const box of document.querySelectorAll("[data-box]")) box.addEventListener("change", () => toggle(box));
      slider.value = Math.min(10, Number(slider.max));
      show();
    }
    if (buttons.length) {
      buttons[0].parentElement.hidden = false;
      for (const button of buttons) button.addEventListener("click", () => speak(button.dataset.language));
      speak((navigator.language || "en").startsWith("zh") ? "zh" : "en");
    }
    // On paper all is open.
    window.addEventListener("beforeprint", () => { for (const part of document.querySelectorAll("details")) part.open = true; });
  }
  begin();
})();
