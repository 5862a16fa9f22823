/* SPDX-License-Identifier: GPL-3.0-or-later
 * What holds of every row of the measures, whoever adds it; and single measures against independent computations. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "eval/measures/measure.h"
#include "tests/support.h"

/* A row as it is asked for; at a prevalence that is not so small that steps of a thousandth of a margin are large. */
static fp_measure measure_of(const fp_measure_row *row) {
    const fp_measure_parameter *parameter = &row->parameter;
    return (fp_measure){
        .row = row, .parameter = parameter->is_prevalence ? 0.5 : parameter->example, .named = parameter->name != NULL};
}

static fp_measure named(const char *name) {
    fp_measure measure;
    ASSERT_GOOD(fp_measure_find(name, 0, &measure, &test_error));
    return measure;
}

static bool is_near(double a, double b, double within) { return fabs(a - b) <= within * fmax(1, fabs(b)); }

/* A hundred tables of counts, with zeros among them. */
static fp_confusion made_counts(uint64_t seed) {
    static const uint64_t MOST[] = {3, 20, 400, 100000};
    uint64_t most = MOST[seed % 4];
    return (fp_confusion){fp_mix(1, seed) % most, fp_mix(2, seed) % most, fp_mix(3, seed) % most,
                          fp_mix(4, seed) % most};
}

/* ---- Every row ---- */

/* assert_true of a row, with its name and what it does not keep to. */
#define ASSERT_ROW(row, condition, ...)                                              \
    do {                                                                             \
        if (!(condition)) {                                                          \
            print_error("%s: ", (row)->name ? (row)->name : "a row without a name"); \
            fail_msg(__VA_ARGS__);                                                   \
        }                                                                            \
    } while (0)

static void every_row_says_what_it_is(void **state) {
    (void)state;
    const fp_measure_row *row;
    for (size_t i = 0; (row = fp_measure_listed(i)); i++) {
        ASSERT_ROW(row, row->name && row->label && row->label_zh && row->definition && row->source,
                   "lacks a name, label, label_zh, definition or source");
        ASSERT_ROW(row, !strpbrk(row->name, ":@| "), "a name has no :, @, | and blank");
        ASSERT_ROW(row, row->least < row->most && isfinite(row->most), "least to most is no range");
        if (fp_measure_at_threshold(row))
            ASSERT_ROW(row, row->counted && !row->over_range, "at a threshold it needs `counted`, and no `over_range`");
        else ASSERT_ROW(row, row->over_range && row->influence, "needs `value`, or `over_range` and `influence`");
        ASSERT_ROW(row, (row->interval == FP_INTERVAL_OF_SHARE) == (row->success != 0),
                   "`success` and FP_INTERVAL_OF_SHARE go together");
        ASSERT_ROW(row, (row->success & ~row->counted) == 0, "`success` holds cells that are not `counted`");
        for (size_t j = 0; j < i; j++)
            ASSERT_ROW(row, strcmp(row->name, fp_measure_listed(j)->name) != 0, "the name stands twice");
    }
}

/* In its range; the same of ten times the counts; by rule a value of the range or NaN. */
static void values_keep_to_their_range(void **state) {
    (void)state;
    for (const fp_measure_row *const *row = fp_count_measures; *row; row++) {
        for (uint64_t seed = 0; seed < 100; seed++) {
            fp_confusion c = made_counts(seed), tenfold = {10 * c.tp, 10 * c.fp, 10 * c.fn, 10 * c.tn};
            double value = fp_measure_of(measure_of(*row), c, FP_EMPTY_NA), by_rule;
            if (!isnan(value)) {
                ASSERT_ROW(*row, value >= (*row)->least - 1e-12 && value <= (*row)->most + 1e-12,
                           "the value %g is not from %g to %g", value, (*row)->least, (*row)->most);
                ASSERT_ROW(*row, is_near(fp_measure_of(measure_of(*row), tenfold, FP_EMPTY_NA), value, 1e-12),
                           "ten times the counts give another value than %g", value);
            }
            by_rule = fp_measure_of(measure_of(*row), c, FP_EMPTY_ONE);
            ASSERT_ROW(*row, isnan(by_rule) || (by_rule >= (*row)->least - 1e-12 && by_rule <= (*row)->most + 1e-12),
                       "the value by rule, %g, is not from %g to %g", by_rule, (*row)->least, (*row)->most);
        }
    }
}

