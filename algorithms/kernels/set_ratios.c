/* SPDX-License-Identifier: GPL-3.0-or-later
 * Jaccard distances: a division each, as many at once as there is room for. */
#include "algorithms/kernels/distance_kernels.h"

FP_BODY void body(double own, const double *restrict size, size_t count, double *restrict shared) {
    for (size_t i = 0; i < count; i++) shared[i] = 64 * (1 - shared[i] / (own + size[i] - shared[i]));
}

FP_KERNELS(fp_set_ratio_kernel, fp_set_ratio_kernels, body,
           (double own, const double *size, size_t count, double *shared), (own, size, count, shared))
