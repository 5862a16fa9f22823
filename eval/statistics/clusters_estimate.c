/* SPDX-License-Identifier: GPL-3.0-or-later
 * Replicates and intervals of the agreement of clusters. */
#include <math.h>

#include "eval/statistics/clusters.h"
#include "eval/statistics/effective.h"

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

static fp_interval binomial(fp_method method, double share, double trials, double confidence) {
    return method == FP_METHOD_CLOPPER_PEARSON ? fp_clopper_pearson_effective(share, trials, confidence)
                                               : fp_wilson_effective(share, trials, confidence);
}

fp_status fp_agreements_estimate(const fp_agreements *agreements, fp_agreement_kind kind, fp_method method,
                                 double confidence, fp_arena *scratch, fp_estimate *estimate, fp_error *error) {
    fp_arena_reset(scratch);
    size_t replicates = agreements->replicates;
    double *values = fp_arena_raw(scratch, replicates, sizeof *values), value = agreements->values[replicates][kind];
    if (!values) return fp_no_memory(error);
    for (size_t i = 0; i < replicates; i++) values[i] = agreements->values[i][kind];
    double units = (double)agreements->truth_count;
    fp_replicates drawn;
    fp_replicates_draw(FP_SAMPLING_GROUP, values, replicates, value, agreements->spreads + kind, units, &drawn);
    *estimate = (fp_estimate){.value = value,
                              .interval = {NAN, NAN},
                              .error = sqrt(drawn.spread.variance),
                              .method = method,
                              .trials = NAN,
                              .units = units,
                              .undefined = drawn.undefined};
    if (isnan(value) || isnan(drawn.spread.variance)) return FP_OK;
    bool proportion = method == FP_METHOD_WILSON || method == FP_METHOD_CLOPPER_PEARSON,
         still = drawn.spread.resampled == 0;
    if (still || (proportion && value > 0)) {
        double wider = fmax(fp_widening(FP_SAMPLING_GROUP, units, confidence),
                            fp_by_student(drawn.spread.freedom, confidence)),
               share = fmin(1, fmax(0, value));
        estimate->method = method == FP_METHOD_CLOPPER_PEARSON ? method : FP_METHOD_WILSON;
        estimate->trials = still ? units : fmax(1, share * (1 - share) / (drawn.spread.variance * wider * wider));
        estimate->interval = binomial(estimate->method, share, estimate->trials, confidence);
        return FP_OK;
    }
    estimate->method = proportion ? FP_METHOD_BCA : method;
    estimate->interval = fp_replicates_interval(&drawn, estimate->method, confidence);
    return FP_OK;
}
