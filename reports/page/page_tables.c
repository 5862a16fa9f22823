/* SPDX-License-Identifier: GPL-3.0-or-later
 * The tables of the page for programs: JSON, by table; CSV, a line a cell. */
#include <string.h>

#include "reports/page/page_form.h"
#include "text/unicode/visible.h"

/* Those that the page reads, in its order. */
static const char *const TABLES[] = {"summary",
                                     "results",
                                     "intervals",
                                     "curves",
                                     "histograms",
                                     "differences",
                                     "sources",
                                     "ranks",
                                     "signed-ranks",
                                     "strata",
                                     "strata-thresholds",
                                     "edits",
                                     "robustness",
                                     "prevalence",
                                     "theory-fit",
                                     "theory",
                                     "lost-best",
                                     "lost",
                                     "index",
                                     "costs",
                                     "calibration-scores",
                                     "calibration",
                                     "gain",
                                     "clusters",
                                     "retrieval",
                                     "choices",
                                     NULL};

/* Columns of texts: what looks like a number there is a name. */
static bool is_text(fp_string column) {
    static const char *const TEXTS[] = {"corpus",  "arm",           "arm_a",   "arm_b",    "scale",    "figure",
                                        "measure", "method",        "stratum", "length",   "by",       "verdict",
                                        "index",   "fit",           "note",    "chosen_a", "chosen_b", "mcnemar_by",
                                        "units",   "within_margin", "kind",    NULL};
    for (size_t i = 0; TEXTS[i]; i++)
        if (fp_string_equal(column, fp_string_of(TEXTS[i]))) return true;
    return false;
}

static bool is_number(fp_string cell) {
    char text[64];
    double value;
    if (cell.length == 0 || cell.length >= sizeof text || !strchr("-0123456789", *cell.data)) return false;
    memcpy(text, cell.data, cell.length);
    text[cell.length] = '\0';
    return strspn(text, "-+.0123456789eE") == cell.length && fp_parse_real(text, &value);
}

/* ---- JSON ---- */

static void put_row(fp_page *page, const fp_run_table *table, size_t row, fp_json_writer *json) {
    fp_string header = table->header, column;
    fp_json_begin_object(json, NULL);
    for (size_t at = 0; fp_next_field(&header, '\t', &column); at++) {
        const char *name = fp_string_copy(page->arena, column);
        fp_string cell = fp_run_table_cell(table, row, at, page->arena);
        const char *text = fp_string_copy(page->arena, cell);
        if (!name || !text) continue; /* noted: nothing is written */
        if (is_text(column)) fp_json_put_string(json, name, cell);
        else if (fp_string_equal(cell, fp_string_of("NA"))) fp_json_put_null(json, name);
        else if (is_number(cell)) fp_json_put_written(json, name, text);
        else fp_json_put_string(json, name, cell);
    }
    fp_json_end_object(json);
}

static void put_runs(fp_page *page, fp_json_writer *json) {
    fp_json_begin_array(json, "runs");
    for (size_t i = 0; i < page->run_count; i++) {
        const fp_recorded *run = page->runs[i].run;
        fp_json_begin_object(json, NULL);
        fp_json_put_text(json, "version", run->version);
        fp_json_put_text(json, "date", run->date);
        fp_json_begin_array(json, "corpora");
        for (size_t k = 0; k < run->corpus_count; k++)
            fp_json_put_text(json, NULL, fp_page_corpus_name(page, i, run->corpora[k].name));
        fp_json_end_array(json);
        fp_json_end_object(json);
    }
    fp_json_end_array(json);
    fp_json_begin_array(json, "arms");
    for (size_t i = 0; i < page->run->arm_count; i++) {
        fp_json_begin_object(json, NULL);
        fp_json_put_text(json, "arm", page->run->names[i]);
        fp_json_put_text(json, "spec", page->run->specs[i]);
        fp_json_end_object(json);
    }
    fp_json_end_array(json);
}

static void write_json(fp_page *page) {
    fp_json_writer json = fp_json_to(page->stream, 0);
    fp_error error = {0};
    fp_json_begin_object(&json, NULL);
    put_runs(page, &json);
    fp_json_begin_object(&json, "tables");
    for (size_t i = 0; TABLES[i]; i++) {
        const fp_run_table *table = fp_page_source_of(page, TABLES[i]);
        if (!table) continue;
        fp_json_begin_array(&json, TABLES[i]);
        for (size_t row = 0; row < table->row_count; row++) put_row(page, table, row, &json);
        fp_json_end_array(&json);
    }
    fp_json_end_object(&json);
    fp_json_end_object(&json);
    fputc('\n', page->stream);
    page->lost |= fp_json_done(&json, &error) != FP_OK;
}

/* ---- CSV ---- */

/* RFC 4180; a text that a spreadsheet would take for a formula gets a space in front. */
static void put_field(FILE *to, fp_string field, char end) {
    bool formula = fp_begins_formula(field) && !is_number(field), quotes = formula;
    for (size_t i = 0; i < field.length; i++) quotes |= strchr(",\"\r\n", field.data[i]) != NULL;
    if (quotes) fputc('"', to);
    if (formula) fputc(' ', to);
    for (size_t i = 0; i < field.length; i++) {
        if (field.data[i] == '"') fputc('"', to);
        fputc(field.data[i], to);
    }
    if (quotes) fputc('"', to);
    if (end == '\n') fputc('\r', to);
    fputc(end, to);
}

static void write_csv(fp_page *page) {
    FILE *to = page->stream;
    fputs("table,row,column,value\r\n", to);
    for (size_t i = 0; TABLES[i]; i++) {
        const fp_run_table *table = fp_page_source_of(page, TABLES[i]);
        for (size_t row = 0; table && row < table->row_count; row++) {
            fp_string header = table->header, column;
            for (size_t at = 0; fp_next_field(&header, '\t', &column); at++) {
                fprintf(to, "%s,%zu,", TABLES[i], row + 1);
                put_field(to, column, ',');
                put_field(to, fp_run_table_cell(table, row, at, page->arena), '\n');
            }
        }
    }
}

void fp_page_tables(fp_page *page) {
    if (page->options->format == FP_PAGE_JSON) write_json(page);
    else write_csv(page);
}
