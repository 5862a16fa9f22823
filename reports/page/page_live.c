/* SPDX-License-Identifier: GPL-3.0-or-later
 * The data of the slider and its lists, as JSON: rows of results.tsv, histograms.tsv and curves.tsv as written there,
 * and the pairs behind the counts. */
#include <ctype.h>
#include <math.h>

#include "base/memory_stream.h"
#include "eval/evaluation/outcome.h"
#include "reports/page/page_form.h"

enum { MOST_POINTS = 1000 };

/* ---- Numbers ---- */

/* Writes a cell as JSON with unchanged digits; null for NA and text. */
static void put_cell(fp_page *page, fp_json_writer *json, const fp_run_table *table, size_t row, const char *column) {
    fp_string cell = fp_run_cell(table, row, column);
    bool digits = cell.length && (isdigit((unsigned char)cell.data[0]) || *cell.data == '-');
    if (isnan(fp_run_real(table, row, column)) || !digits) fp_json_put_null(json, NULL);
    else fp_json_put_written(json, NULL, fp_string_copy(page->arena, cell));
}

/* The kept rows of one arm, written as [[1,2],[3,4]]. */
typedef struct rows_of {
    fp_page *page;
    const fp_run_table *table;
    fp_string corpus, arm;
    bool *kept; /* [row_count]; NULL: all */
} rows_of;

static bool is_of_arm(const rows_of *of, size_t row) {
    return fp_run_cell_is(of->table, row, "arm", of->arm) && fp_run_cell_is(of->table, row, "corpus", of->corpus);
}

/* `columns`: names, separated by commas. */
static void put_rows(const rows_of *of, const char *columns, fp_json_writer *json, const char *name) {
    fp_json_begin_array(json, name);
    for (size_t row = 0; of->table && row < of->table->row_count; row++) {
        if ((of->kept && !of->kept[row]) || !is_of_arm(of, row)) continue;
        fp_json_begin_array(json, NULL);
        for (fp_string rest = fp_string_of(columns), column; fp_next_field(&rest, ',', &column);)
            put_cell(of->page, json, of->table, row, fp_string_copy(of->page->arena, column));
        fp_json_end_array(json);
    }
    fp_json_end_array(json);
}

/* Keeps every n-th point of a long curve, and the last one at or below each whole distance, which the slider needs. */
static void thin(const rows_of *of) {
    size_t count = 0, at = 0, before = SIZE_MAX;
    for (size_t row = 0; row < of->table->row_count; row++) count += is_of_arm(of, row);
    size_t stride = count / MOST_POINTS + 1;
    double below = -1;
    for (size_t row = 0; row < of->table->row_count; row++) {
        if (!is_of_arm(of, row)) continue;
        double distance = fp_run_real(of->table, row, "distance");
        if (before != SIZE_MAX && floor(below) != floor(distance)) of->kept[before] = true;
        of->kept[row] = at++ % stride == 0 || distance == floor(distance);
        before = row;
        below = distance;
    }
    if (before != SIZE_MAX) of->kept[before] = true;
}

/* Writes a text for the script, in the languages of the page. */
static void put_text(fp_page *page, const char *name, fp_page_text text, fp_json_writer *json) {
    fp_json_begin_array(json, name);
    fp_json_put_text(json, NULL, page->languages == FP_PAGE_ZH ? text.zh : text.en);
    fp_json_put_text(json, NULL, page->languages == FP_PAGE_EN ? text.en : text.zh);
    fp_json_end_array(json);
}

/* ---- Check of the pairs against the tables ---- */

/* The rows of results.tsv of this corpus and arm; false: none. */
static bool find_rows(fp_page *page, const fp_run_table *table, size_t corpus, size_t arm, size_t *first,
                      size_t *last) {
    size_t arms = 0;
    for (size_t row = 0; row < table->row_count; row = *last) {
        fp_string of = fp_run_cell(table, row, "corpus"), label = fp_run_cell(table, row, "arm");
        size_t end = fp_page_corpus_end(table, row);
        for (*last = row; *last < end && fp_run_cell_is(table, *last, "arm", label);) ++*last;
        if (fp_page_corpus_of(page, of) == corpus && arms++ == arm) return *first = row, true;
    }
    return false;
}

