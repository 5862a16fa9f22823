/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is no evidence: sketches of nothing, and what was learned from too few documents.
 */
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>

#include "eval/analyses/index_curve.h"
#include "tests/eval/counterparts.h"
#include "tests/eval/made_corpus.h"
#include "tests/arm_files.h"
#include "tests/algorithms/arm_learn.h"
#include "tests/text/features/idf_learn.h"

/* ---- Sketches of nothing ---- */

static bool says(const fp_arm *arm, const char *text, fp_arena *arena) {
    fp_sketch sketch;
    ASSERT_GOOD(fp_arm_sketch(arm, fp_string_of(text), arena, &sketch, &test_error));
    return !sketch.empty;
}

/* Every algorithm that reads texts knows an empty one; the controls read none and have their say about any. */
static void every_algorithm_knows_nothing(void **state) {
    (void)state;
    for (size_t i = 0; fp_algorithm_at(i); i++) {
        fp_arena *arena = fp_arena_new();
        const fp_algorithm *algorithm = fp_algorithm_at(i);
        const fp_string ids[] = {fp_string_of(""), fp_string_of("我喜欢看电视，不喜欢看电影。")};
        fp_arm *arm = test_arm(test_spec(algorithm, ids, 2, arena), NULL, 0, arena);
        if (says(arm, "", arena) == fp_reads_text(algorithm)) fail_msg("%s: the empty text", algorithm->name);
        if (!says(arm, "我喜欢看电视，不喜欢看电影。", arena)) fail_msg("%s: a text", algorithm->name);
        fp_arena_free(arena);
    }
}

static void what_is_nothing_depends_on_what_is_read(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_arm *pinyin = test_arm("pinyin", NULL, 0, arena), *exact = test_arm("exact", NULL, 0, arena);
    assert_false(says(pinyin, "no Han character, 100%", arena));
    assert_true(says(pinyin, "a 中", arena));
    assert_true(says(exact, "no Han character", arena));
    assert_false(says(test_arm("jaccard:features=words,stop=shipped", NULL, 0, arena), "the", arena));
    /* Of few features none may be below the limit; kept or not is then the same to see from outside. */
    fp_arm *none = test_arm("fracminhash:scaled=1000000,empty=none", NULL, 0, arena);
    assert_false(says(none, "我喜欢看电视", arena));
    assert_true(says(test_arm("fracminhash:scaled=1000000", NULL, 0, arena), "我喜欢看电视", arena));
    fp_arena_free(arena);
}

/* By the header: at the largest distance from every other document, and counted. Every ninth text of the corpus is
 * empty; for pinyin all are. Labelled pairs, as all pairs in test_all_pairs.c. */
static void nothing_is_far_from_everything(void **state) {
    (void)state;
    static const char *const ARMS[] = {"simhash", "jaccard", "cosine", "minhash", "exact", "pinyin"};
    enum { DOCUMENTS = 30 };
    for (size_t k = 0; k < sizeof ARMS / sizeof *ARMS; k++) {
        made it = make_corpus(DOCUMENTS, 4, true);
        fp_pair pairs[DOCUMENTS - 1];
        fp_string kinds[DOCUMENTS - 1] = {{"", 0}};
        for (uint32_t i = 0; i + 1 < DOCUMENTS; i++) pairs[i] = (fp_pair){0, i + 1, i % 2};
        it.corpus.truth = FP_TRUTH_PAIRS;
        it.corpus.pairs = pairs;
        it.corpus.kinds = kinds;
        it.corpus.pair_count = DOCUMENTS - 1;
        fp_measurement measurement;
        measure(&it, ARMS[k], &measurement);
        size_t empty = strcmp(ARMS[k], "pinyin") == 0 ? DOCUMENTS : (DOCUMENTS + 8) / 9;
        assert_int_equal(measurement.empty_count, empty);
        for (size_t i = 0; i + 1 < DOCUMENTS; i++)
            assert_true(measurement.distances[i] == fp_arm_layout(measurement.arm)->maximum);
        fp_measurement_free(&measurement);
        fp_arena_free(it.arena);
    }
}

