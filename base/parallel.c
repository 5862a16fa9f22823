/* SPDX-License-Identifier: GPL-3.0-or-later
 * Loops over threads that end with their loop, or sleep until the next (team.h). A team of OpenMP's would wait by
 * spinning: with a command's many short loops that made `tune` two to five times slower on a busy machine, or under a
 * container's quota. It would also end the process where a thread cannot be had. */
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

/* The first number of OpenMP's list, in which the others are for loops within loops. 0 when it is none. */
static long first_of_list(const char *text) {
    long value = 0;
    text += strspn(text, SPACES);
    for (; *text >= '0' && *text <= '9'; text++) value = value < FP_MOST_THREADS ? value * 10 + (*text - '0') : value;
    text += strspn(text, SPACES);
    return *text == '\0' || *text == ',' ? value : 0;
}

/* The system gives no set for a machine of more processors than cpu_set_t holds: no fewer than FP_MOST_THREADS. */
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

fp_progress fp_progress_silent(const fp_progress *progress) {
    return (fp_progress){.threads = progress ? progress->threads : 0};
}

/* A thread beside the one that calls. */
struct fp_helper {
    pthread_t thread;
    struct loop *loop;
    fp_arena *arena;
};

fp_status fp_arenas_open(fp_arenas *arenas, const fp_progress *progress, fp_arena *owner, fp_error *error) {
    size_t count = (size_t)fp_threads(progress);
    *arenas = (fp_arenas){.each = fp_arena_alloc(owner, count, sizeof(fp_arena *)),
                          .helpers = fp_arena_alloc(owner, count, sizeof(struct fp_helper))};
    if (!arenas->each || !arenas->helpers) return fp_no_memory(error);
    for (; arenas->count < count; arenas->count++) {
        arenas->each[arenas->count] = fp_arena_new_like(owner);
        if (arenas->each[arenas->count]) continue;
        fp_arenas_free(arenas);
        return fp_no_memory(error);
    }
    return FP_OK;
}

fp_status fp_arenas_keep_threads(fp_arenas *arenas, fp_arena *owner, fp_error *error) {
    return fp_team_open(arenas->count - 1, owner, &arenas->team, error);
}

void fp_arenas_free(fp_arenas *arenas) {
    fp_team_close(arenas->team);
    arenas->team = NULL;
    for (size_t i = 0; i < arenas->count; i++) fp_arena_free(arenas->each[i]);
    arenas->count = 0;
}

double fp_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

typedef struct loop {
    size_t count;
    const fp_arenas *arenas;
    bool reset;
    fp_work work;
    void *context;
    _Atomic size_t next, done;
    _Atomic bool failed;
    /* The failure of the smallest index. */
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

/* Takes one item after the other until none is left. Returns how far the work was when that was told last. */
static size_t take_items(loop *of, fp_arena *arena, const char *stage, const fp_progress *progress) {
    size_t told = 0;
    for (size_t i; !of->failed && (i = of->next++) < of->count;) {
        if (of->reset) fp_arena_reset(arena);
        fp_error own; /* a kilobyte, which is not cleared for each item */
        own.code = FP_OK;
        own.line = own.byte = 0;
        own.message[0] = own.file[0] = '\0';
        fp_status status = of->work(of->context, i, arena, &own);
        if (status != FP_OK) keep_first(of, i, status, &own);
        size_t now = ++of->done;
        if (!progress || !progress->report) continue;
        progress->report(progress->context, stage, now, of->count);
        told = now;
    }
    return told;
}

static void *help(void *argument) {
    struct fp_helper *self = argument;
    take_items(self->loop, self->arena, NULL, NULL);
    return NULL;
}

static void help_once(void *context, size_t member) {
    loop *of = context;
    take_items(of, of->arenas->each[member + 1], NULL, NULL);
}

/* Threads of this loop alone, as long as items are left, so that a short loop starts few; a thread that cannot be had
 * is done without. Returns their number. */
static size_t start_helpers(loop *of) {
    const fp_arenas *arenas = of->arenas;
    size_t helpers = 0;
    for (; helpers + 1 < arenas->count && helpers + 1 < of->count && of->next < of->count; helpers++) {
        struct fp_helper *helper = arenas->helpers + helpers;
        helper->loop = of;
        helper->arena = arenas->each[helpers + 1];
        if (pthread_create(&helper->thread, NULL, help, helper) != 0) break;
    }
    return helpers;
}

static void end_helpers(const fp_arenas *arenas, size_t helpers) {
    while (helpers > 0) pthread_join(arenas->helpers[--helpers].thread, NULL);
}

fp_status fp_parallel(size_t count, const fp_arenas *arenas, bool reset, fp_work work, void *context, const char *stage,
                      const fp_progress *progress, fp_error *error) {
    loop of = {count, arenas, reset, work, context, .lock = PTHREAD_MUTEX_INITIALIZER};
    size_t helpers = 0;
    if (!arenas->team) helpers = start_helpers(&of);
    else if (count > 1) fp_team_call(arenas->team, count - 1, help_once, &of);
    size_t told = take_items(&of, arenas->each[0], stage, progress);
    if (arenas->team) fp_team_return(arenas->team);
    else end_helpers(arenas, helpers);
    pthread_mutex_destroy(&of.lock);
    /* A helper may have done the last item. */
    if (of.status == FP_OK && progress && progress->report && told < count)
        progress->report(progress->context, stage, count, count);
    if (of.status == FP_OK) return FP_OK;
    if (error) *error = of.error;
    return of.status;
}
