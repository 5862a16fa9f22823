/* SPDX-License-Identifier: GPL-3.0-or-later
 * All pairs of so many documents that distances go over to a grid. The oracle is a histogram of the same limit, which
 * is told `distance` of one pair after the other. */
#include <math.h>

#include "tests/eval/made_corpus.h"

static void expect(const made *it, const fp_measurement *measurement, fp_histogram *expected) {
    const uint32_t *group = it->corpus.group;
    size_t count = it->corpus.document_count;
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++)
            ASSERT_GOOD(fp_histogram_add(expected, made_distance(it, measurement, i, j),
                                         group[i] == group[j] && group[i] != UINT32_MAX, &test_error));
    fp_histogram_finish(expected);
}

static void assert_equal_bars(const char *spec, const fp_histogram *expected, const fp_histogram *got) {
    if (expected->count != got->count) fail_msg("%s: %zu distances, not %zu", spec, got->count, expected->count);
    assert_true(expected->step == got->step);
    for (size_t i = 0; i < got->count; i++) {
        fp_bar a = expected->bars[i], b = got->bars[i];
        if (a.distance != b.distance || a.positives != b.positives || a.negatives != b.negatives)
            fail_msg("%s: another bar at %.17g", spec, a.distance);
    }
}

/* Those with more than 65,537 different distances go over to the grid, and those with fewer do not; 1, 2 and 3
 * threads. */
static void counts_on_a_grid_are_what_distance_says(void **state) {
    (void)state;
    static const struct {
        const char *spec;
        double step;
    } ARMS[] = {{"cosine:features=chars:2,weight=tfidf", FP_HISTOGRAM_STEP},
                {"jaccard:measure=weighted,features=chars:2,weight=tfidf", FP_HISTOGRAM_STEP},
                {"projection:features=chars:2", FP_HISTOGRAM_STEP},
                {"jaccard:features=chars:2", 0}};
    made it = make_corpus(2100, 4, true);
    for (size_t a = 0; a < sizeof ARMS / sizeof *ARMS; a++) {
        fp_histogram expected = {.limit = FP_HISTOGRAM_LIMIT};
        for (int threads = 1; threads <= 3; threads++) {
            fp_measurement measurement;
            measure_over(&(fp_progress){.threads = threads}, &it, ARMS[a].spec, &measurement);
            if (threads == 1) expect(&it, &measurement, &expected);
            assert_true(measurement.histogram.step == ARMS[a].step);
            assert_equal_bars(ARMS[a].spec, &expected, &measurement.histogram);
            fp_measurement_free(&measurement);
        }
        fp_histogram_free(&expected);
    }
    fp_arena_free(it.arena);
}

/* Sets over several tiles of postings, some of the keys being frequent. */
static void sets_are_counted_over_tiles(void **state) {
    (void)state;
    made it = make_corpus(4200, 4, true);
    fp_histogram expected = {.limit = FP_HISTOGRAM_LIMIT};
    fp_measurement measurement;
    measure_over(&(fp_progress){.threads = 2}, &it, "jaccard:features=chars:3", &measurement);
    expect(&it, &measurement, &expected);
    assert_equal_bars("jaccard", &expected, &measurement.histogram);
    fp_measurement_free(&measurement);
    fp_histogram_free(&expected);
    fp_arena_free(it.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_on_a_grid_are_what_distance_says),
        cmocka_unit_test(sets_are_counted_over_tiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
