/* SPDX-License-Identifier: GPL-3.0-or-later
 * One document through the stages of an arm: text, units and counts, features, sketch. */
#include "algorithms/arms/arm.h"

/* ---- Stages ---- */

unsigned fp_arm_wants(const fp_arm *arm) {
    unsigned wanted = arm->extractor ? fp_extractor_wants(arm->extractor) : 0;
    return arm->instance.algorithm->needs & FP_NEEDS_INITIALS ? wanted | FP_WANT_INITIALS : wanted;
}

fp_status fp_arm_preprocess(const fp_arm *arm, fp_string raw, unsigned wanted, fp_arena *arena, fp_text *text,
                            fp_error *error) {
    *text = (fp_text){0};
    return arm->preprocessor ? fp_preprocess(arm->preprocessor, raw, wanted, arena, text, error) : FP_OK;
}

fp_status fp_arm_count(const fp_arm *arm, const fp_text *text, fp_arena *arena, fp_counted *counted, fp_error *error) {
    FP_TRY(fp_arm_extract(arm, text, arena, counted, error));
    return fp_arm_count_units(arm, arena, counted, error);
}

fp_status fp_arm_extract(const fp_arm *arm, const fp_text *text, fp_arena *arena, fp_counted *counted,
                         fp_error *error) {
    *counted = (fp_counted){0};
    return arm->extractor ? fp_extract(arm->extractor, text, arena, &counted->units, error) : FP_OK;
}

fp_status fp_arm_count_units(const fp_arm *arm, fp_arena *arena, fp_counted *counted, fp_error *error) {
    if (!arm->extractor || counted->counts.hash) return FP_OK;
    return fp_count(&counted->units, arena, &counted->counts, error);
}

bool fp_arm_takes_units(const fp_arm *arm) {
    uint32_t needs = arm->instance.algorithm->needs;
    return arm->extractor && ((needs & FP_MARKS_FEATURES && fp_extractor_plain(arm->extractor, false)) ||
                              (needs & FP_ADDS_FEATURES && fp_extractor_plain(arm->extractor, true)));
}

void fp_arm_take_units(const fp_text *text, const fp_counted *counted, fp_document *document) {
    const fp_units *units = &counted->units;
    document->text = text->text;
    document->initials = text->initials;
    document->features =
        (fp_features){.count = units->length, .hash = units->hash, .length = units->length, .sequence = units->hash};
}

fp_status fp_arm_weigh(const fp_arm *arm, const fp_text *text, const fp_counted *counted, bool terms, fp_arena *arena,
                       fp_document *document, fp_error *error) {
    document->text = text->text;
    document->initials = text->initials;
    document->features = (fp_features){0};
    if (!arm->extractor) return FP_OK;
    return fp_weigh(arm->extractor, arm->idf, &counted->units, &counted->counts, terms, arena, &document->features,
                    error);
}

fp_status fp_arm_document(const fp_arm *arm, const fp_text *text, bool terms, fp_arena *arena, fp_document *document,
                          fp_error *error) {
    fp_counted counted;
    FP_TRY(fp_arm_count(arm, text, arena, &counted, error));
    return fp_arm_weigh(arm, text, &counted, terms, arena, document, error);
}

fp_status fp_arm_sketch_document(const fp_arm *arm, const fp_document *document, fp_arena *arena, fp_sketch *sketch,
                                 bool *says, fp_error *error) {
    FP_TRY(arm->instance.algorithm->sketch(&arm->instance, document, arena, sketch, error));
    *says = fp_arm_says(arm, document, *sketch);
    return FP_OK;
}

/* ---- Evidence ---- */

bool fp_arm_finds(const fp_arm *arm, const fp_document *document) {
    uint32_t needs = arm->instance.algorithm->needs;
    return !fp_reads_text(arm->instance.algorithm) || ((needs & FP_NEEDS_TEXT) && document->text.length) ||
           ((needs & FP_NEEDS_FEATURES) && document->features.count) ||
           ((needs & FP_NEEDS_SEQUENCE) && document->features.length) ||
           ((needs & FP_NEEDS_INITIALS) && document->initials.length);
}

bool fp_arm_says(const fp_arm *arm, const fp_document *document, fp_sketch sketch) {
    const fp_algorithm *algorithm = arm->instance.algorithm;
    return sketch.size && fp_arm_finds(arm, document) && (!algorithm->says || algorithm->says(&arm->instance, sketch));
}

/* ---- One text ---- */

static fp_status read_document(const fp_arm *arm, fp_string raw, bool terms, fp_arena *arena, fp_document *document,
                               fp_error *error) {
    fp_text text;
    *document = (fp_document){.id = raw};
    FP_TRY(fp_arm_preprocess(arm, raw, fp_arm_wants(arm), arena, &text, error));
    return fp_arm_document(arm, &text, terms, arena, document, error);
}

/* As a sketch needs it, without terms. */
static fp_status read_units(const fp_arm *arm, fp_string raw, fp_arena *arena, fp_document *document, fp_error *error) {
    fp_text text;
    fp_counted counted;
    if (!fp_arm_takes_units(arm)) return read_document(arm, raw, false, arena, document, error);
    *document = (fp_document){.id = raw};
    FP_TRY(fp_arm_preprocess(arm, raw, fp_arm_wants(arm), arena, &text, error));
    FP_TRY(fp_arm_extract(arm, &text, arena, &counted, error));
    fp_arm_take_units(&text, &counted, document);
    return FP_OK;
}

fp_status fp_arm_read(const fp_arm *arm, fp_string raw, fp_arena *arena, fp_document *document, fp_error *error) {
    return read_document(arm, raw, true, arena, document, error);
}

fp_status fp_arm_sketch_says(const fp_arm *arm, fp_string raw, fp_arena *out, fp_sketch *sketch, bool *says,
                             fp_error *error) {
    fp_document document;
    FP_TRY(fp_arm_ready(arm, error));
    FP_TRY(read_units(arm, raw, out, &document, error));
    return fp_arm_sketch_document(arm, &document, out, sketch, says, error);
}

fp_status fp_arm_sketch(const fp_arm *arm, fp_string raw, fp_arena *out, fp_sketch *sketch, fp_error *error) {
    bool says;
    return fp_arm_sketch_says(arm, raw, out, sketch, &says, error);
}
