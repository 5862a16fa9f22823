/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plot_script.h - what gnuplot runs: the scripts that are part of the program, and for each corpus the arms to draw.
 */
#ifndef FP_PLOT_SCRIPT_H
#define FP_PLOT_SCRIPT_H

#include "base/base.h"
#include "reports/plots/gnuplot.h"
#include "reports/plots/plot_tables.h"

/* The begin of the names of a corpus's files: its name with characters that a file system, a shell or gnuplot could
 * misread replaced, and then a hash of the name behind it, so that two corpora never share a file. */
char *fp_plot_stem(fp_string corpus, fp_arena *arena);

/* Writes the scripts of the figures, a list that ends with NULL, and what they share into `directory`. */
fp_status fp_plot_scripts_save(const char *directory, const char *const *figures, fp_arena *arena, fp_error *error);

/* Writes draw->arms for `count` arms of one corpus, from `arms` on, of the tables that were read; `confidence` of their
 * intervals, 0 when not known. */
fp_status fp_plot_arms_save(const fp_gnuplot *draw, const fp_plot_arms *all, const fp_plot_arm *arms, size_t count,
                            double confidence, fp_error *error);

/* ---- what the tables of a run say, as texts of a picture. ---- */

/* A name as text for a picture: control characters are blanks; bytes that are not UTF-8, characters that XML does not
 * have (U+FFFE, U+FFFF) and those that turn the direction of what follows (UAX 9: U+202A–202E, U+2066–2069) are U+FFFD.
 */
fp_string fp_plot_text(fp_string field, fp_arena *arena);

/* A gnuplot string constant; `text` holds no control characters. */
char *fp_plot_quote(fp_string text, fp_arena *arena);

/* Both: a field as a gnuplot string constant. A ">" behind "]]", which ends a CDATA section and may not stand in the
 * text of an SVG, gets a word joiner (U+2060) before it, which cannot be seen: gnuplot does not escape it. */
char *fp_plot_quote_field(fp_string field, fp_arena *arena);

/* Writes "array NAME[count] = […]" for `count` fields, `stride` bytes apart. */
void fp_plot_write_texts(FILE *stream, const char *name, const fp_string *fields, size_t count, size_t stride,
                         fp_arena *arena);

/* Writes "array NAME[count] = […]", as reals, for `count` > 0 numbers, `stride` bytes apart. */
void fp_plot_write_counts(FILE *stream, const char *name, const uint64_t *counts, size_t count, size_t stride);

#endif
