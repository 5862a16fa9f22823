// SPDX-License-Identifier: GPL-3.0-or-later
// The teacher's page: purpose, preparation, the plan of 45 minutes, common misconceptions.
const teacher = (() => {
  const CLOSING = 1, GOALS = 5, PREPARATIONS = 5, MISCONCEPTIONS = 7;
  const list = (stem, count) => make("ul", {}, Array.from({ length: count }, (_, i) => make("li", {}, rich(say(stem + (i + 1))))));

  // [[from, to, name of the step, its number]…]
  function plan() {
    const rows = Steps.map((step, at) => [...minutesOf(step), step.id, at]), end = rows[rows.length - 1][1];
    return [[0, OPENING, "start"], ...rows, [end, end + CLOSING, "end"]];
  }
  const named = (id, at) => (at === undefined ? say(id === "start" ? "nav.start" : "teacher.end") : make("a", { href: "#step-" + id }, at + 1 + ". " + say(id + ".title")));

  return (place) => {
    place.append(make("h1", {}, say("teacher.title")), ...paragraphs("teacher.text"),
      make("h2", {}, say("teacher.goals")), list("teacher.goal", GOALS), make("h2", {}, say("teacher.prepare")), list("teacher.prepare", PREPARATIONS),
      make("h2", {}, say("teacher.plan")), make("p", {}, rich(say("teacher.links"))),
      tableOf(say("teacher.plan"), [say("teacher.minutes"), say("teacher.stepname"), say("teacher.does"), say("teacher.asks")],
        plan().map(([from, to, id, at]) => [from + "–" + to, named(id, at), say("teacher.do." + id), say("teacher.ask." + id)]), { class: "wide plan minutes" }),
      make("h2", {}, say("teacher.short")), ...paragraphs("teacher.shorttext"),
      make("h2", {}, say("teacher.misconceptions")),
      tableOf(say("teacher.misconceptions"), [say("teacher.misc"), say("teacher.reply")], Array.from({ length: MISCONCEPTIONS }, (_, i) => [say("teacher.misc" + (i + 1)), say("teacher.reply" + (i + 1))]), { class: "wide plan" }));
  };
})();
