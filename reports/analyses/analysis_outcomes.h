/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * analysis_outcomes.h - settings and results of some analyses for one corpus (*found of fp_analysis.run), for tests.
 * Those of --level cluster are fp_estimate[arms·thresholds·FP_AGREEMENT_KINDS].
 */
#ifndef FP_ANALYSIS_OUTCOMES_H
#define FP_ANALYSIS_OUTCOMES_H

#include "eval/analyses/cost.h"
#include "eval/evaluation/outcome.h"
#include "eval/statistics/clusters.h"
#include "eval/statistics/two_rates.h"

/* ---- Precision of every arm at other prevalences ---- */

typedef struct fp_prevalence_arm {
    size_t best;                       /* position of the best threshold; threshold_count: none */
    fp_estimate own;                   /* precision there at the set's own prevalence */
    const fp_prevalence_point *points; /* [threshold_count·prevalence_count] */
} fp_prevalence_arm;

typedef struct fp_prevalence_outcome {
    size_t threshold_count, prevalence_count;
    const double *thresholds;  /* ascending; the listed ones and the best of every arm */
    const double *prevalences; /* ascending */
    size_t stated;             /* position of the stated prevalence */
    const fp_prevalence_arm *arms;
} fp_prevalence_outcome;

/* ---- Costs of every arm, and the cheapest threshold at each cost ratio ---- */

/* The settings: ratios, ascending. */
typedef struct fp_cost_ratios {
    size_t count;
    double *each;
} fp_cost_ratios;

/* The cheapest threshold at one cost ratio. Costs are shares of the largest possible loss. */
typedef struct fp_cost_choice {
    double ratio;       /* cost of a false negative; a false positive costs 1 */
    double probability; /* PC(+) */
    double threshold;   /* the smallest of the cheapest, or FP_CALL_NOTHING */
    uint64_t tp, fp;
    double cost;
    fp_interval interval; /* of the cost, for a fixed threshold; NaN if the pairs of groups are only counted */
    /* The next thresholds on either side that call a different number of pairs; NaN: none. */
    double nearer, nearer_cost, farther, farther_cost;
    double low, high; /* range of thresholds whose cost is not significantly larger, each tested alone; NaN as above */
} fp_cost_choice;

typedef struct fp_cost_arm {
    size_t corner_count; /* 0 when a class is empty; the choices are then NaN */
    const fp_cost_corner *corners;
    const fp_cost_choice *choices; /* [ratios->count] */
} fp_cost_arm;

typedef struct fp_cost_outcome {
    const fp_cost_ratios *ratios;
    const fp_cost_arm *arms;
} fp_cost_outcome;

#endif
