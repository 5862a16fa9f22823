/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * counting.h - counts all pairs of a corpus of groups, unit by unit, for measures with a variance.
 */
#ifndef FP_COUNTING_H
#define FP_COUNTING_H

#include "eval/experiment/unit_pass.h"

/* Input of the counts. */
typedef struct fp_counting {
    const fp_corpus *corpus;            /* whose truth is its groups */
    const fp_measurement *measurements; /* [arm_count] */
    size_t arm_count;
    const double *thresholds; /* ascending strictly */
    size_t threshold_count;
    const fp_measure *functionals; /* of counted.h: the measure of comparisons, then those over the range */
    size_t functional_count;
    size_t most_documents; /* up to this many, every dyad is counted; beyond, far dyads are sampled with `seed` */
    uint64_t seed;
} fp_counting;

/* The default of most_documents: this many take a tenth of a second per arm. */
enum { FP_COUNTING_DOCUMENTS = 4096 };

/* How many near pairs (near_pairs.h) an experiment with this many arms should list for the counting; 0: none. */
size_t fp_counting_near(const fp_corpus *corpus, size_t arm_count);

/* Everything lives in `arena`. Values of an undefined functional are 0. FP_ERROR_RANGE: a functional over the range has
 * no derivative. */
fp_status fp_counting_run(const fp_counting *counting, const fp_progress *progress, fp_arena *arena,
                          fp_counted_pairs *counted, fp_error *error);

/* The observed values at drawing->thresholds, from counts of all pairs or of a sample, with the spread of `compared`
 * (may be NULL) and of drawing->ranked. bootstrap->counted has the counts; there are no replicates. Everything lives in
 * `arena`. */
fp_status fp_counting_observe(const fp_corpus *corpus, const fp_measurement *measurements, size_t arm_count,
                              const fp_measure *compared, const fp_bootstrap_options *drawing,
                              const fp_progress *progress, fp_arena *arena, fp_resample *resample,
                              fp_bootstrap *bootstrap, fp_error *error);

#endif
