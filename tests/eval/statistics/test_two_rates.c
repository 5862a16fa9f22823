/* SPDX-License-Identifier: GPL-3.0-or-later
 * Precision at a prevalence from two estimates, part by part. */
#include "eval/statistics/two_rates.h"

#include <math.h>

#include "eval/statistics/dyadic_variance.h"
#include "eval/statistics/proportion_interval.h"
#include "tests/support.h"

#include "tests/eval/made_pairs.h"

static void what_is_carried(void **state) {
    (void)state;
    for (int few = 0; few < 4; few++) {
        fp_rates rates = {.recall = {.value = 0.8,
                                     .interval = {0.7, 0.88},
                                     .method = FP_METHOD_CLOPPER_PEARSON,
                                     .error = 0.05,
                                     .units = 30,
                                     .few = few & 1},
                          .specificity = {.value = 0.9,
                                          .interval = {0.83, 0.94},
                                          .error = 0.03,
                                          .units = 12 + 30 * (few & 1),
                                          .few = few & 2},
                          .correlation = 0.4};
        fp_estimate found = fp_rates_carry(&rates, 0.01, 0.7);
        fp_interval wanted = fp_precision_at_interval(0.8, (fp_interval){0.7, 0.88}, 1 - 0.9,
                                                      (fp_interval){1 - 0.94, 1 - 0.83}, 0.4, 0.01);
        assert_true(found.value == 0.7 && found.method == FP_METHOD_CLOPPER_PEARSON && isnan(found.trials));
        assert_true(found.interval.low == wanted.low && found.interval.high == wanted.high);
        assert_true(found.units == (few & 1 ? 30 : 12) && found.few == (few != 0));
        /* The delta method on log odds: of a/b the relative variance is that of a and of b less twice their
         * covariance. */
        double value = 0.8 * 0.01 / (0.8 * 0.01 + 0.1 * 0.99),
               relative = sqrt(pow(0.05 / 0.8, 2) + pow(0.03 / 0.1, 2) - 2 * 0.4 * (0.05 / 0.8) * (0.03 / 0.1));
        assert_true(fabs(found.error - value * (1 - value) * relative) < 1e-12);
    }
}

/* Nothing is called: a value by rule has no interval. */
static void nothing_is_called(void **state) {
    (void)state;
    fp_rates rates = {.recall = {.value = 0, .interval = {0, 0.1}}, .specificity = {.value = 1, .interval = {0.9, 1}}};
    fp_estimate found = fp_rates_carry(&rates, 0.01, 1);
    assert_true(found.value == 1 && isnan(found.interval.low) && isnan(found.interval.high));
    rates.specificity.value = 0.99;
    found = fp_rates_carry(&rates, 0.01, 0);
    assert_true(found.interval.low == 0 && found.interval.high > 0);
}

/* ---- How both rates depend on each other ---- */

static double variance_of(const fp_resample *resample, const double *influence, fp_arena *arena) {
    fp_dyadic spread;
    ASSERT_GOOD(fp_dyadic_of(resample, influence, NULL, arena, &spread, &test_error));
    return spread.variance;
}

/* From the influence of every pair on either rate: (s − r)/n of its class, s being whether it is called. */
static double correlation_of(const set *from, const fp_resample *resample, double h, fp_arena *arena) {
    double *rate[2], *both = fp_arena_alloc(arena, from->count, sizeof *both), called[2] = {0, 0}, all[2] = {0, 0};
    for (size_t i = 0; i < from->count; i++) {
        called[from->pairs[i].label] += from->distance[0][i] <= h;
        all[from->pairs[i].label]++;
    }
    for (size_t k = 0; k < 2; k++) {
        rate[k] = fp_arena_alloc(arena, from->count, sizeof **rate);
        for (size_t i = 0; i < from->count; i++)
            if (from->pairs[i].label == k)
                both[i] = rate[k][i] = ((from->distance[0][i] <= h) - called[k] / all[k]) / all[k];
    }
    double hit = variance_of(resample, rate[1], arena), wrong = variance_of(resample, rate[0], arena);
    double found = (variance_of(resample, both, arena) - hit - wrong) / 2 / sqrt(hit * wrong);
    return hit * wrong > 0 ? fmax(-1, fmin(1, found)) : 0;
}

static void rates_are_correlated(void **state) {
    (void)state;
    static const shape SHAPES[] = {SHARED, GROUPED, STARS, APART};
    bool either[2] = {false, false};
    for (size_t s = 0; s < 4; s++) {
        fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
        set *from = fp_arena_alloc(arena, 1, sizeof *from);
        fp_resample resample;
        fp_bootstrap bootstrap;
        make_set(from, SHAPES[s], 300, 60, 4 + s);
        resample_set(from, SHAPES[s] == GROUPED ? from->group : NULL,
                     SHAPES[s] == STARS ? FP_SAMPLING_PART : FP_SAMPLING_AUTO, arena, &resample);
        run_set(from, &resample, 0, arena, &bootstrap);
        for (size_t t = 0; t < LIMIT_COUNT; t++) {
            fp_rates found;
            ASSERT_GOOD(fp_rates_find(&bootstrap, 0, t, FP_METHOD_MID_P, 0.95, scratch, &found, &test_error));
            double wanted = SHAPES[s] == APART ? 0 : correlation_of(from, &resample, LIMITS[t], arena);
            assert_true(near(found.correlation, wanted, 1e-9));
            either[0] |= wanted<-0.05, either[1] |= wanted> 0.05;
        }
        fp_arena_free(scratch);
        fp_arena_free(arena);
    }
    assert_true(either[0] && either[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_carried), cmocka_unit_test(nothing_is_called),
                                       cmocka_unit_test(rates_are_correlated)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
