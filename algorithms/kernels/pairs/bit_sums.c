/* SPDX-License-Identifier: GPL-3.0-or-later
 * Lists of bits, added eight at a time: seven full adders give the lowest three places of the sums and what goes to the
 * fourth, which half adders take on. */
#include "algorithms/kernels/pairs/bit_sums.h"

enum { WORDS = FP_BIT_SUMS_WORDS, PLANES = 16, AT_ONCE = 8 };

/* WORDS words: the compiler makes the vectors of a level of them. */
typedef uint64_t bits __attribute__((vector_size(WORDS * sizeof(uint64_t)), aligned(sizeof(uint64_t)), may_alias));

/* sum + a + b: the sum's new bits, and in `carry` the next. */
FP_BODY void full(bits *sum, const bits *a, const bits *b, bits *carry) {
    bits apart = *a ^ *b, before = *sum;
    *carry = (*a & *b) | (before & apart);
    *sum = before ^ apart;
}

/* Adds `carry` to planes[from … count). */
FP_BODY void ripple(bits *plane, size_t from, size_t count, bits *carry) {
    for (size_t p = from; p < count; p++) {
        bits next = plane[p] & *carry;
        plane[p] ^= *carry;
        *carry = next;
    }
}

FP_BODY void add_eight(const uint64_t *const *list, size_t word, size_t count, bits *plane) {
    const bits *of[AT_ONCE];
    bits two[4], four[2], eight;
    for (size_t i = 0; i < AT_ONCE; i++) of[i] = (const bits *)(list[i] + word);
    for (size_t i = 0; i < 4; i++) full(plane, of[2 * i], of[2 * i + 1], two + i);
    for (size_t i = 0; i < 2; i++) full(plane + 1, two + 2 * i, two + 2 * i + 1, four + i);
    full(plane + 2, four, four + 1, &eight);
    ripple(plane, 3, count, &eight);
}

enum { PLACES = 16 };
typedef uint16_t places __attribute__((vector_size(PLACES * sizeof(uint16_t)), aligned(sizeof(uint16_t)), may_alias));

/* PLACES sums at a time, plane by plane: a bit of the plane decides whether its weight is added. */
FP_BODY void unfold(const bits *plane, size_t count, uint16_t *sum) {
    static const places BIT = {1,      1 << 1, 1 << 2,  1 << 3,  1 << 4,  1 << 5,  1 << 6,  1 << 7,
                               1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15};
    for (size_t w = 0; w < WORDS; w++) {
        for (size_t part = 0; part < 64 / PLACES; part++) {
            places *to = (places *)(void *)(sum + 64 * w + PLACES * part), all = *to;
            for (size_t p = 0; p < count; p++) {
                uint16_t own = (uint16_t)(plane[p][w] >> (PLACES * part));
                all += (places)((own & BIT) == BIT) & (uint16_t)(1u << p);
            }
            *to = all;
        }
    }
}

FP_BODY void body(const uint64_t *const *list, size_t count, size_t words, uint16_t *restrict sum) {
    size_t used = 3;
    while (used < PLANES && count >> used) used++;
    for (size_t word = 0; word < words; word += WORDS) {
        bits plane[PLANES] = {0};
        size_t i = 0;
        for (; i + AT_ONCE <= count; i += AT_ONCE) add_eight(list + i, word, used, plane);
        for (; i < count; i++) {
            bits carry = *(const bits *)(list[i] + word);
            ripple(plane, 0, used, &carry);
        }
        unfold(plane, used, sum + 64 * word);
    }
}

static void portable(const uint64_t *const *list, size_t count, size_t words, uint16_t *sum) {
    body(list, count, words, sum);
}
FP_FOR_AVX2 static void avx2(const uint64_t *const *list, size_t count, size_t words, uint16_t *sum) {
    body(list, count, words, sum);
}
FP_FOR_AVX512 static void avx512(const uint64_t *const *list, size_t count, size_t words, uint16_t *sum) {
    body(list, count, words, sum);
}

const fp_bit_sums_kernel fp_bit_sums_kernels[FP_CPU_LEVELS] = {portable, avx2, avx512};
