/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * histogram.h - positives and negatives counted per distance. Memory grows with the number of distinct distances, not of pairs.
 */
#ifndef FP_HISTOGRAM_H
#define FP_HISTOGRAM_H

#include "base/base.h"

typedef struct fp_bar {
    double distance;
    uint64_t positives, negatives;
} fp_bar;

typedef struct fp_histogram {
    fp_bar *bars;      /* [sorted] in ascending order of distance, then [count − sorted] as they came */
    size_t count;      /* used */
    size_t sorted;
    size_t capacity;
} fp_histogram;

/* Counts one pair at a distance (not NaN). */
fp_status fp_histogram_add(fp_histogram *histogram, double distance, bool positive, fp_error *error);
/* Adds `positives` and `negatives` pairs at one distance. */
fp_status fp_histogram_add_many(fp_histogram *histogram, double distance, uint64_t positives, uint64_t negatives, fp_error *error);
/* Sorts and merges: afterwards bars[0 … count) ascend strictly. */
void fp_histogram_finish(fp_histogram *histogram);
/* Releases the bars; the struct is empty afterwards. */
void fp_histogram_free(fp_histogram *histogram);

#endif
