/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bit_sums.h - how many of some lists of bits have each bit: the lists are added bit by bit, all places at once, by
 * full adders (Harley and Seal's carry-save adder: Warren, Hacker's Delight, 2nd edition, section 5-1).
 */
#ifndef FP_BIT_SUMS_H
#define FP_BIT_SUMS_H

#include "base/cpu.h"

/* Words of 64 bits of which a list has a multiple; the most lists. */
enum { FP_BIT_SUMS_WORDS = 8, FP_BIT_SUMS_MOST = UINT16_MAX };

/* sum[i] += how many of list[0 … count) have bit i (of weight 2^(i mod 64) in word i/64), i < 64·words, modulo 2¹⁶;
 * `words` is a multiple of FP_BIT_SUMS_WORDS, count ≤ FP_BIT_SUMS_MOST. Lists are aligned to 8. */
typedef void (*fp_bit_sums_kernel)(const uint64_t *const *list, size_t count, size_t words, uint16_t *sum);

extern const fp_bit_sums_kernel fp_bit_sums_kernels[FP_CPU_LEVELS];

#endif
