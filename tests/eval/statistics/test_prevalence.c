/* SPDX-License-Identifier: GPL-3.0-or-later
 * Precision against prevalence: the points of a report, and intervals that stay honest where nothing went wrong. */
#include "eval/statistics/proportion_interval.h"
#include "eval/statistics/two_rates.h"
#include "tests/support.h"

#include "tests/eval/made_pairs.h"

static void grid_holds_the_stated_value(void **state) {
    (void)state;
    static const double STATED[] = {1e-9, 1e-6, 1.2e-6, 0.001, 0.0042, 0.5, 0.9};
    static const bool ROUND[] = {false, true, false, true, false, true, false};
    for (size_t i = 0; i < sizeof STATED / sizeof *STATED; i++) {
        double grid[FP_PREVALENCE_GRID];
        size_t count = fp_prevalence_grid(STATED[i], grid), found = 0;
        assert_int_equal(count, ROUND[i] ? 35 : 36);
        for (size_t k = 0; k < count; k++) {
            assert_true(grid[k] > 0 && grid[k] < 1 && (k == 0 || grid[k - 1] < grid[k]));
            found += grid[k] == STATED[i];
        }
        assert_int_equal(found, 1);
        assert_true(grid[STATED[i] < 1e-6] == 1e-6 && grid[count - 1 - (STATED[i] > 0.5)] == 0.5);
    }
}

/* Values are Bayes's formula; a grid of points is the curve at the same prevalences. */
static void points_are_the_curve(void **state) {
    (void)state;
    static const fp_method METHODS[] = {FP_METHOD_MID_P, FP_METHOD_CLOPPER_PEARSON, FP_METHOD_PERCENTILE,
                                        FP_METHOD_BCA};
    static const double PREVALENCES[] = {1e-5, 1e-3, 0.3};
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    set *from = fp_arena_alloc(arena, 1, sizeof *from);
    fp_resample resample;
    fp_bootstrap bootstrap;
    make_set(from, SHARED, 800, 120, 3);
    resample_set(from, NULL, FP_SAMPLING_AUTO, arena, &resample);
    run_set(from, &resample, 300, arena, &bootstrap);
    for (size_t m = 0; m < 4; m++) {
        fp_prevalence_point points[3], curve[2];
        ASSERT_GOOD(fp_prevalence_points(&bootstrap, 1, 7, &(fp_prevalence_options){PREVALENCES, 3, METHODS[m], 0.95},
                                         scratch, points, &test_error));
        static const double ENDS[] = {1e-5, 0.3};
        ASSERT_GOOD(fp_prevalence_points(&bootstrap, 1, 7, &(fp_prevalence_options){ENDS, 2, METHODS[m], 0.95}, scratch,
                                         curve, &test_error));
        fp_confusion counts = fp_bootstrap_counts(&bootstrap, bootstrap.replicates, 1, 7);
        double tpr = fp_recall(counts), fpr = 1 - fp_specificity(counts);
        for (size_t i = 0; i < 3; i++) {
            double pi = PREVALENCES[i], value = tpr * pi / (tpr * pi + fpr * (1 - pi));
            fp_interval interval = points[i].precision.interval;
            assert_true(points[i].prevalence == pi && near(points[i].precision.value, value, 1e-12));
            assert_true(interval.low < value && value < interval.high && interval.low >= 0 && interval.high <= 1);
            /* One by one, without the shortcut. */
            fp_estimate alone;
            fp_measure measure = {.row = &fp_measure_precision_at, .threshold = 7, .parameter = pi};
            ASSERT_GOOD(fp_bootstrap_estimate(&bootstrap, 1, measure, METHODS[m], 0.95, scratch, &alone, &test_error));
            assert_true(near(alone.interval.low, interval.low, 1e-9) && near(alone.interval.high, interval.high, 1e-9));
            assert_true(near(alone.error, points[i].precision.error, 1e-9 + 1e-6 * alone.error));
        }
        assert_true(curve[0].precision.interval.low == points[0].precision.interval.low);
        assert_true(curve[1].precision.interval.high == points[2].precision.interval.high);
    }
    fp_arena_free(scratch);
    fp_arena_free(arena);
}

