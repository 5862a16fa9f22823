/* SPDX-License-Identifier: GPL-3.0-or-later
 * One document through the stages of an arm: text, units and counts, features, sketch. */
#include "algorithms/arms/arm.h"

#include <math.h>

#include "base/explanation.h"

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
                                 fp_error *error) {
    FP_TRY(arm->instance.algorithm->sketch(&arm->instance, document, arena, sketch, error));
    sketch->empty = fp_arm_made_empty(arm, document, *sketch);
    return FP_OK;
}

/* ---- Empty documents and sketches ---- */

bool fp_arm_finds(const fp_arm *arm, const fp_document *document) {
    uint32_t needs = arm->instance.algorithm->needs;
    return !fp_reads_text(arm->instance.algorithm) || ((needs & FP_NEEDS_TEXT) && document->text.length) ||
           ((needs & FP_NEEDS_FEATURES) && document->features.count) ||
           ((needs & FP_NEEDS_SEQUENCE) && document->features.length) ||
           ((needs & FP_NEEDS_INITIALS) && document->initials.length);
}

bool fp_arm_made_empty(const fp_arm *arm, const fp_document *document, fp_sketch sketch) {
    const fp_algorithm *algorithm = arm->instance.algorithm;
    return !sketch.size || !fp_arm_finds(arm, document) ||
           (algorithm->is_empty && algorithm->is_empty(&arm->instance, sketch));
}

/* ---- One text ---- */

static fp_status read_document(const fp_arm *arm, fp_string raw, bool terms, fp_arena *arena, fp_document *document,
                               fp_error *error) {
    fp_text text;
    *document = (fp_document){.id = raw};
    FP_TRY(fp_arm_preprocess(arm, raw, fp_arm_wants(arm), arena, &text, error));
    return fp_arm_document(arm, &text, terms, arena, document, error);
}

/* Reads what a sketch needs, without terms. */
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

fp_status fp_arm_sketch(const fp_arm *arm, fp_string raw, fp_arena *out, fp_sketch *sketch, fp_error *error) {
    fp_document document;
    FP_TRY(fp_arm_ready(arm, error));
    FP_TRY(read_units(arm, raw, out, &document, error));
    return fp_arm_sketch_document(arm, &document, out, sketch, error);
}

/* ---- Cautions: fits to few documents ---- */

const char *fp_arm_caution(const fp_arm *arm) { return arm->caution; }

static const char *plural(size_t count) { return count == 1 ? "" : "s"; }

/* Sets arm->caution: fits to too few documents, and known pairs without a label; NULL without either. */
static fp_status write_caution(fp_arm *arm, fp_error *error) {
    size_t frequencies = arm->learned.frequencies, fit = arm->learned.fit;
    size_t least = fp_learning_of(arm->instance.algorithm)->least_documents;
    bool few = frequencies < FP_LEAST_FOR_IDF, few_fit = fit < least;
    const char *first = "", *second = "", *third = "";
    arm->caution = NULL;
    if (!few && !few_fit && !arm->unasked) return FP_OK;
    if (few)
        first =
            fp_format(arm->arena,
                      "its document frequencies come from %zu document%s; with fewer than %d they describe these texts "
                      "rather than the language (use idf=builtin, or idf=FILE from a larger corpus)",
                      frequencies, plural(frequencies), FP_LEAST_FOR_IDF);
    if (few_fit)
        second =
            fp_format(arm->arena, "it is fitted to %zu document%s; with fewer than %zu the fit depends on chance%s",
                      fit, plural(fit), least, fit == 2 ? ", and two are each other's opposite" : "");
    if (arm->unasked)
        third = fp_format(arm->arena, "%zu of its %zu pairs %s without a label here, and left out", arm->unasked,
                          fp_learning_of(arm->instance.algorithm)->pairs_known(&arm->instance),
                          arm->unasked == 1 ? "is" : "are");
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
    if (fp_learning_of(algorithm)->least_documents) FP_TRY(note(arm, &arm->learned.fit, documents, error));
    return fp_learning_of(algorithm)->end(&arm->instance, state, arena, &arm->instance.model, error);
}

