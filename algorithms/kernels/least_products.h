/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * least_products.h - the hot loop of minhash: the smallest value of each of many hash functions over a set. Function i
 * of a value is fp_mix(value, 0)·a modulo 2⁶⁴, a = fp_mix(i, 1) | 1.
 *
 * The mixed values stand for random numbers of 64 bits. An odd factor maps them one to one, so that every function
 * orders a set at random: two sets have their smallest value in common with probability J exactly. Two functions place
 * the 2⁶⁴ numbers on a lattice in the square, with 2⁶⁴·A·(1 + o(1)) of them in a box of area A: whether the one takes a
 * small value tells nothing of the other, and the slots of a signature agree as independent ones do
 * (tests/algorithms/test_minhash_family.c).
 */
#ifndef FP_LEAST_PRODUCTS_H
#define FP_LEAST_PRODUCTS_H

#include "base/cpu.h"

/* least[i] = min(least[i], function i of value[f] over f < values), i < slots. */
typedef void (*fp_least_products_kernel)(const uint64_t *value, size_t values, uint64_t *least, size_t slots);

extern const fp_least_products_kernel fp_least_products_kernels[FP_CPU_LEVELS];

static inline void fp_least_products(const uint64_t *value, size_t values, uint64_t *least, size_t slots) {
    fp_least_products_kernels[fp_cpu_chosen()](value, values, least, slots);
}

#endif
