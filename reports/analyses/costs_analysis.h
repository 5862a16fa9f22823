/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * costs_analysis.h - what every arm of one corpus costs at its thresholds, and which threshold each ratio of costs
 * wants.
 */
#ifndef FP_COSTS_ANALYSIS_H
#define FP_COSTS_ANALYSIS_H

#include "eval/analyses/cost.h"
#include "eval/evaluation/outcome.h"

/* The threshold that costs least, at one ratio of costs. Costs are shares of the most that can be lost. */
typedef struct fp_cost_choice {
    double ratio;       /* what a missed duplicate costs, a wrong call costing 1 */
    double probability; /* PC(+) */
    double threshold;   /* the smallest that costs least; FP_CALL_NOTHING */
    uint64_t tp, fp;
    double cost;
    fp_interval interval; /* of the cost, the threshold being taken as given */
    /* The next thresholds on either side that call another number of pairs; NaN where there is none. */
    double nearer, nearer_cost, farther, farther_cost;
    double low, high; /* thresholds around it whose cost cannot be told from the least, each taken alone */
} fp_cost_choice;

typedef struct fp_cost_arm {
    size_t corner_count; /* 0 when a class is empty: then the choices are NaN */
    const fp_cost_corner *corners;
    const fp_cost_choice *choices; /* [ratio_count] */
} fp_cost_arm;

typedef struct fp_cost_outcome {
    const fp_outcome *outcome;
    double own, prevalence; /* shares of duplicates in the set, and the one that costs are for */
    size_t ratio_count;
    const double *ratios; /* ascending */
    const fp_cost_arm *arms;
} fp_cost_outcome;

/* options->prevalence is the stated one; 0: the set's own. Where all pairs of groups are counted only, limits are NaN.
 * Same outcome for any number of threads. Everything lives in `arena`. */
fp_status fp_cost_outcome_make(const fp_outcome *outcome, const double *ratios, size_t ratio_count,
                               const fp_inference_options *options, const fp_progress *progress, fp_arena *arena,
                               fp_cost_outcome *out, fp_error *error);

#endif
