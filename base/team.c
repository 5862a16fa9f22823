/* SPDX-License-Identifier: GPL-3.0-or-later
 * Threads that stay. Who is called is a number: each thread that wakes takes one off. */
#include "base/team.h"

#include <pthread.h>

typedef struct member {
    pthread_t thread;
    fp_team *team;
    size_t number;
} member;

struct fp_team {
    size_t most, count; /* threads that may be, and that are */
    pthread_mutex_t lock;
    pthread_cond_t called, returned;
    /* Under the lock: */
    size_t wanted, working; /* threads that may still begin, and that have not come back */
    bool over;
    fp_team_work work;
    void *context;
    member *members; /* [most] */
};

fp_status fp_team_open(size_t most, fp_arena *owner, fp_team **team, fp_error *error) {
    fp_team *made = fp_arena_alloc(owner, 1, sizeof *made);
    *team = NULL;
    if (!made) return fp_no_memory(error);
    made->most = most;
    made->members = fp_arena_alloc(owner, most, sizeof *made->members);
    if (!made->members) return fp_no_memory(error);
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->called, NULL);
    pthread_cond_init(&made->returned, NULL);
    *team = made;
    return FP_OK;
}

void fp_team_close(fp_team *team) {
    if (!team) return;
    pthread_mutex_lock(&team->lock);
    team->over = true;
    pthread_cond_broadcast(&team->called);
    pthread_mutex_unlock(&team->lock);
    while (team->count > 0) pthread_join(team->members[--team->count].thread, NULL);
    pthread_cond_destroy(&team->returned);
    pthread_cond_destroy(&team->called);
    pthread_mutex_destroy(&team->lock);
}

static void *serve(void *argument) {
    member *self = argument;
    fp_team *team = self->team;
    pthread_mutex_lock(&team->lock);
    for (;;) {
        while (!team->over && team->wanted == 0) pthread_cond_wait(&team->called, &team->lock);
        if (team->over) break;
        fp_team_work work = team->work;
        void *context = team->context;
        team->wanted--;
        team->working++;
        pthread_mutex_unlock(&team->lock);
        work(context, self->number);
        pthread_mutex_lock(&team->lock);
        if (--team->working == 0) pthread_cond_signal(&team->returned);
    }
    pthread_mutex_unlock(&team->lock);
    return NULL;
}

void fp_team_call(fp_team *team, size_t wanted, fp_team_work work, void *context) {
    if (wanted > team->most) wanted = team->most;
    pthread_mutex_lock(&team->lock);
    team->work = work;
    team->context = context;
    team->wanted = wanted;
    for (size_t i = 0; i < team->count && i < wanted; i++) pthread_cond_signal(&team->called);
    for (; team->count < wanted; team->count++) {
        member *next = team->members + team->count;
        *next = (member){.team = team, .number = team->count};
        if (pthread_create(&next->thread, NULL, serve, next) != 0) break;
    }
    pthread_mutex_unlock(&team->lock);
}

void fp_team_return(fp_team *team) {
    pthread_mutex_lock(&team->lock);
    team->wanted = 0;
    while (team->working > 0) pthread_cond_wait(&team->returned, &team->lock);
    pthread_mutex_unlock(&team->lock);
}
