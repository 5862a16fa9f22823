// SPDX-License-Identifier: GPL-3.0-or-later
// What the lab says of its own accord, in the language of the page: its lines are matched with the English of the texts "error.…" and
// "caution.…", which have them in Chinese, too. A line that none matches is told by its kind, with the line itself folded below.
const Saying = (() => {
  const literal = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  // { name, pattern, order } of each text of a part: the pattern's groups are the values, in the order in which they stand in the line.
  const templates = (part, end) => Object.keys(WORDS).filter((name) => name.startsWith(part)).map((name) => {
    const pieces = WORDS[name][0].split(/\{(\d)\}/);
    return { name, order: pieces.filter((_, i) => i % 2).map(Number), pattern: new RegExp("^" + pieces.map((piece, i) => (i % 2 ? "([^]*?)" : literal(piece))).join("") + end) };
  });
  const errors = templates("error.", "$"), cautions = templates("caution.", "(?:; |$)");

  // [the beginning of a line in the page's language, the rest of the line]; null where no template has it.
  function take(list, line) {
    for (const { name, order, pattern } of list) {
      const found = pattern.exec(line), values = [];
      if (!found) continue;
      order.forEach((place, i) => { values[place] = found[i + 1]; });
      return [say(name, ...values), line.slice(found[0].length)];
    }
    return null;
  }
  // The line in the page's language, of one part or of several; null where it has no other than its own.
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

  const told = (line, otherwise, original) => (line === null ? make("div", { class: "warning" }, make("p", {}, say(otherwise)), folded(say("kind.line"), original)) : make("p", { class: "warning" }, line));

  // What failed: { error, status }, as the lab answers.
  const problem = ({ error, status }) => told(translated(errors, error), WORDS["kind." + status] ? "kind." + status : "kind.other", error);
  // What is to be heeded of an arm.
  const caution = (text) => told(translated(cautions, text), "caution", text);
  // A sentence of the page's own; `original`, of the browser, in English alone.
  const sentence = ({ message, original }) => make("div", { class: "warning" }, make("p", {}, message), ...(original ? [folded(say("corpus.json.why"), original)] : []));
  return { problem, caution, sentence };
})();
