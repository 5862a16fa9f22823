/* SPDX-License-Identifier: GPL-3.0-or-later
 * The formats for programs, and the table of all. */
#include <string.h>

#include "corpora/json_writer.h"
#include "reports/tables/formats/table_format.h"
#include "text/unicode/visible.h"

/* Nothing stands there. */
static void nothing_before(const fp_table_shape *shape, FILE *stream) { (void)shape, (void)stream; }
static void nothing_behind(bool rows, FILE *stream) { (void)rows, (void)stream; }

/* In quotation marks, with those inside doubled (RFC 4180, section 2). */
static void put_quoted(const char *before, const char *text, FILE *stream) {
    fprintf(stream, "\"%s", before);
    for (; *text; text++) {
        if (*text == '"') fputc('"', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}

/* ---- TSV ---- */

/* Many readers take a field that begins with a quotation mark for a quoted one, over tabs and line ends. */
static void put_tsv_field(const char *text, FILE *stream) {
    if (*text == '"') put_quoted("", text, stream);
    else fputs(text, stream);
}

static void begin_tsv(const fp_table_shape *shape, FILE *stream) {
    for (size_t c = 0; c < shape->count; c++)
        fprintf(stream, "%s%c", shape->columns[c].name, c + 1 < shape->count ? '\t' : '\n');
}

static void put_tsv_row(const fp_table_shape *shape, const fp_table_cell *cells, bool first, FILE *stream) {
    (void)first;
    for (size_t c = 0; c < shape->count; c++) {
        put_tsv_field(cells[c].exact, stream);
        fputc(c + 1 < shape->count ? '\t' : '\n', stream);
    }
}

/* ---- CSV ---- */

/* The space in front of a formula belongs to the field. */
static void put_csv_field(const char *text, bool number, FILE *stream) {
    double value;
    bool formula = !number && fp_begins_formula(fp_string_of(text)) && !fp_parse_real(text, &value);
    const char *before = formula ? " " : "";
    if (strpbrk(text, "\",\r\n")) put_quoted(before, text, stream);
    else fprintf(stream, "%s%s", before, text);
}

static void begin_csv(const fp_table_shape *shape, FILE *stream) {
    for (size_t c = 0; c < shape->count; c++) {
        put_csv_field(shape->columns[c].name, false, stream);
        fputs(c + 1 < shape->count ? "," : "\r\n", stream);
    }
}

static void put_csv_row(const fp_table_shape *shape, const fp_table_cell *cells, bool first, FILE *stream) {
    (void)first;
    for (size_t c = 0; c < shape->count; c++) {
        put_csv_field(cells[c].exact, cells[c].number, stream);
        fputs(c + 1 < shape->count ? "," : "\r\n", stream);
    }
}

/* ---- JSON ---- */

/* What stands for a number: infinities, which JSON does not have, are null like NA. */
static const char *json_number(const char *text) {
    double number;
    return fp_parse_real(text, &number) ? text : "null";
}

static void begin_json(const fp_table_shape *shape, FILE *stream) {
    (void)shape;
    fputs("[\n", stream);
}

static void put_member(fp_json_writer *json, const fp_table_column *column, const fp_table_cell *cell) {
    if (cell->number) fp_json_put_written(json, column->name, json_number(cell->exact));
    else fp_json_put_text(json, column->name, cell->exact);
}

/* One object of the array, set in by one level. */
static void put_json_row(const fp_table_shape *shape, const fp_table_cell *cells, bool first, FILE *stream) {
    fp_json_writer json = fp_json_to(stream, 1);
    fputs(first ? "  " : ",\n  ", stream);
    fp_json_begin_object(&json, NULL);
    for (size_t c = 0; c < shape->count; c++) put_member(&json, shape->columns + c, cells + c);
    fp_json_end_object(&json);
}

static void end_json(bool rows, FILE *stream) { fputs(rows ? "\n]\n" : "]\n", stream); }

/* One object, on one line. */
static void put_jsonl_row(const fp_table_shape *shape, const fp_table_cell *cells, bool first, FILE *stream) {
    (void)first;
    for (size_t c = 0; c < shape->count; c++) {
        fp_json_writer json = fp_json_to(stream, 0);
        fputs(c ? "," : "{", stream);
        put_member(&json, shape->columns + c, cells + c);
    }
    fputs("}\n", stream);
}

/* ---- All ---- */

const fp_table_writer fp_table_writers[FP_FORMATS] = {
    [FP_FORMAT_TABLE] = {.name = "table"},
    [FP_FORMAT_TSV] = {"tsv", begin_tsv, put_tsv_row, nothing_behind},
    [FP_FORMAT_CSV] = {"csv", begin_csv, put_csv_row, nothing_behind},
    [FP_FORMAT_JSON] = {"json", begin_json, put_json_row, end_json},
    [FP_FORMAT_JSONL] = {"jsonl", nothing_before, put_jsonl_row, nothing_behind},
    [FP_FORMAT_MARKDOWN] = {"markdown", fp_markdown_begin, fp_markdown_row, nothing_behind},
    [FP_FORMAT_LATEX] = {"latex", fp_latex_begin, fp_latex_row, fp_latex_end},
};
