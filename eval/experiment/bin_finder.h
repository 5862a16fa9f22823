/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bin_finder.h - which bar of a finished histogram a distance was counted in: the first that is no nearer.
 */
#ifndef FP_BIN_FINDER_H
#define FP_BIN_FINDER_H

#include "eval/measures/histogram.h"

/* Tables by whole distances are not worth the memory of more places. */
enum { FP_BIN_WHOLES = 4097 };

/* Where the bars stand at whole distances, a table tells. Otherwise the range of distances is cut into stretches of one
 * length, so many that few bars lie in each. */
typedef struct fp_bin_finder {
    const fp_bar *bars;
    size_t count;
    double by_length; /* stretches per unit of distance */
    size_t stretch_count;
    const uint32_t
        *first; /* [stretch_count + 1] the first bar of a stretch, or of a later one; the last bar behind all */
    size_t whole_count;
    const uint32_t *whole; /* [whole_count] the first bar at this distance or beyond it; NULL: bars stand elsewhere */
} fp_bin_finder;

/* Keeps the bars, of which there is at least one; the table lives in `arena`. */
fp_status fp_bin_finder_open(const fp_histogram *histogram, fp_arena *arena, fp_bin_finder *finder, fp_error *error);
/* The bars of distances[count]; the last for what is beyond all. */
void fp_bin_finder_find(const fp_bin_finder *finder, const double *distances, size_t count, uint32_t *bins);

#endif