fp_status fp_arm_take_learned(fp_arm *arm, const fp_idf *idf, const void *model, fp_learned learned, fp_error *error) {
    FP_TRY(fp_arm_forget(arm, error));
    arm->idf = idf;
    if (model) arm->instance.model = model;
    FP_TRY(note(arm, &arm->learned.frequencies, learned.frequencies, error));
    return note(arm, &arm->learned.fit, learned.fit, error);
}

/* ---- Explanations of an arm: one text, or two and their distance ---- */

static fp_status begin(const fp_arm *arm, fp_error *error) {
    const fp_algorithm *algorithm = arm->instance.algorithm;
    if (!algorithm->explain) return fp_fail(error, FP_ERROR_UNKNOWN, "%s does not explain itself", algorithm->name);
    return fp_arm_ready(arm, error);
}

static fp_status explain_nothing(const fp_arm *arm, fp_arena *scratch, fp_explanation *to, fp_error *error) {
    const char *compared = FP_NEED(fp_arm_compared(arm, scratch), error);
    fp_explain_step(to, "no evidence");
    if (arm->extractor) fp_explain_line(to, "The text has no feature (%s): nothing to compare.", compared);
    else if (arm->instance.algorithm->needs & FP_NEEDS_INITIALS)
        fp_explain_line(to, "The text has no Han character with a reading: nothing to compare.");
    else fp_explain_line(to, "The text is empty: nothing to compare.");
    return FP_OK;
}

/* Explains a text and makes its sketch. */
static fp_status explain_document(const fp_arm *arm, const fp_document *document, fp_arena *scratch, fp_explanation *to,
                                  fp_sketch *sketch, fp_error *error) {
    const fp_instance *instance = &arm->instance;
    bool finds = fp_arm_finds(arm, document);
    *sketch = (fp_sketch){0};
    if (finds) FP_TRY(instance->algorithm->sketch(instance, document, scratch, sketch, error));
    sketch->empty = fp_arm_made_empty(arm, document, *sketch);
    return finds ? instance->algorithm->explain(instance, document, scratch, to, error)
                 : explain_nothing(arm, scratch, to, error);
}

static fp_status explain_distance(const fp_arm *arm, const fp_sketch sketch[2], fp_explanation *to, fp_error *error) {
    const fp_layout *layout = &arm->instance.layout;
    double distance;
    fp_explain_step(to, "distance");
    if (sketch[0].empty || sketch[1].empty) {
        fp_explain_line(to, "%.6g %s, the largest: a text without features gives no evidence.", layout->maximum,
                        layout->scale);
        return FP_OK;
    }
    FP_TRY(fp_arm_distance_checked(arm, fp_string_of("text A"), sketch[0], fp_string_of("text B"), sketch[1], &distance,
                                   error));
    fp_explain_line(to, "%.6g %s", distance, layout->scale);
    if (*fp_arm_measure(arm)) fp_explain_line(to, "%s %.6g", fp_arm_measure(arm), fp_arm_similarity(arm, distance));
    return FP_OK;
}

static fp_status explain_pair(const fp_arm *arm, const fp_string texts[2], fp_arena *scratch, fp_explanation *to,
                              fp_sketch sketch[2], fp_error *error) {
    const fp_instance *instance = &arm->instance;
    fp_document documents[2];
    for (int i = 0; i < 2; i++) {
        FP_TRY(fp_arm_read(arm, texts[i], scratch, documents + i, error));
        fp_explain_step(to, i == 0 ? "text A" : "text B");
        fp_explain_line(to, "%.*s", (int)documents[i].text.length, documents[i].text.data);
        FP_TRY(explain_document(arm, documents + i, scratch, to, sketch + i, error));
    }
    if (!sketch[0].empty && !sketch[1].empty && instance->algorithm->explain_pair)
        FP_TRY(instance->algorithm->explain_pair(instance, documents, documents + 1, scratch, to, error));
    return explain_distance(arm, sketch, to, error);
}

