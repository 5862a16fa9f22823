/* SPDX-License-Identifier: GPL-3.0-or-later
 * Intervals and differences: against closed forms, published examples and SciPy. */
#include <gsl/gsl_cdf.h>
#include <math.h>

#include "eval/statistics/spread.h"
#include "eval/statistics/difference.h"
#include "eval/statistics/proportion_interval.h"
#include "tests/support.h"

#include "tests/eval/made_pairs.h"
#include "tests/eval/share_law.h"
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

/* With positives alone, recall over resampled independent pairs is a binomial share: its quantiles are known. The
 * interval is longer than theirs by Student's t with 399 degrees of freedom. */
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
    double wider = gsl_cdf_tdist_Pinv(0.975, 399) / gsl_cdf_ugaussian_Pinv(0.975);
    assert_true(near(estimate.interval.low, 0.6 + wider * (low / 400.0 - 0.6), 1.01 / 400) &&
                near(estimate.interval.high, 0.6 + wider * (high / 400.0 - 0.6), 1.01 / 400));
    assert_true(near(estimate.error, sqrt(0.6 * 0.4 / 400), 1e-12));
    /* Without negatives: no specificity, no ROC area, and precision is 1 with an interval of its own. */
    ASSERT_GOOD(fp_bootstrap_estimate(&bootstrap, 0, (fp_measure){.row = &fp_measure_roc_area, .threshold = 0},
                                      FP_METHOD_BCA, 0.95, scratch, &estimate, &test_error));
    assert_true(isnan(estimate.value) && isnan(estimate.interval.low) && isnan(estimate.error) &&
                estimate.undefined == 20000);
    ASSERT_GOOD(fp_bootstrap_estimate(&bootstrap, 0, (fp_measure){.row = &fp_measure_precision, .threshold = 2},
                                      FP_METHOD_BCA, 0.95, scratch, &estimate, &test_error));
    assert_true(estimate.value == 1 && estimate.interval.high == 1 &&
                near(estimate.interval.low, mid_p_of(240, 240, 0.95).low, 1e-9));
    assert_int_equal(estimate.method, FP_METHOD_MID_P);
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
        fp_interval share = mid_p_of(c.tp, c.tp + c.fp + c.fn, 0.95);
        fp_interval expected[] = {mid_p_of(c.tp, c.tp + c.fp, 0.95),
                                  mid_p_of(c.tp, c.tp + c.fn, 0.95),
                                  {2 * share.low / (1 + share.low), 2 * share.high / (1 + share.high)}};
        for (size_t k = 0; k < 3; k++) {
            fp_estimate found;
            static const fp_measure_row *const ROWS[] = {&fp_measure_precision, &fp_measure_recall, &fp_measure_f1};
            fp_measure measure = {.row = ROWS[k], .threshold = t};
            ASSERT_GOOD(
                fp_bootstrap_estimate(&bootstrap, 0, measure, FP_METHOD_MID_P, 0.95, scratch, &found, &test_error));
            if (c.tp + c.fp == 0 && k == 0) assert_true(isnan(found.interval.low));
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

/* Forty stars of nine pairs with three right ones each: the stars do not vary, and the variance is half of that of
 * independent pairs, 720 trials. Where one star has four, it still is; that one star is all that varies, so that the
 * variance has two degrees of freedom, and five that are known, instead of 39. */
static void equal_shares_are_no_certainty(void **state) {
    (void)state;
    fp_estimate recall[2];
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
        resample_set(from, NULL, FP_SAMPLING_PART, arena, &resample);
        run_set(from, &resample, 0, arena, &bootstrap);
        ASSERT_GOOD(fp_bootstrap_estimate(&bootstrap, 0, (fp_measure){.row = &fp_measure_recall, .threshold = 4},
                                          FP_METHOD_MID_P, 0.95, scratch, recall + uneven, &test_error));
        fp_arena_free(scratch);
        fp_arena_free(arena);
    }
    assert_true(near(recall[0].trials, 720, 1e-9) && near(recall[1].trials, 720, 1));
    assert_true(recall[0].units == 40 && recall[1].units == 40 && !recall[0].few && !recall[1].few);
    double wider = gsl_cdf_tdist_Pinv(0.975, 5 + 2) / gsl_cdf_tdist_Pinv(0.975, 39);
    double length[2] = {recall[0].interval.high - recall[0].interval.low,
                        recall[1].interval.high - recall[1].interval.low};
    assert_true(near(length[1] / length[0], wider, 0.03));
}

