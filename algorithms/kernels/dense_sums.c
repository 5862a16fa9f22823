/* SPDX-License-Identifier: GPL-3.0-or-later
 * Dense sums. The limit is the nearest cache: two loads and a store for each vector. */
#include "algorithms/kernels/dense_sums.h"

FP_BODY void products(double value, const double *restrict values, size_t count, double *restrict sum) {
    for (size_t i = 0; i < count; i++) sum[i] += value * values[i];
}

FP_BODY void minima(double value, const double *restrict values, size_t count, double *restrict sum) {
    for (size_t i = 0; i < count; i++) sum[i] += value < values[i] ? value : values[i];
}

static void product_portable(double value, const double *values, size_t count, double *sum) {
    products(value, values, count, sum);
}
FP_FOR_AVX2 static void product_avx2(double value, const double *values, size_t count, double *sum) {
    products(value, values, count, sum);
}
FP_FOR_AVX512 static void product_avx512(double value, const double *values, size_t count, double *sum) {
    products(value, values, count, sum);
}

static void minimum_portable(double value, const double *values, size_t count, double *sum) {
    minima(value, values, count, sum);
}
FP_FOR_AVX2 static void minimum_avx2(double value, const double *values, size_t count, double *sum) {
    minima(value, values, count, sum);
}
FP_FOR_AVX512 static void minimum_avx512(double value, const double *values, size_t count, double *sum) {
    minima(value, values, count, sum);
}

const fp_dense_kernel fp_dense_product_kernels[FP_CPU_LEVELS] = {product_portable, product_avx2, product_avx512};
const fp_dense_kernel fp_dense_minimum_kernels[FP_CPU_LEVELS] = {minimum_portable, minimum_avx2, minimum_avx512};
