/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * histogram.h - positives and negatives counted per distance. Memory grows with the number of distinct distances, not
 * of pairs; where these may be as many as the pairs, `limit` bounds them.
 *
 * A histogram that would hold more than `limit` distances switches to a grid: every distance is rounded up to a
 * multiple of `step`, 2⁻¹⁰ or the smallest larger power of two within the limit. The step depends on the distances
 * alone, not on their order nor on their division before a merge. On the grid,
 *   - counts at a threshold that is a multiple of the step, as all integers are, are exact;
 *   - a curve has the true curve's points at the multiples of the step, and none between them. For a bar with p
 *     positives and n negatives, after P positives and N negatives at smaller distances, let s = p/(all positives). It
 *     adds s·(P + p)/(P + p + N + n) to average precision; exact distances would add between s·(P + 1)/(P + 1 + N + n)
 *     and s·(P + p)/(P + p + N). The area under the ROC curve is within Σ p·n/2 over the bars, divided by
 *     positives·negatives. A threshold inside a bar has an F1 of at most 2(P + p)/(P + p + N + all positives).
 */
#ifndef FP_HISTOGRAM_H
#define FP_HISTOGRAM_H

#include "base/base.h"

/* The finest grid, and the limit that keeps distances up to 64 on it: 3 MB a thread. */
#define FP_HISTOGRAM_STEP 0x1p-10
#define FP_HISTOGRAM_LIMIT (((size_t)1 << 16) + 1)
/* Up to this many pairs, all pairs of 2,048 documents, there is no limit. */
#define FP_HISTOGRAM_EXACT ((size_t)1 << 21)

typedef struct fp_bar {
    double distance;
    uint64_t positives, negatives;
} fp_bar;

/* {.limit = …, .like = …} is an empty histogram. */
typedef struct fp_histogram {
    fp_bar *bars; /* finished: [count], ascending strictly; before, a hash table of `capacity` places, `count` taken */
    size_t count;
    size_t capacity;
    size_t limit; /* the most bars; 0: any number */
    double step;  /* 0: distances as they are; else rounded up to a multiple of this power of two */
    bool hashed;
    const fp_arena *like; /* whose memory source the bars use; NULL: malloc */
} fp_histogram;

/* Counts one pair at a distance (not NaN, not infinite). */
fp_status fp_histogram_add(fp_histogram *histogram, double distance, bool positive, fp_error *error);
/* Adds `positives` and `negatives` pairs at one distance. */
fp_status fp_histogram_add_many(fp_histogram *histogram, double distance, uint64_t positives, uint64_t negatives,
                                fp_error *error);
/* Counts a negative at each of `count` distances: faster than single calls. */
fp_status fp_histogram_add_negatives(fp_histogram *histogram, const double *distances, size_t count, fp_error *error);
/* Adds all that `from` holds. */
fp_status fp_histogram_merge(fp_histogram *histogram, const fp_histogram *from, fp_error *error);
/* Sorts: afterwards bars[0 … count) ascend strictly. More may be added; then it must be finished again. */
void fp_histogram_finish(fp_histogram *histogram);
/* Releases the bars; the struct is empty afterwards. */
void fp_histogram_free(fp_histogram *histogram);

/* ---- The bar of a finished histogram in which a distance was counted: the first at or beyond the distance ---- */

/* The most entries of a table by integer distance: 0 … 4096. */
enum { FP_BIN_WHOLES = 4097 };

/* A table for bars at integer distances; otherwise stretches of equal length with few bars in each. */
typedef struct fp_bin_finder {
    const fp_bar *bars;
    size_t count;
    double by_length; /* stretches per unit of distance */
    size_t stretch_count;
    const uint32_t
        *first; /* [stretch_count + 1] the first bar of a stretch or of a later one; at the end the last bar */
    size_t whole_count;
    const uint32_t *whole; /* [whole_count] the first bar at or beyond this distance; NULL: not all are integers */
} fp_bin_finder;

/* Keeps the bars, at least one; the table lives in `arena`. */
fp_status fp_bin_finder_open(const fp_histogram *histogram, fp_arena *arena, fp_bin_finder *finder, fp_error *error);
/* The bars of distances[count]; the last one for larger distances. */
void fp_bin_finder_find(const fp_bin_finder *finder, const double *distances, size_t count, uint32_t *bins);

/* ----
 * Precision, recall and derived measures from a finished histogram. A pair is predicted positive when its distance is ≤
 * h. An undefined measure (precision without predicted positives, recall without positives) is NaN, and NA in outputs.
 */

/* fp_confusion and fp_point: fplab/eval.h. Counts at threshold h; one pass over the bars. */
fp_confusion fp_confusion_at(const fp_histogram *histogram, double h);

double fp_precision(fp_confusion c);   /* tp/(tp + fp) */
double fp_recall(fp_confusion c);      /* tp/(tp + fn) */
double fp_specificity(fp_confusion c); /* tn/(tn + fp) */
double fp_f1(fp_confusion c);          /* 2tp/(2tp + fp + fn) */

typedef struct fp_curve {
    size_t count;
    const fp_point *points;
    uint64_t positives, negatives;
    double
        average_precision; /* Σ (R_i − R_{i−1})·P_i over the points in ascending distance; ties count once, together
                              (Manning, Raghavan, Schütze 2008, section 8.4; scikit-learn's average_precision_score) */
    double roc_area;       /* P[distance of a positive < of a negative] + ½ P[equal] (Hanley, McNeil 1982) */
    double best_f1;        /* largest F1 over the points; NaN without positives */
    double best_threshold; /* the smallest distance that reaches it */
} fp_curve;

/* The histogram must be finished. Points live in `arena`. */
fp_status fp_curve_make(const fp_histogram *histogram, fp_arena *arena, fp_curve *curve, fp_error *error);

#endif
