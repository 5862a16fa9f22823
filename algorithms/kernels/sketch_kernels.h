/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sketch_kernels.h - the hot loops that make sketches, each in portable C and at every level of the processor.
 */
#ifndef FP_SKETCH_KERNELS_H
#define FP_SKETCH_KERNELS_H

#include "base/cpu.h"

/* ---- signed_sum.c ----
 *
 * The hot loop of the sign fingerprints: weights into 64 sums. */

enum { FP_SIGNED_SUMS = 64 };

/* sum[j] += weight[i] where bit j of signs[i] is 1, −weight[i] where it is 0, for i = 0 … count − 1 in this order; j
 * < 64. The lanes are independent, so that every level gives the same sums. */
typedef void (*fp_signed_sum_kernel)(const uint64_t *signs, const double *weight, size_t count, double *sum);
extern const fp_signed_sum_kernel fp_signed_sum_kernels[FP_CPU_LEVELS];

static inline void fp_signed_sum_add(const uint64_t *signs, const double *weight, size_t count, double *sum) {
    fp_signed_sum_kernels[fp_cpu_chosen()](signs, weight, count, sum);
}

/* ---- signed_sum.c ----
 *
 * The hot loop of sign fingerprints whose weights are all 1: how often each bit is set. */

enum { FP_ONES = 64 };

/* ones[j] += the number of word[0 … count) that have bit j, j < 64. */
typedef void (*fp_ones_kernel)(const uint64_t *word, size_t count, uint64_t *ones);
extern const fp_ones_kernel fp_ones_kernels[FP_CPU_LEVELS];

/* ---- gaussian.c ----
 *
 * Standard normal numbers from a key, 64 at a time. */

enum { FP_GAUSSIANS = 64 };

/* number[0 … 64): the numbers block·64 … block·64 + 63 of the key, independent of one another and of those of other
 * keys. */
typedef void (*fp_gaussian_kernel)(uint64_t key, size_t block, double number[FP_GAUSSIANS]);
extern const fp_gaussian_kernel fp_gaussian_kernels[FP_CPU_LEVELS];

/* ---- tabulated.c ----
 *
 * The hot loop of hyperplanes: standard normal numbers from a table, times weights, into 64 sums. */

enum { FP_TABULATED_SUMS = 64 };

/* sum[j] += weight[i] · number j of key[i], for i = 0 … count − 1 in this order; j < 64. Numbers block·64 … block·64 +
 * 63 of a key; each is one of 65,536 equally likely numbers, chosen by its own 16 bits. Word w of a key is fp_mix(key,
 * block·16 + w); of half j mod 2 of word j/2 mod 16, number j uses the lower 16 bits for j < 32 and else the upper 16:
 * 15 of them are an index into fp_table_gaussian, the highest is the sign. The numbers are multiples of 2⁻¹² below 4.3,
 * so that sums of integer weights are exact, in any order, up to 2³⁸. */
typedef void (*fp_tabulated_kernel)(const uint64_t *key, const double *weight, size_t count, size_t block, double *sum);
extern const fp_tabulated_kernel fp_tabulated_kernels[FP_CPU_LEVELS];

/* ---- minima.c ----
 *
 * The hot loop of minhash: the smallest value of each of many hash functions over a set. Function i
 * of a value is fp_mix(value, 0)·a modulo 2⁶⁴, a = fp_mix(i, 1) | 1.
 *
 * The mixed values serve as random numbers of 64 bits. An odd factor maps them one to one, so that every function
 * orders a set at random: two sets share their smallest value with probability J exactly. Two functions place the 2⁶⁴
 * numbers on a lattice in the square, with 2⁶⁴·A·(1 + o(1)) of them in a box of area A: a small value of the one
 * carries no information about the other, and the slots of a signature agree like independent ones
 * (tests/algorithms/test_minhash_family.c). */

/* least[i] = min(least[i], function i of value[f] over f < values), i < slots. */
typedef void (*fp_least_products_kernel)(const uint64_t *value, size_t values, uint64_t *least, size_t slots);
extern const fp_least_products_kernel fp_least_products_kernels[FP_CPU_LEVELS];

static inline void fp_least_products(const uint64_t *value, size_t values, uint64_t *least, size_t slots) {
    fp_least_products_kernels[fp_cpu_chosen()](value, values, least, slots);
}

/* The smallest value and the next of every function; UINT64_MAX if there are fewer. `value` has no repeats. */
typedef void (*fp_two_least_kernel)(const uint64_t *value, size_t values, uint64_t *least, uint64_t *second,
                                    size_t slots);
extern const fp_two_least_kernel fp_two_least_kernels[FP_CPU_LEVELS];

/* Minima for functions that are shifts of one another, as cminhash needs them, at twice the cost: function i is
 * SplitMix64's i-th output from the value on. minimum[i] = min(minimum[i], fp_mix(value[f], i) over f < values), i <
 * slots. */
typedef void (*fp_minima_kernel)(const uint64_t *value, size_t values, uint64_t *minimum, size_t slots);
extern const fp_minima_kernel fp_minima_kernels[FP_CPU_LEVELS];

static inline void fp_minima(const uint64_t *value, size_t values, uint64_t *minimum, size_t slots) {
    fp_minima_kernels[fp_cpu_chosen()](value, values, minimum, slots);
}

/* ---- consistent.c ----
 *
 * The hot loop of weighted minhash: improved consistent weighted sampling (Ioffe, ICDM 2010, algorithm 1). For every
 * slot and every feature of weight S, with r, c ~ Gamma(2, 1) and β ~ U[0, 1) computed from the feature and the slot
 * alone: t = ⌊ln S/r + β⌋,   y = exp(r·(t − β)),   a = c/(y·exp(r)); the slot samples the pair (feature, t) of the
 * smallest a. */

/* level[f] = log₂ weight[f] with a relative error of about 2⁻²⁰. weight: normal, > 0. */
void fp_consistent_levels(const double *weight, size_t values, float *level);

/* sample[i] = a hash of the pair that slot i samples, i < slots; UINT64_MAX when there are no features. If several
 * features have the same a in single precision, which happens to one slot in 10⁶, the first is taken. For slot i, the
 * words fp_mix(value, 2i) and fp_mix(value, 2i + 1) give r, β and c. */
typedef void (*fp_consistent_kernel)(const uint64_t *value, const float *level, size_t values, uint64_t *sample,
                                     size_t slots);
extern const fp_consistent_kernel fp_consistent_kernels[FP_CPU_LEVELS];

static inline void fp_consistent(const uint64_t *value, const float *level, size_t values, uint64_t *sample,
                                 size_t slots) {
    fp_consistent_kernels[fp_cpu_chosen()](value, level, values, sample, slots);
}

#endif
