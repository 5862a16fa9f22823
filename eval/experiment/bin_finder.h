/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bin_finder.h - which bar of a finished histogram a distance was counted in.
 */
#ifndef FP_BIN_FINDER_H
#define FP_BIN_FINDER_H

#include "eval/measures/histogram.h"

typedef struct fp_bin_finder {
    const fp_bar *bars;
    size_t count;
    double step;            /* of the histogram's grid; 1 where all distances are whole; 0: any */
    size_t direct_count;    /* distances below direct_count·step stand in the table */
    const uint32_t *direct; /* the first bar at a distance ≥ i·step */
} fp_bin_finder;

/* Keeps the bars; the table lives in `arena`. */
fp_status fp_bin_finder_open(const fp_histogram *histogram, fp_arena *arena, fp_bin_finder *finder, fp_error *error);
/* The bars of distances[count] that were counted. */
void fp_bin_finder_find(const fp_bin_finder *finder, const double *distances, size_t count, uint32_t *bins);

#endif
