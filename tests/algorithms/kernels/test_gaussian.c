/* SPDX-License-Identifier: GPL-3.0-or-later
 * Standard normal numbers to the last bit: the series of gaussian.c with their terms as formulas, in the same order,
 * which IEEE 754 rounds alike. How near they are to the mathematical library is asked in test_simhash_laws.c. */
#include <math.h>

#include "algorithms/kernels/sketch_kernels.h"
#include "tests/support.h"

enum { PAIRS = FP_GAUSSIANS / 2 };

/* 2·artanh s = 2s·(1 + s²/3 + s⁴/5 + … + s¹⁸/19), m being between √½ and √2. */
static double logarithm(double u) {
    int power;
    double m = frexp(u, &power);
    if (m < M_SQRT1_2) m *= 2, power--;
    double s = (m - 1) / (m + 1), q = s * s, series = 1.0 / 19;
    for (int k = 17; k >= 1; k -= 2) series = 1.0 / k + q * series;
    return power * M_LN2 + 2 * s * series;
}

/* 1 − a²/(k(k − 1))·(1 − a²/((k − 2)(k − 3))·…), from k = `last` down to `first`. */
static double alternating(double a, int last, int first) {
    double q = a * a, series = 1;
    for (double k = last; k >= first; k -= 2) series = 1 - q * (1.0 / (k * (k - 1))) * series;
    return series;
}

static void numbers_are_their_series(void **state) {
    (void)state;
    for (uint64_t key = 0; key < 20000; key++) {
        size_t block = key % 5;
        double made[FP_GAUSSIANS], wanted[FP_GAUSSIANS];
        for (size_t i = 0; i < PAIRS; i++) {
            uint64_t word = fp_mix(key, block * PAIRS + i);
            double radius = sqrt(-2 * logarithm(((double)(word >> 33) + 0.5) / 2147483648.0));
            double angle = (((double)(word >> 1 & 0x7fffffff) + 0.5) / 2147483648.0 - 0.5) * M_PI;
            if (word & 1) radius = -radius;
            wanted[i] = radius * alternating(angle, 20, 2);
            wanted[PAIRS + i] = radius * (angle * alternating(angle, 21, 3));
        }
        for (int level = 0; level <= (int)fp_cpu_best(); level++) {
            fp_gaussian_kernels[level](key, block, made);
            if (memcmp(made, wanted, sizeof made) != 0)
                fail_msg("%s: key %u", fp_cpu_name((fp_cpu)level), (unsigned)key);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_are_their_series)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
