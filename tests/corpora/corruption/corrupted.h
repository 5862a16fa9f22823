/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * corrupted.h - what the tests of corruption share: the texts of a corpus, means, and one copy. Include it last.
 */
#ifndef FP_TEST_CORRUPTED_H
#define FP_TEST_CORRUPTED_H

#include "corpora/corpus.h"
#include "corpora/corruption/corruption.h"
#include "tests/support.h"

typedef struct bench {
    fp_arena *arena;
    size_t count;
    fp_string *texts, *ids;
    fp_corruption_means means;
} bench;

static inline void make_means(bench *it) {
    static const fp_segment_options OPTIONS = {.hmm = true, .userdict = "none"};
    const fp_segmenter *jieba = fp_segmenter_at(0);
    const void *jieba_state;
    const fp_synonyms *synonyms;
    ASSERT_GOOD(jieba->open(&OPTIONS, it->arena, &jieba_state, &test_error));
    ASSERT_GOOD(fp_synonyms_read(fp_synonyms_shipped(), it->arena, &synonyms, &test_error));
    it->means =
        (fp_corruption_means){.seed = 7, .segmenter = jieba, .segmenter_state = jieba_state, .synonyms = synonyms};
}

/* The first documents, as many as every kind needs to have its places. */
enum { DOCUMENTS = 80 };

static inline bench read_bench(const char *path) {
    bench it = {.arena = fp_arena_new()};
    fp_corpus corpus;
    ASSERT_GOOD(fp_corpus_read(path, NULL, it.arena, &corpus, &test_error));
    it.count = corpus.document_count < DOCUMENTS ? corpus.document_count : DOCUMENTS;
    it.texts = fp_arena_alloc(it.arena, corpus.document_count, sizeof *it.texts);
    it.ids = fp_arena_alloc(it.arena, it.count, sizeof *it.ids);
    ASSERT_GOOD(fp_corpus_fetch(&corpus, NULL, corpus.document_count, it.arena, it.texts, &test_error));
    for (size_t i = 0; i < it.count; i++) it.ids[i] = corpus.documents[i].id;
    make_means(&it);
    return it;
}

static inline fp_corruption kinds_of(const char *names) {
    fp_corruption made;
    ASSERT_GOOD(fp_corruption_parse(fp_string_of(names), &made, &test_error));
    return made;
}

static inline fp_corrupted corrupt(const bench *it, const char *names, double rate, const fp_corruption_text *of) {
    fp_corruption corruption = kinds_of(names);
    fp_corrupted made;
    ASSERT_GOOD(fp_corrupt(&corruption, rate, &it->means, of, it->arena, &made, &test_error));
    return made;
}

/* Document i, with the three after it as donors. */
static inline fp_corruption_text text_of(const bench *it, size_t i) {
    size_t first = i + 4 <= it->count ? i + 1 : 0;
    return (fp_corruption_text){.id = it->ids[i], .text = it->texts[i], .donors = it->texts + first, .donor_count = 3};
}

#endif
