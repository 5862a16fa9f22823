/* SPDX-License-Identifier: GPL-3.0-or-later
 * The tables of the run: those that exist, are undamaged and match run.json. */
#include <string.h>
#include <unistd.h>

#include "reports/page/page_form.h"

/* ---- Readable tables ---- */

static void leave_out(fp_page *page, const char *file, fp_page_text why) {
    fp_page_text named = fp_page_name(page, file);
    fp_page_note(page, FP_SAY(page, NOTE_TABLE, named, why), true);
}

/* The name of a file in notes: with its run if there are several. */
static const char *named(fp_page *page, const fp_recorded *run, const char *file) {
    return page->run_count > 1 ? fp_format(page->arena, "%s/%s", run->directory, file) : file;
}

static fp_status check_run(fp_page *page, const fp_recorded *run, fp_error *error) {
    const fp_run_manifest *manifest = &run->manifest;
    if (!manifest->complete) {
        fp_page_note(page, FP_WORD(NOTE_EARLIER), true);
        page->complete = true; /* all existing tables are shown */
    }
    for (size_t i = 0; i < manifest->count; i++) {
        bool matches;
        if (!fp_run_is_table(manifest->files[i].name)) continue;
        FP_TRY(fp_run_manifest_matches(run->directory, manifest->files + i, page->arena, &matches, error));
        if (matches) continue;
        const char *path = fp_format(page->arena, "%s/%s", run->directory, manifest->files[i].name);
        bool there = access(path, F_OK) == 0;
        leave_out(page, named(page, run, manifest->files[i].name), there ? FP_WORD(NOTE_OTHER) : FP_WORD(NOTE_MISSING));
    }
    return FP_OK;
}

/* Whether run.json lists the table and it matches; true if run.json has no list. */
static bool is_of_run(fp_page *page, const fp_recorded *run, const char *file) {
    const fp_run_manifest_file *listed = fp_run_manifest_find(&run->manifest, file);
    fp_error error = {0};
    bool matches = true;
    if (!run->manifest.complete) return true;
    if (!listed) return false;
    fp_status status = fp_run_manifest_matches(run->directory, listed, page->arena, &matches, &error);
    if (status == FP_ERROR_IO) page->failed = error;
    return status == FP_OK && matches;
}

/* Appends the table of one run. */
static fp_status add_run(fp_page *page, size_t at, const char *name, fp_run_table *to, fp_error *error) {
    const char *file = fp_format(page->arena, "%s.tsv", name);
    const fp_recorded *run = page->runs[at].run;
    const fp_run_content *written = page->runs[at].written;
    fp_run_table table;
    fp_error own = {0};
    if (!is_of_run(page, run, file) || !fp_run_has_table(written, run->directory, name)) return FP_OK;
    fp_status status = fp_run_table_of(written, run->directory, name, page->arena, &table, &own);
    if (status != FP_OK) {
        const char *line = own.line == SIZE_MAX ? "" : fp_format(page->arena, "line %zu: ", own.line),
                   *what = fp_format(page->arena, "%s%s", line, own.message);
        leave_out(page, named(page, run, file), fp_page_name(page, what));
        return FP_OK;
    }
    return fp_page_join_tables(page, at, &table, to, error);
}

/* Tables over all corpora of one run cannot be joined with those of others. */
static fp_status read_source(fp_page *page, const char *name, fp_error *error) {
    fp_page_source *source = page->sources + page->source_count++;
    bool over_corpora = strcmp(name, "ranks") == 0 || strcmp(name, "signed-ranks") == 0;
    fp_status status = FP_OK;
    *source = (fp_page_source){.name = name};
    for (size_t run = 0; run < page->run_count && status == FP_OK && !(over_corpora && page->run_count > 1); run++)
        status = add_run(page, run, name, &source->table, error);
    if (status != FP_OK) source->table = (fp_run_table){0};
    return status;
}

fp_status fp_page_check(fp_page *page, fp_error *error) {
    static const char *const TABLES[] = {"summary",   "results",     "curves",  "histograms", "intervals",
                                         "strata",    "differences", "sources", "theory",     "lost",
                                         "lost-best", "costs",       NULL};
    for (size_t run = 0; run < page->run_count; run++)
        if (!page->runs[run].written) FP_TRY(check_run(page, page->runs[run].run, error));
    for (size_t i = 0; TABLES[i]; i++) FP_TRY(read_source(page, TABLES[i], error));
    return FP_OK;
}

