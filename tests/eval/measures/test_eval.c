/* SPDX-License-Identifier: GPL-3.0-or-later
 * The evaluator: counts, curves and intervals against published values and definitions. */
#include <math.h>

#include "eval/measures/histogram.h"
#include "eval/statistics/proportion_interval.h"
#include "tests/support.h"
#include "tests/eval/whole_trials.h"

static void make_curve(const double *distance, const int *label, size_t count, fp_arena *arena, fp_curve *curve) {
    fp_histogram histogram = {0};
    for (size_t i = 0; i < count; i++) ASSERT_GOOD(fp_histogram_add(&histogram, distance[i], label[i], &test_error));
    fp_histogram_finish(&histogram);
    ASSERT_GOOD(fp_curve_make(&histogram, arena, curve, &test_error));
    fp_histogram_free(&histogram);
}

static void assert_point(const fp_curve *curve, size_t i, double precision, double recall) {
    assert_true(fabs(fp_precision(curve->points[i].confusion) - precision) < 1e-7);
    assert_true(fabs(fp_recall(curve->points[i].confusion) - recall) < 1e-7);
}

/* scikit-learn's documentation of precision_recall_curve: labels 0 0 1 1, scores 0.1 0.4 0.35 0.8; a score s is the
 * distance −s. Average precision 0.83 in its documentation of average_precision_score on the same data; area under the
 * ROC curve 0.75 in that of roc_auc_score. */
static void scikit_learn_first_example(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_curve curve;
    make_curve((double[]){-0.1, -0.4, -0.35, -0.8}, (int[]){0, 0, 1, 1}, 4, arena, &curve);
    assert_int_equal(curve.count, 4);
    assert_point(&curve, 0, 1, 0.5);
    assert_point(&curve, 1, 0.5, 0.5);
    assert_point(&curve, 2, 2.0 / 3, 1);
    assert_point(&curve, 3, 0.5, 1);
    assert_true(fabs(curve.average_precision - 0.83333333) < 1e-8);
    assert_true(fabs(curve.roc_area - 0.75) < 1e-12);
    fp_arena_free(arena);
}

/* Another of scikit-learn's, as quoted on a page about it: labels 1 1 0 0 1, scores .1 .3 .35 .6 .8. */
static void scikit_learn_second_example(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_curve curve;
    make_curve((double[]){-0.1, -0.3, -0.35, -0.6, -0.8}, (int[]){1, 1, 0, 0, 1}, 5, arena, &curve);
    assert_point(&curve, 0, 1, 0.33333333);
    assert_point(&curve, 1, 0.5, 0.33333333);
    assert_point(&curve, 2, 0.33333333, 0.33333333);
    assert_point(&curve, 3, 0.5, 0.66666667);
    assert_point(&curve, 4, 0.6, 1);
    fp_arena_free(arena);
}

/* Ties count once and together: with every distance equal, average precision is the share of positives and the ROC area
 * one half. */
static void ties_count_together(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_curve curve;
    make_curve((double[]){5, 5, 5, 5}, (int[]){1, 0, 0, 0}, 4, arena, &curve);
    assert_int_equal(curve.count, 1);
    assert_true(curve.average_precision == 0.25 && curve.roc_area == 0.5);
    fp_arena_free(arena);
}

static void undefined_is_never_a_number(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    fp_confusion nothing_called = {.tp = 0, .fp = 0, .fn = 3, .tn = 5},
                 no_positives = {.tp = 0, .fp = 2, .fn = 0, .tn = 5};
    assert_true(isnan(fp_precision(nothing_called)) && fp_recall(nothing_called) == 0 && fp_f1(nothing_called) == 0);
    assert_true(isnan(fp_recall(no_positives)) && fp_f1(no_positives) == 0);
    assert_true(isnan(fp_f1((fp_confusion){.tn = 5})));
    fp_curve curve;
    make_curve((double[]){1, 2}, (int[]){0, 0}, 2, arena, &curve);
    assert_true(isnan(curve.average_precision) && isnan(curve.roc_area) && isnan(curve.best_f1) &&
                isnan(curve.best_threshold));
    fp_arena_free(arena);
}

/* Many distinct and repeated distances, against counting by hand. */
static void histogram_counts_every_pair(void **state) {
    (void)state;
    fp_histogram histogram = {0};
    for (uint64_t i = 0; i < 100000; i++)
        ASSERT_GOOD(
            fp_histogram_add(&histogram, (double)(fp_mix(i, 3) % 20000) / 7, fp_mix(i, 4) % 5 == 0, &test_error));
    fp_histogram_finish(&histogram);
    for (uint64_t h = 0; h < 3000; h += 307) {
        fp_confusion expected = {0}, counted = fp_confusion_at(&histogram, (double)h);
        for (uint64_t i = 0; i < 100000; i++) {
            bool near = (double)(fp_mix(i, 3) % 20000) / 7 <= (double)h, positive = fp_mix(i, 4) % 5 == 0;
            if (near) *(positive ? &expected.tp : &expected.fp) += 1;
            else *(positive ? &expected.fn : &expected.tn) += 1;
        }
        assert_memory_equal(&expected, &counted, sizeof expected);
    }
    for (size_t i = 1; i < histogram.count; i++)
        assert_true(histogram.bars[i - 1].distance < histogram.bars[i].distance);
    fp_histogram_free(&histogram);
}

static void assert_same(fp_interval found, fp_interval expected) {
    assert_true(fabs(found.low - expected.low) < 1e-9 && fabs(found.high - expected.high) < 1e-9);
}

/* Newcombe, Two-sided confidence intervals for the single proportion, Statistics in Medicine 17, 1998, table I: 81/263,
 * 15/148, 0/20, 1/29, methods 5 (exact) and 6 (mid-p); the mid-p limits also by SciPy: brentq on binom.cdf(x − 1) +
 * binom.pmf(x)/2. */
static void intervals_of_newcombe(void **state) {
    (void)state;
    static const struct {
        uint64_t successes, trials;
        double middle_low, middle_high, exact_low, exact_high;
    } ROWS[] = {{81, 263, 0.2544, 0.3658, 0.2527, 0.3676},
                {15, 148, 0.0601, 0.1581, 0.0578, 0.1617},
                {0, 20, 0.0000, 0.1391, 0.0000, 0.1684},
                {1, 29, 0.0017, 0.1585, 0.0009, 0.1776}};
    for (size_t i = 0; i < 4; i++) {
        double n = (double)ROWS[i].trials, share = (double)ROWS[i].successes / n;
        fp_interval middle = mid_p_of(ROWS[i].successes, ROWS[i].trials, 0.95),
                    exact = clopper_pearson_of(ROWS[i].successes, ROWS[i].trials, 0.95);
        assert_true(fabs(middle.low - ROWS[i].middle_low) < 6e-5 && fabs(middle.high - ROWS[i].middle_high) < 6e-5);
        assert_true(fabs(exact.low - ROWS[i].exact_low) < 6e-5 && fabs(exact.high - ROWS[i].exact_high) < 6e-5);
        assert_same(fp_binomial_interval(share, n, 0.95, false), middle);
        assert_same(fp_binomial_interval(share, n, 0.95, true), exact);
    }
    assert_true(isnan(fp_binomial_interval(NAN, 0, 0.95, false).low));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scikit_learn_first_example),  cmocka_unit_test(scikit_learn_second_example),
        cmocka_unit_test(ties_count_together),         cmocka_unit_test(undefined_is_never_a_number),
        cmocka_unit_test(histogram_counts_every_pair), cmocka_unit_test(intervals_of_newcombe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
