/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * analysis_outcomes.h - what some analyses find in one corpus (*found of fp_analysis.run), for tests of their figures.
 */
#ifndef FP_ANALYSIS_OUTCOMES_H
#define FP_ANALYSIS_OUTCOMES_H

#include "eval/analyses/cost.h"
#include "eval/evaluation/outcome.h"
#include "eval/statistics/clusters.h"
#include "eval/statistics/measure_interval.h"

/* ---- Precision of every arm at other shares of duplicates than the set's own ---- */

typedef struct fp_prevalence_arm {
    size_t best;                       /* position of the best threshold; threshold_count when there is none */
    fp_estimate own;                   /* precision there at the set's own prevalence */
    const fp_prevalence_point *points; /* [threshold_count·prevalence_count] */
} fp_prevalence_arm;

/* Every arm of one corpus at every threshold of the list and at the best ones. */
typedef struct fp_prevalence_outcome {
    const fp_outcome *outcome;
    size_t threshold_count, prevalence_count;
    const double *thresholds;  /* ascending; those of the list and the best of every arm */
    const double *prevalences; /* ascending */
    size_t listed;             /* thresholds asked for: the others are the best of some arm */
    const double *list;        /* [listed] */
    size_t stated;             /* position of the stated prevalence */
    const fp_prevalence_arm *arms;
} fp_prevalence_outcome;

/* ---- How well the clusters that every arm finds agree with the true ones, at each threshold ---- */

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

/* Of single linkage over the labelled pairs at a distance ≤ each threshold of the options; figures are means over the
 * seeds of an arm's hash, and their intervals hold both variances. FP_ERROR_EMPTY without labelled pairs. */

/* ---- What every arm costs at its thresholds, and which threshold each ratio of costs wants ---- */

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
 */

/* The settings: ratios, ascending. */
typedef struct fp_cost_ratios {
    size_t count;
    double *each;
} fp_cost_ratios;

#endif
