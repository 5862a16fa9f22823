/* SPDX-License-Identifier: GPL-3.0-or-later
 * The distances of algorithms from outside. */
#include "eval/experiment/distance_check.h"

#include <math.h>

#include "base/map.h"

enum { BATCH = 256, SOME = 1024 };

typedef struct checking {
    const fp_corpus *corpus;
    const fp_measurement *measurement;
    const fp_pair *pairs; /* NULL: all */
    size_t count;         /* pairs, or documents */
    size_t step;          /* each step-th pair, or row, is of the sample */
} checking;

static fp_string id_of(const checking *job, size_t document) { return job->corpus->documents[document].id; }

/* All that the algorithm promises of two documents. */
static fp_status check_pair(const checking *job, size_t a, size_t b, fp_error *error) {
    const fp_sketches *sketches = &job->measurement->sketches;
    double distance;
    if (fp_measurement_silent(job->measurement, a, b)) return FP_OK;
    return fp_arm_distance_checked(job->measurement->arm, id_of(job, a), fp_sketches_at(sketches, a), id_of(job, b),
                                   fp_sketches_at(sketches, b), &distance, error);
}

static fp_status check_value(const checking *job, size_t a, size_t b, double distance, fp_error *error) {
    const fp_arm *arm = job->measurement->arm;
    if (fp_arm_distance_good(arm, distance) || fp_measurement_silent(job->measurement, a, b)) return FP_OK;
    return fp_arm_distance_refuse(arm, distance, id_of(job, a), id_of(job, b), error);
}

/* ---- A list ---- */

static fp_status check_batch(void *context, size_t index, fp_arena *arena, fp_error *error) {
    (void)arena;
    const checking *job = context;
    size_t end = (index + 1) * BATCH < job->count ? (index + 1) * BATCH : job->count;
    for (size_t i = index * BATCH; i < end; i++) {
        fp_pair pair = job->pairs[i];
        FP_TRY(check_value(job, pair.a, pair.b, fp_measurement_distance(job->measurement, pair.a, pair.b), error));
        if (i % job->step == 0) FP_TRY(check_pair(job, pair.a, pair.b, error));
    }
    return FP_OK;
}

/* ---- All pairs: the distances of one document to all later ones, as the algorithm gives many ---- */

static fp_status check_row(void *context, size_t row, fp_arena *arena, fp_error *error) {
    (void)arena;
    const checking *job = context;
    const fp_sketches *sketches = &job->measurement->sketches;
    double distance[SOME];
    for (size_t first = row + 1; first < job->count; first += SOME) {
        size_t some = job->count - first < SOME ? job->count - first : SOME;
        fp_arm_distances(job->measurement->arm, fp_sketches_at(sketches, row), sketches, first, some, distance);
        for (size_t i = 0; i < some; i++) FP_TRY(check_value(job, row, first + i, distance[i], error));
    }
    size_t later = job->count - row - 1;
    if (row % job->step != 0 || later == 0) return FP_OK;
    return check_pair(job, row, row + 1 + fp_mix(row, 0) % later, error);
}

/* ---- Distances that are known of some pairs alone ---- */

typedef struct known_pairs {
    size_t lacking, asked; /* of distinct pairs */
    fp_pair first;         /* that lacks a distance */
} known_pairs;

static void count_pair(const checking *job, size_t a, size_t b, known_pairs *known) {
    known->asked++;
    if (!isnan(fp_measurement_distance(job->measurement, a, b))) return;
    if (known->lacking++ == 0) known->first = (fp_pair){(uint32_t)a, (uint32_t)b, 0};
}

/* Pairs of a list may stand there twice. */
static fp_status count_list(const checking *job, fp_arena *arena, known_pairs *known, fp_error *error) {
    fp_map seen;
    FP_TRY(fp_map_open(&seen, job->count, arena, error));
    for (size_t i = 0; i < job->count; i++) {
        uint32_t a = job->pairs[i].a, b = job->pairs[i].b;
        uint64_t key = fp_mix((uint64_t)(a < b ? a : b) << 32 | (a < b ? b : a), 0);
        if (fp_map_get(&seen, key) != FP_MAP_NONE) continue;
        fp_map_put(&seen, key, (uint32_t)i);
        count_pair(job, a, b, known);
    }
    return FP_OK;
}

static fp_status count_known(const checking *job, fp_arena *arena, known_pairs *known, fp_error *error) {
    if (job->pairs) return count_list(job, arena, known, error);
    for (size_t a = 0; a < job->count; a++)
        for (size_t b = a + 1; b < job->count; b++) count_pair(job, a, b, known);
    return FP_OK;
}

static fp_status check_known(const checking *job, fp_arena *arena, fp_error *error) {
    fp_arm *arm = job->measurement->arm;
    known_pairs known = {0};
    FP_TRY(count_known(job, arena, &known, error));
    if (known.lacking) {
        fp_string a = id_of(job, known.first.a), b = id_of(job, known.first.b);
        return fp_fail(error, FP_ERROR_EMPTY, "%s: %zu of %zu pairs have no distance; the first is %.*s %.*s",
                       fp_arm_name(arm), known.lacking, known.asked, (int)a.length, a.data, (int)b.length, b.data);
    }
    bool truth = !job->pairs || job->pairs == job->corpus->pairs;
    return truth ? fp_arm_note_unasked(arm, arm->instance.algorithm->pairs_known(&arm->instance) - known.asked, error)
                 : FP_OK;
}

/* ---- All ---- */

static bool is_registered(const fp_algorithm *algorithm) {
    return fp_algorithm_find(algorithm->name, NULL) == algorithm;
}

static fp_status run(checking *job, const fp_progress *progress, fp_arena *arena, fp_error *error) {
    fp_arenas arenas = {0};
    FP_TRY(fp_arenas_open(&arenas, progress, arena, error));
    fp_status status = job->pairs
                           ? fp_parallel((job->count + BATCH - 1) / BATCH, &arenas, true, check_batch, job, "distances",
                                         progress, error)
                           : fp_parallel(job->count, &arenas, true, check_row, job, "distances", progress, error);
    fp_arenas_free(&arenas);
    return status;
}

fp_status fp_distances_check(const fp_corpus *corpus, const fp_measurement *measurement, const fp_pair *pairs,
                             size_t pair_count, const fp_progress *progress, fp_error *error) {
    const fp_algorithm *algorithm = measurement->arm->instance.algorithm;
    if (is_registered(algorithm) && !algorithm->pairs_known) return FP_OK;
    checking job = {corpus, measurement, pairs, pairs ? pair_count : corpus->document_count, 1};
    job.step = (job.count + FP_DISTANCES_SAMPLED - 1) / FP_DISTANCES_SAMPLED;
    if (job.count == 0) return FP_OK;
    fp_arena *arena = fp_arena_new_like(corpus->memory);
    fp_status status = arena ? FP_OK : fp_no_memory(error);
    if (status == FP_OK && algorithm->pairs_known) status = check_known(&job, arena, error);
    if (status == FP_OK && !is_registered(algorithm)) status = run(&job, progress, arena, error);
    fp_arena_free(arena);
    return status;
}
