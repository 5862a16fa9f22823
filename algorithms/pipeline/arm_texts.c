/* SPDX-License-Identifier: GPL-3.0-or-later
 * An arm and texts in memory: what it learns from them, and their sketches. */
#include "algorithms/pipeline/pipeline.h"
#include "algorithms/pipeline/store.h"
#include "algorithms/pipeline/texts.h"

fp_status fp_arm_fit(fp_arm *arm, const fp_string *texts, size_t count, fp_error *error) {
    return fp_arm_fit_labelled(arm, texts, NULL, count, NULL, 0, error);
}

fp_status fp_arm_fit_labelled(fp_arm *arm, const fp_string *texts, const fp_string *ids, size_t count,
                              const fp_pair *pairs, size_t pair_count, fp_error *error) {
    for (size_t i = 0; i < pair_count; i++)
        if (pairs[i].a >= count || pairs[i].b >= count)
            return fp_fail(error, FP_ERROR_RANGE, "pair %zu is of texts %u and %u, and there are %zu", i, pairs[i].a,
                           pairs[i].b, count);
    fp_string_source strings = {.texts = texts, .ids = ids, .count = count};
    fp_text_source source = fp_source_of_strings(&strings);
    fp_pipeline_arm one = {.arm = arm, .pair_count = pair_count, .pairs = pairs};
    fp_pipeline pipeline = {.source = &source, .arms = &one, .count = 1, .learns = true, .arena = arm->arena};
    return fp_pipeline_run(&pipeline, error);
}

/* ---- Sketches ---- */

typedef struct sketching {
    fp_store store;
    bool *says; /* may be NULL */
} sketching;

static fp_status take(void *context, size_t arm, size_t first, size_t count, const fp_sketch *sketches,
                      const bool *says, fp_error *error) {
    sketching *to = context;
    (void)arm;
    for (size_t i = 0; i < count && to->says; i++) to->says[first + i] = says[i];
    return fp_store_add(&to->store, count, sketches, says, error);
}

/* The text that cannot be read, by its place. */
static fp_status at_text(size_t place, fp_status status, fp_error *error) {
    if (!error || status == FP_ERROR_MEMORY) return status;
    fp_error reason = *error;
    fp_fail(error, status, "text %zu: %.400s", place, reason.message);
    error->byte = reason.byte;
    return status;
}

fp_status fp_arm_sketches(const fp_arm *arm, const fp_string *texts, const fp_string *ids, size_t count, fp_arena *out,
                          fp_sketches *sketches, bool *says, fp_error *error) {
    sketching to = {.says = says};
    fp_string_source strings = {.texts = texts, .ids = ids, .count = count};
    fp_text_source source = fp_source_of_strings(&strings);
    fp_arm fitted = *arm; /* it learns nothing more */
    fp_pipeline_arm one = {.arm = &fitted};
    fp_pipeline pipeline = {.source = &source, .arms = &one, .count = 1, .take = take, .context = &to, .arena = out};
    *sketches = (fp_sketches){0};
    FP_TRY(fp_arm_ready(arm, error));
    if (count == 0) return FP_OK;
    FP_TRY(fp_store_open(&to.store, &arm->instance.layout, count, out, error));
    fp_status status = fp_pipeline_run(&pipeline, error);
    if (status != FP_OK) return at_text(to.store.count, status, error);
    return fp_store_close(&to.store, sketches, error);
}
