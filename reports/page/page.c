/* SPDX-License-Identifier: GPL-3.0-or-later
 * Writes a page. */
#include "reports/page/page.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/directory.h"
#include "reports/page/page_form.h"
#include "reports/plots/plot.h"

fp_page_cell fp_page_text_cell(fp_page_text text) { return (fp_page_cell){.text = text, .arm = FP_PAGE_NO_ARM}; }

fp_page_cell fp_page_number_cell(fp_page_text text) {
    return (fp_page_cell){.text = text, .arm = FP_PAGE_NO_ARM, .number = true};
}

fp_page_grid *fp_page_grid_new(fp_page *page, const char *file, size_t columns, size_t rows) {
    fp_page_grid *grid = fp_arena_alloc(page->arena, 1, sizeof *grid);
    *grid = (fp_page_grid){.columns = columns, .row_count = rows, .file = file};
    grid->head = fp_arena_alloc(page->arena, columns + 1, sizeof *grid->head);
    grid->rows = fp_arena_alloc(page->arena, rows + 1, sizeof *grid->rows);
    for (size_t i = 0; i < rows; i++) {
        fp_page_cell *cells = fp_arena_alloc(page->arena, columns + 1, sizeof *cells);
        for (size_t k = 0; k < columns; k++) cells[k] = fp_page_number_cell(fp_page_plain("–"));
        grid->rows[i] = (fp_page_row){.cells = cells, .arm = FP_PAGE_NO_ARM};
    }
    return grid;
}

void fp_page_note(fp_page *page, fp_page_text text, bool reports) {
    page->complete = false;
    if (page->note_count < FP_PAGE_NOTES) page->notes[page->note_count++] = text;
    if (reports && page->options->left_out) page->options->left_out(page->options->context, text.en);
}

/* ---- Contents of run.json ---- */

static const char *confidence_of(const fp_page *page, const fp_recorded *run) {
    bool known = run->confidence > 0 && run->confidence < 1;
    return known ? fp_format(page->arena, "%g%%", 100 * run->confidence) : "95%";
}

/* Runs can be joined if they count the same units and have the same confidence level. */
static fp_status read_definitions(fp_page *page, fp_error *error) {
    const fp_recorded *first = page->runs->run;
    page->confidence = confidence_of(page, first);
    page->documents = first->documents;
    for (size_t i = 1; i < page->run_count; i++) {
        const fp_recorded *run = page->runs[i].run;
        const char *confidence = confidence_of(page, run);
        if (strcmp(run->arguments[0], "eval") != 0 ||
            (strcmp(confidence, page->confidence) == 0 && run->documents == page->documents))
            continue;
        return FP_FAIL_AT(error, FP_ERROR_SYNTAX, run->directory,
                          "the run counts %s with %s intervals, that of %s %s with %s",
                          run->documents ? "documents" : "pairs", confidence, first->directory,
                          page->documents ? "documents" : "pairs", page->confidence);
    }
    return FP_OK;
}

/* The title: that of the options, or the names of the run's corpora. */
static fp_page_text title_of(fp_page *page) {
    fp_page_text all = fp_page_plain("");
    if (page->options->title) return fp_page_name(page, page->options->title);
    for (size_t i = 0; i < page->run->corpus_count; i++)
        all = fp_page_list(page, all, fp_page_name(page, page->run->corpora[i].name));
    return FP_SAY(page, TITLE, all);
}

/* ---- Writing ---- */

static void write_notes(fp_page *page, size_t count) {
    if (count == 0) return;
    page->form->heading(page, "notes", FP_WORD(NOTES));
    for (size_t i = 0; i < count; i++) page->form->warning(page, page->notes[i]);
}

/* Notes are written last, because writing the page may add some. */
static void write_all(fp_page *page) {
    const fp_page_form *form = page->form;
    if (page->options->format == FP_PAGE_LATEX_TABLE) {
        fp_page_compared(page);
        return;
    }
    fp_page_text version = fp_page_name(page, page->run->version), date = fp_page_name(page, page->run->date);
    form->begin(page, title_of(page));
    form->paragraph(page, FP_SAY(page, MADE, version, date));
    if (fp_page_evaluations(page) > 1) fp_page_comparison(page);
    fp_page_answer(page);
    if (form->live) form->live(page);
    fp_page_section_summary(page);
    if (page->options->format != FP_PAGE_HTML) fp_page_compared(page);
    if (form->quality) form->quality(page);
    fp_page_thresholds(page);
    fp_page_figures(page);
    fp_page_sections(page);
    fp_page_closing(page);
    write_notes(page, page->note_count);
    form->end(page);
}

