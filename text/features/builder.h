/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * builder.h - the buffer of units while it is being filled.
 */
#ifndef FP_BUILDER_H
#define FP_BUILDER_H

#include "base/base.h"

typedef struct fp_builder {
    char *buffer;
    size_t length;         /* bytes used */
    uint32_t *begin, *end; /* of each unit; contiguous units share one array: end = begin + 1 */
    size_t count;
} fp_builder;

/* Room for `bytes` and as many units as `units`; the two arrays are apart. */
fp_status fp_builder_open(fp_builder *made, size_t bytes, size_t units, fp_arena *arena, fp_error *error);
/* Room for `bytes` of units that follow each other without a gap. Whoever fills it sets begin[count] = length at the
 * end. */
fp_status fp_builder_open_contiguous(fp_builder *made, size_t bytes, fp_arena *arena, fp_error *error);

/* Appends a unit; there is room for it. */
void fp_builder_add(fp_builder *to, const char *data, size_t length);

/* Fills `to` with the characters of normalised text, white space folded; optionally without punctuation and symbols. */
fp_status fp_character_units(fp_string text, bool drop_punctuation, fp_arena *arena, fp_builder *to, fp_error *error);
/* Fills `to` with the sentences of normalised text that hold a letter or a digit, without white space at their ends;
 * `semicolon`: a semicolon ends one, too. */
fp_status fp_sentence_units(fp_string text, bool semicolon, fp_arena *arena, fp_builder *to, fp_error *error);

#endif
