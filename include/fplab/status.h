/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fplab/status.h - status codes and error records.
 */
#ifndef FPLAB_STATUS_H
#define FPLAB_STATUS_H 1

#include <stddef.h>
#include <fplab/version.h>

FP_BEGIN

typedef enum fp_status {
    FP_OK = 0,
    FP_ERROR_MEMORY,    /* no memory left, or a size overflowed */
    FP_ERROR_IO,        /* a file cannot be opened, read or written */
    FP_ERROR_ENCODING,  /* bytes that are not valid in the stated encoding */
    FP_ERROR_SYNTAX,    /* a row, a number or an arm that cannot be parsed */
    FP_ERROR_UNKNOWN,   /* an unknown name: algorithm, parameter, document id */
    FP_ERROR_RANGE,     /* a value outside its bounds */
    FP_ERROR_DUPLICATE, /* a name that must be unique is repeated */
    FP_ERROR_EMPTY,     /* nothing to work on */
    FP_ERROR_ABI,       /* a plug-in, a struct or a file of another version */
    FP_ERROR_TOOL,      /* an outside program is missing or failed */
    FP_ERROR_CANCELLED  /* fp_progress.cancel was set */
} fp_status;

/* Where and why a call failed. `file` is empty if no file is involved; `line` counts from 1, `byte` is an offset from 0
 * within the file; both are SIZE_MAX if they do not apply. Owned by the caller; never allocated. */
typedef struct fp_error {
    fp_status code;
    size_t line;
    size_t byte;
    char message[512];
    char file[512];
} fp_error;

/* Fills *error (which may be NULL) with a printf-style message and no place, and returns `code`. */
fp_status fp_fail(fp_error *error, fp_status code, const char *format, ...) FP_PRINTF(3, 4);

/* Adds a place to *error (which may be NULL), which fp_fail or another call has filled. Pass SIZE_MAX for a line or
 * byte that does not apply. Returns `code`, the status of the failed call:
 *
 *     return fp_at(error, fp_fail(error, FP_ERROR_SYNTAX, "a row of three fields"), path, line, SIZE_MAX); */
fp_status fp_at(fp_error *error, fp_status code, const char *file, size_t line, size_t byte);

/* The lower-case English name of a status: "ok", "io", "encoding", … Static storage. */
const char *fp_status_name(fp_status status);

FP_END

#endif
