/* SPDX-License-Identifier: GPL-3.0-or-later
 * Intervals and differences: against closed forms, published examples and SciPy. */
#include <gsl/gsl_cdf.h>
#include <math.h>

#include "eval/statistics/difference.h"
#include "eval/statistics/effective.h"
#include "tests/support.h"

#include "tests/eval/made_pairs.h"
#include "tests/eval/whole_trials.h"

/* ---- Intervals ---- */

/* numpy 1.24, scipy 1.10: x = (arange(1, 1000)/1000)**2; z0 = norm.ppf((sum(x < t) + sum(x == t)/2)/999); levels =
 * norm.cdf(z0 + (z0 + z)/(1 - a*(z0 + z))); quantile(x, levels), for t = 0.25, a = 0.03 at 95% and t = 0.2, a = -0.05
 * at 90%; and quantile(x, [.025, .975]). */
static void bca_equals_scipy(void **state) {
    (void)state;
    double x[999];
    for (size_t i = 0; i < 999; i++) x[i] = (double)((i + 1) * (i + 1)) / 1e6;
    fp_interval found = fp_bootstrap_bca(x, 999, 0.25, 0.03, 0.95);
    assert_true(near(found.low, 0.0010898, 5e-8) && near(found.high, 0.96115432, 5e-9));
    found = fp_bootstrap_bca(x, 999, 0.2, -0.05, 0.9);
    assert_true(near(found.low, 3.85090169e-04, 5e-13) && near(found.high, 8.06253027e-01, 5e-10));
    found = fp_bootstrap_percentile(x, 999, 0.95);
    assert_true(near(found.low, 6.7345e-04, 1e-12) && near(found.high, 0.94877345, 1e-12));
    assert_true(isnan(fp_bootstrap_percentile(x, 0, 0.95).low));
}

/* With positives alone, recall over resampled independent pairs is a binomial share: its quantiles are known. */
static void percentiles_of_a_share_are_binomial(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    set *from = fp_arena_alloc(arena, 1, sizeof *from);
    make_set(from, APART, 400, 0, 9);
    for (size_t i = 0; i < 400; i++) {
        from->pairs[i].label = 1;
        from->distance[0][i] = from->distance[1][i] = i % 5 < 3 ? 1 : 9; /* 240 of 400 */
    }
    fp_resample resample;
    fp_bootstrap bootstrap;
    fp_estimate estimate;
    resample_set(from, NULL, FP_SAMPLING_AUTO, arena, &resample);
    run_set(from, &resample, 20000, arena, &bootstrap);
    ASSERT_GOOD(fp_bootstrap_estimate(&bootstrap, 0, (fp_measure){.row = &fp_measure_recall, .threshold = 2},
                                      FP_METHOD_PERCENTILE, 0.95, scratch, &estimate, &test_error));
    unsigned low = 0, high = 0;
    while (gsl_cdf_binomial_P(low, 0.6, 400) < 0.025) low++;
    while (gsl_cdf_binomial_P(high, 0.6, 400) < 0.975) high++;
    assert_true(near(estimate.interval.low, low / 400.0, 1.01 / 400) &&
                near(estimate.interval.high, high / 400.0, 1.01 / 400));
    assert_true(near(estimate.error, sqrt(0.6 * 0.4 / 400), 1e-12));
    /* Without negatives: no specificity, no ROC area, and precision is 1 with an interval of its own. */
    ASSERT_GOOD(fp_bootstrap_estimate(&bootstrap, 0, (fp_measure){.row = &fp_measure_roc_area, .threshold = 0},
                                      FP_METHOD_BCA, 0.95, scratch, &estimate, &test_error));
    assert_true(isnan(estimate.value) && isnan(estimate.interval.low) && isnan(estimate.error) &&
                estimate.undefined == 20000);
    ASSERT_GOOD(fp_bootstrap_estimate(&bootstrap, 0, (fp_measure){.row = &fp_measure_precision, .threshold = 2},
                                      FP_METHOD_BCA, 0.95, scratch, &estimate, &test_error));
    assert_true(estimate.value == 1 && estimate.interval.high == 1 &&
                estimate.interval.low == wilson_of(240, 240, 0.95).low);
    assert_int_equal(estimate.method, FP_METHOD_WILSON);
    fp_arena_free(scratch);
    fp_arena_free(arena);
}

