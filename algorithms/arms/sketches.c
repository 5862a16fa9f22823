/* SPDX-License-Identifier: GPL-3.0-or-later
 * Many texts to sketches at once. */
#include <string.h>

#include "algorithms/arms/arm.h"
#include "base/batch.h"

typedef struct sketching {
    const fp_arm *arm;
    const fp_string *texts, *ids;
    unsigned char *fixed; /* where sketches of one size go */
    fp_sketch *variable;  /* [count] otherwise: each where its thread has made it */
    bool *says;           /* [count] */
} sketching;

static fp_status sketch_one(void *context, size_t index, fp_arena *scratch, fp_arena *kept, fp_error *error) {
    const sketching *job = context;
    fp_sketch made;
    FP_TRY(fp_arm_sketch_named(job->arm, job->ids[index], job->texts[index], scratch, &made, job->says + index, error));
    unsigned char *to = job->fixed ? job->fixed + index * made.size : fp_arena_raw(kept, made.size, 1);
    if (!to) return fp_no_memory(error);
    if (made.size) memcpy(to, made.data, made.size);
    if (!job->fixed) job->variable[index] = (fp_sketch){to, made.size};
    return FP_OK;
}

/* One after the other, each start aligned to 8. */
static fp_status gather(const fp_sketch *from, size_t count, fp_arena *out, fp_sketches *to, fp_error *error) {
    size_t *offset = fp_arena_raw(out, count + 1, sizeof *offset), *size = fp_arena_raw(out, count, sizeof *size);
    if (!offset || !size) return fp_no_memory(error);
    offset[0] = 0;
    for (size_t i = 0; i < count; i++) {
        size[i] = from[i].size;
        offset[i + 1] = offset[i] + (from[i].size + 7) / 8 * 8;
    }
    unsigned char *data = fp_arena_alloc(out, offset[count], 1);
    if (!data) return fp_no_memory(error);
    for (size_t i = 0; i < count; i++)
        if (size[i]) memcpy(data + offset[i], from[i].data, size[i]);
    *to = (fp_sketches){.count = count, .data = data, .offset = offset, .size = size};
    return FP_OK;
}

/* The text that cannot be read, by its place. */
static fp_status at_text(size_t place, fp_status status, fp_error *error) {
    if (!error || status == FP_ERROR_MEMORY) return status;
    fp_error reason = *error;
    fp_fail(error, status, "text %zu: %.400s", place, reason.message);
    error->byte = reason.byte;
    return status;
}

static fp_status run(sketching *job, size_t count, fp_arena *scratch, fp_arena *out, fp_sketches *sketches,
                     fp_error *error) {
    size_t bytes = job->arm->instance.layout.bytes, done;
    fp_batch *batch;
    if (!job->says) job->says = fp_arena_raw(scratch, count, sizeof *job->says);
    if (bytes) job->fixed = fp_arena_alloc(out, count, bytes);
    else job->variable = fp_arena_raw(scratch, count, sizeof *job->variable);
    if (!job->says || (!job->fixed && !job->variable)) return fp_no_memory(error);
    fp_status status = fp_batch_open(NULL, scratch, &batch, error);
    if (status == FP_OK) {
        status = fp_batch_run(batch, count, sketch_one, job, &done, error);
        if (status != FP_OK) at_text(done, status, error);
    }
    if (status == FP_OK && bytes) *sketches = (fp_sketches){.count = count, .stride = bytes, .data = job->fixed};
    else if (status == FP_OK) status = gather(job->variable, count, out, sketches, error);
    fp_batch_close(batch);
    return status;
}

fp_status fp_arm_sketches(const fp_arm *arm, const fp_string *texts, const fp_string *ids, size_t count, fp_arena *out,
                          fp_sketches *sketches, bool *says, fp_error *error) {
    sketching job = {.arm = arm, .texts = texts, .ids = ids ? ids : texts, .says = says};
    *sketches = (fp_sketches){0};
    FP_TRY(fp_arm_ready(arm, error));
    if (count == 0) return FP_OK;
    fp_arena *scratch = fp_arena_new();
    if (!scratch) return fp_no_memory(error);
    fp_status status = run(&job, count, scratch, out, sketches, error);
    fp_arena_free(scratch);
    return status;
}