/* The stated derivative is that of the value, and by Euler's theorem adds up to nothing. */
static void gradients_are_those_of_the_values(void **state) {
    (void)state;
    for (const fp_measure_row *const *row = fp_count_measures; *row; row++) {
        fp_measure_row plain = **row;
        fp_measure stated = measure_of(*row), numeric = measure_of(&plain);
        plain.gradient = NULL;
        for (uint64_t seed = 0; seed < 100; seed++) {
            fp_confusion c = made_counts(seed);
            if (isnan(fp_measure_of(stated, c, FP_EMPTY_NA))) continue;
            fp_cells a = fp_measure_gradient(stated, c), b = fp_measure_gradient(numeric, c);
            double tp = (double)c.tp, fp = (double)c.fp, fn = (double)c.fn, tn = (double)c.tn;
            /* Each times its margin: on the scale of the measure. */
            ASSERT_ROW(*row,
                       is_near(tp * a.tp, tp * b.tp, 1e-7) && is_near(fp * a.fp, fp * b.fp, 1e-7) &&
                           is_near(fn * a.fn, fn * b.fn, 1e-7) && is_near(tn * a.tn, tn * b.tn, 1e-7),
                       "`gradient` is not the derivative of `value` at tp %g, fp %g, fn %g, tn %g", tp, fp, fn, tn);
            if (tp + fp > 0 && tp + fn > 0)
                ASSERT_ROW(*row, is_near((tp + fp) * a.tp, (tp + fp) * b.tp, 1e-6),
                           "`gradient` by tp is not the derivative of `value` at tp %g, fp %g, fn %g, tn %g", tp, fp,
                           fn, tn);
            ASSERT_ROW(*row, fabs(tp * a.tp + fp * a.fp + fn * a.fn + tn * a.tn) < 1e-9,
                       "the derivative does not add up to 0: the value depends on the number of pairs");
        }
    }
}

/* A cell on which a measure does not rest changes nothing; a proportion is that of its cells. */
static void measures_rest_on_their_cells(void **state) {
    (void)state;
    for (const fp_measure_row *const *row = fp_count_measures; *row; row++) {
        for (uint64_t seed = 0; seed < 100; seed++) {
            fp_confusion c = made_counts(seed);
            fp_measure measure = measure_of(*row);
            double value = fp_measure_of(measure, c, FP_EMPTY_NA);
            uint64_t *cells[] = {&c.tp, &c.fp, &c.fn, &c.tn};
            fp_cells w = (*row)->weights ? (*row)->weights(measure.parameter) : (fp_cells){1, 1, 1, 1};
            double weight[] = {w.tp, w.fp, w.fn, w.tn}, right = 0, all = 0;
            for (unsigned k = 0; k < 4; k++) {
                if ((*row)->success >> k & 1) right += weight[k] * (double)*cells[k];
                if ((*row)->counted >> k & 1) all += weight[k] * (double)*cells[k];
                else *cells[k] += 17;
            }
            double now = fp_measure_of(measure, c, FP_EMPTY_NA);
            ASSERT_ROW(*row, isnan(value) ? isnan(now) : now == value, "it rests on a cell that is not `counted`");
            if ((*row)->interval != FP_INTERVAL_OF_SHARE || isnan(value)) continue;
            double share = (*row)->of_share ? (*row)->of_share(right / all) : right / all;
            ASSERT_ROW(*row, is_near(share, value, 1e-12), "`success` of `counted` is %g, the value %g", share, value);
        }
    }
}

/* ---- Over the range ---- */

enum { BINS = 40, MANY = 100000 };

typedef struct ranked {
    double distance[BINS];
    uint64_t cells[2 * BINS];
    fp_ranked_step steps[BINS];
    fp_ranked of;
} ranked;

static void make_ranked(uint64_t seed, size_t bins, ranked *to) {
    *to = (ranked){0};
    for (size_t i = 0; i < bins; i++) {
        to->distance[i] = (double)i / 4;
        to->cells[2 * i] = (1 + fp_mix(i, seed) % 3) * (i > 3);
        to->cells[2 * i + 1] = fp_mix(i, seed + 1) % 4 * (i < 30) + (i <= 3);
    }
    to->of = fp_ranked_of(bins, to->distance, to->cells, to->steps);
}

/* The stated influence is the change that one pair more brings when all weigh a hundred thousand. */
static void influences_are_derivatives(void **state) {
    (void)state;
    for (const fp_measure_row *const *row = fp_ranking_measures; *row; row++) {
        for (uint64_t seed = 0; seed < 20; seed++) {
            ranked from, more;
            double influence[2 * BINS], sum = 0;
            make_ranked(3 * seed, BINS, &from);
            double value = (*row)->over_range(&from.of);
            ASSERT_ROW(*row, value >= (*row)->least && value <= (*row)->most, "the value %g is not from %g to %g",
                       value, (*row)->least, (*row)->most);
            (*row)->influence(&from.of, value, influence);
            for (size_t k = 0; k < 2 * BINS; k++) sum += influence[k] * (double)from.cells[k];
            ASSERT_ROW(*row, fabs(sum) < 1e-9, "`influence` does not add up to 0");
            for (size_t k = 0; k < 2 * BINS; k++) {
                if (from.cells[k] == 0) continue;
                more = from;
                for (size_t i = 0; i < 2 * BINS; i++) more.cells[i] *= MANY;
                more.cells[k]++;
                more.of = fp_ranked_of(BINS, more.distance, more.cells, more.steps);
                double change = ((*row)->over_range(&more.of) - value) * MANY;
                ASSERT_ROW(*row, is_near(change, influence[k], 2e-3), "`influence` %g, where a pair more brings %g",
                           influence[k], change);
            }
        }
    }
}

