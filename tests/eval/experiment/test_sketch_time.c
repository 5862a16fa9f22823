/* SPDX-License-Identifier: GPL-3.0-or-later
 * The interval of an arm's time: by hand, by the law that its slices make the whole, and where there is too little. */
#include <math.h>

#include "eval/experiment/experiment.h"
#include "tests/support.h"

/* 10, 20, … 100 µs a document: the mean is 55, the variance of the sample 8250/9 = 916.67, the error of the mean
 * √91.667 = 9.5743, and Student's t of 9 degrees at 97.5 % is 2.262157 (any table): 55 ± 21.6586 µs, times 1000. */
static void by_hand(void **state) {
    (void)state;
    fp_measurement measurement = {.sketches = {.count = 1000}};
    for (int s = 0; s < FP_PIPELINE_SLICES; s++) {
        measurement.sketch_slices[s] = 100 * (s + 1) * 10e-6;
        measurement.sketch_seconds += measurement.sketch_slices[s];
    }
    fp_interval found = fp_measurement_sketch_interval(&measurement, 0.95);
    assert_true(fabs(found.low - (55 - 21.6586) * 1e-3) < 1e-7 && fabs(found.high - (55 + 21.6586) * 1e-3) < 1e-7);
    /* Slices alike, and slices of other sizes with the same time a document: no spread. */
    measurement = (fp_measurement){.sketches = {.count = 25}, .sketch_seconds = 25e-6};
    for (size_t i = 0; i < 25; i++) measurement.sketch_slices[fp_pipeline_slice(i, 25)] += 1e-6;
    found = fp_measurement_sketch_interval(&measurement, 0.95);
    assert_true(fabs(found.low - 25e-6) < 1e-12 && fabs(found.high - 25e-6) < 1e-12);
    /* No time is below 0, and one document a slice says nothing. */
    measurement = (fp_measurement){.sketches = {.count = 20}, .sketch_seconds = 1, .sketch_slices = {1}};
    assert_true(fp_measurement_sketch_interval(&measurement, 0.95).low == 0);
    measurement.sketches.count = 19;
    assert_true(isnan(fp_measurement_sketch_interval(&measurement, 0.95).low));
}

static void slices_cover_the_texts_in_order(void **state) {
    (void)state;
    static const size_t COUNTS[] = {10, 20, 99, 1000, 12345};
    for (size_t c = 0; c < sizeof COUNTS / sizeof *COUNTS; c++) {
        size_t last = 0, seen[FP_PIPELINE_SLICES] = {0};
        for (size_t i = 0; i < COUNTS[c]; i++) {
            size_t slice = fp_pipeline_slice(i, COUNTS[c]);
            assert_true(slice < FP_PIPELINE_SLICES && (slice == last || slice == last + 1));
            seen[last = slice]++;
        }
        for (int s = 0; s < FP_PIPELINE_SLICES; s++)
            assert_true(seen[s] * 10 + 10 > COUNTS[c] && seen[s] * 10 < COUNTS[c] + 10);
    }
    assert_int_equal(fp_pipeline_slice(1023, SIZE_MAX), 0);
    assert_int_equal(fp_pipeline_slice(1024 * 11, SIZE_MAX), 1);
}

/* An arm that learns its IDF, and one that learns a model as well, beside one that learns nothing. */
static void slices_make_the_whole(void **state) {
    (void)state;
    static const char *const SPECS[] = {"simhash:weight=tfidf", "simhash:center=mean", "minhash"};
    fp_arena *arena = fp_arena_new();
    fp_corpus corpus;
    fp_arm *arms[3];
    fp_measurement measured[3];
    ASSERT_GOOD(fp_corpus_read("tests/data/newswire-zh", NULL, arena, &corpus, &test_error));
    for (int i = 0; i < 3; i++) ASSERT_GOOD(fp_arm_parse(SPECS[i], NULL, arena, arms + i, &test_error));
    ASSERT_GOOD(fp_experiment(&corpus, arms, 3, NULL, arena, measured, &test_error));
    for (int i = 0; i < 3; i++) {
        double sum = 0;
        for (int s = 0; s < FP_PIPELINE_SLICES; s++) {
            assert_true(measured[i].sketch_slices[s] > 0);
            sum += measured[i].sketch_slices[s];
        }
        assert_true(fabs(sum - measured[i].sketch_seconds) < 1e-9 * sum);
        fp_interval found = fp_measurement_sketch_interval(measured + i, 0.95);
        assert_true(found.low >= 0 && found.low < measured[i].sketch_seconds &&
                    found.high > measured[i].sketch_seconds);
        fp_measurement_free(measured + i);
    }
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(slices_cover_the_texts_in_order),
        cmocka_unit_test(slices_make_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
