/* SPDX-License-Identifier: GPL-3.0-or-later
 * Probabilities of every arm, and whether they hold. */
#include "eval/decision/calibration_outcome.h"

#include <math.h>

#include "eval/statistics/best_threshold.h"

typedef struct work {
    const fp_calibration_outcome *out;
    const fp_inference_options *options;
    const fp_pair *pairs;
    const double *const *distances;
    fp_resample resample;
    fp_split split;
    bool *duplicate; /* [pair_count] */
    fp_calibration_arm *arms;
} work;

/* ---- Probabilities at distances ---- */

/* The distances from bar `from` to bar `to`. */
typedef struct window {
    double from, to;
} window;

/* As many bars from `at` on in the direction `step` as hold enough pairs, or all. */
static window open_window(const fp_histogram *histogram, size_t at, int step) {
    size_t last = at;
    uint64_t pairs = 0;
    for (size_t i = at;; i += (size_t)step) {
        last = i;
        pairs += histogram->bars[i].positives + histogram->bars[i].negatives;
        if (pairs >= FP_CALIBRATION_PAIRS || i == (step > 0 ? histogram->count - 1 : 0)) break;
    }
    size_t low = step > 0 ? at : last, high = step > 0 ? last : at;
    return (window){histogram->bars[low].distance, histogram->bars[high].distance};
}

static fp_status share_of(const work *job, size_t arm, window over, fp_arena *scratch, fp_interval *limits,
                          fp_error *error) {
    size_t count = job->resample.pair_count;
    const double *distance = job->distances[arm];
    fp_proportion share;
    fp_arena_reset(scratch);
    double *member = fp_arena_raw(scratch, count, sizeof *member);
    if (!member) return fp_no_memory(error);
    for (size_t i = 0; i < count; i++) member[i] = distance[i] >= over.from && distance[i] <= over.to;
    FP_TRY(fp_proportion_of(&job->resample, member, job->duplicate, job->options->confidence, scratch, &share, error));
    double own = job->out->own, prevalence = job->out->prevalence;
    *limits = (fp_interval){fp_share_restated(share.interval.low, own, prevalence),
                            fp_share_restated(share.interval.high, own, prevalence)};
    return FP_OK;
}

/* Bars ascend: `after` is the first at or beyond the distance. The probability is a pooled one, and may lie beyond what
 * its neighbours alone say. */
static fp_status find_limits(const work *job, size_t arm, size_t after, fp_calibrated *of, fp_arena *scratch,
                             fp_error *error) {
    const fp_histogram *histogram = &job->out->outcome->measurements[arm].histogram;
    bool is_bar = after < histogram->count && histogram->bars[after].distance == of->distance;
    fp_interval farther = {0, 1}, nearer = {0, 1};
    if (after < histogram->count)
        FP_TRY(share_of(job, arm, open_window(histogram, after, 1), scratch, &farther, error));
    if (is_bar || after > 0)
        FP_TRY(share_of(job, arm, open_window(histogram, is_bar ? after : after - 1, -1), scratch, &nearer, error));
    of->interval = (fp_interval){fmin(farther.low, of->probability), fmax(nearer.high, of->probability)};
    return FP_OK;
}

/* The thresholds of the list, and where pools begin and end. */
static fp_status list_distances(const work *job, const fp_pool *pools, size_t count, fp_arena *arena, double **list,
                                size_t *listed, fp_error *error) {
    double *ends = fp_arena_raw(arena, count, 2 * sizeof *ends);
    if (!ends) return fp_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        ends[2 * i] = pools[i].from;
        ends[2 * i + 1] = pools[i].to;
    }
    return fp_thresholds_merge(job->options->thresholds, job->options->threshold_count, ends, 2 * count, arena, list,
                               listed, error);
}

static fp_status calibrate_arm(const work *job, size_t index, fp_arena *arena, fp_calibrated **made, fp_error *error) {
    const fp_histogram *histogram = &job->out->outcome->measurements[index].histogram;
    fp_calibration_arm *arm = job->arms + index;
    fp_pool *pools = fp_arena_raw(arena, histogram->count, sizeof *pools);
    double *list;
    if (!pools) return fp_no_memory(error);
    size_t count = fp_pools_guarded(histogram->bars, histogram->count, pools);
    double own = fp_pools_share(pools, count);
    FP_TRY(list_distances(job, pools, count, arena, &list, &arm->count, error));
    fp_calibrated *at = *made = fp_arena_alloc(arena, arm->count, sizeof *at);
    if (!at) return fp_no_memory(error);
    for (size_t i = 0; i < arm->count; i++) {
        double share = fp_pools_share_at(pools, count, list[i]);
        at[i] = (fp_calibrated){list[i],
                                fp_share_restated(share, own, job->out->prevalence),
                                {NAN, NAN},
                                fp_pool_at(pools, count, list[i])};
    }
    arm->at = at;
    return FP_OK;
}

/* ---- The work of threads ---- */

