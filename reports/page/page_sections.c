/* SPDX-License-Identifier: GPL-3.0-or-later
 * The sections of the page that each show a table of the run. */
#include <math.h>
#include <string.h>

#include "reports/analyses/analyses.h"
#include "reports/page/page_form.h"

/* A section: selected columns of a table, or all. */
typedef struct section {
    const char *id; /* NULL: continues the previous section */
    const fp_schema *schema;
    const fp_page_text *title, *text;                     /* NULL: no text */
    bool (*keeps)(const fp_run_table *table, size_t row); /* NULL: every row */
} section;

/* Keeps figures over all thresholds. */
static bool keeps_overall(const fp_run_table *table, size_t row) { return isnan(fp_run_real(table, row, "threshold")); }

/* Strata by length. */
static bool is_length(const fp_run_table *table, size_t row) {
    return fp_run_cell_is(table, row, "by", fp_string_of("length"));
}

static bool is_no_length(const fp_run_table *table, size_t row) { return !is_length(table, row); }

#define TABLE(name) &fp_schemas[FP_FILE_##name]
#define WORDS(name) &fp_page_texts[FP_WORD_##name]
static const section ANSWERS = {"answers", TABLE(ANSWER), WORDS(ANSWERS), NULL, NULL};
static const section SUMMARY = {"summary", TABLE(SUMMARY), WORDS(SUMMARY), WORDS(SUMMARY_TEXT), NULL};

static const section SECTIONS[] = {
    {"differences", TABLE(DIFFERENCES), WORDS(DIFFERENCES), WORDS(DIFFERENCES_TEXT), NULL},
    {"sources", TABLE(SOURCES), WORDS(SOURCES), WORDS(SOURCES_TEXT), keeps_overall},
    {"ranks", TABLE(RANKS), WORDS(RANKS), NULL, NULL},
    {NULL, TABLE(SIGNED_RANKS), WORDS(SIGNED_RANKS), NULL, NULL},
    {"strata", TABLE(STRATA), WORDS(STRATA), WORDS(STRATA_TEXT), is_no_length},
    {"lengths", TABLE(STRATA), WORDS(LENGTHS), WORDS(STRATA_TEXT), is_length},
    {NULL, TABLE(STRATA_THRESHOLDS), WORDS(STRATA_THRESHOLDS), NULL, NULL},
    {"edits", TABLE(EDITS), WORDS(EDITS), WORDS(EDITS_TEXT), NULL},
    {"robustness", TABLE(ROBUSTNESS), WORDS(ROBUSTNESS), WORDS(ROBUSTNESS_TEXT), NULL},
};

/* After the analyses. */
static const section LAST = {"choices", TABLE(CHOICES), WORDS(CHOICES), NULL, NULL};

/* Content that a run has only if requested, and the option that requests it. */
static const struct {
    fp_page_word title;
    const char *table, *option;
    bool (*keeps)(const fp_run_table *table, size_t row); /* keeps a required row; NULL: any */
} ASKED[] = {
    {FP_WORD_STRATA, "strata", "--by kind", is_no_length},
    {FP_WORD_LENGTHS, "strata", "--by length", is_length},
    {FP_WORD_EDITS, "edits", "--by length", NULL},
    {FP_WORD_ROBUSTNESS, "robustness", "fplab robustness --out DIR; fplab report RUN DIR --out FILE", NULL},
    {FP_WORD_RANKS, "ranks", "--corpus DIR --corpus DIR", NULL},
};

/* ---- Columns ---- */

enum { MOST_COLUMNS = 64 };

typedef struct shown_column {
    size_t value, low, high;   /* columns of the table; SIZE_MAX: none */
    bool share, number, named; /* named: texts are the user's, and never translated */
    fp_page_text label;
} shown_column;

static bool is_named_by_user(const char *column) {
    static const char *const NAMED[] = {"corpus", "arm", "arm_a", "arm_b", "a", "b", "stratum", "choice"};
    for (size_t i = 0; i < sizeof NAMED / sizeof *NAMED; i++)
        if (strcmp(column, NAMED[i]) == 0) return true;
    return false;
}

