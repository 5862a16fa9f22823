/* SPDX-License-Identifier: GPL-3.0-or-later
 * Explanations rendered. */
#include "reports/explain.h"

#include <json-c/json.h>

/* The step's table in the lab's own form; NULL when there is no memory. */
static fp_table *table_of(const fp_explain_step_data *step, fp_arena *arena) {
    const char *columns = NULL;
    for (const fp_explain_text *at = step->columns.first; at; at = at->next)
        columns = columns ? fp_format(arena, "%s|%s", columns, at->text) : at->text;
    fp_table *table = columns ? fp_table_new(columns, arena) : NULL;
    for (const fp_explain_text *at = step->cells.first; table && at; at = at->next) fp_table_text(table, at->text);
    return table;
}

static fp_status write_step(const fp_explain_step_data *step, fp_arena *arena, FILE *stream, fp_error *error) {
    fprintf(stream, "%s\n", step->title);
    for (const fp_explain_text *line = step->lines.first; line; line = line->next)
        fprintf(stream, "  %s\n", line->text);
    if (!step->columns.count) return FP_OK;
    fp_table *table = table_of(step, arena);
    return table ? fp_table_write(table, FP_FORMAT_TABLE, stream, error) : fp_no_memory(error);
}

static json_object *step_json(const fp_explain_step_data *step) {
    json_object *object = json_object_new_object(), *lines = json_object_new_array(), *rows = json_object_new_array();
    json_object_object_add(object, "title", json_object_new_string(step->title));
    for (const fp_explain_text *line = step->lines.first; line; line = line->next)
        json_object_array_add(lines, json_object_new_string(line->text));
    const fp_explain_text *cell = step->cells.first;
    while (cell && step->columns.count) {
        json_object *row = json_object_new_object();
        for (const fp_explain_text *column = step->columns.first; column && cell;
             column = column->next, cell = cell->next)
            json_object_object_add(row, column->text, json_object_new_string(cell->text));
        json_object_array_add(rows, row);
    }
    json_object_object_add(object, "lines", lines);
    json_object_object_add(object, "rows", rows);
    return object;
}

static void write_json(const fp_explanation *explanation, FILE *stream) {
    json_object *steps = json_object_new_array();
    for (const fp_explain_step_data *step = explanation->first; step; step = step->next)
        json_object_array_add(steps, step_json(step));
    fprintf(stream, "%s\n",
            json_object_to_json_string_ext(steps, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE));
    json_object_put(steps);
}

fp_status fp_explanation_write(const fp_explanation *explanation, fp_format_kind format, FILE *stream,
                               fp_error *error) {
    if (explanation->failed) return fp_no_memory(error);
    if (format == FP_FORMAT_TSV) return fp_fail(error, FP_ERROR_RANGE, "an explanation is printed as table or json");
    if (format == FP_FORMAT_JSON) {
        write_json(explanation, stream);
        return FP_OK;
    }
    for (const fp_explain_step_data *step = explanation->first; step; step = step->next) {
        if (step != explanation->first) fprintf(stream, "\n");
        FP_TRY(write_step(step, explanation->arena, stream, error));
    }
    return FP_OK;
}
