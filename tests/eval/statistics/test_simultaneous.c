/* SPDX-License-Identifier: GPL-3.0-or-later
 * Simultaneous bands: critical values computed elsewhere, and what a band must be. */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sort.h>
#include <math.h>

#include "eval/statistics/measure_interval.h"
#include "eval/statistics/simultaneous.h"
#include "eval/units/resample.h"
#include "tests/support.h"

#include "tests/eval/made_pairs.h"

static const fp_simultaneous_options USUAL = {FP_METHOD_MID_P, 0.95, 1};

/* Pairs apart, 200 duplicates of which shares[k] are at distance k + 1 and the rest beyond all; and 200 others there.
 */
static void make_recalls(set *to, const double *shares, size_t count, fp_arena *arena, fp_resample *resample,
                         fp_bootstrap *bootstrap) {
    make_set(to, APART, 400, 0, 1);
    for (size_t i = 0; i < 400; i++) {
        double place = (double)(i % 200) / 200, distance = 20;
        to->pairs[i].label = i < 200;
        for (size_t k = count; k-- && i < 200;)
            if (place < shares[k]) distance = (double)k + 1;
        to->distance[0][i] = to->distance[1][i] = distance;
    }
    resample_set(to, NULL, FP_SAMPLING_AUTO, arena, resample);
    run_set(to, resample, 1, arena, bootstrap);
}

static double level_at(const fp_bootstrap *bootstrap, const fp_measure_row *row, double confidence, uint64_t seed,
                       fp_arena *scratch) {
    fp_simultaneous_options options = {FP_METHOD_MID_P, confidence, seed};
    double level = 0;
    ASSERT_GOOD(fp_simultaneous_level(bootstrap, 0, (fp_measure){.row = row}, &options, scratch, &level, &test_error));
    return level;
}

static double level_of(const fp_bootstrap *bootstrap, const fp_measure_row *row, uint64_t seed, fp_arena *scratch) {
    return level_at(bootstrap, row, 0.95, seed, scratch);
}

/* Recalls p < q of one sample have the correlation √(p(1 − q)/(q(1 − p))): of 0.2, 0.5 and 0.8 that is ½, ½ and ¼, and
 * by scipy 1.10 (multivariate_normal.cdf, brentq) the largest of the three deviations stays below c = 2.358475 with
 * probability 0.95. A level from 10,000 draws is right to within four of its own standard errors: √(0.95·0.05/10,000)
 * over the density of the largest deviation there, times that of the normal, which is no more than 1. */
static void critical_value_of_recall(void **state) {
    (void)state;
    static const double SHARES[] = {0.2, 0.5, 0.8};
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    set *from = fp_arena_alloc(arena, 1, sizeof *from);
    fp_resample resample;
    fp_bootstrap bootstrap;
    make_recalls(from, SHARES, 3, arena, &resample, &bootstrap);
    for (uint64_t seed = 1; seed <= 5; seed++) {
        double level = level_of(&bootstrap, &fp_measure_recall, seed, scratch);
        if (!near(level, 0.98165, 0.003)) fail_msg("level %.5f", level);
    }
    assert_true(level_of(&bootstrap, &fp_measure_recall, 7, scratch) ==
                level_of(&bootstrap, &fp_measure_recall, 7, scratch));
    fp_arena_free(scratch);
    fp_arena_free(arena);
}

/* All of a recall of 1/200 comes from the first unit: alone it is one threshold; beside a recall of a half, with which
 * it has the correlation 0.0709, c = 2.236054 by Simpson's rule over the normal law of two, 2Φ(c) − 1 = 0.97465. */
static void one_unit_alone(void **state) {
    (void)state;
    static const double FIRST[] = {0.005}, BOTH[] = {0.005, 0.5};
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    set *from = fp_arena_alloc(arena, 1, sizeof *from);
    fp_resample resample;
    fp_bootstrap bootstrap;
    make_recalls(from, FIRST, 1, arena, &resample, &bootstrap);
    double level = level_of(&bootstrap, &fp_measure_recall, 1, scratch);
    if (!near(level, 0.95, 0.005)) fail_msg("level %.5f", level);
    make_recalls(from, BOTH, 2, arena, &resample, &bootstrap);
    level = level_of(&bootstrap, &fp_measure_recall, 1, scratch);
    if (!near(level, 0.97465, 0.004)) fail_msg("level %.5f", level);
    fp_arena_free(scratch);
    fp_arena_free(arena);
}

/* No other pair is near, so that precision is 1 wherever it is defined and nothing varies: one threshold, as it were. A
 * recall of 1 beside one of a half: two that are independent, (2Φ(c) − 1)² = 0.95. One recall at all thresholds: one.
 */
