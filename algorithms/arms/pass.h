/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pass.h - the inside of the pipeline: batches of texts through one pass.
 */
#ifndef FP_PASS_H
#define FP_PASS_H

#include <pthread.h>

#include "algorithms/arms/lanes.h"
#include "base/parallel.h"

/* The distinct term hashes of a document. */
typedef struct fp_counted_terms {
    const uint64_t *hash;
    size_t count;
} fp_counted_terms;

typedef struct fp_pass {
    fp_pass_plan *plan;
    fp_batch *threads;
    fp_text_batch texts;
    /* What the batch leaves behind, row by row: a text each. */
    fp_arena *arena;
    fp_counted_terms *terms; /* a row for each count group that frequencies are counted of */
    fp_sketch *made;         /* a row a lane: the sketch, or what fp_learning.read read; empty: there was nothing */
    /* Seconds of all threads, by the slice of the texts and by what they worked at: a row a slice. */
    pthread_mutex_t lock;
    double *clock;
    double wall; /* seconds that went by */
} fp_pass;

fp_status fp_pass_open(fp_pass *pass, fp_pass_plan *plan, fp_batch *threads, fp_arena *arena, fp_error *error);
void fp_pass_close(fp_pass *pass);

/* One batch: its results are handed on, up to the first text that fails. `beside` runs side by side with it; may be
 * NULL. */
fp_status fp_pass_run(fp_pass *pass, const fp_text_batch *texts, void (*beside)(void *context), void *context,
                      fp_error *error);

/* Adds to every arm the seconds that it took. */
void fp_pass_charge(const fp_pass *pass);

#endif
