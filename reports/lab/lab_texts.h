/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lab_texts.h - the places of units in a text, also as JavaScript counts them.
 */
#ifndef FP_LAB_TEXTS_H
#define FP_LAB_TEXTS_H

#include "algorithms/arms/arm.h"

/* Bytes of the normalised text. */
typedef struct fp_lab_place {
    uint32_t begin, end;
} fp_lab_place;

/* utf16[i]: the number of UTF-16 units in the first i bytes of the text; [text.length + 1], in `arena`. */
fp_status fp_lab_utf16(fp_string text, fp_arena *arena, const uint32_t **utf16, fp_error *error);

/* The place of every unit that features are made of, [units->count], in `arena`; NULL for pinyin initials, which are
 * not in the text. `text` has tokens. */
fp_status fp_lab_unit_places(const fp_arm *arm, const fp_text *text, const fp_units *units, fp_arena *arena,
                             const fp_lab_place **places, fp_error *error);

#endif
