/* SPDX-License-Identifier: GPL-3.0-or-later
 * Pairs in little: counts add up to those of the histograms, whatever they are divided by; samples are of every
 * distance. */
#include "eval/evaluation/pair_sample.h"

#include <math.h>

#include "eval/evaluation/outcome.h"
#include "tests/support.h"

enum { DOCUMENTS = 400, PAIRS = 12000 };

/* A corpus of pairs whose kinds repeat, and an outcome of two arms, the first under two seeds, with distances of few
 * and of very many values. */
typedef struct world {
    fp_corpus corpus;
    fp_outcome outcome;
    fp_pair pairs[PAIRS];
    fp_string kinds[PAIRS];
    fp_corpus_document documents[DOCUMENTS];
    fp_measurement measurements[3];
    double distances[3][PAIRS];
    fp_further_seeds further[2];
} world;

static world the;

static void make_world(void) {
    static const char *const KINDS[] = {"copy", "same", "other"};
    for (size_t i = 0; i < DOCUMENTS; i++) the.documents[i] = (fp_corpus_document){fp_string_of("d"), 20 + 3 * i};
    for (size_t i = 0; i < PAIRS; i++) {
        the.pairs[i] = (fp_pair){(uint32_t)(i % 399), 399, i % 7 == 0};
        the.kinds[i] = fp_string_of(KINDS[i % 3]);
        the.distances[0][i] = (double)(fp_mix(i, 1) % 30);
        the.distances[1][i] = 64 * (double)(fp_mix(i, 2) >> 11) * 0x1p-53;
        the.distances[2][i] = (double)(fp_mix(i, 3) % 40);
    }
    the.corpus = (fp_corpus){.name = "made",
                             .truth = FP_TRUTH_PAIRS,
                             .document_count = DOCUMENTS,
                             .documents = the.documents,
                             .pair_count = PAIRS,
                             .pairs = the.pairs,
                             .kinds = the.kinds};
    the.further[0] = (fp_further_seeds){2, 1};
    the.further[1] = (fp_further_seeds){3, 0};
    the.outcome = (fp_outcome){
        .corpus = &the.corpus, .count = 2, .lane_count = 3, .further = the.further, .measurements = the.measurements};
    for (size_t lane = 0; lane < 3; lane++) {
        fp_histogram *histogram = &the.measurements[lane].histogram;
        the.measurements[lane].distances = the.distances[lane];
        for (size_t i = 0; i < PAIRS; i++)
            assert_int_equal(fp_histogram_add(histogram, the.distances[lane][i], the.pairs[i].label, NULL), FP_OK);
        fp_histogram_finish(histogram);
    }
}

/* By asking every pair. */
static void count(size_t arm, double h, uint64_t counts[2]) {
    counts[0] = counts[1] = 0;
    for (size_t i = 0; i < PAIRS; i++)
        if (the.distances[arm][i] <= h) counts[the.pairs[i].label]++;
}

static void test_counts(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_pair_digest digest;
    fp_error error = {0};
    assert_int_equal(fp_pair_digest_make(&the.outcome, 1, false, arena, &digest, &error), FP_OK);
    assert_int_equal(digest.kinds.count, 3);
    assert_true(digest.lengths.count > 1);
    assert_int_equal(digest.arms[0].point_count, 30); /* of its own seed alone */
    assert_true(digest.arms[1].point_count < 1200);   /* of 12,000 */
    for (size_t arm = 0; arm < 2; arm++) {
        for (int h = -1; h <= 65; h++) {
            uint64_t got[2], wanted[2];
            fp_digest_within(&digest, arm, h, got);
            count(arm, h, wanted);
            assert_memory_equal(got, wanted, sizeof got);
        }
        for (size_t i = 0; i < digest.arms[arm].point_count; i += 97) {
            uint64_t got[2], wanted[2];
            fp_digest_within(&digest, arm, digest.arms[arm].points[i], got);
            count(arm, digest.arms[arm].points[i], wanted);
            assert_memory_equal(got, wanted, sizeof got);
        }
    }
    fp_arena_free(arena);
}

