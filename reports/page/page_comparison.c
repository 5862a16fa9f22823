/* SPDX-License-Identifier: GPL-3.0-or-later
 * Several runs side by side: a row an arm, a column a corpus. */
#include "reports/page/page_form.h"

typedef struct compared {
    const char *value, *low, *high, *at; /* columns of summary.tsv; `at`: a threshold, or NULL */
} compared;

static fp_page_text cell_text(fp_page *page, const fp_run_table *summary, size_t row, const compared *what) {
    fp_page_text parts[4];
    const char *const columns[] = {what->value, what->low, what->high, what->at};
    for (size_t i = 0; i < 4; i++)
        parts[i] = columns[i] ? fp_page_number(fp_page_cell_of(page, summary, row, columns[i]), i < 3, page->arena)
                              : fp_page_plain("");
    return fp_page_words(page, what->at ? FP_WORD_COMPARED_AT : FP_WORD_COMPARED, parts, 4);
}

static fp_page_grid *open_grid(fp_page *page, const compared *what) {
    fp_page_grid *grid = fp_arena_alloc(page->arena, 1, sizeof *grid);
    if (!grid) return NULL;
    *grid = (fp_page_grid){.columns = page->run->corpus_count + 1,
                           .row_count = page->arm_count,
                           .file = "summary.tsv",
                           .caption = fp_page_column(what->value, page->arena)};
    grid->head = fp_arena_alloc(page->arena, grid->columns, sizeof *grid->head);
    grid->rows = fp_arena_alloc(page->arena, grid->row_count, sizeof *grid->rows);
    if (!grid->head || !grid->rows) return NULL;
    grid->head[0] = (fp_page_cell){fp_page_column("arm", page->arena), FP_PAGE_NO_ARM, false};
    for (size_t i = 1; i < grid->columns; i++) {
        fp_string name = fp_string_of(page->run->corpora[i - 1].name);
        grid->head[i] = (fp_page_cell){fp_page_data(name, page->arena), FP_PAGE_NO_ARM, true};
    }
    for (size_t arm = 0; arm < grid->row_count; arm++) {
        fp_page_cell *cells = fp_arena_alloc(page->arena, grid->columns, sizeof *cells);
        if (!cells) return NULL;
        grid->rows[arm] = (fp_page_row){cells, (int)arm, false};
        cells[0] = (fp_page_cell){fp_page_data(page->arms[arm], page->arena), FP_PAGE_NO_ARM, false};
        for (size_t i = 1; i < grid->columns; i++)
            cells[i] = (fp_page_cell){FP_SAY_PLAIN(page, NA), FP_PAGE_NO_ARM, true};
    }
    return grid;
}

static void write_grid(fp_page *page, const fp_run_table *summary, const compared *what) {
    fp_page_grid *grid = open_grid(page, what);
    page->lost |= !grid;
    if (!grid) return;
    for (size_t row = 0; row < summary->row_count; row++) {
        size_t corpus = fp_page_corpus_of(page, fp_page_cell_of(page, summary, row, "corpus"));
        int arm = fp_page_arm_of(page, fp_page_cell_of(page, summary, row, "arm"));
        if (corpus == SIZE_MAX || arm == FP_PAGE_NO_ARM) continue;
        grid->rows[arm].cells[corpus + 1].text = cell_text(page, summary, row, what);
    }
    page->form->table(page, grid);
}

void fp_page_comparison(fp_page *page) {
    static const compared SHOWN[] = {
        {"average_precision", "average_precision_low", "average_precision_high", NULL},
        {"best_f1", "best_f1_low", "best_f1_high", "best_threshold"},
        {"roc_area", "roc_area_low", "roc_area_high", NULL},
    };
    const fp_run_table *summary = fp_page_source_of(page, "summary");
    if (!summary) return;
    page->form->heading(page, "comparison", FP_SAY_PLAIN(page, COMPARISON));
    page->form->paragraph(page, FP_PAGE_PLAIN, FP_SAY(page, COMPARISON_TEXT, fp_page_plain(page->confidence)));
    for (size_t i = 0; i < sizeof SHOWN / sizeof *SHOWN; i++) write_grid(page, summary, SHOWN + i);
}
