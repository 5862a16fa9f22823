/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * conversion.h - conversion between simplified and traditional Chinese with OpenCC's dictionaries: the text is split
 * into the longest phrases from left to right, and each piece goes through the dictionaries in sequence. The result
 * equals OpenCC's; the pieces show every change.
 */
#ifndef FP_CONVERSION_H
#define FP_CONVERSION_H

#include "base/base.h"

/* Named after OpenCC's configurations. For Hong Kong OpenCC converts characters, but has no vocabulary. */
typedef enum fp_conversion {
    FP_TO_TRADITIONAL, /* s2t: OpenCC's standard */
    FP_TO_TAIWAN,      /* s2twp: Taiwan's characters and vocabulary */
    FP_TO_HONG_KONG,   /* s2hk: Hong Kong's characters */
    FP_TO_SIMPLIFIED   /* tw2sp: from Taiwan's characters and vocabulary */
} fp_conversion;

/* Some characters of the text and their replacement, which is equal if nothing changes. */
typedef struct fp_conversion_piece {
    fp_string from, to;
} fp_conversion_piece;

/* Converts valid UTF-8. The pieces cover the text from left to right, none longer than a phrase; they live in `arena`,
 * and point into the text and into constant tables. */
fp_status fp_convert(fp_string text, fp_conversion conversion, fp_arena *arena, const fp_conversion_piece **pieces,
                     size_t *count, fp_error *error);

#endif