/* Two empty texts have equal sketches, which every key brings; as similarity 0 is, they are never brought. */
static void nothing_is_not_brought(void **state) {
    (void)state;
    enum { DOCUMENTS = 30, EMPTY = 4 };
    made it = make_corpus(DOCUMENTS, 4, true);
    fp_pair pairs[EMPTY - 1];
    fp_string kinds[EMPTY - 1] = {{"", 0}};
    for (uint32_t i = 0; i + 1 < EMPTY; i++) pairs[i] = (fp_pair){0, (i + 1) * 9, 1};
    it.corpus.truth = FP_TRUTH_PAIRS;
    it.corpus.pairs = pairs;
    it.corpus.kinds = kinds;
    it.corpus.pair_count = EMPTY - 1;
    fp_measurement measurement;
    measure(&it, "minhash", &measurement);
    fp_counterparts counterparts;
    fp_recall_loss lost;
    fp_index_curve curve;
    measure_counterparts(&it.corpus, &measurement, 1, it.arena, &counterparts);
    ASSERT_GOOD(fp_recall_loss_make(
        &(fp_outcome){.corpus = &it.corpus, .count = 1, .measurements = &measurement, .counterparts = &counterparts},
        NULL, &(const double){3}, NULL, it.arena, &lost, &test_error));
    ASSERT_GOOD(fp_index_curve_make(&lost, 0, 0.95, NULL, it.arena, &curve, &test_error));
    assert_int_equal(curve.bin_count, 1);
    assert_true(curve.bins->pairs == EMPTY - 1 && curve.bins->similarity == 0 && curve.bins->expected == 0);
    assert_true(curve.bins->brought.value == 0);
    fp_counterparts_free(&counterparts);
    fp_measurement_free(&measurement);
    fp_arena_free(it.arena);
}

/* ---- Learned from too little ---- */

static void the_number_of_documents_is_told(void **state) {
    (void)state;
    enum { MOST = 70 };
    fp_arena *arena = fp_arena_new();
    fp_string texts[MOST];
    for (size_t i = 0; i < MOST; i++) texts[i] = fp_string_of(fp_format(arena, "第%zu篇文章说的是第%zu件事", i, i * i));
    static const struct {
        const char *spec;
        size_t count, told; /* 0: nothing is said */
    } CASES[] = {{"simhash:weight=tfidf", 2, 2},     {"simhash:weight=tfidf", 19, 19},
                 {"simhash:weight=tfidf", 20, 0},    {"simhash:weight=levels", 3, 3},
                 {"simhash:center=median", 63, 63},  {"simhash:center=median", 64, 0},
                 {"simhash:center=mean", 5, 5},      {"pinyin:reference=corpus", 63, 63},
                 {"pinyin:reference=corpus", 64, 0}, {"cosine:weight=idf", 1, 1}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        fp_arm *arm = test_arm(CASES[i].spec, texts, CASES[i].count, arena);
        const char *caution = fp_arm_caution(arm), *number = fp_format(arena, " %zu document", CASES[i].told);
        if (!caution != !CASES[i].told || (caution && !strstr(caution, number)))
            fail_msg("%s from %zu: %s", CASES[i].spec, CASES[i].count, caution ? caution : "nothing");
    }
    /* Empty documents teach nothing and do not count; of several fits the smallest is told. */
    fp_arm *arm = test_arm("simhash:center=mean", texts, 64, arena);
    for (size_t i = 1; i < 64; i += 2) texts[i] = fp_string_of("");
    ASSERT_GOOD(fp_arm_fit(arm, texts, NULL, 64, NULL, 0, &test_error));
    assert_non_null(strstr(fp_arm_caution(arm), " 32 documents"));
    ASSERT_GOOD(fp_arm_fit(arm, texts, NULL, MOST, NULL, 0, &test_error));
    assert_non_null(strstr(fp_arm_caution(arm), " 32 documents"));
    assert_null(fp_arm_caution(test_arm("simhash:weight=tfidf,idf=builtin", NULL, 0, arena)));
    fp_arena_free(arena);
}

/* A document of `count` features with the weight 1, drawn among a thousand, which are the same in every document for a
 * third: what all share. */
static fp_document drawn(gsl_rng *random, size_t count, fp_arena *arena) {
    uint64_t *hash = fp_arena_raw(arena, count, sizeof *hash);
    double *weight = fp_arena_raw(arena, count, sizeof *weight);
    for (size_t i = 0; i < count; i++) {
        hash[i] = fp_mix(i < count / 3 ? i : 1000 + gsl_rng_uniform_int(random, 100000), 7);
        weight[i] = 1;
    }
    return (fp_document){.features = {count, hash, weight, NULL, count, hash}};
}