/* Nothing found is the mirror of nothing missed: one star more of nine, all of which are found, or missed. The truth
 * that none of 40 stars shows with a chance of 2.5%, half of it counted, is 1 − 0.05^(1/40). */
static void no_success_is_one_more_star(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    set *from = fp_arena_alloc(arena, 1, sizeof *from);
    static const size_t FOUND[] = {0, 360, 1, 9}; /* in all, from the first star on */
    enum { CASES = sizeof FOUND / sizeof *FOUND };
    fp_estimate recall[CASES];
    make_set(from, STARS, 360, 0, 1);
    for (size_t k = 0; k < CASES; k++) {
        for (size_t i = 0; i < 360; i++) {
            from->pairs[i].label = 1;
            from->distance[0][i] = i < FOUND[k] ? 1 : 50;
        }
        fp_resample resample;
        fp_bootstrap bootstrap;
        resample_set(from, NULL, FP_SAMPLING_PART, arena, &resample);
        run_set(from, &resample, 0, arena, &bootstrap);
        ASSERT_GOOD(fp_bootstrap_estimate(&bootstrap, 0, (fp_measure){.row = &fp_measure_recall, .threshold = 4},
                                          FP_METHOD_MID_P, 0.95, scratch, recall + k, &test_error));
    }
    assert_true(recall[0].value == 0 && recall[1].value == 1 && recall[0].interval.low == 0);
    assert_true(near(recall[0].interval.high, 1 - recall[1].interval.low, 1e-9));
    double single = 1 - pow(0.05, 1 / 40.0); /* and a little more, for Student's t */
    assert_true(recall[0].interval.high > single && recall[0].interval.high < 1.1 * single);
    /* The first pair that is found is no jump, nor is a star. */
    assert_true(near(recall[2].interval.high / recall[0].interval.high, 1, 0.1));
    assert_true(recall[3].interval.high > recall[2].interval.high);
    fp_arena_free(scratch);
    fp_arena_free(arena);
}

static double correlation_of(double tp, double fp, double fn, double tn) {
    return (tp * tn - fp * fn) / sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn));
}

