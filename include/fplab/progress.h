/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fplab/progress.h - progress, threads and cancellation of long calls.
 */
#ifndef FPLAB_PROGRESS_H
#define FPLAB_PROGRESS_H 1

#include <stddef.h>

/* How a long call reports progress, uses threads and is cancelled. A NULL pointer means all members zero. */
typedef struct fp_progress {
    /* Called with the state of the current stage, by one thread at a time. May be NULL. */
    void (*report)(void *context, const char *stage, size_t done, size_t total);
    void *context;
    int threads; /* at most this many; 0: OMP_NUM_THREADS, else one for each processor */
    /* When it becomes non-zero, the call ends with FP_ERROR_CANCELLED, within 0.2 s where items are small. Another
     * thread or a signal handler may set it at any time. NULL: no cancellation. */
    const int *cancel;
} fp_progress;

#endif
