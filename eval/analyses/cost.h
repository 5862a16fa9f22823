/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cost.h - the cost of thresholds (Drummond, Holte, Machine Learning 65, 2006, section 3).
 *
 * If a missed duplicate costs r times as much as a false positive, and π is the share of duplicates, the expected cost,
 * as a share of the largest possible cost, is FNR·PC(+) + FPR·(1 − PC(+)) with PC(+) = πr/(πr + 1 − π): a straight line
 * for each threshold. Calling nothing costs PC(+), calling everything 1 − PC(+). The minimum of all lines is the lower
 * envelope; its corners are dual to the sides of the ROC curve's convex hull, hence to the pools of isotonic.h.
 */
#ifndef FP_COST_H
#define FP_COST_H

#include "eval/analyses/isotonic.h"
#include "eval/measures/histogram.h"
#include "eval/statistics/proportion_interval.h"

/* The threshold that calls nothing: distances are 0 or more. */
#define FP_CALL_NOTHING (-1.0)

/* PC(+) of a missed duplicate that costs `ratio` > 0 times a false positive, at a prevalence in (0, 1). */
double fp_cost_probability(double prevalence, double ratio);

/* A threshold on the lower envelope. */
typedef struct fp_cost_corner {
    double threshold; /* smallest distance with the same calls, or FP_CALL_NOTHING */
    uint64_t tp, fp;
    double fnr, fpr;
    double from, to; /* it has the least cost for PC(+) in [from, to]; may be one point */
} fp_cost_corner;

/* The envelope of pools[count] with P positives and N negatives in all; corners[count + 1], by rising PC(+), hence
 * rising threshold; from calling nothing to calling everything. Returns their number; 0 if a class is empty. */
size_t fp_cost_envelope(const fp_pool *pools, size_t count, fp_cost_corner *corners);
/* The corner with the least cost at a PC(+) in [0, 1]; of equal ones, the smallest threshold. */
const fp_cost_corner *fp_cost_least(const fp_cost_corner *corners, size_t count, double probability);
/* FNR·PC(+) + FPR·(1 − PC(+)). */
double fp_cost_of(double fnr, double fpr, double probability);

/* ----
 * Precision–recall–gain curves (Flach, Kull, Precision–Recall–Gain Curves, NIPS 2015).
 *
 * Gains compare precision and recall with calling everything: (x − π)/((1 − π)x), π being the share of duplicates. F1
 * gain is the mean of the two; the area is precision_recall_gain_area of the measures.
 */

typedef struct fp_gain_point {
    double distance; /* NaN where the curve crosses recall gain 0 between two distances */
    double precision_gain, recall_gain, f1_gain;
} fp_gain_point;

/* (x − π)/((1 − π)x): −∞ at 0, 0 at π, 1 at 1. 0 < π < 1. */
double fp_gain(double x, double prevalence);

/* The points of a curve with a recall gain of 0 or more, by ascending recall gain. The first has gain 0, with counts
 * interpolated between distances as for the area, unless no point lies before it. points[curve->count + 1]; returns
 * their number, 0 if a class is empty. */
size_t fp_gain_points(const fp_curve *curve, fp_gain_point *points);

/* ---- Shares of both classes in a set of pairs, such as those that a threshold calls, and confidence intervals ---- */

/* Labelled pairs by their class. */
typedef struct fp_classes {
    const fp_resample *resample;
    const double *positive, *negative; /* [pair_count] 1 for a pair of that class, else 0 */
} fp_classes;

/* Keeps a reference to `resample`, which was made from these pairs. Lives in `arena`. */
fp_status fp_classes_make(const fp_resample *resample, const fp_pair *pairs, fp_arena *arena, fp_classes *classes,
                          fp_error *error);

typedef struct fp_class_shares {
    fp_proportion positives, negatives; /* the share of each class that are members */
    double correlation;                 /* of the two shares */
} fp_class_shares;

/* member[pair_count]. Both classes must have pairs. `scratch` is not reset. */
fp_status fp_class_shares_of(const fp_classes *classes, const bool *member, double confidence, fp_arena *scratch,
                             fp_class_shares *shares, fp_error *error);

/* Interval of a·(share of the positives) + b·(share of the negatives), a and b of any sign, from the limits of both:
 * the method of variance estimates recovery, with the correlation of the two (Zou, American Journal of Epidemiology
 * 168, 2008). The interval is not empty even if a share is 0 or 1. */
fp_interval fp_class_shares_sum(const fp_class_shares *shares, double a, double b);

#endif
