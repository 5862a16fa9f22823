/* SPDX-License-Identifier: GPL-3.0-or-later
 * The comparison of arms as in papers: a letter for each arm, and at every figure the letters of the arms that are
 * significantly worse, by differences.tsv. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/page/page_form.h"

enum { MOST_FIGURES = 16, LETTERS = 26 };

/* One column: a figure over all thresholds, or at one threshold. */
typedef struct figure {
    fp_string name, threshold; /* "NA": over all thresholds */
    bool largest_best;
    bool compared; /* listed in differences.tsv */
} figure;

/* One row of differences.tsv: the winner is significantly better than the loser. */
typedef struct finding {
    fp_string corpus;
    size_t figure;
    int winner, loser;
} finding;

typedef struct comparison {
    fp_page *page;
    const fp_run_table *summary, *results, *differences;
    figure figures[MOST_FIGURES];
    size_t count;
    finding *findings; /* [finding_count] */
    size_t finding_count;
} comparison;

static size_t figure_at(const comparison *of, fp_string name, fp_string threshold) {
    for (size_t i = 0; i < of->count; i++)
        if (fp_string_equal(of->figures[i].name, name) && fp_string_equal(of->figures[i].threshold, threshold))
            return i;
    return SIZE_MAX;
}

static void add_figure(comparison *of, fp_string name, fp_string threshold, bool compared) {
    size_t at = figure_at(of, name, threshold);
    if (at != SIZE_MAX) of->figures[at].compared |= compared;
    else if (of->count < MOST_FIGURES) of->figures[of->count++] = (figure){name, threshold, !compared, compared};
}

/* Lists the figures of summary.tsv, and those compared. */
static void find_figures(comparison *of) {
    static const char *const USUAL[] = {"average_precision", "roc_area", "best_f1"};
    for (size_t i = 0; i < sizeof USUAL / sizeof *USUAL; i++)
        if (fp_run_table_column(of->summary, USUAL[i]) != SIZE_MAX)
            add_figure(of, fp_string_of(USUAL[i]), fp_string_of("NA"), false);
    for (size_t row = 0; of->differences && row < of->differences->row_count; row++)
        add_figure(of, fp_run_cell(of->differences, row, "figure"), fp_run_cell(of->differences, row, "threshold"),
                   true);
}

/* ---- Letters ---- */

/* "a" … "z", "aa" … */
static const char *letter_of(fp_page *page, int arm) {
    const char *letters = "";
    for (int left = arm; left >= 0; left = left / LETTERS - 1)
        letters = fp_format(page->arena, "%c%s", 'a' + left % LETTERS, letters);
    return letters;
}

/* Collects the rows of differences.tsv that show one arm better. */
static void find_findings(comparison *of) {
    fp_page *page = of->page;
    size_t rows = of->differences ? of->differences->row_count : 0;
    of->findings = fp_arena_alloc(page->arena, rows + 1, sizeof *of->findings);
    for (size_t row = 0; row < rows; row++) {
        int standing = fp_page_standing(fp_run_cell(of->differences, row, "verdict"), true),
            a = fp_page_arm_of(page, fp_run_cell(of->differences, row, "arm_a")),
            b = fp_page_arm_of(page, fp_run_cell(of->differences, row, "arm_b"));
        if ((standing != FP_PAGE_BETTER && standing != FP_PAGE_WORSE) || a < 0 || b < 0) continue;
        size_t at =
            figure_at(of, fp_run_cell(of->differences, row, "figure"), fp_run_cell(of->differences, row, "threshold"));
        bool first = standing == FP_PAGE_BETTER;
        of->findings[of->finding_count++] =
            (finding){fp_run_cell(of->differences, row, "corpus"), at, first ? a : b, first ? b : a};
    }
}

/* The letters of the arms that this arm beats, in the order of the arms; with commas if there are more arms than
 * letters. "": none. */
static const char *letters_beaten(comparison *of, fp_string corpus, int arm, size_t at) {
    fp_page *page = of->page;
    bool *beaten = fp_arena_alloc(page->arena, page->arm_count, sizeof *beaten);
    const char *letters = "", *comma = page->arm_count > LETTERS ? "," : "";
    for (size_t i = 0; i < of->finding_count; i++) {
        const finding *found = of->findings + i;
        if (found->winner == arm && found->figure == at && fp_string_equal(found->corpus, corpus))
            beaten[found->loser] = true;
    }
    for (size_t i = 0; i < page->arm_count; i++)
        if (beaten[i])
            letters = fp_format(page->arena, "%s%s%s", letters, *letters ? comma : "", letter_of(page, (int)i));
    return letters;
}

/* ---- Cells ---- */

