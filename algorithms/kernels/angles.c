/* SPDX-License-Identifier: GPL-3.0-or-later
 * Angles. acos x = π/2 − asin x, or 2·asin √((1 − x)/2) for x > ½, so that asin is needed only up to ½, where it is
 * s·P(s²). The polynomial P interpolates asin(√z)/√z at the 12 Chebyshev nodes of [0, ¼]. Its error is at most
 * 2.9·10⁻¹⁶, and so is that of the sums that follow: together less than 10⁻¹⁴ on the scale of 64. Multiples of 2⁻³² are
 * 2.3·10⁻¹⁰ apart. A value at least TIE of that from the middle between two multiples is therefore rounded alike by
 * every computation that is accurate to 10⁻¹³. */
#include "algorithms/kernels/distance_kernels.h"

#include <math.h>

/* The coefficients, the highest first. */
FP_BODY double polynomial(double z) {
    static const double C[] = {0x1.02164e3a1cbbdp-5, -0x1.7f2cb032de5f3p-7, 0x1.2b1cc4488d698p-6, 0x1.333f8f79fa40bp-7,
                               0x1.d56064c12e4ddp-7, 0x1.1baaecd577501p-6,  0x1.6e9740e30dbfep-6, 0x1.f1c697a184bcap-6,
                               0x1.6db6dd2b73e9ap-5, 0x1.3333333031706p-4,  0x1.55555555575c2p-3, 0x1.ffffffffffffep-1};
    double sum = C[0];
    for (size_t i = 1; i < sizeof C / sizeof *C; i++) sum = sum * z + C[i];
    return sum;
}

/* Rounds to the nearest integer, for less than 2⁵¹. */
FP_BODY double whole(double x) {
    const double SHIFT = 0x1.8p52;
    return (x + SHIFT) - SHIFT;
}

FP_BODY void body(const double *restrict cosine, size_t count, double *restrict angle) {
    const double TIE = 0x1p-10, LARGEST = 0.99;
    for (size_t i = 0; i < count; i++) {
        double x = cosine[i], half = (1 - x) / 2, square = x * x;
        bool near = x > 0.5;
        double z = near ? half : square, root = sqrt(z), s = near ? root : x, asine = s * polynomial(z);
        double twice = 2 * asine, rest = M_PI_2 - asine;
        double scaled = (near ? twice : rest) * (64 / M_PI * 0x1p32), rounded = whole(scaled);
        double apart = fabs(scaled - rounded), made = rounded * 0x1p-32;
        double clear = apart <= 0.5 - TIE ? made : NAN, above = x >= 0 ? clear : NAN;
        angle[i] = x <= LARGEST ? above : NAN;
    }
}

FP_KERNELS(fp_angles_kernel, fp_angles_kernels, body, (const double *cosine, size_t count, double *angle),
           (cosine, count, angle))
