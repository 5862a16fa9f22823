/* SPDX-License-Identifier: GPL-3.0-or-later
 * Fingerprints of texts under each arm; for two texts also the figures of `fplab compare` and the places that differ.
 * A page calls it on every key press: to save time, fingerprints of more than `longest` digits are null. */
#include <math.h>
#include <string.h>

#include "algorithms/families/sets.h"
#include "reports/lab/lab_parts.h"

/* ---- Sketches kept between calls, for the text that has not changed ---- */

static fp_lab_arm *kept_arm(fp_lab *lab, const fp_arm *arm) {
    for (size_t i = 0; i < lab->arm_count; i++)
        if (lab->arms[i].arm == arm) return lab->arms + i;
    return NULL;
}

/* The entry of that text, or the least recently used one. */
static fp_lab_sketch *place_of(fp_lab_arm *kept, fp_string text, bool *found) {
    fp_lab_sketch *oldest = kept->sketches;
    for (size_t i = 0; i < FP_LAB_SKETCHES; i++) {
        fp_lab_sketch *at = kept->sketches + i;
        *found = at->arena && fp_string_equal(at->text, text);
        if (*found) return at;
        if (at->used < oldest->used) oldest = at;
    }
    return oldest;
}

static fp_status make(const fp_lab_call_data *call, const fp_arm *arm, fp_string text, fp_lab_sketch *to,
                      fp_error *error) {
    fp_document document;
    FP_TRY(fp_arm_read(arm, text, call->scratch, &document, error));
    FP_TRY(fp_arm_sketch_document(arm, &document, call->scratch, &to->sketch, error));
    to->text = text;
    to->features = document.features.count;
    return FP_OK;
}

/* Copies a sketch of one call into the arena of its entry. */
static fp_status keep(fp_lab_sketch *to, const fp_lab_sketch *made, uint64_t used, fp_error *error) {
    if (!to->arena) to->arena = FP_NEED(fp_arena_new(), error);
    fp_arena_reset(to->arena);
    *to = (fp_lab_sketch){.arena = to->arena};
    char *text = FP_NEED(fp_string_copy(to->arena, made->text), error);
    void *data = FP_NEED(fp_arena_raw(to->arena, made->sketch.size, 1), error);
    if (made->sketch.size) memcpy(data, made->sketch.data, made->sketch.size);
    *to = (fp_lab_sketch){.arena = to->arena,
                          .text = {text, made->text.length},
                          .sketch = {data, made->sketch.size, made->sketch.empty},
                          .features = made->features,
                          .used = used};
    return FP_OK;
}

/* The sketch of a text, made now or before; for an arm that learned, always now. Valid until the next text but one. */
static fp_status sketch_of(const fp_lab_call_data *call, const fp_arm *arm, fp_string text, fp_lab_sketch *sketch,
                           fp_error *error) {
    fp_lab_arm *kept = kept_arm(call->lab, arm);
    bool found;
    *sketch = (fp_lab_sketch){0};
    if (!kept) return make(call, arm, text, sketch, error);
    fp_lab_sketch *place = place_of(kept, text, &found);
    if (!found) {
        FP_TRY(make(call, arm, text, sketch, error));
        FP_TRY(keep(place, sketch, call->lab->calls, error));
    }
    place->used = call->lab->calls;
    *sketch = *place;
    return FP_OK;
}

/* ---- Texts and their fingerprints ---- */

typedef struct side {
    fp_lab_sketch made;
    const char *text;
    const char *bits; /* of a bit fingerprint, the highest first, as it is written; or empty */
} side;

static fp_status read_side(const fp_lab_call_data *call, const fp_arm *arm, fp_string raw, bool with_bits, side *to,
                           fp_error *error) {
    size_t bits = with_bits ? arm->instance.layout.bits : 0;
    FP_TRY(sketch_of(call, arm, raw, &to->made, error));
    to->text = FP_NEED(fp_arm_text(arm, to->made.sketch, call->scratch), error);
    char *digits = FP_NEED(fp_arena_alloc(call->scratch, bits + 1, 1), error);
    const uint64_t *word = to->made.sketch.data;
    for (size_t i = 0; i < bits; i++) digits[bits - 1 - i] = word[i / 64] >> i % 64 & 1 ? '1' : '0';
    to->bits = digits;
    return FP_OK;
}

static void put_side(fp_json_writer *to, const char *name, const side *of, size_t longest) {
    fp_json_begin_object(to, name);
    if (strlen(of->text) <= longest) fp_json_put_text(to, "fingerprint", of->text);
    else fp_json_put_null(to, "fingerprint");
    if (*of->bits) fp_json_put_text(to, "bits", of->bits);
    fp_json_put_count(to, "features", of->made.features);
    fp_json_put_bool(to, "empty", of->made.sketch.empty);
    fp_json_end_object(to);
}

static fp_status put_fingerprints(const fp_lab_call_data *call, fp_arm *arm, const fp_string *texts, size_t count,
                                  fp_error *error) {
    side *of = FP_NEED(fp_arena_alloc(call->scratch, count, sizeof *of), error);
    for (size_t i = 0; i < count; i++) FP_TRY(read_side(call, arm, texts[i], false, of + i, error));
    fp_json_begin_object(call->to, NULL);
    FP_TRY(fp_lab_put_arm(call, arm, error));
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
    bool evidence = !of[0].made.sketch.empty && !of[1].made.sketch.empty;
    double distance = evidence ? fp_arm_distance(arm, of[0].made.sketch, of[1].made.sketch) : instance->layout.maximum;
    size_t places = fp_places(instance);
    uint64_t *differs = FP_NEED(fp_arena_alloc(call->scratch, places / 64 + 1, sizeof *differs), error);
    if (places) fp_places_differing(instance, of[0].made.sketch, of[1].made.sketch, differs);
    fp_json_begin_object(call->to, NULL);
    FP_TRY(fp_lab_put_arm(call, arm, error));
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
