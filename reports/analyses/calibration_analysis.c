/* SPDX-License-Identifier: GPL-3.0-or-later
 * The probability that a pair at a distance is a duplicate, and whether such probabilities hold on held-out pairs:
 * --calibrate. */
#include <math.h>

#include "base/parallel.h"
#include "reports/analyses/analyses.h"
#include "eval/analyses/isotonic.h"
#include "eval/statistics/measure_interval.h"

/* The probability at a distance, from all pairs. If probabilities fall with distance, the share of duplicates among the
 * next farther pairs is no larger, and that among the next nearer pairs no smaller. So the limits are the lower limit
 * of the former share and the upper limit of the latter, each over the fewest distances that hold LEAST_PAIRS pairs.
 * This choice of pairs does not depend on the labels. */
typedef struct calibrated {
    double distance, probability;
    fp_interval interval;
    const fp_pool *pool; /* containing the distance; counts half pairs. NULL: no pair has this distance; the probability
                          * is interpolated between neighbouring pools, or that of the last */
} calibrated;

enum { LEAST_PAIRS = 50 };

typedef struct calibrated_arm {
    size_t count;               /* 0: a class is empty */
    const calibrated *at;       /* [count] at listed thresholds and ends of pools, ascending */
    fp_reliability reliability; /* of forecasts from the other folds; no bins: not forecast */
} calibrated_arm;

typedef struct calibration {
    const char *unforecast; /* why there are no forecasts; NULL: there are */
    const calibrated_arm *arms;
} calibration;

typedef struct work {
    const fp_analysed *of;
    const fp_inference_options *options;
    double own, prevalence; /* prevalence of the set, and the one that probabilities assume */
    const fp_corpus *corpus;
    const double *const *distances;
    const fp_resample *resample;
    fp_split split;
    bool *duplicate; /* [pair_count] */
    calibrated_arm *arms;
} work;

static const fp_histogram *histogram_of(const work *job, size_t arm) {
    return &job->of->outcome->measurements[arm].histogram;
}

/* ---- Probabilities at distances ---- */

/* The distances from bar `from` to bar `to`. */
typedef struct window {
    double from, to;
} window;

/* The fewest bars from `at` on in direction `step` that hold LEAST_PAIRS pairs, or all. */
static window open_window(const fp_histogram *histogram, size_t at, int step) {
    size_t last = at;
    uint64_t pairs = 0;
    for (size_t i = at;; i += (size_t)step) {
        last = i;
        pairs += histogram->bars[i].positives + histogram->bars[i].negatives;
        if (pairs >= LEAST_PAIRS || i == (step > 0 ? histogram->count - 1 : 0)) break;
    }
    size_t low = step > 0 ? at : last, high = step > 0 ? last : at;
    return (window){histogram->bars[low].distance, histogram->bars[high].distance};
}

static fp_status share_of(const work *job, size_t arm, window over, fp_arena *scratch, fp_interval *limits,
                          fp_error *error) {
    size_t count = job->resample->pair_count;
    const double *distance = job->distances[arm];
    fp_proportion share;
    fp_arena_reset(scratch);
    double *member = FP_NEED(fp_arena_raw(scratch, count, sizeof *member), error);
    for (size_t i = 0; i < count; i++) member[i] = distance[i] >= over.from && distance[i] <= over.to;
    FP_TRY(fp_proportion_of(job->resample, member, job->duplicate, job->options->confidence, scratch, &share, error));
    *limits = (fp_interval){fp_share_restated(share.interval.low, job->own, job->prevalence),
                            fp_share_restated(share.interval.high, job->own, job->prevalence)};
    return FP_OK;
}

typedef struct limit_job {
    const work *job;
    size_t arm;
    calibrated *at;
} limit_job;

