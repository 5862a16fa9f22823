/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tune_parts.h - private interface between the steps of tuning.
 */
#ifndef FP_TUNE_PARTS_H
#define FP_TUNE_PARTS_H

#include "eval/tuning/tune.h"

/* Positions of the kept pairs that an arm calls duplicates when they are held out, ascending. */
typedef struct fp_tune_calls {
    size_t count;
    const uint32_t *pairs;
} fp_tune_calls;

typedef struct fp_tune_work {
    const fp_corpus *corpus;
    const fp_tune_options *options;
    const fp_progress *progress;
    fp_progress quiet; /* for its stages: only models are reported */
    fp_arena *arena;
    fp_tuned *tuned;
    fp_tune_arm *results;   /* [arm_count] */
    fp_tune_calls *calls;   /* [arm_count] */
    fp_called_pairs *naive; /* [arm_count] counts at the naive threshold */
    size_t done, total;     /* for the progress: arms times models */
    fp_error *error;
} fp_tune_work;

/* The step of every kept pair under one arm: by the model that has not seen its folds, and by the model trained on
 * everything. If the arm learns nothing, both are the same array. */
typedef struct fp_tune_steps {
    fp_threshold_grid scale;
    uint16_t *held_out, *naive;
} fp_tune_steps;

/* tune_measure.c: sketches and measures every arm, and calls the choice of its thresholds. */
fp_status fp_tune_measure(fp_tune_work *work);
/* tune_choose.c: thresholds and held-out calls of one arm. `scratch` is reset. */
fp_status fp_tune_choose_thresholds(const fp_tune_work *work, size_t arm, const fp_tune_steps *steps,
                                    fp_arena *scratch);
/* tune_choose.c: the arms, for each outer fold and for the recommendation. */
fp_status fp_tune_choose_arms(const fp_tune_work *work);
/* tune.c: measures with intervals, differences, the front. */
fp_status fp_tune_compare(const fp_tune_work *work);

/* The state of the comparisons of arms. */
typedef struct fp_tune_comparer {
    const fp_tune_work *work;
    const fp_split *split;
    bool *called;      /* [pair_count] */
    double *weight;    /* [pair_count] */
    bool *success;     /* [pair_count] */
    fp_arena *scratch; /* reset for every arm; the members above live in another arena */
} fp_tune_comparer;

/* Sets `called` for the held-out pairs of a set (SIZE_MAX: of all sets) that the arm calls. */
void fp_tune_mark(const fp_tune_comparer *of, size_t arm, size_t set);
/* tune_differences.c: differences of every arm from the recommended one. */
fp_status fp_tune_differ(const fp_tune_comparer *of);

#endif
