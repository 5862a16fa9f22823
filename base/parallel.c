/* SPDX-License-Identifier: GPL-3.0-or-later
 * Parallel loops. Threads sleep between two loops; an OpenMP team would wait by spinning: with a command's many short
 * loops that made `tune` two to five times slower on a busy machine, or under a container's quota. It would also end
 * the process if a thread cannot be created. */
#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SPACES " \t\r\n\v\f"

static int within_bounds(long threads) {
    return threads < 1 ? 1 : threads > FP_MOST_THREADS ? FP_MOST_THREADS : (int)threads;
}

/* The first number of OpenMP's list; the others are for nested loops. 0 if it is invalid. */
static long first_of_list(const char *text) {
    long value = 0;
    text += strspn(text, SPACES);
    for (; *text >= '0' && *text <= '9'; text++) value = value < FP_MOST_THREADS ? value * 10 + (*text - '0') : value;
    text += strspn(text, SPACES);
    return *text == '\0' || *text == ',' ? value : 0;
}

/* sched_getaffinity fails if the machine has more processors than cpu_set_t holds, which is at least
 * FP_MOST_THREADS. */
static long processors(void) {
    cpu_set_t mine;
    return sched_getaffinity(0, sizeof mine, &mine) == 0 ? CPU_COUNT(&mine) : sysconf(_SC_NPROCESSORS_ONLN);
}

int fp_threads(const fp_progress *progress) {
    if (progress && progress->threads > 0) return within_bounds(progress->threads);
    const char *asked = getenv("OMP_NUM_THREADS");
    long threads = asked ? first_of_list(asked) : 0;
    return within_bounds(threads ? threads : processors());
}

fp_progress fp_progress_quiet(const fp_progress *progress) {
    return (fp_progress){.threads = progress ? progress->threads : 0, .cancel = progress ? progress->cancel : NULL};
}

static bool is_set(const int *cancel) { return cancel && __atomic_load_n(cancel, __ATOMIC_RELAXED); }

fp_status fp_progress_check(const fp_progress *progress, fp_error *error) {
    if (!progress || !is_set(progress->cancel)) return FP_OK;
    return fp_fail(error, FP_ERROR_CANCELLED, "cancelled");
}

double fp_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

typedef struct loop {
    size_t count;
    bool reset;
    fp_work work;
    void *context;
    const int *cancel;
    _Atomic size_t next, done;
    _Atomic bool failed;
    /* Failure with the smallest index. */
    pthread_mutex_t lock;
    size_t index;
    fp_status status;
    fp_error error;
} loop;

static void keep_first(loop *of, size_t index, fp_status status, const fp_error *error) {
    pthread_mutex_lock(&of->lock);
    if (of->status == FP_OK || index < of->index) {
        of->index = index;
        of->status = status;
        of->error = *error;
    }
    pthread_mutex_unlock(&of->lock);
    of->failed = true;
}

/* Takes items until none is left. Returns the count of the last progress report. */
static size_t take_items(loop *of, fp_arena *arena, const char *stage, const fp_progress *progress) {
    size_t reported = 0;
    for (size_t i; !of->failed && (i = of->next++) < of->count;) {
        fp_error own; /* a kilobyte, not cleared for each item */
        if (is_set(of->cancel)) {
            keep_first(of, i, fp_fail(&own, FP_ERROR_CANCELLED, "cancelled"), &own);
            break;
        }
        if (of->reset) fp_arena_reset(arena);
        own.code = FP_OK;
        own.line = own.byte = 0;
        own.message[0] = own.file[0] = '\0';
        fp_status status = of->work(of->context, i, arena, &own);
        if (status != FP_OK) keep_first(of, i, status, &own);
        size_t now = ++of->done;
        if (!progress || !progress->report) continue;
        progress->report(progress->context, stage, now, of->count);
        reported = now;
    }
    return reported;
}

/* ---- Threads: a loop sets a counter; each thread that wakes decrements it ---- */

