/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * counterpart.h - the exact measure beside each estimate: what the distances of a fingerprint would be if nothing were
 * lost in the sketch.
 */
#ifndef FP_COUNTERPART_H
#define FP_COUNTERPART_H

#include "eval/experiment/experiment.h"

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

#endif