/* The counts of every part, by asking every pair for its kind and its length. */
static void test_parts(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_pair_digest digest;
    fp_error error = {0};
    assert_int_equal(fp_pair_digest_make(&the.outcome, 1, false, arena, &digest, &error), FP_OK);
    size_t lengths = digest.lengths.count, parts = digest.kinds.count * lengths;
    for (size_t arm = 0; arm < 2; arm++) {
        uint64_t *wanted = fp_arena_alloc(arena, 2 * parts, sizeof *wanted);
        for (size_t i = 0; i < PAIRS; i++) {
            size_t part = digest.kinds.of_pair[i] * lengths + digest.lengths.of_pair[i];
            wanted[2 * part + the.pairs[i].label]++;
        }
        for (size_t part = 0; part < parts; part++) {
            const uint64_t *own = digest.arms[arm].counts + 2 * part * digest.arms[arm].point_count;
            uint64_t sum[2] = {0, 0};
            for (size_t i = 0; i < 2 * digest.arms[arm].point_count; i++) sum[i % 2] += own[i];
            assert_memory_equal(sum, wanted + 2 * part, sizeof sum);
        }
    }
    /* Without kinds, and with documents of one length, there is one part of either. */
    fp_corpus corpus = the.corpus;
    fp_outcome outcome = the.outcome;
    fp_corpus_document same[DOCUMENTS];
    for (size_t i = 0; i < DOCUMENTS; i++) same[i] = (fp_corpus_document){.characters = 7};
    corpus.documents = same;
    outcome.corpus = &corpus;
    assert_int_equal(fp_pair_digest_make(&outcome, 1, false, arena, &digest, &error), FP_OK);
    assert_int_equal(digest.lengths.count, 1);
    for (int h = 0; h <= 40; h += 5) {
        uint64_t got[2], wanted[2];
        fp_digest_within(&digest, 0, h, got);
        count(0, h, wanted);
        assert_memory_equal(got, wanted, sizeof got);
    }
    fp_arena_free(arena);
}

/* 24 kinds are told apart, 25 are not. */
static void test_many_kinds(void **state) {
    (void)state;
    static fp_string kinds[PAIRS];
    static char names[FP_DIGEST_KINDS + 1][4];
    for (size_t most = FP_DIGEST_KINDS; most <= FP_DIGEST_KINDS + 1; most++) {
        fp_arena *arena = fp_arena_new();
        fp_pair_digest digest;
        fp_error error = {0};
        fp_corpus corpus = the.corpus;
        fp_outcome outcome = the.outcome;
        for (size_t i = 0; i < most; i++) snprintf(names[i], sizeof names[i], "k%zu", i);
        for (size_t i = 0; i < PAIRS; i++) kinds[i] = fp_string_of(names[i % most]);
        corpus.kinds = kinds;
        outcome.corpus = &corpus;
        assert_int_equal(fp_pair_digest_make(&outcome, 1, false, arena, &digest, &error), FP_OK);
        assert_int_equal(digest.kinds.count, most == 24 ? 24 : 1);
        fp_arena_free(arena);
    }
}

/* Distances of one arm, from 0 on in steps of 1/12: all of fewer than a thousand, or every so-manieth and the last at
 * or below each whole one. */
static void test_points(void **state) {
    (void)state;
    static const size_t COUNTS[] = {1, 2, 999, 1001, 1999, 2500, 4100};
    for (size_t k = 0; k < sizeof COUNTS / sizeof *COUNTS; k++) {
        fp_arena *arena = fp_arena_new();
        fp_pair_digest digest;
        fp_error error = {0};
        double *distances = fp_arena_raw(arena, COUNTS[k], sizeof *distances);
        fp_measurement measurement = {.distances = distances};
        fp_corpus corpus = the.corpus;
        fp_outcome outcome = {.corpus = &corpus, .count = 1, .lane_count = 1, .measurements = &measurement};
        corpus.pair_count = COUNTS[k];
        for (size_t i = 0; i < COUNTS[k]; i++) {
            distances[i] = (double)i / 12;
            assert_int_equal(fp_histogram_add(&measurement.histogram, distances[i], false, &error), FP_OK);
        }
        fp_histogram_finish(&measurement.histogram);
        assert_int_equal(fp_pair_digest_make(&outcome, 1, false, arena, &digest, &error), FP_OK);
        size_t each = COUNTS[k] / FP_DIGEST_POINTS + 1, place = 0;
        for (size_t i = 0; i < COUNTS[k]; i++) {
            if (i % each != 0 && i % 12 != 0 && i + 1 != COUNTS[k]) continue;
            assert_true(digest.arms->points[place] == distances[i]);
            place++;
        }
        assert_int_equal(digest.arms->point_count, place);
        fp_histogram_free(&measurement.histogram);
        fp_arena_free(arena);
    }
}

