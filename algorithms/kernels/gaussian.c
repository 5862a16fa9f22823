/* SPDX-License-Identifier: GPL-3.0-or-later
 * Standard normal numbers. Logarithm, sine and cosine are series: only +, −, ·, / and √ are used, which IEEE 754 rounds
 * alike everywhere, so that the numbers do not depend on the mathematical library, the compiler or the level. */
#include "algorithms/kernels/sketch_kernels.h"

#include <math.h>
#include <string.h>

#include "base/base.h"

enum { PAIRS = FP_GAUSSIANS / 2 };

/* ln u for 2⁻⁴⁰ < u < 1: u = 2^e·m with m in [√½, √2), ln m = 2·artanh(s), s = (m − 1)/(m + 1), |s| < 0.1716; the
 * series to s¹⁹ has an error of 10⁻¹⁶. */
FP_BODY double logarithm(double u) {
    /* The exponent is counted from √½ and shifted by 64 to be positive; OFF is the bit pattern of √½. */
    const uint64_t OFF = UINT64_C(0x3fe6a09e667f3bcd), SHIFT = UINT64_C(64) << 52,
                   TWO_52 = UINT64_C(0x4330000000000000);
    uint64_t bits;
    double m, e;
    memcpy(&bits, &u, sizeof bits);
    uint64_t from = bits - OFF + SHIFT, exponent = from >> 52;
    bits -= (from & UINT64_C(0xfff0000000000000)) - SHIFT;
    memcpy(&m, &bits, sizeof m);
    exponent |= TWO_52; /* as a double: 2⁵² + exponent */
    memcpy(&e, &exponent, sizeof e);
    e -= 4503599627370496.0 + 64;
    double s = (m - 1) / (m + 1), q = s * s;
    double series =
        1 + q * (1.0 / 3 +
                 q * (1.0 / 5 +
                      q * (1.0 / 7 +
                           q * (1.0 / 9 +
                                q * (1.0 / 11 + q * (1.0 / 13 + q * (1.0 / 15 + q * (1.0 / 17 + q * (1.0 / 19)))))))));
    return e * 0.69314718055994530942 + 2 * s * series;
}

/* cos a and sin a for |a| ≤ π/2, by their series; the truncation error is below 3·10⁻¹⁶. */
#define STEP(series, q, k) (1 - (q) * (1.0 / ((k) * ((k)-1.0))) * (series))

FP_BODY double cosine_of(double a) {
    double q = a * a;
    double inner = STEP(STEP(STEP(STEP(STEP(1, q, 20), q, 18), q, 16), q, 14), q, 12);
    return STEP(STEP(STEP(STEP(STEP(inner, q, 10), q, 8), q, 6), q, 4), q, 2);
}

FP_BODY double sine_of(double a) {
    double q = a * a;
    double inner = STEP(STEP(STEP(STEP(STEP(1, q, 21), q, 19), q, 17), q, 15), q, 13);
    return a * STEP(STEP(STEP(STEP(STEP(inner, q, 11), q, 9), q, 7), q, 5), q, 3);
}

/* Box and Muller (1958): for uniform u and φ, √(−2 ln u)·(cos φ, sin φ) are two independent standard normals. The
 * high 31 bits of a word give u, the next 31 the angle in the right half plane, the lowest one the sign. |number|
 * < 6.7; pair i fills places i and i + 32. */
FP_BODY void body(uint64_t key, size_t block, double number[FP_GAUSSIANS]) {
    double radius[PAIRS], angle[PAIRS], sign[PAIRS];
    for (size_t i = 0; i < PAIRS; i++) {
        uint64_t word = fp_mix(key, block * PAIRS + i);
        radius[i] = ((double)(int32_t)(word >> 33) + 0.5) * 0x1p-31;
        angle[i] = (((double)(int32_t)(word >> 1 & 0x7fffffff) + 0.5) * 0x1p-31 - 0.5) * 3.14159265358979323846;
        sign[i] = 1 - 2 * (double)(int32_t)(word & 1);
    }
    for (size_t i = 0; i < PAIRS; i++) radius[i] = -2 * logarithm(radius[i]);
    for (size_t i = 0; i < PAIRS; i++) radius[i] = sign[i] * sqrt(radius[i]);
    for (size_t i = 0; i < PAIRS; i++) number[i] = radius[i] * cosine_of(angle[i]);
    for (size_t i = 0; i < PAIRS; i++) number[PAIRS + i] = radius[i] * sine_of(angle[i]);
}

FP_KERNELS(fp_gaussian_kernel, fp_gaussian_kernels, body, (uint64_t key, size_t block, double number[FP_GAUSSIANS]),
           (key, block, number))
