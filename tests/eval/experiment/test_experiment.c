/* SPDX-License-Identifier: GPL-3.0-or-later
 * Experiments on the shipped corpus: the controls check the lab, and nothing depends on the number of threads. */
#include <gsl/gsl_cdf.h>
#include <math.h>

#include "eval/measures/histogram.h"
#include "eval/experiment/experiment.h"
#include "tests/support.h"

static const char CORPUS[] = "tests/data/newswire-zh";

static void run_over(const fp_progress *progress, const fp_corpus *corpus, const char *spec, fp_arena *arena,
                     fp_measurement *measurement) {
    fp_arm *arm;
    ASSERT_GOOD(fp_arm_parse(spec, NULL, arena, &arm, &test_error));
    ASSERT_GOOD(fp_experiment(corpus, &arm, 1, progress, arena, measurement, &test_error));
}

static void run(const fp_corpus *corpus, const char *spec, fp_arena *arena, fp_measurement *measurement) {
    run_over(NULL, corpus, spec, arena, measurement);
}

/* As labelled pairs, and as groups. */
static void read_both(fp_corpus corpora[2], fp_arena *arena) {
    for (int i = 0; i < 2; i++) ASSERT_GOOD(fp_corpus_read(CORPUS, NULL, arena, corpora + i, &test_error));
    corpora[1].truth = FP_TRUTH_GROUPS;
}

static void oracle_is_always_right(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_corpus corpora[2];
    read_both(corpora, arena);
    for (int i = 0; i < 2; i++) {
        fp_measurement measurement;
        run(corpora + i, "oracle", arena, &measurement);
        for (int h = 1; h <= 10; h++) {
            fp_confusion c = fp_confusion_at(&measurement.histogram, h);
            assert_true(c.tp > 0 && c.fp == 0 && c.fn == 0 && c.tn > 0);
        }
        fp_measurement_free(&measurement);
    }
    fp_arena_free(arena);
}

static void constant_calls_all_duplicates(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_corpus corpora[2];
    read_both(corpora, arena);
    fp_measurement measurement;
    run(corpora, "constant", arena, &measurement);
    fp_confusion c = fp_confusion_at(&measurement.histogram, 1);
    assert_int_equal(c.tp, 144);
    assert_int_equal(c.fp, 918 - 144);
    fp_measurement_free(&measurement);
    fp_arena_free(arena);
}

/* Recall (h + 1)/65 and precision the share of positives: the counts of positives and of negatives called are binomial.
 * Each lies within its 10⁻⁵ tails. */
static void random_guesses_within_its_bounds(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_corpus corpora[2];
    read_both(corpora, arena);
    for (int i = 0; i < 2; i++) {
        fp_measurement measurement;
        run(corpora + i, "random:seed=11", arena, &measurement);
        for (int h = 1; h <= 10; h++) {
            fp_confusion c = fp_confusion_at(&measurement.histogram, h);
            double share = (h + 1) / 65.0;
            unsigned positives = (unsigned)(c.tp + c.fn), negatives = (unsigned)(c.fp + c.tn);
            assert_true(gsl_cdf_binomial_P((unsigned)c.tp, share, positives) > 1e-5);
            assert_true(c.tp == 0 || gsl_cdf_binomial_Q((unsigned)c.tp - 1, share, positives) > 1e-5);
            assert_true(gsl_cdf_binomial_P((unsigned)c.fp, share, negatives) > 1e-5);
            assert_true(c.fp == 0 || gsl_cdf_binomial_Q((unsigned)c.fp - 1, share, negatives) > 1e-5);
        }
        fp_measurement_free(&measurement);
    }
    fp_arena_free(arena);
}

static size_t data_size(const fp_sketches *s) { return s->stride ? s->stride * s->count : s->offset[s->count]; }

static void threads_change_nothing(void **state) {
    (void)state;
    static const char *const ARMS[] = {"simhash:features=words,weight=tfidf", "minhash", "jaccard",
                                       "cosine:weight=levels,top=50", "pinyin:granule=100,reference=corpus"};
    for (size_t i = 0; i < sizeof ARMS / sizeof *ARMS; i++) {
        fp_arena *arena = fp_arena_new();
        fp_corpus corpora[2];
        fp_measurement one, many;
        read_both(corpora, arena);
        for (int t = 0; t < 2; t++) {
            run_over(&(fp_progress){.threads = 1}, corpora + t, ARMS[i], arena, &one);
            run_over(&(fp_progress){.threads = 7}, corpora + t, ARMS[i], arena, &many);
            assert_int_equal(data_size(&one.sketches), data_size(&many.sketches));
            assert_memory_equal(one.sketches.data, many.sketches.data, data_size(&one.sketches));
            assert_int_equal(one.histogram.count, many.histogram.count);
            assert_memory_equal(one.histogram.bars, many.histogram.bars, one.histogram.count * sizeof(fp_bar));
            fp_measurement_free(&one);
            fp_measurement_free(&many);
        }
        fp_arena_free(arena);
    }
}

