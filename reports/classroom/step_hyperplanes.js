// SPDX-License-Identifier: GPL-3.0-or-later
// Random lines through the origin of a plane: the share that separates two vectors tends to their angle over π.
{
  const REACH = 9, SHOWN = 60;
  const state = { ends: [[7, 3], [2, 8]], thrown: [], path: [], draws: drawsFrom(1) };
  const turn = ([x, y]) => Math.atan2(y, x);
  // Between 0 and π.
  const between = ([u, v]) => Math.abs(Math.atan2(u[0] * v[1] - u[1] * v[0], u[0] * v[0] + u[1] * v[1]));
  const separates = (angle) => {
    const side = ([x, y]) => x * Math.cos(angle) + y * Math.sin(angle) > 0; // the angle is that of the line's normal
    return side(state.ends[0]) !== side(state.ends[1]);
  };

  function forget() {
    Object.assign(state, { thrown: [], path: [], draws: drawsFrom(1) });
  }
  function throwLines(count) {
    let apart = state.path.length ? state.path[state.path.length - 1] : 0;
    for (let i = 0; i < count; i++) {
      const angle = state.draws.share() * 2 * Math.PI, differs = separates(angle);
      apart += differs;
      state.thrown.push([angle, differs]);
      state.path.push(apart);
    }
    if (state.thrown.length > SHOWN) state.thrown = state.thrown.slice(-SHOWN);
  }

  // ---- Plane ----

  function plane(place, moved) {
    const size = widthOf(place, 26), half = size / 2, unit = half / (REACH + 1);
    const at = ([x, y]) => [half + x * unit, half - y * unit];
    const svg = picture(size, size, say("hyperplanes.plane"), draw("line", { class: "grid", x1: 0, x2: size, y1: half, y2: half }), draw("line", { class: "grid", y1: 0, y2: size, x1: half, x2: half }));
    svg.setAttribute("role", "group");
    svg.classList.add("plane");
    for (const [angle, differs] of state.thrown) {
      const [dx, dy] = [-Math.sin(angle) * half * 1.5, Math.cos(angle) * half * 1.5];
      svg.append(draw("line", { class: differs ? "thrown apart" : "thrown", x1: half - dx, y1: half + dy, x2: half + dx, y2: half - dy }));
    }
    state.ends.forEach((end, i) => svg.append(...handle(svg, end, i, at, { half, unit, moved })));
    return svg;
  }

  function handle(svg, end, i, at, { half, unit, moved }) {
    const [x, y] = at(end), name = "AB"[i];
    const place = (to) => {
      const next = to.map((value) => Math.max(-REACH, Math.min(REACH, Math.round(value))));
      if ((next[0] || next[1]) && (next[0] !== state.ends[i][0] || next[1] !== state.ends[i][1])) { state.ends[i] = next; forget(); moved(i); }
    };
    const point = draw("circle", { class: "handle k" + i, cx: x, cy: y, r: 0.75 * rem(), tabindex: 0, role: "slider", "data-handle": i,
      "aria-label": say("hyperplanes.handle", name), "aria-valuenow": Math.round((turn(end) * 180) / Math.PI), "aria-valuetext": "(" + end.join(", ") + ")",
      onkeydown: (event) => {
        const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
        if (!step) return;
        event.preventDefault();
        event.stopPropagation();
        place([state.ends[i][0] + step[0], state.ends[i][1] + step[1]]);
      },
      onpointerdown: (event) => {
        event.preventDefault();
        const follow = (next) => {
          const box = document.querySelector(".plane").getBoundingClientRect(), scale = (2 * half) / box.width;
          place([((next.clientX - box.left) * scale - half) / unit, (half - (next.clientY - box.top) * scale) / unit]);
        };
        const stop = () => { removeEventListener("pointermove", follow); removeEventListener("pointerup", stop); removeEventListener("pointercancel", stop); };
        addEventListener("pointermove", follow);
        addEventListener("pointerup", stop);
        addEventListener("pointercancel", stop);
      } });
    return [draw("line", { class: "arrow k" + i, x1: half, y1: half, x2: x, y2: y }), point,
      draw("text", { class: "name inside", x, y: y + 0.35 * rem(), "text-anchor": "middle" }, name)];
  }

  // ---- Observed count and theory ----

  function convergence(place, law) {
    const count = Math.max(100, state.path.length), on = chart(place, { label: say("hyperplanes.chart"),
      x: { from: 0, to: count, ticks: [0, count / 2, count], label: say("hyperplanes.lines"), shown: grouped },
      y: { from: 0, to: 1, ticks: [0, 0.25, 0.5, 0.75, 1], label: say("hyperplanes.share") }, height: 15, most: 34 });
    const steps = Array.from({ length: 60 }, (_, i) => Math.max(4, ((i + 1) * count) / 60));
    const spread = (n) => 2 * Math.sqrt((law * (1 - law)) / n);
    addBand(on, steps.map((n) => [n, Math.max(0, law - spread(n))]), steps.map((n) => [n, Math.min(1, law + spread(n))]));
    addCurve(on, [[0, law], [count, law]], "k2");
    const stride = Math.max(1, Math.floor(state.path.length / 600));
    const points = state.path.map((apart, i) => [i + 1, apart / (i + 1)]).filter((_, i) => i % stride === 0 || i === state.path.length - 1);
    if (points.length) addCurve(on, points, "k1");
    return [on.svg, legend([["k1", say("hyperplanes.counted")], ["k2", say("hyperplanes.law")], ["band", say("hyperplanes.band")]])];
  }

  function counted(place) {
    const angle = between(state.ends), law = angle / Math.PI, lines = state.path.length, apart = lines ? state.path[lines - 1] : 0;
    return [
      figures(figureOf("angle", decimals((angle * 180) / Math.PI, 1) + "°", say("hyperplanes.angle")), figureOf("law", decimals(law, 3), say("hyperplanes.expected")),
        figureOf("lines", grouped(lines), say("hyperplanes.thrown")), figureOf("apart", grouped(apart), say("hyperplanes.separate")),
        figureOf("share", lines ? decimals(apart / lines, 3) : "–", say("hyperplanes.share"))),
      convergence(place, law),
    ];
  }

  // ---- The lab's hyperplanes and its projection ----

  // A text whose vector of counts is (x, y).
  const textOf = ([x, y]) => ("x ".repeat(x) + "y ".repeat(y)).trim();

  async function fromLab() {
    if (state.ends.flat().some((value) => value < 0)) return make("p", { class: "small" }, say("hyperplanes.negative"));
    const bits = 1024, [row] = await lab.compare(["hyperplane:bits=" + bits + ",features=words,weight=tf"], textOf(state.ends[0]), textOf(state.ends[1]));
    return [rich(say("hyperplanes.lab", grouped(bits))), figures(figureOf("lab-differ", grouped(row.distance), say("hyperplanes.labdiffer", grouped(bits))),
      figureOf("lab-share", decimals(row.distance / bits, 3), say("hyperplanes.share")))];
  }

  async function projected() {
    const [x, y] = state.ends[0], sum = x - y, term = (value) => (value < 0 ? "(−" + -value + ")" : value);
    const line = formula("projection", term(x) + "·1 + " + term(y) + "·(−1) = " + signed(sum));
    return [make("p", {}, say("hyperplanes.onto", "(" + signed(x) + ", " + signed(y) + ")")), line];
  }

  addStep("hyperplanes", 5, 3, false, (board) => {
    const left = make("div", {}), right = make("div", {}), below = make("div", { class: "waits" }), shadow = make("div", {}), fill = filling(below), fillShadow = filling(shadow);
    const refresh = (focus = -1) => {
      left.replaceChildren(plane(left, refresh));
      right.replaceChildren(...counted(right).flat());
      if (focus >= 0) left.querySelector('[data-handle="' + focus + '"]').focus();
      fill(fromLab);
      fillShadow(projected);
    };
    const more = (count) => button(say("hyperplanes.throw", grouped(count)), () => { throwLines(count); refresh(); }, { "data-press": "throw-" + count });
    board.append(make("div", { class: "halves" }, make("div", {}, left, buttons(more(1), more(10), more(100), more(1000), button(say("again"), () => { forget(); refresh(); }))), right), below,
      make("h2", { class: "part" }, say("hyperplanes.projection")), shadow);
    refresh();
  });
}