typedef struct limit_job {
    const work *job;
    size_t arm;
    fp_calibrated *at;
    const size_t *after; /* [count] the first bar at or beyond each distance */
} limit_job;

static fp_status limit_one(void *context, size_t index, fp_arena *scratch, fp_error *error) {
    const limit_job *of = context;
    return find_limits(of->job, of->arm, of->after[index], of->at + index, scratch, error);
}

/* Reads what is calibrated, and gives every distance its limits. */
static fp_status limit_arm(const work *job, size_t arm, fp_calibrated *at, const fp_arenas *arenas,
                           const fp_progress *progress, fp_arena *arena, fp_error *error) {
    const fp_histogram *histogram = &job->out->outcome->measurements[arm].histogram;
    size_t count = job->arms[arm].count, bar = 0, *after = fp_arena_raw(arena, count, sizeof *after);
    if (!after) return fp_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        while (bar < histogram->count && histogram->bars[bar].distance < at[i].distance) bar++;
        after[i] = bar;
    }
    limit_job of = {job, arm, at, after};
    return fp_parallel(count, arenas, true, limit_one, &of, "probabilities", progress, error);
}

/* Piece `index` is one arm. */
static fp_status try_arm(void *context, size_t index, fp_arena *scratch, fp_error *error) {
    const work *job = context;
    fp_ranking ranking;
    fp_forecasts forecasts;
    if (job->arms[index].count == 0) return FP_OK;
    FP_TRY(fp_ranking_make(job->distances[index], job->pairs, job->resample.pair_count, NULL, 0, scratch, &ranking,
                           error));
    FP_TRY(fp_forecasts_make(&ranking, job->pairs, &job->split, job->out->prevalence, scratch, &forecasts, error));
    return fp_reliability_of(&job->resample, job->pairs, &forecasts, job->out->prevalence, job->options->confidence,
                             scratch, &job->arms[index].reliability, error);
}

/* ---- One corpus ---- */

static fp_status open_pairs(work *job, fp_arena *arena, fp_error *error) {
    const fp_outcome *outcome = job->out->outcome;
    const fp_corpus *corpus = outcome->corpus;
    job->pairs = corpus->pairs;
    job->distances = fp_outcome_distances(outcome, arena);
    job->duplicate = fp_arena_raw(arena, corpus->pair_count, sizeof *job->duplicate);
    job->arms = fp_arena_alloc(arena, outcome->count, sizeof *job->arms);
    if (!job->distances || !job->duplicate || !job->arms) return fp_no_memory(error);
    for (size_t i = 0; i < corpus->pair_count; i++) job->duplicate[i] = corpus->pairs[i].label != 0;
    return fp_resample_make(corpus->pairs, corpus->pair_count, corpus->group, corpus->document_count, FP_SAMPLING_AUTO,
                            arena, &job->resample, error);
}

/* Units that are too few for folds leave the probabilities untried. */
static fp_status deal(work *job, fp_calibration_outcome *out, fp_arena *arena, fp_error *error) {
    fp_error why = {0};
    fp_split_options dealing = {.folds = FP_FORECAST_FOLDS, .seed = job->options->seed};
    fp_status status = fp_split_deal(out->outcome->corpus, &dealing, arena, &job->split, &why);
    if (status == FP_OK) return FP_OK;
    if (status == FP_ERROR_MEMORY) return fp_no_memory(error);
    out->unforecast = fp_format(arena, "%s", why.message);
    return out->unforecast ? FP_OK : fp_no_memory(error);
}

static fp_status run(work *job, const fp_arenas *arenas, const fp_progress *progress, fp_arena *arena,
                     fp_error *error) {
    const fp_outcome *outcome = job->out->outcome;
    bool both = outcome->curves->positives && outcome->curves->negatives;
    for (size_t i = 0; both && i < outcome->count; i++) {
        fp_calibrated *at;
        FP_TRY(calibrate_arm(job, i, arena, &at, error));
        FP_TRY(limit_arm(job, i, at, arenas, progress, arena, error));
    }
    if (job->out->unforecast) return FP_OK;
    return fp_parallel(outcome->count, arenas, true, try_arm, job, "reliability", progress, error);
}

fp_status fp_calibration_outcome_make(const fp_outcome *outcome, const fp_inference_options *options,
                                      const fp_progress *progress, fp_arena *arena, fp_calibration_outcome *out,
                                      fp_error *error) {
    const fp_curve *curve = outcome->curves;
    *out = (fp_calibration_outcome){.outcome = outcome};
    out->own = (double)curve->positives / (double)(curve->positives + curve->negatives);
    out->prevalence = options->prevalence > 0 ? options->prevalence : out->own;
    work job = {.out = out, .options = options};
    FP_TRY(open_pairs(&job, arena, error));
    FP_TRY(deal(&job, out, arena, error));
    out->arms = job.arms;
    fp_arenas arenas = {0};
    FP_TRY(fp_arenas_open(&arenas, progress, arena, error));
    fp_status status = run(&job, &arenas, progress, arena, error);
    fp_arenas_free(&arenas);
    return status;
}
