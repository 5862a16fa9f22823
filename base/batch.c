/* SPDX-License-Identifier: GPL-3.0-or-later
 * Batches over threads. A batch is cut into slices of neighbours; a slice is worked through in order by one thread. */
#include "base/batch.h"

enum { SLICES = 32 };

typedef struct slice {
    fp_arena *kept;
    size_t begin, end; /* its items */
    size_t done;       /* the first item that is not done */
    fp_status status;
    fp_error error;
} slice;

struct fp_batch {
    fp_arenas scratch;
    slice slices[SLICES];
    fp_batch_work work;
    fp_beside beside;
    void *context;
};

fp_status fp_batch_open(const fp_progress *progress, fp_arena *owner, fp_batch **batch, fp_error *error) {
    fp_batch *made = *batch = fp_arena_alloc(owner, 1, sizeof *made);
    if (!made) return fp_no_memory(error);
    FP_TRY(fp_arenas_open(&made->scratch, progress, owner, error));
    FP_TRY(fp_arenas_keep_threads(&made->scratch, owner, error));
    for (size_t s = 0; s < SLICES; s++) {
        made->slices[s].kept = fp_arena_new_like(owner);
        if (!made->slices[s].kept) return fp_no_memory(error);
    }
    return FP_OK;
}

void fp_batch_close(fp_batch *batch) {
    if (!batch) return;
    fp_arenas_free(&batch->scratch);
    for (size_t s = 0; s < SLICES; s++) fp_arena_free(batch->slices[s].kept);
}

/* A failure stays with its slice: those before it are to be finished. What runs beside comes first. */
static fp_status run_slice(void *context, size_t index, fp_arena *scratch, fp_error *error) {
    fp_batch *batch = context;
    (void)error;
    bool beside = batch->beside.run != NULL;
    if (beside && index == 0) {
        batch->beside.run(batch->beside.context);
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

fp_status fp_batch_run(fp_batch *batch, size_t count, fp_batch_work work, void *context, size_t *done,
                       fp_error *error) {
    static const fp_beside nothing = {0};
    return fp_batch_run_beside(batch, count, work, context, &nothing, done, error);
}

fp_status fp_batch_each(fp_batch *batch, size_t count, fp_work work, void *context, fp_error *error) {
    return fp_parallel(count, &batch->scratch, true, work, context, "", NULL, error);
}

fp_status fp_batch_run_beside(fp_batch *batch, size_t count, fp_batch_work work, void *context, const fp_beside *beside,
                              size_t *done, fp_error *error) {
    size_t slices = count < SLICES ? count : SLICES;
    batch->work = work;
    batch->beside = *beside;
    batch->context = context;
    for (size_t s = 0; s < slices; s++) {
        batch->slices[s].begin = s * (count / slices) + (s < count % slices ? s : count % slices);
        batch->slices[s].end = batch->slices[s].begin + count / slices + (s < count % slices);
    }
    *done = 0;
    FP_TRY(fp_parallel(slices + (beside->run != NULL), &batch->scratch, true, run_slice, batch, "", NULL, error));
    for (size_t s = 0; s < slices; s++) {
        *done = batch->slices[s].done;
        if (batch->slices[s].status == FP_OK) continue;
        if (error) *error = batch->slices[s].error;
        return batch->slices[s].status;
    }
    return FP_OK;
}