const fp_run_table *fp_page_source_of(fp_page *page, const char *name) {
    for (size_t i = 0; i < page->source_count; i++)
        if (strcmp(page->sources[i].name, name) == 0)
            return page->sources[i].table.header.data ? &page->sources[i].table : NULL;
    fp_error error = {0};
    if (read_source(page, name, &error) != FP_OK)
        leave_out(page, error.file[0] ? error.file : name, fp_page_name(page, error.message));
    return fp_page_source_of(page, name);
}

/* ---- Rows ---- */

size_t fp_page_corpus_end(const fp_run_table *table, size_t row) {
    fp_string corpus = fp_run_cell(table, row, "corpus");
    while (row < table->row_count && fp_run_cell_is(table, row, "corpus", corpus)) row++;
    return row;
}

bool fp_page_is_marked(const fp_run_table *table, size_t row) {
    double threshold = fp_run_real(table, row, "threshold");
    return threshold >= 1 && threshold <= 10;
}

/* ---- Arms ---- */

int fp_page_arm_of(const fp_page *page, fp_string label) {
    for (size_t i = 0; i < page->arm_count; i++)
        if (fp_string_equal(page->arms[i], label)) return (int)i;
    return FP_PAGE_NO_ARM;
}

/* Tables have blanks for the tabs and line ends of names. */
size_t fp_page_corpus_of(fp_page *page, fp_string cell) {
    const char *shown = fp_page_data(page, cell).en;
    for (size_t i = 0; i < page->run->corpus_count; i++)
        if (strcmp(fp_page_name(page, page->run->corpora[i].name).en, shown) == 0) return i;
    return SIZE_MAX;
}

bool fp_page_find_arms(fp_page *page) {
    const fp_run_table *table = fp_page_source_of(page, "summary");
    if (!table) table = fp_page_source_of(page, "results");
    if (!table || table->row_count == 0) return false;
    page->arms = fp_arena_alloc(page->arena, table->row_count, sizeof *page->arms);
    for (size_t row = 0; row < table->row_count; row++) {
        fp_string arm = fp_run_cell(table, row, "arm");
        if (fp_page_arm_of(page, arm) == FP_PAGE_NO_ARM) page->arms[page->arm_count++] = arm;
    }
    for (size_t row = 0; row < table->row_count; row = fp_page_corpus_end(table, row)) page->corpus_count++;
    return true;
}

/* ---- Joining runs: different corpora or arms of the same name get the run's name appended ---- */

/* "newswire-zh (before)". */
static const char *with_run(fp_page *page, const char *name, size_t run) {
    return fp_format(page->arena, "%s (%s)", name, page->runs[run].run->directory);
}

/* Other runs, such as robustness, add their own tables. */
static bool is_evaluation(const fp_page *page, size_t run) {
    return strcmp(page->runs[run].run->arguments[0], "eval") == 0;
}

size_t fp_page_evaluations(const fp_page *page) {
    size_t count = 0;
    for (size_t run = 0; run < page->run_count; run++) count += is_evaluation(page, run);
    return count;
}

static bool corpus_is_twice(const fp_page *page, const char *name) {
    size_t count = 0;
    for (size_t run = 0; run < page->run_count; run++)
        for (size_t i = 0; is_evaluation(page, run) && i < page->runs[run].run->corpus_count; i++)
            count += strcmp(page->runs[run].run->corpora[i].name, name) == 0;
    return count > 1;
}

static bool arm_is_another(const fp_page *page, const char *name, const char *spec) {
    for (size_t run = 0; run < page->run_count; run++) {
        const fp_recorded *of = page->runs[run].run;
        for (size_t i = 0; i < of->arm_count; i++)
            if (strcmp(of->arms[i].name, name) == 0 && strcmp(of->arms[i].spec, spec) != 0) return true;
    }
    return false;
}

const char *fp_page_corpus_name(fp_page *page, size_t run, const char *name) {
    return is_evaluation(page, run) && corpus_is_twice(page, name) ? with_run(page, name, run) : name;
}

static const char *arm_name(fp_page *page, size_t run, const char *name) {
    const fp_recorded *of = page->runs[run].run;
    for (size_t i = 0; page->run_count > 1 && i < of->arm_count; i++)
        if (strcmp(of->arms[i].name, name) == 0 && arm_is_another(page, name, of->arms[i].spec))
            return with_run(page, name, run);
    return name;
}

