/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * text_cache.h - preprocessed texts that the first pass leaves to the next, as many as a number of bytes hold: a
 * small corpus is cut into words once, and a large one takes no more memory. Which texts are there changes no result.
 */
#ifndef FP_TEXT_CACHE_H
#define FP_TEXT_CACHE_H

#include <pthread.h>

#include "algorithms/arms/arm.h"

/* The texts under one text specification. */
typedef struct fp_cached_texts {
    const fp_arm *arm;
    fp_text *texts; /* [room] without data where there is none */
    size_t room;
} fp_cached_texts;

typedef struct fp_text_cache {
    pthread_mutex_t lock;
    fp_arena *arena;
    size_t most; /* bytes */
    size_t count;
    fp_cached_texts *each; /* [count] */
} fp_text_cache;

/* `most` bytes, for at most `specifications`. The caller ends it with fp_text_cache_close. */
fp_status fp_text_cache_open(fp_text_cache *cache, size_t most, size_t specifications, const fp_arena *like,
                             fp_error *error);
void fp_text_cache_close(fp_text_cache *cache);

/* The texts of the arm's specification; NULL where none were kept, but where `make` is set. */
fp_cached_texts *fp_text_cache_find(fp_text_cache *cache, const fp_arm *arm, bool make);
/* Room for the texts before `end`, as long as there is memory. One thread. */
void fp_text_cache_expect(fp_text_cache *cache, fp_cached_texts *texts, size_t end);
/* A copy, where there is room for it. Thread-safe for different positions. */
void fp_text_cache_keep(fp_text_cache *cache, fp_cached_texts *to, size_t position, const fp_text *text);

/* The text at this position; NULL where it is not kept. */
static inline const fp_text *fp_cached_text(const fp_cached_texts *texts, size_t position) {
    return texts && position < texts->room && texts->texts[position].text.data ? texts->texts + position : NULL;
}

#endif
