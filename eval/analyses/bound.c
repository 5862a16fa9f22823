/* SPDX-License-Identifier: GPL-3.0-or-later
 * Samples a distance for every pair from the law of the arm and averages the measures of the samples. */
#include "eval/analyses/bound.h"

#include <math.h>

#include "base/parallel.h"
#include "eval/analyses/theory.h"
#include "eval/measures/histogram.h"

enum { SAMPLES_AT_ONCE = 8 };

typedef struct bounding {
    const fp_instance *instance;
    const fp_pair *pairs;
    const double *similarity;
    size_t count;
    uint64_t seed, first; /* of the samples of one batch */
    fp_law_place *places; /* [count] */
    double *distance;     /* [SAMPLES_AT_ONCE][count] */
    double average_precision[SAMPLES_AT_ONCE], best_f1[SAMPLES_AT_ONCE];
} bounding;

static fp_status sample_pair(void *context, size_t i, fp_arena *scratch, fp_error *error) {
    const bounding *of = context;
    double similarity = of->similarity[i];
    (void)scratch, (void)error;
    if (of->first == 0 && !isnan(similarity)) of->places[i] = fp_theory_place(of->instance, similarity);
    for (size_t k = 0; k < SAMPLES_AT_ONCE; k++) {
        double level = ((double)(fp_mix((of->first + k) * of->count + i, of->seed) >> 11) + 0.5) * 0x1p-53;
        of->distance[k * of->count + i] = isnan(similarity)
                                              ? of->instance->layout.maximum
                                              : fp_theory_quantile(of->instance, similarity, of->places[i], level);
    }
    return FP_OK;
}

static fp_status rank_sample(void *context, size_t index, fp_arena *scratch, fp_error *error) {
    bounding *of = context;
    fp_histogram histogram = {.like = scratch};
    fp_curve curve = {0};
    fp_status status = FP_OK;
    for (size_t i = 0; i < of->count && status == FP_OK; i++)
        status = fp_histogram_add(&histogram, of->distance[index * of->count + i], of->pairs[i].label, error);
    fp_histogram_finish(&histogram);
    if (status == FP_OK) status = fp_curve_make(&histogram, scratch, &curve, error);
    fp_histogram_free(&histogram);
    of->average_precision[index] = curve.average_precision;
    of->best_f1[index] = curve.best_f1;
    return status;
}

static fp_status sample_until_sure(bounding *of, const fp_progress *progress, fp_arena *scratch, fp_bound *out,
                                   fp_error *error) {
    double sum = 0, squares = 0, f1 = 0;
    while (out->draws < FP_BOUND_FEWEST || (out->error > FP_BOUND_ERROR && out->draws < FP_BOUND_MOST)) {
        FP_TRY(fp_parallel_in(scratch, of->count, sample_pair, of, "bound", progress, error));
        FP_TRY(fp_parallel_in(scratch, SAMPLES_AT_ONCE, rank_sample, of, "bound", progress, error));
        for (size_t k = 0; k < SAMPLES_AT_ONCE; k++) {
            double value = of->average_precision[k];
            sum += value, squares += value * value, f1 += of->best_f1[k];
        }
        double draws = (double)(out->draws = of->first += SAMPLES_AT_ONCE);
        out->average_precision = sum / draws;
        out->best_f1 = f1 / draws;
        out->error = sqrt(fmax(0, squares / draws - sum / draws * (sum / draws)) / (draws - 1));
    }
    return FP_OK;
}

fp_status fp_bound_make(const fp_instance *instance, const fp_measurement *exact, const fp_corpus *corpus,
                        uint64_t seed, const fp_progress *progress, const fp_arena *like, fp_bound *out,
                        fp_error *error) {
    *out = (fp_bound){NAN, NAN, NAN, 0};
    if (!fp_theory_has_law(instance, exact)) return FP_OK;
    FP_SCRATCH(scratch, like, error);
    fp_progress quiet = fp_progress_quiet(progress);
    size_t count = corpus->pair_count;
    double *similarity = FP_NEED(fp_arena_raw(scratch, count, sizeof *similarity), error);
    bounding of = {instance, corpus->pairs, similarity, count, .seed = seed};
    of.places = FP_NEED(fp_arena_alloc(scratch, count, sizeof *of.places), error);
    of.distance = FP_NEED(fp_arena_raw(scratch, count, SAMPLES_AT_ONCE * sizeof *of.distance), error);
    for (size_t i = 0; i < count; i++)
        similarity[i] = fp_measurement_empty(exact, corpus->pairs[i].a, corpus->pairs[i].b)
                            ? NAN
                            : fp_measurement_similarity(exact, exact->distances[i]);
    return sample_until_sure(&of, &quiet, scratch, out, error);
}
