// SPDX-License-Identifier: GPL-3.0-or-later
// The frame of the lesson: the current view, navigation, language, font size.
{
  const page = document.getElementById("page"), root = document.documentElement;
  const VIEWS = ["start", ...Steps.map((step) => "step-" + step.id), "sheet", "teacher"];
  const stepOf = (view) => Steps.find((step) => "step-" + step.id === view);
  const titleOf = (view) => (stepOf(view) ? Steps.indexOf(stepOf(view)) + 1 + ". " + say(stepOf(view).id + ".title") : say("nav." + view));
  const current = () => (VIEWS.includes(location.hash.slice(1)) ? location.hash.slice(1) : "start");
  const uncovered = new Set(); // steps whose results are shown
  let shown = "", width = 0;

  // ---- The frame ----

  const link = (view, text, attributes = {}) => make("a", { href: "#" + view, ...attributes }, text);
  function header() {
    return make("header", { class: "bar" }, link("start", say("title"), { class: "home" }),
      make("div", { class: "tools" }, button(say("large"), (event) => { const large = root.classList.toggle("large"); event.currentTarget.setAttribute("aria-pressed", large); show(); }, { "aria-pressed": root.classList.contains("large") ? "true" : "false", "data-press": "large" }),
        button(say("language"), () => { choose(Words.language() === "zh" ? "en" : "zh"); show(); }, { lang: Words.language() === "zh" ? "en" : "zh-CN", "data-press": "language" })));
  }
  function navigation(view) {
    const entry = (one) => make("li", {}, link(one, titleOf(one), one === view ? { "aria-current": "page" } : {}));
    return make("details", { class: "nav", open: innerWidth >= 60 * rem() }, make("summary", {}, say("nav")), make("nav", { "aria-label": say("nav") }, make("ul", {}, VIEWS.map(entry))));
  }
  function ways(view) {
    const at = VIEWS.indexOf(view), before = VIEWS[at - 1], after = VIEWS[at + 1];
    return make("footer", { class: "ways" }, before ? link(before, "◂ " + say("previous"), { class: "way", rel: "prev" }) : make("span", {}), after ? link(after, say("next") + titleOf(after) + " ▸", { class: "way", rel: "next" }) : null);
  }

  // ---- Views ----

  function startView(place) {
    place.append(make("h1", {}, say("start.title")), ...paragraphs("start.text"), make("h2", {}, say("start.rules")),
      make("ol", { class: "rules" }, [1, 2, 3].map((number) => make("li", {}, say("start.rule" + number)))),
      make("p", {}, link(VIEWS[1], say("start.begin") + " ▸", { class: "way" })), make("p", { class: "small" }, say("keys")),
      make("h2", {}, say("start.steps")), make("ul", { class: "contents" }, VIEWS.filter(stepOf).map((view) => make("li", {}, link(view, titleOf(view))))),
      make("h2", {}, say("start.others")), make("ul", { class: "contents" }, make("li", {}, link("sheet", say("nav.sheet"))), make("li", {}, link("teacher", say("nav.teacher")))));
  }
  const exercise = (id) => (_, i) => make("li", {}, make("p", {}, rich(say(id + ".q" + (i + 1)))), make("details", { class: "answer" }, make("summary", {}, say("answer")), make("p", {}, rich(say(id + ".a" + (i + 1))))));
  function stepView(step, place) {
    const board = make("div", { class: "board" });
    const covered = step.hides && !uncovered.has(step.id);
    place.classList.toggle("covered", covered);
    const uncover = button(say("uncover"), () => {
      uncovered.add(step.id);
      place.classList.remove("covered");
      uncover.remove();
      board.replaceChildren(); // covered drawings had no width: redraw
      step.build(board);
    }, { class: "uncover", "data-press": "uncover" });
    place.append(make("p", { class: "number-of" }, say("step", Steps.indexOf(step) + 1, ...minutesOf(step))), make("h1", {}, say(step.id + ".title")), ...paragraphs(step.id + ".text"),
      make("aside", { class: "ask" }, make("strong", {}, say("ask")), " ", rich(say(step.id + ".ask")), covered ? uncover : null), board,
      make("aside", { class: "keep" }, make("strong", {}, say("keep")), " ", rich(say(step.id + ".keep"))),
      make("section", { class: "exercises" }, make("h2", {}, say("exercises")), make("ol", {}, Array.from({ length: step.exercises }, exercise(step.id)))));
    step.build(board);
  }

  function show() {
    const view = current(), step = stepOf(view), place = make("article", { id: "view", tabindex: -1 }), place_of = { start: startView, sheet: (to) => sheet(to, show), teacher };
    const moved = view !== shown;
    page.className = step ? "step" : view;
    page.replaceChildren(header(), make("div", { class: "columns" }, navigation(view), place));
    if (step) stepView(step, place);
    else place_of[view](place);
    place.append(ways(view));
    document.title = titleOf(view) + " · " + say("title");
    if (moved && shown) { place.focus({ preventScroll: true }); scrollTo(0, 0); }
    [shown, width] = [view, innerWidth];
  }

  // ---- Language, keys, resizing ----

  function choose(language) {
    Words.choose(language);
    root.lang = language === "zh" ? "zh-CN" : "en";
  }
  const typing = (element) => element && (/^(TEXTAREA|INPUT|SELECT)$/.test(element.tagName) || element.getAttribute("role") === "slider");
  addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || typing(event.target)) return;
    const way = { PageDown: "next", PageUp: "prev" }[event.key], to = way && document.querySelector('.ways a[rel="' + way + '"]');
    if (to && (way === "next" ? scrollY + innerHeight >= root.scrollHeight - 4 : scrollY <= 0)) { event.preventDefault(); location.hash = to.hash; }
  });
  root.classList.toggle("large", new URLSearchParams(location.search).has("large"));
  addEventListener("hashchange", show);
  addEventListener("resize", () => { if (innerWidth !== width) show(); });
  choose(root.dataset.opens || ((navigator.language || "en").startsWith("zh") ? "zh" : "en"));
  show();
}
