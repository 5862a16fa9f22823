/* SPDX-License-Identifier: GPL-3.0-or-later
 * The parts of the page that are a table of the run each. */
#include <math.h>
#include <string.h>

#include "reports/analyses/analyses.h"
#include "reports/page/page_form.h"

/* One part. `columns`: those of the page are columns of the table, by their names; NAME~ is a share with the interval
 * NAME_low–NAME_high, NAME^ the same of what is no share; NAME% is a share without. Columns that the table does not
 * have are left out. */
typedef struct section {
    const char *id, *table;   /* an `id` of NULL goes on with the section before */
    fp_page_word title, text; /* FP_WORD_EMPTY_TEXT: none */
    const char *columns;
    bool (*keeps)(fp_page *page, const fp_run_table *table, size_t row); /* NULL: every row */
    const fp_analysis *analysis; /* NULL: none; else title, text and rows are its own */
    const fp_analysis_table *described;
} section;

/* What is over all thresholds. */
static bool keeps_overall(fp_page *page, const fp_run_table *table, size_t row) {
    return isnan(fp_page_real_of(page, table, row, "threshold"));
}

/* Parts by length, and by anything else. */
static bool is_length(fp_page *page, const fp_run_table *table, size_t row) {
    return fp_string_equal(fp_page_cell_of(page, table, row, "by"), fp_string_of("length"));
}

static bool is_no_length(fp_page *page, const fp_run_table *table, size_t row) { return !is_length(page, table, row); }

static const section SUMMARY = {
    "summary",
    "summary",
    FP_WORD_SUMMARY,
    FP_WORD_SUMMARY_TEXT,
    "arm|scale|pairs|positives|average_precision~|roc_area~|best_f1~|best_threshold|bytes_per_document|sketch_seconds~",
    NULL,
    NULL,
    NULL};

#define STRATA_COLUMNS \
    "arm|by|stratum|pairs|positives|average_precision~|best_f1~|best_threshold^|precision~|recall~|false_positive_rate~"

static const section SECTIONS[] = {
    {"differences", "differences", FP_WORD_DIFFERENCES, FP_WORD_DIFFERENCES_TEXT,
     "arm_a|arm_b|figure|threshold|difference~|p_holm%|verdict|threshold_a|threshold_b|only_a|only_b|mcnemar_holm%",
     NULL, NULL, NULL},
    {"sources", "sources", FP_WORD_SOURCES, FP_WORD_SOURCES_TEXT,
     "arm|arm_b|figure|seeds|value%|seed_deviation%|standard_error%|documents%|hash%", keeps_overall, NULL, NULL},
    {"ranks", "ranks", FP_WORD_RANKS, FP_WORD_EMPTY_TEXT, NULL, NULL, NULL, NULL},
    {NULL, "signed-ranks", FP_WORD_SIGNED_RANKS, FP_WORD_EMPTY_TEXT, NULL, NULL, NULL, NULL},
    {"strata", "strata", FP_WORD_STRATA, FP_WORD_STRATA_TEXT, STRATA_COLUMNS, is_no_length, NULL, NULL},
    {"lengths", "strata", FP_WORD_LENGTHS, FP_WORD_STRATA_TEXT, STRATA_COLUMNS, is_length, NULL, NULL},
    {NULL, "strata-thresholds", FP_WORD_STRATA_THRESHOLDS, FP_WORD_EMPTY_TEXT,
     "arm|stratum|threshold|tp|fp|fn|tn|precision~|recall~|f1~", NULL, NULL, NULL},
    {"edits", "edits", FP_WORD_EDITS, FP_WORD_EDITS_TEXT,
     "arm|length|share_low%|share_high%|pairs|mean_share%|measured^|expected|bounded", NULL, NULL, NULL},
    {"robustness", "robustness", FP_WORD_ROBUSTNESS, FP_WORD_ROBUSTNESS_TEXT,
     "arm|kind|rate%|positives|negatives|f1~|recall_at_precision~", NULL, NULL, NULL},
};

/* Behind the analyses. */
static const section LAST = {"choices", "choices", FP_WORD_CHOICES, FP_WORD_EMPTY_TEXT, NULL, NULL, NULL, NULL};

