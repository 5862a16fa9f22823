/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * batch.h - small pieces of work that come in batches without end: over threads, with results that stay in order and
 * memory that does not grow with the number of batches.
 */
#ifndef FP_BATCH_H
#define FP_BATCH_H

#include "base/parallel.h"

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

#endif
