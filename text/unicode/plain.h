/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plain.h - runs of plain text, 64 bytes at a time, where the processor has the vectors for it (AVX-512 with VBMI2);
 * elsewhere nothing is taken, and callers go character by character as they do behind a run. Plain are printable ASCII,
 * line feeds, characters of three bytes of UTF-8 that are their own normal form, and full-width forms of ASCII.
 */
#ifndef FP_PLAIN_H
#define FP_PLAIN_H

#include "base/base.h"

/* A flag of fp_table_plain beside the class of normalisation (normalise_table.h): Han folding changes the character or
 * asks what stands around it. */
enum { FP_FOLDS = 16 };
extern const uint8_t fp_table_plain[0x10000];

typedef struct fp_plain_run {
    size_t read, written; /* bytes; a run ends between characters */
    size_t folds;         /* no character with the flag is written before this byte; SIZE_MAX: none at all */
} fp_plain_run;

/* Normalises the plain text at the start of `raw` into `out`, which has room for as many bytes. This and the
 * next want fp_blocks_there(). */
fp_plain_run fp_plain_normalise(const char *raw, size_t length, char *out);
/* Bytes at the start of valid normalised text that Han folding leaves alone. */
size_t fp_plain_unfolded(const char *text, size_t length);
#endif