/* The same of a measure that is no proportion: all parts being alike, the variance is half of that of
 * independent pairs (delta method), with Student's t of 39 degrees of freedom, and one part more. */
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
    ASSERT_GOOD(fp_bootstrap_estimate(&bootstrap, 0, matthews, FP_METHOD_MID_P, 0.95, scratch, &estimate, &test_error));
    /* 120 of 200 duplicates are called and no other pair is: r = √(TP·TN/((TP + FN)(TN + FN))) with TP = 120, FN = 80
     * and TN = 160, whose logarithm has the derivatives ½(1/TP − 1/(TP + FN)), −½(1/(TP + FN) + 1/(TN + FN)) and ½(1/TN
     * − 1/(TN + FN)). */
    double value = sqrt(120 * 160. / (200 * 240)), found = (1 / 120. - 1 / 200.) / 2,
           missed = (1 / 200. + 1 / 240.) / 2, passed = (1 / 160. - 1 / 240.) / 2;
    double error = value * sqrt((120 * found * found + 80 * missed * missed + 160 * passed * passed) / 2);
    assert_true(near(estimate.value, value, 1e-12) && near(estimate.error, error, 1e-9));
    /* On the range −1 to 1. One part more has five duplicates, which are lost, or as many found as elsewhere, and four
     * others, as many of which are called, or none: the least and the most that comes of it. */
    double least = fmin(correlation_of(120, 0, 85, 160), correlation_of(120, 2.4, 80, 160)),
           most = fmax(correlation_of(123, 0, 80, 160), correlation_of(120, 0, 80, 164)), share = (value + 1) / 2;
    fp_share_spread spread = {.variance = error * error / 4,
                              .independent = error * error / 2,
                              .wider = gsl_cdf_tdist_Pinv(0.975, 39) / gsl_cdf_ugaussian_Pinv(0.975),
                              .wrong = share / ((least + 1) / 2) - 1,
                              .right = ((most + 1) / 2 - share) / (1 - (most + 1) / 2)};
    fp_interval law = share_by_law(share, &spread, 0.95, false);
    assert_true(near(estimate.interval.low, 2 * law.low - 1, 1e-9) &&
                near(estimate.interval.high, 2 * law.high - 1, 1e-9));
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
    /* It is missing for the other arm in the same replicates, and so from their difference. */
    fp_measure average = {.row = &fp_measure_average_precision};
    fp_difference difference;
    ASSERT_GOOD(fp_difference_of(&bootstrap, (fp_side){0, average}, (fp_side){1, average}, FP_METHOD_PERCENTILE, 0.95,
                                 scratch, &difference, &test_error));
    assert_int_equal(difference.undefined, estimate.undefined);
    /* One positive more, lost: a law with the mean ½ and the variance ⅛, wider by Student's t with four degrees of
     * freedom, 2.776 (table), over the normal 1.960. Half of it lies below. */
    double wider = pow(gsl_cdf_tdist_Pinv(0.975, 4) / gsl_cdf_ugaussian_Pinv(0.975), 2);
    assert_true(near(gsl_cdf_tdist_Pinv(0.975, 4), 2.776, 5e-4));
    assert_true(estimate.value == 1 && estimate.interval.high == 1 && estimate.method == FP_METHOD_MID_P &&
                near(gsl_cdf_beta_P(estimate.interval.low, 1 / wider, 1 / wider), 0.05, 1e-9));
    /* Without replicates the same; and there is nothing that BCa could be made of. */
    fp_estimate alone;
    run_set(from, &resample, 0, arena, &bootstrap);
    ASSERT_GOOD(fp_bootstrap_estimate(&bootstrap, 0, (fp_measure){.row = &fp_measure_average_precision, .threshold = 0},
                                      FP_METHOD_MID_P, 0.95, scratch, &alone, &test_error));
    assert_true(alone.interval.low == estimate.interval.low && alone.interval.high == 1 && alone.undefined == 0);
    from->distance[0][2] = 1;
    run_set(from, &resample, 0, arena, &bootstrap);
    ASSERT_GOOD(fp_bootstrap_estimate(&bootstrap, 0, (fp_measure){.row = &fp_measure_average_precision, .threshold = 0},
                                      FP_METHOD_BCA, 0.95, scratch, &alone, &test_error));
    assert_true(alone.value == 0.5 && isnan(alone.interval.low));
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
    /* 60 sums of 1, 30 of −1 and 210 of 0, each less 0.1. */
    double freedom = 5 + 2 / ((60 * pow(0.9, 4) + 30 * pow(1.1, 4) + 210 * pow(0.1, 4)) / (87. * 87) - 1. / 300);
    ASSERT_GOOD(fp_difference_of(&bootstrap, (fp_side){0, recall}, (fp_side){1, recall}, FP_METHOD_MID_P, 0.95, scratch,
                                 &found, &test_error));
    /* One positive more that the first alone finds adds 0.9/300, one that the second alone finds takes 1.1/300. */
    double wider = sqrt(error * error + (0.9 * 0.9 + 1.1 * 1.1) / 2 / (300 * 300.));
    double half = gsl_cdf_tdist_Pinv(0.975, freedom) * wider;
    assert_true(near(found.interval.low, 0.1 - half, 1e-9) && near(found.interval.high, 0.1 + half, 1e-9) &&
                near(found.p, 2 * gsl_cdf_tdist_Q(0.1 / wider, freedom), 1e-12) && near(found.error, error, 1e-12));
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

/* Student's table: t is 2.045 at 97.5% with 29 degrees of freedom, 4.303 with 2. A spread has five more than its units
 * show, but no more than U − 1. */
static void few_units_widen(void **state) {
    (void)state;
    assert_true(fp_by_student(INFINITY, 0.95) == 1 && isinf(fp_by_student(0, 0.95)));
    assert_true(near(fp_by_student(29, 0.95), 2.045 / 1.96, 5e-4) && near(fp_by_student(2, 0.95), 4.303 / 1.96, 5e-4));
    assert_true(fp_dyadic_freedom(&(fp_dyadic){.units = 30, .freedom = INFINITY}) == 29 &&
                fp_dyadic_freedom(&(fp_dyadic){.units = 30, .freedom = 3}) == 8 &&
                fp_dyadic_freedom(&(fp_dyadic){.units = 1, .freedom = 3}) == 0);
}

