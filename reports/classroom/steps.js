// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of the lesson, in order. A step is { id, minutes, exercises, hides, build(board) }; its texts are called id.title, id.text, id.ask,
// id.keep, and id.q1, id.a1 and so on. build() draws the board from the step's state; it may be called repeatedly.
// hides: elements of class .result would spoil the guess and stay covered until the class has guessed.
const Steps = [];
const addStep = (id, minutes, exercises, hides, build) => Steps.push({ id, minutes, exercises, hides, build });

// The minutes of the lesson planned for a step: [from, to]. The opening comes first.
const OPENING = 2;
function minutesOf(step) {
  const from = Steps.slice(0, Steps.indexOf(step)).reduce((sum, before) => sum + before.minutes, OPENING);
  return [from, from + step.minutes];
}

// Two boxes for the user's own texts; calls `change` after input.
function pairOfBoxes(texts, change) {
  return make("div", { class: "pair" },
    textBox(say("text.a"), texts.a, (text) => { texts.a = text; change(); }),
    textBox(say("text.b"), texts.b, (text) => { texts.b = text; change(); }));
}
