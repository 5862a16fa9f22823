/* SPDX-License-Identifier: GPL-3.0-or-later
 * Replicates and intervals of the agreement of clusters. */
#include <math.h>

#include "eval/clusters/clusters.h"
#include "eval/statistics/share_interval.h"

/* ---- Replicates ---- */

typedef struct job {
    const fp_contingency *contingency;
    fp_resample clusters; /* of which only the number of units is read */
    uint64_t seed;
    fp_empty empty;
    size_t replicates;
    double (*values)[FP_AGREEMENT_KINDS];
} job;

static fp_status run_one(void *context, size_t index, fp_arena *scratch, fp_error *error) {
    const job *work = context;
    double *to = work->values[index];
    if (index == work->replicates) return fp_agreement_of(work->contingency, NULL, work->empty, scratch, to, error);
    uint32_t *multiplicity = fp_arena_raw(scratch, work->contingency->truth_count, sizeof *multiplicity);
    if (!multiplicity) return fp_no_memory(error);
    FP_TRY(fp_resample_draw(&work->clusters, work->seed, index, scratch, multiplicity, error));
    return fp_agreement_of(work->contingency, multiplicity, work->empty, scratch, to, error);
}

fp_status fp_agreements_run(const fp_contingency *contingency, size_t replicates, uint64_t seed, fp_empty empty,
                            const fp_progress *progress, fp_arena *arena, fp_agreements *agreements, fp_error *error) {
    if (replicates == 0) return fp_fail(error, FP_ERROR_RANGE, "a bootstrap needs at least one replicate");
    job work = {.contingency = contingency,
                .clusters = {.unit_count = contingency->truth_count},
                .seed = seed,
                .empty = empty,
                .replicates = replicates,
                .values = fp_arena_raw(arena, replicates + 1, sizeof *work.values)};
    if (!work.values) return fp_no_memory(error);
    *agreements = (fp_agreements){.replicates = replicates,
                                  .truth_count = contingency->truth_count,
                                  .values = (const double(*)[FP_AGREEMENT_KINDS])work.values};
    fp_arenas arenas = {0};
    FP_TRY(fp_arenas_open(&arenas, progress, arena, error));
    fp_status status = fp_agreement_spread(contingency, arenas.each[0], agreements->spreads, error);
    if (status == FP_OK)
        status = fp_parallel(replicates + 1, &arenas, true, run_one, &work, "bootstrap", progress, error);
    fp_arenas_free(&arenas);
    return status;
}

/* ---- Intervals ---- */

/* One true cluster more weighs as much as the one that lowers (raises) the measure most, and no less than any. */
static fp_interval from_spread(const fp_dyadic *spread, double share, fp_method method, double confidence) {
    double one = 1 / (double)spread->units;
    fp_share_spread of = {.variance = spread->variance,
                          .independent = spread->independent,
                          .wider = fp_by_student(fp_dyadic_freedom(spread), confidence),
                          .wrong = share > 0 ? fmax(one, spread->fall / share) : one,
                          .right = share < 1 ? fmax(one, spread->rise / (1 - share)) : one};
    return fp_share_interval(share, &of, confidence, method == FP_METHOD_CLOPPER_PEARSON);
}

fp_status fp_agreements_estimate(const fp_agreements *agreements, fp_agreement_kind kind, fp_method method,
                                 double confidence, fp_arena *scratch, fp_estimate *estimate, fp_error *error) {
    fp_arena_reset(scratch);
    size_t replicates = agreements->replicates;
    double *values = fp_arena_raw(scratch, replicates, sizeof *values), value = agreements->values[replicates][kind];
    if (!values) return fp_no_memory(error);
    for (size_t i = 0; i < replicates; i++) values[i] = agreements->values[i][kind];
    fp_replicates drawn;
    fp_replicates_draw(values, replicates, value, agreements->spreads + kind, &drawn);
    *estimate = (fp_estimate){.value = value,
                              .interval = {NAN, NAN},
                              .error = sqrt(drawn.spread.variance),
                              .method = method,
                              .trials = NAN,
                              .units = drawn.spread.effective,
                              .few = drawn.spread.effective < FP_FEW_UNITS,
                              .undefined = drawn.undefined};
    if (isnan(value) || isnan(drawn.spread.variance)) return FP_OK;
    if (agreements->truth_count < 2) return FP_OK;
    bool still = drawn.spread.resampled == 0;
    if (still || (!fp_method_draws(method) && value > 0)) {
        double share = fmin(1, fmax(0, value));
        estimate->method = fp_method_draws(method) ? FP_METHOD_MID_P : method;
        estimate->trials = share * (1 - share) / drawn.spread.variance;
        estimate->interval = from_spread(&drawn.spread, share, method, confidence);
        return FP_OK;
    }
    estimate->method = fp_method_draws(method) ? method : FP_METHOD_BCA;
    estimate->interval = fp_replicates_interval(&drawn, estimate->method, confidence);
    return FP_OK;
}
