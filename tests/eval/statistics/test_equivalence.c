/* SPDX-License-Identifier: GPL-3.0-or-later
 * Equivalence, and how many units would tell: published sizes, and the power that they are for. */
#include <gsl/gsl_cdf.h>
#include <math.h>

#include "eval/statistics/equivalence.h"
#include "tests/support.h"

static const fp_equivalence_options ONE = {0.95, 0.02, 1};

/* The 90% interval that belongs to a standard error. */
static fp_estimated seen_with(double value, double error, double units) {
    double half = error * gsl_cdf_ugaussian_Qinv(0.05);
    return (fp_estimated){value, error, 0, {value - half, value + half}, units};
}

/* Chow, Shao, Wang 2008, section 3.1.4: σ 1 and a difference of 0.5 take 32, (1.96 + 0.84)²/0.5²; σ 0.1 and a margin of
 * 0.05 around 0 take 35, (1.64 + 1.28)²·(0.1/0.05)². One unit has the error σ. */
static void published_sizes(void **state) {
    (void)state;
    fp_estimated seen = seen_with(0.5, 1, 1);
    assert_true(fp_equivalence_of(&seen, &ONE).to_differ == 32);
    fp_equivalence_options wide = {0.95, 0.05, 1};
    seen = seen_with(0, 0.1, 1);
    fp_equivalence none = fp_equivalence_of(&seen, &wide);
    assert_true(none.to_equal == 35);
    assert_true(isinf(none.to_differ));
    seen = seen_with(0.05, 0.1, 1); /* at the margin: no number would show that it is within */
    assert_true(isinf(fp_equivalence_of(&seen, &wide).to_equal));
    /* Twice as long an interval, of 60 units that would be more than enough: 60·2·0.01·(1.96 + 0.84)/0.05 = 67.2. */
    seen = seen_with(0.05, 0.02, 60);
    seen.error = 0.01;
    assert_true(fp_equivalence_of(&seen, &wide).to_differ == 68);
    seen = seen_with(0.05, 0, 1);
    assert_true(isnan(fp_equivalence_of(&seen, &wide).to_differ));
}

/* With that many units the error is what it takes: the power by the normal distribution is 0.8, or as much more as
 * rounding up to two digits adds (a tenth of the units) and as the equivalence formula is on the safe side where the
 * difference is not 0. */
static void power_is_reached(void **state) {
    (void)state;
    for (int i = 1; i <= 25; i++) {
        double value = 0.0003 * i, error = 0.01 + 0.001 * i, units = 50 + i;
        fp_estimated seen = seen_with(value, error, units);
        fp_equivalence_options options = {0.95, 0.02, (size_t)(1 + i % 10)};
        fp_equivalence found = fp_equivalence_of(&seen, &options);
        double then = error * sqrt(units / found.to_differ);
        double power = gsl_cdf_ugaussian_P(value / then - gsl_cdf_ugaussian_Qinv(0.025 / (double)options.tests));
        if (!(power > 0.7999 && power < 0.85)) fail_msg("%d: to differ %.0f, power %.4f", i, found.to_differ, power);
        then = error * sqrt(units / found.to_equal);
        double z = gsl_cdf_ugaussian_Qinv(0.05);
        power = gsl_cdf_ugaussian_P((0.02 - value) / then - z) + gsl_cdf_ugaussian_P((0.02 + value) / then - z) - 1;
        if (!(power > 0.7999 && power < 0.92)) fail_msg("%d: to equal %.0f, power %.4f", i, found.to_equal, power);
        double unit = pow(10, floor(log10(found.to_equal)) - 1);
        assert_true(found.to_equal < 100 || fmod(found.to_equal, unit) == 0);
    }
}

/* With that many units what they add is e²·G/G′ and the draw of the hash is what it was; together they make the power.
 * Where the draw alone is too much, no number of units will do. */
static void units_leave_the_draw_of_the_hash(void **state) {
    (void)state;
    fp_estimated seen = seen_with(0.1, 0.05, 100);
    seen.fixed = 0.0004;
    double then = sqrt((0.0025 - 0.0004) * 100 / fp_equivalence_of(&seen, &ONE).to_differ + 0.0004);
    double power = gsl_cdf_ugaussian_P(0.1 / then - gsl_cdf_ugaussian_Qinv(0.025));
    if (!(power > 0.7999 && power < 0.82)) fail_msg("power %.4f", power);
    seen.fixed = 0.0016;
    assert_true(isinf(fp_equivalence_of(&seen, &ONE).to_differ));
}

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
    const struct CMUnitTest tests[] = {cmocka_unit_test(published_sizes), cmocka_unit_test(power_is_reached),
                                       cmocka_unit_test(units_leave_the_draw_of_the_hash),
                                       cmocka_unit_test(within_the_margin)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
