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

#define FP_NO_PLACE SIZE_MAX

/* `arm` of a group is any of its arms: all agree on what the group shares. */
typedef struct fp_text_group {
    const fp_arm *arm;
    unsigned wanted;       /* by any arm of the group */
    fp_cached_texts *kept; /* from an earlier pass, or for a later one; NULL if none */
    bool keeps;            /* whether a later pass reads the texts again */
} fp_text_group;

typedef struct fp_count_group {
    const fp_arm *arm;
    size_t text; /* group */
    size_t row;  /* of fp_pass.terms, if frequencies are counted; else FP_NO_PLACE */
} fp_count_group;

typedef struct fp_weight_group {
    const fp_arm *arm;
    size_t counts; /* group */
    bool units;    /* units suffice (fp_arm_takes_units) */
} fp_weight_group;

/* Arms that learn the same document frequencies. */
typedef struct fp_tally_group {
    size_t counts; /* group */
    const bool *training;
    fp_tally *tally;
    const fp_idf *idf; /* after the pass */
    double seconds;
} fp_tally_group;

/* One arm in this pass. */
typedef struct fp_lane {
    size_t arm; /* number in the pipeline */
    fp_step step;
    size_t counts;  /* group */
    size_t weights; /* group; FP_NO_PLACE if frequencies are counted */
    size_t tally;   /* group; FP_NO_PLACE if they are not */
    /* If a model is learned: */
    fp_training labels;
    fp_arena *arena; /* of the state */
    void *state;
    size_t documents; /* that are not empty */
    double seconds;   /* of fp_learning.add and fp_learning.end */
} fp_lane;

/* The distinct term hashes of a document. */
typedef struct fp_counted_terms {
    const uint64_t *hash;
    size_t count;
} fp_counted_terms;

/* One pass over the texts. */
typedef struct fp_pass {
    const fp_pipeline *pipeline;
    fp_text_cache *cache;
    fp_batch *threads;
    bool learns, sketches; /* whether a lane does */
    size_t text_count, count_count, weight_count, tally_count, lane_count, row_count;
    fp_text_group *texts;
    fp_count_group *counts;
    fp_weight_group *weights;
    fp_tally_group *tallies;
    fp_lane *lanes;
    /* Results of the batch: in each row, one entry per text. */
    fp_text_batch batch;
    fp_arena *arena;
    fp_counted_terms *terms; /* a row per count group whose frequencies are counted */
    fp_sketch *made; /* a row per lane: the sketch, or the result of fp_learning.read; empty if there was nothing */
    /* Seconds of all threads: a row per slice of the texts, a column per task. */
    pthread_mutex_t lock;
    double *clock;
    double wall; /* wall-clock seconds */
} fp_pass;

/* The first step at or after `step` that the arm takes. */
fp_step fp_step_from(const fp_pipeline *pipeline, const fp_arm *arm, fp_step step);

/* The groups and lanes of the pass in which arm a takes steps[a]. Only the first pass fills the cache. */
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
