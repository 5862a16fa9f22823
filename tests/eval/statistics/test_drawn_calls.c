/* SPDX-License-Identifier: GPL-3.0-or-later
 * Limits of shares with drawn trials: Garwood's limits from tables, worked figures, and coverage under Poisson's law.
 */
#include "eval/statistics/counted.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>

#include "tests/support.h"

static void assert_close(double one, double other, double within) {
    if (!(fabs(one - other) <= within)) fail_msg("%.12g is not %.12g", one, other);
}

/* `count` trials of one weight. */
static fp_drawn_calls calls_of(double count, double weight) {
    return (fp_drawn_calls){count * weight, count * weight * weight, weight};
}

/* Upper limits as in tables of Poisson's law (Garwood 1936; Pearson, Hartley 1966, table 40), for any one weight. */
static void excess_is_that_of_tables(void **state) {
    static const struct {
        double count, upper;
    } TABLE[] = {{0, 3.6889}, {1, 5.5716}, {2, 7.2247}, {5, 11.6683}, {10, 18.3904}, {50, 65.9188}};
    const double MANY = 1e9;
    (void)state;
    for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++) {
        double count = TABLE[i].count, normal = gsl_cdf_ugaussian_Pinv(0.975) * sqrt(count);
        fp_drawn_calls drawn = calls_of(count, MANY);
        assert_close(fp_drawn_excess(&drawn, 1, 0.95) / MANY, TABLE[i].upper - count - normal, 1e-4);
    }
    fp_drawn_calls none = calls_of(0, MANY), nine = calls_of(9000, MANY), eight = calls_of(1e8, MANY),
                   hundred = calls_of(100, MANY);
    assert_close(fp_drawn_excess(&none, 1, 0.99) / MANY, -log(0.005), 1e-8);
    /* (z² + 2)/3 beyond the normal law, of many (Wilson, Hilferty), on both sides of where the formula takes over. */
    double many = (pow(gsl_cdf_ugaussian_Pinv(0.975), 2) + 2) / 3;
    assert_close(fp_drawn_excess(&nine, 1, 0.95) / MANY, many, 0.02);
    assert_close(fp_drawn_excess(&eight, 1, 0.95) / MANY, many, 0.02);
    assert_true(fp_drawn_excess(&hundred, 3, 0.95) == 0);
    /* Lower limits: 0.0253 of one, 4.7954 of ten. */
    fp_drawn_calls one = calls_of(1, MANY), ten = calls_of(10, MANY);
    assert_close(fp_drawn_fewer(&one, 0.95) / MANY, 1 - 0.0253, 1e-4);
    assert_close(fp_drawn_fewer(&ten, 0.95) / MANY, 10 - 4.7954, 1e-4);
}

/* Of trials that are in the sample for certain nothing varies, and light ones do not take what a heavy one may hide. */
static void weights_tell_what_is_unseen(void **state) {
    fp_drawn_calls certain = {50, 50, 1}, light = {50, 50, 1000}, none = {0, 0, 1000};
    (void)state;
    assert_true(fp_drawn_excess(&certain, 1, 0.95) == 0 && fp_drawn_fewer(&certain, 0.95) == 0);
    double hidden = fp_drawn_excess(&none, 1, 0.95), with = fp_drawn_excess(&light, 1, 0.95);
    assert_close(hidden, 1000 * sqrt(1 - 1.0 / 1000) * -log(0.025), 1e-6);
    assert_true(with > 0.9 * hidden && with < 1.1 * hidden);
}