/* Compares counts at whole thresholds only: others may lie between two points. */
static bool agrees(fp_page *page, const fp_pair_digest *digest, size_t corpus, size_t arm) {
    const fp_run_table *table = fp_page_source_of(page, "results");
    size_t first, last;
    if (!table) return true;
    if (!find_rows(page, table, corpus, arm, &first, &last)) return false;
    for (size_t row = first; row < last; row++) {
        double h = fp_run_real(table, row, "threshold");
        uint64_t counts[2];
        if (!(h == floor(h))) continue;
        fp_digest_within(digest, arm, h, counts);
        if (!(fabs((double)counts[1] - fp_run_real(table, row, "tp")) < 1e-6) ||
            !(fabs((double)counts[0] - fp_run_real(table, row, "fp")) < 1e-6))
            return false;
    }
    return true;
}

static void lack(fp_page *page, size_t corpus, fp_page_word word, fp_page_text detail, bool reports) {
    fp_page_text values[] = {fp_page_name(page, page->run->corpora[corpus].name), detail};
    page->lacks[corpus] = fp_page_fill(page, fp_page_texts[word], values, 2);
    if (reports) fp_page_note(page, page->lacks[corpus], true);
}

static void check_corpus(fp_page *page, size_t corpus) {
    static const fp_page_word WORDS[] = {FP_WORD_EMPTY_TEXT, FP_WORD_NOTE_GONE, FP_WORD_NOTE_CHANGED,
                                         FP_WORD_NOTE_UNREADABLE, FP_WORD_NOTE_TOO_MANY};
    const fp_page_corpus *of = page->corpora + corpus;
    if (!of->digest) {
        lack(page, corpus, WORDS[of->lack], fp_page_name(page, of->detail ? of->detail : ""),
             of->lack != FP_PAGE_TOO_MANY);
        return;
    }
    const fp_outcome *outcome = of->digest->outcome;
    for (size_t arm = 0; arm < outcome->count; arm++) {
        if (agrees(page, of->digest, corpus, arm)) continue;
        const char *name = fp_results_name(outcome, arm);
        lack(page, corpus, FP_WORD_NOTE_OTHER_COUNTS, fp_page_name(page, name), true);
        return;
    }
    page->digests[corpus] = of->digest;
}

void fp_page_check_pairs(fp_page *page) {
    size_t count = page->corpus_with_pairs;
    page->digests = fp_arena_alloc(page->arena, count + 1, sizeof *page->digests);
    page->lacks = fp_arena_alloc(page->arena, count + 1, sizeof *page->lacks);
    for (size_t corpus = 0; corpus < count && corpus < page->run->corpus_count; corpus++) check_corpus(page, corpus);
}

/* ---- Counts ---- */

/* [kind, length, [point, negatives, positives, …]], without points whose counts are 0. */
static void put_part(const fp_pair_digest *digest, const fp_digest_arm *arm, size_t part, fp_json_writer *json) {
    const uint64_t *counts = arm->counts + 2 * part * arm->point_count;
    fp_json_begin_array(json, NULL);
    fp_json_put_count(json, NULL, part / digest->lengths.count);
    fp_json_put_count(json, NULL, part % digest->lengths.count);
    fp_json_begin_array(json, NULL);
    for (size_t i = 0; i < arm->point_count; i++) {
        if (counts[2 * i] + counts[2 * i + 1] == 0) continue;
        fp_json_put_count(json, NULL, i);
        fp_json_put_count(json, NULL, counts[2 * i]);
        fp_json_put_count(json, NULL, counts[2 * i + 1]);
    }
    fp_json_end_array(json);
    fp_json_end_array(json);
}

static void put_counts(fp_page *page, size_t corpus, size_t arm, fp_json_writer *json) {
    const fp_pair_digest *digest = corpus < page->corpus_with_pairs ? page->digests[corpus] : NULL;
    if (!digest || arm >= digest->outcome->count) return;
    const fp_digest_arm *of = digest->arms + arm;
    fp_json_put_count(json, "lane", arm);
    FP_JSON_LIST(json, "points", i, of->point_count, fp_json_put_real(json, NULL, of->points[i]));
    FP_JSON_LIST(json, "cells", part, digest->kinds.count * digest->lengths.count, put_part(digest, of, part, json));
}

/* ---- Pairs ---- */

static void put_names(const char *name, const fp_strata *strata, fp_json_writer *json) {
    FP_JSON_LIST(json, name, i, strata->count, fp_json_put_text(json, NULL, strata->names[i]));
}

