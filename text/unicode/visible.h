/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * visible.h - makes untrusted text safe to display: it cannot control a terminal or change the direction of the text
 * after it.
 */
#ifndef FP_VISIBLE_H
#define FP_VISIBLE_H

#include "base/base.h"

/* Whether the code point is a control character (C0, DEL, C1) or changes the direction of text (Unicode Standard Annex
 * 9: U+061C, U+200E, U+200F, U+202A–U+202E, U+2066–U+2069). */
bool fp_is_control(uint32_t code);

/* The most bytes that fp_visible_next writes, NUL included. */
enum { FP_VISIBLE_MOST = 8 };

/* Writes the first code point of `rest`, which is not empty, unchanged, or, if fp_is_control, as \t, \n, \r, \x1b,
 * \u009b or \u202e; a byte that is not valid UTF-8 as \xff. *taken: its bytes in `rest`. Returns the number of bytes
 * written. */
size_t fp_visible_next(fp_string rest, size_t *taken, char *to);

/* The text as fp_visible_next writes it. `text` itself if nothing changes; else in `arena`, NUL-terminated; data NULL
 * when out of memory. */
fp_string fp_visible(fp_string text, fp_arena *arena);

/* Whether a spreadsheet would treat a field with this text as a formula: it begins with = + - or @, or a full-width
 * form of these (OWASP, CSV injection). */
bool fp_begins_formula(fp_string text);

#endif
