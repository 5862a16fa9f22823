/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * class_shares.h - how many of the duplicates and how many of the other pairs are in some set, such as the pairs that a
 * threshold calls, and how sure sums of the two shares are.
 */
#ifndef FP_CLASS_SHARES_H
#define FP_CLASS_SHARES_H

#include "eval/statistics/proportion_interval.h"

/* Labelled pairs by their class. */
typedef struct fp_classes {
    const fp_resample *resample;
    const double *positive, *negative; /* [pair_count] 1 for a pair of that class, else 0 */
} fp_classes;

/* Keeps `resample`, which was made of these pairs. Lives in `arena`. */
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
 * 168, 2008). It keeps a length where a share is 0 or 1. */
fp_interval fp_class_shares_sum(const fp_class_shares *shares, double a, double b);

#endif
