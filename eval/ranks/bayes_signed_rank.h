/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bayes_signed_rank.h - the Bayesian signed-rank test: how probable is it that one arm is better than another by more
 * than a margin that matters, over the sets that there might be?
 */
#ifndef FP_BAYES_SIGNED_RANK_H
#define FP_BAYES_SIGNED_RANK_H

#include "base/base.h"

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
