/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compile_gaussian OUTPUT - writes the magnitudes of 65,536 equally likely standard normal numbers: the quantiles at
 * the middle of as many equal shares of the distribution, of which this is the upper half, in units of 2⁻¹². No
 * quantile is nearer than 10⁻⁸ of a unit to a rounding boundary, so that every library computes the same numbers.
 */
#include <gsl/gsl_cdf.h>
#include <math.h>

#include "text/tables/compile.h"

enum { SIZES = 1 << 15, UNITS = 1 << 12 };

int main(int count, char **argument) {
    if (count != 2) die("compile_gaussian", 0, "usage: compile_gaussian OUTPUT");
    /* A gather of four bytes reads two entries past the last. */
    static int16_t table[SIZES + 2];
    for (size_t i = 0; i < SIZES; i++) {
        double exact = UNITS * gsl_cdf_ugaussian_Pinv(0.5 + ((double)i + 0.5) / (2 * SIZES));
        if (fabs(exact - floor(exact) - 0.5) < 1e-8) die(argument[1], 0, "size %zu is too near to the middle", i);
        table[i] = (int16_t)lround(exact);
    }
    write_table(argument[1], table, sizeof table);
    return 0;
}
