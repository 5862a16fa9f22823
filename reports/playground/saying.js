// SPDX-License-Identifier: GPL-3.0-or-later
// Translates messages of the lab to the page's language: matches them with the English texts "error.…" and "caution.…", which
// have a Chinese version. A message without a match is described by its kind, with the original folded below.
const Saying = (() => {
  const literal = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  // { name, pattern, order } of each text of a part. The pattern's groups are the values; `order`: their order in the message.
  const templates = (part, end) => Object.keys(WORDS).filter((name) => name.startsWith(part)).map((name) => {
    const pieces = WORDS[name][0].split(/\{(\d)\}/);
    return { name, order: pieces.filter((_, i) => i % 2).map(Number), pattern: new RegExp("^" + pieces.map((piece, i) => (i % 2 ? "([^]*?)" : literal(piece))).join("") + end) };
  });
  const errors = templates("error.", "$"), cautions = templates("caution.", "(?:; |$)");

  // [translation of the beginning of a line, rest of the line]; null if no template matches.
  function take(list, line) {
    for (const { name, order, pattern } of list) {
      const found = pattern.exec(line), values = [];
      if (!found) continue;
      order.forEach((place, i) => { values[place] = found[i + 1]; });
      return [say(name, ...values), line.slice(found[0].length)];
    }
    return null;
  }
  // The translation of a line of one or several parts; null if there is none.
  function translated(list, line) {
    if (Language.column === 0) return line;
    const parts = [];
    for (let rest = line; rest; ) {
      const taken = take(list, rest);
      if (!taken) return null;
      parts.push(taken[0]);
      rest = taken[1];
    }
    return parts.join("；");
  }
  const folded = (title, line) => make("details", { class: "small original" }, make("summary", {}, title), make("p", { lang: "en" }, ...fplab.shown(line)));

  const translation = (line, otherwise, original) => (line === null ? make("div", { class: "warning" }, make("p", {}, say(otherwise)), folded(say("kind.line"), original)) : make("p", { class: "warning" }, line));

  // The message of a failed request: { error, status }, the lab's answer.
  const problem = ({ error, status }) => translation(translated(errors, error), WORDS["kind." + status] ? "kind." + status : "kind.other", error);
  // A warning about an arm.
  const caution = (text) => translation(translated(cautions, text), "caution", text);
  // A message of the page; `original`: the browser's message, only in English.
  const sentence = ({ message, original }) => make("div", { class: "warning" }, make("p", {}, message), ...(original ? [folded(say("corpus.json.why"), original)] : []));
  return { problem, caution, sentence };
})();
