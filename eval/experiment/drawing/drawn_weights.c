/* SPDX-License-Identifier: GPL-3.0-or-later
 * One over the chance of being in a sample. */
#include "eval/experiment/drawing/drawn_weights.h"

static double weight_of(const fp_drawn_pairs *drawn, double missed) {
    double weight = 1 / (1 - (1 - drawn->chance) * missed);
    return weight < drawn->heavy ? weight : weight * drawn->scale;
}

enum { REPLICATES = FP_COUNTED_REPLICATES, PART = FP_KEY_BANDS / REPLICATES };

/* The bands of a part. */
static uint32_t part_of(size_t replicate) { return ((UINT32_C(1) << PART) - 1) << replicate * PART; }

/* Of a pair its weight, and without[REPLICATES]; only the first where `without` is NULL. */
static double weigh(const fp_drawn_pairs *drawn, size_t a, size_t b, bool is_drawn, float *without) {
    double missed = 1, missed_without[REPLICATES];
    bool found[REPLICATES];
    for (size_t r = 0; r < REPLICATES; r++) found[r] = is_drawn, missed_without[r] = 1;
    for (size_t i = 0; i < drawn->band_count; i++) {
        const fp_key_bands *bands = drawn->bands + i;
        double distance = fp_measurement_distance(bands->measurement, a, b);
        if (!(distance <= bands->limit)) continue;
        double overlap = fp_key_overlap(bands->measurement, a, b);
        missed *= 1 - fp_key_bands_chance(bands, overlap, distance, FP_KEY_BANDS);
        if (!without) continue;
        double chance = fp_key_bands_chance(bands, overlap, distance, FP_KEY_BANDS - PART);
        uint32_t in = fp_key_bands_found(bands, a, b);
        for (size_t r = 0; r < REPLICATES; r++) {
            found[r] |= (in & ~part_of(r)) != 0;
            missed_without[r] *= 1 - chance;
        }
    }
    for (size_t r = 0; without && r < REPLICATES; r++)
        without[r] = found[r] ? (float)weight_of(drawn, missed_without[r]) : 0;
    return weight_of(drawn, missed);
}

double fp_drawn_pairs_weight(const fp_drawn_pairs *drawn, size_t a, size_t b) { return weigh(drawn, a, b, true, NULL); }

double fp_drawn_pairs_weight_at(const fp_drawn_pairs *drawn, size_t index, double overlap, double distance) {
    return weight_of(drawn, 1 - fp_key_bands_chance(drawn->bands + index, overlap, distance, FP_KEY_BANDS));
}

enum { BATCH = 1024 };

typedef struct weighing {
    const fp_drawn_pairs *drawn;
    const fp_pair_origin *origin;
    double *weights;
    float *without;
} weighing;

static fp_status weigh_batch(void *context, size_t index, fp_arena *arena, fp_error *error) {
    const weighing *job = context;
    const fp_drawn_pairs *drawn = job->drawn;
    size_t end = drawn->count - index * BATCH < BATCH ? drawn->count : (index + 1) * BATCH;
    (void)arena;
    (void)error;
    for (size_t i = index * BATCH; i < end; i++) {
        float *without = job->without + i * REPLICATES;
        for (size_t r = 0; r < REPLICATES; r++) without[r] = 1;
        job->weights[i] = job->origin[i] == FP_PAIR_CERTAIN ? 1
                                                            : weigh(drawn, drawn->pairs[i].a, drawn->pairs[i].b,
                                                                    job->origin[i] == FP_PAIR_DRAWN, without);
    }
    return FP_OK;
}

/* Heavy weights, or, where there are none, all, so that they add up to what is not certain. */
static void scale_weights(fp_drawn_pairs *drawn, const weighing *of) {
    double *weights = of->weights;
    double light = 0, heavy = 0, all = (double)drawn->negatives;
    for (size_t i = 0; i < drawn->count; i++) {
        if (of->origin[i] == FP_PAIR_CERTAIN) all--;
        else *(weights[i] < drawn->heavy ? &light : &heavy) += weights[i];
    }
    if (!(heavy > 0) || !(all > light)) {
        heavy += light;
        light = drawn->heavy = 0;
    }
    drawn->scale = heavy > 0 ? (all - light) / heavy : 1;
    for (size_t i = 0; i < drawn->count; i++) {
        if (of->origin[i] == FP_PAIR_CERTAIN) continue;
        if (!(weights[i] < drawn->heavy)) weights[i] *= drawn->scale;
        for (size_t r = i * REPLICATES; r < (i + 1) * REPLICATES; r++)
            if (of->without[r] > 0 && !((double)of->without[r] < drawn->heavy)) of->without[r] *= (float)drawn->scale;
    }
    drawn->weight = weight_of(drawn, 1);
}

fp_status fp_drawn_weigh(fp_drawn_pairs *drawn, const fp_pair_origin *origin, const fp_progress *progress,
                         fp_arena *arena, fp_error *error) {
    fp_arenas arenas = {0};
    weighing job = {drawn, origin, fp_arena_raw(arena, drawn->count, sizeof(double)),
                    fp_arena_raw(arena, drawn->count, REPLICATES * sizeof(float))};
    if (!job.weights || !job.without) return fp_no_memory(error);
    drawn->weights = job.weights;
    drawn->without = job.without;
    drawn->scale = 1;
    drawn->heavy = 0.5 / drawn->chance;
    FP_TRY(fp_arenas_open(&arenas, progress, arena, error));
    fp_status status =
        fp_parallel((drawn->count + BATCH - 1) / BATCH, &arenas, true, weigh_batch, &job, "weights", progress, error);
    fp_arenas_free(&arenas);
    FP_TRY(status);
    scale_weights(drawn, &job);
    return FP_OK;
}
