/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * memory_stream.h - a stream into memory that reports lack of memory. glibc's open_memstream does not: it drops what it
 * cannot store, and neither ferror nor fclose fails.
 */
#ifndef FP_MEMORY_STREAM_H
#define FP_MEMORY_STREAM_H

#include "base/base.h"

/* Must not move while it is open. */
typedef struct fp_memory_stream {
    FILE *stream; /* to write to */
    char *text;   /* the written text, valid after closing: NUL-terminated, allocated by malloc; the caller frees it */
    size_t length, room;
    bool failed;
} fp_memory_stream;

/* On FP_ERROR_MEMORY nothing is open. */
fp_status fp_memory_stream_open(fp_memory_stream *to, fp_error *error);

/* Closes it. FP_ERROR_MEMORY if the text is incomplete: then there is no text. */
fp_status fp_memory_stream_close(fp_memory_stream *to, fp_error *error);

/* Closes it and discards the text. Accepts a closed stream, and one that was never opened (zeros). */
void fp_memory_stream_discard(fp_memory_stream *to);

#endif
