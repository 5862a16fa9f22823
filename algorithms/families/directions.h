/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * directions.h - random directions in the space of all terms. The coordinate of a term in direction j is a function
 * of the term's hash, the seed and j, so that no matrix is stored and every document meets the same directions. Only
 * +, −, ·, / and √ are used, which IEEE 754 rounds alike everywhere: the same coordinates on every machine, whatever
 * its mathematical library.
 */
#ifndef FP_DIRECTIONS_H
#define FP_DIRECTIONS_H

#include "base/base.h"

typedef enum fp_direction {
    FP_DIRECTION_GAUSSIAN,   /* standard normal */
    FP_DIRECTION_RADEMACHER, /* +1 or −1, each with probability 1/2 */
    FP_DIRECTION_SPARSE,     /* +√3 or −√3, each with probability 1/6, else 0 (Achlioptas 2003, theorem 1.1) */
    FP_DIRECTION_TABULATED   /* one of 65,536 quantiles of the standard normal distribution, each as likely */
} fp_direction;

/* Coordinates are made in blocks. */
enum { FP_DIRECTION_BLOCK = 64 };

/* The coordinates of one term in directions block·64 … block·64 + 63. */
void fp_directions_of(fp_direction kind, uint64_t seed, uint64_t hash, size_t block,
                      double coordinate[FP_DIRECTION_BLOCK]);

/* sum[j] += weight · coordinate of the term in direction j, over all features, for blocks·64 directions. sum: [blocks
 * · 64]. */
void fp_directions_project(fp_direction kind, uint64_t seed, const fp_features *features, size_t blocks, double *sum);

#endif
