/* SPDX-License-Identifier: GPL-3.0-or-later
 * All pairs of term vectors where they are so many that negatives are counted on a grid, and sums are those of whole
 * numbers: against `distance` asked for every pair. And the whole numbers themselves. */
#include <math.h>

#include "eval/experiment/pair_counter.h"
#include "pairs/lsh_tables.h"
#include "tests/eval/made_corpus.h"

enum { DOCUMENTS = 2300, LONGEST = 260, MOST_NEAR = 5000 };

/* ---- Whole numbers over their norm ---- */

static double norm_of(const double *whole, size_t count, double nudge) {
    double value[8], squares = 0;
    uint64_t key[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    for (size_t i = 0; i < count; i++) squares += whole[i] * whole[i];
    for (size_t i = 0; i < count; i++) value[i] = whole[i] / sqrt(squares);
    if (nudge > 0) value[0] = nextafter(value[0], nudge);
    fp_vector vector = {.count = count, .step = sizeof *value, .key = key, .value = value};
    return fp_whole_norm(&vector);
}

static void norms_are_found(void **state) {
    (void)state;
    assert_true(norm_of((double[]){1, 1, 1}, 3, 0) == sqrt(3));
    assert_true(norm_of((double[]){3, 4}, 2, 0) == 5);
    assert_true(norm_of((double[]){12, 5, 255}, 3, 0) == sqrt(144 + 25 + 65025));
    assert_true(norm_of((double[]){1, 255}, 2, 0) == sqrt(65026));
    assert_true(norm_of((double[]){1, 256}, 2, 0) == 0);      /* too large a number */
    assert_true(norm_of((double[]){181, 182, 3}, 3, 0) == 0); /* too large a sum of squares */
    assert_true(norm_of((double[]){1, M_SQRT2}, 2, 0) == 0);
    assert_true(norm_of((double[]){1, 2, 2}, 3, 1) == 0); /* the last bit counts */
    assert_true(norm_of(NULL, 0, 0) == 1);
}

/* ---- Pairs ---- */

/* Of letters whose numbers differ, so that there are many distances; near ones; and angles of 45° and 60°, which lie on
 * the edges of the grid, or near them: ab with a and with abc…, abc with abd. */
static fp_string write_text(size_t i, fp_arena *arena) {
    static const char *const EDGES[] = {"a", "ab", "abcd", "abefg", "aabb", "bcde", "ac"};
    if (i % 12 == 0) return fp_string_of(EDGES[i / 12 % 7]);
    size_t original = i % 12 == 5 ? i - 1 : i, length = 20 + fp_mix(original, 1) % (LONGEST - 21);
    char *text = fp_arena_alloc(arena, LONGEST, 1);
    for (size_t k = 0; k < length; k++) {
        double u = (double)(fp_mix(original * LONGEST + k, 2) >> 11) * 0x1p-53;
        text[k] = (char)('a' + (size_t)(u * u * 26));
    }
    if (i % 12 == 5) text[i % 20] = 'q';
    return (fp_string){text, length};
}

static made make_letters(void) {
    made it = make_corpus(DOCUMENTS, 2, true);
    for (size_t i = 0; i < DOCUMENTS; i++) ((fp_string *)(uintptr_t)it.corpus.texts)[i] = write_text(i, it.arena);
    return it;
}

/* What counting one after the other gives: the bars, and how many negatives there are up to each distance. */
static void count_all(const made *it, const fp_measurement *measurement, fp_histogram *expected) {
    *expected = (fp_histogram){.limit = FP_HISTOGRAM_LIMIT};
    for (size_t a = 0; a < DOCUMENTS; a++)
        for (size_t b = a + 1; b < DOCUMENTS; b++)
            ASSERT_GOOD(fp_histogram_add(expected, made_distance(it, measurement, a, b),
                                         fp_same_group(&it->corpus, a, b), &test_error));
    fp_histogram_finish(expected);
}

static void assert_same(const char *spec, const fp_histogram *expected, const fp_histogram *got) {
    if (expected->count != got->count) fail_msg("%s: %zu distances, not %zu", spec, got->count, expected->count);
    for (size_t i = 0; i < got->count; i++) {
        fp_bar a = expected->bars[i], b = got->bars[i];
        if (a.distance != b.distance || a.positives != b.positives || a.negatives != b.negatives)
            fail_msg("%s: at %.17g %llu negatives, not %llu", spec, b.distance, (unsigned long long)b.negatives,
                     (unsigned long long)a.negatives);
    }
}

static void assert_near(const made *it, const fp_measurement *measurement) {
    const fp_near_pairs *near = measurement->near;
    size_t at = 0;
    for (uint32_t a = 0; a < DOCUMENTS; a++) {
        for (uint32_t b = a + 1; b < DOCUMENTS; b++) {
            double distance = made_distance(it, measurement, a, b);
            if (distance > near->limit || fp_same_group(&it->corpus, a, b)) continue;
            assert_true(at < near->count && near->pairs[at].a == a && near->pairs[at].b == b);
            assert_true(near->pairs[at++].distance == distance);
        }
    }
    assert_int_equal(at, near->count);
    assert_in_range(near->count, 1, MOST_NEAR);
}

static void sums_of_whole_numbers_are_counted_as_distances_are(void **state) {
    static const char *const ARMS[] = {"cosine:features=chars:1", "cosine:features=chars:1,weight=tfidf",
                                       "jaccard:features=chars:2"};
    (void)state;
    made it = make_letters();
    for (size_t a = 0; a < sizeof ARMS / sizeof *ARMS; a++) {
        fp_histogram expected = {0};
        for (int threads = 1; threads <= 2; threads++) {
            fp_measurement measurement;
            measure_near(&(fp_progress){.threads = threads}, &it, ARMS[a], MOST_NEAR, &measurement);
            if (!expected.count) count_all(&it, &measurement, &expected);
            assert_same(ARMS[a], &expected, &measurement.histogram);
            if (a < 2) assert_true(expected.step > 0); /* the grid was needed */
            assert_near(&it, &measurement);
            fp_measurement_free(&measurement);
        }
        fp_histogram_free(&expected);
    }
    fp_arena_free(it.arena);
}

/* ---- Distances that are off ---- */

static const double OFF = 0x1p-13; /* an eighth of the grid's step */

/* Every pair at a distance somewhere within OFF of its own, once one of two threads counts on a grid. */
static void tell_pairs(const made *it, const fp_pair_counters *counters) {
    static double distance[DOCUMENTS];
    for (size_t a = 0; a + 1 < DOCUMENTS; a++) {
        bool off = fp_pair_counters_on_grid(counters);
        fp_pair_row row = {a, DOCUMENTS - a - 1, a + 1, NULL, distance, off ? OFF : 0};
        for (size_t i = 0; i < row.count; i++) {
            double u = (double)(fp_mix(a * DOCUMENTS + i, 5) >> 11) * 0x1p-53;
            distance[i] = made_distance(it, counters->all->measurement, a, a + 1 + i) + row.off * (2 * u - 1);
        }
        counters->all->near->off |= off;
        ASSERT_GOOD(fp_pair_counters_take(counters, off ? a % 2 : 0, &row, &test_error));
    }
    assert_true(fp_pair_counters_on_grid(counters));
}

static void what_is_off_is_asked_for_where_it_matters(void **state) {
    (void)state;
    made it = make_letters();
    fp_progress two = {.threads = 2};
    fp_measurement measured;
    fp_arenas arenas;
    fp_near_finder near;
    fp_near_pairs list;
    fp_pair_counters counters;
    fp_histogram expected;
    measure_over(&two, &it, "cosine:features=chars:1", &measured);
    count_all(&it, &measured, &expected);
    fp_measurement got = {.arm = measured.arm, .sketches = measured.sketches};
    fp_stage stage = {.corpus = &it.corpus, .progress = &two, .near_most = MOST_NEAR};
    ASSERT_GOOD(fp_arenas_open(&arenas, &two, it.arena, &test_error));
    ASSERT_GOOD(fp_near_finder_open(&it.corpus, &got, MOST_NEAR, 2, it.arena, &near, &test_error));
    fp_all_pairs all = {&stage, &got, &arenas, it.arena, NULL, &near};
    ASSERT_GOOD(fp_pair_counters_open(&all, &counters, &test_error));
    tell_pairs(&it, &counters);
    ASSERT_GOOD(fp_pair_counters_close(&counters, FP_OK, &test_error));
    fp_histogram_finish(&got.histogram);
    ASSERT_GOOD(fp_near_finder_close(&near, it.arena, &list, &test_error));
    got.near = &list;
    assert_same("off", &expected, &got.histogram);
    assert_near(&it, &got);
    fp_near_finder_free(&near);
    fp_histogram_free(&expected);
    fp_histogram_free(&got.histogram);
    fp_arenas_free(&arenas);
    fp_measurement_free(&measured);
    fp_arena_free(it.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(norms_are_found),
        cmocka_unit_test(sums_of_whole_numbers_are_counted_as_distances_are),
        cmocka_unit_test(what_is_off_is_asked_for_where_it_matters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
