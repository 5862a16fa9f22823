/* SPDX-License-Identifier: GPL-3.0-or-later
 * p of differences that hardly vary, or are hardly defined. */
#include <gsl/gsl_cdf.h>
#include <math.h>

#include "eval/statistics/difference.h"
#include "tests/support.h"

enum { COUNT = 999 };

/* Where nothing was resampled, a difference of 0 is none, and of another nobody knows. */
static void without_a_spread(void **state) {
    (void)state;
    double drawn[COUNT] = {0};
    fp_replicates of = {.observed = 0, .count = COUNT, .drawn = drawn};
    assert_true(fp_difference_p(&of) == 1 && fp_difference_p_error(&of) == 0);
    of.observed = 0.1;
    assert_true(isnan(fp_difference_p(&of)) && isnan(fp_difference_p_error(&of)));
}

/* Defined in half of the replicates is enough, in fewer is not. */
static void undefined_replicates(void **state) {
    (void)state;
    double drawn[COUNT];
    for (size_t i = 0; i < COUNT; i++) drawn[i] = (double)i - 100;
    fp_replicates of = {.observed = 399,
                        .count = COUNT,
                        .undefined = COUNT,
                        .drawn = drawn,
                        .spread = {.variance = 1e5, .resampled = 1e5, .freedom = 30, .units = 60}};
    assert_true(!isnan(fp_difference_p(&of)));
    of.undefined++;
    assert_true(isnan(fp_difference_p(&of)));
    of.undefined = 0;
    of.observed = NAN;
    assert_true(isnan(fp_difference_p(&of)));
}

/* 101 of 999 replicates are not above 0: 2·(101 + 1)/(999 + 1), on the side with the fewer, with one that is 0 on
 * both; so of the mirrored difference. The normal quantile of half of that, read from Student's law. */
static void shares_by_hand(void **state) {
    (void)state;
    double drawn[COUNT], mirrored[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        drawn[i] = (double)i - 100;
        mirrored[i] = -drawn[i];
    }
    fp_dyadic spread = {.variance = 1e5, .resampled = 1e5, .freedom = 30, .units = 60};
    fp_replicates of = {.observed = 399, .count = COUNT, .drawn = drawn, .spread = spread};
    double expected = 2 * gsl_cdf_tdist_Q(gsl_cdf_ugaussian_Qinv(0.102), fp_dyadic_freedom(&spread));
    assert_true(fabs(fp_difference_p(&of) - expected) < 1e-12);
    of = (fp_replicates){.observed = -399, .count = COUNT, .drawn = mirrored, .spread = spread};
    assert_true(fabs(fp_difference_p(&of) - expected) < 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_spread),
        cmocka_unit_test(undefined_replicates),
        cmocka_unit_test(shares_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
