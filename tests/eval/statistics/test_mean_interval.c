/* SPDX-License-Identifier: GPL-3.0-or-later
 * The mean of independent pairs, by hand, and what has no interval. */
#include "eval/statistics/proportion_interval.h"
#include "tests/support.h"

#include "tests/eval/made_pairs.h"

static fp_mean mean_of(size_t count, const double *value, double confidence) {
    fp_arena *arena = fp_arena_new();
    fp_pair pairs[8];
    fp_resample resample;
    fp_mean mean;
    for (uint32_t i = 0; i < count; i++) pairs[i] = (fp_pair){2 * i, 2 * i + 1, i % 2};
    ASSERT_GOOD(fp_resample_make(pairs, count, NULL, 2 * count, FP_SAMPLING_PAIR, arena, &resample, &test_error));
    ASSERT_GOOD(fp_mean_of(&resample, value, confidence, arena, &mean, &test_error));
    fp_arena_free(arena);
    return mean;
}

/* 1, 2, 4, 5, 8: the mean is 4 and the squares off it 9 + 4 + 0 + 1 + 16 = 30, so that the error is √(30/4/5) = √1.5.
 * Student's quantiles with four degrees of freedom are in every table: 2.776 for 95%, 4.604 for 99%. */
static void the_textbooks(void **state) {
    (void)state;
    static const double VALUE[] = {1, 2, 4, 5, 8};
    fp_mean mean = mean_of(5, VALUE, 0.95), surer = mean_of(5, VALUE, 0.99);
    assert_true(near(mean.value, 4, 1e-12) && mean.units == 5);
    assert_true(near(mean.interval.high - 4, 2.776 * sqrt(1.5), 1e-3));
    assert_true(near(4 - mean.interval.low, 2.776 * sqrt(1.5), 1e-3));
    assert_true(near(surer.interval.high - 4, 4.604 * sqrt(1.5), 1e-3));
}

/* Shifted values shift it, and stretched ones stretch it. */
static void shifts_and_stretches(void **state) {
    (void)state;
    static const double VALUE[] = {1, 2, 4, 5, 8}, OTHER[] = {-97, -94, -88, -85, -76}; /* 3·x − 100 */
    fp_mean mean = mean_of(5, VALUE, 0.95), other = mean_of(5, OTHER, 0.95);
    assert_true(near(other.value, 3 * mean.value - 100, 1e-9));
    assert_true(near(other.interval.low, 3 * mean.interval.low - 100, 1e-9));
    assert_true(near(other.interval.high, 3 * mean.interval.high - 100, 1e-9));
}

/* 3 and 5: one degree of freedom, 12.706 times the error √(2/2). */
static void two_pairs_have_the_least(void **state) {
    (void)state;
    fp_mean mean = mean_of(2, (double[]){3, 5}, 0.95);
    assert_true(mean.value == 4 && mean.units == 2 && near(mean.interval.high - 4, 12.706, 1e-3));
}

/* Nothing, of no units. */
static void no_pairs_have_no_mean(void **state) {
    (void)state;
    fp_mean mean;
    fp_arena *arena = fp_arena_new();
    ASSERT_GOOD(fp_mean_of(&(fp_resample){.unit = FP_SAMPLING_PAIR}, NULL, 0.95, arena, &mean, &test_error));
    assert_true(isnan(mean.value) && isnan(mean.interval.low) && isnan(mean.interval.high) && mean.units == 0);
    fp_arena_free(arena);
}

static void one_pair_has_no_spread(void **state) {
    (void)state;
    fp_mean mean = mean_of(1, (double[]){7}, 0.95);
    assert_true(mean.value == 7 && isnan(mean.interval.low) && isnan(mean.interval.high));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_textbooks),
        cmocka_unit_test(shifts_and_stretches),
        cmocka_unit_test(two_pairs_have_the_least),
        cmocka_unit_test(no_pairs_have_no_mean),
        cmocka_unit_test(one_pair_has_no_spread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
