/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pipeline.h - texts → features → sketches, for many arms at once and for texts that need not fit into memory.
 *
 * Texts come in batches. A document goes through all stages and arms on one thread, in memory that the next document
 * reuses. What arms share is made once: texts per text specification, counts per specification of units, weights per
 * feature specification and IDF. Only the requested sketches of a document and what is learned from it outlive it.
 *
 * An arm takes up to three passes over the texts: the first counts document frequencies, the second learns its model,
 * the third sketches. It skips passes that it does not need, and all arms run together: an arm that learns nothing
 * sketches in the first pass.
 *
 * If the source is slow (fp_text_source.slow), the next batch is read while the threads work on this one. Results come
 * in the order of the texts, and are the same bytes for any number of threads and any batch size.
 */
#ifndef FP_PIPELINE_H
#define FP_PIPELINE_H

#include "algorithms/arms/arm.h"
#include "base/parallel.h"
#include "base/text_source.h"

/* The texts are split into this many consecutive parts; the spread of their times shows how precise a time is. */
enum { FP_PIPELINE_SLICES = 10 };

/* The slice of a text of `count`; if `count` is unknown (SIZE_MAX), consecutive batches go to consecutive slices. */
static inline size_t fp_pipeline_slice(size_t position, size_t count) {
    return count == SIZE_MAX ? position / 1024 % FP_PIPELINE_SLICES
                             : (size_t)((double)position / (double)count * FP_PIPELINE_SLICES);
}

/* One arm and its part of the texts. To run the same arm twice, pass two structs fp_arm. */
typedef struct fp_pipeline_arm {
    fp_arm *arm;
    const bool *training; /* [texts] those that it learns from; NULL: all */
    const bool *sketched; /* [texts] those that it sketches; NULL: all */
    size_t pair_count;    /* labels for arms that need them (FP_NEEDS_PAIRS), as indices among the training texts */
    const fp_pair *pairs;
    /* Result: the seconds from raw text to sketches, over all passes, without reading. A shared stage is charged to
     * every arm that uses it. These are wall-clock seconds, not summed over threads: the time of each batch is divided
     * among the stages in proportion to the threads' time in them. */
    double seconds;
    double slice[FP_PIPELINE_SLICES]; /* result: the same by slice; learning is spread evenly */
} fp_pipeline_arm;

/* Receives the sketches of the texts first … first + count − 1 by arm number `arm`, in order and each text once; valid
 * only during the call. Those not requested (sketched) have no bytes and are not marked as empty. Called by one
 * thread. */
typedef fp_status (*fp_take_sketches)(void *context, size_t arm, size_t first, size_t count, const fp_sketch *sketches,
                                      fp_error *error);

enum { FP_KEPT_TEXTS = 48 << 20 }; /* for a corpus: some 10,000 short texts are segmented only once */

/* Takes only the first step that one arm has not taken. `take` receives the counts instead of the arm: frequencies, or
 * the algorithm's state from `documents` non-empty documents. */
typedef struct fp_tallying {
    fp_status (*take)(void *context, const fp_tally *frequencies, void *state, size_t documents, fp_error *error);
    void *context;
} fp_tallying;

typedef struct fp_pipeline {
    const fp_text_source *source; /* at its beginning; can be read again if arms need several passes */
    fp_pipeline_arm *arms;
    size_t count;
    bool learns;           /* false: arms have already learned what they need */
    bool untimed;          /* the seconds that texts take are not measured */
    size_t kept;           /* bytes of preprocessed texts that the first pass may keep for the next */
    fp_take_sketches take; /* NULL: arms learn, and sketch nothing */
    void *context;
    const fp_tallying *tallying; /* may be NULL */
    const fp_progress *progress; /* may be NULL */
    fp_arena *arena;             /* holds what is learned; lives as long as the arms are used */
} fp_pipeline;

/* Runs the pipeline. On failure, `take` has received the results before it. Errors: those of the source, of `take`, and
 * of a stage; the last with the text's id in front of the reason and the source's name as the file, if they exist.
 */
fp_status fp_pipeline_run(const fp_pipeline *pipeline, fp_error *error);

/* fp_column_fit, or only its counts with `tallying`. */
fp_status fp_learn_column(fp_arm *arm, const fp_text_column *texts, const fp_text_column *ids, const fp_pair *pairs,
                          size_t pair_count, const fp_tallying *tallying, size_t *bad, const fp_progress *progress,
                          fp_error *error);

/* ---- The sketches of one arm, added in the order of their texts. Memory: the sketches, one byte per text, and two
 * numbers per text if sketches vary in size.
 */

typedef struct fp_store {
    fp_arena *arena;
    size_t stride; /* 0: sizes vary */
    size_t room;   /* texts */
    size_t count;  /* texts so far */
    size_t bytes;  /* of `data`: used, if sizes vary */
    size_t space;  /* of `data`: allocated, if sizes vary */
    unsigned char *data;
    size_t *offset, *size; /* [count + 1], [count] if sizes vary */
    bool *empty;           /* [count] fp_sketch.empty */
    size_t empty_count;
} fp_store;

/* A store for sketches of this layout and `expected` texts (SIZE_MAX if unknown). Everything lives in `arena`. */
fp_status fp_store_open(fp_store *store, const fp_layout *layout, size_t expected, fp_arena *arena, fp_error *error);
/* Adds `count` sketches, as fp_take_sketches receives them. */
fp_status fp_store_add(fp_store *store, size_t count, const fp_sketch *sketches, fp_error *error);
/* All sketches that were added. They live as long as the arena. Nothing may be added afterwards. */
fp_status fp_store_close(fp_store *store, fp_sketches *sketches, fp_error *error);

#endif
