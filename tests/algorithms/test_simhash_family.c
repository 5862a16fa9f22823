/* SPDX-License-Identifier: GPL-3.0-or-later
 * SimHash's centre, exact hashes, and the explanations of the family: what follows from their definitions. Draws are
 * seeded, so that a test that passes once passes always. */
#include <math.h>

#include "tests/support.h"
#include "tests/algorithms/arm_learn.h"
#include "tests/algorithms/steps.h"

static const uint64_t SEED = 20261120;

/* ---- The centre ---- */

enum { DOCUMENTS = 600, SHARED = 100, OWN = 100, WHOLE = SHARED + OWN };

/* Documents of terms that all share and terms of their own, a template with facts; and a copy of each document with a
 * tenth of its own terms replaced. */
static void draw_documents(uint64_t (*hash)[WHOLE], uint64_t (*copy)[WHOLE]) {
    for (uint64_t d = 0; d < DOCUMENTS; d++)
        for (uint64_t i = 0; i < WHOLE; i++) {
            hash[d][i] = i < SHARED ? fp_mix(SEED, i) : fp_mix(fp_mix(SEED + 1, d), i);
            copy[d][i] = i < WHOLE - OWN / 10 ? hash[d][i] : fp_mix(fp_mix(SEED + 2, d), i);
        }
}

/* Fits the arm to documents of features alone. */
static void fit_features(fp_arm *arm, const fp_document *documents, size_t count) {
    ASSERT_GOOD(test_arm_learn(arm, &(fp_training){0}, documents, count, arm->arena, &test_error));
}

typedef struct centred {
    double unrelated, related; /* mean distances */
} centred;

static centred measure(const char *spec) {
    static uint64_t hash[DOCUMENTS][WHOLE], copy[DOCUMENTS][WHOLE];
    static fp_document documents[DOCUMENTS];
    double weight[WHOLE];
    centred result = {0, 0};
    fp_arena *arena = fp_arena_new();
    fp_arm *arm;
    ASSERT_GOOD(fp_arm_parse(spec, NULL, arena, &arm, &test_error));
    draw_documents(hash, copy);
    for (size_t i = 0; i < WHOLE; i++) weight[i] = 1 + (double)(i % 7) / 10;
    for (size_t d = 0; d < DOCUMENTS; d++)
        documents[d].features = (fp_features){WHOLE, hash[d], weight, NULL, WHOLE, hash[d]};
    if (fp_arm_learns(arm)) fit_features(arm, documents, DOCUMENTS);
    for (size_t d = 0; d < DOCUMENTS; d += 2) {
        fp_sketch one = test_sketch_of(arm, hash[d], weight, WHOLE, arena),
                  other = test_sketch_of(arm, hash[d + 1], weight, WHOLE, arena);
        result.unrelated += fp_arm_distance(arm, one, other) / (DOCUMENTS / 2);
        result.related +=
            fp_arm_distance(arm, one, test_sketch_of(arm, copy[d], weight, WHOLE, arena)) / (DOCUMENTS / 2);
    }
    fp_arena_free(arena);
    return result;
}

/* Half of what unrelated documents hold is shared: their angle is near 60°, their distance near a third of the bits.
 * Without what is shared it is half of them: θ with cos θ = −1/(n − 1), since each document takes part in the mean. A
 * copy of nine tenths stays near: cos θ = 0.9 gives 9.2 of 64 bits. */
static void centring_removes_what_is_shared(void **state) {
    (void)state;
    double error = 4.5 * sqrt(0.25 * 64 / (DOCUMENTS / 2.0)), half = 64 * acos(-1.0 / (DOCUMENTS - 1)) / M_PI;
    centred none = measure("simhash"), mean = measure("simhash:center=mean"), median = measure("simhash:center=median"),
            wide = measure("simhash:bits=128,center=mean");
    assert_true(none.unrelated < 23 && none.unrelated > 19);
    if (fabs(mean.unrelated - half) > error + 0.2) fail_msg("centred: %.2f, expected %.2f", mean.unrelated, half);
    if (fabs(median.unrelated - half) > error + 0.5)
        fail_msg("centred by the median: %.2f, expected %.2f", median.unrelated, half);
    if (fabs(wide.unrelated - 2 * half) > 2 * error + 0.4) fail_msg("128 bits, centred: %.2f", wide.unrelated);
    double copies = 64 * acos(0.9) / M_PI;
    if (fabs(mean.related - copies) > 1.2) fail_msg("copies, centred: %.2f, expected %.2f", mean.related, copies);
    assert_true(mean.related < mean.unrelated / 3 && median.related < median.unrelated / 3 &&
                none.related < mean.related);
}

