/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * inference.h - how sure the measures of one corpus are: intervals of every measure of every arm, and which differences
 * between arms stand.
 */
#ifndef FP_INFERENCE_H
#define FP_INFERENCE_H

#include "corpora/corpus.h"
#include "eval/statistics/difference.h"
#include "eval/experiment/experiment.h"

typedef struct fp_inference_options {
    fp_method method;
    fp_empty empty;
    double confidence; /* in (0, 1) */
    size_t replicates;
    uint64_t seed;
    double prevalence;        /* in (0, 1), or 0: no measure at a stated prevalence */
    const double *thresholds; /* ascending strictly */
    size_t threshold_count;
    fp_measure compared; /* what differences between arms are of; zeroed: average precision */
} fp_inference_options;

/* One comparison of two arms by fp_inference_options.compared, and by their judgements at the threshold of the list
 * with the larger F1 of each. */
typedef struct fp_comparison {
    size_t first, second;
    fp_difference difference;
    double adjusted; /* p by Holm over all comparisons of the corpus */
    size_t first_threshold, second_threshold;
    fp_mcnemar mcnemar; /* p values NaN where an arm calls nothing at any threshold of the list */
} fp_comparison;

typedef struct fp_inference {
    bool near;         /* all pairs of groups, by fp_inference_near: no measures but precision, recall and F1, and no
                          comparisons; `resample` is empty */
    size_t open_count; /* arms with more near pairs than can be listed: intervals of precision and F1 are NaN */
    fp_resample resample;
    size_t arm_count, threshold_count;
    const fp_estimate *precision; /* [arm_count·threshold_count] */
    const fp_estimate *recall;
    const fp_estimate *f1;
    const fp_estimate *specificity;       /* NULL where `near`, and so are all below */
    const fp_estimate *precision_at;      /* at the stated prevalence; NULL without one */
    const fp_estimate *average_precision; /* [arm_count] */
    const fp_estimate *roc_area;
    const fp_estimate *best_f1;
    size_t comparison_count;
    const fp_comparison *comparisons; /* every two arms */
} fp_inference;

/* distances[arm] belongs to the labelled pairs of the corpus, whose truth must be FP_TRUTH_PAIRS. Everything lives in
 * `arena`. Same measures for any number of threads. */
fp_status fp_inference_make(const fp_corpus *corpus, const double *const *distances, size_t arm_count,
                            const fp_inference_options *options, const fp_progress *progress, fp_arena *arena,
                            fp_inference *inference, fp_error *error);

/* The same for a corpus whose truth is its groups, of too many documents to list all pairs: at each threshold, from the
 * pairs that it can call or miss (near_pairs.h). Groups are the units. A measurement that does not list them up to the
 * largest threshold costs a pass over all pairs. With very many near pairs fewer replicates than asked for, 200 or
 * more. */
fp_status fp_inference_near(const fp_corpus *corpus, const fp_measurement *measurements, size_t arm_count,
                            const fp_inference_options *options, const fp_progress *progress, fp_arena *arena,
                            fp_inference *inference, fp_error *error);

/* One to three sentences for a report: whether pairs are independent, and where the intervals come from. NULL when
 * there is no memory. */
const char *fp_inference_describe(const fp_inference *inference, fp_arena *arena);

#endif
