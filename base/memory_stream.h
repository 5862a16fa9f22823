/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * memory_stream.h - a stream into memory that tells when there was too little. That of the C library does not: what
 * open_memstream of glibc cannot keep it forgets, and neither ferror nor fclose says so.
 */
#ifndef FP_MEMORY_STREAM_H
#define FP_MEMORY_STREAM_H

#include "base/base.h"

/* Stays where it is while it is open. */
typedef struct fp_memory_stream {
    FILE *stream; /* to write to */
    char *text;   /* what was written, once it is closed: with NUL behind it, of malloc, the caller's to free */
    size_t length, room;
    bool failed;
} fp_memory_stream;

/* FP_ERROR_MEMORY: nothing is open. */
fp_status fp_memory_stream_open(fp_memory_stream *to, fp_error *error);

/* Closes it. FP_ERROR_MEMORY where not all could be kept: then there is no text. */
fp_status fp_memory_stream_close(fp_memory_stream *to, fp_error *error);

/* Closes it and forgets what was written; what is closed or was never opened (zeros), too. */
void fp_memory_stream_discard(fp_memory_stream *to);

#endif
