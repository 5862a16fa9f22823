/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * texts.h - the batches of a source, read ahead or not; and strings in memory as a source.
 */
#ifndef FP_TEXTS_H
#define FP_TEXTS_H

#include <pthread.h>

#include "algorithms/arms/arm.h"
#include "base/text_source.h"

/* One of the two batches in memory when one is read ahead. */
typedef struct fp_texts_side {
    fp_arena *arena;
    fp_text_batch batch;
    fp_status status;
    fp_error error;
} fp_texts_side;

typedef struct fp_texts {
    const fp_text_source *source;
    bool ahead;  /* batches are copied, so that the source can read on */
    bool read;   /* the next batch has been read */
    size_t next; /* the side that it goes to */
    fp_texts_side side[2];
} fp_texts;

/* `ahead` allows calls of fp_texts_read. The caller closes it with fp_texts_close. */
fp_status fp_texts_open(fp_texts *texts, const fp_text_source *source, bool ahead, const fp_arena *like,
                        fp_error *error);
void fp_texts_close(fp_texts *texts);

/* Reads the next batch, in parallel with the work on the last. fp_texts_next returns its errors. */
void fp_texts_read(fp_texts *texts);
/* The next batch; valid until the next call. */
fp_status fp_texts_next(fp_texts *texts, fp_text_batch *batch, fp_error *error);
/* Starts again at the first batch. */
fp_status fp_texts_rewind(fp_texts *texts, fp_error *error);

/* Strings in memory; they must live as long as the source. */
typedef struct fp_string_source {
    const fp_string *texts;
    const fp_string *ids; /* may be NULL */
    size_t count, next;
} fp_string_source;
fp_text_source fp_source_of_strings(fp_string_source *strings);

/* ---- Preprocessed texts that the first pass keeps for the next, within a limit of bytes: a small corpus is segmented
 * only once, and a large one takes no more memory. Results do not depend on which texts are kept.
 */

/* The texts under one text specification. */
typedef struct fp_cached_texts {
    const fp_arm *arm;
    fp_text *texts; /* [room] without data if not kept */
    size_t room;
} fp_cached_texts;

typedef struct fp_text_cache {
    pthread_mutex_t lock;
    fp_arena *arena;
    size_t most; /* bytes */
    size_t count;
    fp_cached_texts *each; /* [count] */
} fp_text_cache;

/* A cache of `most` bytes for at most `specifications`. The caller closes it with fp_text_cache_close. */
fp_status fp_text_cache_open(fp_text_cache *cache, size_t most, size_t specifications, const fp_arena *like,
                             fp_error *error);
void fp_text_cache_close(fp_text_cache *cache);

/* The texts of the arm's specification. If there are none: a new entry with `make`, else NULL. */
fp_cached_texts *fp_text_cache_find(fp_text_cache *cache, const fp_arm *arm, bool make);
/* Makes room for the texts before `end`, as long as there is memory. One thread. */
void fp_text_cache_expect(fp_text_cache *cache, fp_cached_texts *texts, size_t end);
/* Keeps a copy if there is room for it. Thread-safe for different positions. */
void fp_text_cache_keep(fp_text_cache *cache, fp_cached_texts *to, size_t position, const fp_text *text);

/* The text at this position; NULL if it is not kept. */
static inline const fp_text *fp_cached_text(const fp_cached_texts *texts, size_t position) {
    return texts && position < texts->room && texts->texts[position].text.data ? texts->texts + position : NULL;
}

#endif
