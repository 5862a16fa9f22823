/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * json_writer.h - writes JSON to a stream, value by value, without buffering or allocation.
 *
 * A value inside an object has a name; inside an array, or alone, its name is NULL. Every value is on its own line,
 * indented by two spaces a level; `compact` puts all on one line. Invalid UTF-8 is written as U+FFFD, so that the
 * output is always JSON.
 */
#ifndef FP_CORPORA_JSON_WRITER_H
#define FP_CORPORA_JSON_WRITER_H

#include "base/base.h"

typedef struct fp_json_writer {
    FILE *stream;
    size_t depth;  /* of the next value's line */
    size_t inside; /* open arrays and objects */
    bool filled;   /* the innermost array or object has a value */
    bool compact;
    bool failed; /* a text was NULL: its allocation failed */
} fp_json_writer;

/* A writer with lines indented by `depth` additional levels; the first value begins at the stream's current
 * position. */
fp_json_writer fp_json_to(FILE *stream, size_t depth);

void fp_json_begin_object(fp_json_writer *to, const char *name);
void fp_json_end_object(fp_json_writer *to);
void fp_json_begin_array(fp_json_writer *to, const char *name);
void fp_json_end_array(fp_json_writer *to);

/* `text` is NULL if an allocation failed; fp_json_done reports that. */
void fp_json_put_text(fp_json_writer *to, const char *name, const char *text);
void fp_json_put_string(fp_json_writer *to, const char *name, fp_string text);
void fp_json_put_count(fp_json_writer *to, const char *name, uint64_t value);
/* Writes enough digits to restore the same double; null for NaN and infinities, which JSON lacks. */
void fp_json_put_real(fp_json_writer *to, const char *name, double value);
void fp_json_put_bool(fp_json_writer *to, const char *name, bool value);
/* Writes any valid JSON value, such as a number in text form; NULL as fp_json_put_text. */
void fp_json_put_written(fp_json_writer *to, const char *name, const char *value);
void fp_json_put_null(fp_json_writer *to, const char *name);

/* FP_ERROR_MEMORY if a text was NULL. Stream errors are left in the stream: fp_output_close reports them. */
fp_status fp_json_done(const fp_json_writer *from, fp_error *error);

/* An array of `count` values: `put` writes that of place i. */
#define FP_JSON_LIST(to, name, i, count, put)          \
    do {                                               \
        fp_json_begin_array(to, name);                 \
        for (size_t i = 0; i < (size_t)(count); i++) { \
            put;                                       \
        }                                              \
        fp_json_end_array(to);                         \
    } while (0)

#endif
