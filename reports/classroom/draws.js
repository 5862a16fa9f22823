// SPDX-License-Identifier: GPL-3.0-or-later
// Reproducible random numbers. They move drawings and choose characters to change; no fingerprint uses them.

// splitmix32: an additive sequence by the golden ratio, mixed by the finaliser of MurmurHash3 (Appleby, public domain).
function drawsFrom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x85ebca6b);
    mixed ^= mixed >>> 13;
    mixed = Math.imul(mixed, 0xc2b2ae35);
    return (mixed ^ (mixed >>> 16)) >>> 0;
  };
  return {
    share: () => next() / 4294967296, // [0, 1)
    below: (count) => Math.floor((next() / 4294967296) * count),
  };
}

// A new list in random order (Fisher and Yates, 1938; Durstenfeld, 1964).
function shuffled(list, draws) {
  const order = [...list];
  for (let i = order.length - 1; i > 0; i--) {
    const j = draws.below(i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}
