/* SPDX-License-Identifier: GPL-3.0-or-later
 * The pairs behind the counts, as JSON: where they are at hand, and are those of the tables. */
#include <math.h>

#include "eval/evaluation/outcome.h"
#include "reports/page/page_form.h"

/* ---- Whether they are those of the run ---- */

/* The rows of results.tsv of the corpus and arm at these places; false: there are none. */
static bool find_rows(fp_page *page, const fp_run_table *table, size_t corpus, size_t arm, size_t *first,
                      size_t *last) {
    size_t arms = 0;
    for (size_t row = 0; row < table->row_count; row = *last) {
        fp_string of = fp_page_cell_of(page, table, row, "corpus"), label = fp_page_cell_of(page, table, row, "arm");
        size_t end = fp_page_corpus_end(page, table, row);
        for (*last = row; *last < end && fp_page_says(page, table, *last, "arm", label);) ++*last;
        if (fp_page_corpus_of(page, of) == corpus && arms++ == arm) return *first = row, true;
    }
    return false;
}

/* At whole thresholds; those between may lie between two points. */
static bool agrees(fp_page *page, const fp_pair_digest *digest, size_t corpus, size_t arm) {
    const fp_run_table *table = fp_page_source_of(page, "results");
    size_t first, last;
    if (!table) return true;
    if (!find_rows(page, table, corpus, arm, &first, &last)) return false;
    for (size_t row = first; row < last; row++) {
        double h = fp_page_real_of(page, table, row, "threshold");
        uint64_t counts[2];
        if (!(h == floor(h))) continue;
        fp_digest_within(digest, arm, h, counts);
        if (!(fabs((double)counts[1] - fp_page_real_of(page, table, row, "tp")) < 1e-6) ||
            !(fabs((double)counts[0] - fp_page_real_of(page, table, row, "fp")) < 1e-6))
            return false;
    }
    return true;
}

static void lack(fp_page *page, size_t corpus, fp_page_word word, fp_page_text detail, bool told) {
    fp_page_text values[] = {fp_page_data(fp_string_of(page->run->corpora[corpus].name), page->arena), detail};
    page->lacks[corpus] = fp_page_words(page, word, values, 2);
    if (told) fp_page_note(page, page->lacks[corpus], true);
}

static void check_corpus(fp_page *page, size_t corpus) {
    static const fp_page_word WORDS[] = {FP_WORD_EMPTY_TEXT, FP_WORD_NOTE_GONE, FP_WORD_NOTE_CHANGED,
                                         FP_WORD_NOTE_UNREADABLE, FP_WORD_NOTE_TOO_MANY};
    const fp_page_corpus *of = page->corpora + corpus;
    if (!of->digest) {
        lack(page, corpus, WORDS[of->lack], fp_page_data(fp_string_of(of->detail ? of->detail : ""), page->arena),
             of->lack != FP_PAGE_TOO_MANY);
        return;
    }
    const fp_outcome *outcome = of->digest->outcome;
    for (size_t arm = 0; arm < outcome->count; arm++) {
        if (agrees(page, of->digest, corpus, arm)) continue;
        const char *name = fp_results_name(outcome, arm);
        lack(page, corpus, FP_WORD_NOTE_OTHER_COUNTS, fp_page_data(fp_string_of(name), page->arena), true);
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

/* [kind, length, [point, negatives, positives, …]]: what is 0 is left out. */
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

void fp_page_put_cells(fp_page *page, size_t corpus, size_t arm, fp_json_writer *json) {
    const fp_pair_digest *digest = corpus < page->corpus_with_pairs ? page->digests[corpus] : NULL;
    if (!digest || arm >= digest->outcome->count) return;
    const fp_digest_arm *of = digest->arms + arm;
    fp_json_put_count(json, "lane", arm);
    fp_json_begin_array(json, "points");
    for (size_t i = 0; i < of->point_count; i++) fp_json_put_real(json, NULL, of->points[i]);
    fp_json_end_array(json);
    fp_json_begin_array(json, "cells");
    for (size_t part = 0; part < digest->kinds.count * digest->lengths.count; part++) put_part(digest, of, part, json);
    fp_json_end_array(json);
}

/* ---- Pairs ---- */

static void put_names(const char *name, const fp_strata *strata, fp_json_writer *json) {
    fp_json_begin_array(json, name);
    for (size_t i = 0; i < strata->count; i++) fp_json_put_text(json, NULL, strata->names[i]);
    fp_json_end_array(json);
}

/* [id, characters, text]; places[] are where the documents stand here. */
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
    fp_json_put_text(json, "name", fp_page_data(fp_string_of(page->run->corpora[corpus].name), page->arena).en);
    if (!digest) {
        fp_page_put_words(page, "lack", page->lacks[corpus], json);
        return;
    }
    uint32_t *places = fp_arena_raw(page->arena, digest->outcome->corpus->document_count + 1, sizeof *places);
    fp_json_put_count(json, "total", digest->outcome->corpus->pair_count);
    fp_json_put_count(json, "longest", FP_DIGEST_TEXT);
    put_names("kinds", &digest->kinds, json);
    put_names("lengths", &digest->lengths, json);
    put_documents(digest, places, json);
    fp_json_begin_array(json, "pairs");
    for (size_t i = 0; i < digest->listed_count; i++) put_pair(digest, digest->listed[i], places, json);
    fp_json_end_array(json);
}

void fp_page_put_corpora(fp_page *page, fp_json_writer *json) {
    fp_json_begin_array(json, "corpora");
    for (size_t i = 0; i < page->corpus_with_pairs && i < page->run->corpus_count; i++) {
        fp_json_begin_object(json, NULL);
        put_corpus(page, i, json);
        fp_json_end_object(json);
    }
    fp_json_end_array(json);
}
