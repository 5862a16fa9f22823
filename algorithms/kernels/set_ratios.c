/* SPDX-License-Identifier: GPL-3.0-or-later
 * Jaccard distances: a division each, as many at once as there is room for. */
#include "algorithms/kernels/set_ratios.h"

FP_BODY void body(double own, const double *restrict size, size_t count, double *restrict shared) {
    for (size_t i = 0; i < count; i++) shared[i] = 64 * (1 - shared[i] / (own + size[i] - shared[i]));
}

static void portable(double own, const double *size, size_t count, double *shared) { body(own, size, count, shared); }
FP_FOR_AVX2 static void avx2(double own, const double *size, size_t count, double *shared) {
    body(own, size, count, shared);
}
FP_FOR_AVX512 static void avx512(double own, const double *size, size_t count, double *shared) {
    body(own, size, count, shared);
}

const fp_set_ratio_kernel fp_set_ratio_kernels[FP_CPU_LEVELS] = {portable, avx2, avx512};