/* What a run has only where it was asked for it, and how. */
static const struct {
    fp_page_word title;
    const char *table, *option;
    bool (*keeps)(fp_page *page, const fp_run_table *table, size_t row); /* a row that must be there; NULL: any */
} ASKED[] = {
    {FP_WORD_STRATA, "strata", "--by kind", is_no_length},
    {FP_WORD_LENGTHS, "strata", "--by length", is_length},
    {FP_WORD_EDITS, "edits", "--by length", NULL},
    {FP_WORD_ROBUSTNESS, "robustness", "fplab robustness --out DIR; fplab report RUN DIR --out FILE", NULL},
    {FP_WORD_RANKS, "ranks", "--corpus DIR --corpus DIR", NULL},
};

/* ---- Columns ---- */

enum { MOST_COLUMNS = 64 };

typedef struct column {
    size_t value, low, high; /* columns of the table; SIZE_MAX: none */
    bool share, number;
    fp_page_text label;
} column;

static bool is_word(const char *name) {
    static const char *const WORDS[] = {"kind",  "length", "corpus",   "arm",      "arm_a",   "arm_b",
                                        "scale", "figure", "verdict",  "by",       "stratum", "measure",
                                        "fit",   "index",  "chosen_a", "chosen_b", "note",    NULL};
    for (size_t i = 0; WORDS[i]; i++)
        if (strcmp(WORDS[i], name) == 0) return true;
    return false;
}

/* One column, with its limits where these have names; false when the table does not have it. */
static bool find_column(fp_page *page, const fp_run_table *table, const char *name, const char *low, const char *high,
                        column *to) {
    to->value = name ? fp_run_table_column(table, name) : SIZE_MAX;
    to->low = low ? fp_run_table_column(table, low) : SIZE_MAX;
    to->high = high ? fp_run_table_column(table, high) : SIZE_MAX;
    to->label = fp_page_column(name, page->arena);
    return to->value != SIZE_MAX;
}

static bool read_column(fp_page *page, const fp_run_table *table, fp_string field, column *to) {
    char *name = fp_string_copy(page->arena, field);
    if (!name) return false;
    char *mark = strpbrk(name, "~^%"), kind = mark ? *mark : '\0';
    if (mark) *mark = '\0';
    bool interval = kind == '~' || kind == '^', difference = strcmp(name, "difference") == 0; /* of no measure */
    *to = (column){.share = kind == '~' || kind == '%', .number = !is_word(name)};
    return find_column(page, table, name,
                       !interval    ? NULL
                       : difference ? "low"
                                    : fp_format(page->arena, "%s_low", name),
                       !interval    ? NULL
                       : difference ? "high"
                                    : fp_format(page->arena, "%s_high", name),
                       to);
}

/* As a description has it. */
static bool take_column(fp_page *page, const fp_run_table *table, const fp_column *of, column *to) {
    bool interval = of->is & FP_LIMITS;
    *to = (column){.share = of->is & FP_SHARE, .number = !(of->is & FP_NAMES)};
    return (of->is & FP_SHOWN) && find_column(page, table, fp_column_name(of, NULL, page->arena),
                                              interval ? fp_column_name(of, "low", page->arena) : NULL,
                                              interval ? fp_column_name(of, "high", page->arena) : NULL, to);
}

/* Where nobody chose columns: all of the table. */
static size_t read_columns(fp_page *page, const section *of, const fp_run_table *table, column *columns) {
    const char *list = of->described && !of->described->whole ? "arm" : of->columns;
    fp_string rest = list ? fp_string_of(list) : table->header, field;
    size_t count = 0;
    if (list && page->corpus_count > 1 && read_column(page, table, fp_string_of("corpus"), columns)) count++;
    while (count < MOST_COLUMNS && fp_next_field(&rest, list ? '|' : '\t', &field))
        if (read_column(page, table, field, columns + count)) count++;
    if (!of->described || of->described->whole) return count;
    for (const fp_column *next = of->described->columns; next->name && count < MOST_COLUMNS; next++)
        if (take_column(page, table, next, columns + count)) count++;
    return count;
}

/* ---- Rows ---- */