/* Reads every table that the page needs before writing, so that errors are reported at once. */
static fp_status prepare(fp_page *page, fp_error *error) {
    FP_TRY(read_definitions(page, error));
    fp_page_join_runs(page);
    FP_TRY(fp_page_check(page, error));
    if (fp_page_find_arms(page)) return fp_page_check_pairs(page), FP_OK;
    return FP_FAIL_AT(error, FP_ERROR_EMPTY, page->runs->run->directory,
                      "no summary.tsv and no results.tsv that can be read: there is nothing to report");
}

static fp_status write_page(fp_page *page, const char *path, fp_error *error) {
    fp_output output;
    FP_TRY(prepare(page, error));
    FP_TRY(fp_output_open(&output, path, error));
    page->stream = output.stream;
    if (page->form) write_all(page);
    else fp_page_tables(page);
    if (!page->lost && page->failed.code == FP_OK) return fp_output_close(&output, error);
    fp_output_discard(&output);
    if (page->lost) return fp_no_memory(error);
    *error = page->failed;
    return error->code;
}

fp_status fp_page_write(const fp_page_run *runs, size_t count, const fp_page_options *options, const char *path,
                        fp_arena *like, bool *complete, fp_error *error) {
    static const fp_page_form *const FORMS[FP_PAGE_FORMATS] = {&fp_page_html, &fp_page_markdown, &fp_page_latex, NULL,
                                                               NULL,          &fp_page_latex};
    FP_SCRATCH(arena, like, error);
    fp_page *page = fp_arena_alloc(arena, 1, sizeof *page);
    *page = (fp_page){.form = FORMS[options->format],
                      .runs = runs,
                      .run_count = count,
                      .options = options,
                      .languages = options->languages ? options->languages : FP_PAGE_BOTH,
                      .complete = true,
                      .arena = arena};
    fp_status status = write_page(page, path, error);
    *complete = page->complete;
    return status;
}

/* ---- End of the page: the run, definitions, how to repeat it ---- */