/* Empty documents do not count; the mean is the mean and the median the median, by their definition on four documents
 * of one term. */
static void centres_are_learned(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    static const uint64_t HASH[] = {0x0f, 0x1f, 0x3f, 0xff};
    double weight = 3;
    fp_document documents[6] = {{.id = {"", 0}}};
    for (size_t i = 0; i < 4; i++) documents[i].features = (fp_features){1, HASH + i, &weight, NULL, 1, HASH + i};
    /* Quotients of the bits 7 … 0 by document: -1-1-1-1 1 1 1 1 / -1-1-1 1 1 1 1 1 / -1-1 1 1 1 1 1 1 / all 1. */
    static const double MEAN[] = {1, 1, 1, 1, 0.5, 0, -0.5, -0.5}, MEDIAN[] = {1, 1, 1, 1, 1, 0, -1, -1};
    fp_arm *mean, *median;
    ASSERT_GOOD(fp_arm_parse("simhash:bits=8,center=mean", NULL, arena, &mean, &test_error));
    ASSERT_GOOD(fp_arm_parse("simhash:bits=8,center=median", NULL, arena, &median, &test_error));
    fit_features(mean, documents, 6);
    fit_features(median, documents, 6);
    assert_memory_equal(mean->instance.model, MEAN, sizeof MEAN);
    assert_memory_equal(median->instance.model, MEDIAN, sizeof MEDIAN);
    /* Bits 0–3 lie in the centre: ties. */
    assert_int_equal(*(const uint64_t *)test_sketch_of(mean, HASH + 1, &weight, 1, arena).data, 0x10);
    assert_int_equal(*(const uint64_t *)test_sketch_of(median, HASH + 2, &weight, 1, arena).data, 0x20);
    assert_int_equal(*(const uint64_t *)test_sketch_of(mean, NULL, NULL, 0, arena).data, 0);
    fp_arena_free(arena);
}

static void only_centres_learn(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_arm *plain, *centre;
    fp_sketch made;
    fp_string empty[2] = {{"", 0}, {"", 0}};
    ASSERT_GOOD(fp_arm_parse("simhash", NULL, arena, &plain, &test_error));
    ASSERT_GOOD(fp_arm_parse("simhash:center=median", NULL, arena, &centre, &test_error));
    assert_false(fp_arm_learns(plain));
    assert_true(fp_arm_learns(centre));
    ASSERT_GOOD(fp_arm_sketch(plain, fp_string_of("我是中国人"), arena, &made, &test_error));
    assert_int_equal(fp_arm_sketch(centre, fp_string_of("我是中国人"), arena, &made, &test_error), FP_ERROR_EMPTY);
    assert_int_equal(fp_arm_fit(centre, empty, NULL, 2, NULL, 0, &test_error), FP_ERROR_EMPTY);
    fp_arena_free(arena);
}

/* ---- Exact hashes ---- */

/* As xxhsum -H2, PHP's hash("xxh128") and the test suites of other implementations of XXH3 print them. */
static void exact_hashes_are_xxh128(void **state) {
    (void)state;
    static const char *const KNOWN[][2] = {{"", "99aa06d3014798d86001c324468d497f"},
                                           {"a", "a96faf705af16834e6c632b61e964e1f"},
                                           {"abc", "06b05ab6733a618578af5f94892f3950"},
                                           {"hello world", "df8d09e93f874900a99b8775cc15b6c7"}};
    fp_arena *arena = fp_arena_new();
    fp_arm *arm = test_arm("exact", NULL, 0, arena);
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
        fp_sketch made;
        ASSERT_GOOD(fp_arm_sketch(arm, fp_string_of(KNOWN[i][0]), arena, &made, &test_error));
        assert_string_equal(fp_arm_text(arm, made, arena), KNOWN[i][1]);
    }
    fp_arena_free(arena);
}

/* ---- Explanations ---- */

