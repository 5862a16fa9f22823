/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fplab/progress.h - how a long piece of work goes on.
 */
#ifndef FPLAB_PROGRESS_H
#define FPLAB_PROGRESS_H 1

#include <stddef.h>

/* NULL stands for one of zeros. */
typedef struct fp_progress {
    /* Told how far the stage is that the work is at; called by one thread at a time. May be NULL. */
    void (*report)(void *context, const char *stage, size_t done, size_t total);
    void *context;
    int threads; /* at most so many; 0: what OMP_NUM_THREADS says, else one for each processor */
    /* Not 0: the work ends with FP_ERROR_CANCELLED, within 0.2 s where items are small. Another thread or a signal
     * handler may set it at any time. NULL: nobody does. */
    const int *cancel;
} fp_progress;

#endif