/* Quotes a word of a command line for a shell. */
static char *quote(const char *word, fp_arena *arena) {
    static const char SAFE[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,@%+";
    if (*word && !word[strspn(word, SAFE)]) return fp_format(arena, "%s", word);
    char *made = fp_format(arena, "'");
    for (const char *sign; (sign = strchr(word, '\'')); word = sign + 1)
        made = fp_format(arena, "%s%.*s'\\''", made, (int)(sign - word), word);
    return fp_format(arena, "%s%s'", made, word);
}

static void write_command(fp_page *page, const fp_recorded *run) {
    char *line = fp_format(page->arena, "fplab");
    for (size_t i = 0; i < run->argument_count; i++)
        line = fp_format(page->arena, "%s %s", line, quote(run->arguments[i], page->arena));
    page->form->code(page, fp_page_name(page, line).en);
}

static void write_arms(fp_page *page) {
    const fp_recorded *run = page->run;
    if (run->arm_count) page->form->heading(page, "arms", FP_WORD(ARMS));
    for (size_t i = 0; i < run->arm_count; i++)
        page->form->term(page, fp_page_name(page, run->arms[i].name), fp_page_name(page, run->arms[i].spec));
}

static void write_corpora(fp_page *page) {
    const fp_recorded *run = page->run;
    if (run->corpus_count) page->form->heading(page, "corpora", FP_WORD(CORPORA));
    for (size_t i = 0; i < run->corpus_count; i++) {
        const char *text =
            fp_format(page->arena, "%s, sha256 %s", run->corpora[i].path, run->corpora[i].documents_sha256);
        page->form->term(page, fp_page_name(page, run->corpora[i].name), fp_page_name(page, text));
    }
}

/* Writes the definitions of run.json that are texts. */
static void write_definitions(fp_page *page) {
    const fp_json *definitions = fp_json_member(page->run->json, "definitions");
    fp_string text;
    fp_error error = {0};
    if (!definitions || definitions->type != FP_JSON_OBJECT) return;
    page->form->heading(page, "definitions", FP_WORD(DEFINITIONS));
    page->form->paragraph(page, FP_WORD(DEFINITIONS_TEXT));
    for (const fp_json *at = definitions->first; at; at = at->next) {
        const char *name = fp_string_copy(page->arena, at->name);
        if (at->type != FP_JSON_STRING || at->text.length < 24) continue;
        if (fp_json_string(definitions, name, page->arena, &text, &error) != FP_OK) continue;
        page->form->term(page, fp_page_column(page, name), fp_page_data(page, text));
    }
}

void fp_page_closing(fp_page *page) {
    write_arms(page);
    write_corpora(page);
    write_definitions(page);
    page->form->heading(page, "repeat", FP_WORD(REPEAT));
    page->form->paragraph(page, FP_WORD(REPEAT_TEXT));
    for (size_t i = 0; i < page->run_count; i++) write_command(page, page->runs[i].run);
    page->form->paragraph(page, FP_WORD(REPEAT_RERUN));
    page->form->code(page, "fplab rerun RUN");
}

void fp_page_put_left_out(fp_page *page, const fp_page_grid *grid) {
    if (!grid->left_out) return;
    const char *number = fp_format(page->arena, "%zu", grid->left_out);
    page->form->paragraph(page, FP_SAY(page, MORE_ROWS, fp_page_plain(number), fp_page_plain(grid->file)));
}

/* ---- Figures of the run, drawn by gnuplot as SVG ---- */

enum { MOST_PICTURES = 512 };

static int by_name(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

static size_t list_pictures(fp_page *page, const char *directory, const char **names) {
    DIR *stream;
    size_t count = 0;
    fp_status status = fp_directory_open(directory, &stream, &page->failed);
    if (!stream) return 0;
    for (const struct dirent *entry; count < MOST_PICTURES && status == FP_OK &&
                                     (entry = fp_directory_next(stream, directory, &status, &page->failed));) {
        size_t length = strlen(entry->d_name);
        if (*entry->d_name == '.' || length <= 4 || strcmp(entry->d_name + length - 4, ".svg") != 0) continue;
        names[count++] = fp_format(page->arena, "%s", entry->d_name);
    }
    closedir(stream);
    qsort(names, count, sizeof *names, by_name);
    return count;
}

/* The figure whose name ends the picture's name: CORPUS-thresholds.svg; the longest match, for lost_thresholds.svg. */
static const fp_figure *figure_of(const char *name) {
    const fp_figure *found = NULL, *it;
    size_t length = strlen(name) - 4;
    for (size_t i = 0; (it = fp_plot_figure_at(i)); i++) {
        size_t end = strlen(it->name);
        if (length <= end || name[length - end - 1] != '-' || memcmp(name + length - end, it->name, end) != 0) continue;
        if (!found || end > strlen(found->name)) found = it;
    }
    return found;
}

static void write_picture(fp_page *page, const char *directory, const char *name, const fp_figure *figure) {
    const char *path = fp_format(page->arena, "%s/%s", directory, name);
    fp_page_text caption = fp_page_name(page, name);
    fp_string svg;
    fp_error error = {0};
    fp_status status = fp_read_file(path, page->arena, &svg, &error);
    if (status != FP_OK || !fp_page_svg_is_harmless(svg)) {
        fp_page_note(page, FP_SAY(page, NOTE_FIGURE, caption), true);
        return;
    }
    const char *stem = fp_format(page->arena, "%.*s", (int)(strlen(name) - 5 - strlen(figure->name)), name);
    fp_page_text shown = fp_page_column(page, fp_format(page->arena, "figure_%s", figure->name));
    page->form->figure(page, name, svg, FP_SAY(page, OF_CORPUS, fp_page_plain(stem), shown));
}

static void write_run(fp_page *page, const char *figures, bool *any) {
    const char *names[MOST_PICTURES], *directory = figures ? fp_format(page->arena, "%s/plots", figures) : NULL;
    size_t count = directory ? list_pictures(page, directory, names) : 0;
    if (page->failed.code != FP_OK) return;
    if (count == 0) {
        fp_page_note(page, FP_WORD(NOTE_FIGURES), directory != NULL);
        return;
    }
    if (!*any) page->form->heading(page, "figures", FP_WORD(FIGURES));
    *any = true;
    const fp_figure *figure;
    for (size_t k = 0; (figure = fp_plot_figure_at(k)); k++)
        for (size_t i = 0; i < count; i++)
            if (figure_of(names[i]) == figure) write_picture(page, directory, names[i], figure);
}

void fp_page_figures(fp_page *page) {
    bool any = false;
    for (page->figures_of = 0; page->figures_of < page->run_count; page->figures_of++)
        write_run(page, page->runs[page->figures_of].figures, &any);
}
