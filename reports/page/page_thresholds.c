/* SPDX-License-Identifier: GPL-3.0-or-later
 * Every measure at every tabulated threshold: one row for each threshold, one column for each arm, intervals in
 * brackets. */
#include <math.h>
#include <string.h>

#include "reports/page/page_form.h"
#include "text/unicode/visible.h"

/* The rows of intervals.tsv of one corpus. */
typedef struct block {
    fp_page *page;
    const fp_run_table *table;
    size_t first, last;
    fp_string corpus;
} block;

static bool has_threshold(const block *of, size_t row) { return !isnan(fp_run_real(of->table, row, "threshold")); }

/* The row of a threshold; `count`: none. Thresholds ascend within an arm, so the search starts after the previous
 * row. */
static size_t place_of(const fp_string *thresholds, size_t count, fp_string threshold, size_t before) {
    for (size_t i = 0; i < count; i++) {
        size_t at = (before + 1 + i) % count;
        if (fp_string_equal(thresholds[at], threshold)) return at;
    }
    return count;
}

static fp_page_text interval_of(const block *of, size_t row) {
    return fp_page_with_limits(of->page, fp_run_cell(of->table, row, "value"), fp_run_cell(of->table, row, "low"),
                               fp_run_cell(of->table, row, "high"), true);
}

/* Fills the grid: a column for each arm, a row for each threshold of the first arm. */
static void fill(const block *of, const char *figure, fp_page_grid *grid) {
    fp_page *page = of->page;
    size_t most = grid->row_count, place = 0, *column = fp_arena_alloc(page->arena, page->arm_count, sizeof *column);
    fp_string *thresholds = fp_arena_alloc(page->arena, most, sizeof *thresholds);
    grid->columns = 1;
    grid->row_count = 0;
    for (size_t row = of->first; row < of->last; row++) {
        int arm = fp_page_arm_of(page, fp_run_cell(of->table, row, "arm"));
        if (arm == FP_PAGE_NO_ARM || !fp_run_cell_is(of->table, row, "figure", fp_string_of(figure)) ||
            !has_threshold(of, row))
            continue;
        if (!column[arm]) {
            column[arm] = grid->columns++;
            grid->head[column[arm]] = fp_page_number_cell(fp_page_data(page, page->arms[arm]));
            grid->head[column[arm]].arm = arm;
        }
        fp_string threshold = fp_run_cell(of->table, row, "threshold");
        bool first = column[arm] == 1;
        place = first ? grid->row_count : place_of(thresholds, grid->row_count, threshold, place);
        if (first && place < most) thresholds[grid->row_count++] = threshold;
        else if (first) grid->left_out++;
        if (place == grid->row_count) continue;
        fp_page_row *to = grid->rows + place;
        to->cells[0].text = fp_page_number(page, threshold, false);
        to->marked = fp_page_is_marked(of->table, row);
        to->cells[column[arm]].text = interval_of(of, row);
    }
    for (size_t row = 0; row < grid->row_count; row++)
        for (size_t i = 1; i < grid->columns; i++) grid->rows[row].cells[i].arm = grid->head[i].arm;
}

static void write_figure(const block *of, const char *figure) {
    fp_page *page = of->page;
    size_t rows = of->last - of->first < FP_PAGE_MOST_ROWS ? of->last - of->first : FP_PAGE_MOST_ROWS;
    fp_page_grid *grid = fp_page_grid_new(page, "intervals.tsv", page->arm_count + 1, rows);
    fill(of, figure, grid);
    if (grid->row_count == 0) return;
    grid->folded = grid->row_count > 12;
    grid->caption = FP_SAY(page, AT_THRESHOLDS, fp_page_data(page, of->corpus), fp_page_column(page, figure));
    grid->head[0] = fp_page_number_cell(fp_page_column(page, "threshold"));
    page->form->table(page, grid);
}