/* More pairs than there is room for: every label and whole distance of every arm has some, as far as there are so many.
 */
static void test_sample(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_pair_digest digest, again;
    fp_error error = {0};
    size_t share = 10, least[2][64] = {{0}}, all[2][64] = {{0}};
    assert_int_equal(fp_pair_digest_make(&the.outcome, share, false, arena, &digest, &error), FP_OK);
    assert_int_equal(digest.listed_count, FP_DIGEST_PAIRS / share);
    for (size_t i = 1; i < digest.listed_count; i++) assert_true(digest.listed[i - 1] < digest.listed[i]);
    for (size_t i = 0; i < PAIRS; i++) all[the.pairs[i].label][(size_t)ceil(the.distances[1][i]) - 1]++;
    for (size_t i = 0; i < digest.listed_count; i++) {
        uint32_t pair = digest.listed[i];
        least[the.pairs[pair].label][(size_t)ceil(the.distances[1][pair]) - 1]++;
    }
    for (size_t label = 0; label < 2; label++)
        for (size_t h = 0; h < 64; h++) assert_true(all[label][h] == 0 || least[label][h] >= 1);
    assert_int_equal(fp_pair_digest_make(&the.outcome, share, false, arena, &again, &error), FP_OK);
    assert_memory_equal(again.listed, digest.listed, digest.listed_count * sizeof *digest.listed);
    for (size_t i = 0; i < digest.document_count; i++) assert_true(digest.documents[i] < DOCUMENTS);
    fp_arena_free(arena);
}

/* Texts that are asked for are cut behind a whole character; others are not read. */
static void test_texts(void **state) {
    (void)state;
    enum { LONG = FP_DIGEST_TEXT + 5, WIDTH = 3 };
    fp_arena *arena = fp_arena_new();
    fp_pair_digest digest;
    fp_error error = {0};
    char *ink = fp_arena_alloc(arena, LONG, WIDTH);
    fp_string *texts = fp_arena_alloc(arena, DOCUMENTS, sizeof *texts);
    for (size_t i = 0; i < LONG; i++) memcpy(ink + i * WIDTH, "墨", WIDTH);
    for (size_t i = 0; i < DOCUMENTS; i++) texts[i] = (fp_string){ink, WIDTH * (i % 2 ? LONG : i % 50)};
    the.corpus.texts = texts;
    assert_int_equal(fp_pair_digest_make(&the.outcome, 10, false, arena, &digest, &error), FP_OK);
    assert_null(digest.texts);
    assert_int_equal(fp_pair_digest_make(&the.outcome, 10, true, arena, &digest, &error), FP_OK);
    assert_non_null(digest.texts);
    for (size_t i = 0; i < digest.document_count; i++) {
        uint32_t document = digest.documents[i];
        assert_int_equal(digest.texts[i].length, WIDTH * (document % 2 ? FP_DIGEST_TEXT : document % 50));
        assert_memory_equal(digest.texts[i].data, ink, digest.texts[i].length);
    }
    the.corpus.texts = NULL;
    fp_arena_free(arena);
}

static void test_groups(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_pair_digest digest;
    fp_error error = {0};
    fp_corpus corpus = the.corpus;
    fp_outcome outcome = the.outcome;
    corpus.truth = FP_TRUTH_GROUPS;
    outcome.corpus = &corpus;
    assert_int_equal(fp_pair_digest_make(&outcome, 1, false, arena, &digest, &error), FP_ERROR_EMPTY);
    fp_arena_free(arena);
}

int main(void) {
    make_world();
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_counts),     cmocka_unit_test(test_sample),
                                       cmocka_unit_test(test_parts),      cmocka_unit_test(test_points),
                                       cmocka_unit_test(test_many_kinds), cmocka_unit_test(test_texts),
                                       cmocka_unit_test(test_groups)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    fp_outcome_free(&the.outcome);
    return failed;
}
