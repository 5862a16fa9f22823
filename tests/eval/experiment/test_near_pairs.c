/* SPDX-License-Identifier: GPL-3.0-or-later
 * Near pairs of groups, against `distance` asked for every pair; their intervals, against those of all pairs written
 * out. */
#include <math.h>

#include "eval/outcome/inference.h"
#include "eval/experiment/near_pairs.h"
#include "eval/outcome/corpus_view.h"
#include "tests/eval/made_corpus.h"

/* Bits, vectors with the three ways of joining, slots, and an algorithm that has nothing but its distance. */
static const char *const ARMS[] = {"simhash:features=chars:2",
                                   "jaccard:features=chars:1",
                                   "jaccard:measure=weighted,features=chars:1,weight=tf",
                                   "cosine:features=chars:1",
                                   "minhash:slots=32,features=chars:1",
                                   "pinyin"};
enum { ARM_COUNT = sizeof ARMS / sizeof *ARMS, DOCUMENTS = 150 };

static bool is_positive(const fp_corpus *corpus, size_t a, size_t b) {
    return corpus->group[a] != UINT32_MAX && corpus->group[a] == corpus->group[b];
}

static void check_pairs(const made *it, const fp_measurement *measurement, const fp_near_pairs *near, double limit) {
    size_t at = 0;
    assert_true(near->complete && near->limit == limit);
    for (uint32_t a = 0; a < it->corpus.document_count; a++) {
        for (uint32_t b = a + 1; b < it->corpus.document_count; b++) {
            double distance = made_distance(it, measurement, a, b);
            bool positive = is_positive(&it->corpus, a, b);
            if (!positive && distance > limit) continue;
            assert_true(at < near->count);
            assert_true(near->pairs[at].a == a && near->pairs[at].b == b && near->pairs[at].label == positive);
            assert_true(near->distances[at++] == distance);
        }
    }
    assert_int_equal(at, near->count);
}

/* The list of the measurement; what of it is within less; and one that is not there. */
static void check_list(const made *it, const char *spec, const fp_progress *over, double limit) {
    fp_measurement measurement;
    fp_near_pairs near;
    measure_near(over, it, spec, limit, &measurement);
    check_pairs(it, &measurement, measurement.near, limit);
    for (double other = 0.5 * limit; other <= limit + 1; other += 0.5 * limit + 1) {
        fp_stage stage = {&it->corpus, over, &other};
        ASSERT_GOOD(fp_near_pairs_list(&stage, &measurement, it->arena, &near, &test_error));
        check_pairs(it, &measurement, &near, other);
    }
    fp_measurement_free(&measurement);
}

static void near_pairs_are_those_of_a_full_scan(void **state) {
    (void)state;
    for (size_t i = 0; i < ARM_COUNT; i++) {
        made it = make_corpus(DOCUMENTS, 4, i % 2);
        for (int threads = 1; threads <= 3; threads++) {
            fp_progress over = {.threads = threads};
            for (double limit = 0; limit <= 24; limit += 8) check_list(&it, ARMS[i], &over, limit);
        }
        fp_arena_free(it.arena);
    }
}

/* Up to the largest distance, which documents that say nothing have to all others. */
static void a_limit_of_the_maximum_lists_everything(void **state) {
    static const char *const LISTED[] = {"simhash:features=chars:2", "minhash:slots=32,features=chars:1",
                                         "minhash:slots=32,b=2", "pinyin"};
    fp_progress over = {.threads = 2};
    (void)state;
    for (size_t i = 0; i < sizeof LISTED / sizeof *LISTED; i++) {
        for (size_t count = 5; count <= 50; count *= 10) {
            made it = make_corpus(count, 3, false);
            check_list(&it, LISTED[i], &over, 64);
            fp_arena_free(it.arena);
        }
    }
}