/* [id, characters, text]; places[] receives the indexes of documents in this list. */
static void put_documents(const fp_pair_digest *digest, uint32_t *places, fp_json_writer *json) {
    const fp_corpus *corpus = digest->outcome->corpus;
    fp_json_begin_array(json, "documents");
    for (size_t i = 0; i < digest->document_count; i++) {
        const fp_corpus_document *document = corpus->documents + digest->documents[i];
        places[digest->documents[i]] = (uint32_t)i;
        fp_json_begin_array(json, NULL);
        fp_json_put_string(json, NULL, document->id);
        fp_json_put_count(json, NULL, document->characters);
        if (digest->texts) fp_json_put_string(json, NULL, digest->texts[i]);
        fp_json_end_array(json);
    }
    fp_json_end_array(json);
}

/* [a, b, label, kind, length, distances of all arms]. */
static void put_pair(const fp_pair_digest *digest, size_t pair, const uint32_t *places, fp_json_writer *json) {
    const fp_outcome *outcome = digest->outcome;
    fp_pair of = outcome->corpus->pairs[pair];
    fp_json_begin_array(json, NULL);
    fp_json_put_count(json, NULL, places[of.a]);
    fp_json_put_count(json, NULL, places[of.b]);
    fp_json_put_count(json, NULL, of.label != 0);
    fp_json_put_count(json, NULL, digest->kinds.of_pair ? digest->kinds.of_pair[pair] : 0);
    fp_json_put_count(json, NULL, digest->lengths.of_pair ? digest->lengths.of_pair[pair] : 0);
    for (size_t arm = 0; arm < outcome->count; arm++)
        fp_json_put_real(json, NULL, outcome->measurements[arm].distances[pair]);
    fp_json_end_array(json);
}

static void put_corpus(fp_page *page, size_t corpus, fp_json_writer *json) {
    const fp_pair_digest *digest = page->digests[corpus];
    fp_json_put_text(json, "name", fp_page_name(page, page->run->corpora[corpus].name).en);
    if (!digest) {
        put_text(page, "lack", page->lacks[corpus], json);
        return;
    }
    uint32_t *places = fp_arena_raw(page->arena, digest->outcome->corpus->document_count + 1, sizeof *places);
    fp_json_put_count(json, "total", digest->outcome->corpus->pair_count);
    fp_json_put_count(json, "longest", FP_DIGEST_TEXT);
    put_names("kinds", &digest->kinds, json);
    put_names("lengths", &digest->lengths, json);
    put_documents(digest, places, json);
    FP_JSON_LIST(json, "pairs", i, digest->listed_count, put_pair(digest, digest->listed[i], places, json));
}

static void put_corpora(fp_page *page, fp_json_writer *json) {
    fp_json_begin_array(json, "corpora");
    for (size_t i = 0; i < page->corpus_with_pairs && i < page->run->corpus_count; i++) {
        fp_json_begin_object(json, NULL);
        put_corpus(page, i, json);
        fp_json_end_object(json);
    }
    fp_json_end_array(json);
}

/* ---- Arms ---- */

static void put_curve(rows_of of, fp_json_writer *json) {
    of.table = fp_page_source_of(of.page, "curves");
    if (of.table) of.kept = fp_arena_alloc(of.page->arena, of.table->row_count + 1, sizeof *of.kept);
    if (of.kept) thin(&of);
    put_rows(&of, "distance,precision,recall", json, "curve");
}

/* The index of the corpus of a row of summary.tsv, and that of the arm in it. */
static void find_place(fp_page *page, const fp_run_table *summary, size_t row, size_t *corpus, size_t *arm) {
    fp_string of = fp_run_cell(summary, row, "corpus");
    *corpus = fp_page_corpus_of(page, of);
    *arm = 0;
    while (row > 0 && fp_run_cell_is(summary, --row, "corpus", of)) ++*arm;
}

