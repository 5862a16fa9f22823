/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * text_source.h - texts in batches, in order, repeatable: lines of a file, documents of a corpus, strings in memory. A
 * reader holds one batch, not all texts.
 */
#ifndef FP_TEXT_SOURCE_H
#define FP_TEXT_SOURCE_H

#include "base/base.h"

/* One batch. Owned by the source; valid until the next call of either function. */
typedef struct fp_text_batch {
    size_t first;          /* position of its first text, from 0 */
    size_t count;          /* 0: the end */
    const fp_string *text; /* [count] valid UTF-8, not normalised */
    const fp_string *id;   /* [count]; NULL if texts have no ids */
} fp_text_batch;

/* One thread at a time. */
typedef struct fp_text_source {
    void *context;
    size_t count;     /* of all texts; SIZE_MAX if unknown before the end */
    const char *name; /* in messages: the file or the corpus; may be NULL */
    bool slow;        /* making a batch costs computation, such as unpacking and parsing: worth doing in parallel with
                         the work on the previous batch, at the price of a copy. Not for sources that only wait, such as
                         a pipe. */
    /* The next batch. Texts before a failure have been returned. */
    fp_status (*next)(void *context, fp_text_batch *batch, fp_error *error);
    /* Restarts at the first batch. NULL if that is impossible, as with a pipe. */
    fp_status (*rewind)(void *context, fp_error *error);
    /* Releases files and memory; NULL: nothing to release. */
    void (*close)(void *context);
} fp_text_source;

/* The code that opened a source closes it. */
static inline void fp_text_source_close(const fp_text_source *source) {
    if (source->close) source->close(source->context);
}

#endif