/* Arms that share features and arms that do not give what each gives alone. */
static void sharing_changes_nothing(void **state) {
    (void)state;
    static const char *const ARMS[] = {
        "simhash", "pinyin", "jaccard", "cosine:weight=tfidf", "minhash", "simhash:han=keep,name=keep"};
    enum { COUNT = sizeof ARMS / sizeof *ARMS };
    fp_arena *arena = fp_arena_new();
    fp_corpus corpora[2];
    fp_arm *arms[COUNT];
    fp_measurement together[COUNT], alone;
    read_both(corpora, arena);
    for (size_t i = 0; i < COUNT; i++) ASSERT_GOOD(fp_arm_parse(ARMS[i], NULL, arena, arms + i, &test_error));
    ASSERT_GOOD(fp_experiment(corpora, arms, COUNT, NULL, arena, together, &test_error));
    for (size_t i = 0; i < COUNT; i++) {
        run(corpora, ARMS[i], arena, &alone);
        assert_memory_equal(alone.distances, together[i].distances, corpora->pair_count * sizeof(double));
        fp_measurement_free(&alone);
        fp_measurement_free(together + i);
    }
    fp_arena_free(arena);
}

/* A pair's distance is the same in the list, in all pairs, and from the two texts through the public interface. */
static void pairs_agree_with_the_public_interface(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_corpus corpora[2];
    fp_measurement measurement;
    read_both(corpora, arena);
    run(corpora, "simhash:bits=128", arena, &measurement);
    fp_string *texts = fp_arena_alloc(arena, corpora->document_count, sizeof *texts);
    ASSERT_GOOD(fp_corpus_fetch(corpora, NULL, corpora->document_count, arena, texts, &test_error));
    for (size_t i = 0; i < corpora->pair_count; i += 50) {
        fp_string a = texts[corpora->pairs[i].a], b = texts[corpora->pairs[i].b];
        double distance = test_distance("simhash:bits=128", fp_string_copy(arena, a), fp_string_copy(arena, b), arena);
        assert_true(distance == measurement.distances[i]);
    }
    fp_measurement_free(&measurement);
    fp_arena_free(arena);
}

/* Bit fingerprints are counted by the Hamming kernel; the same, pair by pair through the public interface. */
static void all_pairs_of_groups_are_counted(void **state) {
    (void)state;
    static const char *const ARMS[] = {"simhash", "simhash:bits=128", "simhash:bits=6",
                                       "pinyin",  "minhash:b=1",      "jaccard"};
    for (size_t a = 0; a < sizeof ARMS / sizeof *ARMS; a++) {
        fp_arena *arena = fp_arena_new();
        fp_corpus corpora[2];
        fp_measurement measurement;
        fp_histogram expected = {0};
        read_both(corpora, arena);
        uint32_t *group = fp_arena_raw(arena, corpora[1].document_count, sizeof *group);
        assert_non_null(group);
        memcpy(group, corpora[1].group, corpora[1].document_count * sizeof *group);
        group[5] = UINT32_MAX; /* a document without a group */
        corpora[1].group = group;
        run(corpora + 1, ARMS[a], arena, &measurement);
        for (size_t i = 0; i < corpora[1].document_count; i++) {
            for (size_t j = i + 1; j < corpora[1].document_count; j++) {
                bool same = corpora[1].group[i] == corpora[1].group[j] && corpora[1].group[i] != UINT32_MAX;
                double d = fp_arm_distance(measurement.arm, fp_sketches_at(&measurement.sketches, i),
                                           fp_sketches_at(&measurement.sketches, j));
                ASSERT_GOOD(fp_histogram_add(&expected, d, same, &test_error));
            }
        }
        fp_histogram_finish(&expected);
        assert_int_equal(expected.count, measurement.histogram.count);
        assert_memory_equal(expected.bars, measurement.histogram.bars, expected.count * sizeof(fp_bar));
        fp_histogram_free(&expected);
        fp_measurement_free(&measurement);
        fp_arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oracle_is_always_right),           cmocka_unit_test(constant_calls_all_duplicates),
        cmocka_unit_test(random_guesses_within_its_bounds), cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(sharing_changes_nothing),          cmocka_unit_test(pairs_agree_with_the_public_interface),
        cmocka_unit_test(all_pairs_of_groups_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