/* For independent pairs the binomial methods are the plain ones. */
static void independent_pairs_get_plain_intervals(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    set *from = fp_arena_alloc(arena, 1, sizeof *from);
    make_set(from, APART, 500, 0, 12);
    fp_resample resample;
    fp_bootstrap bootstrap;
    resample_set(from, NULL, FP_SAMPLING_AUTO, arena, &resample);
    run_set(from, &resample, 10, arena, &bootstrap);
    for (size_t t = 0; t < LIMIT_COUNT; t++) {
        fp_confusion c = fp_bootstrap_counts(&bootstrap, 10, 0, t);
        fp_interval share = wilson_of(c.tp, c.tp + c.fp + c.fn, 0.95);
        fp_interval expected[] = {wilson_of(c.tp, c.tp + c.fp, 0.95),
                                  wilson_of(c.tp, c.tp + c.fn, 0.95),
                                  {2 * share.low / (1 + share.low), 2 * share.high / (1 + share.high)}};
        for (size_t k = 0; k < 3; k++) {
            fp_estimate found;
            static const fp_measure_row *const ROWS[] = {&fp_measure_precision, &fp_measure_recall, &fp_measure_f1};
            fp_measure measure = {.row = ROWS[k], .threshold = t};
            ASSERT_GOOD(
                fp_bootstrap_estimate(&bootstrap, 0, measure, FP_METHOD_WILSON, 0.95, scratch, &found, &test_error));
            if (c.tp + c.fp == 0 && k != 1) assert_true(isnan(found.interval.low));
            else
                assert_true(near(found.interval.low, expected[k].low, 1e-9) &&
                            near(found.interval.high, expected[k].high, 1e-9));
        }
        fp_estimate exact;
        fp_interval wanted = clopper_pearson_of(c.tp, c.tp + c.fn, 0.95);
        ASSERT_GOOD(fp_bootstrap_estimate(&bootstrap, 0, (fp_measure){.row = &fp_measure_recall, .threshold = t},
                                          FP_METHOD_CLOPPER_PEARSON, 0.95, scratch, &exact, &test_error));
        assert_true(near(exact.interval.low, wanted.low, 1e-9) && near(exact.interval.high, wanted.high, 1e-9));
    }
    fp_arena_free(scratch);
    fp_arena_free(arena);
}

/* Newcombe, Statistics in Medicine 17, 1998, pages 857 and 873: the exact interval of 81/263, 15/148, 0/20 and 1/29,
 * and method 10 for 56/70 − 48/80, 9/10 − 3/10 and 10/10 − 0/10. Also counts for which GSL's own inverse of the beta
 * distribution gives up. */
static void effective_intervals_of_newcombe(void **state) {
    (void)state;
    static const double EXACT[][4] = {
        {81, 263, 0.2527, 0.3676}, {15, 148, 0.0578, 0.1617}, {0, 20, 0, 0.1684}, {1, 29, 0.0009, 0.1776}};
    for (size_t i = 0; i < 4; i++) {
        fp_interval found = fp_clopper_pearson_effective(EXACT[i][0] / EXACT[i][1], EXACT[i][1], 0.95);
        assert_true(near(found.low, EXACT[i][2], 6e-5) && near(found.high, EXACT[i][3], 6e-5));
    }
    static const double DIFFERENCE[][6] = {
        {56, 70, 48, 80, 0.0524, 0.3339}, {9, 10, 3, 10, 0.1705, 0.8090}, {10, 10, 0, 10, 0.6075, 1}};
    for (size_t i = 0; i < 3; i++) {
        const double *row = DIFFERENCE[i];
        double a = row[0] / row[1], b = row[2] / row[3];
        fp_interval found =
            fp_square_and_add(a, fp_wilson_effective(a, row[1], 0.95), b, fp_wilson_effective(b, row[3], 0.95));
        assert_true(near(found.low, row[4], 6e-5) && near(found.high, row[5], 6e-5));
    }
    for (double trials = 3; trials < 1e12; trials *= 7) {
        for (double share = 0; share <= 1; share += 0.0625) {
            fp_interval exact = fp_clopper_pearson_effective(share, trials, 0.95),
                        wilson = fp_wilson_effective(share, trials, 0.95);
            assert_true(exact.low <= share && share <= exact.high && exact.low >= 0 && exact.high <= 1);
            if (trials > 1e4)
                assert_true(near(exact.low, wilson.low, 3 / trials) && near(exact.high, wilson.high, 3 / trials));
        }
    }
}