static void put_arm(fp_page *page, const fp_run_table *summary, size_t row, fp_json_writer *json) {
    static const char RESULTS[] =
        "threshold,tp,fp,fn,tn,precision,precision_low,precision_high,recall,recall_low,recall_high,f1";
    static const char *const REALS[][2] = {{"pairs", "pairs"},
                                           {"positives", "positives"},
                                           {"ap", "average_precision"},
                                           {"apLow", "average_precision_low"},
                                           {"apHigh", "average_precision_high"},
                                           {"bytes", "bytes_per_document"},
                                           {"bound", "average_precision_bound"},
                                           {"seconds", "sketch_seconds"}};
    rows_of of = {.page = page, .corpus = fp_run_cell(summary, row, "corpus"), .arm = fp_run_cell(summary, row, "arm")};
    fp_json_begin_object(json, NULL);
    fp_json_put_text(json, "corpus", fp_page_data(page, of.corpus).en);
    fp_json_put_text(json, "arm", fp_page_data(page, of.arm).en);
    put_text(page, "scale", fp_page_cell_text(page, fp_run_cell(summary, row, "scale")), json);
    fp_json_put_count(json, "number", (uint64_t)fp_page_arm_of(page, of.arm));
    for (size_t i = 0; i < sizeof REALS / sizeof *REALS; i++)
        fp_json_put_real(json, REALS[i][0], fp_run_real(summary, row, REALS[i][1]));
    of.table = fp_page_source_of(page, "results");
    put_rows(&of, RESULTS, json, "results");
    of.table = fp_page_source_of(page, "answer");
    put_rows(&of, RESULTS, json, "answer");
    of.table = fp_page_source_of(page, "histograms");
    put_rows(&of, "low,high,positives,negatives", json, "bars");
    put_curve(of, json);
    size_t corpus, arm;
    find_place(page, summary, row, &corpus, &arm);
    if (corpus < page->corpus_with_pairs) fp_json_put_count(json, "of", corpus);
    put_counts(page, corpus, arm, json);
    fp_json_end_object(json);
}

/* ---- Escaping inside <script> ---- */

/* The code of three bytes of UTF-8 that are unsafe in a script or mislead its readers: JavaScript's line separators,
 * and controls of the text direction (UAX 9). 0: others. */
static unsigned sign_at(const char *at) {
    const unsigned char *byte = (const unsigned char *)at;
    if (byte[0] != 0xe2 || (byte[1] != 0x80 && byte[1] != 0x81)) return 0;
    unsigned code = 0x2000u | (byte[1] & 63u) << 6 | (byte[2] & 63u);
    bool turns =
        (code >= 0x200e && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
    return turns ? code : 0;
}

/* Escapes < > &, which occur only in strings, so that HTML finds no end of the script and no comment. Also escapes the
 * characters above and DEL. Removes indentation. */
static void put_safely(FILE *to, const char *text) {
    for (const char *at = text; *at; at++) {
        if (*at == '\n') {
            while (at[1] == ' ') at++;
            continue;
        }
        unsigned sign = sign_at(at);
        if (sign) at += 2;
        else if (*at == '<' || *at == '>' || *at == '&' || *at == 0x7f) sign = (unsigned char)*at;
        if (sign) fprintf(to, "\\u%04x", sign);
        else fputc(*at, to);
    }
}

void fp_page_live_data(fp_page *page) {
    const fp_run_table *summary = fp_page_source_of(page, "summary");
    fp_memory_stream memory;
    if (fp_memory_stream_open(&memory, NULL) != FP_OK) {
        page->lost = true;
        return;
    }
    fp_json_writer json = fp_json_to(memory.stream, 0);
    fp_json_begin_object(&json, NULL);
    fp_json_begin_array(&json, "arms");
    for (size_t row = 0; summary && row < summary->row_count; row++) put_arm(page, summary, row, &json);
    fp_json_end_array(&json);
    put_corpora(page, &json);
    fp_json_end_object(&json);
    bool complete = fp_memory_stream_close(&memory, NULL) == FP_OK && fp_json_done(&json, NULL) == FP_OK;
    if (complete) put_safely(page->stream, memory.text);
    else page->lost = true;
    fp_memory_stream_discard(&memory);
}

/* ---- Descriptions of samples of negatives ---- */

static const fp_page_text BLANK = {" ", ""};

fp_page_text fp_page_sample_of(fp_page *page, size_t corpus) {
    const fp_recorded_draw *of = &page->run->corpora[corpus].negatives;
    const char *weight = fp_format(page->arena, "%.*f", of->weight < 100 ? 2 : 0, of->weight);
    if (!(of->weight > 0)) return fp_page_plain("");
    fp_page_text text = FP_SAY(page, ANSWER_DRAWN, fp_page_count(page, of->all),
                               fp_page_name(page, page->run->corpora[corpus].name), fp_page_count(page, of->near),
                               fp_page_count(page, of->drawn), fp_page_count(page, of->seed), fp_page_plain(weight));
    if (!*of->counted) return text;
    return fp_page_append(page, text, FP_SAY(page, ANSWER_COUNTED, fp_page_name(page, of->counted)), BLANK);
}

fp_page_text fp_page_add_samples(fp_page *page, fp_page_text to) {
    for (size_t i = 0; i < page->run->corpus_count; i++) {
        fp_page_text more = fp_page_sample_of(page, i);
        if (*more.en) to = fp_page_append(page, to, more, BLANK);
    }
    return to;
}
