/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lanes.h - internals of the pipeline: what one pass over the texts makes for each arm, and what arms share in it.
 */
#ifndef FP_LANES_H
#define FP_LANES_H

#include "algorithms/arms/pipeline.h"
#include "algorithms/arms/texts.h"

/* The step of an arm in a pass, in this order. */
typedef enum fp_step { FP_STEP_FREQUENCIES, FP_STEP_MODEL, FP_STEP_SKETCH, FP_STEP_DONE } fp_step;

/* One arm in this pass. Arms share stages: `text`, `counts`, `weights`, `terms` and `tally` are the first lane that
 * makes the same, or the lane itself. */
typedef struct fp_lane {
    size_t arm; /* number in the pipeline */
    fp_step step;
    size_t text, counts;
    size_t weights;      /* unless frequencies are counted */
    size_t terms, tally; /* if they are: the distinct terms of a document, and the frequencies in the same documents */
    bool units;          /* units suffice (fp_arm_takes_units) */
    /* If it is the first with its text: */
    unsigned wanted;       /* by any lane with that text */
    fp_cached_texts *kept; /* from an earlier pass, or for a later one; NULL if none */
    bool keeps;            /* whether a later pass reads the texts again */
    /* If it is the first with its frequencies: */
    fp_tally *frequencies;
    const fp_idf *idf; /* after the pass */
    /* If a model is learned: */
    fp_training labels;
    fp_arena *arena; /* of the state */
    void *state;
    size_t documents; /* that are not empty */
    double seconds;   /* of learning from the results of the batches */
} fp_lane;

/* One pass over the texts. */
typedef struct fp_pass {
    const fp_pipeline *pipeline;
    fp_text_cache *cache;
    fp_batch *threads;
    bool learns, sketches; /* whether a lane does */
    size_t lane_count;
    fp_lane *lanes;
    fp_text_batch batch;
    fp_arena *arena; /* of the results of the batch */
    /* A row per lane, in each one entry per text: the sketch, the result of fp_learning.read, or the hashes of the
     * distinct terms; empty if there was nothing. */
    fp_sketch *made;
    /* Seconds of all threads: a row per slice of the texts, a column per task. */
    pthread_mutex_t lock;
    double *clock;
    double wall; /* wall-clock seconds */
} fp_pass;

/* The first step at or after `step` that the arm takes. */
fp_step fp_step_from(const fp_pipeline *pipeline, const fp_arm *arm, fp_step step);

/* The lanes of the pass in which arm a takes steps[a]. Only the first pass fills the cache. */
fp_status fp_pass_plan(fp_pass *pass, const fp_step *steps, bool first, fp_arena *arena, fp_error *error);
/* Gives the arms their learned frequencies and models. Call after the last text. */
fp_status fp_pass_learn(fp_pass *pass, fp_error *error);

/* Whether the arm of a lane reads the text at this position. */
static inline bool fp_lane_takes(const fp_pass *pass, const fp_lane *lane, size_t position) {
    const fp_pipeline_arm *arm = pass->pipeline->arms + lane->arm;
    const bool *part = lane->step == FP_STEP_SKETCH ? arm->sketched : arm->training;
    return !part || part[position];
}

/* fp_pass_plan, ready for batches. The caller closes it with fp_pass_close, also after an error. */
fp_status fp_pass_open(fp_pass *pass, const fp_pipeline *pipeline, const fp_step *steps, fp_text_cache *cache,
                       bool first, fp_batch *threads, fp_arena *arena, fp_error *error);
void fp_pass_close(fp_pass *pass);

/* Runs one batch and delivers its results, up to the first text that fails. The next batch of `ahead` (may be NULL) is
 * read in parallel. */
fp_status fp_pass_run(fp_pass *pass, const fp_text_batch *batch, fp_texts *ahead, fp_error *error);

/* Adds to every arm the seconds that it took. */
void fp_pass_charge(const fp_pass *pass);

#endif
