/* SPDX-License-Identifier: GPL-3.0-or-later
 * One over the chance of being in a sample. */
#include "eval/experiment/drawing/drawn_weights.h"

static double weight_of(const fp_drawn_pairs *drawn, double missed) {
    double weight = 1 / (1 - (1 - drawn->chance) * missed);
    return weight < drawn->heavy ? weight : weight * drawn->scale;
}

double fp_drawn_pairs_weight(const fp_drawn_pairs *drawn, size_t a, size_t b) {
    double missed = 1;
    for (size_t i = 0; i < drawn->band_count; i++) {
        missed *= 1 - fp_key_bands_chance(drawn->bands + i, a, b);
    }
    return weight_of(drawn, missed);
}

double fp_drawn_pairs_weight_at(const fp_drawn_pairs *drawn, size_t index, double overlap, double distance) {
    return weight_of(drawn, 1 - fp_key_bands_chance_at(drawn->bands + index, overlap, distance));
}

enum { BATCH = 1024 };

typedef struct weighing {
    const fp_drawn_pairs *drawn;
    const bool *certain;
    double *weights;
} weighing;

static fp_status weigh_batch(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const weighing *job = context;
    const fp_drawn_pairs *drawn = job->drawn;
    size_t end = drawn->count - index * BATCH < BATCH ? drawn->count : (index + 1) * BATCH;
    (void)arena;
    (void)error;
    for (size_t i = index * BATCH; i < end; i++)
        job->weights[i] = job->certain[i] ? 1 : fp_drawn_pairs_weight(drawn, drawn->pairs[i].a, drawn->pairs[i].b);
    return FP_OK;
}

/* Heavy weights, or, where there are none, all, so that they add up to what is not certain. */
static void scale_weights(fp_drawn_pairs *drawn, const bool *certain, double *weights) {
    double light = 0, heavy = 0, all = (double)drawn->negatives;
    for (size_t i = 0; i < drawn->count; i++) {
        if (certain[i]) all--;
        else *(weights[i] < drawn->heavy ? &light : &heavy) += weights[i];
    }
    if (!(heavy > 0) || !(all > light)) {
        heavy += light;
        light = drawn->heavy = 0;
    }
    drawn->scale = heavy > 0 ? (all - light) / heavy : 1;
    for (size_t i = 0; i < drawn->count; i++)
        if (!certain[i] && !(weights[i] < drawn->heavy)) weights[i] *= drawn->scale;
    drawn->weight = weight_of(drawn, 1);
}

fp_status fp_drawn_weigh(fp_drawn_pairs *drawn, const bool *certain, const fp_progress *progress, fp_arena *arena,
                         fp_error *error) {
    fp_arenas arenas = {0};
    weighing job = {drawn, certain, fp_arena_raw(arena, drawn->count, sizeof(double))};
    if (!job.weights) return fp_no_memory(error);
    drawn->weights = job.weights;
    drawn->scale = 1;
    drawn->heavy = 0.5 / drawn->chance;
    FP_TRY(fp_arenas_open(&arenas, progress, arena, error));
    fp_status status =
        fp_parallel((drawn->count + BATCH - 1) / BATCH, &arenas, true, weigh_batch, &job, "weights", progress, error);
    fp_arenas_free(&arenas);
    FP_TRY(status);
    scale_weights(drawn, certain, job.weights);
    return FP_OK;
}
