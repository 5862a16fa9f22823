/* SPDX-License-Identifier: GPL-3.0-or-later
 * Dense sums. The limit is the nearest cache: two loads and a store for each vector. */
#include "algorithms/kernels/distance_kernels.h"

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
