/* SPDX-License-Identifier: GPL-3.0-or-later
 * All pairs of groups. The oracle is `distance`, asked for every pair. */
#include <math.h>

#include "tests/eval/made_corpus.h"
#include "tests/eval/same_histogram.h"

/* ---- Corpora ---- */

static const char *const ARMS[] = {"simhash:features=chars:2",
                                   "simhash:features=chars:2,query=real",
                                   "simhash:bits=32",
                                   "simhash:bits=128",
                                   "minhash:slots=200,b=1",
                                   "minhash:slots=32",
                                   "minhash:slots=64,features=chars:1",
                                   "minhash:slots=300,features=chars:1",
                                   "oneperm:slots=130,width=64",
                                   "minhash:slots=70,b=3",
                                   "minhash:slots=1100,b=1",
                                   "exact",
                                   "pinyin",
                                   "jaccard",
                                   "jaccard:measure=containment",
                                   "jaccard:measure=weighted,features=chars:2,weight=tf",
                                   "cosine:features=chars:1",
                                   "cosine:features=chars:2,weight=tfidf"};

/* Pair by pair through `distance`. */
static void expect(const made *it, const fp_measurement *measurement, fp_histogram *expected) {
    for (size_t i = 0; i < it->corpus.document_count; i++) {
        for (size_t j = i + 1; j < it->corpus.document_count; j++) {
            bool same = it->corpus.group[i] == it->corpus.group[j] && it->corpus.group[i] != UINT32_MAX;
            double d = made_distance(it, measurement, i, j);
            ASSERT_GOOD(fp_histogram_add(expected, d, same, &test_error));
        }
    }
    fp_histogram_finish(expected);
}

/* With that many threads, and each number up to the most: sketches, and so the distances expected, are the same. */
static void check_corpus(made it, int threads, int most) {
    for (size_t a = 0; a < sizeof ARMS / sizeof *ARMS; a++) {
        fp_histogram expected = {0};
        for (int many = threads; many <= most; many++) {
            fp_measurement measurement;
            measure_over(&(fp_progress){.threads = many}, &it, ARMS[a], &measurement);
            if (many == threads) expect(&it, &measurement, &expected);
            assert_same(ARMS[a], &expected, &measurement.histogram);
            assert_true(measurement.histogram.step == 0);
            fp_measurement_free(&measurement);
        }
        fp_histogram_free(&expected);
    }
    fp_arena_free(it.arena);
}

/* Several tiles and blocks of rows, groups that are large and small; 1, 2 and 3 threads. */
static void all_pairs_are_what_distance_says(void **state) {
    (void)state;
    check_corpus(make_corpus(540, 4, false), 1, 3);
    check_corpus(make_corpus(540, 150, true), 1, 3);
}

static void few_documents(void **state) {
    (void)state;
    for (size_t count = 1; count <= 12; count++)
        for (size_t group = 1; group <= 4; group += 3) check_corpus(make_corpus(count, group, count % 2), 2, 2);
}

/* All documents alike; then all of them empty. */
static void equal_documents(void **state) {
    (void)state;
    for (size_t length = 0; length <= 12; length += 12) {
        made it = make_corpus(530, 90, false);
        for (size_t i = 0; i < it.corpus.document_count; i++)
            ((fp_string *)(uintptr_t)it.corpus.texts)[i] = (fp_string){"abcd bcde cd", length};
        check_corpus(it, 2, 2);
    }
}

static void no_document_has_a_group(void **state) {
    (void)state;
    made it = make_corpus(300, 3, true);
    memset((void *)(uintptr_t)it.corpus.group, 0xff, it.corpus.document_count * sizeof *it.corpus.group);
    check_corpus(it, 2, 2);
}

/* `joined` is `distance`, or declines, for near and far pairs, and declines only near 0. */
static void joined_sums_give_the_distance(void **state) {
    (void)state;
    made it = make_corpus(200, 4, true);
    for (size_t a = 0; a < sizeof ARMS / sizeof *ARMS; a++) {
        fp_measurement m;
        measure(&it, ARMS[a], &m);
        const fp_instance *instance = &m.arm->instance;
        const fp_algorithm *algorithm = instance->algorithm;
        assert_int_equal(fp_acceleration_of(algorithm)->vector == NULL, fp_acceleration_of(algorithm)->joined == NULL);
        for (size_t i = 0; fp_acceleration_of(algorithm)->vector && i < 200 * 200; i++) {
            fp_vector u, v;
            fp_sketch left = fp_sketches_at(&m.sketches, i / 200), right = fp_sketches_at(&m.sketches, i % 200);
            fp_join join = fp_acceleration_of(algorithm)->vector(instance, left, &u);
            fp_acceleration_of(algorithm)->vector(instance, right, &v);
            double sum = 0;
            for (size_t x = 0; x < u.count; x++) {
                for (size_t y = 0; y < v.count; y++) {
                    if (u.key[x * u.step / 8] != v.key[y * v.step / 8]) continue;
                    double p = join == FP_JOIN_COUNT ? 1 : u.value[x * u.step / 8],
                           q = join == FP_JOIN_COUNT ? 1 : v.value[y * v.step / 8];
                    sum += join == FP_JOIN_MINIMUM ? fmin(p, q) : p * q;
                }
            }
            double distance = algorithm->distance(instance, left, right),
                   joined = fp_acceleration_of(algorithm)->joined(instance, &u, &v, sum);
            if (fp_acceleration_of(algorithm)->joined_many && sum != 0) {
                fp_acceleration_of(algorithm)->joined_many(instance, &u, &v, &(uint32_t){0}, 1, &sum);
                assert_true(isnan(joined) ? isnan(sum) : sum == joined);
            }
            if (isnan(joined)) assert_true(distance < 4);
            else assert_true(joined == distance);
        }
        fp_measurement_free(&m);
    }
    fp_arena_free(it.arena);
}

/* Vectors (n, 1) and (n, 2): the angle is atan(2/n) − atan(1/n), which is about 1/n; their product is 1 − 1/2n². Where
 * that is near 1, it has lost the angle. */
static void small_angles_are_exact(void **state) {
    (void)state;
    enum { LONGEST = 1000000 };
    char *text = malloc(LONGEST + 3);
    assert_non_null(text);
    for (size_t n = 1; n <= LONGEST; n *= 10) {
        fp_arena *arena = fp_arena_new();
        memset(text, 'a', n);
        strcpy(text + n, "b");
        char *one = fp_string_copy(arena, fp_string_of(text));
        strcpy(text + n, "bb");
        double expected = 64 / M_PI * (atan(2 / (double)n) - atan(1 / (double)n));
        double distance = test_distance("cosine:features=chars:1,weight=tf", one, text, arena);
        if (fabs(distance - expected) > 0x1p-32) fail_msg("n = %zu: %.17g, not %.17g", n, distance, expected);
        fp_arena_free(arena);
    }
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_pairs_are_what_distance_says),
        cmocka_unit_test(few_documents),
        cmocka_unit_test(equal_documents),
        cmocka_unit_test(no_document_has_a_group),
        cmocka_unit_test(joined_sums_give_the_distance),
        cmocka_unit_test(small_angles_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
