/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stratum.h - the measures of every arm on one stratum of the labelled pairs, with intervals from the pairs of that
 * stratum: pairs that share a document or a group are not independent.
 */
#ifndef FP_STRATUM_H
#define FP_STRATUM_H

#include "eval/analyses/strata.h"
#include "eval/evaluation/inference.h"
#include "eval/evaluation/outcome.h"
#include "eval/statistics/measure_interval.h"

/* Average precision and the best F1 are means over the hash seeds of the arm; all other values are for its own seed. */
typedef struct fp_stratum_arm {
    fp_estimate average_precision, best_f1, best_threshold;
    /* At the best threshold, taken as given; NaN if there is none. From the pairs of the stratum and those added: its
     * own determine recall if it has duplicates, specificity if it has others, precision if it has both. */
    fp_estimate precision, recall, specificity;
    const fp_estimate *further; /* [further_count] over the range, or at the best threshold */
    const fp_confusion *counts; /* [threshold_count] */
    /* [(FP_STRATUM_USUAL + further_count)·threshold_count] precision, recall, F1, then the further measures at each
     * threshold, measure by measure; those over the range are undefined here. */
    const fp_estimate *at;
} fp_stratum_arm;
enum { FP_STRATUM_USUAL = 3 };

typedef struct fp_stratum {
    size_t pairs;                /* of the stratum itself; if 0, everything below is empty */
    size_t positives, negatives; /* of the stratum itself */
    size_t joined;               /* pairs of the other label, added if the stratum has only one */
    size_t replicates;
    fp_sampling_unit unit;      /* the resampled unit */
    const fp_stratum_arm *arms; /* [arm_count] */
} fp_stratum;

/* The measures of fp_inference_make for a corpus with only the pairs of fp_stratum_select; reads the distances of the
 * outcome. Everything lives in `arena`. Same measures for any number of threads. */
fp_status fp_stratum_infer(const fp_outcome *outcome, const fp_strata *strata, size_t stratum,
                           const fp_inference_options *options, const fp_progress *progress, fp_arena *arena,
                           fp_stratum *out, fp_error *error);

/* The limit of weights sampled over all strata, lanes and replicates: some seconds of work. */
#define FP_STRATA_DRAWS 4000000000.0
enum { FP_STRATA_REPLICATES = 200 };

/* The number of replicates that keeps all strata within FP_STRATA_DRAWS: as many as requested, or fewer, but not fewer
 * than FP_STRATA_REPLICATES. `scratch` is not reset. */
fp_status fp_strata_replicates(const fp_corpus *corpus, const fp_strata *strata, size_t lane_count, size_t asked,
                               fp_arena *scratch, size_t *replicates, fp_error *error);

/* ---- Strata of length if the truth is groups: all pairs of documents, counted and never listed ---- */

/* The pairs of measurement->arm whose shorter document lies in each stratum; each[strata->count] are finished
 * histograms, the caller always releases them. With K strata this takes at most K times the work of all pairs. */
fp_status fp_strata_count_groups(const fp_corpus *corpus, const fp_strata *strata, const fp_measurement *measurement,
                                 const fp_progress *progress, fp_histogram *each, fp_error *error);

/* The measures of fp_stratum for every stratum, without intervals; all[strata->count]. */
fp_status fp_strata_infer_groups(const fp_outcome *outcome, const fp_strata *strata,
                                 const fp_inference_options *options, const fp_progress *progress, fp_arena *arena,
                                 fp_stratum *all, fp_error *error);

/* ---- The measures of every arm on every stratum ---- */

/* The strata of one outcome, with the measures of every arm on each. */
typedef struct fp_strata_outcome {
    const fp_outcome *outcome;
    fp_strata strata;
    const fp_stratum *each; /* [strata.count] */
    size_t replicates;      /* per stratum: fewer than requested if there are many strata of many pairs */
} fp_strata_outcome;

/* `by` and the bounds as in fp_strata_make. */
typedef struct fp_strata_choice {
    const char *by;
    const size_t *bounds;
    size_t bound_count;
} fp_strata_choice;

/* Divides the pairs and infers on each part, with fewer replicates if there are many strata of many pairs. Errors as of
 * fp_strata_make. Everything lives in `arena`. */
fp_status fp_strata_outcome_make(const fp_outcome *outcome, const fp_strata_choice *choice,
                                 const fp_inference_options *options, const fp_progress *progress, fp_arena *arena,
                                 fp_strata_outcome *out, fp_error *error);

#endif
