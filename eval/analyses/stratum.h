/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stratum.h - the measures of every arm on one stratum of the labelled pairs, with intervals from the pairs of that
 * stratum: pairs that share a document or a group are not independent.
 */
#ifndef FP_STRATUM_H
#define FP_STRATUM_H

#include "eval/evaluation/inference.h"
#include "eval/evaluation/outcome.h"
#include "eval/statistics/measure_interval.h"

/* ----
 * Labelled pairs of a corpus divided by kind, language, length or a field of their documents, to report every measure
 * for each part.
 */

typedef struct fp_strata {
    const char *by;
    size_t count;
    const char *const *names; /* [count] by length in ascending order, otherwise in order of first appearance */
    const uint32_t *of_pair;  /* [pair_count]; NULL if the truth is groups */
    const size_t *bounds;     /* [count − 1] by length: upper bounds, exclusive; else NULL */
} fp_strata;

/* Reports mark strata with fewer pairs than FP_STRATUM_SMALL as small. */
enum { FP_STRATUM_SMALL = 30, FP_STRATA_MOST = 1000 };

/* The field that fp_strata_make needs from the corpus; NULL if `by` is not a field, or NULL. */
const char *fp_strata_field(const char *by);

/* `by`: "kind"; "lang"; "length", in buckets of the shorter document's characters with the given ascending upper bounds
 * (exclusive; 0 bounds: chosen by fp_buckets_choose); or the name of a field of the documents that was requested when
 * the corpus was read; if the two values of a pair differ, they are joined by " / ". A missing value is called
 * "(none)". FP_ERROR_EMPTY: the corpus has no labelled pairs and, by length, no groups. FP_ERROR_UNKNOWN: no document
 * has the field. FP_ERROR_RANGE: more than FP_STRATA_MOST strata. Lives in `arena`. */
fp_status fp_strata_make(const fp_corpus *corpus, const char *by, const size_t *bounds, size_t bound_count,
                         fp_arena *arena, fp_strata *strata, fp_error *error);

/* The pairs of one stratum, as positions in corpus->pairs, ascending; members[count] in `arena`. If a stratum has only
 * one label, such as a kind of duplicates, all pairs of the other label are added, so that precision and the curve are
 * defined. */
fp_status fp_stratum_select(const fp_corpus *corpus, const fp_strata *strata, size_t stratum, fp_arena *arena,
                            size_t **members, size_t *count, fp_error *error);

/* ---- Buckets of length, chosen from the pairs so that each has enough pairs ---- */

/* At most FP_BUCKETS_MOST buckets are chosen; each should have at least about FP_BUCKET_PAIRS pairs and FP_BUCKET_LABEL
 * of each label. */
enum { FP_BUCKETS_MOST = 6, FP_BUCKET_PAIRS = 60, FP_BUCKET_LABEL = 15 };

/* Chooses ascending upper bounds (exclusive) over length[i] of pairs[i]; bounds[FP_BUCKETS_MOST − 1]: the roundest
 * numbers (multiples of the largest of 1, 2, 5, 10, 20, …) within a quarter of a bucket of the quantiles of a
 * distribution in which all duplicates weigh as much as all other pairs. No bucket is empty. *count is 0 (one bucket)
 * if there are too few pairs or all have the same length. */
fp_status fp_buckets_choose(const size_t *length, const fp_pair *pairs, size_t pair_count, const fp_arena *like,
                            size_t *bounds, size_t *count, fp_error *error);

/* ---- Measures on a stratum ---- */

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
