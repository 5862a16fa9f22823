/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hamming.h - Hamming distances of fingerprints in 64-bit words, and the sums of the weights of differing bits.
 */
#ifndef FP_HAMMING_H
#define FP_HAMMING_H

#include "base/cpu.h"

/* out[i] = differing bits of query[0 … words) and many[i·words … (i+1)·words), i < count. 8-byte alignment suffices. */
typedef void (*fp_hamming_kernel)(const uint64_t *query, const uint64_t *many, size_t words, size_t count,
                                  uint32_t *out);

extern const fp_hamming_kernel fp_hamming_kernels[FP_CPU_LEVELS]; /* by fp_cpu_counting */

static inline void fp_hamming(const uint64_t *query, const uint64_t *many, size_t words, size_t count, uint32_t *out) {
    fp_hamming_kernels[fp_cpu_counting(fp_cpu_chosen())](query, many, words, count, out);
}

/* ---- Weighted bits: the query has a weight for each bit, the stored fingerprints have none ---- */

/* Weights are integers, and those of one query add up to at most this number: sums are exact in any order. */
#define FP_WEIGHTED_MOST (UINT32_C(1) << 30)
/* The size of the table that a level makes from one word of a query, aligned to 64 bytes. */
enum { FP_WEIGHTED_TABLE = 2048 };

typedef struct fp_weighted_kernel {
    /* Makes the table from a word and the weights of its 64 bits, the lowest first. */
    void (*prepare)(uint64_t word, const uint32_t weight[64], uint32_t table[FP_WEIGHTED_TABLE]);
    /* sum[i] += the weights of the bits in which that word and words[i] differ, i < count. */
    void (*add)(const uint32_t table[FP_WEIGHTED_TABLE], const uint64_t *words, size_t count, uint32_t *sum);
} fp_weighted_kernel;
extern const fp_weighted_kernel fp_weighted_kernels[FP_CPU_LEVELS];

/* The words of the i-th fingerprint (layout.bits > 0). */
static inline const uint64_t *fp_hamming_words(const fp_sketches *sketches, size_t i) {
    return (const uint64_t *)(const void *)(sketches->data + i * sketches->stride);
}

/* fp_algorithm.distance and .distances of every bit fingerprint (layout.bits > 0). */
double fp_hamming_distance(const fp_instance *self, fp_sketch a, fp_sketch b);
void fp_hamming_distances(const fp_instance *self, fp_sketch query, const fp_sketches *many, size_t first, size_t count,
                          double *out);

#endif
