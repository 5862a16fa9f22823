/* SPDX-License-Identifier: GPL-3.0-or-later
 * A stream into memory that reports lack of memory. */
#include "base/memory_stream.h"

#include <stdlib.h>
#include <string.h>

/* A cookie_write_function_t: 0 is a failure. */
static ssize_t keep(void *cookie, const char *bytes, size_t count) {
    fp_memory_stream *to = cookie;
    to->failed |= count > SIZE_MAX / 2 - to->length ||
                  FP_MEMORY_ROOM(NULL, to->text, to->length + count, to->room, NULL) != FP_OK;
    if (to->failed) return 0;
    memcpy(to->text + to->length, bytes, count);
    to->length += count;
    to->text[to->length] = '\0';
    return (ssize_t)count;
}

fp_status fp_memory_stream_open(fp_memory_stream *to, fp_error *error) {
    *to = (fp_memory_stream){0};
    FP_TRY(FP_MEMORY_ROOM(NULL, to->text, 0, to->room, error));
    *to->text = '\0';
    to->stream = fopencookie(to, "w", (cookie_io_functions_t){.write = keep});
    if (to->stream) return FP_OK;
    fp_memory_stream_discard(to);
    return fp_no_memory(error);
}

fp_status fp_memory_stream_close(fp_memory_stream *to, fp_error *error) {
    bool failed = ferror(to->stream) != 0;
    failed |= fclose(to->stream) != 0;
    to->stream = NULL;
    if (!failed && !to->failed) return FP_OK;
    fp_memory_stream_discard(to);
    return fp_no_memory(error);
}

void fp_memory_stream_discard(fp_memory_stream *to) {
    if (to->stream) fclose(to->stream);
    free(to->text);
    *to = (fp_memory_stream){0};
}
