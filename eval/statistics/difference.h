/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * difference.h - differences between two arms in any measure, Holm's correction over all comparisons, equivalence,
 * sample size, and McNemar's test of their calls at one threshold each.
 */
#ifndef FP_DIFFERENCE_H
#define FP_DIFFERENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "eval/statistics/measure_interval.h"

typedef struct fp_difference {
    double value; /* observed: the first minus the second */
    fp_interval interval;
    double error;     /* standard error */
    double p;         /* two-sided; 1 if the difference is 0 and does not vary, NaN if it is not defined */
    double units;     /* effective number of units behind the error */
    double freedom;   /* of the error's square as an estimate: fp_dyadic.freedom */
    size_t undefined; /* replicates in which either measure is not defined */
    bool drawn;       /* computed from replicates, not from the spread */
    /* Monte Carlo standard errors of the limits and of p; 0 if they use no replicates. */
    fp_interval monte_carlo;
    double p_error;
    fp_seed_spread seeds; /* of the difference, seed by seed; its variance is part of that behind `error` */
} fp_difference;

/* From the spread of the difference of the influence values (dyadic_variance.h), with Student's t and the degrees of
 * freedom of fp_dyadic_freedom. The variance includes one more unit that moves the difference like those which move it
 * most, on either side (after the pseudo-observations of Agresti, Min, Statistics in Medicine 24, 2005); where few
 * units move it, no less than one unit that one arm classifies wrongly. With FP_METHOD_PERCENTILE or FP_METHOD_BCA from
 * replicates, the same resamples for both sides, unless the difference does not vary. `scratch` is reset. */
fp_status fp_difference_of(const fp_bootstrap *bootstrap, fp_side first, fp_side second, fp_method method,
                           double confidence, fp_arena *scratch, fp_difference *difference, fp_error *error);

/* The two-sided p from replicates: twice the share of them beyond 0, one added above and below (Davison, Hinkley 1997,
 * section 4.2), read from Student's t, so that p < 1 − confidence when the percentile interval excludes 0. With fewer
 * than FP_DIFFERENCE_TAIL replicates beyond 0 the share is too coarse for many comparisons: then from the standard
 * error, but no more than the share allows. 1 if the difference is 0 and does not vary, NaN if it is not defined. */
double fp_difference_p(const fp_replicates *drawn);
/* Its Monte Carlo standard error: half the change of p when the number of n replicates beyond 0 changes by
 * √(nq(1 − q)), q being their share; 0 where p comes from the standard error, NaN where p is. */
double fp_difference_p_error(const fp_replicates *drawn);
enum { FP_DIFFERENCE_TAIL = 5 };

/* Holm (Scandinavian Journal of Statistics 6, 1979): the k-th smallest of m p-values times m − k + 1, made monotone, at
 * most 1. NaN stays NaN and does not count. adjusted[count] may be p itself. */
fp_status fp_holm(const double *p, size_t count, const fp_arena *like, double *adjusted, fp_error *error);

/* ---- Would more replicates change the verdicts? ---- */

/* A verdict is settled when its p differs from the level by more than this many Monte Carlo standard errors. */
#define FP_SETTLED_ERRORS 3.0

/* p-values with their Monte Carlo standard errors; NaN does not count. */
typedef struct fp_drawn_tests {
    const double *p, *error; /* [count] */
    size_t count;
} fp_drawn_tests;

/* The number of Holm's decisions that are not settled: of the k-th smallest of m p-values against level/(m − k + 1), up
 * to the first that is certainly larger. */
fp_status fp_holm_unsettled(const fp_drawn_tests *tests, double level, const fp_arena *like, size_t *unsettled,
                            fp_error *error);

/* ---- Equivalence within a margin, and the sample size needed ---- */

#define FP_EQUIVALENCE_MARGIN 0.02

/* Two one-sided tests at α = 1 − confidence: the difference lies within the margin when its 1 − 2α interval does
 * (Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15, 1987). For a single difference, without correction
 * for others. */
typedef struct fp_equivalence {
    double margin;
    double units;         /* G */
    fp_interval interval; /* at 1 − 2α */
    double farthest;      /* the limit farther from 0: the smallest margin with equivalence */
    bool within;
} fp_equivalence;

/* 1 − 2α. */
double fp_equivalence_confidence(double confidence);

