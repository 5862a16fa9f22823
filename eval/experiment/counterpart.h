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

/* Measures the counterpart (fp_arm_counterpart) of every arm on the corpus, each once; measurements[i] is of arms[i]
 * and is used where it is the counterpart of another. Distances of a counterpart are on its own scale:
 * fp_algorithm.similarity gives the measure. Everything lives in `arena` but histograms. */
fp_status fp_counterparts_measure(const fp_corpus *corpus, const fp_measurement *measurements, size_t arm_count,
                                  const fp_progress *progress, fp_arena *arena, fp_counterparts *counterparts,
                                  fp_error *error);

void fp_counterparts_free(fp_counterparts *counterparts);

#endif
