/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * corpus_sketches.h - the documents of a corpus through the pipeline (algorithms/arms/pipeline.h): what an
 * experiment measures and what tuning measures, on some documents learned and on others tried.
 */
#ifndef FP_CORPUS_SKETCHES_H
#define FP_CORPUS_SKETCHES_H

#include "algorithms/arms/pipeline.h"
#include "eval/experiment/experiment.h"

/* Arms learn from their training documents and sketch theirs. Where one asks for labels (FP_NEEDS_PAIRS), it gets the
 * labelled pairs, or the pairs inside groups, both of whose documents it learns from. measurements[i] is of arms[i],
 * but for distances; models and sketches live in `arena`. */
fp_status fp_corpus_sketches(const fp_corpus *corpus, fp_pipeline_arm *arms, size_t count, const fp_progress *progress,
                             fp_arena *arena, fp_measurement *measurements, fp_error *error);

/* ----
 * the exact measure beside each estimate: what the distances of a fingerprint would be if nothing were
 * lost in the sketch.
 */

typedef struct fp_counterparts {
    size_t arm_count;
    const fp_measurement *const *of_arm; /* [arm_count] NULL where an arm estimates nothing that can be measured */
    size_t measured;                     /* those that were not among the arms */
    fp_measurement *measurements;        /* [measured]; released by fp_counterparts_free */
} fp_counterparts;

/* Which measurements are counterparts of which arms: planned before anything is measured, so that what is not among the
 * arms can be sketched beside them, from texts that are treated once. */
typedef struct fp_counterpart_plan {
    size_t arm_count;
    const struct fp_counterpart_place *places; /* [arm_count] */
    size_t further_count;
    fp_arm **further; /* [further_count] parsed, not fitted */
} fp_counterpart_plan;

/* The counterpart (fp_arm_counterpart) of every arm, each once; an arm is used where it is the counterpart of another.
 * Everything lives in `arena`. */
fp_status fp_counterparts_plan(fp_arm *const *arms, size_t arm_count, fp_arena *arena, fp_counterpart_plan *plan,
                               fp_error *error);
/* The measurements of the arms and of plan->further, on one corpus, as counterparts; both are kept, and those of the
 * further ones belong to the result. Distances of a counterpart are on its own scale: fp_algorithm.similarity gives the
 * measure. */
fp_status fp_counterparts_join(const fp_counterpart_plan *plan, const fp_measurement *measurements,
                               fp_measurement *further, fp_arena *arena, fp_counterparts *counterparts,
                               fp_error *error);
/* For arms that are measured already: measures the further ones on the corpus. Everything lives in `arena` but
 * histograms. */
fp_status fp_counterparts_measure(const fp_corpus *corpus, const fp_measurement *measurements, size_t arm_count,
                                  const fp_progress *progress, fp_arena *arena, fp_counterparts *counterparts,
                                  fp_error *error);

void fp_counterparts_free(fp_counterparts *counterparts);

/* ----
 * whether an algorithm from outside keeps its promises on the pairs at hand, before anything is
 * counted of them. What is registered is tested, and not asked.
 */

/* Of so many pairs, spread over all, it is seen whether the distance is the same in both orders and 0 of a document and
 * itself. */
enum { FP_DISTANCES_SAMPLED = 1000 };

/* Every distance of `pairs`, or where their `first` is NULL of all pairs of documents, but those that say nothing:
 * FP_ERROR_RANGE with the pair's ids where one is NaN, below 0 or above the largest; for a sample, where it breaks the
 * other promises of fp_algorithm.distance. Each distance is asked once more for it; nothing is where the algorithm is
 * registered.
 * Where distances are known of some pairs alone (fp_learning.pairs_known), registered or not: FP_ERROR_EMPTY with the
 * number of pairs that lack one and the ids of the first; and the arm's caution tells of known pairs that the corpus
 * does not ask for, where `pairs` are all that it has. */
fp_status fp_distances_check(const fp_corpus *corpus, const fp_measurement *measurement, fp_pair_list pairs,
                             const fp_progress *progress, fp_error *error);

#endif
