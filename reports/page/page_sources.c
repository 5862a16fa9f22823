/* SPDX-License-Identifier: GPL-3.0-or-later
 * The tables of the run: those that are there, whole, and the ones that run.json names. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "reports/page/page_form.h"

/* ---- Which can be read ---- */

static fp_page_source *source_named(fp_page *page, const char *name) {
    for (size_t i = 0; i < page->source_count; i++)
        if (strcmp(page->sources[i].name, name) == 0) return page->sources + i;
    if (page->source_count == FP_PAGE_TABLES) return NULL;
    page->sources[page->source_count] = (fp_page_source){.name = name};
    return page->sources + page->source_count++;
}

static void leave_out(fp_page *page, const char *file, fp_page_text why) {
    fp_page_text named = fp_page_data(fp_string_of(file), page->arena);
    fp_page_note(page, FP_SAY(page, NOTE_TABLE, named, why), true);
}

/* A file as it is told of: with its run, where there are several. */
static const char *named(fp_page *page, const fp_recorded *run, const char *file) {
    const char *path = page->run_count > 1 ? fp_format(page->arena, "%s/%s", run->directory, file) : file;
    return path ? path : file;
}

/* "results.tsv" → "results"; NULL: it is no table. */
static const char *table_name(const char *file, fp_arena *arena) {
    size_t length = strlen(file);
    if (length <= 4 || strcmp(file + length - 4, ".tsv") != 0) return NULL;
    return fp_format(arena, "%.*s", (int)(length - 4), file);
}

static fp_status check_run(fp_page *page, const fp_recorded *run, fp_error *error) {
    const fp_run_manifest *manifest = &run->manifest;
    if (!manifest->complete) {
        fp_page_note(page, FP_SAY_PLAIN(page, NOTE_EARLIER), true);
        page->whole = true; /* all that is there is told */
    }
    for (size_t i = 0; i < manifest->count; i++) {
        bool matches;
        if (!table_name(manifest->files[i].name, page->arena)) continue;
        FP_TRY(fp_run_manifest_matches(run->directory, manifest->files + i, page->arena, &matches, error));
        if (matches) continue;
        const char *path = fp_format(page->arena, "%s/%s", run->directory, manifest->files[i].name);
        if (!path) return fp_no_memory(error);
        bool there = access(path, F_OK) == 0;
        leave_out(page, named(page, run, manifest->files[i].name),
                  there ? FP_SAY_PLAIN(page, NOTE_OTHER) : FP_SAY_PLAIN(page, NOTE_MISSING));
    }
    return FP_OK;
}

/* A table of a run that is whole: listed by run.json, where it lists any, and as it says. */
static bool is_of_run(fp_page *page, const fp_recorded *run, const char *file) {
    const fp_run_manifest_file *listed = fp_run_manifest_find(&run->manifest, file);
    fp_error error = {0};
    bool matches = true;
    if (page->options->fresh || !run->manifest.complete) return true;
    if (!listed) return false;
    fp_status status = fp_run_manifest_matches(run->directory, listed, page->arena, &matches, &error);
    page->lost |= status == FP_ERROR_MEMORY;
    if (status == FP_ERROR_IO) page->failed = error;
    return status == FP_OK && matches;
}

/* Adds what one run has. */
static fp_status add_run(fp_page *page, size_t at, const char *file, fp_page_source *source, fp_error *error) {
    const fp_recorded *run = page->runs[at].run;
    const char *path = fp_format(page->arena, "%s/%s", run->directory, file);
    fp_run_table table;
    fp_error own = {0};
    if (!path) return fp_no_memory(error);
    if (!is_of_run(page, run, file) || access(path, F_OK) != 0) return FP_OK;
    fp_status status = fp_run_table_read(path, page->arena, &table, &own);
    if (status == FP_ERROR_MEMORY) return fp_no_memory(error);
    if (status != FP_OK) {
        const char *line = own.line == SIZE_MAX ? "" : fp_format(page->arena, "line %zu: ", own.line),
                   *what = line ? fp_format(page->arena, "%s%s", line, own.message) : NULL;
        leave_out(page, named(page, run, file), fp_page_data(fp_string_of(what ? what : ""), page->arena));
        return FP_OK;
    }
    FP_TRY(fp_page_join_tables(page, at, &table, &source->table, error));
    source->good = true;
    return FP_OK;
}

