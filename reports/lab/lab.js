// SPDX-License-Identifier: GPL-3.0-or-later
// The lab in a page: fplab's C code as WebAssembly, in a worker, so that work does not block the page.
//
//   const lab = await Lab.open(base64);            // of lab.wasm.gz
//   const answer = await lab.call({op: "fingerprint", arms: ["simhash"], texts: ["…"]});
//
// Requests are answered in order. If the second argument names a place on the page, a waiting request for the same place is
// dropped and its promise resolves to null, so that only the last of many key presses counts. The third argument is called
// with (stage, done, total) during an evaluation. close() stops the lab at once, even during work. reports/lab/lab.h describes
// the operations. A failed request resolves to {error: "one line", status: "its kind"}; errors of the browser have no status.
"use strict";
const Lab = (() => {
  // Needs only WebAssembly. Uses no outer variables, since the worker is made from this function's text.
  function engine() {
    const encoder = new TextEncoder(), decoder = new TextDecoder();
    const NOT_HERE = 52; // WASI's errno ENOSYS: function not supported

    // The system calls of the C library: no files, no environment; a clock.
    function system(memory) {
      const bytes = () => new DataView(memory().buffer);
      const known = {
        environ_sizes_get(count, size) { bytes().setUint32(count, 0, true); bytes().setUint32(size, 0, true); return 0; },
        environ_get: () => 0,
        clock_time_get(clock, precision, at) { bytes().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true); return 0; },
        proc_exit(code) { throw new Error("the lab stopped (" + code + ")"); },
      };
      return new Proxy(known, { get: (of, name) => of[name] || (() => NOT_HERE) });
    }

    async function unpack(base64) {
      const text = atob(base64), packed = new Uint8Array(text.length);
      for (let i = 0; i < text.length; i++) packed[i] = text.charCodeAt(i);
      const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
      return WebAssembly.compile(await new Response(stream).arrayBuffer());
    }

    // `tell` receives (stage, done, total) during long operations.
    async function start(module, tell = () => {}) {
      let exports;
      const imports = {};
      const wasi = system(() => exports.memory);
      const progress = (stage, length, done, total) => tell(decoder.decode(new Uint8Array(exports.memory.buffer, stage, length)), done, total);
      for (const { module: from, name } of WebAssembly.Module.imports(module)) (imports[from] = imports[from] || {})[name] = from === "fplab" ? progress : wasi[name];
      exports = (await WebAssembly.instantiate(module, imports)).exports;
      exports._initialize();
      const lab = exports.open();
      if (!lab) throw new Error("out of memory");
      return function call(request) {
        const sent = encoder.encode(request);
        const room = exports.room(lab, sent.length);
        if (!room) return '{"error":"out of memory","status":"memory"}';
        new Uint8Array(exports.memory.buffer).set(sent, room);
        const at = exports.call(lab, sent.length);
        return decoder.decode(new Uint8Array(exports.memory.buffer, at, exports.length(lab)));
      };
    }
    return { unpack, start };
  }

  // A lone surrogate becomes U+FFFD, as in every conversion to UTF-8 by a browser.
  const write = (request) =>
    JSON.stringify(request, (key, value) => (typeof value === "string" ? value.replace(/\p{Surrogate}/gu, "\ufffd") : value));

  function work() {
    const made = engine();
    let module, call, reported = 0;
    // Reports at most ten times a second.
    const tell = (stage, done, total) => {
      const now = performance.now();
      if (now - reported < 100) return;
      reported = now;
      self.postMessage({ stage, done, total });
    };
    self.onmessage = async ({ data }) => {
      try {
        if (data.base64) module = await made.unpack(data.base64);
        if (!call) call = await made.start(module, tell);
        self.postMessage(data.base64 ? "{}" : call(data.request));
      } catch (error) {
        call = null; // its state may be corrupt
        self.postMessage(JSON.stringify({ error: String(error.message || error) }));
      }
    };
  }

  function open(base64) {
    const text = engine.toString() + "\n(" + work.toString() + ")();";
    const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    const worker = new Worker(address);
    const waiting = [];
    let asked = null;

    function next() {
      if (asked || waiting.length === 0) return;
      asked = waiting.shift();
      worker.postMessage(asked.message);
    }
    function ask(message, place, progress) {
      return new Promise((resolve, reject) => {
        const same = place === undefined ? -1 : waiting.findIndex((other) => other.place === place);
        if (same >= 0) waiting.splice(same, 1)[0].resolve(null);
        waiting.push({ message, place, progress, resolve, reject });
        next();
      });
    }
    worker.onmessage = ({ data }) => {
      if (data.stage) {
        if (asked && asked.progress) asked.progress(data.stage, data.done, data.total);
        return;
      }
      const done = asked;
      asked = null;
      next();
      done.resolve(JSON.parse(data));
    };
    worker.onerror = (event) => {
      const done = asked;
      asked = null;
      next();
      if (done) done.resolve({ error: event.message || "the lab could not be started" });
    };
    const call = (request, place, progress) => ask({ request: write(request) }, place, progress);
    // All pending requests resolve to null.
    const close = () => {
      worker.terminate();
      for (const one of [asked, ...waiting.splice(0)]) if (one) one.resolve(null);
    };
    return ask({ base64 }).then((answer) => {
      URL.revokeObjectURL(address);
      if (answer.error) throw new Error(answer.error);
      return { call, close };
    });
  }

  return { open, engine, write };
})();
if (typeof module === "object") module.exports = Lab;
