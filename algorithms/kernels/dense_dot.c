/* SPDX-License-Identifier: GPL-3.0-or-later
 * Dense products. A product of two floats is exact in a double. */
#include "algorithms/kernels/distance_kernels.h"

FP_BODY double body(const float *a, const float *b, size_t count) {
    double sum[FP_DOT_LANES] = {0};
    size_t i = 0;
    for (; i + FP_DOT_LANES <= count; i += FP_DOT_LANES)
        for (size_t lane = 0; lane < FP_DOT_LANES; lane++) sum[lane] += (double)a[i + lane] * (double)b[i + lane];
    for (size_t lane = 0; i + lane < count; lane++) sum[lane] += (double)a[i + lane] * (double)b[i + lane];
    for (size_t half = FP_DOT_LANES / 2; half; half /= 2)
        for (size_t lane = 0; lane < half; lane++) sum[lane] += sum[lane + half];
    return sum[0];
}

static double portable(const float *a, const float *b, size_t count) { return body(a, b, count); }
FP_FOR_AVX2 static double avx2(const float *a, const float *b, size_t count) { return body(a, b, count); }
FP_FOR_AVX512 static double avx512(const float *a, const float *b, size_t count) { return body(a, b, count); }

const fp_dense_dot fp_dense_dot_kernels[FP_CPU_LEVELS] = {portable, avx2, avx512};
