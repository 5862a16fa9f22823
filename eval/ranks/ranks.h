/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ranks.h - several arms on several corpora at once: mean measures, average ranks, and whether the ranks differ
 * (Demšar, Statistical comparisons of classifiers over multiple data sets, JMLR 7, 2006). The corpora are the sample
 * here, whatever the number of pairs in each.
 */
#ifndef FP_RANKS_H
#define FP_RANKS_H

#include "base/base.h"
#include "eval/statistics/interval.h"

/* Level of the Nemenyi test. */
#define FP_RANKS_ALPHA 0.05

typedef struct fp_rank_arm {
    double mean; /* over corpora */
    fp_interval
        interval; /* of the mean: a share's with as many trials as give the variance of the mean over corpora, that
                     variance larger by (t/z)² with N − 1 degrees of freedom (Student 1908); see share_interval.h */
    double
        rank; /* average over corpora; the largest value of a corpus has rank 1, equal values share their mean rank */
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

#endif
