/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fingerprint_lines.h - bit fingerprints of a file, one a line, as `fplab fingerprint` prints them: in hexadecimal with
 * the highest bit first, alone, or as the column "fingerprint" of tab-separated lines; without a header, as the last
 * one. What stands in the first column beside it is the id.
 */
#ifndef FP_FINGERPRINT_LINES_H
#define FP_FINGERPRINT_LINES_H

#include "base/base.h"

/* Lasts until `take` returns. */
typedef struct fp_fingerprint_line {
    fp_string id;          /* empty: none stands there */
    const uint64_t *words; /* [⌈bits/64⌉] bit i is bit i % 64 of word i/64; those beyond are 0 */
    const char *file;
    size_t line; /* from 1 */
} fp_fingerprint_line;

typedef struct fp_fingerprint_lines {
    unsigned bits;
    fp_status (*take)(void *context, const fp_fingerprint_line *line, fp_error *error); /* an error ends the reading */
    fp_status (*pause)(void *context, fp_error *error); /* before each wait for more, and at the end; may be NULL */
    bool (*leave_out)(void *context, const fp_error *error); /* whether a bad line is passed over; NULL: none is */
    void *context;
} fp_fingerprint_lines;

/* "-": standard input; gzip and Zstandard are unpacked. FP_ERROR_SYNTAX and FP_ERROR_RANGE (another width, a line of
 * more than 64 KiB) with file and line, FP_ERROR_IO, and what `take` and `pause` return. */
fp_status fp_fingerprint_lines_read(const char *path, const fp_fingerprint_lines *how, const fp_arena *like,
                                    fp_error *error);

#endif
