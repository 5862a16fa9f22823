/* SPDX-License-Identifier: GPL-3.0-or-later
 * Explanations rendered. */
#include "reports/explanations/explanation_view.h"

#include <stdlib.h>
#include <string.h>

#include "corpora/json_writer.h"
#include "reports/explanations/explanation_fold.h"
#include "reports/tables/table_view.h"

/* ---- For a person ---- */

enum { MARGIN = 2 };

/* Text set in by the margin, broken at spaces. */
static void write_line(const char *text, FILE *stream) {
    size_t at = 0; /* columns of the line so far */
    for (const char *word = text; *word;) {
        size_t length = strcspn(word, " "), columns = fp_view_cells((fp_string){word, length});
        bool begins = at == 0 || at + 1 + columns > FP_EXPLAIN_WIDTH;
        if (begins) fprintf(stream, "%s%*s", at ? "\n" : "", MARGIN, "");
        else fputc(' ', stream);
        at = (begins ? MARGIN : at + 1) + columns;
        fwrite(word, 1, length, stream);
        word += length + strspn(word + length, " ");
    }
    fputc('\n', stream);
}

/* A table's text with its numbers in colour: green above 0, red below. */
static void write_coloured(const char *text, FILE *stream) {
    while (*text) {
        size_t length = strcspn(text, " \n"), gap = strspn(text + length, " \n");
        char *end = NULL;
        double value = length ? strtod(text, &end) : 0;
        bool number = length && end == text + length && value != 0;
        if (number) fputs(value > 0 ? "\033[32m" : "\033[31m", stream);
        fwrite(text, 1, length, stream);
        if (number) fputs("\033[0m", stream);
        fwrite(text + length, 1, gap, stream);
        text += length + gap;
    }
}

/* Votes for and against are what is to be seen in colour. */
static bool has_votes(const fp_explain_step_data *step) {
    static const char *const VOTES[] = {"signed weights", "sums", "margin of A", "quotients", "coordinates"};
    for (size_t column = 0; column < step->columns.count; column++) {
        for (size_t i = 0; i < sizeof VOTES / sizeof *VOTES; i++) {
            if (strcmp(step->columns.at[column].text, VOTES[i]) == 0) return true;
        }
    }
    return false;
}

static fp_status write_step(const fp_explain_step_data *step, bool colour, fp_arena *arena, FILE *stream,
                            fp_error *error) {
    char *table;
    fprintf(stream, "%s\n", step->title);
    for (size_t i = 0; i < step->lines.count; i++) write_line(step->lines.at[i].text, stream);
    if (!step->columns.count) return FP_OK;
    FP_TRY(fp_explain_fold(step, arena, &table, error));
    if (colour && has_votes(step)) write_coloured(table, stream);
    else fputs(table, stream);
    free(table);
    return FP_OK;
}

/* ---- JSON ---- */

static void put_cell(fp_json_writer *json, const fp_explain_text *column, const char *text) {
    double value;
    if (column->number && fp_parse_real(text, &value)) fp_json_put_real(json, column->text, value);
    else if (column->number && strcmp(text, "NA") == 0) fp_json_put_null(json, column->text);
    else fp_json_put_text(json, column->text, text);
}

static void put_rows(fp_json_writer *json, const fp_explain_step_data *step) {
    size_t columns = step->columns.count, cells = columns ? step->cells.count : 0;
    fp_json_begin_array(json, "rows");
    for (size_t first = 0; first < cells; first += columns) {
        fp_json_begin_object(json, NULL);
        for (size_t column = 0; column < columns && first + column < cells; column++)
            put_cell(json, step->columns.at + column, step->cells.at[first + column].text);
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
        for (size_t i = 0; i < step->lines.count; i++) fp_json_put_text(&json, NULL, step->lines.at[i].text);
        fp_json_end_array(&json);
        put_rows(&json, step);
        fp_json_end_object(&json);
    }
    fp_json_end_array(&json);
    fputc('\n', stream);
}

fp_status fp_explanation_write(const fp_explanation *explanation, fp_table_format format, bool colour, FILE *stream,
                               fp_error *error) {
    if (explanation->failed) return fp_no_memory(error);
    if (format != FP_FORMAT_TABLE && format != FP_FORMAT_JSON)
        return fp_fail(error, FP_ERROR_RANGE, "an explanation is printed as table or json");
    if (format == FP_FORMAT_JSON) {
        write_json(explanation, stream);
        return FP_OK;
    }
    for (const fp_explain_step_data *step = explanation->first; step; step = step->next) {
        if (step != explanation->first) fprintf(stream, "\n");
        FP_TRY(write_step(step, colour, explanation->arena, stream, error));
    }
    return FP_OK;
}
