// SPDX-License-Identifier: GPL-3.0-or-later
// Reads dropped files, and converts texts to a corpus: { documents: [{ id, text, group }], pairs: [[id, id, label]] }. Throws a
// Sentence, a message for the user, if a text cannot be read.
// `original`: the browser's message.
class Sentence extends Error {
  constructor(message, original) { super(message); this.original = original; }
}

const Drop = (() => {
  const MEGABYTE = 1048576, MOST = 5;

  // Checks the size before reading.
  async function read(file) {
    if (file.size > MOST * MEGABYTE) throw new Sentence(say("corpus.big", (file.size / MEGABYTE).toFixed(1), MOST));
    const bytes = await file.arrayBuffer();
    let text;
    try { text = new TextDecoder("utf-8", { fatal: true }).decode(bytes); } catch (_) { throw new Sentence(say("corpus.binary", file.name)); }
    if (text.includes("\0")) throw new Sentence(say("corpus.binary", file.name));
    return text;
  }
  async function take(file, use, tell) {
    try { use(await read(file)); } catch (error) { tell(error instanceof Sentence ? error : { message: say("corpus.binary", file.name) }); }
  }
  function onElement(element, use, tell) {
    on(element, "dragover", (event) => { if (event.dataTransfer.types.includes("Files")) { event.preventDefault(); element.classList.add("over"); } });
    on(element, "dragleave", () => element.classList.remove("over"));
    on(element, "drop", (event) => {
      element.classList.remove("over");
      if (!event.dataTransfer.files.length) return;
      event.preventDefault();
      take(event.dataTransfer.files[0], use, tell);
    });
  }
  return { on: onElement, take, most: MOST * MEGABYTE };
})();

const Reading = (() => {
  const MOST_TEXTS = 2000;

  // ---- Ground truth: groups or pairs ----

  function corpus() {
    const documents = [], pairs = [], ids = new Set();
    let kind = null;
    const freshId = (wanted) => {
      let id = wanted;
      for (let i = 2; ids.has(id); i++) id = wanted + "-" + i;
      ids.add(id);
      return id;
    };
    const add = (id, text, group) => {
      if (documents.length === MOST_TEXTS) throw new Sentence(say("corpus.many", "> " + MOST_TEXTS, MOST_TEXTS));
      documents.push(group === null ? { id: freshId(id), text } : { id: freshId(id), text, group });
      return documents[documents.length - 1].id;
    };
    const be = (wanted, line) => {
      if (kind && kind !== wanted) throw new Sentence(say("corpus.mixed", line));
      kind = wanted;
    };
    return {
      documents, pairs,
      text(line, id, text, group) { be("groups", line); add(id, text, group); },
      pair(line, a, b, label) {
        be("pairs", line);
        if (label !== 0 && label !== 1) throw new Sentence(say("corpus.label", line));
        pairs.push([add(line + "a", a, null), add(line + "b", b, null), label]);
      },
    };
  }

  // ---- Formats ----

  function readJson(lines, to) {
    lines.forEach((line, i) => {
      if (!line.trim()) return;
      let row;
      try { row = JSON.parse(line); } catch (error) { throw new Sentence(say("corpus.json", i + 1), error.message); }
      if (row && typeof row.a === "string" && typeof row.b === "string") to.pair(i + 1, row.a, row.b, Number(row.label));
      else if (row && typeof row.text === "string") to.text(i + 1, String(row.id ?? i + 1), row.text, row.group === undefined || row.group === null ? null : String(row.group));
      else throw new Sentence(say("corpus.object", i + 1));
    });
  }
  function readColumns(lines, to) {
    const rows = lines.map((line, i) => [i + 1, line.split("\t")]).filter(([, row]) => row.some((cell) => cell.trim()));
    const width = rows[0][1].length, labelled = width === 3 && rows.every(([, row]) => row[2] === "0" || row[2] === "1");
    if (width > 3) throw new Sentence(say("corpus.wide", rows[0][0], width));
    for (const [line, row] of rows) {
      if (row.length !== width) throw new Sentence(say("corpus.columns", line, row.length, width));
      if (labelled) to.pair(line, row[0], row[1], Number(row[2]));
      else if (width === 2) to.text(line, String(line), row[1], row[0]);
      else to.text(line, row[0], row[2], row[1]);
    }
  }
  function readGroups(lines, to) {
    let groups = 0, filled = false;
    lines.forEach((line, i) => {
      if (line.trim() && !filled) groups++;
      filled = line.trim() !== "";
      if (filled) to.text(i + 1, String(i + 1), line, String(groups));
    });
    if (groups === 1) throw new Sentence(say("corpus.ungrouped"));
  }

  // ---- Duplicates and negatives ----

  function counts({ documents, pairs }) {
    if (pairs.length) return { positives: pairs.filter((pair) => pair[2]).length, negatives: pairs.filter((pair) => !pair[2]).length };
    const sizes = new Map();
    for (const { group } of documents) if (group !== undefined) sizes.set(group, (sizes.get(group) || 0) + 1);
    if (sizes.size === 0) throw new Sentence(say("corpus.ungrouped"));
    const of = (n) => (n * (n - 1)) / 2, positives = [...sizes.values()].reduce((sum, n) => sum + of(n), 0);
    if (positives === 0) throw new Sentence(say("corpus.alone"));
    if (sizes.size === 1 && sizes.values().next().value === documents.length) throw new Sentence(say("corpus.onegroup"));
    return { positives, negatives: of(documents.length) - positives };
  }

  function parse(text) {
    if (!text.trim()) throw new Sentence(say("corpus.empty"));
    if (text.length > Drop.most) throw new Sentence(say("corpus.big", (text.length / 1048576).toFixed(1), 5));
    const lines = text.replace(/^\ufeff/, "").split(/\r\n|\r|\n/), made = corpus(), first = lines.find((line) => line.trim());
    if (first.trim().startsWith("{")) readJson(lines, made);
    else if (lines.every((line) => !line.trim() || line.includes("\t"))) readColumns(lines, made);
    else readGroups(lines, made);
    return { documents: made.documents, pairs: made.pairs, ...counts(made) };
  }
  return { parse };
})();
