/* SPDX-License-Identifier: GPL-3.0-or-later
 * Expected cost of tuning: one arm of each algorithm and feature specification on a sample, multiplied by documents,
 * pairs and models. */
#include <math.h>

#include "eval/experiment/corpus_sketches.h"
#include "eval/tuning/tune_parts.h"

enum { SAMPLE = 1000, NEIGHBOURS = 3 }; /* documents, and number of partners of each */
static const double LONGEST = 2.0;      /* seconds for the estimate itself */
static const double DRAW = 4e-9;        /* seconds for each pair and bootstrap replicate */

typedef struct estimate {
    const fp_corpus *corpus; /* the whole corpus */
    fp_corpus sample;        /* some of its documents, each paired with the next few */
    fp_arm *const *arms;
    size_t count, folds;
    fp_progress progress; /* for the number of threads */
    double pairs;         /* measured by every arm */
    double called;        /* of these, approximately the number of positives */
    size_t replicates;
    fp_error *error;
} estimate;

/* Documents at equal distances in the corpus, with their texts in memory. */
static fp_status take_sample(estimate *of, fp_arena *arena) {
    size_t all = of->corpus->document_count, count = all < SAMPLE ? all : SAMPLE;
    uint32_t *chosen = FP_NEED(fp_arena_raw(arena, count, sizeof *chosen), of->error);
    fp_pair *pairs = FP_NEED(fp_arena_raw(arena, SAMPLE * NEIGHBOURS, sizeof *pairs), of->error);
    uint32_t *group = FP_NEED(fp_arena_raw(arena, count, sizeof *group), of->error);
    fp_string *texts = FP_NEED(fp_arena_raw(arena, count, sizeof *texts), of->error);
    for (size_t i = 0; i < count; i++) {
        chosen[i] = (uint32_t)(i * all / count);
        group[i] = UINT32_MAX;
    }
    FP_TRY(fp_corpus_part(of->corpus, chosen, count, arena, &of->sample, of->error));
    FP_TRY(fp_corpus_fetch(of->corpus, chosen, count, arena, texts, of->error));
    of->sample.texts = texts;
    of->sample.origin = NULL;
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count && j <= i + NEIGHBOURS; j++)
            pairs[of->sample.pair_count++] = (fp_pair){(uint32_t)i, (uint32_t)j, (uint8_t)(j % 2)};
    of->sample.truth = FP_TRUTH_PAIRS;
    of->sample.pairs = pairs;
    of->sample.group = group;
    of->sample.group_count = 0;
    return FP_OK;
}

/* Approximately the number that the split keeps. */
static double count_pairs(const fp_corpus *corpus, const fp_split_options *split) {
    double documents = (double)corpus->document_count;
    if (corpus->truth != FP_TRUTH_GROUPS) return (double)corpus->pair_count;
    return fmin(documents * documents / 2, (double)split->most_negatives);
}

/* ---- Some arms, side by side ---- */

enum { TOGETHER = 8 }; /* with more, timing could not stop in time */

typedef struct timing {
    double text, counts, weights, own; /* seconds a document, over all passes */
    double distances;                  /* seconds a pair */
} timing;

/* Arms of one text specification, which share the processed texts. */
typedef struct timed_arms {
    size_t count;
    size_t number[TOGETHER]; /* index among all arms */
    fp_arm *arm[TOGETHER];
    timing took[TOGETHER];
} timed_arms;

static fp_status time_distances(const estimate *of, fp_measurement *measurement, fp_arena *arena) {
    fp_stage stage = {.corpus = &of->sample, .progress = &of->progress};
    fp_status status = fp_stage_distances(&stage, measurement, arena, of->error);
    fp_measurement_free(measurement);
    return status;
}

static fp_status time_stages(const estimate *of, timed_arms *arms, fp_arena *arena) {
    double documents = (double)of->sample.document_count;
    fp_pipeline_arm lane[TOGETHER] = {{0}};
    fp_measurement measurement[TOGETHER];
    for (size_t i = 0; i < arms->count; i++) lane[i].arm = arms->arm[i];
    FP_TRY(fp_corpus_sketches(&of->sample, lane, arms->count, &of->progress, arena, measurement, of->error));
    for (size_t i = 0; i < arms->count; i++) {
        FP_TRY(time_distances(of, measurement + i, arena));
        arms->took[i] = (timing){.text = lane[i].seconds.texts / documents,
                                 .counts = lane[i].seconds.counts / documents,
                                 .weights = lane[i].seconds.weights / documents,
                                 .own = lane[i].seconds.own / documents,
                                 .distances = measurement[i].distance_seconds / fmax(1, (double)of->sample.pair_count)};
    }
    return FP_OK;
}

static fp_status time_once(const estimate *of, timed_arms *arms) {
    FP_SCRATCH(arena, of->corpus->memory, of->error);
    fp_status status = time_stages(of, arms, arena);
    for (size_t i = 0; i < arms->count; i++) {
        fp_error unused;
        fp_status forgotten = fp_arm_forget(arms->arm[i], status == FP_OK ? of->error : &unused);
        if (status == FP_OK) status = forgotten;
    }
    return status;
}

/* The shorter of two timings: the first includes cold caches and memory allocation, which the real run pays only
 * once. */
