/* SPDX-License-Identifier: GPL-3.0-or-later
 * Pass after pass over the texts, until every arm has done what it has to. */
#include "algorithms/pipeline/pipeline.h"

#include <string.h>

#include "algorithms/pipeline/pass.h"
#include "algorithms/pipeline/texts.h"

typedef struct run {
    const fp_pipeline *pipeline;
    fp_step *steps; /* of each arm */
    fp_texts texts;
    fp_text_cache cache;
    fp_batch *threads;
    fp_arena *arena; /* of all passes */
} run;

static void read_ahead(void *texts) { fp_texts_read(texts); }

static void tell(const run *on, const char *stage, size_t done) {
    const fp_progress *progress = on->pipeline->progress;
    size_t total = on->pipeline->source->count;
    if (progress && progress->report && total != SIZE_MAX) progress->report(progress->context, stage, done, total);
}

static fp_status run_batches(run *on, fp_pass *pass, const char *stage, fp_error *error) {
    fp_text_batch batch;
    for (;;) {
        FP_TRY(fp_texts_next(&on->texts, &batch, error));
        if (batch.count == 0) return FP_OK;
        FP_TRY(fp_pass_run(pass, &batch, on->texts.ahead ? read_ahead : NULL, &on->texts, error));
        tell(on, stage, batch.first + batch.count);
    }
}

static fp_status run_plan(run *on, fp_pass_plan *plan, fp_arena *arena, fp_error *error) {
    fp_pass pass;
    bool sketches = false;
    for (size_t l = 0; l < plan->lane_count; l++) sketches |= plan->lanes[l].step == FP_STEP_SKETCH;
    fp_status status = fp_pass_open(&pass, plan, on->threads, arena, error);
    if (status == FP_OK) status = run_batches(on, &pass, sketches ? "sketches" : "learning", error);
    if (status == FP_OK) status = fp_pass_plan_end(plan, error);
    if (status == FP_OK) fp_pass_charge(&pass);
    fp_pass_close(&pass);
    return status;
}

static fp_status run_pass(run *on, bool first, fp_error *error) {
    fp_pass_plan plan;
    fp_arena *arena = fp_arena_new_like(on->arena);
    fp_status status = arena ? fp_pass_plan_open(&plan, on->pipeline, on->steps, &on->cache, first, arena, error)
                             : fp_no_memory(error);
    if (status == FP_OK) {
        status = run_plan(on, &plan, arena, error);
        fp_pass_plan_close(&plan);
    }
    fp_arena_free(arena);
    return status;
}

static bool has_steps(const run *on) {
    for (size_t a = 0; a < on->pipeline->count; a++)
        if (on->steps[a] != FP_STEP_DONE) return true;
    return false;
}

static fp_status run_passes(run *on, fp_error *error) {
    const fp_pipeline *pipeline = on->pipeline;
    for (size_t a = 0; a < pipeline->count; a++) {
        pipeline->arms[a].seconds = (fp_pipeline_seconds){0};
        memset(pipeline->arms[a].slice, 0, sizeof pipeline->arms[a].slice);
        on->steps[a] = fp_step_from(pipeline, pipeline->arms[a].arm, FP_STEP_FREQUENCIES);
    }
    for (size_t pass = 0; has_steps(on); pass++) {
        if (pass) FP_TRY(fp_texts_rewind(&on->texts, error));
        FP_TRY(run_pass(on, pass == 0, error));
        for (size_t a = 0; a < pipeline->count; a++)
            if (on->steps[a] != FP_STEP_DONE)
                on->steps[a] = fp_step_from(pipeline, pipeline->arms[a].arm, on->steps[a] + 1);
    }
    return FP_OK;
}

static fp_status run_all(run *on, fp_error *error) {
    const fp_text_source *source = on->pipeline->source;
    on->steps = fp_arena_raw(on->arena, on->pipeline->count, sizeof *on->steps);
    if (!on->steps) return fp_no_memory(error);
    FP_TRY(fp_text_cache_open(&on->cache, on->pipeline->kept, on->pipeline->count, on->arena, error));
    FP_TRY(fp_batch_open(on->pipeline->progress, on->arena, &on->threads, error));
    FP_TRY(fp_texts_open(&on->texts, source, source->slow && fp_threads(on->pipeline->progress) > 1, on->arena, error));
    return run_passes(on, error);
}

fp_status fp_pipeline_run(const fp_pipeline *pipeline, fp_error *error) {
    run on = {.pipeline = pipeline, .arena = fp_arena_new_like(pipeline->arena)};
    fp_status status = on.arena ? run_all(&on, error) : fp_no_memory(error);
    fp_texts_close(&on.texts);
    fp_text_cache_close(&on.cache);
    fp_batch_close(on.threads);
    fp_arena_free(on.arena);
    return status;
}
