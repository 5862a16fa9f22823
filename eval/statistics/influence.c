/* SPDX-License-Identifier: GPL-3.0-or-later
 * Derivatives of the measures by the weight of a pair, at weights of 1. */
#include <math.h>

#include "eval/statistics/bootstrap.h"

/* One value for each cell of the table. */
static void fill_counts(const fp_ranking *ranking, size_t reach, fp_cells value, double *influence) {
    for (size_t i = 0; i < ranking->pair_count; i++) {
        bool near = ranking->slot[i] / 2 < reach, positive = ranking->slot[i] & 1;
        influence[i] = near ? (positive ? value.tp : value.fp) : (positive ? value.fn : value.tn);
    }
}

/* One value for each bin and label. */
static fp_status fill_range(const fp_ranking *ranking, const fp_measure_row *row, double value, fp_arena *scratch,
                            double *influence, fp_error *error) {
    uint64_t *cells = fp_arena_alloc(scratch, 2 * ranking->bin_count, sizeof *cells);
    double *each = fp_arena_raw(scratch, 2 * ranking->bin_count, sizeof *each);
    fp_ranked_step *steps = fp_arena_raw(scratch, ranking->bin_count, sizeof *steps);
    if (!cells || !each || !steps) return fp_no_memory(error);
    fp_ranking_fill(ranking, NULL, cells);
    fp_ranked ranked = fp_ranked_of(ranking->bin_count, ranking->distance, cells, steps);
    row->influence(&ranked, value, each);
    for (size_t i = 0; i < ranking->pair_count; i++) influence[i] = each[ranking->slot[i]];
    return FP_OK;
}

static fp_status check_range(const fp_bootstrap *bootstrap, const fp_measure *measure, fp_error *error) {
    if (!measure->row->influence)
        return fp_fail(error, FP_ERROR_RANGE, "how %s varies is not known", measure->row->name);
    for (size_t k = 0; k < bootstrap->ranked_count; k++)
        if (fp_measure_same(bootstrap->ranked + k, measure)) return FP_OK;
    return fp_fail(error, FP_ERROR_RANGE, "%s was not drawn", measure->row->name);
}

fp_status fp_bootstrap_influence(const fp_bootstrap *bootstrap, size_t arm, fp_measure measure, fp_arena *scratch,
                                 double *influence, fp_error *error) {
    const fp_ranking *ranking = bootstrap->rankings + arm;
    size_t observed = bootstrap->replicates;
    bool at_threshold = fp_measure_at_threshold(measure.row);
    if (!at_threshold) FP_TRY(check_range(bootstrap, &measure, error));
    double value = fp_bootstrap_value(bootstrap, observed, arm, measure);
    if (isnan(value)) {
        for (size_t i = 0; i < ranking->pair_count; i++) influence[i] = NAN;
        return FP_OK;
    }
    if (!at_threshold) return fill_range(ranking, measure.row, value, scratch, influence, error);
    fp_confusion counts = fp_bootstrap_counts(bootstrap, observed, arm, measure.threshold);
    fill_counts(ranking, ranking->reach[measure.threshold], fp_measure_gradient(measure, counts), influence);
    return FP_OK;
}
