/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plain.h - runs of plain text, 64 bytes at a time, where the processor has the vectors for it (AVX-512 with VBMI2);
 * elsewhere runs are empty, and callers process single characters, as they do after a run. Plain text is printable
 * ASCII, line feeds, three-byte characters of UTF-8 in normal form, and full-width forms of ASCII.
 */
#ifndef FP_PLAIN_H
#define FP_PLAIN_H

#include "base/base.h"

typedef struct fp_plain_run {
    size_t read, written; /* bytes; a run ends between characters */
    /* No character with FP_FOLDS (normalise_table.h) is written before this byte; SIZE_MAX: none at all. */
    size_t folds;
} fp_plain_run;

/* Normalises the plain text at the start of `raw` into `out`, which needs room for as many bytes. Requires
 * fp_blocks_there(), like the next function. */
fp_plain_run fp_plain_normalise(const char *raw, size_t length, char *out);
/* The number of bytes at the start of valid normalised text that Han folding does not change. */
size_t fp_plain_unfolded(const char *text, size_t length);
#endif
