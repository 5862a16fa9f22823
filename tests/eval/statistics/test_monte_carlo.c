/* SPDX-License-Identifier: GPL-3.0-or-later
 * Monte Carlo errors against what replicates drawn again do, and replicates that are drawn on. */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sort.h>
#include <math.h>

#include "eval/statistics/difference.h"
#include "eval/statistics/bootstrap.h"
#include "tests/support.h"

#include "tests/eval/made_pairs.h"

/* A quantile of n has the error √(q(1 − q)/n)/f there (Davison, Hinkley 1997, section 2.5.2). */
static void quantiles_of_the_normal_law(void **state) {
    (void)state;
    enum { COUNT = 20000 };
    static double sorted[COUNT];
    for (size_t i = 0; i < COUNT; i++) sorted[i] = gsl_cdf_ugaussian_Pinv(((double)i + 0.5) / COUNT);
    fp_interval error = fp_bootstrap_percentile_error(sorted, COUNT, 0.95);
    double expected = sqrt(0.025 * 0.975 / COUNT) / gsl_ran_ugaussian_pdf(gsl_cdf_ugaussian_Pinv(0.025));
    assert_true(near(error.low, expected, 0.01 * expected) && near(error.high, expected, 0.01 * expected));
    assert_true(isnan(fp_bootstrap_percentile_error(sorted, 0, 0.95).low));
}

/* Where many replicates are equal, interpolation rounds two equal quantiles differently: no error is below zero. */
static void equal_replicates_have_no_error(void **state) {
    (void)state;
    enum { COUNT = 1000 };
    static double sorted[COUNT];
    for (int value = 1; value < 200; value++) {
        for (size_t i = 0; i < COUNT; i++) sorted[i] = value / 200.0 * 1.0009;
        fp_interval error = fp_bootstrap_percentile_error(sorted, COUNT, 0.95);
        assert_true(error.low >= 0 && error.low < 1e-15 && error.high >= 0 && error.high < 1e-15);
    }
}

typedef struct moments {
    double sum, squares, claimed;
} moments;

static void add(moments *to, double value, double error) {
    to->sum += value;
    to->squares += value * value;
    to->claimed += error;
}

/* The mean of the errors that were claimed, over the deviation that there was. */
static double ratio_of(const moments *of, double times) {
    double mean = of->sum / times;
    return of->claimed / times / sqrt(of->squares / times - mean * mean);
}

/* 1,000 replicates 1,000 times: the deviation of a limit, and of p, is known to 2.2%, and each claimed error varies by
 * itself; 10% is more than four deviations of the ratio. z₀ is off by as much as the observed value is off the middle.
 */
static void as_replicates_drawn_again_have_it(void **state) {
    (void)state;
    enum { TIMES = 1000, COUNT = 1000 };
    static double drawn[COUNT];
    moments percentile[2] = {{0}}, bca[2] = {{0}}, p = {0};
    fp_arena *arena = fp_arena_new();
    gsl_rng generator = {gsl_rng_mt19937, fp_arena_alloc(arena, 1, gsl_rng_mt19937->size)};
    gsl_rng_set(&generator, 7);
    for (int t = 0; t < TIMES; t++) {
        for (size_t i = 0; i < COUNT; i++) drawn[i] = 1.9 + gsl_ran_ugaussian(&generator);
        gsl_sort(drawn, 1, COUNT);
        fp_interval found = fp_bootstrap_percentile(drawn, COUNT, 0.95),
                    error = fp_bootstrap_percentile_error(drawn, COUNT, 0.95);
        add(percentile, found.low, error.low);
        add(percentile + 1, found.high, error.high);
        found = fp_bootstrap_bca(drawn, COUNT, 2, 0.05, 0.95);
        error = fp_bootstrap_bca_error(drawn, COUNT, 2, 0.05, 0.95);
        add(bca, found.low, error.low);
        add(bca + 1, found.high, error.high);
        fp_replicates of = {.observed = 1.9,
                            .count = COUNT,
                            .drawn = drawn,
                            .spread = {.variance = 1, .resampled = 1, .freedom = 30, .units = 60}};
        add(&p, fp_difference_p(&of), fp_difference_p_error(&of));
    }
    double ratios[] = {ratio_of(percentile, TIMES), ratio_of(percentile + 1, TIMES), ratio_of(bca, TIMES),
                       ratio_of(bca + 1, TIMES), ratio_of(&p, TIMES)};
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++)
        if (!near(ratios[i], 1, 0.1)) fail_msg("error %zu is %.3f of what it should be", i, ratios[i]);
    fp_arena_free(arena);
}

