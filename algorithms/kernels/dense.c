/* SPDX-License-Identifier: GPL-3.0-or-later
 * Loops over dense numbers, which compilers turn into vectors at every level. */
#include "algorithms/kernels/distance_kernels.h"

/* ---- Sums. The limit is the first-level cache: two loads and a store for each vector ---- */

FP_BODY void products(double value, const double *restrict values, size_t count, double *restrict sum) {
    for (size_t i = 0; i < count; i++) sum[i] += value * values[i];
}

FP_BODY void minima(double value, const double *restrict values, size_t count, double *restrict sum) {
    for (size_t i = 0; i < count; i++) sum[i] += value < values[i] ? value : values[i];
}

FP_KERNELS(fp_dense_kernel, fp_dense_product_kernels, products,
           (double value, const double *values, size_t count, double *sum), (value, values, count, sum))
FP_KERNELS(fp_dense_kernel, fp_dense_minimum_kernels, minima,
           (double value, const double *values, size_t count, double *sum), (value, values, count, sum))

/* ---- Products. A product of two floats is exact in a double ---- */

FP_BODY double dot(const float *a, const float *b, size_t count) {
    double sum[FP_DOT_LANES] = {0};
    size_t i = 0;
    for (; i + FP_DOT_LANES <= count; i += FP_DOT_LANES)
        for (size_t lane = 0; lane < FP_DOT_LANES; lane++) sum[lane] += (double)a[i + lane] * (double)b[i + lane];
    for (size_t lane = 0; i + lane < count; lane++) sum[lane] += (double)a[i + lane] * (double)b[i + lane];
    for (size_t half = FP_DOT_LANES / 2; half; half /= 2)
        for (size_t lane = 0; lane < half; lane++) sum[lane] += sum[lane + half];
    return sum[0];
}

static double portable(const float *a, const float *b, size_t count) { return dot(a, b, count); }
FP_FOR_AVX2 static double avx2(const float *a, const float *b, size_t count) { return dot(a, b, count); }
FP_FOR_AVX512 static double avx512(const float *a, const float *b, size_t count) { return dot(a, b, count); }

const fp_dense_dot fp_dense_dot_kernels[FP_CPU_LEVELS] = {portable, avx2, avx512};

/* ---- Jaccard distances: one division each, as many at once as fit into a vector ---- */

FP_BODY void ratios(double own, const double *restrict size, size_t count, double *restrict shared) {
    for (size_t i = 0; i < count; i++) shared[i] = 64 * (1 - shared[i] / (own + size[i] - shared[i]));
}

FP_KERNELS(fp_set_ratio_kernel, fp_set_ratio_kernels, ratios,
           (double own, const double *size, size_t count, double *shared), (own, size, count, shared))

/* ---- Places on a grid: nearest integers by adding and subtracting SHIFT, plus one if that rounded down ---- */

FP_BODY void steps(const double *restrict distance, size_t count, double by_step, uint32_t last,
                   uint32_t *restrict place) {
    const double SHIFT = 0x1.8p52, most = last;
    for (size_t i = 0; i < count; i++) {
        double scaled = distance[i] * by_step, low = scaled < most ? scaled : most, kept = low > 0 ? low : 0;
        double near = (kept + SHIFT) - SHIFT, up = near + 1;
        place[i] = (uint32_t)(int32_t)(near < kept ? up : near);
    }
}

FP_KERNELS(fp_grid_kernel, fp_grid_kernels, steps,
           (const double *distance, size_t count, double by_step, uint32_t last, uint32_t *place),
           (distance, count, by_step, last, place))
