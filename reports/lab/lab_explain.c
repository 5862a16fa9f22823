/* SPDX-License-Identifier: GPL-3.0-or-later
 * Steps as data, and which algorithms there are. */
#include "reports/lab/lab_parts.h"

/* ---- Steps ---- */

/* As `fplab explain --format json` writes them. */
static void tell_cell(fp_json_writer *to, const char *cell, bool number) {
    double value;
    if (number && fp_parse_real(cell, &value)) fp_json_put_real(to, NULL, value);
    else if (number && fp_string_equal(fp_string_of(cell), fp_string_of("NA"))) fp_json_put_null(to, NULL);
    else fp_json_put_text(to, NULL, cell);
}

static void tell_table(fp_json_writer *to, const fp_explanation *told, size_t step) {
    size_t columns = fp_explanation_columns(told, step), rows = fp_explanation_rows(told, step);
    bool number;
    fp_json_begin_array(to, "columns");
    for (size_t c = 0; c < columns; c++) fp_json_put_text(to, NULL, fp_explanation_column(told, step, c, &number));
    fp_json_end_array(to);
    fp_json_begin_array(to, "rows");
    for (size_t r = 0; r < rows; r++) {
        fp_json_begin_array(to, NULL);
        for (size_t c = 0; c < columns; c++) {
            const char *cell = fp_explanation_cell(told, step, r, c);
            fp_explanation_column(told, step, c, &number);
            tell_cell(to, cell ? cell : "", number);
        }
        fp_json_end_array(to);
    }
    fp_json_end_array(to);
}

static void tell_steps(fp_json_writer *to, const fp_explanation *told) {
    fp_json_begin_array(to, "steps");
    for (size_t step = 0; step < fp_explanation_steps(told); step++) {
        fp_json_begin_object(to, NULL);
        fp_json_put_text(to, "title", fp_explanation_title(told, step));
        fp_json_begin_array(to, "lines");
        for (size_t line = 0; line < fp_explanation_lines(told, step); line++)
            fp_json_put_text(to, NULL, fp_explanation_line(told, step, line));
        fp_json_end_array(to);
        tell_table(to, told, step);
        fp_json_end_object(to);
    }
    fp_json_end_array(to);
}

fp_status fp_lab_explain(const fp_lab_call_data *call, fp_error *error) {
    fp_string spec, texts[2];
    fp_arm *arm;
    bool says[2];
    size_t count = fp_json_member(call->request, "b") ? 2 : 1;
    FP_TRY(fp_lab_text(call, "arm", &spec, error));
    FP_TRY(fp_lab_text(call, count == 2 ? "a" : "text", texts, error));
    if (count == 2) FP_TRY(fp_lab_text(call, "b", texts + 1, error));
    FP_TRY(fp_lab_arm_of(call, spec, texts, count, &arm, error));
    fp_explanation *told = fp_explanation_new(call->scratch);
    if (!told) return fp_no_memory(error);
    if (count == 1) FP_TRY(fp_arm_explain(arm, *texts, told, says, error));
    else FP_TRY(fp_arm_explain_pair(arm, texts, told, says, NULL, error));
    FP_TRY(fp_lab_tell_arm_itself(call, arm, error));
    tell_steps(call->to, told);
    return FP_OK;
}

/* ---- Algorithms ---- */

static const char *const TYPES[] = {"integer", "real", "choice", "text", "file"};

static void tell_parameters(fp_json_writer *to, const char *name, const fp_parameter *row) {
    fp_json_begin_array(to, name);
    for (; row && row->name; row++) {
        fp_json_begin_object(to, NULL);
        fp_json_put_text(to, "name", row->name);
        fp_json_put_text(to, "type", TYPES[row->type]);
        fp_json_put_text(to, "unit", row->unit);
        fp_json_put_text(to, "help", row->help);
        fp_json_put_text(to, "initial", row->initial);
        if (row->type == FP_INTEGER || row->type == FP_REAL) {
            fp_json_put_real(to, "minimum", row->minimum);
            fp_json_put_real(to, "maximum", row->maximum);
        }
        if (row->type == FP_CHOICE) {
            fp_json_begin_array(to, "choices");
            for (const char *const *choice = row->choices; *choice; choice++) fp_json_put_text(to, NULL, *choice);
            fp_json_end_array(to);
        }
        fp_json_end_object(to);
    }
    fp_json_end_array(to);
}

/* Those that need a file cannot be had in a page; the controls do not read texts. */
static bool needs_file(const fp_algorithm *algorithm) {
    for (const fp_parameter *row = algorithm->parameters; row && row->name; row++)
        if (row->type == FP_FILE && !*row->initial) return true;
    return false;
}

fp_status fp_lab_algorithms(const fp_lab_call_data *call, fp_error *error) {
    fp_json_writer *to = call->to;
    const fp_algorithm *algorithm;
    (void)error;
    fp_json_put_text(to, "version", FP_VERSION);
    fp_json_begin_array(to, "algorithms");
    for (size_t i = 0; (algorithm = fp_algorithm_at(i)); i++) {
        fp_json_begin_object(to, NULL);
        fp_json_put_text(to, "name", algorithm->name);
        fp_json_put_text(to, "summary", algorithm->summary);
        fp_json_put_text(to, "citation", algorithm->citation);
        fp_json_put_text(to, "features", algorithm->features);
        fp_lab_put_bool(to, "reads_text", fp_reads_text(algorithm));
        fp_lab_put_bool(to, "needs_file", needs_file(algorithm));
        fp_lab_put_bool(to, "explains", algorithm->explain != NULL);
        tell_parameters(to, "parameters", algorithm->parameters);
        fp_json_end_object(to);
    }
    fp_json_end_array(to);
    tell_parameters(to, "text_parameters", fp_text_parameters);
    tell_parameters(to, "feature_parameters", fp_feature_parameters);
    return FP_OK;
}
