/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * consistent_draws.h - the random numbers of consistent weighted sampling, in single precision. They use only its
 * correctly rounded sums, products and quotients, in a fixed order, so that all machines agree to the last bit. The
 * rounding changes no probability by more than 10⁻⁵ of itself.
 */
#ifndef FP_CONSISTENT_DRAWS_H
#define FP_CONSISTENT_DRAWS_H

#include <string.h>

#include "base/cpu.h"

FP_BODY float fp_float_of_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

FP_BODY uint32_t fp_bits_of_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* `first` where the mask is all ones, `second` where it is 0. */
FP_BODY float fp_chosen_float(uint32_t mask, float first, float second) {
    return fp_float_of_bits((fp_bits_of_float(first) & mask) | (fp_bits_of_float(second) & ~mask));
}

/* The bits of 1 and of √½. */
#define FP_ONE_BITS 0x3f800000
#define FP_HALF_ROOT_BITS 0x3f3504f3

/* log₂(1 + f)/f for √½ ≤ 1 + f < √2, with a relative error of 1.2·10⁻⁶: the polynomial of degree 6 with the least
 * maximum relative error (Remez). Terms are added in pairs to avoid the latency of a chain of six products. */
FP_BODY float fp_log2_ratio(float f) {
    const float term[] = {1.44269645F, -0.721363576F, 0.480626768F, -0.359371643F,
                          0.29569952F, -0.269320219F, 0.171624568F};
    float square = f * f;
    float low = term[0] + term[1] * f, middle = term[2] + term[3] * f, high = term[4] + term[5] * f + term[6] * square;
    return low + middle * square + high * (square * square);
}

/* log₂ x for normal x > 0: x = 2ᵏ·(1 + f). */
FP_BODY float fp_log2_short(float x) {
    uint32_t bits = fp_bits_of_float(x) + (FP_ONE_BITS - FP_HALF_ROOT_BITS);
    float k = (float)((int32_t)(bits >> 23) - 127);
    float f = fp_float_of_bits((bits & 0x7fffff) + FP_HALF_ROOT_BITS) - 1;
    return k + f * fp_log2_ratio(f);
}

/* (n + ½)/2²³, n being the upper 23 bits. */
#define FP_UNIFORM_OFF (1 - 0x1p-24F)
FP_BODY float fp_uniform_short(uint32_t random) { return fp_float_of_bits(FP_ONE_BITS | random >> 9) - FP_UNIFORM_OFF; }

/* n/2¹⁸, n being the lowest nine bits of `high` and those of `low`. */
FP_BODY float fp_uniform_rest(uint32_t high, uint32_t low) {
    return fp_float_of_bits(FP_ONE_BITS | (high & 0x1ff) << 14 | (low & 0x1ff) << 5) - 1;
}

/* ⌊x⌋, x other than −0. If |x| < 2²³, adding and subtracting 2²³ with the sign of x leaves the nearest integer. It uses
 * masks of signs: a comparison could trap, and compilers would not vectorise it. */
FP_BODY float fp_floor_short(float x) {
    uint32_t bits = fp_bits_of_float(x), size = bits & 0x7fffffff, small = 0 - ((size - 0x4b000000) >> 31);
    float shift = fp_float_of_bits(0x4b000000 | (bits & 0x80000000));
    float nearest = x + shift - shift;
    nearest = fp_chosen_float(small, nearest, x);
    return nearest - fp_float_of_bits((0 - (fp_bits_of_float(x - nearest) >> 31)) & FP_ONE_BITS);
}

#endif
