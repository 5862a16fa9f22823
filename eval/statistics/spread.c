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

/* ---- Derivatives of the measures by the weight of a pair, at weights of 1 ---- */

/* One value for each bin and label. */
static fp_status fill_range(const fp_ranking *ranking, const fp_measure_row *row, double value, fp_arena *scratch,
                            double **influence, fp_error *error) {
    uint64_t *cells = FP_NEED(fp_arena_alloc(scratch, 2 * ranking->bin_count, sizeof *cells), error);
    fp_ranked_step *steps = FP_NEED(fp_arena_raw(scratch, ranking->bin_count, sizeof *steps), error);
    *influence = FP_NEED(fp_arena_raw(scratch, 2 * ranking->bin_count, sizeof **influence), error);
    fp_ranking_fill(ranking, NULL, cells);
    fp_ranked ranked = fp_ranked_of(ranking->bin_count, ranking->distance, cells, steps);
    row->influence(&ranked, value, *influence);
    return FP_OK;
}

static fp_status check_range(const fp_bootstrap *bootstrap, const fp_measure *measure, fp_error *error) {
    if (!measure->row->influence)
        return fp_fail(error, FP_ERROR_RANGE, "how %s varies is not known", measure->row->name);
    for (size_t k = 0; k < bootstrap->options.ranked_count; k++)
        if (fp_measure_same(bootstrap->options.ranked + k, measure)) return FP_OK;
    return fp_fail(error, FP_ERROR_RANGE, "%s has no bootstrap replicates", measure->row->name);
}

/* The position of the measure among those whose sums were made in the pass over all pairs. */
static size_t find_functional(const fp_counted_pairs *counted, const fp_measure *measure) {
    for (size_t k = 0; counted && k < counted->functional_count; k++) {
        const fp_measure *own = counted->functionals + k;
        bool same = fp_measure_same(own, measure);
        if (same && (!fp_measure_at_threshold(measure->row) || own->threshold == measure->threshold)) return k;
    }
    return FP_NO_FUNCTIONAL;
}

static fp_status of_lane(const fp_bootstrap *bootstrap, size_t lane, fp_measure measure, double value,
                         fp_arena *scratch, fp_influence *influence, fp_error *error) {
    double *each = NULL;
    if (isnan(value)) influence->by = (fp_cells){NAN, NAN, NAN, NAN};
    else if (fp_measure_at_threshold(measure.row))
        influence->by = fp_measure_gradient(
            measure, fp_bootstrap_counts(bootstrap, bootstrap->replicates, lane, measure.threshold));
    else if (bootstrap->counted) influence->ranged = true;
    else {
        FP_TRY(fill_range(bootstrap->rankings + lane, measure.row, value, scratch, &each, error));
        influence->ranged = true;
        influence->each = each;
    }
    return FP_OK;
}

/* Over the seeds under which the measure is defined, of which there is one. */
static fp_status average(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure, fp_arena *scratch,
                         fp_influence *influence, fp_error *error) {
    size_t pairs = bootstrap->resample->pair_count, defined = 0;
    double *mean = FP_NEED(fp_arena_alloc(scratch, pairs, sizeof *mean), error),
           *own = FP_NEED(fp_arena_raw(scratch, pairs, sizeof *own), error);
    for (size_t k = 0; k < fp_seed_count(bootstrap->options.further, arm); k++) {
        size_t lane = fp_seed_lane(bootstrap->options.further, arm, k);
        double value = fp_bootstrap_lane_value(bootstrap, bootstrap->replicates, lane, measure);
        fp_influence of = {.threshold = measure.threshold};
        if (isnan(value)) continue;
        FP_TRY(of_lane(bootstrap, lane, measure, value, scratch, &of, error));
        fp_influence_fill(bootstrap->rankings + lane, &of, own);
        for (size_t i = 0; i < pairs; i++) mean[i] += own[i];
        defined++;
    }
    for (size_t i = 0; i < pairs; i++) mean[i] /= (double)defined;
    influence->mean = mean;
    return FP_OK;
}

fp_status fp_influence_of(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure, fp_arena *scratch,
                          fp_influence *influence, fp_error *error) {
    double value = fp_bootstrap_value(bootstrap, bootstrap->replicates, arm, measure);
    *influence =
        (fp_influence){.threshold = measure.threshold, .functional = find_functional(bootstrap->counted, &measure)};
    if (!fp_measure_at_threshold(measure.row)) FP_TRY(check_range(bootstrap, &measure, error));
    return !isnan(value) && fp_seed_count(bootstrap->options.further, arm) > 1
               ? average(bootstrap, arm, measure, scratch, influence, error)
               : of_lane(bootstrap, arm, measure, value, scratch, influence, error);
}