/* The row of results.tsv at the threshold; SIZE_MAX: none. */
static size_t row_at(comparison *of, fp_string corpus, fp_string arm, fp_string threshold) {
    for (size_t row = 0; of->results && row < of->results->row_count; row++)
        if (fp_run_cell_is(of->results, row, "corpus", corpus) && fp_run_cell_is(of->results, row, "arm", arm) &&
            fp_run_cell_is(of->results, row, "threshold", threshold))
            return row;
    return SIZE_MAX;
}

static fp_string end_of(comparison *of, const fp_run_table *table, size_t row, fp_string name, const char *end) {
    return fp_run_cell(table, row, fp_format(of->page->arena, "%.*s%s", (int)name.length, name.data, end));
}

/* The figure of the arm in this row of summary.tsv, with its letters and interval. */
static fp_page_cell figure_cell(comparison *of, size_t summary_row, const figure *at) {
    fp_page *page = of->page;
    fp_string corpus = fp_run_cell(of->summary, summary_row, "corpus"),
              arm = fp_run_cell(of->summary, summary_row, "arm");
    bool overall = fp_page_is_none(at->threshold);
    const fp_run_table *table = overall ? of->summary : of->results;
    size_t row = overall ? summary_row : row_at(of, corpus, arm, at->threshold);
    fp_page_cell cell = fp_page_number_cell(fp_page_plain("–"));
    if (row == SIZE_MAX) return cell;
    const char *letters = letters_beaten(of, corpus, fp_page_arm_of(page, arm), (size_t)(at - of->figures));
    fp_string low = end_of(of, table, row, at->name, "_low"), high = end_of(of, table, row, at->name, "_high");
    cell.text = fp_page_number(page, end_of(of, table, row, at->name, ""), true);
    cell.raised = *letters ? letters : NULL;
    if (!fp_page_is_none(low))
        cell.after =
            fp_format(page->arena, " (%s–%s)", fp_page_number(page, low, true).en, fp_page_number(page, high, true).en);
    return cell;
}

static fp_page_text title_of(comparison *of, const figure *at) {
    fp_page_text label = fp_page_label(of->page, at->name),
                 threshold = fp_page_plain(fp_string_copy(of->page->arena, at->threshold));
    return fp_page_is_none(at->threshold) ? label : FP_SAY(of->page, AT_SIGN, label, threshold);
}

/* ---- The table ---- */

static void put_row(comparison *of, size_t row, fp_page_cell *cells) {
    fp_page *page = of->page;
    size_t count = 0;
    fp_string arm = fp_run_cell(of->summary, row, "arm"), corpus = fp_run_cell(of->summary, row, "corpus");
    if (page->corpus_count > 1) cells[count++] = fp_page_text_cell(fp_page_data(page, corpus));
    cells[count++] = fp_page_text_cell(fp_page_plain(letter_of(page, fp_page_arm_of(page, arm))));
    cells[count++] = fp_page_text_cell(fp_page_data(page, arm));
    for (size_t i = 0; i < of->count; i++) cells[count++] = figure_cell(of, row, of->figures + i);
}

static void put_head(comparison *of, fp_page_cell *head) {
    size_t count = 0;
    if (of->page->corpus_count > 1) head[count++].text = fp_page_column(of->page, "corpus");
    head[count++].text = fp_page_plain("#"); /* heading of the letters */
    head[count++].text = fp_page_column(of->page, "arm");
    for (size_t i = 0; i < of->count; i++) {
        head[count].number = true;
        head[count++].text = title_of(of, of->figures + i);
    }
}

/* Marks the largest value of a column for each corpus, compared as written in the file. */
static void mark_best(comparison *of, fp_page_grid *grid) {
    size_t first = grid->columns - of->count;
    for (size_t row = 0; row < grid->row_count; row++) {
        fp_string corpus = fp_run_cell(of->summary, row, "corpus");
        for (size_t i = 0; i < of->count; i++) {
            const char *name =
                of->figures[i].largest_best ? fp_string_copy(of->page->arena, of->figures[i].name) : NULL;
            double own = name ? fp_run_real(of->summary, row, name) : NAN;
            bool best = !isnan(own);
            for (size_t other = 0; best && other < grid->row_count; other++)
                if (fp_run_cell_is(of->summary, other, "corpus", corpus))
                    best = !(fp_run_real(of->summary, other, name) > own);
            grid->rows[row].cells[first + i].best = best;
        }
    }
}