/* 200 right trials, none wrong, and each drawn one stands for 100: up to 3.6889·100 may be unseen. */
static void nothing_drawn_is_no_certainty(void **state) {
    const double ODDS = 0.005;
    fp_interval certain = {1, 1}, wide = {0.9, 1};
    (void)state;
    fp_drawn_calls drawn = calls_of(0, 100), whole = calls_of(0, 1);
    double more = 0.5 * sqrt(0.99) * -log(0.025);
    assert_close(fp_share_with_draw(1, certain, &drawn, ODDS, 1, 0.95).low, 1 / (1 + more), 1e-12);
    assert_close(fp_share_with_draw(1, certain, &drawn, ODDS, 1, 0.95).high, 1, 0);
    assert_close(fp_share_with_draw(1, wide, &drawn, ODDS, 1, 0.95).low, 1 / (1 + hypot(more, 1 / 0.9 - 1)), 1e-12);
    assert_close(fp_share_with_draw(1, wide, &whole, ODDS, 1, 0.95).low, 0.9, 0);
    assert_true(isnan(fp_share_with_draw(NAN, (fp_interval){NAN, NAN}, &drawn, ODDS, 1, 0.95).low));
}

/* The share is 1/(1 + step·k) for k of Poisson's law, and its spread is known to be step·√k. */
static void the_true_share_is_held(void **state) {
    static const double MEANS[] = {0.01, 0.1, 0.5, 1, 2, 3.6, 5, 10, 30, 100};
    const double WEIGHT = 1e9, STEP = 0.2;
    double z = gsl_cdf_ugaussian_Pinv(0.975);
    (void)state;
    for (size_t i = 0; i < sizeof MEANS / sizeof *MEANS; i++) {
        double covered = 0, mean = MEANS[i], truth = 1 / (1 + STEP * mean);
        for (unsigned k = 0; k < 400; k++) {
            double odds = STEP * k, half = STEP * z * sqrt(k);
            fp_interval limits = {1 / (1 + odds + half), 1 / (1 + fmax(0, odds - half))};
            fp_drawn_calls drawn = calls_of(k, WEIGHT);
            limits = fp_share_with_draw(1 / (1 + odds), limits, &drawn, STEP / WEIGHT, 1, 0.95);
            if (limits.low <= truth && truth <= limits.high) covered += gsl_ran_poisson_pdf(k, mean);
        }
        if (!(covered >= 0.95)) fail_msg("a mean of %g is held in %g", mean, covered);
    }
}

/* The same of light trials of weight 3 and heavy ones of weight 40, each of Poisson's law (Fay, Feuer 1997). */
static void mixed_weights_are_held(void **state) {
    static const double LIGHT[] = {0.5, 5, 30}, HEAVY[] = {0.02, 0.3, 2, 8};
    const double STEP = 0.01;
    double z = gsl_cdf_ugaussian_Pinv(0.975);
    (void)state;
    for (size_t i = 0; i < 12; i++) {
        double light = LIGHT[i % 3], heavy = HEAVY[i / 3], covered = 0;
        double truth = 1 / (1 + STEP * (3 * light + 40 * heavy));
        for (unsigned k = 0; k < 100; k++)
            for (unsigned l = 0; l < 60; l++) {
                fp_drawn_calls drawn = {3.0 * k + 40.0 * l, 9.0 * k + 1600.0 * l, 40};
                double odds = STEP * drawn.sum, half = STEP * z * sqrt(drawn.squares - drawn.sum);
                fp_interval limits = {1 / (1 + odds + half), 1 / (1 + fmax(0, odds - half))};
                limits = fp_share_with_draw(1 / (1 + odds), limits, &drawn, STEP, 1, 0.95);
                if (limits.low <= truth && truth <= limits.high)
                    covered += gsl_ran_poisson_pdf(k, light) * gsl_ran_poisson_pdf(l, heavy);
            }
        if (!(covered >= 0.94)) fail_msg("means of %g and %g are held in %g", light, heavy, covered);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(excess_is_that_of_tables),    cmocka_unit_test(nothing_drawn_is_no_certainty),
        cmocka_unit_test(weights_tell_what_is_unseen), cmocka_unit_test(the_true_share_is_held),
        cmocka_unit_test(mixed_weights_are_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
