/* SPDX-License-Identifier: GPL-3.0-or-later
 * Pairs by their exact similarity, and what the index brings of them. */
#include "eval/analyses/recall_loss.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "eval/statistics/proportion_interval.h"

/* ---- The curve ---- */

bool fp_index_curve_applies(const fp_recall_loss_arm *arm) {
    return arm->tables && arm->counterpart && arm->measurement->arm->instance.algorithm->similarity;
}

typedef struct likeness {
    const fp_instance *instance;
    double similarity;
} likeness;

static bool more_alike(void *context, double distance) {
    const likeness *than = context;
    return than->instance->algorithm->similarity(than->instance, distance) > than->similarity;
}

/* The expected share of places that differ: the inverse of a function that falls. */
static double differing(const fp_instance *instance, double similarity) {
    likeness at = {instance, similarity};
    double far = instance->layout.maximum;
    if (!more_alike(&at, 0)) return 0;
    if (similarity <= instance->algorithm->similarity(instance, far)) return 1;
    return fp_bisect(more_alike, &at, 0, far) / far;
}

double fp_index_curve_similarity(const fp_recall_loss_arm *arm, size_t i) {
    double share = (double)i / (FP_INDEX_POINTS - 1);
    return i && strcmp(fp_arm_measure(arm->measurement->arm), "cosine") == 0 ? cos(M_PI / 2 * (1 - share)) : share;
}

double fp_index_curve_at(const fp_recall_loss_arm *arm, const fp_lsh_form *form, double similarity) {
    return fp_lsh_probability(form ? form : fp_lsh_form_of(arm->tables),
                              differing(&arm->measurement->arm->instance, similarity));
}

/* ---- Pairs ---- */

/* What pairs and bins are made with. */
typedef struct making {
    const fp_recall_loss *lost;
    fp_arenas arenas; /* of the threads */
    const fp_progress *progress;
    fp_arena *arena; /* for what stays */
} making;

enum { BATCH = 256 }; /* pairs in one piece of work */

/* What is known of each pair of the resample. */
typedef struct known {
    size_t count;
    const fp_pair *pairs;
    double *similarity, *expected;
    bool *brought;
    unsigned char *bin;
} known;

typedef struct pair_job {
    const fp_recall_loss_arm *arm;
    const known *of;
} pair_job;

static fp_status know_batch(void *context, size_t index, fp_arena *arena, fp_error *error) {
    (void)arena;
    (void)error;
    const pair_job *job = context;
    const known *of = job->of;
    const fp_sketches *sketches = &job->arm->measurement->sketches;
    size_t end = (index + 1) * BATCH < of->count ? (index + 1) * BATCH : of->count;
    for (size_t i = index * BATCH; i < end; i++) {
        fp_pair pair = of->pairs[i];
        double distance = fp_measurement_distance(job->arm->counterpart, pair.a, pair.b);
        of->similarity[i] = fp_measurement_similarity(job->arm->counterpart, distance);
        of->expected[i] = fp_index_curve_at(job->arm, NULL, of->similarity[i]);
        of->brought[i] =
            !fp_measurement_silent(job->arm->measurement, pair.a, pair.b) &&
            fp_lsh_meet(job->arm->tables, fp_sketches_at(sketches, pair.a), fp_sketches_at(sketches, pair.b));
        of->bin[i] = (unsigned char)fp_similarity_bin_of(of->similarity[i]);
    }
    return FP_OK;
}

static fp_status know_pairs(const making *with, const fp_recall_loss_arm *arm, known *of, fp_error *error) {
    const fp_recall_loss *lost = with->lost;
    fp_arena *arena = with->arena;
    size_t count = lost->resample.pair_count;
    *of = (known){.count = count,
                  .pairs = lost->corpus->truth == FP_TRUTH_PAIRS ? lost->corpus->pairs : lost->positives,
                  .similarity = FP_NEED(fp_arena_raw(arena, count, sizeof(double)), error),
                  .expected = FP_NEED(fp_arena_raw(arena, count, sizeof(double)), error),
                  .brought = FP_NEED(fp_arena_raw(arena, count, sizeof(bool)), error),
                  .bin = FP_NEED(fp_arena_raw(arena, count, 1), error)};
    pair_job job = {arm, of};
    return fp_parallel((count + BATCH - 1) / BATCH, &with->arenas, true, know_batch, &job, "pairs of the index",
                       with->progress, error);
}

/* ---- Bins ---- */

typedef struct bin_job {
    const fp_resample *resample;
    const known *of;
    double confidence;
    fp_index_bin *bins;
    size_t number[FP_SIMILARITY_BINS]; /* the tenth of each bin */
} bin_job;

static fp_status fill_bin(void *context, size_t index, fp_arena *scratch, fp_error *error) {
    bin_job *job = context;
    const known *of = job->of;
    fp_index_bin *bin = job->bins + index;
    double *weight = FP_NEED(fp_arena_alloc(scratch, of->count, sizeof *weight), error);
    *bin = (fp_index_bin){.low = fp_similarity_bin_low(job->number[index]),
                          .high = fp_similarity_bin_low(job->number[index] + 1)};
    for (size_t i = 0; i < of->count; i++) {
        if (of->bin[i] != job->number[index]) continue;
        weight[i] = 1;
        bin->pairs++;
        bin->similarity += of->similarity[i];
        bin->expected += of->expected[i];
    }
    bin->similarity /= (double)bin->pairs;
    bin->expected /= (double)bin->pairs;
    return fp_proportion_of(job->resample, weight, of->brought, job->confidence, scratch, &bin->brought, error);
}

static fp_status fill_bins(const making *with, const known *of, double confidence, fp_index_curve *curve,
                           fp_error *error) {
    size_t held[FP_SIMILARITY_BINS] = {0};
    bin_job job = {&with->lost->resample,
                   of,
                   confidence,
                   FP_NEED(fp_arena_alloc(with->arena, FP_SIMILARITY_BINS, sizeof(fp_index_bin)), error),
                   {0}};
    for (size_t i = 0; i < of->count; i++) held[of->bin[i]]++;
    for (size_t b = 0; b < FP_SIMILARITY_BINS; b++)
        if (held[b]) job.number[curve->bin_count++] = b;
    curve->bins = job.bins;
    return fp_parallel(curve->bin_count, &with->arenas, true, fill_bin, &job, "shares of the index", with->progress,
                       error);
}

fp_status fp_index_curve_make(const fp_recall_loss *lost, size_t arm, double confidence, const fp_progress *progress,
                              fp_arena *arena, fp_index_curve *curve, fp_error *error) {
    *curve = (fp_index_curve){0};
    if (!fp_index_curve_applies(lost->arms + arm) || lost->resample.pair_count == 0) return FP_OK;
    FP_ARENAS(arenas, progress, arena, error);
    making with = {.lost = lost, .arenas = arenas, .progress = progress, .arena = arena};
    known of;
    FP_TRY(know_pairs(&with, lost->arms + arm, &of, error));
    return fill_bins(&with, &of, confidence, curve, error);
}
