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

/* "results.tsv" → "results"; NULL: it is no table. */
static const char *table_name(const char *file, fp_arena *arena) {
    size_t length = strlen(file);
    if (length <= 4 || strcmp(file + length - 4, ".tsv") != 0) return NULL;
    return fp_format(arena, "%.*s", (int)(length - 4), file);
}

fp_status fp_page_check(fp_page *page, fp_error *error) {
    const fp_run_manifest *manifest = &page->run->manifest;
    if (page->options->fresh) return FP_OK;
    if (!manifest->complete) {
        fp_page_note(page, FP_SAY_PLAIN(page, NOTE_EARLIER), true);
        page->whole = true; /* all that is there is told */
    }
    for (size_t i = 0; i < manifest->count; i++) {
        const char *name = table_name(manifest->files[i].name, page->arena);
        bool matches;
        if (!name) continue;
        FP_TRY(fp_run_manifest_matches(page->run->directory, manifest->files + i, page->arena, &matches, error));
        if (matches) continue;
        const char *path = fp_format(page->arena, "%s/%s", page->run->directory, manifest->files[i].name);
        if (!path) return fp_no_memory(error);
        bool there = access(path, F_OK) == 0;
        leave_out(page, manifest->files[i].name,
                  there ? FP_SAY_PLAIN(page, NOTE_OTHER) : FP_SAY_PLAIN(page, NOTE_MISSING));
        source_named(page, name);
    }
    return FP_OK;
}

/* A table that run.json does not name is none of the run. */
static bool is_of_run(const fp_page *page, const char *file) {
    const fp_run_manifest *manifest = &page->run->manifest;
    return page->options->fresh || !manifest->complete || fp_run_manifest_find(manifest, file);
}

const fp_run_table *fp_page_source_of(fp_page *page, const char *name) {
    for (size_t i = 0; i < page->source_count; i++)
        if (strcmp(page->sources[i].name, name) == 0) return page->sources[i].good ? &page->sources[i].table : NULL;
    const char *file = fp_format(page->arena, "%s.tsv", name),
               *path = file ? fp_format(page->arena, "%s/%s", page->run->directory, file) : NULL;
    fp_page_source *source = path ? source_named(page, name) : NULL;
    if (!source || !is_of_run(page, file) || access(path, F_OK) != 0) return NULL;
    fp_error error = {0};
    fp_status status = fp_run_table_read(path, page->arena, &source->table, &error);
    page->lost |= status == FP_ERROR_MEMORY;
    if (status == FP_ERROR_MEMORY) return NULL;
    if (status != FP_OK) {
        const char *line = error.line == SIZE_MAX ? "" : fp_format(page->arena, "line %zu: ", error.line),
                   *what = line ? fp_format(page->arena, "%s%s", line, error.message) : NULL;
        leave_out(page, file, fp_page_data(fp_string_of(what ? what : ""), page->arena));
        return NULL;
    }
    source->good = true;
    return &source->table;
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
