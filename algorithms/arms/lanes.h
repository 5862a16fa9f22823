/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lanes.h - the inside of the pipeline: what one pass over the texts makes for which arm, what arms share in it, and
 * batches of texts through it.
 */
#ifndef FP_LANES_H
#define FP_LANES_H

#include "algorithms/arms/pipeline.h"
#include "algorithms/arms/texts.h"

/* What an arm does in a pass, in this order. */
typedef enum fp_step { FP_STEP_FREQUENCIES, FP_STEP_MODEL, FP_STEP_SKETCH, FP_STEP_DONE } fp_step;

#define FP_NO_PLACE SIZE_MAX

/* Each group names an arm of it, which stands for all. */
typedef struct fp_text_group {
    const fp_arm *arm;
    unsigned wanted;       /* by all of them */
    fp_cached_texts *kept; /* of an earlier pass, or for a later one; NULL: none */
    bool keeps;            /* for a later one */
} fp_text_group;

typedef struct fp_count_group {
    const fp_arm *arm;
    size_t text; /* group */
    size_t row;  /* of fp_pass.terms, where frequencies are counted; else FP_NO_PLACE */
} fp_count_group;

typedef struct fp_weight_group {
    const fp_arm *arm;
    size_t counts; /* group */
    bool units;    /* are enough (fp_arm_takes_units) */
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
    size_t weights; /* group; FP_NO_PLACE where frequencies are counted */
    size_t tally;   /* group; FP_NO_PLACE where they are not */
    /* Where a model is learned: */
    fp_training labels;
    fp_arena *arena; /* of the state */
    void *state;
    size_t documents; /* that say something */
    double seconds;   /* of learn_add and learn_end */
} fp_lane;

typedef struct fp_pass_plan {
    const fp_pipeline *pipeline;
    fp_text_cache *cache;
    size_t text_count, count_count, weight_count, tally_count, lane_count, row_count;
    fp_text_group *texts;
    fp_count_group *counts;
    fp_weight_group *weights;
    fp_tally_group *tallies;
    fp_lane *lanes;
} fp_pass_plan;

/* What comes after `step` for the arm, `step` itself included. */
fp_step fp_step_from(const fp_pipeline *pipeline, const fp_arm *arm, fp_step step);

/* The pass in which arm number a takes steps[a]; fp_pass_plan_close ends it. Nothing but the first fills the cache. */
fp_status fp_pass_plan_open(fp_pass_plan *plan, const fp_pipeline *pipeline, const fp_step *steps, fp_text_cache *cache,
                            bool first, fp_arena *arena, fp_error *error);
void fp_pass_plan_close(fp_pass_plan *plan);

/* All texts have been seen: the arms take what was learned. */
fp_status fp_pass_plan_end(fp_pass_plan *plan, fp_error *error);

/* Whether the arm of a lane reads the text at this position. */
static inline bool fp_lane_takes(const fp_pass_plan *plan, const fp_lane *lane, size_t position) {
    const fp_pipeline_arm *arm = plan->pipeline->arms + lane->arm;
    const bool *part = lane->step == FP_STEP_SKETCH ? arm->sketched : arm->training;
    return !part || part[position];
}

/* ---- A batch through a pass ---- */

/* The distinct term hashes of a document. */
typedef struct fp_counted_terms {
    const uint64_t *hash;
    size_t count;
} fp_counted_terms;

typedef struct fp_pass {
    fp_pass_plan *plan;
    fp_batch *threads;
    fp_text_batch texts;
    /* What the batch leaves behind, row by row: a text each. */
    fp_arena *arena;
    fp_counted_terms *terms; /* a row for each count group that frequencies are counted of */
    fp_sketch *made;         /* a row a lane: the sketch, or what fp_learning.read read; empty: there was nothing */
    /* Seconds of all threads, by the slice of the texts and by what they worked at: a row a slice. */
    pthread_mutex_t lock;
    double *clock;
    double wall; /* seconds that went by */
} fp_pass;

fp_status fp_pass_open(fp_pass *pass, fp_pass_plan *plan, fp_batch *threads, fp_arena *arena, fp_error *error);
void fp_pass_close(fp_pass *pass);

/* One batch: its results are handed on, up to the first text that fails. `beside` runs side by side with it; may be
 * NULL. */
fp_status fp_pass_run(fp_pass *pass, const fp_text_batch *texts, void (*beside)(void *context), void *context,
                      fp_error *error);

/* Adds to every arm the seconds that it took. */
void fp_pass_charge(const fp_pass *pass);

#endif
