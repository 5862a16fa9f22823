/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * parallel.h - threads that stay from loop to loop, for whoever has many short ones. Between loops they sleep: none of
 * them spins.
 */
#ifndef FP_PARALLEL_H
#define FP_PARALLEL_H

#include "base/base.h" /* fp_progress: fplab/progress.h */

typedef struct fp_team fp_team;

/* At most `most` threads beside the one that calls; none is started yet. Made in `owner`, ended by fp_team_close, which
 * takes NULL too. FP_ERROR_MEMORY. */
fp_status fp_team_open(size_t most, fp_arena *owner, fp_team **team, fp_error *error);
void fp_team_close(fp_team *team);

/* What thread `member` < most does of a loop, until nothing is left of it; perhaps twice, perhaps never. */
typedef void (*fp_team_work)(void *context, size_t member);

/* Calls as many threads as are wanted, or as the system gives, and does not wait for them. */
void fp_team_call(fp_team *team, size_t wanted, fp_team_work work, void *context);
/* Nobody begins any more, and who began has come back. */
void fp_team_return(fp_team *team);

/* ---- the same work for many items, over threads, with the same result for any number of them. ---- */

/* How many threads a loop takes, from 1 to FP_MOST_THREADS: what the progress says, else OMP_NUM_THREADS (a whole
 * number, or OpenMP's list of them, of which the first counts; anything else is passed over), else one for each
 * processor that the calling thread may run on. Results do not depend on it. */
int fp_threads(const fp_progress *progress);
enum { FP_MOST_THREADS = 1024 };
/* The same threads, which can be cancelled, and nobody is told. */
fp_progress fp_progress_silent(const fp_progress *progress);
/* FP_ERROR_CANCELLED where fp_progress.cancel says so; `progress` may be NULL. Between pieces of work of its own. */
fp_status fp_progress_check(const fp_progress *progress, fp_error *error);

/* One arena a thread. A loop at a time. */
typedef struct fp_arenas {
    size_t count;
    fp_arena **each;
    struct fp_helper *helpers; /* [count], the loop's own */
    fp_team *team;             /* NULL: threads end with their loop */
} fp_arenas;
/* As many as fp_threads(progress) says; made in `owner`, released by fp_arenas_free. */
fp_status fp_arenas_open(fp_arenas *arenas, const fp_progress *progress, fp_arena *owner, fp_error *error);
void fp_arenas_free(fp_arenas *arenas);
/* Threads of the loops over these arenas stay, asleep, until fp_arenas_free: for loops that come in a stream. Lives in
 * `owner`. */
fp_status fp_arenas_keep_threads(fp_arenas *arenas, fp_arena *owner, fp_error *error);
/* The number of the thread that works with this arena, one of them. */
static inline size_t fp_thread_of(const fp_arenas *arenas, const fp_arena *arena) {
    size_t thread = 0;
    while (arenas->each[thread] != arena) thread++;
    return thread;
}

/* The work for item `index`, with the arena of the thread that runs it. */
typedef fp_status (*fp_work)(void *context, size_t index, fp_arena *arena, fp_error *error);

/* Runs `work` for 0 … count − 1, with fewer threads where the system gives no more. After a failure the rest is
 * skipped; the error of the smallest failing index that was reached is reported. `reset`: every arena is reset before
 * each item. Progress is told by the calling thread. */
fp_status fp_parallel(size_t count, const fp_arenas *arenas, bool reset, fp_work work, void *context, const char *stage,
                      const fp_progress *progress, fp_error *error);

/* Seconds on a clock that only moves forward. */
double fp_seconds(void);

/* ----
 * small pieces of work that come in batches without end: over threads, with results that stay in order and
 * memory that does not grow with the number of batches.
 */

typedef struct fp_batch fp_batch;

/* Made in `owner`, over as many threads as fp_threads(progress) says; the caller ends it with fp_batch_close, which
 * takes NULL too. FP_ERROR_MEMORY. */
fp_status fp_batch_open(const fp_progress *progress, fp_arena *owner, fp_batch **batch, fp_error *error);
void fp_batch_close(fp_batch *batch);

/* The work for item `index` of a batch: `scratch` is empty; what lives in `kept` stays until the next batch. */
typedef fp_status (*fp_batch_work)(void *context, size_t index, fp_arena *scratch, fp_arena *kept, fp_error *error);

/* Runs `work` for 0 … count − 1 and forgets what the batch before has kept. Items before *done are done, whatever the
 * number of threads; where that is not all, the error is that of item *done. */
fp_status fp_batch_run(fp_batch *batch, size_t count, fp_batch_work work, void *context, size_t *done, fp_error *error);

/* What is done side by side with a batch, once and by one thread, whatever becomes of the items. */
typedef struct fp_beside {
    void (*run)(void *context); /* NULL: nothing */
    void *context;
} fp_beside;
fp_status fp_batch_run_beside(fp_batch *batch, size_t count, fp_batch_work work, void *context, const fp_beside *beside,
                              size_t *done, fp_error *error);

/* A loop of another kind, between batches, over the same threads and their memory (fp_parallel). */
fp_status fp_batch_each(fp_batch *batch, size_t count, fp_work work, void *context, fp_error *error);

/* An arena a thread of loops in the block, made in `owner`; they end with the block. */
#define FP_ARENAS(name, progress, owner, error)                    \
    fp_arenas name __attribute__((cleanup(fp_arenas_free))) = {0}; \
    FP_TRY(fp_arenas_open(&name, progress, owner, error))

/* One loop (fp_parallel) over arenas of its own, which are reset before each item. */
static inline fp_status fp_parallel_in(fp_arena *owner, size_t count, fp_work work, void *context, const char *stage,
                                       const fp_progress *progress, fp_error *error) {
    FP_ARENAS(arenas, progress, owner, error);
    return fp_parallel(count, &arenas, true, work, context, stage, progress, error);
}

#endif