static void add_corpora(fp_page *page, size_t run, fp_recorded *to, fp_recorded_corpus *corpora) {
    const fp_page_run *of = page->runs + run;
    for (size_t i = 0; i < of->run->corpus_count; i++) {
        page->corpora[to->corpus_count] =
            i < of->corpus_count ? of->corpora[i] : (fp_page_corpus){.lack = FP_PAGE_TOO_MANY};
        page->corpus_with_pairs += of->corpus_count > 0;
        corpora[to->corpus_count] = of->run->corpora[i];
        corpora[to->corpus_count++].name = fp_page_corpus_name(page, run, of->run->corpora[i].name);
    }
}

static void add_arms(fp_page *page, size_t run, fp_recorded *to, fp_recorded_arm *arms) {
    const fp_recorded *of = page->runs[run].run;
    for (size_t i = 0; i < of->arm_count; i++) {
        const char *name = arm_name(page, run, of->arms[i].name);
        bool known = false;
        for (size_t k = 0; k < to->arm_count; k++) known |= strcmp(arms[k].name, name) == 0;
        if (!known) arms[to->arm_count++] = (fp_recorded_arm){.name = name, .spec = of->arms[i].spec};
    }
}

void fp_page_join_runs(fp_page *page) {
    size_t corpus_count = 0, arm_count = 0;
    for (size_t run = 0; run < page->run_count; run++) {
        corpus_count += page->runs[run].run->corpus_count;
        arm_count += page->runs[run].run->arm_count;
    }
    fp_recorded *made = fp_arena_alloc(page->arena, 1, sizeof *made);
    fp_recorded_corpus *corpora = fp_arena_alloc(page->arena, corpus_count + 1, sizeof *corpora);
    fp_recorded_arm *arms = fp_arena_alloc(page->arena, arm_count + 1, sizeof *arms);
    page->corpora = fp_arena_alloc(page->arena, corpus_count + 1, sizeof *page->corpora);
    *made = *page->runs->run;
    made->corpora = corpora;
    made->arms = arms;
    made->corpus_count = made->arm_count = 0;
    for (size_t run = 0; run < page->run_count; run++) {
        if (!is_evaluation(page, run)) continue;
        add_corpora(page, run, made, corpora);
        add_arms(page, run, made, arms);
    }
    if (page->corpus_with_pairs) page->corpus_with_pairs = made->corpus_count;
    page->run = made;
}

/* ---- Rows ---- */

/* The cell as written in tables: quoted if it begins with a quotation mark. */
static const char *quoted(fp_page *page, const char *text) {
    if (*text != '"') return text;
    char *made = fp_arena_raw(page->arena, 2 * strlen(text) + 3, 1), *to = made;
    *to++ = '"';
    for (; *text; text++) {
        if (*text == '"') *to++ = '"';
        *to++ = *text;
    }
    *to++ = '"';
    *to = '\0';
    return made;
}

/* The row with the page's names of corpora and arms. */
static fp_string rename_row(fp_page *page, size_t run, const fp_run_table *table, size_t row) {
    fp_string header = table->header, column;
    char *line = fp_format(page->arena, "%s", "");
    for (size_t at = 0; fp_next_field(&header, '\t', &column); at++) {
        bool corpus = fp_string_equal(column, fp_string_of("corpus")),
             arm = column.length >= 3 && memcmp(column.data, "arm", 3) == 0 &&
                   (column.length == 3 || column.data[3] == '_');
        fp_string field = fp_run_table_field(table, row, at);
        const char *text = fp_string_copy(page->arena, corpus || arm ? fp_run_table_cell(table, row, at) : field);
        if (corpus) text = quoted(page, fp_page_corpus_name(page, run, text));
        else if (arm) text = quoted(page, arm_name(page, run, text));
        line = fp_format(page->arena, "%s%s%s", line, at ? "\t" : "", text);
    }
    return fp_string_of(line);
}

fp_status fp_page_join_tables(fp_page *page, size_t run, const fp_run_table *more, fp_run_table *to, fp_error *error) {
    if (page->run_count == 1) return *to = *more, FP_OK;
    if (to->header.data && !fp_string_equal(to->header, more->header)) {
        return FP_FAIL_AT(
            error, FP_ERROR_SYNTAX, more->path,
            "its columns are not those of %s: the runs are of different versions, or were asked for different measures",
            to->path);
    }
    fp_string *rows = fp_arena_raw(page->arena, to->row_count + more->row_count + 1, sizeof *rows);
    if (to->row_count) memcpy(rows, to->rows, to->row_count * sizeof *rows);
    for (size_t row = 0; row < more->row_count; row++) rows[to->row_count + row] = rename_row(page, run, more, row);
    size_t row_count = to->row_count + more->row_count;
    if (!to->header.data) *to = *more;
    to->rows = rows;
    to->row_count = row_count;
    return FP_OK;
}
