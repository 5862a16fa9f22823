/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * spread.h - how a figure varies, from what each pair adds to it: over a list of pairs, or over all pairs of a corpus
 * that are counted (counted.h). Whoever makes an interval or compares two arms asks here, and need not know which.
 */
#ifndef FP_SPREAD_H
#define FP_SPREAD_H

#include "eval/statistics/bootstrap.h"

/* The derivative of a figure by the weight of a pair, by where the pair lies. */
typedef struct fp_influence {
    bool ranged;        /* by bin and label; otherwise by the cell of the counts at a threshold */
    const double *each; /* of listed pairs: [2·bin_count] in the order of fp_ranked.cells */
    const double *mean; /* [pair_count] of an arm with further seeds: of each listed pair, the mean over them; the rest
                           is not read. NULL: there are none */
    size_t functional;  /* of counted pairs: its position among theirs, or FP_NO_FUNCTIONAL */
    size_t threshold;
    fp_cells by;
} fp_influence;

/* That of a measure; `each` has its room in `scratch`, which is not reset. All NaN where the measure is not defined, 0
 * where its value is one by rule. FP_ERROR_RANGE for a measure over the range that is not among bootstrap->ranked, or
 * has no derivative. */
fp_status fp_influence_of(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure, fp_arena *scratch,
                          fp_influence *influence, fp_error *error);

/* The value of every listed pair; value[pair_count]. */
void fp_influence_fill(const fp_ranking *ranking, const fp_influence *influence, double *value);

/* Pairs that a figure counts, of which units have shares (dyadic_variance.h): those of some cells. */
typedef struct fp_member_cells {
    unsigned cells; /* 0: units have no shares */
    size_t threshold;
} fp_member_cells;

/* The pairs that a measure counts; of one over the range the positives, over which it goes. */
fp_member_cells fp_members_of_measure(fp_measure measure);

/* The spread over the units. `scratch` is not reset. */
fp_status fp_spread_of(const fp_bootstrap *bootstrap, size_t arm, const fp_influence *influence,
                       fp_member_cells members, fp_arena *scratch, fp_dyadic *spread, fp_error *error);

/* s_u of every unit; sum[unit_count]. `scratch` is not reset. */
fp_status fp_spread_unit_sums(const fp_bootstrap *bootstrap, size_t arm, const fp_influence *influence,
                              fp_arena *scratch, double *sum, fp_error *error);

/* One side of a difference. */
typedef struct fp_spread_side {
    size_t arm;
    fp_influence influence;
    fp_member_cells members;
} fp_spread_side;

/* That of the difference of two figures; the larger of those with either's members. */
fp_status fp_spread_of_difference(const fp_bootstrap *bootstrap, const fp_spread_side *first,
                                  const fp_spread_side *second, fp_arena *scratch, fp_dyadic *spread, fp_error *error);

#endif
