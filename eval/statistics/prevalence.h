/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * prevalence.h - precision at other shares of duplicates than the set's own. A set with as many duplicates as not says
 * little of a crawl in which one pair in a million is one: precision there is TPR·π/(TPR·π + FPR·(1 − π)) (Bayes).
 */
#ifndef FP_PREVALENCE_H
#define FP_PREVALENCE_H

#include "eval/statistics/bootstrap.h"

/* FP_ERROR_RANGE, naming the value, unless 0 < π < 1. */
fp_status fp_prevalence_check(double prevalence, fp_error *error);

typedef struct fp_prevalence_point {
    double prevalence;
    fp_estimate precision;
} fp_prevalence_point;

/* At which prevalences, and how sure. */
typedef struct fp_prevalence_options {
    const double *prevalences; /* [count] */
    size_t count;
    fp_method method;
    double confidence;
} fp_prevalence_options;

/* Precision of an arm at a threshold (position in bootstrap->thresholds) at each of the prevalences. Intervals
 * carry the replicates, or the intervals of the two rates, through to each π (FP_METHOD_MID_P): where no wrong pair
 * was called, the upper limit of the false positive rate still stands for those that may be, and the interval reaches
 * down from 1. `scratch` is reset. */
fp_status fp_prevalence_points(const fp_bootstrap *bootstrap, size_t arm, size_t threshold,
                               const fp_prevalence_options *options, fp_arena *scratch, fp_prevalence_point *points,
                               fp_error *error);

/* The prevalences of a report: 1, 1.5, 2, 3, 5 and 7 times the powers of ten from 10⁻⁶ to 0.5, and `stated` (in (0, 1))
 * in its place among them. grid[FP_PREVALENCE_GRID]; returns how many they are. */
enum { FP_PREVALENCE_GRID = 36 };
size_t fp_prevalence_grid(double stated, double *grid);

#endif
