/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * parallel.h - the same work for many items, over threads, with the same result for any number of them.
 */
#ifndef FP_PARALLEL_H
#define FP_PARALLEL_H

#include "base/base.h"

/* Told how far a long piece of work is; called by one thread at a time. `report` may be NULL. */
typedef struct fp_progress {
    void (*report)(void *context, const char *stage, size_t done, size_t total);
    void *context;
} fp_progress;

/* How many threads a loop takes: what OMP_NUM_THREADS or omp_set_num_threads says, else one a processor; at most
 * OMP_THREAD_LIMIT, and FP_MOST_THREADS. Results do not depend on it. */
int fp_threads(void);
enum { FP_MOST_THREADS = 1024 };

/* One arena a thread. A loop at a time. */
typedef struct fp_arenas {
    size_t count;
    fp_arena **each;
    struct fp_helper *helpers; /* [count], the loop's own */
} fp_arenas;
/* As many as fp_threads says; made in `owner`, released by fp_arenas_free. */
fp_status fp_arenas_open(fp_arenas *arenas, fp_arena *owner, fp_error *error);
void fp_arenas_free(fp_arenas *arenas);

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
