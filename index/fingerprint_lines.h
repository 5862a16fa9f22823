/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fingerprint_lines.h - reads bit fingerprints from a file, one a line, as `fplab fingerprint` prints them: in
 * hexadecimal with the highest bit first, alone or as the column "fingerprint" of tab-separated lines; without a
 * header, as the last column. If the first column is not the fingerprint, it is the id.
 */
#ifndef FP_FINGERPRINT_LINES_H
#define FP_FINGERPRINT_LINES_H

#include "base/base.h"

/* Valid until `take` returns. */
typedef struct fp_fingerprint_line {
    fp_string id;          /* empty: no id */
    const uint64_t *words; /* [⌈bits/64⌉] bit i is bit i % 64 of word i/64; those beyond are 0 */
    const char *file;
    size_t line; /* from 1 */
} fp_fingerprint_line;

typedef struct fp_fingerprint_lines {
    unsigned bits;
    fp_status (*take)(void *context, const fp_fingerprint_line *line, fp_error *error); /* an error ends the reading */
    fp_status (*pause)(void *context, fp_error *error); /* before each wait for more, and at the end; may be NULL */
    bool (*leave_out)(void *context, const fp_error *error); /* whether to skip a bad line; NULL: never */
    void *context;
} fp_fingerprint_lines;

/* "-": standard input. Unpacks gzip and Zstandard. FP_ERROR_SYNTAX and FP_ERROR_RANGE (another width, a line of more
 * than 64 KiB) with file and line, FP_ERROR_IO, and the errors of `take` and `pause`. */
fp_status fp_fingerprint_lines_read(const char *path, const fp_fingerprint_lines *how, const fp_arena *like,
                                    fp_error *error);

#endif
