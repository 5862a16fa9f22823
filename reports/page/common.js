// SPDX-License-Identifier: GPL-3.0-or-later
// Shared by the scripts of all pages: elements, texts with visible control characters, differences of two texts.
"use strict";
const fplab = (() => {
  const SVG = "http://www.w3.org/2000/svg";

  // ---- Elements ----

  function fill(element, attributes, children) {
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  }
  const make = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);
  const draw = (name, attributes, ...children) => fill(document.createElementNS(SVG, name), attributes, children);

  // ---- Texts ----

  // Controls of text direction (UAX 9), control characters and noncharacters, which are shown by code point.
  const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff]/u;
  function shown(text) {
    const nodes = [];
    let plain = "";
    for (const sign of text) {
      if (!UNSEEN.test(sign)) { plain += sign; continue; }
      if (plain) nodes.push(plain);
      plain = "";
      nodes.push(make("span", { class: "control" }, "U+" + sign.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")));
    }
    if (plain) nodes.push(plain);
    return nodes;
  }

  // ---- Differences ----

  // The longest common subsequence of two arrays, 32 cells of the table a word (Crochemore, Iliopoulos, Pinzon, Reid,
  // Information Processing Letters 80, 2001; the form of Hyyrö, AWOCA 2004): V' = (V + (V & M)) | (V & ~M), where M marks the
  // characters of a that equal the next of b. Bit i of a row is 0 if character i of a makes the subsequence longer by one.
  function rows(a, b) {
    const words = (a.length + 31) >>> 5, made = [new Uint32Array(words).fill(0xffffffff)], masks = new Map();
    a.forEach((sign, i) => {
      if (!masks.has(sign)) masks.set(sign, new Uint32Array(words));
      masks.get(sign)[i >>> 5] |= 1 << (i & 31);
    });
    const none = new Uint32Array(words);
    for (const sign of b) {
      const before = made[made.length - 1], mask = masks.get(sign) || none, next = new Uint32Array(words);
      let carry = 0;
      for (let w = 0; w < words; w++) {
        const sum = before[w] + ((before[w] & mask[w]) >>> 0) + carry;
        carry = sum > 0xffffffff ? 1 : 0;
        next[w] = (sum >>> 0) | (before[w] & ~mask[w]);
      }
      made.push(next);
    }
    return made;
  }

  // The pairs of positions of one longest common subsequence, ascending.
  function common(a, b) {
    const row = rows(a, b), pairs = [];
    const grows = (i, j) => !(row[j][(i - 1) >>> 5] & (1 << ((i - 1) & 31)));
    for (let i = a.length, j = b.length; i > 0 && j > 0;) {
      if (!grows(i, j)) i--;
      else if (grows(i, j - 1)) j--;
      else pairs.push([--i, --j]);
    }
    return pairs.reverse();
  }

  // Runs that alternate between equal and replaced: [same, of a, of b].
  function stretches(a, b) {
    const made = [];
    let x = 0, y = 0;
    for (const [i, j] of [...common(a, b), [a.length, b.length]]) {
      if (i > x || j > y) made.push([false, a.slice(x, i), b.slice(y, j)]);
      if (i === a.length && j === b.length) break;
      const last = made[made.length - 1];
      if (last && last[0]) { last[1].push(a[i]); last[2].push(b[j]); }
      else made.push([true, [a[i]], [b[j]]]);
      x = i + 1;
      y = j + 1;
    }
    return made;
  }

  // Whether an equal run is a coincidence: one or two characters between longer differences, or no letter in it.
  function isCoincidence(before, same, after) {
    const size = (stretch) => Math.max(stretch[1].length, stretch[2].length);
    if (!same[1].some((sign) => /[\p{L}\p{N}]/u.test(sign))) return true;
    return size(same) <= 2 && size(same) < size(before) && size(same) < size(after);
  }
  function join(list) {
    const kept = [];
    for (let i = 0; i < list.length; i++) {
      const last = kept[kept.length - 1];
      if (last && !last[0] && list[i][0] && i + 1 < list.length && isCoincidence(last, list[i], list[i + 1])) {
        for (const part of [list[i], list[++i]]) { last[1].push(...part[1]); last[2].push(...part[2]); }
      } else kept.push(list[i]);
    }
    return kept;
  }

  // The differences of two texts by character: [{same, a, b}], which concatenated give both texts.
  function diff(a, b) {
    return join(stretches([...a], [...b])).map(([same, left, right]) => ({ same, a: left.join(""), b: right.join("") }));
  }

  // One of the two texts as nodes, with its differences in <mark class="a"> or <mark class="b">.
  function marked(list, side) {
    return list.filter((run) => run[side]).flatMap((run) => (run.same ? shown(run[side]) : [make("mark", { class: side }, ...shown(run[side]))]));
  }

  return { make, draw, shown, common, diff, marked };
})();
