// SPDX-License-Identifier: GPL-3.0-or-later
// The frame of the page: language, and start of the lab.
{
  const page = document.getElementById("page"), root = document.documentElement;
  const state = make("p", { class: "small", role: "status", id: "state" });

  const opens = root.dataset.opens || (navigator.language.startsWith("zh") ? "zh" : "en");
  Language.column = opens === "zh" ? 1 : 0;

  function languages() {
    const one = (name, text, column) => button(text, () => { Language.column = column; build(); page.querySelector("[data-language=" + name + "]").focus(); }, { "data-language": name, lang: name === "zh" ? "zh-CN" : "en", "aria-pressed": String(Language.column === column) });
    return make("div", { class: "languages", role: "group", "aria-label": say("language") }, one("en", "English", 0), one("zh", "中文", 1));
  }
  function build() {
    root.lang = Language.column ? "zh-CN" : "en";
    document.title = say("title");
    fill(page, make("header", {}, languages(), make("h1", {}, say("title")), make("p", { class: "lead" }, say("lead")), state), Compare.build(), Corpus.build());
  }
  async function start() {
    if (typeof WebAssembly === "undefined" || typeof DecompressionStream === "undefined") { state.textContent = say("old"); return; }
    state.textContent = say("starting");
    try {
      const { call } = await Lab.open(document.getElementById("lab").textContent);
      const { algorithms } = await call({ op: "algorithms" });
      Compare.start(algorithms);
      Corpus.start();
      lab.open(call);
      Compare.update();
      state.textContent = "";
      root.dataset.ready = "";
    } catch (error) {
      state.className = "warning";
      state.textContent = say("absent", error.message);
    }
  }
  // A file dropped outside a box would replace the page.
  for (const event of ["dragover", "drop"]) on(window, event, (what) => { if (!what.defaultPrevented && what.dataTransfer && what.dataTransfer.types.includes("Files")) what.preventDefault(); });
  build();
  start();
}