/* The limits of one distance. The pooled probability may lie outside the limits of its neighbours alone. */
static fp_status find_limits(void *context, size_t index, fp_arena *scratch, fp_error *error) {
    const limit_job *of = context;
    const fp_histogram *histogram = histogram_of(of->job, of->arm);
    calibrated *at = of->at + index;
    size_t after = 0; /* the first bar at or beyond the distance */
    while (after < histogram->count && histogram->bars[after].distance < at->distance) after++;
    bool is_bar = after < histogram->count && histogram->bars[after].distance == at->distance;
    fp_interval farther = {0, 1}, nearer = {0, 1};
    if (after < histogram->count)
        FP_TRY(share_of(of->job, of->arm, open_window(histogram, after, 1), scratch, &farther, error));
    if (is_bar || after > 0)
        FP_TRY(share_of(of->job, of->arm, open_window(histogram, is_bar ? after : after - 1, -1), scratch, &nearer,
                        error));
    at->interval = (fp_interval){fmin(farther.low, at->probability), fmax(nearer.high, at->probability)};
    return FP_OK;
}

/* At the listed thresholds and the ends of the pools. */
static fp_status calibrate_arm(const work *job, size_t index, const fp_arenas *arenas, fp_error *error) {
    fp_arena *arena = job->of->arena;
    const fp_histogram *histogram = histogram_of(job, index);
    calibrated_arm *arm = job->arms + index;
    fp_pool *pools = FP_NEED(fp_arena_raw(arena, histogram->count, sizeof *pools), error);
    size_t count = fp_pools_guarded(histogram->bars, histogram->count, pools);
    double own = fp_pools_share(pools, count), *list,
           *ends = FP_NEED(fp_arena_raw(arena, count, 2 * sizeof *ends), error);
    for (size_t i = 0; i < count; i++) {
        ends[2 * i] = pools[i].from;
        ends[2 * i + 1] = pools[i].to;
    }
    FP_TRY(fp_thresholds_merge(job->options->thresholds, job->options->threshold_count, ends, 2 * count, arena, &list,
                               &arm->count, error));
    calibrated *at = FP_NEED(fp_arena_alloc(arena, arm->count, sizeof *at), error);
    arm->at = at;
    for (size_t i = 0; i < arm->count; i++) {
        double share = fp_pools_share_at(pools, count, list[i]);
        at[i] = (calibrated){
            list[i], fp_share_restated(share, own, job->prevalence), {NAN, NAN}, fp_pool_at(pools, count, list[i])};
    }
    limit_job of = {job, index, at};
    return fp_parallel(arm->count, arenas, true, find_limits, &of, "probabilities", job->of->progress, error);
}

/* ---- Held-out pairs ---- */

/* Piece `index` is one arm. */
static fp_status try_arm(void *context, size_t index, fp_arena *scratch, fp_error *error) {
    const work *job = context;
    const fp_pair *pairs = job->corpus->pairs;
    fp_ranking ranking;
    fp_forecasts forecasts;
    if (job->arms[index].count == 0) return FP_OK;
    FP_TRY(fp_ranking_make(job->distances[index], pairs, job->resample->pair_count, NULL, 0, scratch, &ranking, error));
    FP_TRY(fp_forecasts_make(&ranking, pairs, &job->split, job->prevalence, scratch, &forecasts, error));
    return fp_reliability_of(job->resample, pairs, &forecasts, job->prevalence, job->options->confidence, scratch,
                             &job->arms[index].reliability, error);
}

/* With too few units for folds, the probabilities are not tested. */
static fp_status deal(work *job, calibration *out, fp_error *error) {
    fp_error why = {0};
    fp_split_options dealing = {.folds = FP_FORECAST_FOLDS, .seed = job->options->seed};
    fp_status status = fp_split_deal(job->corpus, &dealing, job->of->arena, &job->split, &why);
    if (status == FP_ERROR_MEMORY) return fp_no_memory(error);
    if (status != FP_OK) out->unforecast = FP_NEED(fp_format(job->of->arena, "%s", why.message), error);
    return FP_OK;
}

