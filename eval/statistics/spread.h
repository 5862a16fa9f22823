/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * spread.h - the variance of a measure from the influence of each pair: over a list of pairs, or over all counted pairs
 * of a corpus (counted.h). The same interface for both, for intervals and comparisons of arms.
 */
#ifndef FP_SPREAD_H
#define FP_SPREAD_H

#include "eval/statistics/bootstrap.h"

#define FP_NO_FUNCTIONAL SIZE_MAX

/* The derivative of a measure by the weight of a pair, by the place of the pair. */
typedef struct fp_influence {
    bool ranged;        /* by bin and label; otherwise by the cell of the counts at a threshold */
    const double *each; /* of listed pairs: [2·bin_count] in the order of fp_ranked.cells */
    const double *mean; /* [pair_count] of an arm with further seeds: of each listed pair, the mean over them; the rest
                           is not read. NULL: there are none */
    size_t functional;  /* of counted pairs: its position among theirs, or FP_NO_FUNCTIONAL */
    size_t threshold;   /* position in the list of thresholds; beyond it for whole classes */
    fp_cells by;        /* at a threshold: the numbers of its cells */
} fp_influence;

/* The influence of a measure; `each` is in `scratch`, which is not reset. All NaN if the measure is not defined, 0 if
 * its value is set by rule. FP_ERROR_RANGE: a measure over the range is not in bootstrap->ranked, or has no derivative.
 */
fp_status fp_influence_of(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure, fp_arena *scratch,
                          fp_influence *influence, fp_error *error);

/* The value of every listed pair; value[pair_count]. */
void fp_influence_fill(const fp_ranking *ranking, const fp_influence *influence, double *value);

/* The pairs that a measure counts, for the shares of units (dyadic_variance.h): those of some cells. */
typedef struct fp_member_cells {
    unsigned cells; /* 0: units have no shares */
    size_t threshold;
} fp_member_cells;

/* The pairs that a measure counts; for one over the range, the positives. */
fp_member_cells fp_members_of_measure(fp_measure measure);

/* The influence of a measure of an arm, with the pairs that it counts. */
typedef struct fp_spread_side {
    size_t arm;
    fp_influence influence;
    fp_member_cells members;
} fp_spread_side;

/* The spread over the units of a measure, or, where `other` is not NULL, of the difference of two: the larger of those
 * with the members of either. `scratch` is not reset. */
fp_status fp_spread_of(const fp_bootstrap *bootstrap, const fp_spread_side *one, const fp_spread_side *other,
                       fp_arena *scratch, fp_dyadic *spread, fp_error *error);

/* s_u of every unit; sum[unit_count]. `scratch` is not reset. */
fp_status fp_spread_unit_sums(const fp_bootstrap *bootstrap, size_t arm, const fp_influence *influence,
                              fp_arena *scratch, double *sum, fp_error *error);

#endif
