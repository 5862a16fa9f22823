/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the slider moves, as JSON: rows of results.tsv, histograms.tsv and curves.tsv as they are written there. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "corpora/json_writer.h"
#include "reports/page/page_form.h"

enum { MOST_POINTS = 1000 };

/* ---- Numbers ---- */

/* A cell as JSON has it, digits unchanged; null for NA and what is no number. */
static void put_cell(fp_page *page, FILE *to, const fp_run_table *table, size_t row, const char *column) {
    fp_string cell = fp_page_cell_of(page, table, row, column);
    bool digits = cell.length && (isdigit((unsigned char)cell.data[0]) || *cell.data == '-');
    if (isnan(fp_page_real_of(page, table, row, column)) || !digits) fputs("null", to);
    else fwrite(cell.data, 1, cell.length, to);
}

/* [[1,2],[3,4]] of the rows of one arm that `keeps` keeps. */
typedef struct rows_of {
    fp_page *page;
    const fp_run_table *table;
    const char *const *columns; /* ended by NULL */
    fp_string corpus, arm;
    bool *kept; /* [row_count]; NULL: all */
} rows_of;

static bool is_of_arm(const rows_of *of, size_t row) {
    return fp_string_equal(fp_page_cell_of(of->page, of->table, row, "arm"), of->arm) &&
           fp_string_equal(fp_page_cell_of(of->page, of->table, row, "corpus"), of->corpus);
}

static void put_rows(const rows_of *of, fp_json_writer *json, const char *name) {
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    bool first = true;
    if (!to) {
        fp_json_put_text(json, name, NULL);
        return;
    }
    fputc('[', to);
    for (size_t row = 0; of->table && row < of->table->row_count; row++) {
        if ((of->kept && !of->kept[row]) || !is_of_arm(of, row)) continue;
        fputs(first ? "[" : ",[", to);
        for (size_t i = 0; of->columns[i]; i++) {
            if (i) fputc(',', to);
            put_cell(of->page, to, of->table, row, of->columns[i]);
        }
        fputc(']', to);
        first = false;
    }
    fputc(']', to);
    if (fclose(to) != 0) json->failed = true;
    else fp_json_put_written(json, name, text);
    free(text);
}

/* Of a long curve every so-manieth point, and the last at or below each whole distance, which the slider asks for. */
static void thin(const rows_of *of) {
    size_t count = 0, at = 0, before = SIZE_MAX;
    for (size_t row = 0; row < of->table->row_count; row++) count += is_of_arm(of, row);
    size_t stride = count / MOST_POINTS + 1;
    double below = -1;
    for (size_t row = 0; row < of->table->row_count; row++) {
        if (!is_of_arm(of, row)) continue;
        double distance = fp_page_real_of(of->page, of->table, row, "distance");
        if (before != SIZE_MAX && floor(below) != floor(distance)) of->kept[before] = true;
        of->kept[row] = at++ % stride == 0 || distance == floor(distance);
        before = row;
        below = distance;
    }
    if (before != SIZE_MAX) of->kept[before] = true;
}

/* ---- Arms ---- */

static void put_curve(rows_of of, fp_json_writer *json) {
    static const char *const CURVE[] = {"distance", "precision", "recall", NULL};
    of.table = fp_page_source_of(of.page, "curves");
    of.columns = CURVE;
    if (of.table) of.kept = fp_arena_alloc(of.page->arena, of.table->row_count + 1, sizeof *of.kept);
    if (of.kept) thin(&of);
    put_rows(&of, json, "curve");
}

static void put_arm(fp_page *page, const fp_run_table *summary, size_t row, fp_json_writer *json) {
    static const char *const RESULTS[] =
        {"threshold",      "tp",     "fp",         "fn",          "tn", "precision", "precision_low",
         "precision_high", "recall", "recall_low", "recall_high", "f1", NULL},
                             *const BARS[] = {"low", "high", "positives", "negatives", NULL};
    rows_of of = {.page = page,
                  .corpus = fp_page_cell_of(page, summary, row, "corpus"),
                  .arm = fp_page_cell_of(page, summary, row, "arm")};
    fp_json_begin_object(json, NULL);
    fp_json_put_text(json, "corpus", fp_page_data(of.corpus, page->arena).en);
    fp_json_put_text(json, "arm", fp_page_data(of.arm, page->arena).en);
    fp_json_put_text(json, "scale", fp_page_data(fp_page_cell_of(page, summary, row, "scale"), page->arena).en);
    fp_json_put_count(json, "number", (uint64_t)fp_page_arm_of(page, of.arm));
    fp_json_put_real(json, "pairs", fp_page_real_of(page, summary, row, "pairs"));
    fp_json_put_real(json, "positives", fp_page_real_of(page, summary, row, "positives"));
    fp_json_put_real(json, "best", fp_page_real_of(page, summary, row, "best_threshold"));
    of.table = fp_page_source_of(page, "results");
    of.columns = RESULTS;
    put_rows(&of, json, "results");
    of.table = fp_page_source_of(page, "histograms");
    of.columns = BARS;
    put_rows(&of, json, "bars");
    put_curve(of, json);
    fp_json_end_object(json);
}

static void put_words(fp_page *page, fp_json_writer *json) {
    fp_json_begin_object(json, "words");
    for (const fp_page_named *word = fp_page_live_words; word->name; word++) {
        fp_json_begin_array(json, word->name);
        fp_json_put_text(json, NULL, page->languages == FP_PAGE_ZH ? word->text.zh : word->text.en);
        fp_json_put_text(json, NULL, page->languages == FP_PAGE_EN ? word->text.en : word->text.zh);
        fp_json_end_array(json);
    }
    fp_json_end_object(json);
}

/* ---- Within <script> ---- */

/* What HTML would read as the end of the script, or a comment, is written as JSON can write it: all of < > & are within
 * strings. So are the line separators of JavaScript. Indentation goes. */
static void put_safely(FILE *to, const char *text) {
    for (const char *at = text; *at; at++) {
        if (*at == '\n') {
            while (at[1] == ' ') at++;
            continue;
        }
        if (*at == '<' || *at == '>' || *at == '&') fprintf(to, "\\u%04x", (unsigned)*at);
        else if (strncmp(at, "\xe2\x80\xa8", 3) == 0 || strncmp(at, "\xe2\x80\xa9", 3) == 0) {
            fprintf(to, "\\u20%02x", (unsigned)(unsigned char)at[2] - 0x80u);
            at += 2;
        } else fputc(*at, to);
    }
}

void fp_page_live_data(fp_page *page) {
    const fp_run_table *summary = fp_page_source_of(page, "summary");
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    fp_error error = {0};
    page->lost |= !to;
    if (!to) return;
    fp_json_writer json = fp_json_to(to, 0);
    fp_json_begin_object(&json, NULL);
    put_words(page, &json);
    fp_json_begin_array(&json, "arms");
    for (size_t row = 0; summary && row < summary->row_count; row++) put_arm(page, summary, row, &json);
    fp_json_end_array(&json);
    fp_json_end_object(&json);
    if (fclose(to) == 0 && fp_json_done(&json, &error) == FP_OK) put_safely(page->stream, text);
    else page->lost = true;
    free(text);
}
