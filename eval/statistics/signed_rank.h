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

/* ----
 * the Bayesian signed-rank test: how probable is it that one arm is better than another by more
 * than a margin that matters, over the sets that there might be?
 */

/* Strength of the prior, and where it lies: half a difference of 0 (Benavoli et al. 2017, section 4.2). */
#define FP_BAYES_PRIOR 0.5
enum { FP_BAYES_DRAWS = 50000 };

typedef struct fp_bayes_options {
    double margin; /* ≥ 0: differences from −margin to margin make no difference in practice */
    uint64_t seed;
    size_t draws; /* ≥ 1 */
} fp_bayes_options;

/* What the differences are most probably: above the margin, within it, below −margin. The three sum to 1. */
typedef struct fp_posterior {
    double above, within, below;
    double error; /* Monte Carlo standard error, the largest of the three; never 0 */
} fp_posterior;

/* Several tests on the same sets, from the same draws: difference[test_count·count], `count` ≥ 1 of each test, without
 * NaN. Differences are drawn from a Dirichlet process with the prior above; one draw of weights w of it (Dirichlet with
 * FP_BAYES_PRIOR for z₀ = 0 and 1 for each z) makes
 *
 *     θ_above = Σ_ij w_i w_j [z_i + z_j > 2·margin],  θ_below = Σ_ij w_i w_j [z_i + z_j < −2·margin]
 *
 * and θ_within the rest; each figure is the share of draws in which its θ is the largest (Benavoli, Mangili, Corani,
 * Zaffalon, Ruggeri, ICML 2014; Benavoli, Corani, Demšar, Zaffalon, JMLR 18, 2017). `scratch` is not reset. */
fp_status fp_bayes_signed_ranks(const double *difference, size_t test_count, size_t count,
                                const fp_bayes_options *options, fp_arena *scratch, fp_posterior *posteriors,
                                fp_error *error);

#endif
