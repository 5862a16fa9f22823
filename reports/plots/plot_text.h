/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plot_text.h - what the tables of a run say, as texts of a picture.
 */
#ifndef FP_PLOT_TEXT_H
#define FP_PLOT_TEXT_H

#include "base/base.h"

/* A name as text for a picture: control characters are blanks; bytes that are not UTF-8, characters that XML does not
 * have (U+FFFE, U+FFFF) and those that turn the direction of what follows (UAX 9: U+202A–202E, U+2066–2069) are U+FFFD.
 * NULL data when there is no memory. */
fp_string fp_plot_text(fp_string field, fp_arena *arena);

/* A gnuplot string constant; NULL when there is no memory. `text` holds no control characters. */
char *fp_plot_quote(fp_string text, fp_arena *arena);

/* Both: a field as a gnuplot string constant. A ">" behind "]]", which ends a CDATA section and may not stand in the
 * text of an SVG, gets a word joiner (U+2060) before it, which cannot be seen: gnuplot does not escape it. */
char *fp_plot_quote_field(fp_string field, fp_arena *arena);

/* Writes "array NAME[count] = […]" for `count` fields, `stride` bytes apart. */
fp_status fp_plot_write_texts(FILE *stream, const char *name, const fp_string *fields, size_t count, size_t stride,
                              fp_arena *arena, fp_error *error);

/* Writes "array NAME[count] = […]", as reals, for `count` > 0 numbers, `stride` bytes apart. */
void fp_plot_write_counts(FILE *stream, const char *name, const uint64_t *counts, size_t count, size_t stride);

#endif
