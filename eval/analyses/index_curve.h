/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * index_curve.h - how often an index brings a pair of a given similarity, measured beside expected.
 *
 * Where a place of two sketches differs with a probability d that is known from the true similarity, and places are
 * independent, the index brings the pair with the probability fp_lsh_probability(d): over the similarity a curve
 * shaped like an S. d is the expected distance over the number of places; fp_algorithm. similarity is the inverse of
 * the expected distance (eval/analyses/recall_loss.h), so that d = θ/π for signs and (1 − J)(1 − 2^−b) for slots of b
 * bits.
 *
 * Measured is whether the sketches of a pair have a key in common (fp_lsh_meet), which is whether a look-up by one
 * brings the other. All labelled pairs of a corpus count, duplicates or not: the curve knows no labels. Where groups
 * are the truth and not listed as pairs, the pairs inside groups count alone.
 */
#ifndef FP_INDEX_CURVE_H
#define FP_INDEX_CURVE_H

#include "eval/analyses/recall_loss.h"

/* Pairs whose exact similarity is at least `low` and below `high`; the last bin has 1 too. */
typedef struct fp_index_bin {
    double low, high;
    size_t pairs;
    double similarity;     /* mean */
    fp_proportion brought; /* as in proportion_interval.h */
    double expected;       /* mean of the probability at each pair's own similarity */
} fp_index_bin;

enum { FP_INDEX_POINTS = 201 };

typedef struct fp_index_curve {
    size_t bin_count; /* of eval/analyses/recall_loss.h, with a pair or more, ascending */
    const fp_index_bin *bins;
} fp_index_curve;

/* The similarity of point i < FP_INDEX_POINTS of a curve: from 0 to 1, evenly; of a cosine over the angle, since the
 * curve is steep near 1. */
double fp_index_curve_similarity(const fp_recall_loss_arm *arm, size_t i);
/* Whether an arm has such a curve: an index, and something exact beside it. */
bool fp_index_curve_applies(const fp_recall_loss_arm *arm);
/* The probability at a similarity, of the arm's index or of another `form` over its sketches; the arm has a curve. */
double fp_index_curve_at(const fp_recall_loss_arm *arm, const fp_lsh_form *form, double similarity);

/* Bins of one arm; none where it has no curve. A pair of which the arm reads nothing is as dissimilar as can be, and
 * its equal sketches of nothing do not count as brought. Intervals as of fp_recall_loss_fill. Same figures for any
 * number of threads. Everything lives in `arena`. */
fp_status fp_index_curve_make(const fp_recall_loss *lost, size_t arm, double confidence, const fp_progress *progress,
                              fp_arena *arena, fp_index_curve *curve, fp_error *error);

#endif
