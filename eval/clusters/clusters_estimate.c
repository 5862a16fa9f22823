/* SPDX-License-Identifier: GPL-3.0-or-later
 * Replicates and intervals of the agreement of clusters. */
#include <math.h>

#include "eval/clusters/clusters.h"
#include "eval/statistics/share_interval.h"

/* ---- Replicates ---- */

typedef struct job {
    const fp_contingency *each; /* [seed_count] */
    size_t seed_count;
    fp_resample clusters; /* of which only the number of units is read */
    uint64_t seed;
    fp_empty empty;
    size_t replicates;
    double (*values)[FP_AGREEMENT_KINDS];
} job;

/* Under each seed; of[kind][seed_count]. */
static fp_status measure_seeds(const job *work, const uint32_t *multiplicity, fp_arena *scratch,
                               double *of[FP_AGREEMENT_KINDS], fp_error *error) {
    for (size_t k = 0; k < FP_AGREEMENT_KINDS; k++) {
        of[k] = fp_arena_raw(scratch, work->seed_count, sizeof *of[k]);
        if (!of[k]) return fp_no_memory(error);
    }
    for (size_t seed = 0; seed < work->seed_count; seed++) {
        double own[FP_AGREEMENT_KINDS];
        FP_TRY(fp_agreement_of(work->each + seed, multiplicity, work->empty, scratch, own, error));
        for (size_t k = 0; k < FP_AGREEMENT_KINDS; k++) of[k][seed] = own[k];
    }
    return FP_OK;
}

static fp_status run_one(void *context, size_t index, fp_arena *scratch, fp_error *error) {
    const job *work = context;
    double *of[FP_AGREEMENT_KINDS];
    uint32_t *multiplicity = NULL;
    if (index < work->replicates) {
        multiplicity = fp_arena_raw(scratch, work->clusters.unit_count, sizeof *multiplicity);
        if (!multiplicity) return fp_no_memory(error);
        FP_TRY(fp_resample_draw(&work->clusters, work->seed, index, scratch, multiplicity, error));
    }
    FP_TRY(measure_seeds(work, multiplicity, scratch, of, error));
    for (size_t k = 0; k < FP_AGREEMENT_KINDS; k++)
        work->values[index][k] = fp_seed_spread_of(of[k], work->seed_count).mean;
    return FP_OK;
}

/* Both parts of the variance. */
static fp_status find_spreads(const job *work, fp_arena *scratch, fp_agreements *to, fp_error *error) {
    double *of[FP_AGREEMENT_KINDS];
    FP_TRY(fp_agreement_spread(work->each, work->seed_count, work->empty, scratch, to->spreads, error));
    FP_TRY(measure_seeds(work, NULL, scratch, of, error));
    for (size_t k = 0; k < FP_AGREEMENT_KINDS; k++) {
        to->seeds[k] = fp_seed_spread_of(of[k], work->seed_count);
        fp_dyadic_add_seeds(to->spreads + k, to->seeds + k);
    }
    return FP_OK;
}

fp_status fp_agreements_run_seeds(const fp_contingency *each, size_t seed_count, size_t replicates, uint64_t seed,
                                  fp_empty empty, const fp_progress *progress, fp_arena *arena,
                                  fp_agreements *agreements, fp_error *error) {
    if (replicates == 0) return fp_fail(error, FP_ERROR_RANGE, "a bootstrap needs at least one replicate");
    job work = {.each = each,
                .seed_count = seed_count,
                .clusters = {.unit_count = each->truth_count},
                .seed = seed,
                .empty = empty,
                .replicates = replicates,
                .values = fp_arena_raw(arena, replicates + 1, sizeof *work.values)};
    if (!work.values) return fp_no_memory(error);
    *agreements = (fp_agreements){.replicates = replicates,
                                  .truth_count = each->truth_count,
                                  .values = (const double(*)[FP_AGREEMENT_KINDS])work.values};
    fp_arenas arenas = {0};
    FP_TRY(fp_arenas_open(&arenas, progress, arena, error));
    fp_status status = find_spreads(&work, arenas.each[0], agreements, error);
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
                              .undefined = drawn.undefined,
                              .seeds = agreements->seeds[kind]};
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
