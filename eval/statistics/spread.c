/* SPDX-License-Identifier: GPL-3.0-or-later
 * Spreads from influence values, over pairs or over counts. */
#include "eval/statistics/spread.h"

#include <math.h>
#include <string.h>

#include "eval/statistics/counted.h"

fp_member_cells fp_members_of_measure(fp_measure measure) {
    if (fp_measure_at_threshold(measure.row)) return (fp_member_cells){measure.row->counted, measure.threshold};
    return (fp_member_cells){FP_CELL_TP | FP_CELL_FN, 0};
}

/* ---- Over pairs ---- */

static double of_cell(const fp_cells *by, bool near, bool positive) {
    return near ? (positive ? by->tp : by->fp) : (positive ? by->fn : by->tn);
}

void fp_influence_fill(const fp_ranking *ranking, const fp_influence *influence, double *value) {
    if (influence->mean) {
        memcpy(value, influence->mean, ranking->pair_count * sizeof *value);
        return;
    }
    size_t reach = influence->ranged || !ranking->threshold_count ? 0 : ranking->reach[influence->threshold];
    for (size_t i = 0; i < ranking->pair_count; i++) {
        uint32_t slot = ranking->slot[i];
        value[i] = influence->ranged ? influence->each[slot] : of_cell(&influence->by, slot / 2 < reach, slot & 1);
    }
}

static fp_cells ones_of(unsigned cells) {
    return (fp_cells){(cells & FP_CELL_TP) != 0, (cells & FP_CELL_FP) != 0, (cells & FP_CELL_FN) != 0,
                      (cells & FP_CELL_TN) != 0};
}

/* Those under one seed of the arm. Whole classes need no threshold. */
static void mark_members(const fp_ranking *ranking, fp_member_cells members, bool *member) {
    size_t reach = ranking->threshold_count ? ranking->reach[members.threshold] : 0;
    fp_cells ones = ones_of(members.cells);
    for (size_t i = 0; i < ranking->pair_count; i++)
        member[i] |= of_cell(&ones, ranking->slot[i] / 2 < reach, ranking->slot[i] & 1) > 0;
}

static fp_status over_pairs(const fp_bootstrap *bootstrap, size_t arm, const double *value, fp_member_cells members,
                            fp_arena *scratch, fp_dyadic *spread, fp_error *error) {
    bool *member = members.cells ? fp_arena_alloc(scratch, bootstrap->resample->pair_count, sizeof *member) : NULL;
    if (members.cells && !member) return fp_no_memory(error);
    for (size_t k = 0; member && k < fp_bootstrap_seed_count(bootstrap, arm); k++)
        mark_members(bootstrap->rankings + fp_bootstrap_lane(bootstrap, arm, k), members, member);
    return fp_dyadic_of(bootstrap->resample, value, member, scratch, spread, error);
}

/* ---- Over counts ---- */

static fp_counted_influence counted_influence(const fp_influence *influence) {
    return (fp_counted_influence){influence->ranged, influence->functional, influence->threshold, influence->by};
}

/* The part of the members that touch each unit. */
static void share_out(const fp_counted_pairs *counted, size_t arm, fp_member_cells members, double *share) {
    fp_counted_influence ones = {
        .functional = FP_NO_FUNCTIONAL, .threshold = members.threshold, .by = ones_of(members.cells)};
    double count = fp_counted_members(counted, arm, &ones);
    fp_counted_unit_sums(counted, arm, &ones, share);
    for (size_t u = 0; u < counted->units->count; u++) share[u] /= fmax(1, count);
}

/* Leaves shares out where there are no members. */
static fp_status over_counts(const fp_counted_pairs *counted, size_t arm, fp_unit_sums *sums, fp_member_cells members,
                             fp_arena *scratch, fp_dyadic *spread, fp_error *error) {
    double *share = members.cells ? fp_arena_raw(scratch, sums->count, sizeof *share) : NULL;
    if (members.cells && !share) return fp_no_memory(error);
    if (share) share_out(counted, arm, members, share);
    sums->share = share;
    *spread = fp_dyadic_from(sums);
    return FP_OK;
}

