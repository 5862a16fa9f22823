/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * normalise_stretch.h - NFKC_Casefold of a short stretch of text through ICU, for what a table of single code points
 * cannot say.
 */
#ifndef FP_NORMALISE_STRETCH_H
#define FP_NORMALISE_STRETCH_H

#include "base/base.h"

enum { FP_STRETCH_SOURCE = 128, FP_STRETCH_NORMAL = 512 };

/* Room for the usual stretch, on the caller's stack. */
typedef struct fp_stretch {
    uint16_t source[FP_STRETCH_SOURCE];
    uint16_t normal[FP_STRETCH_NORMAL];
} fp_stretch;

/* Normalises valid UTF-8 to UTF-16, in `room` or, when it is long, in `arena`. Takes time proportional to n·log n at
 * worst, also for a hostile pile of combining marks. */
fp_status fp_normalise_stretch(fp_string text, fp_stretch *room, fp_arena *arena, const uint16_t **units, size_t *count,
                               fp_error *error);

#endif
