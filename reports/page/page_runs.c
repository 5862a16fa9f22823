/* SPDX-License-Identifier: GPL-3.0-or-later
 * Several runs as one: corpora and arms that share a name and are not the same get that of their run behind it. */
#include <string.h>

#include "reports/page/page_form.h"

/* ---- Names ---- */

/* "newswire-zh (before)". */
static const char *with_run(fp_page *page, const char *name, size_t run) {
    return fp_format(page->arena, "%s (%s)", name, page->runs[run].run->directory);
}

/* Others, as those of robustness, add tables of their own to it. */
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
            if (strcmp(of->names[i], name) == 0 && strcmp(of->specs[i], spec) != 0) return true;
    }
    return false;
}

const char *fp_page_corpus_name(fp_page *page, size_t run, const char *name) {
    return is_evaluation(page, run) && corpus_is_twice(page, name) ? with_run(page, name, run) : name;
}

static const char *arm_name(fp_page *page, size_t run, const char *name) {
    const fp_recorded *of = page->runs[run].run;
    for (size_t i = 0; page->run_count > 1 && i < of->arm_count; i++)
        if (strcmp(of->names[i], name) == 0 && arm_is_another(page, name, of->specs[i]))
            return with_run(page, name, run);
    return name;
}

/* ---- One run of several ---- */

/* False when there is no memory. */
static bool add_corpora(fp_page *page, size_t run, fp_recorded *to, fp_recorded_corpus *corpora) {
    const fp_page_run *of = page->runs + run;
    for (size_t i = 0; i < of->run->corpus_count; i++) {
        const char *name = fp_page_corpus_name(page, run, of->run->corpora[i].name);
        if (!name) return false;
        page->corpora[to->corpus_count] =
            i < of->corpus_count ? of->corpora[i] : (fp_page_corpus){.lack = FP_PAGE_TOO_MANY};
        page->corpus_with_pairs += of->corpus_count > 0;
        corpora[to->corpus_count] = of->run->corpora[i];
        corpora[to->corpus_count++].name = name;
    }
    return true;
}

/* The same. */
static bool add_arms(fp_page *page, size_t run, fp_recorded *to, const char **names, const char **specs) {
    const fp_recorded *of = page->runs[run].run;
    for (size_t i = 0; i < of->arm_count; i++) {
        const char *name = arm_name(page, run, of->names[i]);
        bool known = false;
        if (!name) return false;
        for (size_t k = 0; k < to->arm_count; k++) known |= strcmp(names[k], name) == 0;
        if (known) continue;
        names[to->arm_count] = name;
        specs[to->arm_count++] = of->specs[i];
    }
    return true;
}

fp_status fp_page_join_runs(fp_page *page, fp_error *error) {
    size_t corpora = 0, arms = 0;
    for (size_t run = 0; run < page->run_count; run++) {
        corpora += page->runs[run].run->corpus_count;
        arms += page->runs[run].run->arm_count;
    }
    fp_recorded *made = fp_arena_alloc(page->arena, 1, sizeof *made);
    fp_recorded_corpus *list = fp_arena_alloc(page->arena, corpora + 1, sizeof *list);
    const char **names = fp_arena_alloc(page->arena, arms + 1, sizeof *names),
               **specs = fp_arena_alloc(page->arena, arms + 1, sizeof *specs);
    page->corpora = fp_arena_alloc(page->arena, corpora + 1, sizeof *page->corpora);
    if (!made || !list || !names || !specs || !page->corpora) return fp_no_memory(error);
    *made = *page->runs->run;
    made->corpora = list;
    made->names = names;
    made->specs = specs;
    made->corpus_count = made->arm_count = 0;
    for (size_t run = 0; run < page->run_count; run++) {
        if (!is_evaluation(page, run)) continue;
        if (!add_corpora(page, run, made, list) || !add_arms(page, run, made, names, specs)) return fp_no_memory(error);
    }
    if (page->corpus_with_pairs) page->corpus_with_pairs = made->corpus_count;
    page->run = made;
    return FP_OK;
}

/* ---- Rows ---- */

/* A cell as the writer of tables has it: in quotation marks where it begins with one. NULL of NULL, and when there is
 * no memory. */
static const char *quoted(fp_page *page, const char *text) {
    if (!text || *text != '"') return text;
    char *made = fp_arena_raw(page->arena, 2 * strlen(text) + 3, 1), *to = made;
    if (!made) return NULL;
    *to++ = '"';
    for (; *text; text++) {
        if (*text == '"') *to++ = '"';
        *to++ = *text;
    }
    *to++ = '"';
    *to = '\0';
    return made;
}

/* The row with the names that corpora and arms have here; its data are NULL when there is no memory. */
static fp_string rename_row(fp_page *page, size_t run, const fp_run_table *table, size_t row) {
    fp_string header = table->header, column;
    char *line = fp_format(page->arena, "%s", "");
    for (size_t at = 0; line && fp_next_field(&header, '\t', &column); at++) {
        bool corpus = fp_string_equal(column, fp_string_of("corpus")),
             arm = column.length >= 3 && memcmp(column.data, "arm", 3) == 0 &&
                   (column.length == 3 || column.data[3] == '_');
        fp_string field = fp_run_table_field(table, row, at);
        const char *text =
            fp_string_copy(page->arena, corpus || arm ? fp_run_table_cell(table, row, at, page->arena) : field);
        if (text && corpus) text = quoted(page, fp_page_corpus_name(page, run, text));
        else if (text && arm) text = quoted(page, arm_name(page, run, text));
        line = text ? fp_format(page->arena, "%s%s%s", line, at ? "\t" : "", text) : NULL;
    }
    return line ? fp_string_of(line) : (fp_string){NULL, 0};
}

fp_status fp_page_join_tables(fp_page *page, size_t run, const fp_run_table *more, fp_run_table *to, fp_error *error) {
    if (page->run_count == 1) return *to = *more, FP_OK;
    if (to->header.data && !fp_string_equal(to->header, more->header)) {
        fp_fail(
            error, FP_ERROR_SYNTAX,
            "its columns are not those of %s: the runs are of different versions, or were asked for different measures",
            to->path);
        return fp_at(error, FP_ERROR_SYNTAX, more->path, SIZE_MAX, SIZE_MAX);
    }
    fp_string *rows = fp_arena_raw(page->arena, to->row_count + more->row_count + 1, sizeof *rows);
    if (!rows) return fp_no_memory(error);
    if (to->row_count) memcpy(rows, to->rows, to->row_count * sizeof *rows);
    for (size_t row = 0; row < more->row_count; row++) {
        rows[to->row_count + row] = rename_row(page, run, more, row);
        if (!rows[to->row_count + row].data) return fp_no_memory(error);
    }
    fp_run_table joined = to->header.data ? *to : *more;
    joined.rows = rows;
    joined.row_count = to->row_count + more->row_count;
    *to = joined;
    return FP_OK;
}