static fp_status count_one(const fp_bootstrap *bootstrap, size_t arm, const fp_influence *influence,
                           fp_member_cells members, fp_arena *scratch, fp_dyadic *spread, fp_error *error) {
    const fp_counted_pairs *counted = bootstrap->counted;
    double *unit = FP_NEED(fp_arena_raw(scratch, counted->units->count, sizeof *unit), error);
    fp_counted_influence of = counted_influence(influence);
    fp_unit_sums sums = fp_counted_unit_sums(counted, arm, &of, unit);
    return over_counts(counted, arm, &sums, members, scratch, spread, error);
}

static fp_status count_difference(const fp_bootstrap *bootstrap, const fp_spread_side *first,
                                  const fp_spread_side *second, fp_arena *scratch, fp_dyadic *spread, fp_error *error) {
    const fp_counted_pairs *counted = bootstrap->counted;
    double *unit = FP_NEED(fp_arena_raw(scratch, counted->units->count, sizeof *unit), error),
           *other = FP_NEED(fp_arena_raw(scratch, counted->units->count, sizeof *other), error);
    fp_dyadic by_second;
    fp_counted_side one = {first->arm, counted_influence(&first->influence)},
                    two = {second->arm, counted_influence(&second->influence)};
    fp_unit_sums sums = fp_counted_difference(counted, &one, &two, unit, other);
    FP_TRY(over_counts(counted, first->arm, &sums, first->members, scratch, spread, error));
    FP_TRY(over_counts(counted, second->arm, &sums, second->members, scratch, &by_second, error));
    if (by_second.variance > spread->variance) *spread = by_second;
    return FP_OK;
}

/* ---- Either ---- */

fp_status fp_spread_of(const fp_bootstrap *bootstrap, size_t arm, const fp_influence *influence,
                       fp_member_cells members, fp_arena *scratch, fp_dyadic *spread, fp_error *error) {
    if (bootstrap->counted) return count_one(bootstrap, arm, influence, members, scratch, spread, error);
    double *value = FP_NEED(fp_arena_raw(scratch, bootstrap->resample->pair_count, sizeof *value), error);
    fp_influence_fill(bootstrap->rankings + arm, influence, value);
    return over_pairs(bootstrap, arm, value, members, scratch, spread, error);
}

fp_status fp_spread_unit_sums(const fp_bootstrap *bootstrap, size_t arm, const fp_influence *influence,
                              fp_arena *scratch, double *sum, fp_error *error) {
    if (bootstrap->counted) {
        fp_counted_influence of = counted_influence(influence);
        fp_counted_unit_sums(bootstrap->counted, arm, &of, sum);
        return FP_OK;
    }
    const fp_resample *resample = bootstrap->resample;
    double *value = FP_NEED(fp_arena_raw(scratch, resample->pair_count, sizeof *value), error);
    fp_influence_fill(bootstrap->rankings + arm, influence, value);
    fp_resample_sum(resample, value, sum);
    return FP_OK;
}

fp_status fp_spread_of_difference(const fp_bootstrap *bootstrap, const fp_spread_side *first,
                                  const fp_spread_side *second, fp_arena *scratch, fp_dyadic *spread, fp_error *error) {
    fp_dyadic by_second;
    if (bootstrap->counted) return count_difference(bootstrap, first, second, scratch, spread, error);
    size_t pairs = bootstrap->resample->pair_count;
    double *value = FP_NEED(fp_arena_raw(scratch, pairs, sizeof *value), error),
           *other = FP_NEED(fp_arena_raw(scratch, pairs, sizeof *other), error);
    fp_influence_fill(bootstrap->rankings + first->arm, &first->influence, value);
    fp_influence_fill(bootstrap->rankings + second->arm, &second->influence, other);
    for (size_t i = 0; i < pairs; i++) value[i] -= other[i];
    FP_TRY(over_pairs(bootstrap, first->arm, value, first->members, scratch, spread, error));
    FP_TRY(over_pairs(bootstrap, second->arm, value, second->members, scratch, &by_second, error));
    if (by_second.variance > spread->variance) *spread = by_second;
    return FP_OK;
}
