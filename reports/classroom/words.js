// SPDX-License-Identifier: GPL-3.0-or-later
// Every text of the lesson, in English and in Chinese: words_*.js add rows { name: [English, Chinese] }.
const Words = (() => {
  const table = new Map();
  let column = 0;
  return {
    add(rows) {
      for (const [name, texts] of Object.entries(rows)) {
        if (table.has(name) || texts.length !== 2) throw new Error("words: " + name);
        table.set(name, texts);
      }
    },
    choose(language) { column = language === "zh" ? 1 : 0; },
    language: () => (column ? "zh" : "en"),
    has: (name) => table.has(name),
    names: () => [...table.keys()],
    // The text with {0}, {1} … replaced.
    say(name, ...values) {
      if (!table.has(name)) throw new Error("words: there is no " + name);
      return table.get(name)[column].replace(/\{(\d)\}/g, (_, place) => String(values[place]));
    },
  };
})();
const say = Words.say;

// Examples in both languages, each keeping the user's changes: the function returns those of the page's language.
const inBoth = (en, zh) => () => (Words.language() === "zh" ? zh : en);
const textLanguage = () => (Words.language() === "zh" ? "zh-CN" : "en");
