/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lcs.h - the longest common subsequence of two windows of at most 64 symbols, 64 cells of the table a word
 * (Crochemore, Iliopoulos, Pinzon, Reid, A fast and practical bit-vector algorithm for the longest common subsequence
 * problem, Information Processing Letters 80, 2001; the form of Hyyrö, Bit-parallel LCS-length computation revisited,
 * AWOCA 2004): V' = (V + (V & M)) | (V & ~M), where M marks the symbols of a that equal the next of b. Bit i of a row
 * is 0 where one symbol more of a makes the subsequence one longer.
 */
#ifndef FP_LCS_H
#define FP_LCS_H

#include "base/base.h"

enum { FP_LCS_WINDOW = 64 };

typedef struct fp_lcs {
    size_t a_count, b_count;
    uint64_t row[FP_LCS_WINDOW + 1]; /* [b_count + 1] after so many symbols of b */
} fp_lcs;

/* Symbols are taken from `a` and `b` upwards, or downwards (a[0], a[−1], …) where `step` is −1; both at most
 * FP_LCS_WINDOW. */
void fp_lcs_fill(const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count, ptrdiff_t step, fp_lcs *out);

/* The length for the first i symbols of a and j of b. */
static inline size_t fp_lcs_length(const fp_lcs *of, size_t i, size_t j) {
    uint64_t zeros = ~of->row[j];
    return (size_t)__builtin_popcountll(i < 64 ? zeros & (((uint64_t)1 << i) - 1) : zeros);
}

/* The i and j with the largest 3·length − i − j, which is +1 for a common symbol and −1 for any other; of equal ones
 * the first j, then the first i. Returns it; 0 with i = j = 0 where nothing is larger. */
size_t fp_lcs_best(const fp_lcs *of, size_t *i, size_t *j);

/* The pairs of one longest common subsequence of all of a and b, ascending: pair k is symbol a_at[k] of a and b_at[k]
 * of b. Returns how many. */
size_t fp_lcs_pairs(const fp_lcs *of, uint8_t a_at[FP_LCS_WINDOW], uint8_t b_at[FP_LCS_WINDOW]);

#endif