/* No wrong pair among 100: precision is 1 at every prevalence, and its interval goes down to what the upper limit of
 * the false positive rate leaves, 1 − 0.05^(1/100) = 0.0295 by mid-p, where half of (1 − p)¹⁰⁰ is 0.025. At one in a
 * million that is next to nothing. */
static void no_error_seen_is_no_certainty(void **state) {
    (void)state;
    static const fp_method METHODS[] = {FP_METHOD_MID_P, FP_METHOD_CLOPPER_PEARSON, FP_METHOD_PERCENTILE,
                                        FP_METHOD_BCA};
    enum { COUNT = 140 };
    fp_arena *arena = fp_arena_new(), *scratch = fp_arena_new();
    fp_pair pairs[COUNT];
    double distances[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        pairs[i] = (fp_pair){2 * i, 2 * i + 1, i < 40};
        distances[i] = i < 30 ? 1 : 9; /* 30 of 40 duplicates are called, and none of the others */
    }
    fp_resample resample;
    fp_bootstrap bootstrap;
    const double *arms[] = {distances}, limit = 3;
    ASSERT_GOOD(fp_resample_make(pairs, COUNT, NULL, 2 * COUNT, FP_SAMPLING_AUTO, arena, &resample, &test_error));
    fp_bootstrap_options options = {.replicates = 500, .seed = 1, .thresholds = &limit, .threshold_count = 1};
    ASSERT_GOOD(fp_bootstrap_run(&resample, &(fp_paired_distances){pairs, arms, 1}, &options, NULL, arena, &bootstrap,
                                 &test_error));
    for (size_t m = 0; m < 4; m++) {
        static const double PREVALENCES[] = {1e-6, 0.01};
        fp_prevalence_point points[2];
        ASSERT_GOOD(fp_prevalence_points(&bootstrap, 0, 0, &(fp_prevalence_options){PREVALENCES, 2, METHODS[m], 0.95},
                                         scratch, points, &test_error));
        for (size_t i = 0; i < 2; i++) {
            double pi = PREVALENCES[i], upper = 1 - pow(0.05, 1. / 100);
            fp_interval found = points[i].precision.interval;
            assert_true(points[i].precision.value == 1 && found.high == 1);
            /* Of the order of TPR·π/(TPR·π + upper·(1 − π)); not narrower than with TPR at its own limits, 0.60 and
             * 0.86. */
            assert_true(found.low > 0.4 * pi / (pi + upper) && found.low < 0.9 * pi / (0.9 * pi + upper * (1 - pi)));
        }
        assert_true(points[0].precision.interval.low < 3e-5);
    }
    fp_arena_free(scratch);
    fp_arena_free(arena);
}

/* Where there are duplicates alone, or none, precision says nothing of the two rates. */
static void only_between_none_and_all(void **state) {
    (void)state;
    static const fp_interval TPR = {0.4, 0.6}, FPR = {0.05, 0.2};
    static const double BEYOND[] = {-0.1, 0, 1, 1.1, NAN};
    for (size_t i = 0; i < sizeof BEYOND / sizeof *BEYOND; i++) {
        fp_interval found = fp_precision_at_interval(0.5, TPR, 0.1, FPR, 0, BEYOND[i]);
        assert_true(isnan(found.low) && isnan(found.high));
    }
    fp_interval found = fp_precision_at_interval(0.5, TPR, 0.1, FPR, 0, 0.5);
    assert_true(found.low > 0 && found.low < found.high && found.high < 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grid_holds_the_stated_value),
        cmocka_unit_test(points_are_the_curve),
        cmocka_unit_test(no_error_seen_is_no_certainty),
        cmocka_unit_test(only_between_none_and_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