/* False: the table lacks the column. */
static bool find_column(fp_page *page, const fp_run_table *table, const fp_column *of, shown_column *to) {
    *to = (shown_column){.value = fp_run_table_column(table, of->name),
                         .low = *of->low ? fp_run_table_column(table, of->low) : SIZE_MAX,
                         .high = *of->high ? fp_run_table_column(table, of->high) : SIZE_MAX,
                         .share = of->is & FP_SHARE,
                         .number = of->number,
                         .named = is_named_by_user(of->name),
                         .label = fp_page_column(page, fp_format(page->arena, "%s", of->name))};
    return to->value != SIZE_MAX;
}

/* Whether the page shows the column: arms always, corpora if there are several. */
static bool is_shown(const fp_page *page, const fp_column *of) {
    return of->is & FP_SHOWN || strcmp(of->name, "arm") == 0 ||
           (page->corpus_count > 1 && strcmp(of->name, "corpus") == 0);
}

/* A `whole` schema selects no columns: all of the table are shown, each with its own cell. */
static size_t read_columns(fp_page *page, const section *of, const fp_run_table *table, shown_column *columns) {
    size_t count = 0;
    fp_column next;
    fp_string rest = of->schema->whole ? table->header : fp_string_of(of->schema->columns), field;
    while (of->schema->whole && count < MOST_COLUMNS && fp_next_field(&rest, '\t', &field)) {
        bool described = fp_column_find(of->schema->columns, field, &next);
        next = (fp_column){.number = !described || next.number};
        snprintf(next.name, sizeof next.name, "%.*s", (int)field.length, field.data);
        find_column(page, table, &next, columns + count++);
    }
    while (!of->schema->whole && count < MOST_COLUMNS && fp_column_next(&rest, &next))
        if (is_shown(page, &next) && find_column(page, table, &next, columns + count)) count++;
    return count;
}

/* ---- Rows ---- */

static fp_page_cell make_cell(fp_page *page, const fp_run_table *table, size_t row, const shown_column *of) {
    fp_string value = fp_run_table_cell(table, row, of->value);
    if (of->named && !of->number) return fp_page_text_cell(fp_page_data(page, value));
    if (!of->number) {
        bool figure = strcmp(of->label.en, "measure") == 0;
        return fp_page_text_cell(figure ? fp_page_label(page, value) : fp_page_cell_text(page, value));
    }
    if (of->low == SIZE_MAX || of->high == SIZE_MAX) return fp_page_number_cell(fp_page_number(page, value, of->share));
    return fp_page_number_cell(fp_page_with_limits(page, value, fp_run_table_cell(table, row, of->low),
                                                   fp_run_table_cell(table, row, of->high), of->share));
}

static void add_row(fp_page *page, const section *of, const fp_run_table *table, size_t row,
                    const shown_column *columns, fp_page_grid *grid) {
    fp_page_row *to = grid->rows + grid->row_count++;
    to->arm = fp_page_arm_of(page, fp_run_cell(table, row, "arm"));
    to->marked = of->schema->by_threshold && fp_page_is_marked(table, row);
    for (size_t i = 0; i < grid->columns; i++) to->cells[i] = make_cell(page, table, row, columns + i);
}

/* Removes empty columns. */
static void drop_empty(fp_page_grid *grid) {
    for (size_t i = grid->columns; i-- > 1;) {
        bool empty = true;
        for (size_t row = 0; row < grid->row_count && empty; row++) {
            const char *text = grid->rows[row].cells[i].text.en;
            empty = strcmp(text, "–") == 0 || *text == '\0';
        }
        if (!empty) continue;
        grid->columns--;
        memmove(grid->head + i, grid->head + i + 1, (grid->columns - i) * sizeof *grid->head);
        for (size_t row = 0; row < grid->row_count; row++)
            memmove(grid->rows[row].cells + i, grid->rows[row].cells + i + 1, (grid->columns - i) * sizeof *grid->head);
    }
}

/* Row access for fp_schema.keeps. */
typedef struct kept_row {
    const fp_run_table *table;
    size_t row;
} kept_row;

static double real_of(const void *row, const char *name) {
    const kept_row *of = row;
    return fp_run_real(of->table, of->row, name);
}

static bool is_kept(const section *of, const fp_run_table *table, size_t row) {
    if (of->schema->keeps) return of->schema->keeps(real_of, &(kept_row){table, row});
    return !of->keeps || of->keeps(table, row);
}

