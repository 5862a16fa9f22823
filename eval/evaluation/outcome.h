/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * outcome.h - arms on one corpus: measurements, curves, intervals and exact counterparts. All reports of an evaluation
 * are made from it.
 */
#ifndef FP_OUTCOME_H
#define FP_OUTCOME_H

#include "eval/analyses/bound.h"
#include "eval/measures/histogram.h"
#include "eval/evaluation/inference.h"
#include "eval/evaluation/levels.h"
#include "eval/experiment/arm_list.h"
#include "eval/experiment/corpus_sketches.h"

/* All arms on one corpus. */
typedef struct fp_outcome {
    const fp_corpus *corpus;         /* at document level a view: eval/evaluation/levels.h */
    size_t count;                    /* arms */
    size_t lane_count;               /* arms and their further hash seeds */
    size_t hash_seeds;               /* of arms whose specification gives no seed */
    const fp_further_seeds *further; /* [count] positions of the further seeds of an arm in the arrays below */
    fp_measurement *measurements;    /* [lane_count] of that corpus: the arms, then their further seeds */
    const fp_curve *curves;          /* [lane_count] */
    const fp_inference *inference;
    fp_counterparts *counterparts; /* NULL unless asked for */
    const fp_bound *bounds;        /* [count]; NULL unless asked for */
} fp_outcome;

/* Whether the corpus has that level: documents and clusters need labelled pairs. */
bool fp_outcome_has_level(const fp_corpus *corpus, fp_level level);

/* What is measured. */
typedef struct fp_contest {
    size_t count;
    fp_arm *const *arms;            /* [count] parsed, not fitted; NULL entries have distances instead */
    const double *const *distances; /* [count] of the labelled pairs, where there is no arm; NULL: all are arms */
    fp_hash_seeds hash_seeds;       /* resolved by fp_hash_seeds_for */
    fp_level level;
    bool exact; /* also the exact measure of each arm, from the same pass over the texts; not at document level */
} fp_contest;

/* Measures the arms and makes their curves. Keeps the corpus; everything lives in `arena` except what fp_outcome_free
 * releases. On failure nothing is left to release. FP_ERROR_EMPTY when the corpus lacks the level. Same measures for
 * any number of threads, here and below. */
fp_status fp_outcome_measure(const fp_stage *stage, const fp_contest *of, fp_arena *arena, fp_outcome *outcome,
                             fp_error *error);
/* Estimates the intervals. */
fp_status fp_outcome_infer(fp_outcome *outcome, const fp_inference_options *options, const fp_progress *progress,
                           fp_arena *arena, fp_error *error);
/* The bound of every arm, from its counterpart. */
fp_status fp_outcome_bound(fp_outcome *outcome, uint64_t seed, const fp_progress *progress, fp_arena *arena,
                           fp_error *error);

/* Releases histograms; a zeroed outcome is fine. */
void fp_outcome_free(fp_outcome *outcome);

/* ---- Arms with their own thresholds, as chosen by tuning, each at that threshold ---- */

typedef struct fp_chosen_arm {
    size_t arm;
    double threshold;
    fp_confusion counts;
    fp_estimate precision, recall, f1;
} fp_chosen_arm;

typedef struct fp_chosen_outcome {
    const fp_outcome *outcome;
    size_t count;
    const fp_chosen_arm *arms; /* [count] in the order of the outcome's arms */
} fp_chosen_outcome;

/* thresholds[outcome->count]: NaN for an arm without one. At a threshold of options->thresholds, copies the estimates
 * of the outcome's inference; for others computes them in the same way. Everything lives in `arena`. */
fp_status fp_chosen_outcome_make(const fp_outcome *outcome, const double *thresholds,
                                 const fp_inference_options *options, const fp_progress *progress, fp_arena *arena,
                                 fp_chosen_outcome *out, fp_error *error);

/* Every arm at the threshold of its best F1, for real distances rounded up to hundredths; if pairs are counted, at the
 * best of options->thresholds. Leaves out arms without one (no positives). */
fp_status fp_best_outcome_make(const fp_outcome *outcome, const fp_inference_options *options,
                               const fp_progress *progress, fp_arena *arena, fp_chosen_outcome *out, fp_error *error);

/* ---- Hash seeds (eval/statistics/dyadic_variance.h): values at a threshold are those of the arm's own seed ---- */

/* The mean over the seeds of an arm under which it is defined of a value of the curve: offsetof(fp_curve, roc_area) …
 */
double fp_seeds_curve_mean(const fp_outcome *outcome, size_t arm, size_t offset);

#endif
