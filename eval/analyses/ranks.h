/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ranks.h - Wilcoxon's signed-rank test: is the distribution of differences symmetric about 0?
 */
#ifndef FP_RANKS_H
#define FP_RANKS_H

#include "base/base.h"
#include "eval/evaluation/outcome.h"
#include "eval/statistics/interval.h"

/* p is exact for up to this many differences. */
enum { FP_SIGNED_RANK_EXACT = 100 };

typedef struct fp_signed_rank {
    size_t zeros;        /* differences that are 0 */
    double above, below; /* sums of the ranks of the differences above and below 0 */
    double p;            /* two-sided; 1 if all are 0 */
} fp_signed_rank;

/* Wilcoxon (Biometrics Bulletin 1, 1945) on difference[count], values in [−1, 1] without NaN; differences within 1e-12
 * of each other count as equal. Equal sizes share their mean rank. Zeros are ranked with the others, and their ranks
 * are then left out (Pratt, JASA 54, 1959). p is exact, from all possible signs of the remaining ranks: twice the
 * probability of a sum of at most the smaller one; with more than FP_SIGNED_RANK_EXACT differences it comes from the
 * normal limit. `scratch` is not reset. */
fp_status fp_signed_rank_of(const double *difference, size_t count, fp_arena *scratch, fp_signed_rank *test,
                            fp_error *error);

/* The smallest p possible with `count` differences: 2^(1 − count). */
double fp_signed_rank_least(size_t count);

/* ----
 * The Bayesian signed-rank test: the probability, over the population of sets, that one arm is better than another by
 * more than a margin that matters.
 */

/* Strength and place of the prior: half a difference of 0 (Benavoli et al. 2017, section 4.2). */
#define FP_BAYES_PRIOR 0.5
enum { FP_BAYES_DRAWS = 50000 };

typedef struct fp_bayes_options {
    double margin; /* ≥ 0: differences from −margin to margin are equivalent in practice */
    uint64_t seed;
    size_t draws; /* ≥ 1 */
} fp_bayes_options;

/* Probabilities that the difference is above the margin, within it, below −margin. The three sum to 1. */
typedef struct fp_posterior {
    double above, within, below;
    double error; /* Monte Carlo standard error, the largest of the three; never 0 */
} fp_posterior;

/* Several tests on the same sets, from the same samples: difference[test_count·count], `count` ≥ 1 of each test,
 * without NaN. Differences are sampled from a Dirichlet process with the prior above; one sample of its weights w
 * (Dirichlet with FP_BAYES_PRIOR for z₀ = 0 and 1 for each z) gives
 *
 *     θ_above = Σ_ij w_i w_j [z_i + z_j > 2·margin],  θ_below = Σ_ij w_i w_j [z_i + z_j < −2·margin]
 *
 * and θ_within the rest; each probability is the share of samples in which its θ is the largest (Benavoli, Mangili,
 * Corani, Zaffalon, Ruggeri, ICML 2014; Benavoli, Corani, Demšar, Zaffalon, JMLR 18, 2017). `scratch` is not reset. */
fp_status fp_bayes_signed_ranks(const double *difference, size_t test_count, size_t count,
                                const fp_bayes_options *options, fp_arena *scratch, fp_posterior *posteriors,
                                fp_error *error);

/* ----
 * Several arms on several corpora: mean measures, average ranks, and whether the ranks differ (Demšar, Statistical
 * comparisons of classifiers over multiple data sets, JMLR 7, 2006). Here the sample consists of the corpora, whatever
 * the number of pairs in each.
 */

/* Level of the Nemenyi test. */
#define FP_RANKS_ALPHA 0.05

typedef struct fp_rank_arm {
    double mean; /* over corpora */
    /* Of the mean: that of a share with as many trials as give the variance of the mean over corpora, times (t/z)² with
     * N − 1 degrees of freedom (Student 1908); see proportion_interval.h. */
    fp_interval interval;
    /* Average over corpora; the largest value of a corpus has rank 1, equal values share their mean rank. */
    double rank;
} fp_rank_arm;

/* Arms order[first … last] do not differ significantly. */
typedef struct fp_clique {
    size_t first, last;
} fp_clique;

typedef struct fp_ranks {
    size_t arm_count;
    size_t corpus_count, left_out; /* corpora used, and corpora with an undefined value */
    const fp_rank_arm *arms;       /* [arm_count] */
    const size_t *order;           /* [arm_count] arms by average rank, best first */
    const double *values;          /* [corpus_count · arm_count] of the corpora used */
    double ties; /* 1 − Σ(t³ − t)/(N k(k² − 1)) over sets of t equal values in a corpus: the factor by which ties shrink
                    χ²; 1 without ties, 0 if every corpus ties all arms */
    double chi_square, chi_square_p; /* Friedman's, divided by `ties` (Conover, Practical Nonparametric Statistics, 3rd
                                        edition 1999, section 5.8); 0 and 1 if all is tied */
    double f, f_p; /* Iman and Davenport's, derived from χ² (Communications in Statistics A9, 1980), with k − 1 and (k −
                      1)(N − 1) degrees of freedom; f may be infinite */
    double critical_difference; /* Nemenyi's: arms whose average ranks are at least this far apart differ */
    size_t clique_count;
    const fp_clique *cliques; /* of two or more arms, none contained in another; best first */
} fp_ranks;

/* Upper `alpha` quantile of the range of `count` independent standard normal variables, divided by √2: the q of
 * Demšar's table 5. 2 ≤ count, 0 < alpha < 1. */
double fp_nemenyi_quantile(size_t count, double alpha);

/* values[corpus · arm_count + arm], measures from 0 to 1; corpora with a NaN are left out. Everything lives in `arena`.
 * FP_ERROR_EMPTY: fewer than two arms, or fewer than two corpora left. */
fp_status fp_ranks_make(const double *values, size_t corpus_count, size_t arm_count, double confidence, fp_arena *arena,
                        fp_ranks *ranks, fp_error *error);

/* ----
 * Every two arms on several corpora, compared by the size of the differences and not by their order alone (Benavoli,
 * Corani, Mangili, JMLR 17, 2016: mean ranks of two arms depend on the other arms).
 */

typedef struct fp_rank_pair {
    size_t first, second;   /* arms; the first has the better mean rank */
    double mean;            /* of the differences, the first minus the second */
    fp_signed_rank test;    /* of the differences */
    double adjusted;        /* its p by Holm over all pairs */
    fp_posterior posterior; /* `above`: the first is better by more than the margin */
} fp_rank_pair;

typedef struct fp_rank_pairs {
    size_t count;
    const fp_rank_pair *pairs; /* [count] every two arms, best ranks first */
    fp_bayes_options bayes;    /* the options used */
} fp_rank_pairs;

/* Everything lives in `arena`. */
fp_status fp_rank_pairs_make(const fp_ranks *ranks, const fp_bayes_options *bayes, fp_arena *arena,
                             fp_rank_pairs *pairs, fp_error *error);

/* ---- The arms of several outcomes over all their corpora ---- */

/* Whether two or more corpora have the same two or more arms, each with an average precision. */
bool fp_ranks_outcome_can(const fp_outcome *outcomes, size_t count);

/* Ranks by average precision. Everything lives in `arena`. Errors as of fp_ranks_make. */
fp_status fp_ranks_outcome_make(const fp_outcome *outcomes, size_t count, double confidence, fp_arena *arena,
                                fp_ranks *ranks, fp_error *error);

#endif
