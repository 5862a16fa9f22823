/* SPDX-License-Identifier: GPL-3.0-or-later
 * Quantiles of the gamma law. */
#include "eval/statistics/proportion_interval.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_math.h>
#include <math.h>

#include "tests/support.h"

/* Of chi-square, as tables print it: NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.4. */
static void chi_square_of_tables(void **state) {
    (void)state;
    static const struct {
        double freedom, level, quantile;
    } TABLE[] = {{1, 0.975, 5.024},   {1, 0.95, 3.841},   {2, 0.99, 9.210},     {10, 0.975, 20.483},
                 {10, 0.025, 3.247},  {10, 0.01, 2.558},  {30, 0.95, 43.773},   {30, 0.025, 16.791},
                 {100, 0.9, 118.498}, {100, 0.1, 82.358}, {100, 0.999, 149.449}};
    for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++)
        assert_true(fabs(2 * fp_gamma_quantile(TABLE[i].freedom / 2, TABLE[i].level) - TABLE[i].quantile) < 0.0006);
}

/* GSL's inverse ends the program at some of these shapes, below 0.1. */
static void inverse_of_the_law(void **state) {
    (void)state;
    static const double LEVELS[] = {1e-9, 0.0005, 0.025, 0.3, 0.5, 0.975, 0.9999};
    for (double shape = 0.06; shape < 30000; shape *= 1.07)
        for (size_t i = 0; i < sizeof LEVELS / sizeof *LEVELS; i++) {
            double found = fp_gamma_quantile(shape, LEVELS[i]), allowed = shape > 10000 ? 1e-4 : 1e-9;
            if (found < 1e-18) continue; /* 100 halvings end 10⁻²⁸ apart */
            assert_true(fabs(gsl_cdf_gamma_P(found, shape, 1) - LEVELS[i]) < allowed * fmax(LEVELS[i], 1e-3));
        }
    assert_true(fp_gamma_quantile(0.05, 0.025) >= 0 && fp_gamma_quantile(0.05, 0.025) < 1e-25);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chi_square_of_tables),
        cmocka_unit_test(inverse_of_the_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
