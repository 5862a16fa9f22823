/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * corpus_sketches.h - runs the documents of a corpus through the pipeline (algorithms/arms/pipeline.h), for
 * experiments and for tuning, with separate training and test documents.
 */
#ifndef FP_CORPUS_SKETCHES_H
#define FP_CORPUS_SKETCHES_H

#include "algorithms/arms/pipeline.h"
#include "eval/experiment/experiment.h"

/* Arms learn from their training documents and sketch theirs. An arm that requires labels (FP_NEEDS_PAIRS) gets the
 * labelled pairs, or the pairs inside groups, whose two documents are both training documents. measurements[i] is
 * for arms[i], without distances; models and sketches live in `arena`. */
fp_status fp_corpus_sketches(const fp_corpus *corpus, fp_pipeline_arm *arms, size_t count, const fp_progress *progress,
                             fp_arena *arena, fp_measurement *measurements, fp_error *error);

/* ---- The exact measure for each estimate: the distances of a fingerprint whose sketch loses nothing ---- */

typedef struct fp_counterparts {
    size_t arm_count;
    const fp_measurement *const *of_arm; /* [arm_count] NULL for an arm without an exact measure */
    size_t further_count;                /* those not among the arms */
    fp_arm **arms;                       /* [further_count] parsed, not fitted */
    fp_measurement *further;             /* [further_count] of these; released by fp_counterparts_free */
} fp_counterparts;

/* The counterpart (fp_arm_counterpart) of every arm, each once, among the arms where possible. It may be called before
 * anything is measured: keeps measurements[arm_count], which are of the arms, and further[arm_count], which are zero.
 * Everything else lives in `arena`. Distances of a counterpart are on its own scale; fp_algorithm.similarity gives the
 * measure. */
fp_status fp_counterparts_find(fp_arm *const *arms, size_t arm_count, const fp_measurement *measurements,
                               fp_measurement *further, fp_arena *arena, fp_counterparts *counterparts,
                               fp_error *error);
void fp_counterparts_free(fp_counterparts *counterparts);

/* ---- Guarantees of plug-in algorithms, checked before anything is counted ---- */

/* Size of the sample, spread over all pairs, that is checked for symmetry and for distance 0 of a document to
 * itself. */
enum { FP_DISTANCES_SAMPLED = 1000 };

/* Checks every distance of `pairs`, or of all pairs of documents if `first` is NULL, except those of empty sketches.
 * FP_ERROR_RANGE, with the pair's ids: when a distance is NaN, below 0 or above the largest; for a sample, also when
 * it breaks the other guarantees of fp_algorithm.distance. Each distance is computed once more for this; none if the
 * algorithm is registered.
 *
 * If distances are known only for some pairs (fp_learning.pairs_known), registered or not: FP_ERROR_EMPTY, with the
 * number of pairs without a distance and the ids of the first. If `pairs` are all pairs of the corpus, the arm's
 * caution reports known pairs that the corpus does not use. */
fp_status fp_distances_check(const fp_corpus *corpus, const fp_measurement *measurement, fp_pair_list pairs,
                             const fp_progress *progress, fp_error *error);

#endif
