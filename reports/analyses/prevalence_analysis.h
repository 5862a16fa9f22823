/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * prevalence_analysis.h - precision of every arm at other shares of duplicates than the set's own.
 */
#ifndef FP_PREVALENCE_ANALYSIS_H
#define FP_PREVALENCE_ANALYSIS_H

#include "eval/evaluation/outcome.h"
#include "eval/statistics/two_rates.h"

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

/* options->prevalence is the stated one. */
fp_status fp_prevalence_outcome_make(const fp_outcome *outcome, const fp_inference_options *options,
                                     const fp_progress *progress, fp_arena *arena, fp_prevalence_outcome *out,
                                     fp_error *error);

#endif
