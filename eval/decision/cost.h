/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cost.h - what thresholds cost (Drummond, Holte, Machine Learning 65, 2006, section 3).
 *
 * Let a missed duplicate cost r times a call that is wrong, and π of all pairs be duplicates. The probability cost
 * function PC(+) = πr/(πr + 1 − π) holds all that is to be known of both, and the expected cost, as a share of the most
 * that can be lost, is FNR·PC(+) + FPR·(1 − PC(+)): a straight line for each threshold, from FPR at PC(+) = 0 to FNR at
 * 1. Calling nothing costs PC(+), calling everything 1 − PC(+). The least of all lines is the lower envelope; its
 * corners are dual to the sides of the ROC curve's convex hull, hence to the pools of isotonic.h.
 */
#ifndef FP_COST_H
#define FP_COST_H

#include "eval/decision/isotonic.h"

/* The threshold of calling nothing: distances are 0 or more. */
#define FP_CALL_NOTHING (-1.0)

/* PC(+) of a missed duplicate that costs `ratio` > 0 times a wrong call, at a prevalence in (0, 1). */
double fp_cost_probability(double prevalence, double ratio);

/* A threshold on the lower envelope. */
typedef struct fp_cost_corner {
    double threshold; /* the smallest distance that calls as many; FP_CALL_NOTHING */
    uint64_t tp, fp;
    double fnr, fpr;
    double from, to; /* where it costs least: PC(+) in [from, to], which may be one point */
} fp_cost_corner;

/* The envelope of pools[count] with P positives and N negatives in all; corners[count + 1], by rising PC(+), hence
 * rising threshold; from calling nothing to calling everything. Returns how many there are, none when a class is empty.
 */
size_t fp_cost_envelope(const fp_pool *pools, size_t count, fp_cost_corner *corners);
/* The corner that costs least at a PC(+) in [0, 1]: the smallest threshold of those that do. */
const fp_cost_corner *fp_cost_least(const fp_cost_corner *corners, size_t count, double probability);
/* FNR·PC(+) + FPR·(1 − PC(+)). */
double fp_cost_of(double fnr, double fpr, double probability);

#endif
