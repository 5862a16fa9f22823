/* SPDX-License-Identifier: GPL-3.0-or-later
 * Explanations rendered. */
#include "reports/explain.h"

#include "corpora/json_writer.h"

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

static void put_rows(fp_json_writer *json, const fp_explain_step_data *step) {
    const fp_explain_text *cell = step->cells.first;
    fp_json_begin_array(json, "rows");
    while (cell && step->columns.count) {
        fp_json_begin_object(json, NULL);
        for (const fp_explain_text *column = step->columns.first; column && cell;
             column = column->next, cell = cell->next)
            fp_json_put_text(json, column->text, cell->text);
        fp_json_end_object(json);
    }
    fp_json_end_array(json);
}

static void write_json(const fp_explanation *explanation, FILE *stream) {
    fp_json_writer json = fp_json_to(stream, 0);
    fp_json_begin_array(&json, NULL);
    for (const fp_explain_step_data *step = explanation->first; step; step = step->next) {
        fp_json_begin_object(&json, NULL);
        fp_json_put_text(&json, "title", step->title);
        fp_json_begin_array(&json, "lines");
        for (const fp_explain_text *line = step->lines.first; line; line = line->next)
            fp_json_put_text(&json, NULL, line->text);
        fp_json_end_array(&json);
        put_rows(&json, step);
        fp_json_end_object(&json);
    }
    fp_json_end_array(&json);
    fputc('\n', stream);
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
