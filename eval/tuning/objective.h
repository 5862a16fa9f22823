/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * objective.h - what tuning looks for, and the threshold that reaches most of it.
 */
#ifndef FP_OBJECTIVE_H
#define FP_OBJECTIVE_H

#include "eval/tuning/threshold_grid.h"

typedef struct fp_objective {
    double beta;          /* > 0: F-beta, recall β times as important as precision (van Rijsbergen 1979) */
    double min_precision; /* in (0, 1): instead, most recall where the lower limit of precision is at least this; NaN:
                             F-beta */
} fp_objective;

/* Pairs called duplicates, and positives that are not. Negatives inside a block weigh 1, those between two
 * blocks `weight` (split.h). */
typedef struct fp_called_pairs {
    uint64_t tp, fn, fp_inside, fp_across;
} fp_called_pairs;

/* Precision is NaN when nothing is called, recall without positives, F-beta when both are. */
double fp_called_precision(fp_called_pairs called, double weight);
double fp_called_recall(fp_called_pairs called);
double fp_called_fbeta(fp_called_pairs called, double weight, double beta);
/* F-beta or recall, whichever is looked for. */
double fp_objective_value(const fp_objective *objective, fp_called_pairs called, double weight);
/* "F1", "F0.5", "recall". Static or in `arena`; NULL when there is no memory. */
const char *fp_objective_name(const fp_objective *objective, fp_arena *arena);
/* Whether a precision with that lower limit is one that was asked for; true where none was (`wanted` NaN), false where
 * the limit is NaN because nothing is called. */
bool fp_precision_reached(double wanted, double limit);
/* FP_ERROR_RANGE when β is not above 0 and at most 1000, or the precision is not in (0, 1). */
fp_status fp_objective_check(const fp_objective *objective, fp_error *error);

/* Pairs counted per step of a scale. */
typedef struct fp_step_counts {
    size_t count;    /* steps */
    uint32_t *cells; /* [3·count] positives, negatives inside a block, negatives across */
} fp_step_counts;

typedef struct fp_best_step {
    bool found;               /* false: no threshold calls a pair and keeps to the precision */
    size_t step;              /* the smallest that reaches the score */
    double score;             /* of the objective; NaN when not found */
    double nearest_precision; /* largest lower limit of precision at any threshold, and its step: for the message when
                                 nothing is found */
    size_t nearest_step;
} fp_best_step;

/* One pass. Counts at steps are cumulative: a pair counts at its own step and all larger ones. limit[counts->count]
 * holds the lower limit of precision at every step that has pairs of its own; NULL where no precision is asked for. The
 * limit must be that of the report (proportion_interval.h): pairs hang together, and one that takes them as independent
 * promises too much. */
fp_best_step fp_objective_search(const fp_objective *objective, const fp_step_counts *counts, const double *limit,
                                 double weight);

#endif
