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

static fp_string cell_of(const block *of, size_t row, const char *column) {
    return fp_run_cell(of->table, row, column);
}

static bool is_of(const block *of, size_t row, const char *figure) {
    return fp_string_equal(cell_of(of, row, "figure"), fp_string_of(figure)) && has_threshold(of, row);
}

/* The arms of the block, in order. */
static size_t arms_of(const block *of, const char *figure, int *arms) {
    size_t count = 0;
    for (size_t row = of->first; row < of->last; row++) {
        if (!is_of(of, row, figure)) continue;
        int arm = fp_page_arm_of(of->page, cell_of(of, row, "arm"));
        bool known = arm == FP_PAGE_NO_ARM;
        for (size_t i = 0; i < count; i++) known |= arms[i] == arm;
        if (!known) arms[count++] = arm;
    }
    return count;
}

static void fill_row(const block *of, fp_page_grid *grid, size_t row, const int *arms, size_t count, size_t at) {
    fp_page *page = of->page;
    int arm = fp_page_arm_of(page, cell_of(of, row, "arm"));
    fp_page_row *to = grid->rows + at;
    to->cells[0] = fp_page_number_cell(fp_page_number(page, cell_of(of, row, "threshold"), false));
    double threshold = fp_run_real(of->table, row, "threshold");
    to->marked = threshold >= 1 && threshold <= 10;
    for (size_t i = 0; i < count; i++)
        if (arms[i] == arm)
            to->cells[i + 1].text = fp_page_with_limits(page, cell_of(of, row, "value"), cell_of(of, row, "low"),
                                                        cell_of(of, row, "high"), true);
}

/* The index of a row's threshold in `rows`; `count`: none. Thresholds ascend within an arm, so the search starts after
 * that of the previous row. */
static size_t place_of(const block *of, const size_t *rows, size_t count, size_t row, size_t before) {
    fp_string threshold = cell_of(of, row, "threshold");
    for (size_t i = 0; i < count; i++) {
        size_t at = (before + 1 + i) % count;
        if (fp_string_equal(cell_of(of, rows[at], "threshold"), threshold)) return at;
    }
    return count;
}

/* One row of each threshold, up to the page's limit; counts the rest. */
static size_t find_thresholds(const block *of, const char *figure, size_t *rows, size_t *left_out) {
    size_t count = 0;
    *left_out = 0;
    for (size_t row = of->first; row < of->last; row++) {
        if (!is_of(of, row, figure)) continue;
        if (fp_page_arm_of(of->page, cell_of(of, row, "arm")) !=
                fp_page_arm_of(of->page, cell_of(of, of->first, "arm")) &&
            count)
            break;
        if (count < FP_PAGE_MOST_ROWS) rows[count++] = row;
        else ++*left_out;
    }
    return count;
}

static fp_page_grid *open_grid(const block *of, const char *figure, const int *arms, size_t columns, size_t rows) {
    fp_page *page = of->page;
    fp_page_grid *grid = fp_page_grid_new(page, "intervals.tsv", columns + 1, rows);
    grid->folded = rows > 12;
    grid->caption = FP_SAY(page, AT_THRESHOLDS, fp_page_data(page, of->corpus), fp_page_column(page, figure));
    grid->head[0] = fp_page_number_cell(fp_page_column(page, "threshold"));
    for (size_t i = 0; i < columns; i++)
        grid->head[i + 1] = (fp_page_cell){fp_page_data(page, page->arms[arms[i]]), arms[i], true};
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < columns; k++)
            grid->rows[i].cells[k + 1] = (fp_page_cell){fp_page_plain("–"), arms[k], true};
    return grid;
}

static void write_figure(const block *of, const char *figure) {
    fp_page *page = of->page;
    int *arms = fp_arena_alloc(page->arena, page->arm_count + 1, sizeof *arms);
    size_t *rows = fp_arena_alloc(page->arena, FP_PAGE_MOST_ROWS, sizeof *rows), left_out, place = 0;
    size_t columns = arms_of(of, figure, arms), count = find_thresholds(of, figure, rows, &left_out);
    fp_page_grid *grid = columns && count ? open_grid(of, figure, arms, columns, count) : NULL;
    if (!grid) return;
    grid->left_out = left_out;
    for (size_t row = of->first; row < of->last; row++) {
        if (!is_of(of, row, figure)) continue;
        size_t found = place_of(of, rows, count, row, place);
        if (found < count) fill_row(of, grid, row, arms, columns, place = found);
    }
    page->form->table(page, grid);
}

static void write_block(const block *of) {
    enum { MOST_FIGURES = 64 };
    const char *figures[MOST_FIGURES];
    size_t count = 0;
    for (size_t row = of->first; row < of->last && count < MOST_FIGURES; row++) {
        if (!has_threshold(of, row)) continue;
        fp_string figure = cell_of(of, row, "figure");
        bool known = false;
        for (size_t i = 0; i < count; i++) known |= fp_string_equal(fp_string_of(figures[i]), figure);
        if (!known) write_figure(of, figures[count++] = fp_string_copy(of->page->arena, figure));
    }
}

void fp_page_thresholds(fp_page *page) {
    block of = {.page = page, .table = fp_page_source_of(page, "intervals")};
    if (!of.table || of.table->row_count == 0) return;
    page->form->heading(page, "thresholds", FP_TEXT(THRESHOLDS));
    page->form->paragraph(page, FP_SAY(page, THRESHOLDS_TEXT, fp_page_plain(page->confidence)));
    for (; of.first < of.table->row_count; of.first = of.last) {
        of.corpus = cell_of(&of, of.first, "corpus");
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
