/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * parallel.h - parallel loops, with the same result for any number of threads.
 */
#ifndef FP_PARALLEL_H
#define FP_PARALLEL_H

#include "base/base.h" /* fp_progress: fplab/progress.h */

/* The number of threads of a loop, from 1 to FP_MOST_THREADS: progress->threads, else OMP_NUM_THREADS (an integer, or
 * OpenMP's list, of which the first counts; other values are ignored), else one for each processor that the calling
 * thread may run on. Results do not depend on it. */
int fp_threads(const fp_progress *progress);
enum { FP_MOST_THREADS = 1024 };
/* The same threads and cancellation, without reports. */
fp_progress fp_progress_quiet(const fp_progress *progress);
/* FP_ERROR_CANCELLED if fp_progress.cancel is set; `progress` may be NULL. For use between pieces of other work. */
fp_status fp_progress_check(const fp_progress *progress, fp_error *error);

/* Threads with one arena each, for one loop at a time. They start when a loop has work for them, and sleep between two
 * loops, without spinning. */
typedef struct fp_arenas {
    size_t count;
    fp_arena **each;
    struct fp_team *team; /* the threads besides the calling one */
} fp_arenas;
/* Makes fp_threads(progress) arenas in `owner`; fp_arenas_free releases them, and ends their threads. */
fp_status fp_arenas_open(fp_arenas *arenas, const fp_progress *progress, fp_arena *owner, fp_error *error);
void fp_arenas_free(fp_arenas *arenas);
/* The number of the thread that works with this arena, which must be in `arenas`. */
static inline size_t fp_thread_of(const fp_arenas *arenas, const fp_arena *arena) {
    size_t thread = 0;
    while (arenas->each[thread] != arena) thread++;
    return thread;
}

/* The work for item `index`, with the arena of the thread that runs it. */
typedef fp_status (*fp_work)(void *context, size_t index, fp_arena *arena, fp_error *error);

/* Runs `work` for 0 … count − 1, with fewer threads if the system provides no more. After a failure the rest is
 * skipped, and the error of the smallest failing index that was reached is returned. `reset`: every arena is reset
 * before each item. The calling thread reports progress. */
fp_status fp_parallel(size_t count, const fp_arenas *arenas, bool reset, fp_work work, void *context, const char *stage,
                      const fp_progress *progress, fp_error *error);

/* Seconds of a monotonic clock. */
double fp_seconds(void);

/* ---- Endless batches of small items, over threads: results are ordered, and memory does not grow with the number of
 * batches. ---- */

typedef struct fp_batch fp_batch;

/* Made in `owner`, with fp_threads(progress) threads; the caller closes it with fp_batch_close, which accepts NULL.
 * FP_ERROR_MEMORY. */
fp_status fp_batch_open(const fp_progress *progress, fp_arena *owner, fp_batch **batch, fp_error *error);
void fp_batch_close(fp_batch *batch);

/* The work for item `index` of a batch. `scratch` is empty; `kept` lives until the next batch. */
typedef fp_status (*fp_batch_work)(void *context, size_t index, fp_arena *scratch, fp_arena *kept, fp_error *error);

/* Work beside a batch, done once and by one thread, even if items fail. */
typedef struct fp_beside {
    void (*run)(void *context);
    void *context;
} fp_beside;

/* Runs `work` for 0 … count − 1, and `beside` unless NULL; frees the kept memory of the previous batch. Items before
 * *done are done, for any number of threads; if *done < count, the error is that of item *done. */
fp_status fp_batch_run(fp_batch *batch, size_t count, fp_batch_work work, void *context, const fp_beside *beside,
                       size_t *done, fp_error *error);

/* A loop (fp_parallel) between batches, over the same threads and arenas. */
fp_status fp_batch_each(fp_batch *batch, size_t count, fp_work work, void *context, fp_error *error);

/* Declares arenas for the loops of a block, made in `owner`; they are freed at the end of the block. */
#define FP_ARENAS(name, progress, owner, error)        \
    fp_arenas name FP_CLOSED_BY(fp_arenas_free) = {0}; \
    FP_TRY(fp_arenas_open(&name, progress, owner, error))

/* One loop (fp_parallel) over its own arenas, which are reset before each item. */
static inline fp_status fp_parallel_in(fp_arena *owner, size_t count, fp_work work, void *context, const char *stage,
                                       const fp_progress *progress, fp_error *error) {
    FP_ARENAS(arenas, progress, owner, error);
    return fp_parallel(count, &arenas, true, work, context, stage, progress, error);
}

#endif