static fp_page_cell make_cell(fp_page *page, const fp_run_table *table, size_t row, const column *of, int arm) {
    fp_string value = fp_run_table_cell(table, row, of->value, page->arena);
    fp_page_text text;
    if (!of->number) {
        const char *name = fp_string_copy(page->arena, value);
        bool figure = name && of->label.en && strcmp(of->label.en, "measure") == 0;
        text = figure ? fp_page_column(name, page->arena) : fp_page_cell_text(value, page->arena);
        return (fp_page_cell){text, arm, false};
    }
    text = fp_page_number(value, of->share, page->arena);
    if (of->low != SIZE_MAX && of->high != SIZE_MAX) {
        fp_page_text low = fp_page_number(fp_run_table_cell(table, row, of->low, page->arena), of->share, page->arena),
                     high =
                         fp_page_number(fp_run_table_cell(table, row, of->high, page->arena), of->share, page->arena);
        text = fp_page_with_limits(text, low, high, page->arena);
    }
    return (fp_page_cell){text, arm, true};
}

/* 1–10 are marked where a table goes over thresholds. */
static bool is_marked(fp_page *page, const section *of, const fp_run_table *table, size_t row) {
    double threshold = fp_page_real_of(page, table, row, "threshold");
    bool over = of->described ? of->described->by_threshold : strcmp(of->table, "strata-thresholds") == 0;
    return over && threshold >= 1 && threshold <= 10;
}

static void add_row(fp_page *page, const section *of, const fp_run_table *table, size_t row, const column *columns,
                    fp_page_grid *grid) {
    int arm = fp_page_arm_of(page, fp_page_cell_of(page, table, row, "arm"));
    fp_page_row *to = grid->rows + grid->row_count;
    *to = (fp_page_row){.cells = fp_arena_alloc(page->arena, grid->columns, sizeof *to->cells),
                        .arm = arm,
                        .marked = is_marked(page, of, table, row)};
    if (!to->cells) return;
    for (size_t i = 0; i < grid->columns; i++) to->cells[i] = make_cell(page, table, row, columns + i, FP_PAGE_NO_ARM);
    grid->row_count++;
}

/* A column in which nothing stands goes. */
static void drop_empty(fp_page_grid *grid) {
    for (size_t i = grid->columns; i-- > 1;) {
        bool empty = true;
        for (size_t row = 0; row < grid->row_count && empty; row++) {
            const char *text = grid->rows[row].cells[i].text.en;
            empty = text && (strcmp(text, "–") == 0 || *text == '\0');
        }
        if (!empty) continue;
        grid->columns--;
        memmove(grid->head + i, grid->head + i + 1, (grid->columns - i) * sizeof *grid->head);
        for (size_t row = 0; row < grid->row_count; row++)
            memmove(grid->rows[row].cells + i, grid->rows[row].cells + i + 1, (grid->columns - i) * sizeof *grid->head);
    }
}

/* A row as those who choose among rows read it. */
typedef struct kept_row {
    fp_page *page;
    const fp_run_table *table;
    size_t row;
} kept_row;

static double real_of(const void *row, const char *name) {
    const kept_row *of = row;
    return fp_page_real_of(of->page, of->table, of->row, name);
}

static bool is_kept(fp_page *page, const section *of, const fp_run_table *table, size_t row) {
    if (of->described && of->described->keeps) return of->described->keeps(real_of, &(kept_row){page, table, row});
    return !of->keeps || of->keeps(page, table, row);
}

static fp_page_text title_of(fp_page *page, const section *of) {
    if (!of->analysis) return fp_page_words(page, of->title, NULL, 0);
    fp_bilingual title = of->id ? of->analysis->title : of->described->title;
    return (fp_page_text){title.en, title.zh};
}

static fp_page_grid *make_grid(fp_page *page, const section *of, const fp_run_table *table) {
    column columns[MOST_COLUMNS];
    fp_page_grid *grid = fp_arena_alloc(page->arena, 1, sizeof *grid);
    if (!grid) return NULL;
    size_t most = table->row_count < FP_PAGE_MOST_ROWS ? table->row_count : FP_PAGE_MOST_ROWS;
    grid->columns = read_columns(page, of, table, columns);
    grid->caption = title_of(page, of);
    grid->file = fp_format(page->arena, "%s.tsv", of->table);
    grid->head = fp_arena_alloc(page->arena, grid->columns + 1, sizeof *grid->head);
    grid->rows = fp_arena_alloc(page->arena, most + 1, sizeof *grid->rows);
    if (!grid->head || !grid->rows || !grid->file) return NULL;
    if (grid->columns == 0) return grid;
    for (size_t i = 0; i < grid->columns; i++)
        grid->head[i] = (fp_page_cell){columns[i].label, FP_PAGE_NO_ARM, columns[i].number};
    for (size_t row = 0; row < table->row_count; row++) {
        if (!is_kept(page, of, table, row)) continue;
        if (grid->row_count < most) add_row(page, of, table, row, columns, grid);
        else grid->left_out++;
    }
    if (of->columns || (of->described && !of->described->whole)) drop_empty(grid);
    grid->folded = grid->row_count > 24;
    grid->quiet = of->id && !grid->folded;
    return grid;
}