static fp_page_grid *make_grid(comparison *of) {
    size_t columns = of->count + 2 + (of->page->corpus_count > 1), rows = of->summary->row_count;
    fp_page_grid *grid = fp_page_grid_new(of->page, "differences.tsv", columns, rows);
    grid->caption = FP_WORD(LETTERED);
    grid->quiet = true;
    grid->marks = true;
    put_head(of, grid->head);
    for (size_t row = 0; row < rows; row++) put_row(of, row, grid->rows[row].cells);
    mark_best(of, grid);
    return grid;
}

/* The familywise error rate: "5%". */
static fp_page_text level(fp_page *page) { return FP_FORMATTED(page, "%g%%", 100 - strtod(page->confidence, NULL)); }

static fp_page_text compared_figures(comparison *of) {
    fp_page_text list = fp_page_plain("");
    for (size_t i = 0; i < of->count; i++)
        if (of->figures[i].compared) list = fp_page_list(of->page, list, title_of(of, of->figures + i));
    return list;
}

void fp_page_compared(fp_page *page) {
    comparison of = {.page = page,
                     .summary = fp_page_source_of(page, "summary"),
                     .results = fp_page_source_of(page, "results"),
                     .differences = fp_page_source_of(page, "differences")};
    bool alone = page->options->format == FP_PAGE_LATEX_TABLE, compared = of.differences && of.differences->row_count;
    if (!of.summary || of.summary->row_count > FP_PAGE_MOST_ROWS || !(alone || compared)) return;
    find_figures(&of);
    find_findings(&of);
    fp_page_grid *grid = make_grid(&of);
    fp_page_text sure = fp_page_plain(page->confidence),
                 note = compared ? FP_SAY(page, LETTERED_TEXT, level(page), sure, compared_figures(&of))
                                 : FP_SAY(page, SUMMARY_TEXT, sure);
    if (!compared) grid->caption = FP_WORD(SUMMARY);
    if (alone) {
        fp_page_latex_table(page, grid, fp_page_add_samples(page, note));
        return;
    }
    page->form->heading(page, "compared", grid->caption);
    page->form->paragraph(page, note);
    page->form->table(page, grid);
}

/* ---- Comparison of several runs: one row for each arm, one column for each corpus ---- */

/* The value of a column of summary.tsv, with its limits and, unless NULL, its threshold. */
static fp_page_text cell_text(fp_page *page, const fp_run_table *summary, size_t row, const char *value,
                              const char *threshold) {
    const char *const columns[] = {value, fp_format(page->arena, "%s_low", value),
                                   fp_format(page->arena, "%s_high", value), threshold};
    fp_page_text parts[4] = {{"", ""}};
    for (size_t i = 0; i < 4 && columns[i]; i++)
        parts[i] = fp_page_number(page, fp_run_cell(summary, row, columns[i]), i < 3);
    return fp_page_fill(page, fp_page_texts[threshold ? FP_WORD_COMPARED_AT : FP_WORD_COMPARED], parts, 4);
}

static fp_page_grid *open_grid(fp_page *page, const char *value) {
    fp_page_grid *grid = fp_page_grid_new(page, "summary.tsv", page->run->corpus_count + 1, page->arm_count);
    grid->caption = fp_page_column(page, value);
    grid->head[0] = fp_page_text_cell(fp_page_column(page, "arm"));
    for (size_t i = 1; i < grid->columns; i++)
        grid->head[i] = fp_page_number_cell(fp_page_name(page, page->run->corpora[i - 1].name));
    for (size_t arm = 0; arm < grid->row_count; arm++) {
        fp_page_row *row = grid->rows + arm;
        row->arm = (int)arm;
        row->cells[0] = fp_page_text_cell(fp_page_data(page, page->arms[arm]));
    }
    return grid;
}

static void write_grid(fp_page *page, const fp_run_table *summary, const char *value, const char *threshold) {
    fp_page_grid *grid = open_grid(page, value);
    for (size_t row = 0; row < summary->row_count; row++) {
        size_t corpus = fp_page_corpus_of(page, fp_run_cell(summary, row, "corpus"));
        int arm = fp_page_arm_of(page, fp_run_cell(summary, row, "arm"));
        if (corpus == SIZE_MAX || arm == FP_PAGE_NO_ARM) continue;
        grid->rows[arm].cells[corpus + 1].text = cell_text(page, summary, row, value, threshold);
    }
    page->form->table(page, grid);
}

void fp_page_comparison(fp_page *page) {
    const fp_run_table *summary = fp_page_source_of(page, "summary");
    if (!summary) return;
    page->form->heading(page, "comparison", FP_WORD(COMPARISON));
    page->form->paragraph(page, FP_SAY(page, COMPARISON_TEXT, fp_page_plain(page->confidence)));
    write_grid(page, summary, "average_precision", NULL);
    write_grid(page, summary, "best_f1", "best_threshold");
    write_grid(page, summary, "roc_area", NULL);
}
