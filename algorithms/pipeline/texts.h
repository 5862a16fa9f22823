/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * texts.h - the batches of a source, read ahead or not; and strings in memory as a source.
 */
#ifndef FP_TEXTS_H
#define FP_TEXTS_H

#include "base/text_source.h"

/* One of the two batches that are there when one is read ahead. */
typedef struct fp_texts_side {
    fp_arena *arena;
    fp_text_batch batch;
    fp_status status;
    fp_error error;
} fp_texts_side;

typedef struct fp_texts {
    const fp_text_source *source;
    bool ahead;  /* batches are copied, so that the source may go on */
    bool read;   /* the next batch has been read */
    size_t next; /* the side that it goes to */
    fp_texts_side side[2];
} fp_texts;

/* `ahead`: fp_texts_read may be called. The caller ends it with fp_texts_close. */
fp_status fp_texts_open(fp_texts *texts, const fp_text_source *source, bool ahead, const fp_arena *like,
                        fp_error *error);
void fp_texts_close(fp_texts *texts);

/* Reads the next batch, beside whoever works on the last. What goes wrong is told by fp_texts_next. */
void fp_texts_read(fp_texts *texts);
/* The next batch; lives until the call after this one. */
fp_status fp_texts_next(fp_texts *texts, fp_text_batch *batch, fp_error *error);
/* The next batch will be the first again. */
fp_status fp_texts_rewind(fp_texts *texts, fp_error *error);

/* Strings in memory, which live as long as the source. */
typedef struct fp_string_source {
    const fp_string *texts;
    const fp_string *ids; /* may be NULL */
    size_t count, next;
} fp_string_source;
fp_text_source fp_source_of_strings(fp_string_source *strings);

#endif