/* ---- All ---- */

static void write_section(fp_page *page, const section *of) {
    const fp_run_table *table = fp_page_source_of(page, of->table);
    fp_page_grid *grid = table && table->row_count ? make_grid(page, of, table) : NULL;
    if (table && table->row_count && !grid) page->lost = true;
    if (!grid || grid->row_count == 0) return;
    if (of->id) {
        page->form->heading(page, of->id, grid->caption);
        if (of->analysis && of->analysis->text.en)
            page->form->paragraph(page, FP_PAGE_PLAIN, (fp_page_text){of->analysis->text.en, of->analysis->text.zh});
        else if (of->text != FP_WORD_EMPTY_TEXT) {
            fp_page_text sure = fp_page_plain(page->confidence);
            page->form->paragraph(page, FP_PAGE_PLAIN, fp_page_words(page, of->text, &sure, 1));
        }
    }
    page->form->table(page, grid);
}

/* ---- What there is not ---- */

/* A table that is damaged is another matter: the notes tell of it. */
static bool is_absent(fp_page *page, const char *name, bool (*keeps)(fp_page *, const fp_run_table *, size_t)) {
    const char *file = fp_format(page->arena, "%s.tsv", name);
    const fp_run_table *table = fp_page_source_of(page, name);
    if (!file) return false;
    for (size_t run = 0; !table && run < page->run_count; run++)
        if (fp_run_manifest_find(&page->runs[run].run->manifest, file)) return false;
    for (size_t row = 0; table && row < table->row_count; row++)
        if (!keeps || keeps(page, table, row)) return false;
    return true;
}

static void write_absent(fp_page *page, fp_page_text title, const char *option, bool *any) {
    if (!*any) page->form->heading(page, "absent", FP_SAY_PLAIN(page, ABSENT));
    if (!*any) page->form->paragraph(page, FP_PAGE_PLAIN, FP_SAY_PLAIN(page, ABSENT_TEXT));
    *any = true;
    page->form->term(page, title, fp_page_plain(option));
}

static void write_all_absent(fp_page *page) {
    bool any = false;
    for (size_t i = 0; i < sizeof ASKED / sizeof *ASKED; i++)
        if (is_absent(page, ASKED[i].table, ASKED[i].keeps))
            write_absent(page, fp_page_words(page, ASKED[i].title, NULL, 0), ASKED[i].option, &any);
    for (const fp_analysis *const *it = fp_analyses; *it; it++) {
        const fp_analysis_table *table = (*it)->tables;
        while (table->name && is_absent(page, table->name, NULL)) table++;
        if (!table->name) write_absent(page, (fp_page_text){(*it)->title.en, (*it)->title.zh}, (*it)->example, &any);
    }
}

static bool is_shown(const fp_analysis_table *table) {
    bool shown = table->whole;
    for (const fp_column *of = table->columns; of->name; of++) shown |= of->is & FP_SHOWN;
    return shown;
}

static void write_analysis(fp_page *page, const fp_analysis *of) {
    for (const fp_analysis_table *table = of->tables; table->name; table++)
        if (is_shown(table))
            write_section(page, &(section){.id = table == of->tables ? of->name : NULL,
                                           .table = table->name,
                                           .text = FP_WORD_EMPTY_TEXT,
                                           .analysis = of,
                                           .described = table});
}

void fp_page_section_summary(fp_page *page) { write_section(page, &SUMMARY); }

void fp_page_sections(fp_page *page) {
    for (size_t i = 0; i < sizeof SECTIONS / sizeof *SECTIONS; i++) write_section(page, SECTIONS + i);
    for (const fp_analysis *const *it = fp_analyses; *it; it++) write_analysis(page, *it);
    write_section(page, &LAST);
    write_all_absent(page);
}