/* Those over all corpora of a run are of no use beside those of another run. */
static fp_status read_source(fp_page *page, fp_page_source *source, fp_error *error) {
    const char *file = fp_format(page->arena, "%s.tsv", source->name);
    bool over_corpora = strcmp(source->name, "ranks") == 0 || strcmp(source->name, "signed-ranks") == 0;
    if (!file) return fp_no_memory(error);
    if (over_corpora && page->run_count > 1) return FP_OK;
    for (size_t run = 0; run < page->run_count; run++) FP_TRY(add_run(page, run, file, source, error));
    return FP_OK;
}

fp_status fp_page_check(fp_page *page, fp_error *error) {
    static const char *const TABLES[] = {"summary",   "results",     "curves",  "histograms", "intervals",
                                         "strata",    "differences", "sources", "theory",     "lost",
                                         "lost-best", "costs",       NULL};
    for (size_t run = 0; run < page->run_count && !page->options->fresh; run++)
        FP_TRY(check_run(page, page->runs[run].run, error));
    for (size_t i = 0; TABLES[i]; i++) {
        fp_page_source *source = source_named(page, TABLES[i]);
        FP_TRY(read_source(page, source, error));
    }
    return FP_OK;
}

const fp_run_table *fp_page_source_of(fp_page *page, const char *name) {
    for (size_t i = 0; i < page->source_count; i++)
        if (strcmp(page->sources[i].name, name) == 0) return page->sources[i].good ? &page->sources[i].table : NULL;
    fp_page_source *source = source_named(page, name);
    fp_error error = {0};
    if (!source) return NULL;
    fp_status status = read_source(page, source, &error);
    page->lost |= status == FP_ERROR_MEMORY;
    if (status == FP_OK || status == FP_ERROR_MEMORY) return source->good ? &source->table : NULL;
    source->good = false;
    leave_out(page, error.file[0] ? error.file : name, fp_page_data(fp_string_of(error.message), page->arena));
    return NULL;
}

/* ---- Cells ---- */

fp_string fp_page_cell_of(fp_page *page, const fp_run_table *table, size_t row, const char *column) {
    size_t at = fp_run_table_column(table, column);
    fp_string cell = {NULL, 0};
    if (at != SIZE_MAX) cell = fp_run_table_cell(table, row, at, page->arena);
    return cell.data ? cell : (fp_string){"", 0};
}

double fp_page_real_of(fp_page *page, const fp_run_table *table, size_t row, const char *column) {
    fp_string cell = fp_page_cell_of(page, table, row, column);
    char text[64];
    double value;
    if (cell.length == 0 || cell.length >= sizeof text) return NAN;
    memcpy(text, cell.data, cell.length);
    text[cell.length] = '\0';
    return fp_parse_real(text, &value) && isfinite(value) ? value : NAN;
}

/* ---- Arms ---- */

int fp_page_arm_of(const fp_page *page, fp_string label) {
    for (size_t i = 0; i < page->arm_count; i++)
        if (fp_string_equal(page->arms[i], label)) return (int)i;
    return FP_PAGE_NO_ARM;
}

/* Tables have blanks where names have tabs and line ends. */
size_t fp_page_corpus_of(fp_page *page, fp_string cell) {
    const char *text = fp_page_data(cell, page->arena).en;
    fp_string shown = fp_string_of(text ? text : "");
    for (size_t i = 0; i < page->run->corpus_count; i++) {
        const char *name = fp_page_data(fp_string_of(page->run->corpora[i].name), page->arena).en;
        if (name && fp_string_equal(fp_string_of(name), shown)) return i;
    }
    return SIZE_MAX;
}

bool fp_page_find_arms(fp_page *page) {
    const fp_run_table *table = fp_page_source_of(page, "summary");
    if (!table) table = fp_page_source_of(page, "results");
    if (!table || table->row_count == 0) return false;
    page->arms = fp_arena_alloc(page->arena, table->row_count, sizeof *page->arms);
    page->lost |= !page->arms;
    if (page->lost) return false;
    fp_string before = {NULL, 0};
    for (size_t row = 0; row < table->row_count; row++) {
        fp_string corpus = fp_page_cell_of(page, table, row, "corpus"), arm = fp_page_cell_of(page, table, row, "arm");
        if (fp_page_arm_of(page, arm) == FP_PAGE_NO_ARM) page->arms[page->arm_count++] = arm;
        if (!before.data || !fp_string_equal(before, corpus)) page->corpus_count++;
        before = corpus;
    }
    return true;
}
