/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ranks.h - several arms on several corpora at once: mean measures, average ranks, and whether the ranks differ
 * (Demšar, Statistical comparisons of classifiers over multiple data sets, JMLR 7, 2006). The corpora are the sample
 * here, whatever the number of pairs in each.
 */
#ifndef FP_RANKS_H
#define FP_RANKS_H

#include "base/base.h"
#include "eval/evaluation/outcome.h"
#include "eval/statistics/signed_rank.h"
#include "eval/statistics/interval.h"

/* Level of the Nemenyi test. */
#define FP_RANKS_ALPHA 0.05

typedef struct fp_rank_arm {
    double mean; /* over corpora */
    /* Of the mean: a share's with as many trials as give the variance of the mean over corpora, that variance larger by
     * (t/z)² with N − 1 degrees of freedom (Student 1908); see proportion_interval.h. */
    fp_interval interval;
    /* Average over corpora; the largest value of a corpus has rank 1, equal values share their mean rank. */
    double rank;
} fp_rank_arm;

/* Arms order[first … last] do not differ. */
typedef struct fp_clique {
    size_t first, last;
} fp_clique;

typedef struct fp_ranks {
    size_t arm_count;
    size_t corpus_count, left_out; /* corpora used, and those with an undefined value */
    const fp_rank_arm *arms;       /* [arm_count] */
    const size_t *order;           /* [arm_count] arms by average rank, best first */
    const double *values;          /* [corpus_count · arm_count] of the corpora used */
    double ties; /* 1 − Σ(t³ − t)/(N k(k² − 1)) over sets of t equal values in a corpus: what the unit of χ² shrinks to;
                    1 without ties, 0 where every corpus ties all arms */
    double chi_square, chi_square_p; /* Friedman's, divided by `ties` (Conover, Practical Nonparametric Statistics, 3rd
                                        edition 1999, section 5.8); 0 and 1 where all is tied */
    double f, f_p; /* Iman and Davenport's from it (Communications in Statistics A9, 1980), with k − 1 and (k − 1)(N −
                      1) degrees of freedom; f may be infinite */
    double critical_difference; /* Nemenyi's: arms whose average ranks are at least so far apart differ */
    size_t clique_count;
    const fp_clique *cliques; /* two arms or more, none within another; best first */
} fp_ranks;

/* Upper `alpha` quantile of the range of `count` independent standard normal variables, divided by √2: the q of
 * Demšar's table 5. 2 ≤ count, 0 < alpha < 1. */
double fp_nemenyi_quantile(size_t count, double alpha);

/* values[corpus · arm_count + arm], measures from 0 to 1; a corpus with a NaN is left out. Everything lives in `arena`.
 * FP_ERROR_EMPTY with fewer than two arms or two corpora left. */
fp_status fp_ranks_make(const double *values, size_t corpus_count, size_t arm_count, double confidence, fp_arena *arena,
                        fp_ranks *ranks, fp_error *error);

/* ----
 * every two arms on several corpora: the size of the differences is looked at, not the order alone
 * (Benavoli, Corani, Mangili, JMLR 17, 2016: mean ranks of two arms turn with the other arms).
 */

typedef struct fp_rank_pair {
    size_t first, second;   /* arms; the first has the better mean rank */
    double mean;            /* of the differences, the first minus the second */
    fp_signed_rank test;    /* of the same */
    double adjusted;        /* its p by Holm over all pairs */
    fp_posterior posterior; /* `above`: the first is better by more than the margin */
} fp_rank_pair;

typedef struct fp_rank_pairs {
    size_t count;
    const fp_rank_pair *pairs; /* [count] every two arms, best ranks first */
    fp_bayes_options bayes;    /* as it was used */
} fp_rank_pairs;

/* Everything lives in `arena`. */
fp_status fp_rank_pairs_make(const fp_ranks *ranks, const fp_bayes_options *bayes, fp_arena *arena,
                             fp_rank_pairs *pairs, fp_error *error);

/* ---- the arms of several outcomes over all their corpora. ---- */

/* Two corpora or more, with the same two arms or more, where every arm has an average precision. */
bool fp_ranks_outcome_can(const fp_outcome *outcomes, size_t count);

/* Ranks by average precision. Everything lives in `arena`. Errors as of fp_ranks_make. */
fp_status fp_ranks_outcome_make(const fp_outcome *outcomes, size_t count, double confidence, fp_arena *arena,
                                fp_ranks *ranks, fp_error *error);

#endif
