/* SPDX-License-Identifier: GPL-3.0-or-later
 * Texts: their features; their fingerprints under each arm; for two texts also the figures of `fplab compare` and the
 * places that differ. A page compares on every key press: to save time, fingerprints of more than `longest` digits are
 * null. */
#include <math.h>
#include <string.h>

#include "algorithms/families/sets.h"
#include "reports/lab/lab_parts.h"

/* ---- Features ---- */

static void put_hash(fp_json_writer *to, uint64_t hash) {
    char digits[17];
    snprintf(digits, sizeof digits, "%016llx", (unsigned long long)hash);
    fp_json_put_text(to, NULL, digits);
}

static void put_features(fp_json_writer *to, const fp_features *features) {
    fp_json_begin_object(to, "features");
    FP_JSON_LIST(to, "term", i, features->count, fp_json_put_string(to, NULL, fp_features_term(features, i)));
    FP_JSON_LIST(to, "hash", i, features->count, put_hash(to, features->hash[i]));
    FP_JSON_LIST(to, "weight", i, features->count, fp_json_put_real(to, NULL, features->weight[i]));
    fp_json_end_object(to);
}

fp_status fp_lab_features(const fp_lab_call_data *call, fp_error *error) {
    fp_string spec, raw;
    fp_arm *arm;
    fp_text text;
    FP_TRY(fp_lab_text(call, "arm", &spec, error));
    FP_TRY(fp_lab_text(call, "text", &raw, error));
    fp_document document = {.id = raw};
    FP_TRY(fp_lab_arm_of(call, spec, &raw, 1, &arm, error));
    FP_TRY(fp_arm_preprocess(arm, raw, fp_arm_wants(arm), call->scratch, &text, error));
    FP_TRY(fp_arm_document(arm, &text, true, call->scratch, &document, error));
    fp_json_put_string(call->to, "normalised", text.text);
    fp_json_put_string(call->to, "initials", text.initials);
    put_features(call->to, &document.features);
    return FP_OK;
}

/* ---- Fingerprints ---- */

typedef struct side {
    fp_sketch sketch;
    size_t features;
    const char *text;
    const char *bits; /* of a bit fingerprint, the highest first, as it is written; or empty */
} side;

static fp_status read_side(const fp_lab_call_data *call, const fp_arm *arm, fp_string raw, bool with_bits, side *to,
                           fp_error *error) {
    size_t bits = with_bits ? arm->instance.layout.bits : 0;
    fp_document document;
    FP_TRY(fp_arm_read(arm, raw, call->scratch, &document, error));
    FP_TRY(fp_arm_sketch_document(arm, &document, call->scratch, &to->sketch, error));
    to->features = document.features.count;
    to->text = FP_NEED(fp_arm_text(arm, to->sketch, call->scratch), error);
    char *digits = FP_NEED(fp_arena_alloc(call->scratch, bits + 1, 1), error);
    const uint64_t *word = to->sketch.data;
    for (size_t i = 0; i < bits; i++) digits[bits - 1 - i] = word[i / 64] >> i % 64 & 1 ? '1' : '0';
    to->bits = digits;
    return FP_OK;
}

static void put_side(fp_json_writer *to, const char *name, const side *of, size_t longest) {
    fp_json_begin_object(to, name);
    if (strlen(of->text) <= longest) fp_json_put_text(to, "fingerprint", of->text);
    else fp_json_put_null(to, "fingerprint");
    if (*of->bits) fp_json_put_text(to, "bits", of->bits);
    fp_json_put_count(to, "features", of->features);
    fp_json_put_bool(to, "empty", of->sketch.empty);
    fp_json_end_object(to);
}

static fp_status put_fingerprints(const fp_lab_call_data *call, fp_arm *arm, const fp_string *texts, size_t count,
                                  fp_error *error) {
    side *of = FP_NEED(fp_arena_alloc(call->scratch, count, sizeof *of), error);
    for (size_t i = 0; i < count; i++) FP_TRY(read_side(call, arm, texts[i], false, of + i, error));
    fp_json_begin_object(call->to, NULL);
    fp_lab_put_arm(call, arm);
    FP_JSON_LIST(call->to, "texts", i, count, put_side(call->to, NULL, of + i, SIZE_MAX));
    fp_json_end_object(call->to);
    return FP_OK;
}

fp_status fp_lab_fingerprint(const fp_lab_call_data *call, fp_error *error) {
    const fp_json *list;
    size_t count;
    FP_TRY(fp_lab_list(call, "texts", &list, &count, error));
    fp_string *texts = FP_NEED(fp_arena_alloc(call->scratch, count, sizeof *texts), error);
    size_t i = 0;
    for (const fp_json *at = list->first; at; at = at->next) {
        if (at->type != FP_JSON_STRING)
            return fp_fail(error, FP_ERROR_SYNTAX, "text %zu of the request's \"texts\" is no text", i);
        texts[i++] = at->text;
    }
    return fp_lab_each_arm(call, texts, count, put_fingerprints, error);
}

/* ---- Two texts ---- */

/* Places in the order in which the fingerprint is written, from 0: for bits the highest is the first. */
static void put_differing(fp_json_writer *to, const fp_arm *arm, const uint64_t *differs, size_t places) {
    bool bits = arm->instance.layout.bits != 0;
    fp_json_begin_array(to, "differing");
    for (size_t i = 0; i < places; i++) {
        size_t place = bits ? places - 1 - i : i;
        if (differs[place / 64] >> place % 64 & 1) fp_json_put_count(to, NULL, i);
    }
    fp_json_end_array(to);
}

static fp_status put_compared(const fp_lab_call_data *call, fp_arm *arm, const fp_string *texts, size_t count,
                              fp_error *error) {
    side of[2] = {0};
    const fp_instance *instance = &arm->instance;
    double longest;
    (void)count;
    FP_TRY(fp_lab_number(call, "longest", 1e9, 0, 1e9, &longest, error));
    for (int i = 0; i < 2; i++) FP_TRY(read_side(call, arm, texts[i], true, of + i, error));
    bool evidence = !of[0].sketch.empty && !of[1].sketch.empty;
    double distance = evidence ? fp_arm_distance(arm, of[0].sketch, of[1].sketch) : instance->layout.maximum;
    size_t places = fp_places(instance);
    uint64_t *differs = FP_NEED(fp_arena_alloc(call->scratch, places / 64 + 1, sizeof *differs), error);
    if (places) fp_places_differing(instance, of[0].sketch, of[1].sketch, differs);
    fp_json_begin_object(call->to, NULL);
    fp_lab_put_arm(call, arm);
    fp_json_put_real(call->to, "distance", distance);
    fp_json_put_real(call->to, "similarity", evidence ? fp_arm_similarity(arm, distance) : NAN);
    fp_json_put_bool(call->to, "evidence", evidence);
    put_side(call->to, "a", of, (size_t)longest);
    put_side(call->to, "b", of + 1, (size_t)longest);
    if (places) put_differing(call->to, arm, differs, places);
    fp_json_end_object(call->to);
    return FP_OK;
}

fp_status fp_lab_compare(const fp_lab_call_data *call, fp_error *error) {
    fp_string texts[2];
    FP_TRY(fp_lab_text(call, "a", texts, error));
    FP_TRY(fp_lab_text(call, "b", texts + 1, error));
    return fp_lab_each_arm(call, texts, 2, put_compared, error);
}
