/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * analysis_outcomes.h - results of some analyses for one corpus (*found of fp_analysis.run), for tests.
 */
#ifndef FP_ANALYSIS_OUTCOMES_H
#define FP_ANALYSIS_OUTCOMES_H

#include "eval/analyses/cost.h"
#include "eval/evaluation/outcome.h"
#include "eval/statistics/clusters.h"
#include "eval/statistics/measure_interval.h"

/* ---- Precision of every arm at other prevalences ---- */

typedef struct fp_prevalence_arm {
    size_t best;                       /* position of the best threshold; threshold_count: none */
    fp_estimate own;                   /* precision there at the set's own prevalence */
    const fp_prevalence_point *points; /* [threshold_count·prevalence_count] */
} fp_prevalence_arm;

/* Every arm of one corpus at every listed threshold and at the best thresholds. */
typedef struct fp_prevalence_outcome {
    const fp_outcome *outcome;
    size_t threshold_count, prevalence_count;
    const double *thresholds;  /* ascending; the listed ones and the best of every arm */
    const double *prevalences; /* ascending */
    size_t listed;             /* number of requested thresholds; the others are the best of some arm */
    const double *list;        /* [listed] */
    size_t stated;             /* position of the stated prevalence */
    const fp_prevalence_arm *arms;
} fp_prevalence_outcome;

/* ---- Agreement of found and true clusters, per arm and threshold ---- */

/* One arm at one threshold. */
typedef struct fp_clusters_cell {
    fp_estimate agreement[FP_AGREEMENT_KINDS];
} fp_clusters_cell;

typedef struct fp_clusters_outcome {
    const fp_outcome *outcome;
    size_t threshold_count;
    const double *thresholds;
    const fp_clusters_cell *cells; /* [outcome->count·threshold_count] */
} fp_clusters_outcome;

/* Single linkage over the labelled pairs with distance ≤ each requested threshold. Figures are means over the hash
 * seeds of an arm; intervals include both variances. FP_ERROR_EMPTY without labelled pairs. */

/* ---- Costs of every arm, and the cheapest threshold at each cost ratio ---- */

/* The cheapest threshold at one cost ratio. Costs are shares of the largest possible loss. */
typedef struct fp_cost_choice {
    double ratio;       /* cost of a false negative; a false positive costs 1 */
    double probability; /* PC(+) */
    double threshold;   /* the smallest of the cheapest, or FP_CALL_NOTHING */
    uint64_t tp, fp;
    double cost;
    fp_interval interval; /* of the cost, for a fixed threshold */
    /* The next thresholds on either side that call a different number of pairs; NaN: none. */
    double nearer, nearer_cost, farther, farther_cost;
    double low, high; /* range of thresholds whose cost is not significantly larger, each tested alone */
} fp_cost_choice;

typedef struct fp_cost_arm {
    size_t corner_count; /* 0 when a class is empty; the choices are then NaN */
    const fp_cost_corner *corners;
    const fp_cost_choice *choices; /* [ratio_count] */
} fp_cost_arm;

typedef struct fp_cost_outcome {
    const fp_outcome *outcome;
    double own, prevalence; /* prevalence of the set, and the prevalence that costs assume */
    size_t ratio_count;
    const double *ratios; /* ascending */
    const fp_cost_arm *arms;
} fp_cost_outcome;

/* options->prevalence is the stated one; 0: that of the set. Limits are NaN if the pairs of groups are only counted. */

/* The settings: ratios, ascending. */
typedef struct fp_cost_ratios {
    size_t count;
    double *each;
} fp_cost_ratios;

#endif