/* The bootstrap seed also assigns the folds. */
static fp_status run(const fp_analysed *of, const void **found, fp_error *error) {
    const fp_outcome *outcome = of->outcome;
    const fp_corpus *corpus = outcome->corpus;
    const fp_inference_options *options = &of->questions->inference;
    calibration *out = FP_NEED(fp_arena_alloc(of->arena, 1, sizeof *out), error);
    work job = {.of = of,
                .options = options,
                .own = fp_results_prevalence(outcome, 0),
                .prevalence = fp_assumed_prevalence(outcome, options),
                .corpus = corpus,
                .distances = FP_NEED(fp_distances_of(outcome->measurements, outcome->lane_count, of->arena), error),
                .resample = &outcome->inference->resample,
                .duplicate = FP_NEED(fp_arena_raw(of->arena, corpus->pair_count, sizeof *job.duplicate), error),
                .arms = FP_NEED(fp_arena_alloc(of->arena, outcome->count, sizeof *job.arms), error)};
    bool both = outcome->curves->positives && outcome->curves->negatives;
    *found = out;
    out->arms = job.arms;
    for (size_t i = 0; i < corpus->pair_count; i++) job.duplicate[i] = corpus->pairs[i].label != 0;
    FP_TRY(deal(&job, out, error));
    FP_ARENAS(arenas, of->progress, of->arena, error);
    for (size_t i = 0; both && i < outcome->count; i++) FP_TRY(calibrate_arm(&job, i, &arenas, error));
    if (out->unforecast) return FP_OK;
    return fp_parallel(outcome->count, &arenas, true, try_arm, &job, "reliability", of->progress, error);
}

/* ---- Tables ---- */

static const calibrated_arm *arm_of(const fp_found_arm *of) { return ((const calibration *)of->found)->arms + of->arm; }

static double prevalence_of(const fp_found_arm *of) {
    return fp_assumed_prevalence(of->outcome, of->results->inference);
}

/* Only tested arms have rows. */
static void add_score(fp_table *table, const fp_found_arm *of) {
    const fp_reliability *tried = &arm_of(of)->reliability;
    if (tried->bin_count == 0) return;
    fp_results_add_names(table, of->outcome, of->arm, false);
    FP_TABLE_PUT(table, prevalence_of(of), tried->brier, tried->miscalibration, tried->discrimination,
                 tried->uncertainty, tried->calibration_error);
}

static const char SCORES[] =
    "corpus|arm|>prevalence;s|>brier;s%5|>miscalibration;s%5|>discrimination;s%5|>uncertainty;s%5|"
    ">calibration_error;s%5";

/* The pool is NA where no pair lies: between two pools, or beyond all. At the prevalence of the set, probabilities are
 * linear between rows. */
static void add_distances(fp_table *table, const fp_found_arm *of) {
    for (size_t row = 0; row < arm_of(of)->count; row++) {
        const calibrated *at = arm_of(of)->at + row;
        const fp_pool *pool = at->pool;
        uint64_t duplicates = pool ? pool->positives / 2 : 0; /* without the guarding half pair */
        fp_results_add_names(table, of->outcome, of->arm, true);
        FP_TABLE_PUT(table, prevalence_of(of), at->distance);
        fp_table_put_figure(table, at->probability, at->interval);
        FP_TABLE_PUT(table, pool ? pool->from : NAN, pool ? pool->to : NAN,
                     pool ? (double)(duplicates + pool->negatives / 2) : NAN, pool ? (double)duplicates : NAN);
    }
}

static const char DISTANCES[] =
    "corpus|arm|scale;d|>prevalence;ed|>distance;esd|>probability;lsdD%|>pool_from;e|>pool_to;e|"
    ">pool_pairs;e|>pool_duplicates;e";

static void add_bins(fp_table *table, const fp_found_arm *of) {
    const fp_reliability *tried = &arm_of(of)->reliability;
    for (size_t i = 0; i < tried->bin_count; i++) {
        const fp_reliability_bin *bin = tried->bins + i;
        fp_results_add_names(table, of->outcome, of->arm, false);
        FP_TABLE_PUT(table, prevalence_of(of), (double)(i + 1), (double)(bin->positives + bin->negatives),
                     (double)bin->positives, bin->predicted);
        fp_table_put_figure(table, bin->observed, bin->interval);
    }
}

static const char BINS[] = "corpus|arm|>prevalence;ed|>bin;e|>pairs;e|>duplicates;e|>predicted;d|>observed;ldD";