static void fit_to(fp_arm *arm, const fp_document *documents, size_t count) {
    ASSERT_GOOD(test_arm_learn(arm, &(fp_training){0}, documents, count, arm->arena, &test_error));
}

/* The share of bits, over new documents, that a centre of n documents decides otherwise than one of 4,096. */
static double otherwise(const char *spec, size_t n, gsl_rng *random) {
    enum { ALL = 4096, NEW = 300, ROUNDS = 4, FEATURES = 60 };
    fp_arena *arena = fp_arena_new();
    fp_document *documents = fp_arena_raw(arena, ALL, sizeof *documents);
    for (size_t i = 0; i < ALL; i++) documents[i] = drawn(random, FEATURES, arena);
    double differing = 0;
    for (size_t round = 0; round < ROUNDS; round++) {
        fp_arm *few = test_arm("simhash", NULL, 0, arena), *all = few;
        ASSERT_GOOD(fp_arm_parse(spec, NULL, arena, &few, &test_error));
        ASSERT_GOOD(fp_arm_parse(spec, NULL, arena, &all, &test_error));
        fit_to(all, documents, ALL);
        fit_to(few, documents + round * n, n);
        for (size_t i = 0; i < NEW; i++) {
            fp_document document = drawn(random, FEATURES, arena);
            fp_sketch a, b;
            ASSERT_GOOD(few->instance.algorithm->sketch(&few->instance, &document, arena, &a, &test_error));
            ASSERT_GOOD(all->instance.algorithm->sketch(&all->instance, &document, arena, &b, &test_error));
            differing += fp_arm_distance(all, a, b) / 64 / (NEW * ROUNDS);
        }
    }
    fp_arena_free(arena);
    return differing;
}

/* simhash.c's reason for 64: by arctan(error/σ)/π, 0.040 of the bits of the mean and 0.050 of the median's. */
static void sixty_four_documents_decide_a_bit_in_twenty(void **state) {
    (void)state;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random, 3);
    static const size_t SIZES[] = {4, 16, 64};
    for (size_t i = 0; i < 3; i++) {
        double n = (double)SIZES[i], mean = otherwise("simhash:center=mean", SIZES[i], random),
               median = otherwise("simhash:center=median", SIZES[i], random);
        double of_mean = atan(1 / sqrt(n)) / M_PI, of_median = atan(sqrt(M_PI / 2 / n)) / M_PI;
        if (fabs(mean - of_mean) > 0.02) fail_msg("mean of %zu: %g, not %g", SIZES[i], mean, of_mean);
        if (fabs(median - of_median) > 0.03) fail_msg("median of %zu: %g, not %g", SIZES[i], median, of_median);
    }
    gsl_rng_free(random);
}

/* arm.h's reason for 20: the weight of a term of two documents beside that of a term of one. */
static void twenty_documents_know_what_is_shared(void **state) {
    (void)state;
    static const struct {
        size_t documents;
        double least, most;
    } CASES[] = {{2, 0.26, 0.27}, {18, 0.79, 0.8}, {20, 0.8, 0.82}};
    fp_arena *arena = fp_arena_new();
    for (size_t c = 0; c < 3; c++) {
        fp_counts counts[20];
        uint64_t hash[20][2];
        for (uint64_t i = 0; i < CASES[c].documents; i++) {
            hash[i][0] = i < 2 ? 1 : 100 + i;
            hash[i][1] = 200 + i;
            counts[i] = (fp_counts){.count = 2, .hash = hash[i]};
        }
        const fp_idf *idf;
        ASSERT_GOOD(test_idf_learn(counts, CASES[c].documents, arena, &idf, &test_error));
        double ratio = fp_idf_of(idf, 1) / fp_idf_of(idf, 200);
        if (ratio < CASES[c].least || ratio > CASES[c].most) fail_msg("%zu: %g", CASES[c].documents, ratio);
    }
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_algorithm_knows_nothing),
        cmocka_unit_test(what_is_nothing_depends_on_what_is_read),
        cmocka_unit_test(nothing_is_far_from_everything),
        cmocka_unit_test(nothing_is_not_brought),
        cmocka_unit_test(the_number_of_documents_is_told),
        cmocka_unit_test(sixty_four_documents_decide_a_bit_in_twenty),
        cmocka_unit_test(twenty_documents_know_what_is_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