static void write_block(const block *of) {
    enum { MOST_FIGURES = 64 };
    const char *figures[MOST_FIGURES];
    size_t count = 0;
    for (size_t row = of->first; row < of->last && count < MOST_FIGURES; row++) {
        if (!has_threshold(of, row)) continue;
        fp_string figure = fp_run_cell(of->table, row, "figure");
        bool known = false;
        for (size_t i = 0; i < count; i++) known |= fp_string_equal(fp_string_of(figures[i]), figure);
        if (!known) write_figure(of, figures[count++] = fp_string_copy(of->page->arena, figure));
    }
}

void fp_page_thresholds(fp_page *page) {
    block of = {.page = page, .table = fp_page_source_of(page, "intervals")};
    if (!of.table || of.table->row_count == 0) return;
    page->form->heading(page, "thresholds", FP_WORD(THRESHOLDS));
    page->form->paragraph(page, FP_SAY(page, THRESHOLDS_TEXT, fp_page_plain(page->confidence)));
    for (; of.first < of.table->row_count; of.first = of.last) {
        of.corpus = fp_run_cell(of.table, of.first, "corpus");
        of.last = fp_page_corpus_end(of.table, of.first);
        write_block(&of);
    }
}

/* ---- Pages for programs: JSON, by table; CSV, one line for each cell ---- */

/* Columns of texts, where even a number is a name. */
static bool is_text(const fp_schema *schema, fp_string name) {
    fp_column column;
    return fp_column_find(schema->columns, name, &column) && !column.number;
}

static bool is_number(fp_string cell) {
    char text[64];
    double value;
    if (cell.length == 0 || cell.length >= sizeof text || !strchr("-0123456789", *cell.data)) return false;
    snprintf(text, sizeof text, "%.*s", (int)cell.length, cell.data);
    return strspn(text, "-+.0123456789eE") == cell.length && fp_parse_real(text, &value);
}

/* ---- JSON ---- */

static void put_row(fp_page *page, const fp_schema *schema, const fp_run_table *table, size_t row,
                    fp_json_writer *json) {
    fp_string header = table->header, column;
    fp_json_begin_object(json, NULL);
    for (size_t at = 0; fp_next_field(&header, '\t', &column); at++) {
        const char *name = fp_string_copy(page->arena, column);
        fp_string cell = fp_run_table_cell(table, row, at);
        const char *text = fp_string_copy(page->arena, cell);
        if (is_text(schema, column)) fp_json_put_string(json, name, cell);
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
        FP_JSON_LIST(json, "corpora", k, run->corpus_count,
                     fp_json_put_text(json, NULL, fp_page_corpus_name(page, i, run->corpora[k].name)));
        fp_json_end_object(json);
    }
    fp_json_end_array(json);
    fp_json_begin_array(json, "arms");
    for (size_t i = 0; i < page->run->arm_count; i++) {
        fp_json_begin_object(json, NULL);
        fp_json_put_text(json, "arm", page->run->arms[i].name);
        fp_json_put_text(json, "spec", page->run->arms[i].spec);
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
    for (int i = 0; fp_schema_at(i); i++) {
        const fp_schema *schema = fp_schema_at(i);
        const fp_run_table *table = fp_page_source_of(page, schema->name);
        if (!table) continue;
        FP_JSON_LIST(&json, schema->name, row, table->row_count, put_row(page, schema, table, row, &json));
    }
    fp_json_end_object(&json);
    fp_json_end_object(&json);
    fputc('\n', page->stream);
    page->lost |= fp_json_done(&json, &error) != FP_OK;
}

/* ---- CSV ---- */

/* RFC 4180; a text that spreadsheets would read as a formula gets a space before it. */
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
    for (int i = 0; fp_schema_at(i); i++) {
        const char *name = fp_schema_at(i)->name;
        const fp_run_table *table = fp_page_source_of(page, name);
        for (size_t row = 0; table && row < table->row_count; row++) {
            fp_string header = table->header, column;
            for (size_t at = 0; fp_next_field(&header, '\t', &column); at++) {
                fprintf(to, "%s,%zu,", name, row + 1);
                put_field(to, column, ',');
                put_field(to, fp_run_table_cell(table, row, at), '\n');
            }
        }
    }
}

void fp_page_tables(fp_page *page) {
    if (page->options->format == FP_PAGE_JSON) write_json(page);
    else write_csv(page);
}
