/* SPDX-License-Identifier: GPL-3.0-or-later
 * Steps as data, and which algorithms there are. */
#include <string.h>

#include "base/explanation.h"

#include "reports/lab/lab_parts.h"

/* ---- Steps ---- */

/* As `fplab explain --format json` writes them. */
static void put_cell(fp_json_writer *to, const char *cell, bool number) {
    double value;
    if (number && fp_parse_real(cell, &value)) fp_json_put_real(to, NULL, value);
    else if (number && strcmp(cell, "NA") == 0) fp_json_put_null(to, NULL);
    else fp_json_put_text(to, NULL, cell);
}

static void put_step(fp_json_writer *to, const fp_explain_step_data *step) {
    size_t columns = step->columns.count, rows = columns ? step->cells.count / columns : 0;
    fp_json_begin_object(to, NULL);
    fp_json_put_text(to, "title", step->title);
    FP_JSON_LIST(to, "lines", i, step->lines.count, fp_json_put_text(to, NULL, step->lines.at[i].text));
    FP_JSON_LIST(to, "columns", c, columns, fp_json_put_text(to, NULL, step->columns.at[c].text));
    fp_json_begin_array(to, "rows");
    for (size_t r = 0; r < rows; r++)
        FP_JSON_LIST(to, NULL, c, columns,
                     put_cell(to, step->cells.at[r * columns + c].text, step->columns.at[c].number));
    fp_json_end_array(to);
    fp_json_end_object(to);
}

/* ---- Given features ---- */

static fp_status column(const fp_json *features, const char *name, fp_json_type type, const fp_json **first,
                        size_t *count, fp_error *error) {
    const fp_json *list = fp_json_member(features, name);
    size_t length = 0;
    for (*first = list && list->type == FP_JSON_ARRAY ? list->first : NULL; *first && (*first)->type == type;
         *first = (*first)->next)
        length++;
    if (!list || list->type != FP_JSON_ARRAY || *first || (*count != SIZE_MAX && length != *count))
        return fp_fail(error, FP_ERROR_SYNTAX, "the request's \"features\" have no good column \"%s\"", name);
    *count = length;
    *first = list->first;
    return FP_OK;
}

static fp_status read_hash(const fp_json *value, uint64_t *hash, fp_error *error) {
    *hash = 0;
    for (size_t i = 0; i < value->text.length; i++) {
        const char *digit = strchr("0123456789abcdef", value->text.data[i]);
        if (!digit || !*digit || value->text.length > 16)
            return fp_fail(error, FP_ERROR_SYNTAX, "a hash is up to sixteen hexadecimal digits");
        *hash = *hash << 4 | (uint64_t)(digit - "0123456789abcdef");
    }
    return FP_OK;
}

static fp_status read_features(const fp_json *given, fp_arena *arena, fp_features *features, fp_error *error) {
    const fp_json *terms, *hashes, *weights;
    size_t count = SIZE_MAX;
    FP_TRY(column(given, "term", FP_JSON_STRING, &terms, &count, error));
    FP_TRY(column(given, "hash", FP_JSON_STRING, &hashes, &count, error));
    FP_TRY(column(given, "weight", FP_JSON_NUMBER, &weights, &count, error));
    fp_string *term = FP_NEED(fp_arena_alloc(arena, count, sizeof *term), error);
    uint64_t *hash = FP_NEED(fp_arena_alloc(arena, count, sizeof *hash), error);
    double *weight = FP_NEED(fp_arena_alloc(arena, count, sizeof *weight), error);
    for (size_t i = 0; i < count; i++, terms = terms->next, hashes = hashes->next, weights = weights->next) {
        term[i] = terms->text;
        FP_TRY(read_hash(hashes, hash + i, error));
        FP_TRY(fp_json_real(weights, "weight", weight + i, error));
        if (!(weight[i] > 0)) return fp_fail(error, FP_ERROR_RANGE, "a weight is more than 0");
    }
    *features =
        (fp_features){.count = count, .hash = hash, .weight = weight, .term = term, .length = count, .sequence = hash};
    return FP_OK;
}

static fp_status explain_given(const fp_lab_call_data *call, const fp_arm *arm, const fp_json *given,
                               fp_explanation *steps, fp_error *error) {
    const fp_algorithm *algorithm = arm->instance.algorithm;
    fp_document document = {0};
    if (!algorithm->explain || !(algorithm->needs & FP_NEEDS_FEATURES))
        return fp_fail(error, FP_ERROR_UNKNOWN, "%s explains no steps from features alone", algorithm->name);
    FP_TRY(fp_arm_ready(arm, error));
    FP_TRY(read_features(given, call->scratch, &document.features, error));
    return algorithm->explain(&arm->instance, &document, call->scratch, steps, error);
}

fp_status fp_lab_explain(const fp_lab_call_data *call, fp_error *error) {
    const fp_json *given = fp_json_member(call->request, "features");
    fp_string spec, text = {0};
    fp_arm *arm;
    FP_TRY(fp_lab_text(call, "arm", &spec, error));
    if (!given) FP_TRY(fp_lab_text(call, "text", &text, error));
    fp_explanation *steps = FP_NEED(fp_explanation_new(call->scratch), error);
    FP_TRY(fp_lab_arm_of(call, spec, &text, given ? 0 : 1, &arm, error));
    FP_TRY(given ? explain_given(call, arm, given, steps, error) : fp_arm_explain(arm, &text, 1, steps, NULL, error));
    if (fp_explanation_failed(steps)) return fp_no_memory(error);
    fp_json_begin_array(call->to, "steps");
    for (const fp_explain_step_data *step = steps->first; step; step = step->next) put_step(call->to, step);
    fp_json_end_array(call->to);
    return FP_OK;
}

/* ---- Algorithms ---- */

/* A page cannot use algorithms that need a file; the controls do not read texts. */
static bool needs_file(const fp_algorithm *algorithm) {
    for (const fp_parameter *row = algorithm->parameters; row && row->name; row++)
        if (row->type == FP_FILE && !*row->initial) return true;
    return false;
}

fp_status fp_lab_algorithms(const fp_lab_call_data *call, fp_error *error) {
    const fp_algorithm *algorithm;
    (void)error;
    fp_json_begin_array(call->to, "algorithms");
    for (size_t i = 0; (algorithm = fp_algorithm_at(i)); i++)
        if (fp_reads_text(algorithm) && !needs_file(algorithm)) fp_json_put_text(call->to, NULL, algorithm->name);
    fp_json_end_array(call->to);
    return FP_OK;
}
