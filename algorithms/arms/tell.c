/* SPDX-License-Identifier: GPL-3.0-or-later
 * Explanations of an arm: one text, or two and their distance. */
#include <math.h>

#include "algorithms/arms/arm.h"

static fp_status begin(const fp_arm *arm, fp_error *error) {
    const fp_algorithm *algorithm = arm->instance.algorithm;
    if (!algorithm->explain) return fp_fail(error, FP_ERROR_UNKNOWN, "%s does not explain itself", algorithm->name);
    return fp_arm_ready(arm, error);
}

static fp_status tell_nothing(const fp_arm *arm, fp_arena *scratch, fp_explanation *to, fp_error *error) {
    const char *compared = fp_arm_compared(arm, scratch);
    if (!compared) return fp_no_memory(error);
    fp_explain_step(to, "no evidence");
    if (arm->extractor) fp_explain_line(to, "The text has no feature (%s): there is nothing to compare.", compared);
    else if (arm->instance.algorithm->needs & FP_NEEDS_INITIALS)
        fp_explain_line(to, "The text has no Han character with a reading: there is nothing to compare.");
    else fp_explain_line(to, "The text is empty: there is nothing to compare.");
    return FP_OK;
}

/* What is told of a text, and its sketch, which is empty where there is nothing to read. */
static fp_status tell_document(const fp_arm *arm, const fp_document *document, fp_arena *scratch, fp_explanation *to,
                               fp_sketch *sketch, bool *says, fp_error *error) {
    const fp_instance *instance = &arm->instance;
    bool finds = fp_arm_finds(arm, document);
    *sketch = (fp_sketch){0};
    if (finds) FP_TRY(instance->algorithm->sketch(instance, document, scratch, sketch, error));
    *says = fp_arm_says(arm, document, *sketch);
    return finds ? instance->algorithm->explain(instance, document, scratch, to, error)
                 : tell_nothing(arm, scratch, to, error);
}

static fp_status tell_distance(const fp_arm *arm, const fp_sketch sketch[2], fp_explanation *to, double *distance,
                               fp_error *error) {
    const fp_layout *layout = &arm->instance.layout;
    fp_explain_step(to, "distance");
    if (!distance) {
        fp_explain_line(to, "%.6g %s, the largest: of a text with nothing to compare there is no evidence.",
                        layout->maximum, layout->scale);
        return FP_OK;
    }
    FP_TRY(fp_arm_distance_checked(arm, fp_string_of("text A"), sketch[0], fp_string_of("text B"), sketch[1], distance,
                                   error));
    fp_explain_line(to, "%.6g %s", *distance, layout->scale);
    if (*fp_arm_measure(arm)) fp_explain_line(to, "%s %.6g", fp_arm_measure(arm), fp_arm_similarity(arm, *distance));
    return FP_OK;
}

static fp_status tell_pair(const fp_arm *arm, const fp_string texts[2], fp_arena *scratch, fp_explanation *to,
                           bool says[2], double *distance, fp_error *error) {
    const fp_instance *instance = &arm->instance;
    fp_document documents[2];
    fp_sketch sketch[2];
    for (int i = 0; i < 2; i++) {
        FP_TRY(fp_arm_read(arm, texts[i], scratch, documents + i, error));
        fp_explain_step(to, i == 0 ? "text A" : "text B");
        fp_explain_line(to, "%.*s", (int)documents[i].text.length, documents[i].text.data);
        FP_TRY(tell_document(arm, documents + i, scratch, to, sketch + i, says + i, error));
    }
    bool evidence = says[0] && says[1];
    if (evidence && instance->algorithm->explain_pair)
        FP_TRY(instance->algorithm->explain_pair(instance, documents, documents + 1, scratch, to, error));
    *distance = NAN;
    return tell_distance(arm, sketch, to, evidence ? distance : NULL, error);
}

static fp_status tell_one(const fp_arm *arm, fp_string text, fp_arena *scratch, fp_explanation *to, bool *says,
                          fp_error *error) {
    fp_document document;
    fp_sketch sketch;
    FP_TRY(fp_arm_read(arm, text, scratch, &document, error));
    return tell_document(arm, &document, scratch, to, &sketch, says, error);
}

/* Told in whole, or not. */
static fp_status end(fp_arena *scratch, const fp_explanation *to, fp_status status, fp_error *error) {
    fp_arena_free(scratch);
    return status == FP_OK && fp_explanation_failed(to) ? fp_no_memory(error) : status;
}

fp_status fp_arm_explain(const fp_arm *arm, fp_string text, fp_explanation *to, bool *says, fp_error *error) {
    FP_TRY(begin(arm, error));
    fp_arena *scratch = fp_arena_new_like(arm->arena);
    if (!scratch) return fp_no_memory(error);
    return end(scratch, to, tell_one(arm, text, scratch, to, says, error), error);
}

fp_status fp_arm_explain_pair(const fp_arm *arm, const fp_string texts[2], fp_explanation *to, bool says[2],
                              double *distance, fp_error *error) {
    double ignored;
    FP_TRY(begin(arm, error));
    fp_arena *scratch = fp_arena_new_like(arm->arena);
    if (!scratch) return fp_no_memory(error);
    fp_status status = tell_pair(arm, texts, scratch, to, says, distance ? distance : &ignored, error);
    return end(scratch, to, status, error);
}
