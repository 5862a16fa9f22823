/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bit_adder.h - adds lists of bits in vectors of LANES words; bit_sums.c includes it once per width, without a guard.
 */
#define VECTOR NAME(vector)
#define BYTES NAME(bytes)
#define SHORTS NAME(shorts)

/* The compiler builds them from the vectors of a level. */
typedef uint64_t VECTOR __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
typedef uint8_t BYTES __attribute__((vector_size(8 * LANES)));
typedef uint16_t SHORTS __attribute__((vector_size(16 * LANES), aligned(2), may_alias));

/* sum + a + b: its low bit replaces `sum`, its high bit is `carry`, which is the old sum where a and b differ. */
FP_BODY void NAME(full)(VECTOR *sum, const VECTOR *a, const VECTOR *b, VECTOR *carry) {
    VECTOR one = *a, apart = one ^ *b, before = *sum;
    *carry = (before & apart) | (one & ~apart);
    *sum = before ^ apart;
}

/* Adds `carry` to planes[0 … count). */
FP_BODY void NAME(ripple)(VECTOR *plane, size_t count, VECTOR *carry) {
    for (size_t p = 0; p < count; p++) {
        VECTOR next = plane[p] & *carry;
        plane[p] ^= *carry;
        *carry = next;
    }
}

/* Adds AT_ONCE lists, from the lowest of `used` planes on. */
FP_BODY void NAME(add_some)(const VECTOR *const of[AT_ONCE], VECTOR *plane, size_t used) {
    VECTOR two[8], four[4], eight[2], sixteen;
    for (size_t i = 0; i < 8; i++) NAME(full)(plane, of[2 * i], of[2 * i + 1], two + i);
    if (used > 1)
        for (size_t i = 0; i < 4; i++) NAME(full)(plane + 1, two + 2 * i, two + 2 * i + 1, four + i);
    if (used > 2)
        for (size_t i = 0; i < 2; i++) NAME(full)(plane + 2, four + 2 * i, four + 2 * i + 1, eight + i);
    if (used > 3) NAME(full)(plane + 3, eight, eight + 1, &sixteen);
    if (used > 4) NAME(ripple)(plane + 4, used - 4, &sixteen);
}

FP_BODY void NAME(add_lists)(const uint64_t *const *list, size_t count, size_t word, VECTOR *plane, size_t used) {
    static const VECTOR NONE = {0};
    const VECTOR *of[AT_ONCE];
    for (size_t begin = 0; begin < count; begin += AT_ONCE) {
        for (size_t i = 0; i < AT_ONCE; i++)
            of[i] = begin + i < count ? (const VECTOR *)(list[begin + i] + word) : &NONE;
        NAME(add_some)(of, plane, used);
    }
}

/* Exchanges the bits of `high` under the mask with the bits of `low` that are `by` places higher. */
FP_BODY void NAME(exchange)(VECTOR *low, VECTOR *high, unsigned by, uint64_t mask) {
    VECTOR apart = ((*low >> by) ^ *high) & mask;
    *high ^= apart;
    *low ^= apart << by;
}

/* Bit j of byte i of plane p becomes bit p of byte i of plane j. */
FP_BODY void NAME(turn)(VECTOR plane[BYTE]) {
    for (size_t p = 0; p < 4; p++) NAME(exchange)(plane + p, plane + p + 4, 4, UINT64_C(0x0f0f0f0f0f0f0f0f));
    for (size_t p = 0; p < 8; p += 4)
        for (size_t q = p; q < p + 2; q++) NAME(exchange)(plane + q, plane + q + 2, 2, UINT64_C(0x3333333333333333));
    for (size_t p = 0; p < 8; p += 2) NAME(exchange)(plane + p, plane + p + 1, 1, UINT64_C(0x5555555555555555));
}

FP_BODY void NAME(unfold)(VECTOR *plane, size_t used, uint16_t *sum) {
    NAME(turn)(plane);
    if (used > BYTE) NAME(turn)(plane + BYTE);
    for (size_t j = 0; j < BYTE; j++) {
        SHORTS *to = (SHORTS *)(void *)(sum + 64 * j), all = *to + __builtin_convertvector((BYTES)plane[j], SHORTS);
        if (used > BYTE) all += __builtin_convertvector((BYTES)plane[BYTE + j], SHORTS) << BYTE;
        *to = all;
    }
}

FP_BODY void NAME(body)(const fp_bit_lists *lists, size_t words, uint16_t *restrict sum) {
    size_t used = planes_of(lists);
    for (size_t word = 0; used && word < words; word += LANES) {
        VECTOR plane[PLANES] = {0};
        for (size_t w = 0; w < used; w++) NAME(add_lists)(lists->list[w], lists->count[w], word, plane + w, used - w);
        size_t within = word % WORDS;
        NAME(unfold)(plane, used, sum + 64 * (word - within) + BYTE * within);
    }
}

#undef VECTOR
#undef BYTES
#undef SHORTS
#undef LANES
#undef NAME