static void nothing_is_not_defined(void **state) {
    (void)state;
    for (const fp_measure_row *const *row = fp_ranking_measures; *row; row++) {
        ranked none;
        make_ranked(1, 0, &none);
        ASSERT_ROW(*row, isnan((*row)->over_range(&none.of)), "without pairs the value is NaN");
    }
}

/* ---- Names ---- */

static void names_are_read(void **state) {
    (void)state;
    static const double LIST[] = {3, 5};
    fp_measure measure;
    assert_int_equal(fp_measure_parse("f1@5", LIST, 2, 0, &measure, &test_error), FP_OK);
    assert_true(measure.row == &fp_measure_f1 && measure.threshold == 1 && !measure.named);
    assert_int_equal(fp_measure_parse("precision_at_prevalence@3", LIST, 2, 0.01, &measure, &test_error), FP_OK);
    assert_true(measure.parameter == 0.01 && !measure.named);
    assert_int_equal(fp_measure_parse("precision_at_prevalence:0.5@3", LIST, 2, 0, &measure, &test_error), FP_OK);
    fp_arena *arena = fp_arena_new();
    assert_string_equal(fp_measure_name(&measure, arena), "precision_at_prevalence:0.5");
    static const char *const WRONG[] = {
        "precision_at_prevalence@3", "precision_at_prevalence:1@3", "f1:2@5", "f1", "f1@4", "roc_area@5"};
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++)
        assert_int_equal(fp_measure_parse(WRONG[i], LIST, 2, 0, &measure, &test_error), FP_ERROR_RANGE);
    assert_int_equal(fp_measure_parse("recal@5", LIST, 2, 0, &measure, &test_error), FP_ERROR_UNKNOWN);
    assert_non_null(strstr(test_error.message, "did you mean recall"));
    fp_arena_free(arena);
}

/* ---- Single measures ---- */

/* scikit-learn's documentation of matthews_corrcoef: y_true = [+1, +1, +1, −1], y_pred = [+1, −1, +1, +1] gives −0.33…;
 * otherwise by hand. The correlation of two binary variables, and NaN where a margin is 0. */
static void matthews_is_a_correlation(void **state) {
    (void)state;
    fp_measure matthews = named("matthews_correlation");
    assert_true(is_near(fp_measure_of(matthews, (fp_confusion){2, 1, 1, 0}, FP_EMPTY_NA), -1.0 / 3, 1e-15));
    assert_true(
        is_near(fp_measure_of(matthews, (fp_confusion){6, 1, 2, 3}, FP_EMPTY_NA), 16 / sqrt(7 * 8 * 4 * 5), 1e-15));
    assert_true(is_near(fp_measure_of(matthews, (fp_confusion){5, 0, 0, 7}, FP_EMPTY_NA), 1, 1e-15));
    assert_true(is_near(fp_measure_of(matthews, (fp_confusion){0, 5, 7, 0}, FP_EMPTY_NA), -1, 1e-15));
    for (int rule = 0; rule < 3; rule++) {
        assert_true(isnan(fp_measure_of(matthews, (fp_confusion){0, 0, 2, 3}, (fp_empty)rule)));
        assert_true(isnan(fp_measure_of(matthews, (fp_confusion){2, 3, 0, 0}, (fp_empty)rule)));
        assert_true(isnan(fp_measure_of(matthews, (fp_confusion){0, 2, 0, 3}, (fp_empty)rule)));
        assert_true(isnan(fp_measure_of(matthews, (fp_confusion){2, 0, 3, 0}, (fp_empty)rule)));
    }
}

/* Where nothing is called precision is what the rule says, at any prevalence, too; where there is no duplicate, or
 * nothing else, one of its rates is of nothing. */