/* Forty stars of nine pairs with three right ones each: the stars do not vary, and neither do intervals jump when one
 * of them has four. */
static void equal_shares_are_no_ignorance(void **state) {
    (void)state;
    double width[2];
    for (int uneven = 0; uneven < 2; uneven++) {
        fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
        set *from = fp_arena_alloc(arena, 1, sizeof *from);
        make_set(from, STARS, 360, 0, 1);
        for (size_t i = 0; i < 360; i++) {
            from->pairs[i].label = 1;
            from->distance[0][i] = i % 9 < 3 + (size_t)(uneven && i < 9) ? 1 : 50;
        }
        fp_resample resample;
        fp_bootstrap bootstrap;
        fp_estimate recall;
        resample_set(from, NULL, FP_SAMPLING_PART, arena, &resample);
        run_set(from, &resample, 20, arena, &bootstrap);
        ASSERT_GOOD(fp_bootstrap_estimate(&bootstrap, 0, (fp_measure){.row = &fp_measure_recall, .threshold = 4},
                                          FP_METHOD_WILSON, 0.95, scratch, &recall, &test_error));
        width[uneven] = recall.interval.high - recall.interval.low;
        if (!uneven) assert_true(recall.trials == 360);
        fp_arena_free(scratch);
        fp_arena_free(arena);
    }
    assert_true(near(width[0] / width[1], 1, 0.02));
}

/* The same of a measure that is no proportion: all parts being alike, the variance is next to 0, and the interval is
 * that of independent pairs (delta method), within what Wilson's form makes of it. */
static void equal_parts_are_no_certainty(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    set *from = fp_arena_alloc(arena, 1, sizeof *from);
    make_set(from, STARS, 360, 0, 1);
    for (size_t i = 0; i < 360; i++) {
        from->pairs[i].label = i % 9 < 5;
        from->distance[0][i] = i % 9 < 3 ? 1 : 50;
    }
    fp_resample resample;
    fp_bootstrap bootstrap;
    fp_estimate estimate;
    fp_measure matthews;
    ASSERT_GOOD(fp_measure_find("matthews_correlation", 0, &matthews, &test_error));
    matthews.threshold = 4;
    resample_set(from, NULL, FP_SAMPLING_PART, arena, &resample);
    run_set(from, &resample, 20, arena, &bootstrap);
    ASSERT_GOOD(
        fp_bootstrap_estimate(&bootstrap, 0, matthews, FP_METHOD_WILSON, 0.95, scratch, &estimate, &test_error));
    /* 120 of 200 duplicates are called and no other pair is: recall R = 0.6, and with 160 negatives the correlation is
     * √(160R/(360 − 200R)), whose derivative by R is its half times (1/R + 200/(360 − 200R)). */
    double value = sqrt(160 * 0.6 / 240), slope = value / 2 * (1 / 0.6 + 200. / 240);
    double half = 1.96 * slope * sqrt(0.6 * 0.4 / 200);
    assert_true(near(estimate.value, value, 1e-12));
    assert_true(near((estimate.interval.high - estimate.interval.low) / (2 * half), 1, 0.35));
    fp_arena_free(scratch);
    fp_arena_free(arena);
}

/* A measure that is not defined in most replicates has no interval; one that is always right has one that is not a
 * point. */