typedef struct member {
    pthread_t thread;
    struct fp_team *team;
    fp_arena *arena;
} member;

struct fp_team {
    size_t count; /* threads started */
    member *members;
    pthread_mutex_t lock;
    pthread_cond_t called, returned;
    /* Protected by the lock: */
    size_t wanted, working; /* threads that may still begin, and that have not finished */
    bool over;
    loop *loop;
};

static void *serve(void *argument) {
    member *self = argument;
    struct fp_team *team = self->team;
    pthread_mutex_lock(&team->lock);
    for (;;) {
        while (!team->over && team->wanted == 0) pthread_cond_wait(&team->called, &team->lock);
        if (team->over) break;
        loop *of = team->loop;
        team->wanted--;
        team->working++;
        pthread_mutex_unlock(&team->lock);
        take_items(of, self->arena, NULL, NULL);
        pthread_mutex_lock(&team->lock);
        if (--team->working == 0) pthread_cond_signal(&team->returned);
    }
    pthread_mutex_unlock(&team->lock);
    return NULL;
}

/* Wakes or starts threads for a loop, and does not wait for them. Starts them while items are left, so a short loop
 * starts few; continues without those that the system does not provide. */
static void call_team(const fp_arenas *arenas, loop *of) {
    struct fp_team *team = arenas->team;
    size_t most = arenas->count < of->count ? arenas->count : of->count, wanted = most ? most - 1 : 0;
    pthread_mutex_lock(&team->lock);
    team->loop = of;
    team->wanted = wanted;
    for (size_t i = 0; i < team->count && i < wanted; i++) pthread_cond_signal(&team->called);
    pthread_mutex_unlock(&team->lock);
    for (; team->count < wanted && of->next < of->count; team->count++) {
        member *next = team->members + team->count;
        *next = (member){.team = team, .arena = arenas->each[team->count + 1]};
        if (pthread_create(&next->thread, NULL, serve, next) != 0) break;
    }
}

/* Waits until all threads have finished; no further thread begins. */
static void await_team(struct fp_team *team) {
    pthread_mutex_lock(&team->lock);
    team->wanted = 0;
    while (team->working > 0) pthread_cond_wait(&team->returned, &team->lock);
    pthread_mutex_unlock(&team->lock);
}

fp_status fp_arenas_open(fp_arenas *arenas, const fp_progress *progress, fp_arena *owner, fp_error *error) {
    size_t count = (size_t)fp_threads(progress);
    *arenas = (fp_arenas){.each = FP_NEED(fp_arena_alloc(owner, count, sizeof(fp_arena *)), error)};
    struct fp_team *team = FP_NEED(fp_arena_alloc(owner, 1, sizeof *team), error);
    team->members = FP_NEED(fp_arena_alloc(owner, count, sizeof *team->members), error);
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->called, NULL);
    pthread_cond_init(&team->returned, NULL);
    arenas->team = team;
    for (; arenas->count < count; arenas->count++) {
        arenas->each[arenas->count] = fp_arena_new_like(owner);
        if (arenas->each[arenas->count]) continue;
        fp_arenas_free(arenas);
        return fp_no_memory(error);
    }
    return FP_OK;
}

void fp_arenas_free(fp_arenas *arenas) {
    struct fp_team *team = arenas->team;
    if (!team) return;
    pthread_mutex_lock(&team->lock);
    team->over = true;
    pthread_cond_broadcast(&team->called);
    pthread_mutex_unlock(&team->lock);
    while (team->count > 0) pthread_join(team->members[--team->count].thread, NULL);
    pthread_cond_destroy(&team->returned);
    pthread_cond_destroy(&team->called);
    pthread_mutex_destroy(&team->lock);
    while (arenas->count > 0) fp_arena_free(arenas->each[--arenas->count]);
    arenas->team = NULL;
}

/* ---- Loops ---- */

