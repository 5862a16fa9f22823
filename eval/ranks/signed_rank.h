/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * signed_rank.h - Wilcoxon's signed-rank test: do differences lie about 0?
 */
#ifndef FP_SIGNED_RANK_H
#define FP_SIGNED_RANK_H

#include "base/base.h"

/* Up to so many differences p is exact. */
enum { FP_SIGNED_RANK_EXACT = 100 };

typedef struct fp_signed_rank {
    size_t zeros;        /* differences that are 0 */
    double above, below; /* sums of the ranks of the differences above and below 0 */
    double p;            /* two-sided; 1 where all are 0 */
} fp_signed_rank;

/* Wilcoxon (Biometrics Bulletin 1, 1945) on difference[count], values in [−1, 1] without NaN, those nearer to one
 * another than 1e-12 taken as equal. Equal sizes share their mean rank. Zeros are ranked with the others, and their
 * ranks then left out (Pratt, JASA 54, 1959). p comes from all signs that the ranks left could have had, each as likely
 * as any other (so it is exact with ties and zeros, too): twice the chance of a sum of at most the smaller one; with
 * more than FP_SIGNED_RANK_EXACT differences from the normal limit, whose variance is a quarter of the sum of squared
 * ranks. `scratch` is not reset. */
fp_status fp_signed_rank_of(const double *difference, size_t count, fp_arena *scratch, fp_signed_rank *test,
                            fp_error *error);

/* The smallest p that `count` differences can have: 2^(1 − count). */
double fp_signed_rank_least(size_t count);

#endif