static fp_page_grid *make_grid(fp_page *page, const section *of, const fp_run_table *table) {
    shown_column columns[MOST_COLUMNS];
    size_t most = table->row_count < FP_PAGE_MOST_ROWS ? table->row_count : FP_PAGE_MOST_ROWS;
    fp_page_grid *grid = fp_page_grid_new(page, fp_format(page->arena, "%s.tsv", of->schema->name),
                                          read_columns(page, of, table, columns), most);
    grid->caption = *of->title;
    grid->row_count = 0;
    if (grid->columns == 0) return grid;
    for (size_t i = 0; i < grid->columns; i++)
        grid->head[i] = columns[i].number ? fp_page_number_cell(columns[i].label) : fp_page_text_cell(columns[i].label);
    for (size_t row = 0; row < table->row_count; row++) {
        if (!is_kept(of, table, row)) continue;
        if (grid->row_count < most) add_row(page, of, table, row, columns, grid);
        else grid->left_out++;
    }
    if (!of->schema->whole) drop_empty(grid);
    grid->folded = grid->row_count > 24;
    grid->quiet = of->id && !grid->folded;
    return grid;
}

/* ---- Output ---- */

static void write_section(fp_page *page, const section *of) {
    const fp_run_table *table = fp_page_source_of(page, of->schema->name);
    fp_page_grid *grid = table && table->row_count ? make_grid(page, of, table) : NULL;
    if (!grid || grid->row_count == 0) return;
    if (of->id) {
        page->form->heading(page, of->id, grid->caption);
        fp_page_text sure = fp_page_plain(page->confidence);
        if (of->text) page->form->paragraph(page, fp_page_fill(page, *of->text, &sure, 1));
    }
    page->form->table(page, grid);
}

/* ---- Absent analyses ---- */

/* Damaged tables are not absent; the notes report them. */
static bool is_absent(fp_page *page, const char *name, bool (*keeps)(const fp_run_table *, size_t)) {
    const char *file = fp_format(page->arena, "%s.tsv", name);
    const fp_run_table *table = fp_page_source_of(page, name);
    for (size_t run = 0; !table && run < page->run_count; run++)
        if (fp_run_manifest_find(&page->runs[run].run->manifest, file)) return false;
    for (size_t row = 0; table && row < table->row_count; row++)
        if (!keeps || keeps(table, row)) return false;
    return true;
}

/* Adds "Strata (--by kind)" after a comma. */
static void add_absent(fp_page *page, fp_page_text title, const char *option, fp_page_text *to) {
    *to = fp_page_list(page, *to, FP_SAY(page, OF_OPTION, title, fp_page_plain(option)));
}

static void write_absent(fp_page *page) {
    fp_page_text all = fp_page_plain("");
    for (size_t i = 0; i < sizeof ASKED / sizeof *ASKED; i++)
        if (is_absent(page, ASKED[i].table, ASKED[i].keeps))
            add_absent(page, fp_page_texts[ASKED[i].title], ASKED[i].option, &all);
    for (const fp_analysis *const *it = fp_analyses; *it; it++) {
        const fp_schema *table = (*it)->tables;
        while (table->name && is_absent(page, table->name, NULL)) table++;
        if (!table->name) add_absent(page, (*it)->title, (*it)->example, &all);
    }
    if (!*all.en) return;
    page->form->heading(page, "absent", FP_WORD(ABSENT));
    page->form->paragraph(page, all);
}

static bool has_section(const fp_schema *table) {
    bool shown = table->whole;
    fp_column column;
    for (fp_string rest = fp_string_of(table->columns); fp_column_next(&rest, &column);) shown |= column.is & FP_SHOWN;
    return shown;
}

static void write_analysis(fp_page *page, const fp_analysis *of) {
    for (const fp_schema *table = of->tables; table->name; table++) {
        bool first = table == of->tables;
        if (has_section(table))
            write_section(page, &(section){.id = first ? of->name : NULL,
                                           .schema = table,
                                           .title = first ? &of->title : &table->title,
                                           .text = of->text.en ? &of->text : NULL});
    }
}

void fp_page_section_summary(fp_page *page) {
    write_section(page, &ANSWERS);
    write_section(page, &SUMMARY);
}

void fp_page_sections(fp_page *page) {
    for (size_t i = 0; i < sizeof SECTIONS / sizeof *SECTIONS; i++) write_section(page, SECTIONS + i);
    for (const fp_analysis *const *it = fp_analyses; *it; it++) write_analysis(page, *it);
    write_section(page, &LAST);
    write_absent(page);
}
