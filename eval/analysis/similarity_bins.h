/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * similarity_bins.h - similarities in bins of a tenth, from −1 to 1: round figures are easier to read than equal
 * counts.
 */
#ifndef FP_SIMILARITY_BINS_H
#define FP_SIMILARITY_BINS_H

#include <math.h>
#include <stddef.h>

enum { FP_SIMILARITY_BINS = 20 };

/* Similarities come by way of an exact distance, so that 0.7 may stand a last digit below. The last bin has 1 too. */
static inline size_t fp_similarity_bin_of(double similarity) {
    double place = floor((similarity + 1 + 1e-12) * 10);
    return (size_t)fmax(0, fmin(FP_SIMILARITY_BINS - 1, place));
}

/* Where a bin begins; bin FP_SIMILARITY_BINS begins where the last one ends. */
static inline double fp_similarity_bin_low(size_t bin) { return ((double)bin - FP_SIMILARITY_BINS / 2.0) / 10; }

#endif
