// SPDX-License-Identifier: GPL-3.0-or-later
// Details of a fingerprint: its bits, slots or letters as a grid, the features of each, and the features of both texts.
const Places = (() => {
  const MOST_LISTED = 60;
  let current = 0; // number of the latest request

  // ---- Features of a position, from the lab's explanation ----

  const stepWith = (steps, ...names) => steps.find((step) => names.every((name) => step.columns.includes(name)));
  const columnOf = (step, name) => step.rows.map((row) => row[step.columns.indexOf(name)]);
  const numbers = (text) => text.split(" ").map(Number);

  // [{ term, vote }…] of every bit, or only the sums; null for an algorithm whose bits are not signs of sums.
  function votesOf(steps) {
    const signed = stepWith(steps, "term", "signed weights"), drawn = stepWith(steps, "term", "coordinates");
    const summed = stepWith(steps, "sums"), made = signed || drawn;
    if (!summed) return null;
    const sums = numbers(columnOf(summed, "sums")[0]);
    if (!made) return { sums, terms: null };
    const terms = columnOf(made, "term"), weights = columnOf(made, "weight");
    const rows = columnOf(made, signed ? "signed weights" : "coordinates").map((text, i) => numbers(text).map((value) => (signed ? value : value * weights[i])));
    return { sums, terms, rows };
  }
  function tellBit(steps, place, bit) {
    const found = votesOf(steps);
    if (!found) return [make("p", {}, say("none"))];
    const { sums, terms, rows } = found, sum = tidy(sums[place], 3);
    if (!terms) return [make("p", {}, say("sum.alone", sum))];
    const votes = terms.map((term, i) => ({ term, vote: rows[i][place] })).sort((x, y) => Math.abs(y.vote) - Math.abs(x.vote));
    const list = (sign, name) => {
      const some = votes.filter(({ vote }) => vote * sign > 0);
      return make("div", {}, make("h4", {}, say(name) + " (" + some.length + ")"), chips(some.map(({ term, vote }) => [term, tidy(vote)])));
    };
    return [make("p", {}, say("sum", sum, bit)), make("div", { class: "votes" }, list(1, "for"), list(-1, "against"))];
  }
  function tellSlot(steps, place) {
    const step = stepWith(steps, "slot", "term"), row = step && step.rows.find((one) => one[0] === place + 1);
    return [make("p", {}, row ? say("keeps", row[1], row[2]) : say("none"))];
  }
  function tellLetter(steps, place) {
    const step = stepWith(steps, "letter", "level"), row = step && step.rows[place], at = (name) => row[step.columns.indexOf(name)];
    return [make("p", {}, row ? say("level", at("level"), at("count"), tidy(at("frequency") * 100, 1), tidy(at("reference") * 100, 1)) : say("none"))];
  }

  // ---- Features ----

  function chips(list) {
    const items = list.slice(0, MOST_LISTED).map(([term, more]) => make("li", {}, ...fplab.shown(term), more === undefined ? "" : make("span", { class: "small" }, " " + more)));
    if (list.length > MOST_LISTED) items.push(make("li", { class: "rest" }, say("more", list.length - MOST_LISTED)));
    return list.length ? make("ul", { class: "chips" }, ...items) : make("p", { class: "small" }, say("none"));
  }
  function sets(a, b) {
    const has = (features) => new Set(features.hash), inA = has(a), inB = has(b);
    const rows = (features, keep) => features.term.map((term, i) => [term, tidy(features.weight[i]), features.hash[i]]).filter((row) => keep(row[2]));
    const part = (name, list, ...values) => make("div", {}, make("h4", {}, say(name, ...values, list.length)), chips(list));
    return make("div", { class: "sets" }, part("both", rows(a, (hash) => inB.has(hash))), part("only", rows(a, (hash) => !inB.has(hash)), "A"), part("only", rows(b, (hash) => !inA.has(hash)), "B"));
  }
  async function tellFeatures(place, row, texts, number) {
    const [a, b] = await Promise.all(["a", "b"].map((side) => ask({ op: "features", arm: row.spec, text: texts[side] }, "features-" + side)));
    if (!a || !b || number !== current) return;
    if (a.error || b.error) { fill(place); return; }
    fill(place, a.features.term.length + b.features.term.length ? sets(a.features, b.features) : make("p", { class: "small" }, say("whole")));
  }

  // ---- Grid ----

  const GRIDS = {
    bits: { name: "bit", hint: "bits.hint", tell: tellBit },
    slots: { name: "slot", hint: "slots.hint", tell: tellSlot },
    letters: { name: "letter", hint: "letters.hint", tell: tellLetter },
  };
  function kindOf(row) {
    if (row.algorithm === "pinyin" && /^[0-9]{20}$/.test(row.a.fingerprint)) return "letters";
    if (row.a.bits) return "bits";
    return row.slots && row.differing ? "slots" : null;
  }
  const LETTERS = "bcdfghjklmnpqrstwxyz";
  function cellsOf(kind, row) {
    if (kind === "letters") return [...LETTERS].map((letter, i) => ({ name: letter, head: letter, a: row.a.fingerprint[i], b: row.b.fingerprint[i], differs: row.a.fingerprint[i] !== row.b.fingerprint[i] }));
    if (kind === "bits") return [...row.a.bits].map((bit, i) => ({ name: i + 1, a: bit, b: row.b.bits[i], differs: bit !== row.b.bits[i] }));
    const differing = new Set(row.differing);
    return Array.from({ length: row.slots }, (_, i) => ({ name: i + 1, head: String(i + 1), differs: differing.has(i) }));
  }
  function labelOf(kind, cell) {
    const name = say(GRIDS[kind].name, cell.name);
    if (kind === "slots") return say(cell.differs ? "slot.differs" : "slot.same", name);
    return cell.differs ? say("place.differs", name, cell.a, cell.b) : say("place.same", name, cell.a);
  }
  // For sight only; screen readers read the label.
  const seen = (kind, text) => make("span", { class: kind, "aria-hidden": "true" }, text);
  function cellOf(kind, cell, i, tell) {
    const made = make("button", { type: "button", class: "cell" + (cell.differs ? " differs" : ""), tabindex: i ? "-1" : "0", "data-place": i }, make("span", { class: "unseen" }, labelOf(kind, cell)),
      ...(cell.head ? [seen("head", cell.head)] : []), ...(kind === "slots" ? [] : [seen("", cell.a), seen("", cell.b)]), seen("apart", cell.differs ? "≠" : " "));
    on(made, "focus", () => tell(i, made));
    on(made, "mouseenter", () => tell(i, made));
    return made;
  }
  // Arrow keys move within the grid, Home and End to its ends.
  function moves(grid) {
    on(grid, "keydown", (event) => {
      const list = [...grid.children], from = list.indexOf(document.activeElement);
      const wide = list.filter((cell) => cell.offsetTop === list[0].offsetTop).length;
      const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: wide, ArrowUp: -wide, Home: -from, End: list.length - 1 - from }[event.key];
      if (step === undefined || from < 0) return;
      event.preventDefault();
      const to = Math.min(list.length - 1, Math.max(0, from + step));
      list[from].tabIndex = -1;
      list[to].tabIndex = 0;
      list[to].focus();
    });
  }

  function gridOf(row, texts, behind, number) {
    const kind = kindOf(row);
    if (!kind) return [];
    const { hint, tell, name } = GRIDS[kind], cells = cellsOf(kind, row), steps = {};
    const explained = (side) => (steps[side] = steps[side] || ask({ op: "explain", arm: row.spec, text: texts[side] }));
    let latest = -1;
    const show = async (i, cell) => {
      if (latest === i) return;
      latest = i;
      for (const other of cell.parentNode.children) other.classList.toggle("current", other === cell);
      const [a, b] = await Promise.all([explained("a"), explained("b")]);
      if (latest !== i || number !== current) return;
      const side = (which, reply, value) => make("div", {}, make("h4", {}, say("side", which)), ...(reply.error ? [Saying.problem(reply)] : tell(reply.steps, i, value)));
      fill(behind, make("h3", {}, labelOf(kind, cells[i])), make("div", { class: "sides" }, side("A", a, cells[i].a), side("B", b, cells[i].b)));
    };
    const grid = make("div", { class: "grid " + kind, role: "group", "aria-label": say("inside", row.arm) }, ...cells.map((cell, i) => cellOf(kind, cell, i, show)));
    moves(grid);
    return [make("p", { class: "small" }, say(hint, cells.length, cells.filter((cell) => cell.differs).length)), grid];
  }

  function show(place, row, texts) {
    const number = ++current;
    if (row.error) { fill(place); return; }
    const behind = make("div", { id: "behind", role: "status" }), features = make("div", { id: "features" });
    fill(place, make("h3", {}, say("inside", row.arm)), gridOf(row, { ...texts }, behind, number), behind, features);
    tellFeatures(features, row, { ...texts }, number);
  }
  return { show };
})();