/* ---- Spreads over pairs ---- */

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
    bool *member =
        members.cells ? FP_NEED(fp_arena_alloc(scratch, bootstrap->resample->pair_count, sizeof *member), error) : NULL;
    for (size_t k = 0; member && k < fp_seed_count(bootstrap->options.further, arm); k++)
        mark_members(bootstrap->rankings + fp_seed_lane(bootstrap->options.further, arm, k), members, member);
    return fp_dyadic_of(bootstrap->resample, value, member, scratch, spread, error);
}

/* ---- Over counts ---- */

/* The part of the members that touch each unit. */
static void share_out(const fp_counted_pairs *counted, size_t arm, fp_member_cells members, double *share) {
    fp_influence ones = {.functional = FP_NO_FUNCTIONAL, .threshold = members.threshold, .by = ones_of(members.cells)};
    double count = fp_counted_members(counted, arm, &ones);
    fp_counted_unit_sums(counted, arm, &ones, share);
    for (size_t u = 0; u < counted->units->count; u++) share[u] /= fmax(1, count);
}

/* Omits shares without members. */
static fp_status over_counts(const fp_counted_pairs *counted, size_t arm, fp_unit_sums *sums, fp_member_cells members,
                             fp_arena *scratch, fp_dyadic *spread, fp_error *error) {
    double *share = members.cells ? FP_NEED(fp_arena_raw(scratch, sums->count, sizeof *share), error) : NULL;
    if (share) share_out(counted, arm, members, share);
    sums->share = share;
    *spread = fp_dyadic_from(sums);
    return FP_OK;
}

/* ---- Either ---- */

/* Sums over counted pairs, of one side or of the difference. */
static fp_status sum_counts(const fp_bootstrap *bootstrap, const fp_spread_side *one, const fp_spread_side *other,
                            fp_arena *scratch, fp_unit_sums *sums, fp_error *error) {
    const fp_counted_pairs *counted = bootstrap->counted;
    double *unit = FP_NEED(fp_arena_raw(scratch, counted->units->count, 2 * sizeof *unit), error);
    *sums = other ? fp_counted_difference(counted, one->arm, &one->influence, other->arm, &other->influence, unit,
                                          unit + counted->units->count)
                  : fp_counted_unit_sums(counted, one->arm, &one->influence, unit);
    return FP_OK;
}

/* Values of listed pairs, of one side or of the difference. */
static fp_status fill_values(const fp_bootstrap *bootstrap, const fp_spread_side *one, const fp_spread_side *other,
                             fp_arena *scratch, double **value, fp_error *error) {
    size_t pairs = bootstrap->resample->pair_count;
    *value = FP_NEED(fp_arena_raw(scratch, pairs, sizeof **value), error);
    fp_influence_fill(bootstrap->rankings + one->arm, &one->influence, *value);
    if (!other) return FP_OK;
    double *minus = FP_NEED(fp_arena_raw(scratch, pairs, sizeof *minus), error);
    fp_influence_fill(bootstrap->rankings + other->arm, &other->influence, minus);
    for (size_t i = 0; i < pairs; i++) (*value)[i] -= minus[i];
    return FP_OK;
}

fp_status fp_spread_of(const fp_bootstrap *bootstrap, const fp_spread_side *one, const fp_spread_side *other,
                       fp_arena *scratch, fp_dyadic *spread, fp_error *error) {
    const fp_counted_pairs *counted = bootstrap->counted;
    const fp_spread_side *sides[2] = {one, other};
    fp_unit_sums sums;
    double *value = NULL;
    if (counted) FP_TRY(sum_counts(bootstrap, one, other, scratch, &sums, error));
    else FP_TRY(fill_values(bootstrap, one, other, scratch, &value, error));
    for (size_t i = 0; i < 2 && sides[i]; i++) {
        fp_dyadic found;
        const fp_spread_side *of = sides[i];
        if (counted) FP_TRY(over_counts(counted, of->arm, &sums, of->members, scratch, &found, error));
        else FP_TRY(over_pairs(bootstrap, of->arm, value, of->members, scratch, &found, error));
        if (i == 0 || found.variance > spread->variance) *spread = found;
    }
    return FP_OK;
}

fp_status fp_spread_unit_sums(const fp_bootstrap *bootstrap, size_t arm, const fp_influence *influence,
                              fp_arena *scratch, double *sum, fp_error *error) {
    if (bootstrap->counted) {
        fp_counted_unit_sums(bootstrap->counted, arm, influence, sum);
        return FP_OK;
    }
    const fp_resample *resample = bootstrap->resample;
    double *value = FP_NEED(fp_arena_raw(scratch, resample->pair_count, sizeof *value), error);
    fp_influence_fill(bootstrap->rankings + arm, influence, value);
    fp_resample_sum(resample, value, sum);
    return FP_OK;
}
