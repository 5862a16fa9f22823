/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sums of influence values over units and dyads. */
#include "eval/statistics/dyadic_variance.h"

#include <math.h>

typedef struct sums {
    double *unit; /* [unit_count] over the pairs that touch the unit */
    fp_dyadic_sums of;
} sums;

static fp_status sum(const fp_resample *resample, const double *value, fp_arena *scratch, sums *out, fp_error *error) {
    double *unit = fp_arena_alloc(scratch, resample->unit_count, sizeof *unit);
    double *dyad = fp_arena_alloc(scratch, resample->dyad_count, sizeof *dyad);
    if (!unit || !dyad) return fp_no_memory(error);
    const uint32_t *first = resample->first, *second = resample->second;
    for (size_t i = 0; i < resample->pair_count; i++) {
        unit[first[i]] += value[i];
        if (first[i] != second[i]) unit[second[i]] += value[i];
        dyad[resample->dyad[i]] += value[i];
    }
    *out = (sums){.unit = unit};
    for (size_t i = 0; i < resample->unit_count; i++) {
        out->of.total += unit[i];
        out->of.squares += unit[i] * unit[i];
    }
    for (size_t i = 0; i < resample->dyad_count; i++) {
        uint32_t pair = resample->dyad_pair[i];
        *(first[pair] == second[pair] ? &out->of.inside : &out->of.across) += dyad[i] * dyad[i];
    }
    return FP_OK;
}

static void shape(const sums *of, size_t count, fp_dyadic *spread) {
    double mean = of->of.total / (double)count, squares = 0, cubes = 0, fourths = 0;
    for (size_t i = 0; i < count; i++) {
        double s = of->unit[i] - mean;
        squares += s * s;
        cubes += s * s * s;
        fourths += s * s * s * s;
    }
    double excess = fourths / (squares * squares) - 1 / (double)count;
    spread->acceleration = squares > 0 ? cubes / (6 * squares * sqrt(squares)) : 0;
    spread->freedom = squares > 0 && excess > 0 ? fmax(1, 2 / excess) : INFINITY;
}

double fp_dyadic_variance(const fp_dyadic_sums *of, size_t unit_count) {
    double centre = of->total * of->total / (double)unit_count;
    double robust = of->squares - of->across - centre, independent = of->inside + of->across - centre;
    return fmax(0, fmax(robust, independent / 2));
}

fp_status fp_dyadic_of(const fp_resample *resample, const double *influence, fp_arena *scratch, fp_dyadic *spread,
                       fp_error *error) {
    sums of;
    FP_TRY(sum(resample, influence, scratch, &of, error));
    double centre = of.of.total * of.of.total / (double)resample->unit_count;
    spread->variance = fp_dyadic_variance(&of.of, resample->unit_count);
    spread->resampled = fmax(0, of.of.squares + of.of.across - centre);
    spread->independent = 0;
    for (size_t i = 0; i < resample->pair_count; i++) spread->independent += influence[i] * influence[i];
    shape(&of, resample->unit_count, spread);
    return FP_OK;
}

fp_status fp_dyadic_fewest_trials(const fp_resample *resample, const bool *member, fp_arena *scratch, double *trials,
                                  fp_error *error) {
    double *value = fp_arena_raw(scratch, resample->pair_count, sizeof *value), count = 0;
    if (!value) return fp_no_memory(error);
    for (size_t i = 0; i < resample->pair_count; i++) {
        value[i] = member[i];
        count += member[i];
    }
    sums of;
    FP_TRY(sum(resample, value, scratch, &of, error));
    *trials = count > 0 ? count * count / (of.of.squares - of.of.across) : 0;
    return FP_OK;
}
