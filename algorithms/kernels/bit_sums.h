/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bit_sums.h - how much some lists of bits add up to at each place: they are added bit by bit, all places at once, by
 * full adders (Harley and Seal's carry-save adder: Warren, Hacker's Delight, 2nd edition, section 5-1).
 */
#ifndef FP_BIT_SUMS_H
#define FP_BIT_SUMS_H

#include "base/cpu.h"

/* Words of 64 bits of which a list has a multiple; the places of as many bits; the largest sum. */
enum { FP_BIT_SUMS_WORDS = 8, FP_BIT_SUMS_PLACES = 64 * FP_BIT_SUMS_WORDS, FP_BIT_SUMS_MOST = UINT16_MAX };
/* Lists weigh 2⁰ … 2¹⁵. */
enum { FP_BIT_SUMS_WEIGHTS = 16 };

typedef struct fp_bit_lists {
    const uint64_t **list[FP_BIT_SUMS_WEIGHTS]; /* [count[w]] lists that weigh 2^w */
    size_t count[FP_BIT_SUMS_WEIGHTS];
} fp_bit_lists;

/* The bit of place i, counted from the list's first: within FP_BIT_SUMS_PLACES places in such an order that sums lie
 * side by side when planes of bits are turned into bytes. Bit b is bit b mod 64 of word b/64. */
static inline size_t fp_bit_of_place(size_t place) {
    size_t within = place % FP_BIT_SUMS_PLACES;
    return place - within + within % 64 * 8 + within / 64;
}

/* sum[i] += Σ 2^w over the lists that have the bit of place i, i < 64·words; `words` is a multiple of
 * FP_BIT_SUMS_WORDS. Σ 2^w·count[w] may be any number, but no sum may exceed FP_BIT_SUMS_MOST. Lists are aligned to 8.
 */
typedef void (*fp_bit_sums_kernel)(const fp_bit_lists *lists, size_t words, uint16_t *sum);

extern const fp_bit_sums_kernel fp_bit_sums_kernels[FP_CPU_LEVELS];

#endif
