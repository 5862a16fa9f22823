/* SPDX-License-Identifier: GPL-3.0-or-later
 * What docs.jsonl tells of a corrupted copy: kind, rate, changes, and every edit where that is asked for. */
#include "cli/commands/corpus/corrupting.h"
#include "text/unicode/utf8.h"

/* Place in characters of the text before, what stood there, what stands there now. */
static void put_edits(fp_json_writer *json, const fp_corruption_step *step) {
    size_t place = 0, at = 0;
    fp_json_begin_array(json, "edits");
    for (size_t i = 0; i < step->edit_count; i++) {
        fp_corruption_edit edit = step->edits[i];
        place += fp_utf8_count((fp_string){step->before.data + at, edit.begin - at});
        at = edit.begin;
        fp_json_begin_array(json, NULL);
        fp_json_put_count(json, NULL, place);
        fp_json_put_string(json, NULL, (fp_string){step->before.data + edit.begin, edit.end - edit.begin});
        fp_json_put_string(json, NULL, (fp_string){step->after.data + edit.to_begin, edit.to_end - edit.to_begin});
        fp_json_end_array(json);
    }
    fp_json_end_array(json);
}

static void put_step(fp_json_writer *json, const fp_corruption_step *step, bool edits) {
    if (step->sites) fp_json_put_real(json, "measured", (double)step->changes / (double)step->sites);
    else fp_json_put_null(json, "measured");
    fp_json_put_count(json, "changes", step->changes);
    fp_json_put_count(json, "sites", step->sites);
    if (edits) put_edits(json, step);
}

static void put_steps(fp_json_writer *json, const fp_corrupted *made, bool edits) {
    if (made->step_count == 1) {
        put_step(json, made->steps, edits);
        return;
    }
    fp_json_begin_array(json, "steps");
    for (size_t i = 0; i < made->step_count; i++) {
        fp_json_begin_object(json, NULL);
        fp_json_put_text(json, "kind", made->steps[i].kind->name);
        put_step(json, &made->steps[i], edits);
        fp_json_end_object(json);
    }
    fp_json_end_array(json);
}

void fp_corrupting_put_copy(const void *context, fp_json_writer *json) {
    const fp_corrupting_copy *copy = context;
    fp_json_put_string(json, "of", copy->of);
    fp_json_put_text(json, "kind", copy->cell->kind);
    fp_json_put_real(json, "rate", copy->cell->rate);
    fp_json_put_count(json, "copy", copy->number + 1);
    put_steps(json, copy->made, copy->edits);
}