static fp_status time_arms(const estimate *of, timed_arms *arms) {
    timed_arms again = *arms;
    double start = fp_seconds();
    FP_TRY(time_once(of, arms));
    if (fp_tune_timings(1, fp_seconds() - start) == 1) return FP_OK;
    FP_TRY(time_once(of, &again));
    for (size_t i = 0; i < arms->count; i++) {
        timing *to = arms->took + i, other = again.took[i];
        *to = (timing){.text = fmin(to->text, other.text),
                       .counts = fmin(to->counts, other.counts),
                       .weights = fmin(to->weights, other.weights),
                       .own = fmin(to->own, other.own),
                       .distances = fmin(to->distances, other.distances)};
    }
    return FP_OK;
}

/* ---- All ---- */

/* The first arm that shares the text, the features, or features and algorithm. */
typedef enum sharing { TEXT, FEATURES, EVERYTHING } sharing;

static bool is_first(const estimate *of, size_t arm, sharing what) {
    for (size_t i = 0; i < arm; i++) {
        const fp_arm *a = of->arms[i], *b = of->arms[arm];
        if (what == TEXT
                ? fp_arm_same_text(a, b)
                : fp_arm_same_features(a, b) && (what == FEATURES || a->instance.algorithm == b->instance.algorithm))
            return false;
    }
    return true;
}

/* Seconds for all arms like this one, which is the first of its algorithm and features; *alike receives their
 * number. An arm that learns sketches every document once for each fold and once more, and measures every pair
 * twice; all its models run side by side and share their texts. */
static double cost_of(const estimate *of, size_t first, const timing *took, size_t *alike) {
    double documents = (double)of->corpus->document_count, often = (double)of->folds + 1, each = 0;
    const fp_arm *one = of->arms[first];
    *alike = 0;
    for (size_t i = first; i < of->count; i++) {
        const fp_arm *arm = of->arms[i];
        if (!fp_arm_same_features(arm, one) || arm->instance.algorithm != one->instance.algorithm) continue;
        double times = fp_arm_learns(arm) ? often : 1,
               fits = fp_arm_fits(arm) ? (double)fp_tune_models(arm, of->folds) : times;
        each += took->own * documents * fits + took->distances * of->pairs * fmin(times, 2);
        ++*alike;
    }
    double models = 1, text = 0, features = 0;
    if (fp_arm_learns(one)) models = fp_arm_fits(one) ? (double)fp_tune_models(one, of->folds) : often;
    if (is_first(of, first, TEXT)) text = took->text * documents;
    if (is_first(of, first, FEATURES)) features = took->counts * documents;
    double weights = is_first(of, first, FEATURES) ? took->weights * documents : 0,
           set = text + features + weights + took->own * documents * (double)*alike,
           repeated = set * ((double)fp_tune_timings(of->count, set) - 1);
    return each + weights * models + repeated + text + features;
}

/* The next arms that are the first of their kind and share their texts; no arms when all are done. */
static void next_arms(const estimate *of, bool *done, timed_arms *next) {
    next->count = 0;
    for (size_t i = 0; i < of->count && next->count < TOGETHER; i++) {
        if (done[i] || (next->count && !fp_arm_same_text(of->arms[i], next->arm[0]))) continue;
        done[i] = true;
        if (!is_first(of, i, EVERYTHING)) continue;
        next->number[next->count] = i;
        next->arm[next->count++] = of->arms[i];
    }
}

static fp_status estimate_all(estimate *of, fp_arena *arena, double *seconds) {
    bool *done = FP_NEED(fp_arena_alloc(arena, of->count, sizeof *done), of->error);
    timed_arms next;
    FP_TRY(take_sample(of, arena));
    double start = fp_seconds(), sum = 0;
    size_t covered = 0;
    for (next_arms(of, done, &next); next.count && fp_seconds() - start < LONGEST; next_arms(of, done, &next)) {
        FP_TRY(time_arms(of, &next));
        for (size_t i = 0; i < next.count; i++) {
            size_t alike;
            sum += cost_of(of, next.number[i], next.took + i, &alike);
            covered += alike;
        }
    }
    *seconds = covered ? sum * (double)of->count / (double)covered : 0;
    *seconds += (double)of->replicates * (of->pairs + of->called * (double)of->count) * DRAW;
    return FP_OK;
}

fp_status fp_tune_estimate(const fp_corpus *corpus, fp_arm *const *arms, size_t count, const fp_tune_options *options,
                           const fp_progress *progress, double *seconds, fp_error *error) {
    FP_SCRATCH(arena, corpus->memory, error);
    estimate of = {.corpus = corpus, .arms = arms, .count = count, .folds = options->split.folds, .error = error};
    of.pairs = count_pairs(corpus, &options->split);
    of.called = fmin(of.pairs, (double)corpus->document_count);
    of.replicates = options->replicates;
    /* A whole corpus is timed with the real number of threads. A sample of a larger one is timed with one thread:
     * with so few documents several threads would mostly wait for each other. */
    int threads = fp_threads(progress);
    of.progress.threads = corpus->document_count <= SAMPLE ? threads : 1;
    FP_TRY(estimate_all(&of, arena, seconds));
    *seconds *= (double)of.progress.threads / threads;
    return FP_OK;
}
