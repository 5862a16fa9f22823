/* SPDX-License-Identifier: GPL-3.0-or-later
 * Equivalence, and sample sizes: published ones, the power that they are for, and samples of that size. */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

#include "eval/statistics/difference.h"
#include "tests/support.h"

static const fp_equivalence_options ONE = {0.95, 0.02, 1};

/* The 90% interval that belongs to a standard error. */
static fp_estimated seen_with(double value, double error, double units) {
    double half = error * gsl_cdf_ugaussian_Qinv(0.05);
    return (fp_estimated){value, error, 0, {value - half, value + half}, units};
}

static double needed(const fp_estimated *seen, double detect) {
    return fp_sample_size_of(seen, INFINITY, &ONE, detect).needed;
}

/* ---- Formulas ---- */

/* Chow, Shao, Wang 2008, section 3.1.4: σ 1 and a difference of 0.5 take 32, (1.96 + 0.84)²/0.5². One unit has the
 * error σ. What was seen of the difference itself has no part in it. */
static void published_sizes(void **state) {
    (void)state;
    static const double SEEN[] = {0, 0.1, -0.5, 3};
    for (size_t i = 0; i < sizeof SEEN / sizeof *SEEN; i++) {
        fp_estimated seen = seen_with(SEEN[i], 1, 1);
        assert_true(needed(&seen, 0.5) == 32);
    }
    /* Twice as long an interval: of N units the variance is 0.01²·60/N·(1 + 3·60/N), and (0.05/2.8016)² at N = 68.4. */
    fp_estimated seen = seen_with(0.05, 0.02, 60);
    seen.error = 0.01;
    assert_true(needed(&seen, 0.05) == 69);
    seen = seen_with(0.05, 0, 1);
    assert_true(isnan(needed(&seen, 0.05)));
    seen = seen_with(NAN, NAN, 1);
    assert_true(isnan(needed(&seen, 0.05)));
}

/* With that many units the error is what it takes: the power of the two-sided test by the normal distribution is 0.8,
 * or what one unit more gives. */
static void power_is_reached(void **state) {
    (void)state;
    for (int i = 1; i <= 25; i++) {
        double detect = 0.001 + 0.0005 * i, error = 0.01 + 0.001 * i, units = 50 + i;
        fp_estimated seen = seen_with(0.3, error, units);
        fp_equivalence_options options = {0.95, 0.02, (size_t)(1 + i % 10)};
        fp_sample_size found = fp_sample_size_of(&seen, INFINITY, &options, detect);
        double bar = gsl_cdf_ugaussian_Qinv(0.025 / (double)options.tests), then = error * sqrt(units / found.needed);
        double power = gsl_cdf_ugaussian_P(detect / then - bar) + gsl_cdf_ugaussian_P(-detect / then - bar);
        double less = error * sqrt(units / (found.needed - 1));
        assert_true(found.detect == detect && found.interval.low == found.needed);
        if (!(power >= 0.8 && gsl_cdf_ugaussian_P(detect / less - bar) < 0.8001))
            fail_msg("%d: needed %.0f, power %.4f", i, found.needed, power);
    }
}

/* With that many units what they add is e²·G/G′ and the draw of the hash is what it was; together they make the power.
 * Where the draw alone is too much, no number of units will do. */
static void units_leave_the_draw_of_the_hash(void **state) {
    (void)state;
    fp_estimated seen = seen_with(0.1, 0.05, 100);
    seen.fixed = 0.0004;
    double then = sqrt((0.0025 - 0.0004) * 100 / needed(&seen, 0.1) + 0.0004);
    double power = gsl_cdf_ugaussian_P(0.1 / then - gsl_cdf_ugaussian_Qinv(0.025));
    if (!(power > 0.7999 && power < 0.82)) fail_msg("power %.4f", power);
    seen.fixed = 0.0016;
    assert_true(isinf(needed(&seen, 0.1)));
}

/* A size is as uncertain as the variance: 40 normal observations have χ² with 39 degrees of freedom. */
static void sizes_have_the_interval_of_a_variance(void **state) {
    (void)state;
    fp_estimated seen = seen_with(0, 0.1, 40);
    fp_sample_size found = fp_sample_size_of(&seen, 39, &ONE, 0.02);
    double exact = 40 * pow(0.1 * 2.801585 / 0.02, 2);
    assert_true(fabs(found.needed - exact) <= 1);
    assert_true(fabs(found.interval.low - exact * 39 / 58.12006) <= 1);
    assert_true(fabs(found.interval.high - exact * 39 / 23.65432) <= 1);
}

/* ---- Samples ---- */

/* Units of one to three duplicates; half of the units are found or lost as a whole. The first arm finds 0.70, 0.11 of
 * which the second does not, and the second 0.65. The difference of a pair has the variance 0.17 − 0.05², the sum over
 * a unit ½(E k² + E k) = 10/3 times that, and per duplicate, of which a unit has 2, a quarter of it: for z_{0.975} +
 * z_{0.8} errors of 0.05 that is 438.2 units. */
#define UNITS_NEEDED ((0.17 - 0.05 * 0.05) * 10 / 3 / 4 * 7.848880 / (0.05 * 0.05))
enum { PILOT = 250, MOST_PAIRS = 3 * 1000, RUNS = 300 };

typedef struct sample {
    size_t count;
    fp_pair pairs[MOST_PAIRS];
    uint32_t group[2 * MOST_PAIRS];
    double distance[2][MOST_PAIRS];
} sample;

static double uniform(uint64_t *random) {
    *random = fp_mix(*random, 0x9e3779b97f4a7c15);
    return (double)(*random >> 11) / 9007199254740992.;
}