/* Worked by hand, at 0.05. Three tests: 0.01 is held against 0.05/3, 0.02 against 0.025, 0.2 against 0.05. */
static void verdicts_by_hand(void **state) {
    (void)state;
    static const struct {
        double p[4], error[4];
        size_t unsettled;
    } CASES[] = {
        {{0.2, 0.01, NAN, 0.02}, {0.01, 0.001, 0, 0.001}, 0},
        {{0.2, 0.01, NAN, 0.02}, {0.01, 0.003, 0, 0.001}, 1}, /* 0.0067 away from 0.0167 */
        {{0.2, 0.01, NAN, 0.02}, {0.06, 0.003, 0, 0.002}, 3},
        {{0.2, 0.03, 0.051, 0.04}, {0, 0, 0.01, 0.01}, 0}, /* the first is not rejected, and so is no other */
        {{0.2, 0.013, 0.051, 0.04}, {0, 0.001, 0.02, 0}, 1},
        {{0.2, 0.013, 0.051, 0.04}, {0, 0.001, 0.02, 0.01}, 3}, /* what follows one that may go either way counts */
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        size_t unsettled = 99;
        fp_drawn_tests tests = {CASES[i].p, CASES[i].error, 4};
        ASSERT_GOOD(fp_holm_unsettled(&tests, 0.05, NULL, &unsettled, &test_error));
        assert_int_equal(unsettled, CASES[i].unsettled);
    }
}

/* 300 replicates drawn on to 700 are those of 700 at once. */
static void drawn_on_as_at_once(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    set *from = fp_arena_alloc(arena, 1, sizeof *from);
    fp_resample resample;
    fp_bootstrap some, all;
    make_set(from, GROUPED, 600, 300, 5);
    resample_set(from, from->group, FP_SAMPLING_AUTO, arena, &resample);
    run_set(from, &resample, 300, arena, &some);
    run_set(from, &resample, 700, arena, &all);
    ASSERT_GOOD(fp_bootstrap_extend(&some, 700, NULL, arena, &test_error));
    assert_int_equal(some.replicates, 700);
    size_t rows = 701 * all.arm_count;
    assert_memory_equal(some.totals, all.totals, rows * sizeof *all.totals);
    assert_memory_equal(some.called, all.called, rows * all.options.threshold_count * sizeof *all.called);
    assert_memory_equal(some.values, all.values, rows * all.options.ranked_count * sizeof *all.values);
    ASSERT_GOOD(fp_bootstrap_extend(&some, 500, NULL, arena, &test_error));
    assert_int_equal(some.replicates, 700);
    assert_int_equal(fp_bootstrap_affordable(&some, 16000), 16000);
    some.options.threshold_count = 4097; /* a row of an arm is 65 kB, and there are two */
    size_t fewer = fp_bootstrap_affordable(&some, 16000);
    assert_true(fewer > 1800 && fewer < 2100);
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(quantiles_of_the_normal_law),
                                       cmocka_unit_test(equal_replicates_have_no_error),
                                       cmocka_unit_test(as_replicates_drawn_again_have_it),
                                       cmocka_unit_test(verdicts_by_hand), cmocka_unit_test(drawn_on_as_at_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
