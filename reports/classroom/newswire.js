// SPDX-License-Identifier: GPL-3.0-or-later
// The shipped corpus of invented news in the page's language, newswire-zh or newswire-en, as { documents, pairs }; unpacked once.
const newswire = (() => {
  let read = null;
  async function unpack() {
    const bytes = Uint8Array.from(atob(document.getElementById("corpus").textContent), (sign) => sign.charCodeAt(0));
    const text = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
    const parts = text.split("\n\n").map((part) => part.trim().split("\n"));
    return { zh: corpusOf(parts[0], parts[1]), en: corpusOf(parts[2], parts[3]) };
  }
  function corpusOf(documents, pairs) {
    return {
      documents: documents.map((line) => JSON.parse(line)),
      pairs: pairs.map((line) => line.split("\t")).filter((row) => row[2] === "0" || row[2] === "1").map(([a, b, label]) => [a, b, +label]),
    };
  }
  return async () => (await (read = read || unpack()))[Words.language()];
})();
