/* SPDX-License-Identifier: GPL-3.0-or-later
 * Consistent weighted samples. The limit is arithmetic: four divisions, three logarithms and three mixes a feature and
 * slot. Logarithms are to the base 2: r and c then come in units of ln 2, which cancels in t and adds a constant to log
 * a. */
#include "algorithms/kernels/consistent.h"

#include <math.h>
#include <string.h>

#include "base/base.h"

enum { BLOCK = 16, STREAMS = 3 };

FP_BODY double from_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

FP_BODY uint64_t to_bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* 2⁵² with the low bits taken: the double 2⁵² + n, for n < 2⁵². */
#define SHIFT UINT64_C(0x4330000000000000)

/* log₂ x for normal x > 0, to about 2⁻⁵⁰ of 1 + |log₂ x|. x = 2ᵏ·m with m in [√½, √2); ln m = 2·artanh s, s = (m −
 * 1)/(m + 1), |s| < 0.172, by its series up to s¹⁷/17. */
FP_BODY double log2_of(double x) {
    const uint64_t half_root = UINT64_C(0x3fe6a09e667f3bcd), one = UINT64_C(0x3ff0000000000000);
    uint64_t bits = to_bits(x) + (one - half_root);
    double k = from_bits(SHIFT | bits >> 52) - (0x1p52 + 1023);
    double m = from_bits((bits & UINT64_C(0xfffffffffffff)) + half_root);
    double s = (m - 1) / (m + 1), z = s * s;
    double series = 1.0 / 17;
    series = series * z + 1.0 / 15;
    series = series * z + 1.0 / 13;
    series = series * z + 1.0 / 11;
    series = series * z + 1.0 / 9;
    series = series * z + 1.0 / 7;
    series = series * z + 1.0 / 5;
    series = series * z + 1.0 / 3;
    series = series * z + 1;
    return k + s * series * (2 * M_LOG2E);
}

/* (n + ½)/2³² for the halves of 64 random bits, multiplied; −log₂ of it is Gamma(2, 1) in units of ln 2. */
FP_BODY double gamma_of(uint64_t random) {
    double high = from_bits(SHIFT | random >> 32) - (0x1p52 - 0.5);
    double low = from_bits(SHIFT | (random & UINT64_C(0xffffffff))) - (0x1p52 - 0.5);
    return -log2_of(high * 0x1p-32 * (low * 0x1p-32));
}

/* All ones when a < b, else 0, for a finite: the sign of the difference. Unlike a comparison it cannot trap, so that
 * compilers make vectors of it. */
FP_BODY uint64_t below(double a, double b) { return 0 - (to_bits(a - b) >> 63); }

/* ⌊x⌋ for |x| < 2⁵¹: r is above 2⁻³², so that |t| stays below 2⁴³. */
FP_BODY double floor_of(double x) {
    double nearest = x + 0x1.8p52 - 0x1.8p52;
    return nearest - from_bits(below(x, nearest) & to_bits(1));
}

FP_BODY uint64_t chosen(uint64_t mask, uint64_t first, uint64_t second) { return (first & mask) | (second & ~mask); }

FP_BODY void body(const uint64_t *value, const double *weight, size_t values, uint64_t *sample, size_t slots) {
    for (size_t from = 0; from < slots; from += BLOCK) {
        size_t some = slots - from < BLOCK ? slots - from : BLOCK;
        double least[BLOCK], step[BLOCK];
        uint64_t feature[BLOCK];
        for (size_t lane = 0; lane < BLOCK; lane++) least[lane] = INFINITY, step[lane] = 0, feature[lane] = 0;
        for (size_t f = 0; f < values; f++) {
            double level = log2_of(weight[f]);
            for (size_t lane = 0; lane < BLOCK; lane++) {
                uint64_t stream = (from + lane) * STREAMS, random = fp_mix(value[f], stream);
                double r = gamma_of(random), c = gamma_of(fp_mix(value[f], stream + 1));
                double beta = from_bits(UINT64_C(0x3ff0000000000000) | fp_mix(value[f], stream + 2) >> 12) - 1;
                double t = floor_of(level / r + beta), a = log2_of(c) - r * (t - beta + 1);
                uint64_t less = below(a, least[lane]);
                least[lane] = from_bits(chosen(less, to_bits(a), to_bits(least[lane])));
                step[lane] = from_bits(chosen(less, to_bits(t), to_bits(step[lane])));
                feature[lane] = chosen(less, random, feature[lane]);
            }
        }
        for (size_t lane = 0; lane < some; lane++)
            sample[from + lane] = values ? fp_mix(feature[lane], (uint64_t)(int64_t)step[lane]) : UINT64_MAX;
    }
}

static void portable(const uint64_t *value, const double *weight, size_t values, uint64_t *sample, size_t slots) {
    body(value, weight, values, sample, slots);
}

FP_FOR_AVX2 static void avx2(const uint64_t *value, const double *weight, size_t values, uint64_t *sample,
                             size_t slots) {
    body(value, weight, values, sample, slots);
}

FP_FOR_AVX512 static void avx512(const uint64_t *value, const double *weight, size_t values, uint64_t *sample,
                                 size_t slots) {
    body(value, weight, values, sample, slots);
}

const fp_consistent_kernel fp_consistent_kernels[FP_CPU_LEVELS] = {portable, avx2, avx512};
