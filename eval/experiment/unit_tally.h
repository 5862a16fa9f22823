/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * unit_tally.h - what the dyads of one unit add up to, under one arm.
 */
#ifndef FP_UNIT_TALLY_H
#define FP_UNIT_TALLY_H

#include "eval/statistics/counted.h"

/* What does not change from unit to unit. */
typedef struct fp_tally_plan {
    size_t bin_count;
    size_t threshold_count, functional_count;
    const double *value;    /* [bin_count · functional_count] of negatives, functional by functional for each bin */
    const uint32_t *within; /* [bin_count] the first threshold that calls the bin; threshold_count: none */
} fp_tally_plan;

typedef struct fp_unit_tally {
    /* [functional_count] Σ over dyads of their sums, of the squares of these, and of them times the size */
    double *sum, *squares, *products;
    /* [threshold_count] by how much the sums over dyads of called, called² and called·size grow at each threshold */
    double *called, *called_squares, *called_sizes;
    double *dyad;   /* [functional_count] the sums of the last dyad of several pairs */
    uint32_t *one;  /* [bin_count] dyads of one pair, not yet in the sums; NULL where bins are many */
    uint32_t *seen; /* [threshold_count] zeros */
    size_t count;   /* dyads */
    double sizes, size_squares;
} fp_unit_tally;

/* Bins of the pairs of a dyad: rows · columns, `stride` places from one row to the next. */
typedef struct fp_dyad {
    const uint32_t *bin;
    size_t rows, columns, stride;
} fp_dyad;

/* All zero, in `arena`. With few bins, dyads of one pair are counted first and weighed in the end. */
fp_status fp_unit_tally_open(const fp_tally_plan *plan, fp_arena *arena, fp_unit_tally *tally, fp_error *error);
void fp_unit_tally_clear(const fp_tally_plan *plan, fp_unit_tally *tally);
/* Adds a dyad that is not of one pair, or where pairs are not counted by bin first. */
double fp_unit_tally_take_any(const fp_tally_plan *plan, const fp_dyad *dyad, fp_unit_tally *tally);
/* Adds a dyad, and returns its sum of the functional 0; 0 where there is none. */
static inline double fp_unit_tally_take(const fp_tally_plan *plan, const fp_dyad *dyad, fp_unit_tally *tally) {
    size_t bin = dyad->bin[0];
    if (dyad->rows * dyad->columns > 1 || !tally->one) return fp_unit_tally_take_any(plan, dyad, tally);
    tally->count++;
    tally->one[bin]++;
    return plan->functional_count ? plan->value[bin * plan->functional_count] : 0;
}
/* After the last dyad. */
void fp_unit_tally_finish(const fp_tally_plan *plan, fp_unit_tally *tally);

#endif
