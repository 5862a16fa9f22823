/* SPDX-License-Identifier: GPL-3.0-or-later
 * Every measure at every threshold that was tabulated: a row a threshold, a column an arm, intervals in brackets. */
#include <math.h>
#include <string.h>

#include "reports/page/page_form.h"

/* The rows of intervals.tsv that are of one corpus, from `first` on. */
typedef struct block {
    fp_page *page;
    const fp_run_table *table;
    size_t first, last;
    fp_string corpus;
} block;

static bool has_threshold(const block *of, size_t row) {
    return !isnan(fp_page_real_of(of->page, of->table, row, "threshold"));
}

static fp_string cell_of(const block *of, size_t row, const char *column) {
    return fp_page_cell_of(of->page, of->table, row, column);
}

static bool is_of(const block *of, size_t row, const char *figure) {
    return fp_string_equal(cell_of(of, row, "figure"), fp_string_of(figure)) && has_threshold(of, row);
}

/* The arms of the block in their order. */
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
    to->cells[0] =
        (fp_page_cell){fp_page_number(cell_of(of, row, "threshold"), false, page->arena), FP_PAGE_NO_ARM, true};
    double threshold = fp_page_real_of(page, of->table, row, "threshold");
    to->marked = threshold >= 1 && threshold <= 10;
    for (size_t i = 0; i < count; i++) {
        if (arms[i] != arm) continue;
        fp_page_text value = fp_page_number(cell_of(of, row, "value"), true, page->arena),
                     low = fp_page_number(cell_of(of, row, "low"), true, page->arena),
                     high = fp_page_number(cell_of(of, row, "high"), true, page->arena);
        to->cells[i + 1] = (fp_page_cell){fp_page_with_limits(value, low, high, page->arena), arm, true};
    }
}

/* The place of a row's threshold among those of `rows`; `count` when it is none of them. Thresholds rise within an arm,
 * so that it is most often the one behind that of the row before. */
static size_t place_of(const block *of, const size_t *rows, size_t count, size_t row, size_t before) {
    fp_string threshold = cell_of(of, row, "threshold");
    for (size_t i = 0; i < count; i++) {
        size_t at = (before + 1 + i) % count;
        if (fp_string_equal(cell_of(of, rows[at], "threshold"), threshold)) return at;
    }
    return count;
}

/* One row of each threshold, as many as a page can hold; the rest is counted. */
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
    fp_page_grid *grid = fp_arena_alloc(page->arena, 1, sizeof *grid);
    if (!grid) return NULL;
    *grid = (fp_page_grid){.columns = columns + 1, .row_count = rows, .file = "intervals.tsv", .folded = rows > 12};
    grid->caption =
        FP_SAY(page, AT_THRESHOLDS, fp_page_data(of->corpus, page->arena), fp_page_column(figure, page->arena));
    grid->head = fp_arena_alloc(page->arena, grid->columns, sizeof *grid->head);
    grid->rows = fp_arena_alloc(page->arena, rows, sizeof *grid->rows);
    if (!grid->head || !grid->rows) return NULL;
    grid->head[0] = (fp_page_cell){fp_page_column("threshold", page->arena), FP_PAGE_NO_ARM, true};
    for (size_t i = 0; i < columns; i++)
        grid->head[i + 1] = (fp_page_cell){fp_page_data(page->arms[arms[i]], page->arena), arms[i], true};
    for (size_t i = 0; i < rows; i++) {
        grid->rows[i].arm = FP_PAGE_NO_ARM;
        grid->rows[i].cells = fp_arena_alloc(page->arena, grid->columns, sizeof *grid->rows[i].cells);
        if (!grid->rows[i].cells) return NULL;
        for (size_t k = 0; k < columns; k++)
            grid->rows[i].cells[k + 1] = (fp_page_cell){fp_page_plain("–"), arms[k], true};
    }
    return grid;
}

static void write_figure(const block *of, const char *figure) {
    fp_page *page = of->page;
    int *arms = fp_arena_alloc(page->arena, page->arm_count + 1, sizeof *arms);
    size_t *rows = fp_arena_alloc(page->arena, FP_PAGE_MOST_ROWS, sizeof *rows), left_out, place = 0;
    if (!arms || !rows) {
        page->lost = true;
        return;
    }
    size_t columns = arms_of(of, figure, arms), count = find_thresholds(of, figure, rows, &left_out);
    fp_page_grid *grid = columns && count ? open_grid(of, figure, arms, columns, count) : NULL;
    page->lost |= columns && count && !grid;
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
        const char *name = known ? NULL : fp_string_copy(of->page->arena, figure);
        if (name) write_figure(of, figures[count++] = name);
    }
}

void fp_page_thresholds(fp_page *page) {
    block of = {.page = page, .table = fp_page_source_of(page, "intervals")};
    if (!of.table || of.table->row_count == 0) return;
    page->form->heading(page, "thresholds", FP_SAY_PLAIN(page, THRESHOLDS));
    page->form->paragraph(page, FP_PAGE_PLAIN, FP_SAY(page, THRESHOLDS_TEXT, fp_page_plain(page->confidence)));
    for (; of.first < of.table->row_count; of.first = of.last) {
        of.corpus = cell_of(&of, of.first, "corpus");
        for (of.last = of.first; of.last < of.table->row_count; of.last++)
            if (!fp_string_equal(cell_of(&of, of.last, "corpus"), of.corpus)) break;
        write_block(&of);
    }
}
