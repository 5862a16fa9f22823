/* SPDX-License-Identifier: GPL-3.0-or-later
 * The arms of a request, and values that several operations write. */
#include "algorithms/arms/arm.h"
#include "reports/lab/lab_parts.h"

/* ---- One arm ---- */

/* The same limit as in `fplab compare` and `fplab fingerprint`. */
static fp_status check_least(const fp_arm *arm, size_t count, fp_error *error) {
    size_t least = fp_arm_fits(arm) ? fp_learning_of(arm->instance.algorithm)->least_documents : 0;
    if (count >= least) return FP_OK;
    return fp_fail(
        error, FP_ERROR_EMPTY,
        "the arm %s is fitted to a corpus of %zu documents or more, and here are %zu; evaluate it on a corpus",
        arm->name, least, count);
}

fp_status fp_lab_arm_of(const fp_lab_call_data *call, fp_string spec, const fp_string *texts, size_t count,
                        fp_arm **arm, fp_error *error) {
    char *own = FP_NEED(fp_string_copy(call->scratch, spec), error);
    FP_TRY(fp_arm_parse(own, NULL, call->scratch, arm, error));
    if (!fp_arm_learns(*arm)) return FP_OK;
    FP_TRY(check_least(*arm, count, error));
    return fp_arm_fit(*arm, texts, NULL, count, NULL, 0, error);
}

/* ---- The arms of a request ---- */

void fp_lab_put_failed(const fp_lab_call_data *call, fp_string spec, const fp_error *error) {
    fp_json_begin_object(call->to, NULL);
    fp_json_put_string(call->to, "arm", spec);
    fp_lab_put_error(call->to, error, call->scratch);
    fp_json_end_object(call->to);
}

fp_status fp_lab_each_arm(const fp_lab_call_data *call, const fp_string *texts, size_t count, fp_lab_write_arm write,
                          fp_error *error) {
    const fp_json *list;
    size_t arms;
    FP_TRY(fp_lab_list(call, "arms", &list, &arms, error));
    fp_json_begin_array(call->to, "arms");
    for (const fp_json *at = list->first; at; at = at->next) {
        fp_arm *arm;
        fp_error own = {0};
        fp_status status = at->type == FP_JSON_STRING ? fp_lab_arm_of(call, at->text, texts, count, &arm, &own)
                                                      : fp_fail(&own, FP_ERROR_SYNTAX, "an arm is no text");
        if (status == FP_OK) status = write(call, arm, texts, count, &own);
        if (status == FP_ERROR_MEMORY) return fp_no_memory(error);
        if (status != FP_OK) fp_lab_put_failed(call, at->text, &own);
    }
    fp_json_end_array(call->to);
    return FP_OK;
}

void fp_lab_put_arm(const fp_lab_call_data *call, const fp_arm *arm) {
    fp_json_writer *to = call->to;
    const fp_layout *layout = &arm->instance.layout;
    fp_usual_threshold usual = fp_arm_usual_threshold(arm);
    fp_json_put_text(to, "arm", fp_arm_name(arm));
    fp_json_put_text(to, "spec", fp_arm_spec(arm));
    fp_json_put_text(to, "algorithm", arm->instance.algorithm->name);
    const char *compared = fp_arm_compared(arm, call->scratch);
    if (compared) fp_json_put_text(to, "compared", compared);
    fp_json_put_text(to, "scale", layout->scale);
    fp_json_put_text(to, "measure", fp_arm_measure(arm));
    fp_json_put_real(to, "maximum", layout->maximum);
    fp_json_put_bool(to, "integral", layout->integral);
    fp_json_put_count(to, "slots", layout->slots);
    fp_json_put_real(to, "threshold", usual.distance);
    fp_json_put_text(to, "threshold_source", usual.source);
    if (fp_arm_caution(arm)) fp_json_put_text(to, "caution", fp_arm_caution(arm));
}

/* ---- Values ---- */

void fp_lab_put_error(fp_json_writer *to, const fp_error *error, fp_arena *scratch) {
    const char *line = *error->file ? fp_format(scratch, "%s: %s", error->file, error->message) : error->message;
    fp_json_put_text(to, "error", line ? line : error->message);
    fp_json_put_text(to, "status", fp_status_name(error->code));
}
