/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * index_curve.h - how often an index finds a pair of a given similarity: expected, with independent places,
 * fp_lsh_probability(d), d being the expected distance divided by the number of places (fp_algorithm.similarity is its
 * inverse); and measured, the share of pairs whose sketches have a key in common (fp_lsh_meet). All labelled pairs
 * count, duplicates or not, or those inside groups.
 */
#ifndef FP_INDEX_CURVE_H
#define FP_INDEX_CURVE_H

#include "eval/analyses/recall_loss.h"

/* Pairs with an exact similarity of at least `low` and below `high`; the last bin includes 1. */
typedef struct fp_index_bin {
    double low, high;
    size_t pairs;
    double similarity;     /* mean */
    fp_proportion brought; /* as in proportion_interval.h */
    double expected;       /* mean over the pairs of the probability at their similarity */
} fp_index_bin;

enum { FP_INDEX_POINTS = 201 };

typedef struct fp_index_curve {
    size_t bin_count; /* non-empty bins, ascending */
    const fp_index_bin *bins;
} fp_index_curve;

/* The similarity of point i < FP_INDEX_POINTS of a curve: from 0 to 1, evenly spaced; for a cosine evenly in the angle,
 * since the curve is steep near 1. */
double fp_index_curve_similarity(const fp_recall_loss_arm *arm, size_t i);
/* Whether an arm has such a curve: it needs an index and an exact counterpart. */
bool fp_index_curve_applies(const fp_recall_loss_arm *arm);
/* The probability at a similarity, for the arm's index or for another `form` over its sketches; the arm must have a
 * curve. */
double fp_index_curve_at(const fp_recall_loss_arm *arm, const fp_lsh_form *form, double similarity);

/* Bins of one arm; none if it has no curve. A pair with an empty sketch has the lowest similarity and is never found.
 * Intervals as of fp_recall_loss_fill. Same results for any number of threads. Everything lives in `arena`. */
fp_status fp_index_curve_make(const fp_recall_loss *lost, size_t arm, double confidence, const fp_progress *progress,
                              fp_arena *arena, fp_index_curve *curve, fp_error *error);

#endif
