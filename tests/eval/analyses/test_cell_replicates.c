/* SPDX-License-Identifier: GPL-3.0-or-later
 * The figures of a cell, from one pass, are those that a count at every distance gives; drawing a unit twice is as
 * having its pairs twice.
 */
#include <math.h>

#include "eval/analyses/robustness.h"
#include "tests/support.h"

enum { PAIRS = 60, UNITS = 7 };

static size_t make_pairs(uint64_t round, fp_cell_pair *pairs) {
    for (size_t i = 0; i < PAIRS; i++) {
        uint64_t random = fp_mix(round, i);
        pairs[i] = (fp_cell_pair){.distance = (double)(random % 9),
                                  .unit = (uint32_t)(random / 9 % UNITS),
                                  .label = random / 63 % 3 == 0,
                                  .called = random / 189 % 2};
    }
    return PAIRS;
}

/* By their definitions. */
static fp_cell_figures slowly(const fp_cell_pair *pairs, size_t count, const uint8_t *weight, double precision) {
    double tp = 0, wrong = 0, positives = 0, best = 0;
    for (size_t i = 0; i < count; i++) {
        double times = weight[pairs[i].unit];
        positives += pairs[i].label ? times : 0;
        if (pairs[i].called && pairs[i].label) tp += times;
        if (pairs[i].called != pairs[i].label) wrong += times;
    }
    for (double h = 0; h < 9; h++) {
        double found = 0, all = 0;
        for (size_t i = 0; i < count; i++) {
            if (pairs[i].distance > h) continue;
            all += weight[pairs[i].unit];
            found += pairs[i].label ? weight[pairs[i].unit] : 0;
        }
        if (all > 0 && found / all >= precision && found / positives > best) best = found / positives;
    }
    return positives > 0 ? (fp_cell_figures){2 * tp / (2 * tp + wrong), best} : (fp_cell_figures){NAN, NAN};
}

static bool same(double a, double b) { return (isnan(a) && isnan(b)) || fabs(a - b) < 1e-12; }

static void one_pass_counts_all(void **state) {
    (void)state;
    size_t defined = 0, partial = 0;
    for (uint64_t round = 0; round < 2000; round++) {
        fp_cell_pair pairs[PAIRS];
        uint8_t weight[UNITS];
        size_t count = make_pairs(round, pairs);
        for (size_t u = 0; u < UNITS; u++) weight[u] = (uint8_t)(round < 500 ? 1 : fp_mix(round, 1000 + u) % 3);
        fp_cell_figures expected = slowly(pairs, count, weight, 0.4);
        fp_cell_pairs_sort(pairs, count);
        fp_cell_figures made = fp_cell_figures_of(pairs, count, round < 500 ? NULL : weight, 0.4);
        if (!same(made.f1, expected.f1) || !same(made.recall, expected.recall))
            fail_msg("round %zu: F1 %g for %g, recall %g for %g", (size_t)round, made.f1, expected.f1, made.recall,
                     expected.recall);
        if (!isnan(made.f1)) defined++;
        if (made.recall > 0 && made.recall < 1) partial++;
    }
    assert_true(defined > 1900 && partial > 400);
}

static void nothing_drawn_is_nothing_known(void **state) {
    (void)state;
    fp_cell_pair pairs[PAIRS];
    uint8_t weight[UNITS] = {0};
    size_t count = make_pairs(1, pairs);
    fp_cell_pairs_sort(pairs, count);
    assert_true(isnan(fp_cell_figures_of(pairs, count, weight, 0.95).f1));
    assert_true(isnan(fp_cell_figures_of(pairs, 0, NULL, 0.95).recall));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_pass_counts_all),
        cmocka_unit_test(nothing_drawn_is_nothing_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
