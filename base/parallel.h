/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * parallel.h - the same work for many items, over threads, with the same result for any number of them.
 */
#ifndef FP_PARALLEL_H
#define FP_PARALLEL_H

#include "base/base.h" /* fp_progress: fplab/progress.h */
#include "base/team.h"

/* How many threads a loop takes, from 1 to FP_MOST_THREADS: what the progress says, else OMP_NUM_THREADS (a whole
 * number, or OpenMP's list of them, of which the first counts; anything else is passed over), else one for each
 * processor that the calling thread may run on. Results do not depend on it. */
int fp_threads(const fp_progress *progress);
enum { FP_MOST_THREADS = 1024 };
/* The same threads, and nobody is told. */
fp_progress fp_progress_silent(const fp_progress *progress);

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

#endif
