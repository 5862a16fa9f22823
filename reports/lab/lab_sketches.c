/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sketches of the lab behind a page, kept for the text that no key has changed. */
#include <string.h>

#include "reports/lab/lab_parts.h"

void fp_lab_sketches_close(fp_lab_arm *kept) {
    for (size_t i = 0; i < FP_LAB_SKETCHES; i++) fp_arena_free(kept->sketches[i].arena);
}

static fp_lab_arm *kept_arm(fp_lab *lab, const fp_arm *arm) {
    for (size_t i = 0; i < FP_LAB_ARMS; i++)
        if (lab->arms[i].arena && lab->arms[i].arm == arm) return lab->arms + i;
    return NULL;
}

/* The one of that text, or the one that was not used for longest. */
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
    FP_TRY(fp_arm_sketch_document(arm, &document, call->scratch, &to->sketch, &to->says, error));
    to->text = text;
    to->features = document.features.count;
    return FP_OK;
}

/* Of one call into the arena of the arm. */
static fp_status keep(fp_lab_sketch *to, const fp_lab_sketch *made, uint64_t used, fp_error *error) {
    if (!to->arena) to->arena = fp_arena_new();
    if (!to->arena) return fp_no_memory(error);
    fp_arena_reset(to->arena);
    *to = (fp_lab_sketch){.arena = to->arena};
    char *text = fp_string_copy(to->arena, made->text);
    void *data = fp_arena_raw(to->arena, made->sketch.size, 1);
    if (!text || !data) return fp_no_memory(error);
    if (made->sketch.size) memcpy(data, made->sketch.data, made->sketch.size);
    *to = (fp_lab_sketch){.arena = to->arena,
                          .text = {text, made->text.length},
                          .sketch = {data, made->sketch.size},
                          .features = made->features,
                          .says = made->says,
                          .used = used};
    return FP_OK;
}

fp_status fp_lab_sketch_of(const fp_lab_call_data *call, const fp_arm *arm, fp_string text, fp_lab_sketch *sketch,
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
