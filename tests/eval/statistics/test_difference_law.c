/* SPDX-License-Identifier: GPL-3.0-or-later
 * Differences from the spread, and p and its error from replicates, against the formulas of difference.h. */
#include <gsl/gsl_cdf.h>
#include <math.h>

#include "eval/statistics/difference.h"
#include "eval/statistics/measure_interval.h"
#include "eval/statistics/proportion_interval.h"
#include "eval/statistics/spread.h"
#include "tests/support.h"

#include "tests/eval/made_pairs.h"

/* ---- From the spread ---- */

static fp_dyadic spread_of(const fp_bootstrap *bootstrap, fp_measure measure, fp_arena *scratch) {
    fp_spread_side side[2];
    fp_dyadic spread;
    fp_arena_reset(scratch);
    for (size_t arm = 0; arm < 2; arm++) {
        side[arm] = (fp_spread_side){.arm = arm, .members = fp_members_of_measure(measure)};
        ASSERT_GOOD(fp_influence_of(bootstrap, arm, measure, scratch, &side[arm].influence, &test_error));
    }
    ASSERT_GOOD(fp_spread_of(bootstrap, side, side + 1, scratch, &spread, &test_error));
    return spread;
}

/* Student's interval; one unit more adds what those that move the difference most do on either side, and all is no less
 * than what one unit may do to either arm, over half the freedom of the spread where that is more than one. */
static void check(const fp_bootstrap *bootstrap, fp_measure measure, double confidence, fp_arena *scratch) {
    fp_difference found;
    ASSERT_GOOD(fp_difference_of(bootstrap, (fp_side){0, measure}, (fp_side){1, measure}, FP_METHOD_MID_P, confidence,
                                 scratch, &found, &test_error));
    if (isnan(found.value)) return;
    fp_dyadic spread = spread_of(bootstrap, measure, scratch);
    double freedom = fp_dyadic_freedom(&spread), any = 0;
    for (size_t arm = 0; arm < 2; arm++) any = fmax(any, fp_measure_unit(bootstrap, arm, measure));
    double most = spread.variance > 0 && spread.freedom > 2 ? any * any / (spread.freedom / 2) : any * any;
    double more = spread.variance + (pow(spread.rise, 2) + pow(spread.fall, 2)) / 2,
           error = sqrt(more > most ? more : most);
    double half = error * gsl_cdf_tdist_Pinv((1 + confidence) / 2, freedom),
           width = measure.row->most - measure.row->least;
    assert_true(near(found.interval.low, fmax(-width, found.value - half), 1e-9));
    assert_true(near(found.interval.high, fmin(width, found.value + half), 1e-9));
    assert_true(near(found.error, sqrt(spread.variance), 1e-12) && found.units == spread.effective && !found.drawn);
    double p =
        found.value == 0 && spread.variance == 0 ? 1 : fmin(1, 2 * gsl_cdf_tdist_Q(fabs(found.value) / error, freedom));
    assert_true(near(found.p, p, 1e-12));
}

static void differences_are_student_s(void **state) {
    (void)state;
    static const shape SHAPES[] = {SHARED, GROUPED, STARS};
    for (uint64_t seed = 0; seed < 12; seed++) {
        fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
        set *from = fp_arena_alloc(arena, 1, sizeof *from);
        shape of = SHAPES[seed % 3];
        fp_resample resample;
        fp_bootstrap bootstrap;
        make_set(from, of, seed < 6 ? 60 : 400, 30 + 9 * seed, seed);
        if (seed % 4 == 3) memcpy(from->distance[1], from->distance[0], sizeof from->distance[0]); /* no difference */
        resample_set(from, of == GROUPED ? from->group : NULL,
                     of == SHARED  ? FP_SAMPLING_DOCUMENT
                     : of == STARS ? FP_SAMPLING_PART
                                   : FP_SAMPLING_AUTO,
                     arena, &resample);
        run_set(from, &resample, 0, arena, &bootstrap);
        for (size_t m = 0; m < MEASURE_COUNT; m++) check(&bootstrap, MEASURES[m], seed % 2 ? 0.95 : 0.8, scratch);
        fp_arena_free(scratch);
        fp_arena_free(arena);
    }
}

/* ---- From replicates ---- */

/* p is 2(b + 1)/(n + 1), b replicates lying at or beyond 0 on the side with the fewer, as the normal quantile of it in
 * Student's law. */
static double share_of(double beyond, double count, double freedom) {
    double p = fmin(1, 2 * (beyond + 1) / (count + 1));
    return fmin(1, 2 * gsl_cdf_tdist_Q(gsl_cdf_ugaussian_Qinv(p / 2), freedom));
}

static void replicates_have_p(void **state) {
    (void)state;
    enum { COUNT = 400 };
    for (size_t beyond = 0; beyond <= COUNT; beyond += beyond < 12 ? 1 : 37) {
        for (int tied = 0; tied < 2; tied++) {
            double drawn[COUNT], below = (double)beyond, above = COUNT - below + tied;
            for (size_t i = 0; i < COUNT; i++) drawn[i] = (double)i - (double)beyond + (tied ? 1 : 0.5);
            if (tied && !beyond) continue;
            fp_dyadic spread = {.variance = 3600, .resampled = 3600, .freedom = 12, .units = 40};
            fp_replicates of = {.observed = 100, .count = COUNT, .drawn = drawn, .spread = spread};
            double freedom = 17, fewer = fmin(below, above), share = fewer / COUNT,
                   step = sqrt(COUNT * share * (1 - share));
            double p = share_of(fewer, COUNT, freedom), error = 0;
            if (fewer < 5) p = fmin(share_of(5, COUNT, freedom), 2 * gsl_cdf_tdist_Q(100 / 60., freedom));
            else error = (share_of(fewer + step, COUNT, freedom) - share_of(fmax(0, fewer - step), COUNT, freedom)) / 2;
            if (!near(fp_difference_p(&of), p, 1e-12))
                fail_msg("%zu beyond: p %g, not %g", beyond, fp_difference_p(&of), p);
            assert_true(near(fp_difference_p_error(&of), error, 1e-12));
            of.spread.variance = 0; /* what replicates say, however few */
            assert_true(near(fp_difference_p(&of), share_of(fewer, COUNT, freedom), 1e-12));
            of.spread.variance = 3600, of.spread.units = 1; /* one unit: nothing is known */
            assert_true(fp_difference_p(&of) == 1 && fp_difference_p_error(&of) == 0);
        }
    }
}

/* ---- At a prevalence ---- */

/* Where recall may be 0, precision may be anything. */
static void no_recall_is_no_precision(void **state) {
    (void)state;
    fp_interval found = fp_precision_at_interval(0.1, (fp_interval){0, 0.3}, 0.1, (fp_interval){0.05, 0.2}, 0, 0.5);
    assert_true(found.low == 0 && found.high == 1);
    found = fp_precision_at_interval(0.1, (fp_interval){1e-6, 0.3}, 0.1, (fp_interval){0.05, 0.2}, 0, 0.5);
    assert_true(found.low > 0 && found.high < 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(differences_are_student_s), cmocka_unit_test(replicates_have_p),
                                       cmocka_unit_test(no_recall_is_no_precision)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
