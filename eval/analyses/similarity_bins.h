/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * similarity_bins.h - bins of similarity of width 0.1, from −1 to 1: round limits are easier to read than equal counts.
 */
#ifndef FP_SIMILARITY_BINS_H
#define FP_SIMILARITY_BINS_H

#include <math.h>
#include <stddef.h>

enum { FP_SIMILARITY_BINS = 20 };

/* Similarities come from an exact distance, so that 0.7 may be smaller by a rounding error. The last bin includes 1. */
static inline size_t fp_similarity_bin_of(double similarity) {
    double place = floor((similarity + 1 + 1e-12) * 10);
    return (size_t)fmax(0, fmin(FP_SIMILARITY_BINS - 1, place));
}

/* The lower limit of a bin; that of bin FP_SIMILARITY_BINS is the upper limit of the last one. */
static inline double fp_similarity_bin_low(size_t bin) { return ((double)bin - FP_SIMILARITY_BINS / 2.0) / 10; }

#endif
