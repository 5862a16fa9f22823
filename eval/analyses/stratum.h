/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stratum.h - the measures of every arm on one stratum of the labelled pairs, with the intervals that the pairs of that
 * stratum allow: what shares a document or a group within it is not independent.
 */
#ifndef FP_STRATUM_H
#define FP_STRATUM_H

#include "eval/evaluation/inference.h"
#include "eval/evaluation/outcome.h"
#include "eval/analyses/strata.h"
#include "eval/statistics/measure_interval.h"

/* Average precision and the best F1 are means over the hash seeds of the arm; all else is of its own. */
typedef struct fp_stratum_arm {
    fp_estimate average_precision, best_f1, best_threshold;
    /* At the best threshold, taken as given; NaN where there is none. Of the pairs of the stratum and what joins it:
     * the stratum's own are recall where it has duplicates, specificity where it has others, precision where it has
     * both. */
    fp_estimate precision, recall, specificity;
    const fp_confusion *counts;                          /* [threshold_count] */
    const fp_estimate *precision_at, *recall_at, *f1_at; /* [threshold_count] */
    /* fp_inference_options.further: over the range, or at the best threshold; and at each of the thresholds, where a
     * measure is of one. */
    const fp_estimate *further;    /* [further_count] */
    const fp_estimate *further_at; /* [further_count·threshold_count] measure by measure */
} fp_stratum_arm;

typedef struct fp_stratum {
    size_t pairs;                /* of the stratum itself; all below is empty when there is none */
    size_t positives, negatives; /* of the stratum itself */
    size_t joined;               /* pairs of the other label, which join a stratum of one */
    size_t replicates;
    fp_sampling_unit unit;      /* what was resampled */
    const fp_stratum_arm *arms; /* [arm_count] */
} fp_stratum;

/* Labelled pairs that are divided, and what every arm measured of them. */
typedef struct fp_divided_pairs {
    const fp_corpus *corpus;
    const fp_strata *strata;
    size_t arm_count, lane_count;    /* lanes are the arms, then the further seeds of their hash */
    const fp_further_seeds *further; /* [arm_count] */
    const double *const *distances;  /* [lane_count] each of corpus->pair_count */
} fp_divided_pairs;

/* The measures of fp_inference_make for a corpus that holds the pairs of fp_stratum_select only. Everything lives in
 * `arena`. Same measures for any number of threads. */
fp_status fp_stratum_infer(const fp_divided_pairs *divided, size_t stratum, const fp_inference_options *options,
                           const fp_progress *progress, fp_arena *arena, fp_stratum *out, fp_error *error);

/* The weights that may be drawn, over all strata, lanes and replicates: some seconds of work. */
#define FP_STRATA_DRAWS 4000000000.0
enum { FP_STRATA_REPLICATES = 200 };

/* The replicates that keep all strata within FP_STRATA_DRAWS: as many as were asked for, or fewer, but no fewer than
 * FP_STRATA_REPLICATES. `scratch` is not reset. */
fp_status fp_strata_replicates(const fp_corpus *corpus, const fp_strata *strata, size_t lane_count, size_t asked,
                               fp_arena *scratch, size_t *replicates, fp_error *error);

/* ---- strata of length where the truth is groups: all pairs of documents, counted and never listed. ---- */

/* The pairs of measurement->arm whose shorter document lies in each stratum; each[strata->count] are finished
 * histograms, released by the caller in any case. Documents of a length or more are a corpus in which no shorter one
 * occurs, so that a stratum is what is counted from its lower bound on less what is counted from the next: with K
 * strata at most K times the work of all pairs. */
fp_status fp_strata_count_groups(const fp_corpus *corpus, const fp_strata *strata, const fp_measurement *measurement,
                                 const fp_progress *progress, fp_histogram *each, fp_error *error);

/* The measures of fp_stratum for every stratum; all[strata->count]. All pairs are taken as independent: intervals are
 * mid-p, and measures over the whole range, like the best threshold, have none. */
fp_status fp_strata_infer_groups(const fp_outcome *outcome, const fp_strata *strata,
                                 const fp_inference_options *options, const fp_progress *progress, fp_arena *arena,
                                 fp_stratum *all, fp_error *error);

/* ---- the measures of every arm on every part of the pairs. ---- */

/* The strata of one outcome, with the measures of every arm on each. */
typedef struct fp_strata_outcome {
    const fp_outcome *outcome;
    fp_strata strata;
    const fp_stratum *each; /* [strata.count] */
    size_t replicates;      /* that each took: fewer than were asked for where there are many strata of many pairs */
} fp_strata_outcome;

/* `by` and the bounds as fp_strata_make has them. */
typedef struct fp_strata_choice {
    const char *by;
    const size_t *bounds;
    size_t bound_count;
} fp_strata_choice;

/* Divides the pairs and infers on each part, with fewer replicates where there are many strata of many pairs. Errors
 * as of fp_strata_make. Everything lives in `arena`. */
fp_status fp_strata_outcome_make(const fp_outcome *outcome, const fp_strata_choice *choice,
                                 const fp_inference_options *options, const fp_progress *progress, fp_arena *arena,
                                 fp_strata_outcome *out, fp_error *error);

#endif