/* More pairs than can be listed: 1,500 documents alike, but for one group of three. Then so many in one group. */
static void too_many_near_pairs_leave_the_list_open(void **state) {
    static const char *const CROWDED[] = {"simhash", "minhash:slots=32", "cosine:features=chars:1"};
    enum { MANY = 1500 };
    (void)state;
    for (size_t i = 0; i < 2 * sizeof CROWDED / sizeof *CROWDED; i++) {
        made it = make_corpus(MANY, MANY, false);
        uint32_t *group = (uint32_t *)(uintptr_t)it.corpus.group;
        fp_progress over = {.threads = 1 + (int)i % 3};
        fp_measurement measurement;
        for (uint32_t d = 0; d < MANY; d++) {
            ((fp_string *)(uintptr_t)it.corpus.texts)[d] = fp_string_of("abcd bcde");
            group[d] = i % 2 || d == 7 || d == 700 || d == MANY - 1 ? 0 : UINT32_MAX;
        }
        measure_near(&over, &it, CROWDED[i / 2], 0, &measurement);
        const fp_near_pairs *near = measurement.near;
        assert_false(near->complete);
        assert_int_equal(near->count, i % 2 ? 0 : 3);
        assert_true(i % 2 || (near->pairs[1].a == 7 && near->pairs[1].b == MANY - 1 && near->pairs[1].label));
        fp_measurement_free(&measurement);
        fp_arena_free(it.arena);
    }
}

/* Where even pairs that share nothing are within the limit, there is nothing to list. */
static void a_limit_beyond_everything_leaves_the_list_open(void **state) {
    (void)state;
    made it = make_corpus(DOCUMENTS, 4, false);
    fp_measurement measurement;
    measure_near(NULL, &it, "jaccard", 64, &measurement);
    fp_near_pairs near = *measurement.near;
    assert_false(near.complete);
    for (size_t i = 0; i < near.count; i++) assert_int_equal(near.pairs[i].label, 1);
    size_t positives = 0;
    for (size_t a = 0; a < DOCUMENTS; a++)
        for (size_t b = a + 1; b < DOCUMENTS; b++) positives += is_positive(&it.corpus, a, b);
    assert_int_equal(near.count, positives);
    fp_measurement_free(&measurement);
    fp_arena_free(it.arena);
}

/* The pairs left out have no part in a figure; only the number of units, a small correction, is another. */
static void assert_alike(const fp_estimate *near, const fp_estimate *all) {
    assert_true(isnan(near->value) ? isnan(all->value) : fabs(near->value - all->value) < 1e-12);
    if (isnan(all->value) || all->error < 1e-9) return;
    double wide = all->interval.high - all->interval.low;
    assert_true(fabs(near->interval.low - all->interval.low) < 0.05 * wide &&
                fabs(near->interval.high - all->interval.high) < 0.05 * wide);
}

static void intervals_are_those_of_all_pairs(void **state) {
    (void)state;
    static const double LIMITS[] = {4, 10, 16, 20};
    for (size_t i = 0; i < ARM_COUNT; i++) {
        made it = make_corpus(400, 4, true);
        fp_measurement counted, listed;
        fp_corpus view;
        fp_inference near, all;
        fp_inference_options options = {.method = FP_METHOD_WILSON,
                                        .confidence = 0.95,
                                        .replicates = 20,
                                        .seed = 1,
                                        .thresholds = LIMITS,
                                        .threshold_count = 4};
        measure_near(NULL, &it, ARMS[i], LIMITS[3], &counted);
        ASSERT_GOOD(fp_inference_near(&it.corpus, &counted, 1, &options, NULL, it.arena, &near, &test_error));
        assert_true(fp_corpus_view_can_list(&it.corpus));
        ASSERT_GOOD(fp_corpus_view_pairs(&it.corpus, it.arena, &view, &test_error));
        assert_int_equal(view.pair_count, 400 * 399 / 2);
        it.corpus = view;
        measure(&it, ARMS[i], &listed);
        ASSERT_GOOD(fp_inference_make(&view, &listed.distances, 1, &options, NULL, it.arena, &all, &test_error));
        assert_true(near.near && near.open_count == 0 && near.comparison_count == 0 && near.measure_count == 3);
        for (size_t t = 0; t < 4; t++) {
            for (size_t k = 0; k < near.measure_count; k++)
                assert_alike(fp_inference_at(&near, k, 0) + t,
                             fp_inference_of(&all, near.measures[k].measure.row, 0) + t);
        }
        fp_measurement_free(&counted);
        fp_measurement_free(&listed);
        fp_arena_free(it.arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_pairs_are_those_of_a_full_scan),
        cmocka_unit_test(a_limit_of_the_maximum_lists_everything),
        cmocka_unit_test(too_many_near_pairs_leave_the_list_open),
        cmocka_unit_test(a_limit_beyond_everything_leaves_the_list_open),
        cmocka_unit_test(intervals_are_those_of_all_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
