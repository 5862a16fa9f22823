// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of the lesson, in order. A step is { id, minutes, exercises, hides, build(board) }; its texts are called id.title, id.text, id.ask,
// id.keep, and id.q1, id.a1 and so on. build() draws the board from what the step remembers, as often as it is asked to.
// hides: what it marks as .result would spoil the guess, and is covered until the class has guessed.
const Steps = [];
const addStep = (id, minutes, exercises, hides, build) => Steps.push({ id, minutes, exercises, hides, build });

// The minutes of the lesson in which a step has its place: [from, to]. The opening goes before.
const OPENING = 2;
function minutesOf(step) {
  const from = Steps.slice(0, Steps.indexOf(step)).reduce((sum, before) => sum + before.minutes, OPENING);
  return [from, from + step.minutes];
}

// A pair of boxes for texts of one's own; `change` follows.
function pairOfBoxes(texts, change) {
  return make("div", { class: "pair" },
    textBox(say("text.a"), texts.a, (text) => { texts.a = text; change(); }),
    textBox(say("text.b"), texts.b, (text) => { texts.b = text; change(); }));
}
