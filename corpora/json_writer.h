/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * json_writer.h - writing JSON to a stream, value by value: nothing is kept, nothing is allocated.
 *
 * A value inside an object has a name; inside an array, or alone, its name is NULL. Every value stands on a line of its
 * own, set in by two spaces a level; `compact` leaves them on one. What is not UTF-8 is written as U+FFFD, so that the
 * file is JSON whatever it holds.
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
    bool failed; /* a text was NULL: whoever made it had no memory */
} fp_json_writer;

/* A writer whose lines are set in by `depth` levels more; the first value begins where the stream stands. */
fp_json_writer fp_json_to(FILE *stream, size_t depth);

void fp_json_begin_object(fp_json_writer *to, const char *name);
void fp_json_end_object(fp_json_writer *to);
void fp_json_begin_array(fp_json_writer *to, const char *name);
void fp_json_end_array(fp_json_writer *to);

/* `text` is NULL where an allocation failed: remembered, and reported by fp_json_done. */
void fp_json_put_text(fp_json_writer *to, const char *name, const char *text);
void fp_json_put_string(fp_json_writer *to, const char *name, fp_string text);
void fp_json_put_count(fp_json_writer *to, const char *name, uint64_t value);
/* With the digits that make the same double again; null for NaN and the infinities, which JSON does not have. */
void fp_json_put_real(fp_json_writer *to, const char *name, double value);
/* A number as it is written already, or another value that is JSON. */
void fp_json_put_written(fp_json_writer *to, const char *name, const char *value);
void fp_json_put_null(fp_json_writer *to, const char *name);

/* FP_ERROR_MEMORY when a text was NULL. Errors of the stream stay with it: fp_output_close reports them. */
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
