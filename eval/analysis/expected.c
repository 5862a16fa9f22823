/* SPDX-License-Identifier: GPL-3.0-or-later
 * Means of laws, pair by pair. */
#include "eval/analysis/expected.h"

#include <math.h>

#include "eval/analysis/theory.h"

typedef struct work {
    const fp_arm *arm;
    const fp_measurement *counterpart;
    const fp_pair *pairs;
    double *expected;
} work;

static fp_status expect_pair(void *context, size_t index, fp_arena *scratch, fp_error *error) {
    (void)scratch, (void)error;
    const work *job = context;
    job->expected[index] = NAN;
    if (!job->pairs[index].label) return FP_OK;
    const fp_instance *exact = &job->counterpart->arm->instance;
    double similarity = exact->algorithm->similarity(exact, job->counterpart->distances[index]);
    if (!isnan(similarity)) job->expected[index] = fp_theory_moments(&job->arm->instance, similarity).mean;
    return FP_OK;
}

fp_status fp_expected_distances(const fp_arm *arm, const fp_measurement *counterpart, const fp_pair *pairs,
                                size_t pair_count, const fp_progress *progress, fp_arena *arena, double **expected,
                                fp_error *error) {
    work job = {arm, counterpart, pairs, fp_arena_raw(arena, pair_count, sizeof *job.expected)};
    if (!job.expected) return fp_no_memory(error);
    *expected = job.expected;
    bool any = arm->instance.algorithm->law && counterpart && counterpart->distances &&
               counterpart->arm->instance.algorithm->similarity;
    if (!any) {
        for (size_t i = 0; i < pair_count; i++) job.expected[i] = NAN;
        return FP_OK;
    }
    fp_arenas arenas = {0};
    FP_TRY(fp_arenas_open(&arenas, progress, arena, error));
    fp_status status = fp_parallel(pair_count, &arenas, true, expect_pair, &job, "laws", progress, error);
    fp_arenas_free(&arenas);
    return status;
}
