/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * visible.h - text that may come from anywhere, as it can be shown to a person: nothing in it commands a terminal or
 * turns the direction of what stands behind it.
 */
#ifndef FP_VISIBLE_H
#define FP_VISIBLE_H

#include "base/base.h"

/* Whether the code point is a control character (C0, DEL, C1) or turns the direction of text (Unicode Standard Annex
 * 9: U+061C, U+200E, U+200F, U+202A–U+202E, U+2066–U+2069). */
bool fp_is_control(uint32_t code);

/* The bytes that fp_visible_code writes at most. */
enum { FP_VISIBLE_MOST = 8 };

/* Writes a code point as it is, or, where fp_is_control, as \t, \n, \r, \x1b, \u009b or \u202e. Returns the bytes
 * written, at most FP_VISIBLE_MOST. */
size_t fp_visible_code(uint32_t code, char *to);

/* The text with every code point as fp_visible_code writes it, and every byte that is not valid UTF-8 as \xff. `text`
 * itself where that changes nothing; else in `arena`, with a NUL behind it; data NULL when there is no memory. */
fp_string fp_visible(fp_string text, fp_arena *arena);

/* Whether a spreadsheet would take a field of that text for a formula: it begins with = + - or @, or with one of them
 * in full width (OWASP, CSV injection). */
bool fp_begins_formula(fp_string text);

#endif