static fp_status explain_one(const fp_arm *arm, const fp_string *text, fp_arena *scratch, fp_explanation *to,
                             fp_sketch *sketch, fp_error *error) {
    fp_document document;
    FP_TRY(fp_arm_read(arm, *text, scratch, &document, error));
    return explain_document(arm, &document, scratch, to, sketch, error);
}

/* Copies the sketches, which outlive the scratch arena. */
static fp_status hand_out(const fp_sketch *made, size_t count, fp_arena *arena, fp_sketch *sketches, fp_error *error) {
    for (size_t i = 0; i < count; i++) {
        uint64_t *data = FP_NEED(fp_arena_raw(arena, made[i].size / sizeof *data + 1, sizeof *data), error);
        if (made[i].size) memcpy(data, made[i].data, made[i].size);
        sketches[i] = (fp_sketch){.data = data, .size = made[i].size, .empty = made[i].empty};
    }
    return FP_OK;
}

fp_status fp_arm_explain(const fp_arm *arm, const fp_string *texts, size_t count, fp_explanation *to,
                         fp_sketch *sketches, fp_error *error) {
    fp_sketch made[2];
    FP_TRY(begin(arm, error));
    fp_arena *scratch = FP_NEED(fp_arena_new_like(arm->arena), error);
    fp_status status = (count == 2 ? explain_pair : explain_one)(arm, texts, scratch, to, made, error);
    if (status == FP_OK && sketches) status = hand_out(made, count, to->arena, sketches, error);
    fp_arena_free(scratch);
    return status == FP_OK && fp_explanation_failed(to) ? fp_no_memory(error) : status;
}

/* ---- Usual thresholds: similarities with their sources, and the corresponding distances ---- */

typedef struct row {
    const char *measure;
    double similarity;
    const char *source;
} row;

static const char SIMHASH[] =
    "3 of 64 bits: Manku, Jain, Das Sarma, Detecting near-duplicates for web crawling, WWW 2007";
static const char MINHASH[] = "Jaccard 0.8: Soboleva et al., SlimPajama, 2023";

static const row ROWS[] = {
    {"equality", 1, "equal texts: by definition"},
    {"cosine", 0.98917650996478101, SIMHASH}, /* cos(3π/64) */
    {"Jaccard", 0.8, MINHASH},
    {"weighted Jaccard", 0.8, MINHASH},
};

static const row *row_of(const char *measure) {
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
        if (strcmp(ROWS[i].measure, measure) == 0) return ROWS + i;
    return NULL;
}

/* The largest distance with a similarity of at least `least`; NaN if there is none. Similarities fall as distances
 * grow. ROUNDING keeps rounding errors from deciding. */
static double largest_distance(const fp_instance *instance, double least) {
    double (*similarity)(const fp_instance *, double) = instance->algorithm->similarity;
    enum { STEPS = 60 };
    static const double ROUNDING = 1e-14;
    double low = 0, high = instance->layout.maximum;
    if (similarity(instance, low) < least - ROUNDING) return NAN;
    if (similarity(instance, high) >= least - ROUNDING) return high;
    for (int i = 0; i < STEPS && (!instance->layout.integral || high - low > 1); i++) {
        double middle = instance->layout.integral ? floor((low + high) / 2) : (low + high) / 2;
        if (similarity(instance, middle) >= least - ROUNDING) low = middle;
        else high = middle;
    }
    return low;
}

fp_usual_threshold fp_arm_usual_threshold(const fp_arm *arm) {
    const row *usual = arm->instance.algorithm->similarity ? row_of(fp_arm_measure(arm)) : NULL;
    double distance = usual ? largest_distance(&arm->instance, usual->similarity) : NAN;
    return isnan(distance) ? (fp_usual_threshold){NAN, ""} : (fp_usual_threshold){distance, usual->source};
}
