/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pthread.h - the part of POSIX threads that the library uses, for a platform without threads: creating a thread fails,
 * so that every loop runs in the calling thread (base/parallel.c), and locks never block.
 */
#ifndef FP_LAB_PTHREAD_H
#define FP_LAB_PTHREAD_H

#include <errno.h>

typedef int pthread_t;
typedef int pthread_mutex_t;
#define PTHREAD_MUTEX_INITIALIZER 0

static inline int pthread_create(pthread_t *thread, const void *attributes, void *(*work)(void *), void *argument) {
    return (void)thread, (void)attributes, (void)work, (void)argument, EAGAIN;
}
static inline int pthread_join(pthread_t thread, void **result) { return (void)thread, (void)result, 0; }
static inline int pthread_mutex_init(pthread_mutex_t *lock, const void *attributes) {
    return (void)attributes, *lock = 0;
}
static inline int pthread_mutex_lock(pthread_mutex_t *lock) { return (void)lock, 0; }
static inline int pthread_mutex_unlock(pthread_mutex_t *lock) { return (void)lock, 0; }
static inline int pthread_mutex_destroy(pthread_mutex_t *lock) { return (void)lock, 0; }

typedef int pthread_once_t;
#define PTHREAD_ONCE_INIT 0

static inline int pthread_once(pthread_once_t *once, void (*work)(void)) {
    if (!*once) *once = 1, work();
    return 0;
}

typedef int pthread_cond_t;

static inline int pthread_cond_init(pthread_cond_t *condition, const void *attributes) {
    return (void)attributes, *condition = 0;
}
static inline int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *lock) {
    return (void)condition, (void)lock, 0;
}
static inline int pthread_cond_signal(pthread_cond_t *condition) { return (void)condition, 0; }
static inline int pthread_cond_broadcast(pthread_cond_t *condition) { return (void)condition, 0; }
static inline int pthread_cond_destroy(pthread_cond_t *condition) { return (void)condition, 0; }

#endif
