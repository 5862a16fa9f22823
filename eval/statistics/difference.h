/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * difference.h - does one arm differ from another? Paired bootstrap of any measure, and Holm's correction over all
 * comparisons. What they call at one threshold each: mcnemar.h.
 */
#ifndef FP_DIFFERENCE_H
#define FP_DIFFERENCE_H

#include "eval/statistics/bootstrap.h"

typedef struct fp_difference {
    double value; /* observed: the first minus the second */
    fp_interval interval;
    double error;     /* standard error */
    double p;         /* two-sided; 1 where the difference is 0 and does not vary, NaN where it is not defined */
    double units;     /* effective number of units behind the error */
    double freedom;   /* of the error's square as an estimate: fp_dyadic.freedom */
    size_t undefined; /* replicates in which either measure is not defined */
    bool drawn;       /* from replicates, and not from the spread */
    /* Standard errors of the limits and of p for want of more replicates; 0 where none are in them. */
    fp_interval monte_carlo;
    double p_error;
    fp_seed_spread seeds; /* of the difference, seed by seed; its variance is part of that behind `error` */
} fp_difference;

/* One side of a comparison. The measures of the two sides are of the same kind as a rule; their thresholds may differ.
 */
typedef struct fp_side {
    size_t arm;
    fp_measure measure;
} fp_side;

/* From the spread of the difference of the influence values (dyadic_variance.h), with Student's t and the degrees of
 * freedom of fp_dyadic_freedom. One unit more that moves the difference as those do which move it most, on either side,
 * adds to the variance (after the pseudo-observations of Agresti, Min, Statistics in Medicine 24, 2005), which, where
 * few units move the difference, is no less than what one brings that one arm judges wrongly. With FP_METHOD_PERCENTILE
 * or FP_METHOD_BCA from replicates, both sides seeing the same draws, unless the difference does not vary. `scratch` is
 * reset. */
fp_status fp_difference_of(const fp_bootstrap *bootstrap, fp_side first, fp_side second, fp_method method,
                           double confidence, fp_arena *scratch, fp_difference *difference, fp_error *error);

/* The two-sided p of a difference from its replicates: twice the share of them beyond 0, one added above and below
 * (Davison, Hinkley 1997, section 4.2), read from Student's t, so that p is below 1 − confidence where the percentile
 * interval leaves out 0. Where fewer than FP_DIFFERENCE_TAIL replicates lie beyond 0 the share is too coarse for a
 * correction over many comparisons: p then comes from the standard error, but is not more than the share allows. 1
 * where the difference is 0 and does not vary, NaN where it is not defined. */
double fp_difference_p(const fp_replicates *drawn);
/* Its Monte Carlo standard error: half of what p changes when the number beyond 0 does by its own, √(nq(1 − q)) of n
 * replicates with a share q beyond; 0 where p comes from the standard error, NaN where p is. */
double fp_difference_p_error(const fp_replicates *drawn);
enum { FP_DIFFERENCE_TAIL = 5 };

/* Holm (Scandinavian Journal of Statistics 6, 1979): the k-th smallest of m p-values times m − k + 1, made monotone, at
 * most 1. NaN stays NaN and does not count. adjusted[count] may be p itself. */
fp_status fp_holm(const double *p, size_t count, const fp_arena *like, double *adjusted, fp_error *error);

#endif
