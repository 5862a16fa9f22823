/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * text_source.h - texts that come in batches, in order, and again from the start: lines of a file, documents of a
 * corpus, strings in memory. Whoever reads them holds one batch, and not the texts.
 */
#ifndef FP_TEXT_SOURCE_H
#define FP_TEXT_SOURCE_H

#include "base/base.h"

/* One batch. Owned by the source; gone at the next call of either function. */
typedef struct fp_text_batch {
    size_t first;          /* position of its first text, from 0 */
    size_t count;          /* 0: there are no more */
    const fp_string *text; /* [count] valid UTF-8, not normalised */
    const fp_string *id;   /* [count]; NULL where texts have none */
} fp_text_batch;

/* One thread at a time. */
typedef struct fp_text_source {
    void *context;
    size_t count;     /* of all texts; SIZE_MAX where that is not known before the end */
    const char *name; /* in messages: the file or the corpus; may be NULL */
    bool slow;        /* a batch is work, as unpacking and parsing are: worth doing beside the work on the one before,
                         at the price of a copy. Not for what makes wait, as a pipe does. */
    /* The next batch. Texts before a failure have been handed out. */
    fp_status (*next)(void *context, fp_text_batch *batch, fp_error *error);
    /* The next batch will be the first again. NULL where that cannot be, as in a pipe. */
    fp_status (*rewind)(void *context, fp_error *error);
    /* Lets go of files and memory; NULL where there is nothing to let go of. */
    void (*close)(void *context);
} fp_text_source;

/* Whoever opened a source ends it. */
static inline void fp_text_source_close(const fp_text_source *source) {
    if (source->close) source->close(source->context);
}

#endif