/* ---- Terminal output ---- */

static const calibrated *find(const calibrated_arm *arm, double distance) {
    for (size_t i = 0; i < arm->count; i++)
        if (arm->at[i].distance == distance) return arm->at + i;
    return NULL;
}

static const char *text_of(const calibrated *at, bool limits, fp_arena *arena) {
    if (!at) return limits ? "" : "NA";
    if (!limits) return fp_format(arena, "%s%.3g", at->pool ? "" : "~", at->probability);
    return fp_format(arena, "(%.2g–%.2g)", at->interval.low, at->interval.high);
}

/* *interpolated: some shown probability is. */
static fp_table *summarise(fp_brief *to, size_t corpus, bool *interpolated) {
    const fp_outcome *outcome = to->results->outcomes + corpus;
    const calibration *of = to->found[corpus];
    const fp_inference_options *options = to->results->inference;
    const char *columns = "probability at distance|scale";
    for (size_t t = 0; t < options->threshold_count; t++)
        columns = fp_format(to->arena, "%s|>%g", columns, options->thresholds[t]);
    fp_table *table = fp_table_new(columns, to->arena);
    *interpolated = false;
    for (size_t row = 0; row < 2 * outcome->count; row++) {
        size_t arm = row / 2;
        bool limits = row % 2;
        fp_table_text(table, limits ? "" : fp_results_name(outcome, arm));
        fp_table_text(table, limits ? "" : fp_arm_layout(outcome->measurements[arm].arm)->scale);
        for (size_t t = 0; t < options->threshold_count; t++) {
            const calibrated *at = find(of->arms + arm, options->thresholds[t]);
            fp_table_text(table, text_of(at, limits, to->arena));
            *interpolated |= at && !at->pool;
        }
    }
    return table;
}

static void brief(fp_brief *to) {
    for (size_t i = 0; i < to->results->count; i++) {
        const calibration *of = to->found[i];
        const fp_outcome *outcome = to->results->outcomes + i;
        fp_results one = *to->results;
        bool interpolated;
        one.outcomes = outcome;
        one.count = 1;
        to->print(fp_format(to->arena, "\n%s: the probability of a duplicate at a distance, when %s%s\n",
                            outcome->corpus->name, fp_brief_share(to, outcome), fp_brief_first_seed(to)));
        to->show(summarise(to, i, &interpolated));
        if (interpolated) to->print("~ interpolated: no pair lies at such a distance\n");
        to->print(of->unforecast ? fp_format(to->arena, "\nNothing can be held out: %s.\n", of->unforecast)
                                 : "\nOn pairs held out\n");
        if (!of->unforecast) to->show(fp_results_rows(fp_analysis_calibration.tables, &one, to->found + i, to->arena));
    }
    to->print(
        "\nThe Brier score is the mean square of probability less truth: miscalibration − discrimination + uncertainty, the last being that of\n"
        "a constant forecast, the share of duplicates. calibration_error: by how much the probabilities are off, less what chance explains.\n");
}

const fp_analysis fp_analysis_calibration = {
    .name = "calibration",
    .example = "--calibrate",
    .title = {"Probabilities of distances", "距离对应的概率"},
    .text = {"How well probabilities made from distances hold on groups held out.",
             "由距离得出的概率在留出的分组上是否成立。"},
    .options = {{.name = "calibrate",
                 .help =
                     "also the probability of a duplicate at each distance, and whether it holds on pairs held out"}},
    .needs = FP_NEEDS_LIST | FP_NEEDS_ALL_PAIRS,
    .run = run,
    .brief = brief,
    .tables = {{.name = "calibration-scores", .columns = SCORES, .rows = add_score},
               {.name = "calibration",
                .columns = DISTANCES,
                .rows = add_distances,
                .title = {"Probability of a duplicate at each distance", "各距离为重复的概率"}},
               {.name = "reliability", .columns = BINS, .rows = add_bins}},
    .figures = {{"calibration", "calibration", "probability of a duplicate at each distance (eval --calibrate)"},
                {"reliability", "reliability", "whether the probabilities hold on pairs held out (eval --calibrate)"}}};
