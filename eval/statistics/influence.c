/* SPDX-License-Identifier: GPL-3.0-or-later
 * Derivatives of the measures by the weight of a pair, at weights of 1. */
#include <math.h>

#include "eval/statistics/counted/counted.h"
#include "eval/statistics/spread.h"

/* One value for each bin and label. */
static fp_status fill_range(const fp_ranking *ranking, const fp_measure_row *row, double value, fp_arena *scratch,
                            double **influence, fp_error *error) {
    uint64_t *cells = fp_arena_alloc(scratch, 2 * ranking->bin_count, sizeof *cells);
    fp_ranked_step *steps = fp_arena_raw(scratch, ranking->bin_count, sizeof *steps);
    *influence = fp_arena_raw(scratch, 2 * ranking->bin_count, sizeof **influence);
    if (!cells || !*influence || !steps) return fp_no_memory(error);
    fp_ranking_fill(ranking, NULL, cells);
    fp_ranked ranked = fp_ranked_of(ranking->bin_count, ranking->distance, cells, steps);
    row->influence(&ranked, value, *influence);
    return FP_OK;
}

static fp_status check_range(const fp_bootstrap *bootstrap, const fp_measure *measure, fp_error *error) {
    if (!measure->row->influence)
        return fp_fail(error, FP_ERROR_RANGE, "how %s varies is not known", measure->row->name);
    for (size_t k = 0; k < bootstrap->ranked_count; k++)
        if (fp_measure_same(bootstrap->ranked + k, measure)) return FP_OK;
    return fp_fail(error, FP_ERROR_RANGE, "%s was not drawn", measure->row->name);
}

/* The position of the measure among those whose sums were made in the pass over all pairs. */
static size_t find_functional(const fp_counted_pairs *counted, size_t arm, const fp_measure *measure) {
    for (size_t k = 0; counted && k < counted->functional_count; k++) {
        const fp_measure *own = counted->functionals[k] + arm;
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
    double *mean = fp_arena_alloc(scratch, pairs, sizeof *mean), *own = fp_arena_raw(scratch, pairs, sizeof *own);
    if (!mean || !own) return fp_no_memory(error);
    for (size_t k = 0; k < fp_bootstrap_seed_count(bootstrap, arm); k++) {
        size_t lane = fp_bootstrap_lane(bootstrap, arm, k);
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
    *influence = (fp_influence){.threshold = measure.threshold,
                                .functional = find_functional(bootstrap->counted, arm, &measure)};
    if (!fp_measure_at_threshold(measure.row)) FP_TRY(check_range(bootstrap, &measure, error));
    return !isnan(value) && fp_bootstrap_seed_count(bootstrap, arm) > 1
               ? average(bootstrap, arm, measure, scratch, influence, error)
               : of_lane(bootstrap, arm, measure, value, scratch, influence, error);
}

fp_status fp_bootstrap_influence(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure, fp_arena *scratch,
                                 double *influence, fp_error *error) {
    fp_influence of;
    FP_TRY(fp_influence_of(bootstrap, arm, measure, scratch, &of, error));
    fp_influence_fill(bootstrap->rankings + arm, &of, influence);
    return FP_OK;
}