/* Stars that alternate between six and three of nine duplicates found: `few` follows the effective units, about U, and
 * one unit has no interval. */
static void few_units_are_marked(void **state) {
    (void)state;
    static const size_t STAR_COUNTS[] = {1, 2, 4, 6, 10, 12, 40};
    for (size_t k = 0; k < sizeof STAR_COUNTS / sizeof *STAR_COUNTS; k++) {
        fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
        set *from = fp_arena_alloc(arena, 1, sizeof *from);
        size_t stars = STAR_COUNTS[k];
        make_set(from, STARS, 9 * stars, 0, 1);
        for (size_t i = 0; i < 9 * stars; i++) {
            from->pairs[i].label = 1;
            from->distance[0][i] = i % 9 < (i / 9 % 2 ? 3 : 6) + (size_t)(i / 9 == 1) ? 1 : 50;
        }
        fp_resample resample;
        fp_bootstrap bootstrap;
        fp_estimate recall;
        resample_set(from, NULL, FP_SAMPLING_PART, arena, &resample);
        run_set(from, &resample, 0, arena, &bootstrap);
        ASSERT_GOOD(fp_bootstrap_estimate(&bootstrap, 0, (fp_measure){.row = &fp_measure_recall, .threshold = 4},
                                          FP_METHOD_MID_P, 0.95, scratch, &recall, &test_error));
        assert_int_equal(recall.few, stars < FP_FEW_UNITS);
        assert_int_equal(isnan(recall.interval.low), stars == 1);
        assert_true(stars == 1 || (recall.interval.low < recall.value && recall.value < recall.interval.high));
        fp_arena_free(scratch);
        fp_arena_free(arena);
    }
}

/* Where both rates rise and fall together, the interval of precision at a prevalence is as wide as its own variance
 * says on the scale of log odds, with Student's t of the false positive rate, and shorter than without the correlation.
 */
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
                                      FP_METHOD_MID_P, 0.95, scratch, &found, &test_error));
    double q = found.value, low = found.interval.low, high = found.interval.high;
    double width = log(high / (1 - high)) - log(low / (1 - low)), expected = 2 * 1.96 * found.error / (q * (1 - q));
    fp_estimate recall, passes;
    ASSERT_GOOD(fp_bootstrap_estimate(&bootstrap, 0, (fp_measure){&fp_measure_recall, 9, 0, false}, FP_METHOD_MID_P,
                                      0.95, scratch, &recall, &test_error));
    ASSERT_GOOD(fp_bootstrap_estimate(&bootstrap, 0, (fp_measure){&fp_measure_specificity, 9, 0, false},
                                      FP_METHOD_MID_P, 0.95, scratch, &passes, &test_error));
    fp_interval apart =
        fp_precision_at_interval(recall.value, recall.interval, 1 - passes.value,
                                 (fp_interval){1 - passes.interval.high, 1 - passes.interval.low}, 0, 0.1);
    double without = log(apart.high / (1 - apart.high)) - log(apart.low / (1 - apart.low));
    fp_influence influence;
    fp_dyadic spread;
    fp_measure specificity = {&fp_measure_specificity, 9, 0, false};
    ASSERT_GOOD(fp_influence_of(&bootstrap, 0, specificity, scratch, &influence, &test_error));
    ASSERT_GOOD(fp_spread_of(&bootstrap, &(fp_spread_side){0, influence, fp_members_of_measure(specificity)}, NULL,
                             scratch, &spread, &test_error));
    assert_true(near(width / expected, fp_by_student(fp_dyadic_freedom(&spread), 0.95), 0.08));
    assert_true(without > 1.1 * width);
    fp_arena_free(scratch);
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bca_equals_scipy),
        cmocka_unit_test(percentiles_of_a_share_are_binomial),
        cmocka_unit_test(independent_pairs_get_plain_intervals),
        cmocka_unit_test(equal_shares_are_no_certainty),
        cmocka_unit_test(no_success_is_one_more_star),
        cmocka_unit_test(equal_parts_are_no_certainty),
        cmocka_unit_test(small_sets_say_what_they_can),
        cmocka_unit_test(paired_differences),
        cmocka_unit_test(holm_examples),
        cmocka_unit_test(few_units_widen),
        cmocka_unit_test(few_units_are_marked),
        cmocka_unit_test(precision_at_knows_the_correlation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
