/* SPDX-License-Identifier: GPL-3.0-or-later
 * What was observed, from counts. */
#include "eval/statistics/counted/counted_bootstrap.h"

#include <math.h>

/* What was observed of one arm. */
typedef struct observed {
    fp_totals *totals;
    fp_called *called; /* [threshold_count] */
    double *values;    /* [ranked_count] */
} observed;

static fp_status observe(const fp_counted_arm *arm, const fp_bootstrap *of, fp_arena *scratch, observed to,
                         fp_error *error) {
    fp_ranked_step *steps = fp_arena_raw(scratch, arm->bin_count, sizeof *steps);
    if (!steps) return fp_no_memory(error);
    fp_ranked ranked = fp_ranked_of(arm->bin_count, arm->distance, arm->cells, steps);
    *to.totals = (fp_totals){ranked.positives, ranked.negatives};
    fp_called sum = {0, 0};
    for (size_t t = 0, bin = 0; t < of->threshold_count; t++) {
        for (; bin < arm->reach[t]; bin++) {
            sum.fp += arm->cells[2 * bin];
            sum.tp += arm->cells[2 * bin + 1];
        }
        to.called[t] = sum;
    }
    bool fits = fp_counted_fits(&ranked);
    for (size_t k = 0; k < of->ranked_count; k++) to.values[k] = fits ? of->ranked[k].row->over_range(&ranked) : NAN;
    return FP_OK;
}

/* As for listed pairs (fp_bootstrap). */
static void weigh_units(const fp_counted_pairs *counted, const fp_totals *totals, fp_bootstrap *to) {
    double units = 0, all = (double)counted->units->count, dyads = all * (all - 1) / 2;
    double positives = 0, squares = 0;
    for (size_t u = 0; u < counted->units->count; u++) {
        double size = (double)fp_unit_size(counted->units, u), pairs = size * (size - 1) / 2;
        units += size > 1;
        positives += pairs;
        squares += pairs * pairs;
    }
    to->effective_units = squares > 0 ? positives * positives / squares : all;
    to->unit_positives = units > 0 ? (double)totals->positives / units : 1;
    to->dyad_negatives = dyads > 0 ? (double)totals->negatives / dyads : 1;
}

static fp_status observe_all(const fp_counted_pairs *counted, fp_arena *arena, fp_arena *scratch, fp_bootstrap *to,
                             fp_error *error) {
    fp_totals *totals = fp_arena_raw(arena, to->arm_count, sizeof *totals);
    fp_called *called = fp_arena_raw(arena, to->arm_count * to->threshold_count, sizeof *called);
    double *values = fp_arena_raw(arena, to->arm_count * to->ranked_count, sizeof *values);
    if (!totals || !called || !values) return fp_no_memory(error);
    for (size_t a = 0; a < to->arm_count; a++)
        FP_TRY(observe(counted->arms + a, to, scratch,
                       (observed){totals + a, called + a * to->threshold_count, values + a * to->ranked_count}, error));
    to->totals = totals;
    to->called = called;
    to->values = values;
    weigh_units(counted, totals, to);
    return FP_OK;
}

fp_status fp_bootstrap_of_counted(const fp_counted_pairs *counted, const fp_bootstrap_options *options,
                                  fp_resample *resample, fp_arena *arena, fp_bootstrap *bootstrap, fp_error *error) {
    *resample = (fp_resample){.unit = FP_SAMPLING_GROUP,
                              .crossing = true,
                              .unit_count = counted->units->count,
                              .document_count = counted->units->document_count};
    *bootstrap = (fp_bootstrap){.resample = resample,
                                .arm_count = counted->arm_count,
                                .lane_count = counted->arm_count,
                                .threshold_count = options->threshold_count,
                                .seed = options->seed,
                                .thresholds = options->thresholds,
                                .empty = options->empty,
                                .counted = counted,
                                .ranked = options->ranked,
                                .ranked_count = options->ranked_count};
    fp_arena *scratch = fp_arena_new_like(arena);
    fp_status status = scratch ? observe_all(counted, arena, scratch, bootstrap, error) : fp_no_memory(error);
    fp_arena_free(scratch);
    return status;
}