/* Options of the tests of a difference. */
typedef struct fp_equivalence_options {
    double confidence; /* 1 − α, in (½, 1) */
    double margin;     /* > 0 */
    size_t tests;      /* m ≥ 1: differences that are tested together */
} fp_equivalence_options;

/* A difference with its interval at fp_equivalence_confidence(options->confidence). */
typedef struct fp_estimated {
    double value, error; /* and its standard error */
    double fixed;        /* the part of error² that more units do not reduce: the hash seed (dyadic_variance.h) */
    fp_interval interval;
    double units; /* G, from which it was estimated */
} fp_estimated;
fp_equivalence fp_equivalence_of(const fp_estimated *difference, const fp_equivalence_options *options);
/* For an undefined difference: all other members are NaN. */
fp_equivalence fp_equivalence_unknown(double margin);

/* ---- Sample size ---- */

#define FP_SAMPLE_SIZE_POWER 0.8

/* Units needed to find a true difference d with that power at α/m, two-sided, which suffices for Holm's correction over
 * m tests whatever the other results:
 *
 *     G·v·q²/(d² − f·q²),   q = z_{1−α/(2m)} + z_{power}
 *
 * with f the part of the squared standard error e² that units do not change (the hash seed) and v the rest (Chow, Shao,
 * Wang, Sample Size Calculations in Clinical Research, 2nd edition 2008, section 3.1). The user states d: the observed
 * difference would give the power of a known result (Hoenig, Heisey, American Statistician 55, 2001). v falls as
 * 1/units; where all pairs are compared, part of it falls faster (Hoeffding, Annals of Mathematical Statistics 19,
 * 1948), and fewer units suffice. If an interval is w times as long as z·e because units are few, the excess (w² − 1)·v
 * falls as 1/units². The limits are those of v, a χ² variance with `freedom` degrees of freedom (dyadic_variance.h). */
typedef struct fp_sample_size {
    double detect;        /* d */
    double needed;        /* ≥ 2; infinite if the hash seed's variance alone exceeds d, NaN if e is 0 or unknown */
    fp_interval interval; /* infinite or NaN as well */
} fp_sample_size;

fp_sample_size fp_sample_size_of(const fp_estimated *difference, double freedom, const fp_equivalence_options *options,
                                 double detect);

/* ---- Do two arms classify the same pairs equally well, each at a threshold not chosen on them? ---- */

/* For independent pairs p is McNemar's exact one (Psychometrika 12, 1947), min(1, 2·P[X ≤ the smaller count]) for X
 * binomial with ½. For others that test finds differences up to seven times too often; p then comes from the units, as
 * for clusters in Durkalski et al. (Statistics in Medicine 22, 2003):
 *
 *     d_p = first right − second right      s_u = Σ d over the pairs that touch unit u      e_D = Σ d over dyad D
 *     V = Σ_u s_u² − Σ_D e_D² over dyads across units, at least Σ_D e_D² over all           T = Σ_p d_p/√V
 *
 * The minimum of V is that of independent dyads; a smaller V is small by chance, and T would be too large. V is not
 * centred: under the hypothesis all s have mean 0. So T ≤ √m, m being the number of units over the mean square of the
 * number of units that a pair touches, and t = T·√((m − 1)/(m − T²)) has Student's distribution with h − 1 degrees of
 * freedom: the t test of the s_u if units are alike and no pair lies across two. V is worth g = 3V²/Σ s_u⁴ units, 2 to
 * U (Satterthwaite, Biometrics Bulletin 2, 1946, for normal s of different variances); m is at most g, and h is the
 * harmonic mean of both. p is at least that of the sign test when all units with a discordant pair agree.
 * `tests/deep/intervals/mcnemar_errors.c` measures its errors. */
typedef struct fp_mcnemar {
    uint64_t only_first, only_second; /* pairs that only one arm classifies correctly */
    bool exact;                       /* p is that of independent pairs */
    double p;                         /* 1 without discordant pairs, NaN with fewer than two units */
} fp_mcnemar;

/* first[p], second[p]: whether the arm classifies pair p correctly. `scratch` is not reset. */
fp_status fp_mcnemar_of(const fp_resample *resample, const bool *first, const bool *second, fp_arena *scratch,
                        fp_mcnemar *test, fp_error *error);
/* The exact p from the two discordant counts. */
double fp_mcnemar_exact(uint64_t only_first, uint64_t only_second);

#endif
