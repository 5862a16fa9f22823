/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pipeline.h - texts → features → sketches, for any number of arms at once and of texts that nobody holds.
 *
 * Texts come in batches. A document goes through all stages and arms on one thread, in memory that is used again for
 * the next; what arms share is made once: texts under one text specification, counts under one specification of units,
 * weights under one feature specification and IDF. What outlives a document is what was asked for, its sketches, and
 * what is learned from it.
 *
 * An arm takes up to three passes over the texts: document frequencies are counted, then its model is learned, then it
 * sketches. Those that it does not need are left out, and all arms go side by side: an arm that learns nothing sketches
 * in the first pass.
 *
 * Where a source says that its batches are work, the next is read while the threads work on this one. Results come in
 * the order of the texts, and are the same bytes for any number of threads and any size of batch.
 */
#ifndef FP_PIPELINE_H
#define FP_PIPELINE_H

#include "algorithms/arms/arm.h"
#include "base/parallel.h"
#include "base/text_source.h"

/* The seconds that an arm took from raw text to sketches, over all passes, reading not included. Shared stages are
 * charged to every arm that uses them. They are seconds that went by, not those of every thread: the time of each batch
 * is shared out among the stages as the threads spent theirs. */
typedef struct fp_pipeline_seconds {
    double texts, counts, weights;
    double own; /* frequencies, model, sketches */
} fp_pipeline_seconds;

static inline double fp_pipeline_seconds_of(const fp_pipeline_seconds *seconds) {
    return seconds->texts + seconds->counts + seconds->weights + seconds->own;
}

/* The texts in as many parts, one after the other: how their times differ tells how sure a time is. */
enum { FP_PIPELINE_SLICES = 10 };

/* That of a text, of `count`; where that is not known (SIZE_MAX) batch after batch goes to the next. */
static inline size_t fp_pipeline_slice(size_t position, size_t count) {
    return count == SIZE_MAX ? position / 1024 % FP_PIPELINE_SLICES
                             : (size_t)((double)position / (double)count * FP_PIPELINE_SLICES);
}

/* One arm, and its part of the texts. The same arm twice wants two structs fp_arm. */
typedef struct fp_pipeline_arm {
    fp_arm *arm;
    const bool *training; /* [texts] those that it learns from; NULL: all */
    const bool *sketched; /* [texts] those that it sketches; NULL: all */
    size_t pair_count;    /* labels for arms that ask for them (FP_NEEDS_PAIRS); they count the training texts */
    const fp_pair *pairs;
    fp_pipeline_seconds seconds;      /* result */
    double slice[FP_PIPELINE_SLICES]; /* result: the same seconds by slice; those of learning all alike */
} fp_pipeline_arm;

/* Sketches of the texts first … first + count − 1 by arm number `arm`, in order and each text once; gone after the
 * call. Those that are not asked for (sketched) have no bytes and are not marked as empty. Called by one thread. */
typedef fp_status (*fp_take_sketches)(void *context, size_t arm, size_t first, size_t count, const fp_sketch *sketches,
                                      fp_error *error);

enum { FP_KEPT_TEXTS = 48 << 20 }; /* for a corpus: some 10,000 short texts are cut into words once */

/* The first step that one arm has not taken, and no other; what was counted goes here and not to the arm: frequencies,
 * or the algorithm's state, of `documents` that say something. */
typedef struct fp_tallying {
    fp_status (*take)(void *context, const fp_tally *frequencies, void *state, size_t documents, fp_error *error);
    void *context;
} fp_tallying;

typedef struct fp_pipeline {
    const fp_text_source *source; /* at its begin; where arms need several passes it can be read again */
    fp_pipeline_arm *arms;
    size_t count;
    bool learns;           /* false: arms have learned what they need */
    bool untimed;          /* nobody asks for the seconds that texts take: they are not measured */
    size_t kept;           /* bytes of texts, preprocessed, that the first pass may leave to the next */
    fp_take_sketches take; /* NULL: arms learn, and sketch nothing */
    void *context;
    const fp_tallying *tallying; /* may be NULL */
    const fp_progress *progress; /* may be NULL */
    fp_arena *arena;             /* where what is learned lives, as long as the arms are used */
} fp_pipeline;

/* Runs it. What stands before a failure has been handed out. Errors: what the source says; what a stage says of a text,
 * with the text's id in front of the reason and the source's name as its file, where there are both; what `take`
 * returns. */
fp_status fp_pipeline_run(const fp_pipeline *pipeline, fp_error *error);

/* fp_column_fit, or the counts of it. */
fp_status fp_learn_column(fp_arm *arm, const fp_text_column *texts, const fp_text_column *ids, const fp_pair *pairs,
                          size_t pair_count, const fp_tallying *tallying, size_t *bad, const fp_progress *progress,
                          fp_error *error);

/* ----
 * the sketches of one arm, added in the order of their texts. Memory is the sketches, a byte a text, and two
 * numbers a text where sketches vary in size.
 */

typedef struct fp_store {
    fp_arena *arena;
    size_t stride; /* 0: sizes vary */
    size_t room;   /* texts */
    size_t count;  /* texts so far */
    size_t bytes;  /* of `data`: used, where sizes vary */
    size_t space;  /* of `data`, where sizes vary */
    unsigned char *data;
    size_t *offset, *size; /* [count + 1], [count] where sizes vary */
    bool *silent;          /* [count] fp_sketch.empty */
    size_t silent_count;
} fp_store;

/* For sketches of this layout; `expected` texts, or SIZE_MAX where that is not known. All lives in `arena`. */
fp_status fp_store_open(fp_store *store, const fp_layout *layout, size_t expected, fp_arena *arena, fp_error *error);
/* `count` more, as fp_take_sketches gets them. */
fp_status fp_store_add(fp_store *store, size_t count, const fp_sketch *sketches, fp_error *error);
/* All that was added. They live as long as the arena; nothing is added afterwards. */
fp_status fp_store_close(fp_store *store, fp_sketches *sketches, fp_error *error);

#endif
