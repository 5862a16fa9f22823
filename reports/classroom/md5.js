// SPDX-License-Identifier: GPL-3.0-or-later
// MD5 (RFC 1321) of a text in UTF-8, in hexadecimal. It demonstrates a cryptographic hash; no fingerprint uses it.
const md5 = (() => {
  const TURNS = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]]; // RFC 1321, 3.4
  const SINES = Array.from({ length: 64 }, (_, i) => Math.floor(Math.abs(Math.sin(i + 1)) * 4294967296) >>> 0);
  const PLACES = [(i) => i, (i) => (5 * i + 1) % 16, (i) => (3 * i + 5) % 16, (i) => (7 * i) % 16];
  const MIXES = [(x, y, z) => (x & y) | (~x & z), (x, y, z) => (x & z) | (y & ~z), (x, y, z) => x ^ y ^ z, (x, y, z) => y ^ (x | ~z)];

  // Pads to blocks of 64 bytes: a 1 bit, zeros, and the length in bits as a 64-bit number.
  function padded(bytes) {
    const whole = new Uint8Array(((bytes.length + 8) >> 6) * 64 + 64);
    whole.set(bytes);
    whole[bytes.length] = 0x80;
    const view = new DataView(whole.buffer);
    view.setUint32(whole.length - 8, (bytes.length * 8) >>> 0, true);
    view.setUint32(whole.length - 4, Math.floor(bytes.length / 0x20000000), true);
    return view;
  }

  function block(view, at, state) {
    let [a, b, c, d] = state;
    for (let i = 0; i < 64; i++) {
      const round = i >> 4, turn = TURNS[round][i % 4];
      const sum = (a + MIXES[round](b, c, d) + SINES[i] + view.getUint32(at + 4 * PLACES[round](i), true)) | 0;
      [a, b, c, d] = [d, (b + ((sum << turn) | (sum >>> (32 - turn)))) | 0, b, c];
    }
    [a, b, c, d].forEach((value, i) => { state[i] = (state[i] + value) | 0; });
  }

  return (text) => {
    const view = padded(new TextEncoder().encode(text)), state = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476];
    for (let at = 0; at < view.byteLength; at += 64) block(view, at, state);
    const digest = new DataView(new ArrayBuffer(16));
    state.forEach((value, i) => digest.setInt32(4 * i, value, true));
    return Array.from(new Uint8Array(digest.buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
  };
})();
