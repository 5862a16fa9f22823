/* SPDX-License-Identifier: GPL-3.0-or-later
 * Limits of shares with drawn trials: Garwood's limits from tables, worked figures, and coverage under Poisson's law.
 */
#include "eval/statistics/counted/drawn_calls.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>

#include "tests/support.h"

static void assert_close(double one, double other, double within) {
    if (!(fabs(one - other) <= within)) fail_msg("%.12g is not %.12g", one, other);
}

/* Upper limits as in tables of Poisson's law (Garwood 1936; Pearson, Hartley 1966, table 40). */
static void excess_is_that_of_tables(void **state) {
    static const struct {
        double count, upper;
    } TABLE[] = {{0, 3.6889}, {1, 5.5716}, {2, 7.2247}, {5, 11.6683}, {10, 18.3904}, {50, 65.9188}};
    (void)state;
    for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++) {
        double count = TABLE[i].count, normal = gsl_cdf_ugaussian_Pinv(0.975) * sqrt(count);
        assert_close(fp_drawn_excess(count, 1, 0.95), TABLE[i].upper - count - normal, 1e-4);
    }
    assert_close(fp_drawn_excess(0, 1, 0.99), -log(0.005), 1e-9);
    /* (z² + 2)/3 beyond the normal law, of many (Wilson, Hilferty), on both sides of where the formula takes over. */
    double many = (pow(gsl_cdf_ugaussian_Pinv(0.975), 2) + 2) / 3;
    assert_close(fp_drawn_excess(9000, 1, 0.95), many, 0.02);
    assert_close(fp_drawn_excess(1e8, 1, 0.95), many, 0.02);
    assert_true(fp_drawn_excess(100, 3, 0.95) == 0);
}

/* 200 right trials, none wrong, and each drawn one stands for 100: up to 3.6889·100 may be unseen. */
static void nothing_drawn_is_no_certainty(void **state) {
    fp_interval certain = {1, 1}, wide = {0.9, 1};
    (void)state;
    fp_drawn_calls drawn = {0, 100, 0.5};
    double step = 0.5 * sqrt(0.99), more = step * -log(0.025);
    assert_close(fp_share_with_draw(1, certain, &drawn, 1, 0.95).low, 1 / (1 + more), 1e-12);
    assert_close(fp_share_with_draw(1, certain, &drawn, 1, 0.95).high, 1, 0);
    assert_close(fp_share_with_draw(1, wide, &drawn, 1, 0.95).low, 1 / (1 + hypot(more, 1 / 0.9 - 1)), 1e-12);
    drawn.weight = 1; /* all were measured */
    assert_close(fp_share_with_draw(1, wide, &drawn, 1, 0.95).low, 0.9, 0);
    assert_true(isnan(fp_share_with_draw(NAN, (fp_interval){NAN, NAN}, &drawn, 1, 0.95).low));
}

/* The share is 1/(1 + step·k) for k of Poisson's law, and its spread is known to be step·√k. */
static void the_true_share_is_held(void **state) {
    static const double MEANS[] = {0.01, 0.1, 0.5, 1, 2, 3.6, 5, 10, 30, 100};
    double z = gsl_cdf_ugaussian_Pinv(0.975);
    (void)state;
    for (size_t i = 0; i < sizeof MEANS / sizeof *MEANS; i++) {
        double covered = 0, mean = MEANS[i], truth = 1 / (1 + 0.2 * mean);
        for (unsigned k = 0; k < 400; k++) {
            double odds = 0.2 * k, half = 0.2 * z * sqrt(k);
            fp_interval limits = {1 / (1 + odds + half), 1 / (1 + fmax(0, odds - half))};
            fp_drawn_calls drawn = {k, 1e9, 0.2};
            limits = fp_share_with_draw(1 / (1 + odds), limits, &drawn, 1, 0.95);
            if (limits.low <= truth && truth <= limits.high) covered += gsl_ran_poisson_pdf(k, mean);
        }
        if (!(covered >= 0.95)) fail_msg("a mean of %g is held in %g", mean, covered);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(excess_is_that_of_tables),
        cmocka_unit_test(nothing_drawn_is_no_certainty),
        cmocka_unit_test(the_true_share_is_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
