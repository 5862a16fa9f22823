/* SPDX-License-Identifier: GPL-3.0-or-later
 * Precision at a prevalence from two estimates, part by part. */
#include "eval/statistics/two_rates.h"

#include <math.h>

#include "eval/statistics/share_interval.h"
#include "tests/support.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_carried), cmocka_unit_test(nothing_is_called)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