fp_status fp_parallel(size_t count, const fp_arenas *arenas, bool reset, fp_work work, void *context, const char *stage,
                      const fp_progress *progress, fp_error *error) {
    loop of = {count, reset, work, context, progress ? progress->cancel : NULL, .lock = PTHREAD_MUTEX_INITIALIZER};
    call_team(arenas, &of);
    size_t reported = take_items(&of, arenas->each[0], stage, progress);
    await_team(arenas->team);
    pthread_mutex_destroy(&of.lock);
    /* Another thread may have done the last item, which is then still unreported. */
    if (of.status == FP_OK && progress && progress->report && reported < count)
        progress->report(progress->context, stage, count, count);
    if (of.status == FP_OK) return FP_OK;
    if (error) *error = of.error;
    return of.status;
}

/* ---- Batches over threads. A batch is split into slices of neighbours; one thread processes a slice in order. ---- */

enum { SLICES = 32 };

typedef struct slice {
    fp_arena *kept;
    size_t begin, end; /* its items */
    size_t done;       /* the first unfinished item */
    fp_status status;
    fp_error error;
} slice;

struct fp_batch {
    fp_arenas scratch;
    slice slices[SLICES];
    fp_progress quiet;
    fp_batch_work work;
    const fp_beside *beside;
    void *context;
};

fp_status fp_batch_open(const fp_progress *progress, fp_arena *owner, fp_batch **batch, fp_error *error) {
    fp_batch *made = *batch = fp_arena_alloc(owner, 1, sizeof *made);
    if (!made) return fp_no_memory(error);
    made->quiet = fp_progress_quiet(progress);
    FP_TRY(fp_arenas_open(&made->scratch, progress, owner, error));
    for (size_t s = 0; s < SLICES; s++) made->slices[s].kept = FP_NEED(fp_arena_new_like(owner), error);
    return FP_OK;
}

void fp_batch_close(fp_batch *batch) {
    if (!batch) return;
    fp_arenas_free(&batch->scratch);
    for (size_t s = 0; s < SLICES; s++) fp_arena_free(batch->slices[s].kept);
}

/* A failure stays with its slice: earlier slices must still be finished. The work beside the batch starts first. */
static fp_status run_slice(void *context, size_t index, fp_arena *scratch, fp_error *error) {
    fp_batch *batch = context;
    (void)error;
    bool beside = batch->beside != NULL;
    if (beside && index == 0) {
        batch->beside->run(batch->beside->context);
        return FP_OK;
    }
    slice *own = batch->slices + index - beside;
    fp_arena_reset(own->kept);
    own->status = FP_OK;
    for (own->done = own->begin; own->done < own->end; own->done++) {
        fp_arena_reset(scratch);
        own->status = batch->work(batch->context, own->done, scratch, own->kept, &own->error);
        if (own->status != FP_OK) break;
    }
    return FP_OK;
}

fp_status fp_batch_each(fp_batch *batch, size_t count, fp_work work, void *context, fp_error *error) {
    return fp_parallel(count, &batch->scratch, true, work, context, "", &batch->quiet, error);
}

fp_status fp_batch_run(fp_batch *batch, size_t count, fp_batch_work work, void *context, const fp_beside *beside,
                       size_t *done, fp_error *error) {
    size_t slices = count < SLICES ? count : SLICES;
    batch->work = work;
    batch->beside = beside;
    batch->context = context;
    for (size_t s = 0; s < slices; s++) {
        batch->slices[s].begin = s * (count / slices) + (s < count % slices ? s : count % slices);
        batch->slices[s].end = batch->slices[s].begin + count / slices + (s < count % slices);
    }
    *done = 0;
    FP_TRY(fp_parallel(slices + (beside != NULL), &batch->scratch, true, run_slice, batch, "", &batch->quiet, error));
    for (size_t s = 0; s < slices; s++) {
        *done = batch->slices[s].done;
        if (batch->slices[s].status == FP_OK) continue;
        if (error) *error = batch->slices[s].error;
        return batch->slices[s].status;
    }
    return FP_OK;
}