static void small_sets_say_what_they_can(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    set *from = fp_arena_alloc(arena, 1, sizeof *from);
    make_set(from, APART, 5, 0, 1);
    for (size_t i = 0; i < 5; i++) {
        from->pairs[i].label = i == 0;
        from->distance[0][i] = i == 0 ? 1 : 20;
        from->distance[1][i] = 30;
    }
    fp_resample resample;
    fp_bootstrap bootstrap;
    fp_estimate estimate;
    resample_set(from, NULL, FP_SAMPLING_AUTO, arena, &resample);
    run_set(from, &resample, 500, arena, &bootstrap);
    ASSERT_GOOD(fp_bootstrap_estimate(&bootstrap, 1, (fp_measure){.row = &fp_measure_precision, .threshold = 3},
                                      FP_METHOD_BCA, 0.95, scratch, &estimate, &test_error));
    assert_true(isnan(estimate.value) && isnan(estimate.interval.low) && estimate.undefined == 500);
    ASSERT_GOOD(fp_bootstrap_estimate(&bootstrap, 0, (fp_measure){.row = &fp_measure_average_precision, .threshold = 0},
                                      FP_METHOD_BCA, 0.95, scratch, &estimate, &test_error));
    /* The one positive is missing from a replicate with probability 0.8⁵ = 0.33. */
    assert_true(estimate.undefined > 120 && estimate.undefined < 210);
    assert_true(estimate.value == 1 && near(estimate.interval.low, wilson_of(1, 1, 0.95).low, 1e-12) &&
                estimate.interval.high == 1);
    fp_bootstrap_options none = {.replicates = 0};
    const double *distances[] = {from->distance[0]};
    assert_int_equal(fp_bootstrap_run(&resample, &(fp_paired_distances){from->pairs, distances, 1}, &none, NULL, arena,
                                      &bootstrap, &test_error),
                     FP_ERROR_RANGE);
    fp_arena_free(scratch);
    fp_arena_free(arena);
}

/* ---- Differences ---- */

/* Among independent positives the difference of two recalls has the variance (b + c − (b − c)²/n)/n² (Fleiss 1981,
 * section 8.2). */
static void paired_differences(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    set *from = fp_arena_alloc(arena, 1, sizeof *from);
    make_set(from, APART, 300, 0, 13);
    for (size_t i = 0; i < 300; i++) { /* only the first right: 60, only the second: 30 */
        from->pairs[i].label = 1;
        from->distance[0][i] = i % 10 < 6 ? 1 : 9;
        from->distance[1][i] = i % 10 < 4 || i % 10 == 9 ? 1 : 9;
    }
    fp_resample resample;
    fp_bootstrap bootstrap;
    fp_difference found;
    resample_set(from, NULL, FP_SAMPLING_AUTO, arena, &resample);
    run_set(from, &resample, 4000, arena, &bootstrap);
    fp_measure recall = {.row = &fp_measure_recall, .threshold = 4};
    ASSERT_GOOD(fp_difference_of(&bootstrap, (fp_side){0, recall}, (fp_side){1, recall}, FP_METHOD_PERCENTILE, 0.95,
                                 scratch, &found, &test_error));
    double error = sqrt(90 - 30.0 * 30 / 300) / 300;
    assert_true(near(found.value, 0.1, 1e-12) && near(found.error, error, 1e-12));
    assert_true(near(found.interval.low, 0.1 - 1.96 * error, 0.004) &&
                near(found.interval.high, 0.1 + 1.96 * error, 0.004));
    assert_true(near(found.p, 2 * gsl_cdf_ugaussian_Q(0.1 / error), 0.001));
    ASSERT_GOOD(fp_difference_of(&bootstrap, (fp_side){0, recall}, (fp_side){0, recall}, FP_METHOD_BCA, 0.95, scratch,
                                 &found, &test_error));
    assert_true(found.value == 0 && found.p == 1);
    /* 60 against 45: a difference that may be chance, p about 0.14, a little more because replicates of exactly 0 count
     * on both sides. */
    for (size_t i = 0; i < 300; i++)
        if (i % 20 == 0) from->distance[0][i] = 9;
    fp_arena_reset(scratch);
    run_set(from, &resample, 4000, arena, &bootstrap);
    ASSERT_GOOD(fp_difference_of(&bootstrap, (fp_side){0, recall}, (fp_side){1, recall}, FP_METHOD_BCA, 0.95, scratch,
                                 &found, &test_error));
    double expected = 2 * gsl_cdf_ugaussian_Q(found.value / found.error);
    assert_true(near(found.value, 0.05, 1e-12) && expected > 0.1 && near(found.p, expected, 0.04));
    fp_measure precision = {.row = &fp_measure_precision, .threshold = 4};
    ASSERT_GOOD(fp_difference_of(&bootstrap, (fp_side){0, precision}, (fp_side){1, precision}, FP_METHOD_BCA, 0.95,
                                 scratch, &found, &test_error));
    assert_true(found.value == 0 && found.p == 1 && found.interval.low < 0 && found.interval.high > 0);
    fp_arena_free(scratch);
    fp_arena_free(arena);
}