static void where_nothing_varies(void **state) {
    (void)state;
    static const double FULL[] = {0.5, 1}, HALF[] = {0.5};
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    set *from = fp_arena_alloc(arena, 1, sizeof *from);
    fp_resample resample;
    fp_bootstrap bootstrap;
    make_recalls(from, FULL, 2, arena, &resample, &bootstrap);
    assert_true(level_of(&bootstrap, &fp_measure_precision, 1, scratch) == 0.95);
    double level = level_of(&bootstrap, &fp_measure_recall, 1, scratch);
    if (!near(level, sqrt(0.95), 0.003)) fail_msg("level %.5f", level);
    level = level_at(&bootstrap, &fp_measure_recall, 0.1, 1, scratch); /* within ±0.4 */
    if (!near(level, sqrt(0.1), 0.02)) fail_msg("level %.5f", level);
    make_recalls(from, HALF, 1, arena, &resample, &bootstrap);
    level = level_of(&bootstrap, &fp_measure_recall, 1, scratch);
    if (!near(level, 0.95, 0.005)) fail_msg("level %.5f", level);
    fp_arena_free(scratch);
    fp_arena_free(arena);
}

/* One recall that varies beside one that does not: the larger of two normal numbers, the second being that which
 * varies, and of 10,000 of them the one that no more than α lie beyond, of 10,001 places (Davison, Hinkley 1997,
 * section 2.4). */
static void level_is_an_order_statistic(void **state) {
    (void)state;
    static const double FULL[] = {0.5, 1}, CONFIDENCE[] = {0.1, 0.5, 0.9, 0.95, 0.99};
    static double largest[FP_SIMULTANEOUS_DRAWS];
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    set *from = fp_arena_alloc(arena, 1, sizeof *from);
    fp_resample resample;
    fp_bootstrap bootstrap;
    gsl_rng generator;
    make_recalls(from, FULL, 2, arena, &resample, &bootstrap);
    for (uint64_t seed = 1; seed < 4; seed++) {
        ASSERT_GOOD(fp_generator_open(seed, 0, arena, &generator, &test_error));
        for (size_t i = 0; i < FP_SIMULTANEOUS_DRAWS; i++) {
            double still = fabs(gsl_ran_gaussian_ziggurat(&generator, 1));
            largest[i] = fmax(still, fabs(gsl_ran_gaussian_ziggurat(&generator, 1)));
        }
        gsl_sort(largest, 1, FP_SIMULTANEOUS_DRAWS);
        for (size_t k = 0; k < sizeof CONFIDENCE / sizeof *CONFIDENCE; k++) {
            double critical = largest[(size_t)ceil(CONFIDENCE[k] * 10001) - 1];
            assert_true(near(level_at(&bootstrap, &fp_measure_recall, CONFIDENCE[k], seed, scratch),
                             1 - 2 * gsl_cdf_ugaussian_Q(critical), 1e-9));
        }
    }
    fp_arena_free(scratch);
    fp_arena_free(arena);
}

/* Wider than the interval of each threshold, and no wider than Bonferroni's. */
static void between_pointwise_and_bonferroni(void **state) {
    (void)state;
    static const shape SHAPES[] = {APART, SHARED, GROUPED, STARS};
    static const fp_measure_row *const ROWS[] = {&fp_measure_precision, &fp_measure_recall, &fp_measure_f1};
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    for (size_t s = 0; s < 4; s++) {
        fp_arena_reset(arena);
        set *from = fp_arena_alloc(arena, 1, sizeof *from);
        fp_resample resample;
        fp_bootstrap bootstrap;
        make_set(from, SHAPES[s], 900, 400, 5);
        resample_set(from, SHAPES[s] == GROUPED ? from->group : NULL, FP_SAMPLING_AUTO, arena, &resample);
        run_set(from, &resample, 1, arena, &bootstrap);
        for (size_t m = 0; m < 3; m++) {
            fp_interval band[LIMIT_COUNT];
            fp_measure measure = {.row = ROWS[m]};
            ASSERT_GOOD(fp_simultaneous_band(&bootstrap, 0, measure, &USUAL, scratch, band, &test_error));
            for (size_t t = 0; t < LIMIT_COUNT; t++) {
                fp_estimate alone, widest;
                measure.threshold = t;
                ASSERT_GOOD(
                    fp_bootstrap_estimate(&bootstrap, 0, measure, USUAL.method, 0.95, scratch, &alone, &test_error));
                ASSERT_GOOD(fp_bootstrap_estimate(&bootstrap, 0, measure, USUAL.method, 1 - 0.05 / LIMIT_COUNT, scratch,
                                                  &widest, &test_error));
                assert_true(isnan(alone.interval.low) == isnan(band[t].low));
                if (isnan(alone.interval.low)) continue;
                assert_true(band[t].low <= alone.interval.low && band[t].high >= alone.interval.high);
                assert_true(band[t].low >= widest.interval.low && band[t].high <= widest.interval.high);
            }
        }
    }
    fp_arena_free(scratch);
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(critical_value_of_recall), cmocka_unit_test(one_unit_alone),
                                       cmocka_unit_test(where_nothing_varies),
                                       cmocka_unit_test(level_is_an_order_statistic),
                                       cmocka_unit_test(between_pointwise_and_bonferroni)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