static void add_pair(sample *to, uint32_t unit, double where) {
    size_t i = to->count++;
    to->pairs[i] = (fp_pair){(uint32_t)(2 * i), (uint32_t)(2 * i + 1), true};
    to->group[2 * i] = to->group[2 * i + 1] = unit;
    to->distance[0][i] = where < 0.70 ? 1 : 9;
    to->distance[1][i] = where < 0.59 || (where > 0.70 && where < 0.76) ? 1 : 9;
}

static void draw_sample(sample *to, size_t units, uint64_t seed) {
    uint64_t random = fp_mix(seed, units);
    to->count = 0;
    for (uint32_t unit = 0; unit < units; unit++) {
        size_t pairs = 1 + (size_t)(3 * uniform(&random));
        double whole = uniform(&random), where = uniform(&random);
        for (size_t i = 0; i < pairs; i++) add_pair(to, unit, whole < 0.5 ? where : uniform(&random));
    }
}

/* The difference of the recalls, and the sample size needed to find 0.05. */
static fp_difference compare(const sample *of, fp_sample_size *size) {
    static const double THRESHOLD[] = {5};
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    fp_resample resample;
    fp_bootstrap bootstrap;
    fp_difference found, narrow;
    const double *distances[2] = {of->distance[0], of->distance[1]};
    fp_bootstrap_options options = {.seed = 7, .thresholds = THRESHOLD, .threshold_count = 1};
    fp_side side[2] = {{0, {.row = &fp_measure_recall}}, {1, {.row = &fp_measure_recall}}};
    ASSERT_GOOD(fp_resample_make(of->pairs, of->count, of->group, 2 * of->count, FP_SAMPLING_AUTO, arena, &resample,
                                 &test_error));
    ASSERT_GOOD(fp_bootstrap_run(&resample, &(fp_paired_distances){of->pairs, distances, 2}, &options, NULL, arena,
                                 &bootstrap, &test_error));
    ASSERT_GOOD(fp_difference_of(&bootstrap, side[0], side[1], FP_METHOD_MID_P, 0.95, scratch, &found, &test_error));
    ASSERT_GOOD(fp_difference_of(&bootstrap, side[0], side[1], FP_METHOD_MID_P, 0.9, scratch, &narrow, &test_error));
    fp_estimated seen = {narrow.value, narrow.error, 0, narrow.interval, (double)resample.unit_count};
    *size = fp_sample_size_of(&seen, narrow.freedom, &ONE, 0.05);
    fp_arena_free(scratch);
    fp_arena_free(arena);
    return found;
}

static void samples_of_the_size_find_the_difference(void **state) {
    (void)state;
    sample *made = calloc(1, sizeof *made);
    double sizes[RUNS], held = 0, found = 0;
    fp_sample_size size;
    assert_non_null(made);
    for (size_t i = 0; i < RUNS; i++) {
        draw_sample(made, PILOT, 100 + i);
        compare(made, &size);
        sizes[i] = size.needed;
        held += size.interval.low <= UNITS_NEEDED && UNITS_NEEDED <= size.interval.high;
    }
    gsl_sort(sizes, 1, RUNS);
    double median = gsl_stats_median_from_sorted_data(sizes, 1, RUNS);
    for (size_t i = 0; i < RUNS; i++) {
        draw_sample(made, (size_t)median, 10000 + i);
        found += compare(made, &size).p < 0.05;
    }
    free(made);
    print_message("needed %.0f; pilots of %d units say %.0f, their intervals hold it in %.1f%%; power there %.1f%%\n",
                  UNITS_NEEDED, PILOT, median, 100 * held / RUNS, 100 * found / RUNS);
    /* Three Monte Carlo errors of 300 runs: 3.8 at 95%, 6.9 at 80%. */
    assert_true(fabs(median / UNITS_NEEDED - 1) < 0.05);
    assert_true(100 * held / RUNS > 91);
    assert_true(fabs(100 * found / RUNS - 80) < 7);
}

/* ---- Equivalence ---- */

/* The decision is that of two one-sided tests: both limits of the 1 − 2α interval inside. */
static void within_the_margin(void **state) {
    (void)state;
    static const struct {
        fp_interval interval;
        bool within;
        double farthest;
    } CASES[] = {{{-0.019, 0.0199}, true, 0.0199},
                 {{0.005, 0.0199}, true, 0.0199}, /* differs, too */
                 {{-0.0201, 0.001}, false, 0.0201},
                 {{0.001, 0.02}, false, 0.02},
                 {{-0.01, 0.09}, false, 0.09}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        fp_estimated seen = {0.005, 0.01, 0, CASES[i].interval, 100};
        fp_equivalence found = fp_equivalence_of(&seen, &ONE);
        assert_true(found.within == CASES[i].within);
        assert_true(found.farthest == CASES[i].farthest);
    }
    fp_estimated nothing = {NAN, NAN, 0, {NAN, NAN}, 100};
    fp_equivalence unknown = fp_equivalence_of(&nothing, &ONE);
    assert_true(!unknown.within && isnan(unknown.farthest));
    assert_true(fabs(fp_equivalence_confidence(0.95) - 0.9) < 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(published_sizes),
                                       cmocka_unit_test(power_is_reached),
                                       cmocka_unit_test(units_leave_the_draw_of_the_hash),
                                       cmocka_unit_test(sizes_have_the_interval_of_a_variance),
                                       cmocka_unit_test(samples_of_the_size_find_the_difference),
                                       cmocka_unit_test(within_the_margin)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
