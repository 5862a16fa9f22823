/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * near.h - which of many fingerprints in 64-bit words are within a Hamming distance of one.
 */
#ifndef FP_NEAR_H
#define FP_NEAR_H

#include "base/cpu.h"

/* The positions i < count, ascending, with at most `most` differing bits of query[0 … words) and many[i·words …
 * (i+1)·words), written to out, which has room for `count`; returns how many. count ≤ 2^32. 8-byte alignment
 * suffices. */
typedef size_t (*fp_near_kernel)(const uint64_t *query, const uint64_t *many, size_t words, size_t count, uint32_t most,
                                 uint32_t *out);
extern const fp_near_kernel fp_near_kernels[FP_CPU_LEVELS]; /* by fp_cpu_counting */

static inline size_t fp_near_positions(const uint64_t *query, const uint64_t *many, size_t words, size_t count,
                                       uint32_t most, uint32_t *out) {
    return fp_near_kernels[fp_cpu_counting(fp_cpu_chosen())](query, many, words, count, most, out);
}

/* For several rows and many fingerprints with hardly any near pair: bit i of the result is set if one of FP_NEAR_ROWS
 * rows has at most `most` differing bits from one of the fingerprints i·FP_NEAR_BLOCK … (i+1)·FP_NEAR_BLOCK − 1. There
 * are FP_NEAR_MANY fingerprints of up to FP_NEAR_BLOCK_WORDS words: with wider ones, single rows are as fast. */
enum { FP_NEAR_ROWS = 8, FP_NEAR_BLOCK = 32, FP_NEAR_MANY = 64 * FP_NEAR_BLOCK, FP_NEAR_BLOCK_WORDS = 2 };
typedef uint64_t (*fp_near_blocks)(const uint64_t *rows, const uint64_t *many, size_t words, uint32_t most);
/* By fp_cpu_counting; NULL: single rows are as fast. */
extern const fp_near_blocks fp_near_block_kernels[FP_CPU_LEVELS];

#endif
