/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * planes.h - counting small numbers in vectors; included once per vector width, without a guard, after wide_avx2.h or
 * wide_avx512.h.
 *
 * A number n becomes a word with only bit n set, so that counting numbers means adding such words bit by bit. They are
 * added in carry-save form: bit j of plane p counts 2^p words that have bit j, and a full adder of two logical
 * operations takes two words into a plane and gives one carry (Harley and Seal; Muła, Kurz, Lemire, Faster population
 * counts using AVX2 instructions, 2018, section 4). Sixteen words fill planes 0 to 3 once. 16 · 2^40 words are out of
 * reach.
 */
/* From plane 4 on a word waits for the next: waiting[p] is in use if bit p of `steps` is set. */
typedef struct NAME(planes) {
    VECTOR low[4];
    VECTOR high[PLANES], waiting[PLANES];
    uint64_t steps;
} NAME(planes);

INLINE void NAME(clear)(NAME(planes) * planes) {
    planes->steps = 0;
    for (size_t p = 0; p < 4; p++) planes->low[p] = NAME(zero)();
    for (size_t p = 0; p < PLANES; p++) planes->high[p] = NAME(zero)();
}

/* Adds two words to a plane; returns the carry. */
INLINE VECTOR NAME(carry)(VECTOR *plane, VECTOR a, VECTOR b) {
    VECTOR before = *plane;
    *plane = NAME(parity)(before, a, b);
    return NAME(majority)(before, a, b);
}

/* Adds the carries out of plane 0, one for two words, to planes 1 to 3; returns the carry out of plane 3. */
INLINE VECTOR NAME(carry_eight)(VECTOR low[4], VECTOR word[8]) {
    for (size_t p = 1; p < 4; p++)
        for (size_t i = 0; i < (size_t)8 >> p; i++) word[i] = NAME(carry)(low + p, word[2 * i], word[2 * i + 1]);
    return word[0];
}

/* Propagates a carry out of plane 3 through the planes that have a waiting word. */
INLINE void NAME(settle)(NAME(planes) * planes, VECTOR word) {
    size_t p = 0;
    for (uint64_t steps = planes->steps++; steps & 1; steps >>= 1, p++)
        word = NAME(carry)(planes->high + p, planes->waiting[p], word);
    planes->waiting[p] = word;
}

/* Adds `weight` to counts[j] for every lane that has bit j. */
INLINE void NAME(read_word)(const VECTOR *word, uint64_t weight, uint64_t counts[64]) {
    uint64_t lanes[LANES];
    NAME(store)(lanes, *word);
    for (size_t lane = 0; lane < LANES; lane++) NAME(add_where)(lanes[lane], weight, counts);
}

/* Adds to counts[j] the number of words that have bit j. Waiting words are added first, to read each plane once. */
INLINE void NAME(read_planes)(NAME(planes) * planes, uint64_t counts[64]) {
    for (size_t p = 0; p < 4; p++) NAME(read_word)(planes->low + p, UINT64_C(1) << p, counts);
    VECTOR over = NAME(zero)();
    for (size_t p = 0; planes->steps >> p || p == 0 || planes->steps >> (p - 1); p++) {
        over = NAME(carry)(planes->high + p, planes->steps >> p & 1 ? planes->waiting[p] : NAME(zero)(), over);
        NAME(read_word)(planes->high + p, UINT64_C(16) << p, counts);
    }
}

/* ---- Numbers below 64·windows; others have no bit ---- */

/* The bit of number + base; a shift by 64 or more gives 0. */
INLINE VECTOR NAME(place)(VECTOR number, VECTOR base) { return NAME(left)(NAME(every)(1), NAME(add)(number, base)); }

/* planes[w] counts the numbers 64·w … 64·w + 63; low[w] holds its lowest planes while counting. */
INLINE void NAME(count_numbers)(NAME(planes) * planes, VECTOR low[][4], size_t windows, const VECTOR number[16]) {
    for (size_t w = 0; w < windows; w++) {
        VECTOR word[8], base = NAME(every)((uint64_t)0 - 64 * w);
        for (size_t i = 0; i < 8; i++)
            word[i] = NAME(carry)(low[w], NAME(place)(number[2 * i], base), NAME(place)(number[2 * i + 1], base));
        NAME(settle)(planes + w, NAME(carry_eight)(low[w], word));
    }
}

INLINE void NAME(open_windows)(NAME(planes) * planes, VECTOR low[][4], size_t windows) {
    for (size_t w = 0; w < windows; w++) {
        NAME(clear)(planes + w);
        for (size_t p = 0; p < 4; p++) low[w][p] = NAME(zero)();
    }
}

/* Adds to counts[n] how often the number n occurred. */
INLINE void NAME(read_windows)(NAME(planes) * planes, VECTOR low[][4], size_t windows, uint64_t *counts) {
    for (size_t w = 0; w < windows; w++) {
        for (size_t p = 0; p < 4; p++) planes[w].low[p] = low[w][p];
        NAME(read_planes)(planes + w, counts + 64 * w);
    }
}