static void precision_at_prevalence_of_no_call(void **state) {
    (void)state;
    static const double WORTH[] = {[FP_EMPTY_ZERO] = 0, [FP_EMPTY_ONE] = 1};
    fp_measure measure = named("precision_at_prevalence:0.25");
    for (fp_empty rule = FP_EMPTY_ZERO; rule <= FP_EMPTY_ONE; rule++) {
        assert_true(fp_measure_of(measure, (fp_confusion){.fn = 2, .tn = 3}, rule) == WORTH[rule]);
        assert_true(isnan(fp_measure_of(measure, (fp_confusion){.tn = 3}, rule)));
        assert_true(isnan(fp_measure_of(measure, (fp_confusion){.fn = 2}, rule)));
        /* TPR = 1/2, FPR = 1/4: 0.5·0.25/(0.5·0.25 + 0.25·0.75) = 2/5 */
        assert_true(is_near(fp_measure_of(measure, (fp_confusion){1, 1, 1, 3}, rule), 0.4, 1e-15));
    }
    assert_true(isnan(fp_measure_of(measure, (fp_confusion){.fn = 2, .tn = 3}, FP_EMPTY_NA)));
}

/* Against tests/eval/measures/gain_area.py, which follows the definitions in exact fractions. */
static void gain_area_equals_fractions(void **state) {
    (void)state;
    static const struct {
        size_t bins;
        uint64_t cells[12]; /* negatives, positives */
        double area;
    } CASES[] = {
        {2, {0, 3, 5, 0}, 1.0 / 1},
        {2, {5, 0, 0, 3}, -5.0 / 6},
        {1, {4, 2}, 0.0 / 1},
        {4, {1, 2, 2, 1, 0, 1, 5, 1}, 23.0 / 48},
        {6, {0, 1, 1, 0, 0, 2, 3, 0, 0, 1, 7, 1}, 9623.0 / 14520},
        {3, {2, 0, 0, 4, 3, 1}, 13.0 / 40},
        {1, {0, 4}, NAN},
        {3, {9, 1, 9, 1, 9, 1}, 0.0 / 1},
        {3, {1, 1, 0, 5, 100, 3}, 9355.0 / 10201},
        {2, {0, 1, 3, 0}, 1.0 / 1},
        {2, {0, 3, 1, 0}, 1.0 / 1},
    };
    static const double PLACES[] = {0, 1, 2, 3, 4, 5};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        fp_ranked_step steps[6];
        fp_ranked of = fp_ranked_of(CASES[i].bins, PLACES, CASES[i].cells, steps);
        double found = named("precision_recall_gain_area").row->over_range(&of);
        assert_true(isnan(CASES[i].area) ? isnan(found) : is_near(found, CASES[i].area, 1e-13));
    }
}

/* From precision P and recall R, where there are both, as van Rijsbergen has it, 1/(α/P + (1 − α)/R) with α = 1/(1 +
 * β²); F1 is the case of 1. Where there is one of them nothing is right: 0. */
static void f_beta_is_a_weighted_harmonic_mean(void **state) {
    (void)state;
    static const char *const NAMES[] = {"f_beta:0.5", "f_beta:1", "f_beta:2", "f_beta:7.25"};
    static const double BETA[] = {0.5, 1, 2, 7.25};
    for (size_t i = 0; i < 4; i++) {
        fp_measure measure = named(NAMES[i]);
        assert_true(measure.parameter == BETA[i] && measure.named);
        for (uint64_t seed = 0; seed < 100; seed++) {
            fp_confusion c = made_counts(seed);
            double value = fp_measure_of(measure, c, FP_EMPTY_NA), alpha = 1 / (1 + BETA[i] * BETA[i]);
            double p = fp_precision(c), r = fp_recall(c);
            if (isnan(p) && isnan(r)) assert_true(isnan(value));
            else if (isnan(p) || isnan(r)) assert_true(value == 0);
            else assert_true(is_near(value, p * r > 0 ? 1 / (alpha / p + (1 - alpha) / r) : 0, 1e-12));
            double f1 = fp_measure_of((fp_measure){.row = &fp_measure_f1}, c, FP_EMPTY_NA);
            if (i == 1) assert_true(isnan(f1) ? isnan(value) : value == f1);
        }
    }
    fp_measure measure;
    assert_int_equal(fp_measure_find("f_beta", 0, &measure, &test_error), FP_ERROR_RANGE);
    assert_non_null(strstr(test_error.message, "f_beta:2"));
    assert_int_equal(fp_measure_find("f_beta:0", 0, &measure, &test_error), FP_ERROR_RANGE);
    assert_int_equal(fp_measure_find("f_beta:x", 0, &measure, &test_error), FP_ERROR_RANGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_says_what_it_is),
        cmocka_unit_test(values_keep_to_their_range),
        cmocka_unit_test(gradients_are_those_of_the_values),
        cmocka_unit_test(measures_rest_on_their_cells),
        cmocka_unit_test(influences_are_derivatives),
        cmocka_unit_test(nothing_is_not_defined),
        cmocka_unit_test(names_are_read),
        cmocka_unit_test(matthews_is_a_correlation),
        cmocka_unit_test(precision_at_prevalence_of_no_call),
        cmocka_unit_test(f_beta_is_a_weighted_harmonic_mean),
        cmocka_unit_test(gain_area_equals_fractions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