/* The documentation of pingouin's `holm`, and of stdlib's `padjust`; NaN as in R's p.adjust. */
static void holm_examples(void **state) {
    (void)state;
    double p[6] = {.50, .003, .32, NAN, .054, .0003}, adjusted[6];
    static const double EXPECTED[6] = {0.64, 0.012, 0.64, NAN, 0.162, 0.0015};
    ASSERT_GOOD(fp_holm(p, 6, NULL, adjusted, &test_error));
    for (size_t i = 0; i < 6; i++) assert_true(i == 3 ? isnan(adjusted[i]) : near(adjusted[i], EXPECTED[i], 1e-12));
    double q[5] = {0.319, 0.201, 0.4, 0.374, 0.113};
    static const double SECOND[5] = {0.957, 0.804, 0.957, 0.957, 0.565};
    ASSERT_GOOD(fp_holm(q, 5, NULL, q, &test_error));
    for (size_t i = 0; i < 5; i++) assert_true(near(q[i], SECOND[i], 1e-12));
    ASSERT_GOOD(fp_holm(q, 0, NULL, q, &test_error));
}

/* Student's table: t is 2.045 at 97.5% with 29 degrees of freedom, 4.303 with 2. */
static void few_units_widen(void **state) {
    (void)state;
    assert_true(fp_widening(FP_SAMPLING_PAIR, 3, 0.95) == 1 && isinf(fp_widening(FP_SAMPLING_GROUP, 1, 0.95)));
    assert_true(near(fp_widening(FP_SAMPLING_GROUP, 30, 0.95), sqrt(30.0 / 29) * 2.045 / 1.96, 5e-4));
    assert_true(near(fp_widening(FP_SAMPLING_DOCUMENT, 3, 0.95), sqrt(1.5) * 4.303 / 1.96, 5e-4));
}

/* Where both rates rise and fall together, the interval of precision at a prevalence is as wide as its own variance
 * says on the scale of log odds. */
static void precision_at_knows_the_correlation(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    set *from = fp_arena_alloc(arena, 1, sizeof *from);
    make_set(from, STARS, 1998, 0, 15);
    for (size_t i = 0; i < 1998; i++)
        from->distance[0][i] += 3 * (double)(i / 9 % 4); /* far stars are far in all pairs */
    fp_resample resample;
    fp_bootstrap bootstrap;
    fp_estimate found;
    resample_set(from, NULL, FP_SAMPLING_AUTO, arena, &resample);
    run_set(from, &resample, 1, arena, &bootstrap);
    ASSERT_GOOD(fp_bootstrap_estimate(&bootstrap, 0, (fp_measure){&fp_measure_precision_at, 9, 0.1, false},
                                      FP_METHOD_WILSON, 0.95, scratch, &found, &test_error));
    double q = found.value, low = found.interval.low, high = found.interval.high;
    double width = log(high / (1 - high)) - log(low / (1 - low)), expected = 2 * 1.96 * found.error / (q * (1 - q));
    assert_true(near(width / expected, 1, 0.06));
    fp_arena_free(scratch);
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bca_equals_scipy),
        cmocka_unit_test(percentiles_of_a_share_are_binomial),
        cmocka_unit_test(independent_pairs_get_plain_intervals),
        cmocka_unit_test(effective_intervals_of_newcombe),
        cmocka_unit_test(equal_shares_are_no_ignorance),
        cmocka_unit_test(equal_parts_are_no_certainty),
        cmocka_unit_test(small_sets_say_what_they_can),
        cmocka_unit_test(paired_differences),
        cmocka_unit_test(holm_examples),
        cmocka_unit_test(few_units_widen),
        cmocka_unit_test(precision_at_knows_the_correlation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
