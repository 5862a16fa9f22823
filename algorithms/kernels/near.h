/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * near.h - which of many fingerprints in 64-bit words are within a Hamming distance of one. Portable C is the oracle;
 * faster variants are chosen once, at run time, as in hamming.h.
 */
#ifndef FP_NEAR_H
#define FP_NEAR_H

#include "base/cpu.h"

/* The positions i < count, ascending, with at most `most` differing bits of query[0 … words) and many[i·words …
 * (i+1)·words), written to out, which has room for `count`; returns how many. count ≤ 2^32. 8-byte alignment
 * suffices. */
typedef size_t (*fp_near_kernel)(const uint64_t *query, const uint64_t *many, size_t words, size_t count, uint32_t most,
                                 uint32_t *out);

/* For several rows and many fingerprints with hardly any near pair: bit i of the result is set if one of FP_NEAR_ROWS
 * rows has at most `most` differing bits from one of the fingerprints i·FP_NEAR_BLOCK … (i+1)·FP_NEAR_BLOCK − 1. There
 * are FP_NEAR_MANY fingerprints. */
enum { FP_NEAR_ROWS = 8, FP_NEAR_BLOCK = 32, FP_NEAR_MANY = 64 * FP_NEAR_BLOCK };
typedef uint64_t (*fp_near_blocks)(const uint64_t *rows, const uint64_t *many, size_t words, uint32_t most);

typedef struct fp_near_variant {
    const char *name;
    fp_cpu level;
    fp_near_kernel kernel;
    fp_near_blocks blocks;
    size_t block_words; /* most words of a fingerprint for `blocks`; with wider ones, single rows are as fast */
    bool (*supported)(void);
} fp_near_variant;

/* All variants of this build, best first, ended by a NULL name; the last one is portable. */
extern const fp_near_variant fp_near_variants[];
/* The variant in use; the same for the life of the process. Thread-safe. */
const fp_near_variant *fp_near_chosen(void);

#endif
