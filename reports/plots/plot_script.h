/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plot_script.h - what gnuplot runs: the scripts that are part of the program, and for each corpus the arms to draw.
 */
#ifndef FP_PLOT_SCRIPT_H
#define FP_PLOT_SCRIPT_H

#include "reports/plots/gnuplot.h"
#include "reports/plots/plot_tables.h"

/* The begin of the names of a corpus's files: its name with characters that a file system, a shell or gnuplot could
 * misread replaced, and then a hash of the name behind it, so that two corpora never share a file. NULL when there is
 * no memory. */
char *fp_plot_stem(fp_string corpus, fp_arena *arena);

/* Writes the scripts of the figures, a list that ends with NULL, and what they share into `directory`. */
fp_status fp_plot_scripts_save(const char *directory, const char *const *figures, fp_arena *arena, fp_error *error);

/* Writes draw->arms for `count` arms of one corpus, from `arms` on, of the tables that were read; `confidence` of their
 * intervals, 0 when not known. */
fp_status fp_plot_arms_save(const fp_gnuplot *draw, const fp_plot_arms *all, const fp_plot_arm *arms, size_t count,
                            double confidence, fp_error *error);

#endif