/* By hand: (7, 3) onto (1, −1) is 7·1 + 3·(−1). The hashes 3 and 1 have those coordinates under seed 1. */
static void projection_of_two_terms(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_arm *arm = test_arm("projection:coordinates=1,kind=rademacher", NULL, 0, arena);
    uint64_t hash[] = {3, 1};
    double weight[] = {7, 3};
    fp_document document = {.features = {2, hash, weight, NULL, 2, hash}};
    fp_explanation told = {.arena = arena};
    ASSERT_GOOD(arm->instance.algorithm->explain(&arm->instance, &document, arena, &told, &test_error));
    assert_string_equal(fp_explain_at(step_called(&told, "projection"), 0, 1), "7·1 + 3·(-1)");
    assert_string_equal(fp_explain_at(step_called(&told, "projection"), 0, 2), "4");
    fp_arena_free(arena);
}

static fp_document document_of(const fp_arm *arm, const char *text, fp_arena *arena) {
    fp_text treated;
    fp_document document = {0};
    ASSERT_GOOD(fp_preprocess(arm->preprocessor, fp_string_of(text), fp_arm_wants(arm), arena, &treated, &test_error));
    ASSERT_GOOD(fp_arm_document(arm, &treated, true, arena, &document, &test_error));
    return document;
}

/* Each tells its steps for any text, and as many differing bits as the distance counts, each with the signs that its
 * margins have. */
static void explanations_agree_with_the_sketches(void **state) {
    (void)state;
    static const char *const ARMS[] = {"simhash",
                                       "simhash:bits=70,center=mean",
                                       "simhash:center=median",
                                       "hyperplane:bits=100",
                                       "hyperplane:kind=rademacher",
                                       "bitsample",
                                       "projection:coordinates=20,kind=sparse",
                                       "exact",
                                       "sentences:k=1"};
    fp_string texts[] = {fp_string_of("我喜欢看电视，不喜欢看电影。他也是！"),
                         fp_string_of("我不喜欢看电视，也不喜欢看电影。"), fp_string_of("")};
    for (size_t i = 0; i < sizeof ARMS / sizeof *ARMS; i++) {
        fp_arena *arena = fp_arena_new();
        fp_arm *arm = test_arm(ARMS[i], texts, 3, arena);
        const fp_algorithm *algorithm = arm->instance.algorithm;
        fp_document document[3];
        for (size_t t = 0; t < 3; t++) {
            fp_explanation told = {.arena = arena};
            document[t] = document_of(arm, texts[t].data, arena);
            ASSERT_GOOD(algorithm->explain(&arm->instance, document + t, arena, &told, &test_error));
            assert_true(!told.failed && told.first);
        }
        for (size_t t = 1; t < 3 && algorithm->explain_pair && arm->instance.layout.bits; t++) {
            fp_explanation told = {.arena = arena};
            fp_sketch made[2];
            ASSERT_GOOD(algorithm->explain_pair(&arm->instance, document, document + t, arena, &told, &test_error));
            ASSERT_GOOD(fp_arm_sketch(arm, texts[0], arena, made, &test_error));
            ASSERT_GOOD(fp_arm_sketch(arm, texts[t], arena, made + 1, &test_error));
            const fp_explain_step_data *step = step_called(&told, "bits that differ");
            assert_int_equal(step->cells.count / step->columns.count,
                             (size_t)algorithm->distance(&arm->instance, made[0], made[1]));
            for (size_t row = 0; row < step->cells.count / step->columns.count; row++) {
                assert_int_equal(strcmp(fp_explain_at(step, row, 1), "1") == 0,
                                 strtod(fp_explain_at(step, row, 3), NULL) > 0);
                assert_int_equal(strcmp(fp_explain_at(step, row, 2), "1") == 0,
                                 strtod(fp_explain_at(step, row, 4), NULL) > 0);
                /* A term decides when it pulls towards the side that has the 1. */
                bool towards_a = strcmp(fp_explain_at(step, row, 1), "1") == 0;
                assert_non_null(strstr(fp_explain_at(step, row, 5), towards_a ? "(+" : "(-"));
                assert_null(strstr(fp_explain_at(step, row, 5), towards_a ? "(-" : "(+"));
            }
        }
        fp_arena_free(arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(centring_removes_what_is_shared),
        cmocka_unit_test(centres_are_learned),
        cmocka_unit_test(only_centres_learn),
        cmocka_unit_test(exact_hashes_are_xxh128),
        cmocka_unit_test(projection_of_two_terms),
        cmocka_unit_test(explanations_agree_with_the_sketches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
