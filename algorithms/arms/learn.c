/* SPDX-License-Identifier: GPL-3.0-or-later
 * What an arm has learned, and from how many documents. */
#include "algorithms/arms/arm.h"

const char *fp_arm_caution(const fp_arm *arm) { return arm->caution; }

/* ---- How many documents ---- */

static const char *plural(size_t count) { return count == 1 ? "" : "s"; }

/* Says what was learned from too little; NULL stays where nothing was. */
static fp_status write_caution(fp_arm *arm, fp_error *error) {
    size_t frequencies = arm->learned.frequencies, fit = arm->learned.fit;
    size_t least = arm->instance.algorithm->least_documents;
    bool few = frequencies < FP_LEAST_FOR_IDF, few_fit = fit < least;
    const char *first = "", *second = "", *third = "";
    arm->caution = NULL;
    if (!few && !few_fit && !arm->unasked) return FP_OK;
    if (few)
        first = fp_format(arm->arena,
                          "its document frequencies are learned from %zu document%s; fewer than %d tell what these "
                          "texts share, not what is common (idf=builtin, or an idf=FILE of more, serves better)",
                          frequencies, plural(frequencies), FP_LEAST_FOR_IDF);
    if (few_fit)
        second =
            fp_format(arm->arena, "it is fitted to %zu document%s; what fewer than %zu teach is a matter of chance%s",
                      fit, plural(fit), least, fit == 2 ? ", and of two each is the other's opposite" : "");
    if (arm->unasked)
        third = fp_format(arm->arena, "%zu of its %zu pairs %s without a label here, and left out", arm->unasked,
                          arm->instance.algorithm->pairs_known(&arm->instance), arm->unasked == 1 ? "is" : "are");
    if (first && second && third)
        arm->caution = fp_format(arm->arena, "%s%s%s%s%s", first, few && few_fit ? "; " : "", second,
                                 (few || few_fit) && arm->unasked ? "; " : "", third);
    return arm->caution ? FP_OK : fp_no_memory(error);
}

/* Keeps the smaller number. */
static fp_status note(fp_arm *arm, size_t *fewest, size_t count, fp_error *error) {
    if (count >= *fewest) return FP_OK;
    *fewest = count;
    return write_caution(arm, error);
}

fp_status fp_arm_note_unasked(fp_arm *arm, size_t count, fp_error *error) {
    if (arm->unasked == count) return FP_OK;
    arm->unasked = count;
    return write_caution(arm, error);
}

/* ---- Learning ---- */

fp_status fp_arm_forget(fp_arm *arm, fp_error *error) {
    const fp_idf *file = arm->extractor ? fp_extractor_file(arm->extractor) : NULL;
    arm->idf = NULL;
    arm->instance.model = arm->opened;
    arm->unasked = 0;
    arm->learned = (fp_learned){SIZE_MAX, SIZE_MAX};
    arm->caution = NULL;
    return file ? note(arm, &arm->learned.frequencies, fp_idf_documents(file), error) : FP_OK;
}

fp_status fp_arm_note_learned(fp_arm *arm, const fp_arm *copy, fp_error *error) {
    FP_TRY(note(arm, &arm->learned.frequencies, copy->learned.frequencies, error));
    return note(arm, &arm->learned.fit, copy->learned.fit, error);
}

fp_status fp_arm_ready(const fp_arm *arm, fp_error *error) {
    if (fp_arm_fits(arm) && !arm->instance.model)
        return fp_fail(error, FP_ERROR_EMPTY, "the arm %s must be fitted to a corpus before it sketches", arm->name);
    if (arm->extractor && fp_extractor_learns(arm->extractor) && !arm->idf)
        return fp_fail(error, FP_ERROR_EMPTY,
                       "the arm %s learns its IDF; fit it to a corpus first, or choose idf=", arm->name);
    return FP_OK;
}

fp_status fp_arm_take_frequencies(fp_arm *arm, const fp_idf *idf, fp_error *error) {
    arm->idf = idf;
    return note(arm, &arm->learned.frequencies, fp_idf_documents(idf), error);
}

fp_status fp_arm_take_model(fp_arm *arm, void *state, size_t documents, fp_arena *arena, fp_error *error) {
    const fp_algorithm *algorithm = arm->instance.algorithm;
    if (algorithm->least_documents) FP_TRY(note(arm, &arm->learned.fit, documents, error));
    return algorithm->learn_end(&arm->instance, state, arena, &arm->instance.model, error);
}

fp_status fp_arm_take_learned(fp_arm *arm, const fp_idf *idf, const void *model, fp_learned learned, fp_error *error) {
    FP_TRY(fp_arm_forget(arm, error));
    arm->idf = idf;
    if (model) arm->instance.model = model;
    FP_TRY(note(arm, &arm->learned.frequencies, learned.frequencies, error));
    return note(arm, &arm->learned.fit, learned.fit, error);
}
