/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Pairs drawn through postings are those drawn row by row, in the same order and with the same distances: the same
 * sketches under an algorithm that has lost its vectors are the oracle.
 */
#include "eval/judging/judging.h"
#include "tests/support.h"

static const char *const ARMS[] = {"jaccard",   "jaccard:features=chars:2",
                                   "cosine",    "cosine:features=words,weight=tfidf",
                                   "winnowing", "fracminhash",
                                   "sentences", "simhash"};
static const size_t RANGES[][2] = {{0, 10}, {0, 45}, {30, 60}, {0, 64}};

/* Copies of newswire-zh, every seventh without text, so that equal texts and empty ones are among the pairs. */
static fp_corpus corpus_of(fp_arena *arena) {
    fp_corpus corpus;
    ASSERT_GOOD(fp_corpus_read("tests/data/newswire-zh", NULL, arena, &corpus, &test_error));
    fp_string *texts = fp_arena_alloc(arena, corpus.document_count, sizeof *texts);
    ASSERT_GOOD(fp_corpus_fetch(&corpus, NULL, corpus.document_count, arena, texts, &test_error));
    for (size_t i = 0; i < corpus.document_count; i += 7) texts[i] = (fp_string){"", 0};
    for (size_t i = 3; i + 1 < corpus.document_count; i += 20) texts[i] = texts[i + 1];
    corpus.texts = texts;
    return corpus;
}

static void compare(const fp_measurement *of, size_t first, size_t last, fp_arena *arena) {
    fp_judged_options options = {.first = first, .last = last, .per_stratum = 7, .seed = 11};
    fp_judged_sample sample, oracle;
    fp_algorithm plain = *of->arm->instance.algorithm;
    fp_arm arm = *of->arm;
    plain.acceleration = NULL;
    arm.instance.algorithm = &plain;
    fp_measurement by_rows = *of;
    by_rows.arm = &arm;
    fp_status expected = fp_judged_draw(&by_rows, &options, NULL, arena, &oracle, &test_error);
    assert_int_equal(fp_judged_draw(of, &options, NULL, arena, &sample, &test_error), expected);
    if (expected != FP_OK) return;
    assert_int_equal(sample.pair_count, oracle.pair_count);
    assert_memory_equal(sample.strata, oracle.strata, sample.stratum_count * sizeof *sample.strata);
    for (size_t i = 0; i < sample.pair_count; i++) {
        const fp_judged_drawn *a = sample.pairs + i, *b = oracle.pairs + i;
        assert_true(a->a == b->a && a->b == b->b && a->stratum == b->stratum && a->distance == b->distance);
    }
}

static void postings_draw_the_same(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof ARMS / sizeof *ARMS; i++) {
        fp_arena *arena = fp_arena_new();
        fp_corpus corpus = corpus_of(arena);
        fp_arm *arm;
        fp_measurement of;
        ASSERT_GOOD(fp_arm_parse(ARMS[i], NULL, arena, &arm, &test_error));
        ASSERT_GOOD(fp_experiment_sketches(&corpus, &arm, 1, NULL, arena, &of, &test_error));
        for (size_t r = 0; r < sizeof RANGES / sizeof *RANGES; r++) compare(&of, RANGES[r][0], RANGES[r][1], arena);
        fp_measurement_free(&of);
        fp_arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(postings_draw_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
