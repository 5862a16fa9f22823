/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stratum.h - the measures of every arm on one stratum of the labelled pairs, with the intervals that the pairs of that
 * stratum allow: what shares a document or a group within it is not independent.
 */
#ifndef FP_STRATUM_H
#define FP_STRATUM_H

#include "eval/evaluation/inference.h"
#include "eval/evaluation/outcome.h"
#include "eval/statistics/measure_interval.h"

/* ----
 * the labelled pairs of a corpus divided by kind, language, length or a field of their documents, so that
 * every measure can be told for each part.
 */

typedef struct fp_strata {
    const char *by;
    size_t count;
    const char *const *names; /* [count] by length in ascending order, otherwise in order of first appearance */
    const uint32_t *of_pair;  /* [pair_count]; NULL where the truth is groups */
    const size_t *bounds;     /* [count − 1] by length: upper bounds, exclusive; else NULL */
} fp_strata;

/* A stratum with fewer pairs says little; reports mark it. */
enum { FP_STRATUM_SMALL = 30, FP_STRATA_MOST = 1000 };

/* The field that fp_strata_make will ask the corpus for; NULL where `by` is none, or NULL. */
const char *fp_strata_field(const char *by);

/* `by`: "kind"; "lang"; "length", in buckets of the shorter document's characters with the given ascending upper bounds
 * (exclusive; 0 bounds: chosen by fp_buckets_choose); or the name of a field of the documents that was asked for when
 * the corpus was read, the pair's two values joined by " / " when they differ. A value that is missing is called
 * "(none)". The corpus must have labelled pairs, or, by length, groups: FP_ERROR_EMPTY. FP_ERROR_UNKNOWN when no
 * document has the field, FP_ERROR_RANGE for over FP_STRATA_MOST strata. Lives in `arena`. */
fp_status fp_strata_make(const fp_corpus *corpus, const char *by, const size_t *bounds, size_t bound_count,
                         fp_arena *arena, fp_strata *strata, fp_error *error);

/* The pairs of one stratum, as positions in corpus->pairs, ascending; members[count] in `arena`. A stratum of one
 * label, such as a kind of duplicates, is joined by all pairs of the other label, so that precision and the curve have
 * a meaning. */
fp_status fp_stratum_select(const fp_corpus *corpus, const fp_strata *strata, size_t stratum, fp_arena *arena,
                            size_t **members, size_t *count, fp_error *error);

/* ---- buckets of length chosen from the pairs themselves, so that each says something. ---- */

/* At most so many buckets are chosen; each is to hold about so many pairs, and so many of each label, or more. */
enum { FP_BUCKETS_MOST = 6, FP_BUCKET_PAIRS = 60, FP_BUCKET_LABEL = 15 };

/* Chooses ascending upper bounds (exclusive) over length[i] of pairs[i]; bounds[FP_BUCKETS_MOST − 1]. The bounds stand
 * near the quantiles of a distribution in which the duplicates together weigh as much as the other pairs together, so
 * that every bucket has both: each is the roundest number (a multiple of the largest of 1, 2, 5, 10, 20, …) within a
 * quarter of a bucket of its quantile. No bucket is empty. *count is 0, one bucket, when there are too few pairs or all
 * have one length. */
fp_status fp_buckets_choose(const size_t *length, const fp_pair *pairs, size_t pair_count, const fp_arena *like,
                            size_t *bounds, size_t *count, fp_error *error);

/* ---- Measures on a stratum ---- */

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
