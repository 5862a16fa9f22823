/* SPDX-License-Identifier: GPL-3.0-or-later
 * Places on a grid: rounded to the nearest whole number, by what is added and taken away again, and up where that was
 * down. */
#include "algorithms/kernels/distance_kernels.h"

FP_BODY void body(const double *restrict distance, size_t count, double by_step, uint32_t last,
                  uint32_t *restrict place) {
    const double SHIFT = 0x1.8p52, most = last;
    for (size_t i = 0; i < count; i++) {
        double scaled = distance[i] * by_step, low = scaled < most ? scaled : most, kept = low > 0 ? low : 0;
        double near = (kept + SHIFT) - SHIFT, up = near + 1;
        place[i] = (uint32_t)(int32_t)(near < kept ? up : near);
    }
}

FP_KERNELS(fp_grid_kernel, fp_grid_kernels, body,
           (const double *distance, size_t count, double by_step, uint32_t last, uint32_t *place),
           (distance, count, by_step, last, place))
