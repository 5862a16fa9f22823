/* SPDX-License-Identifier: GPL-3.0-or-later
 * Loops over threads, on OpenMP. */
#include "base/parallel.h"

#include <omp.h>
#include <time.h>

fp_status fp_arenas_open(fp_arenas *arenas, fp_arena *owner, fp_error *error) {
    size_t count = (size_t)omp_get_max_threads();
    *arenas = (fp_arenas){.each = fp_arena_alloc(owner, count, sizeof(fp_arena *))};
    if (!arenas->each) return fp_no_memory(error);
    for (; arenas->count < count; arenas->count++) {
        arenas->each[arenas->count] = fp_arena_new();
        if (arenas->each[arenas->count]) continue;
        fp_arenas_free(arenas);
        return fp_no_memory(error);
    }
    return FP_OK;
}

void fp_arenas_free(fp_arenas *arenas) {
    for (size_t i = 0; i < arenas->count; i++) fp_arena_free(arenas->each[i]);
    arenas->count = 0;
}

double fp_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

typedef struct failure {
    size_t index;
    fp_status status;
    fp_error error;
} failure;

static void keep_first(failure *kept, size_t index, fp_status status, const fp_error *error) {
#pragma omp critical(fp_parallel_failure)
    if (kept->status == FP_OK || index < kept->index) *kept = (failure){index, status, *error};
}

fp_status fp_parallel(size_t count, const fp_arenas *arenas, bool reset, fp_work work, void *context, const char *stage,
                      const fp_progress *progress, fp_error *error) {
    failure first = {0};
    _Atomic size_t done = 0;
    _Atomic bool failed = false;
    bool tell = progress && progress->report;
#pragma omp parallel for schedule(dynamic, 1) num_threads((int)arenas->count)
    for (size_t i = 0; i < count; i++) {
        if (failed) continue;
        fp_arena *arena = arenas->each[omp_get_thread_num()];
        if (reset) fp_arena_reset(arena);
        fp_error own = {0};
        fp_status status = work(context, i, arena, &own);
        if (status != FP_OK) {
            keep_first(&first, i, status, &own);
            failed = true;
        }
        size_t now = ++done;
        if (tell && omp_get_thread_num() == 0) progress->report(progress->context, stage, now, count);
    }
    if (first.status == FP_OK) return FP_OK;
    if (error) *error = first.error;
    return first.status;
}
