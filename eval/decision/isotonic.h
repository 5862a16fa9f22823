/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * isotonic.h - the share of duplicates as a function that falls with the distance, and at other shares of duplicates
 * than the set's own.
 *
 * Neighbouring distances are pooled until the shares fall strictly (Ayer, Brunk, Ewing, Reid, Silverman, Annals of
 * Mathematical Statistics 26, 1955): of all functions that fall, the pools' shares are the likeliest and have the least
 * squared error (Barlow, Bartholomew, Bremner, Brunk 1972, section 1.2). Nothing else is assumed of the shape, and
 * nothing else is what a threshold assumes: the ends of the pools are the corners of the convex hull of the ROC curve
 * (Fawcett, Niculescu-Mizil, Machine Learning 68, 2007), so that the threshold which costs least and the one at which
 * the probability falls below what the costs ask for are the same. The pools do not depend on the share of duplicates
 * in the set: another one changes the odds of all by one factor.
 */
#ifndef FP_ISOTONIC_H
#define FP_ISOTONIC_H

#include "eval/measures/histogram.h"

typedef struct fp_pool {
    double from, to; /* the smallest and the largest distance that was seen in it */
    uint64_t positives, negatives;
} fp_pool;

/* Pools bars[count], ascending strictly in distance; empty ones are passed over. pools[count] in the order of the bars,
 * their shares falling strictly; returns how many there are. Counts up to 2⁵³ are told apart. */
size_t fp_pools_make(const fp_bar *bars, size_t count, fp_pool *pools);
/* The same with half a pair more of either class, where it is least looked for: one that is no duplicate at the
 * smallest distance, a duplicate at the largest. Counts are in halves of a pair. No share is 0 or 1, which no number of
 * pairs can tell: what is said of pairs held out is off by less (docs/evaluation.md). */
size_t fp_pools_guarded(const fp_bar *bars, size_t count, fp_pool *pools);
/* The share of a pool, and of all. */
double fp_pool_share(const fp_pool *pool);
double fp_pools_share(const fp_pool *pools, size_t count);
/* The pool that holds a distance. NULL where it lies between two pools, or beyond the first or the last. */
const fp_pool *fp_pool_at(const fp_pool *pools, size_t count, double distance);
/* The share at any distance: that of its pool; between two pools, where no pair lies, linear from one to the other;
 * beyond all that of the nearest (as scikit-learn's IsotonicRegression with out_of_bounds="clip"). NaN without pools.
 */
double fp_pools_share_at(const fp_pool *pools, size_t count, double distance);

/* What a share of duplicates, found where they are `own` of all, is where they are `stated` of all and each class has
 * the distances that it has: the odds are multiplied by those of `stated` over those of `own` (Saerens, Latinne,
 * Decaestecker, Neural Computation 14, 2002). Both in (0, 1); 0 and 1 stay, and NaN. */
double fp_share_restated(double share, double own, double stated);

#endif
