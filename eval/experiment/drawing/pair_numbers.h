/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pair_numbers.h - all pairs of n documents as numbers, and numbers in a random order: a simple random sample without
 * replacement that needs no list to be drawn from.
 */
#ifndef FP_PAIR_NUMBERS_H
#define FP_PAIR_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

typedef struct fp_numbered_pair {
    size_t first, second; /* first < second */
} fp_numbered_pair;

/* Pairs of `count` documents, at least two, are numbered row by row: (0, 1), (0, 2) … (n − 2, n − 1). */
fp_numbered_pair fp_pair_at(size_t count, uint64_t number);

/* The place of `value` in an order of 0 … total − 1 that the seed draws; another value, another place. */
uint64_t fp_number_permuted(uint64_t value, uint64_t total, uint64_t seed);

#endif
