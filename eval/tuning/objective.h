/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * objective.h - the objective of tuning, and the grid of thresholds among which one maximises it.
 */
#ifndef FP_OBJECTIVE_H
#define FP_OBJECTIVE_H

#include "base/base.h"

/* ----
 * The numbered grid of thresholds on an arm's scale: whole numbers for whole distances; for real distances the
 * multiples of a power of ten, 1,000 to 10,000 of them up to the largest distance. Such a threshold can be written down
 * and typed in again.
 */

typedef struct fp_threshold_grid {
    size_t count;      /* 1 … FP_THRESHOLD_GRID_MOST */
    double multiplier; /* the threshold is step · multiplier / divisor, one of which is 1 */
    double divisor;
} fp_threshold_grid;

enum { FP_THRESHOLD_GRID_MOST = UINT16_MAX };

fp_threshold_grid fp_threshold_grid_of(const fp_layout *layout);
double fp_threshold_grid_value(const fp_threshold_grid *steps, size_t step);
/* The smallest step that calls the distance: the first whose value is not below it, or the last. */
uint16_t fp_threshold_grid_find(const fp_threshold_grid *steps, double distance);

/* ---- The objective, and the threshold that maximises it ---- */

typedef struct fp_objective {
    double beta;          /* > 0: F-beta, recall β times as important as precision (van Rijsbergen 1979) */
    double min_precision; /* in (0, 1): instead, the largest recall at a precision of at least this; NaN: F-beta */
} fp_objective;

/* Pairs called duplicates, and positives that are not. */
typedef struct fp_called_pairs {
    uint64_t tp, fn, fp;
} fp_called_pairs;

/* `weight`: of a negative pair (split.h). Precision is NaN when no pair is called, recall when there are no
 * positives, F-beta when both are NaN. */
double fp_called_precision(fp_called_pairs called, double weight);
double fp_called_recall(fp_called_pairs called);
double fp_called_fbeta(fp_called_pairs called, double weight, double beta);
/* F-beta or recall, depending on the objective. */
double fp_objective_value(const fp_objective *objective, fp_called_pairs called, double weight);
/* "F1", "F0.5", "recall". Static or in `arena`; NULL when out of memory. */
const char *fp_objective_name(const fp_objective *objective, fp_arena *arena);
/* FP_ERROR_RANGE when β is not above 0 and at most 1000, or the precision is not in (0, 1). */
fp_status fp_objective_check(const fp_objective *objective, fp_error *error);

/* Pairs counted per step of a scale. */
typedef struct fp_step_counts {
    size_t count;    /* steps */
    uint32_t *cells; /* [2·count] positives, negatives */
} fp_step_counts;

typedef struct fp_best_step {
    bool found;   /* false: no threshold calls a pair, or none has the precision */
    size_t step;  /* the smallest that reaches the score */
    double score; /* of the objective; NaN when not found */
} fp_best_step;

/* One pass. Counts at steps are cumulative: a pair counts at its own step and all larger ones. A requested precision
 * is compared with the observed counts; that is no promise (promise.h). */
fp_best_step fp_objective_search(const fp_objective *objective, const fp_step_counts *counts, double weight);

#endif
