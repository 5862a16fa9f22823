/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * proportion_interval.h - a share among weighted pairs that are not independent, with its interval.
 */
#ifndef FP_PROPORTION_INTERVAL_H
#define FP_PROPORTION_INTERVAL_H

#include "eval/statistics/interval.h"
#include "eval/statistics/dyadic_variance.h"

typedef struct fp_proportion {
    double value; /* Σ weight·success/Σ weight; NaN without trials */
    fp_interval interval;
    double trials; /* effective number of trials, q(1 − q)/V; NaN where nothing varies */
} fp_proportion;

/* weight[pair_count] ≥ 0, 0 for a pair that is no trial; success[pair_count]. The interval of share_interval.h with the
 * variance of dyadic_variance.h, no less than half of what independent pairs have. One unit more weighs as much as a
 * unit of those that have errors (successes), each met with a chance that grows with its own (Tiwari, Clegg, Zou,
 * Statistical Methods in Medical Research 15, 2006), and no less than one of as many trials as the n²/(Σ_u n_u² −
 * Σ_D n_D²) = G units that the n trials come down to when all pairs of a unit agree. Where units are resampled, the
 * variance is larger by G/(G − 1) and the interval wider by Student's t with G − 1 degrees of freedom (Hesterberg,
 * American Statistician 69, 2015). NaN with fewer than two units. `scratch` is not reset.
 */
fp_status fp_proportion_of(const fp_resample *resample, const double *weight, const bool *success, double confidence,
                           fp_arena *scratch, fp_proportion *share, fp_error *error);

/* ---- The same for a growing set of trials, as that of the pairs which a rising threshold calls ---- */

/* The trials that touch a unit, or belong to a dyad. */
typedef struct fp_proportion_cell {
    double right, wrong; /* Σ weight of the successes, of the others */
    double trials;
} fp_proportion_cell;

/* Sums of products over cells. With q the share and W = Σ weight, the influence of a trial is weight·(success − q)/W:
 * a cell's sum is linear in `right` and `wrong`, and the sum of squares over cells a quadratic form in q whose
 * coefficients these are. A trial more changes them by what its own cell holds. */
typedef struct fp_proportion_products {
    double right, mixed, wrong; /* Σ right², Σ right·wrong, Σ wrong² */
    double trials;              /* Σ trials² */
} fp_proportion_products;

typedef struct fp_proportion_sums {
    const fp_resample *resample;
    fp_proportion_cell *unit, *dyad;                   /* [unit_count], [dyad_count] */
    fp_proportion_products over_units, inside, across; /* over units, over dyads inside a unit and across two */
    fp_proportion_cell all, touching;                  /* over all trials; over all units */
    double squares_right, squares_wrong;               /* Σ weight² of the successes, of the others */
} fp_proportion_sums;

/* No trials yet. Keeps `resample`; the cells live in `arena`. */
fp_status fp_proportion_open(const fp_resample *resample, fp_arena *arena, fp_proportion_sums *sums, fp_error *error);
/* Takes all trials out again. */
void fp_proportion_clear(fp_proportion_sums *sums);
/* Adds pair `pair` with a weight > 0, in constant time. Add no pair twice. */
void fp_proportion_add(fp_proportion_sums *sums, size_t pair, double weight, bool success);
/* The share of the trials added so far, in constant time: what fp_proportion_of says of them. */
fp_proportion fp_proportion_now(const fp_proportion_sums *sums, double confidence);

#endif
