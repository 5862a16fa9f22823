/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plot.h - the pictures of an evaluation, drawn by gnuplot from the tables that the evaluation wrote.
 */
#ifndef FP_PLOT_H
#define FP_PLOT_H

#include "base/base.h"

/* The pictures of a corpus: "thresholds", "precision_recall", "histograms"; ended by NULL. */
extern const char *const fp_plot_figures[];

/* Draws every figure of every corpus in directory/results.tsv as PNG and SVG into directory/plots, and leaves there
 * what gnuplot needs to draw them again: the scripts, and for each corpus a CORPUS-arms.gp that names its arms and
 * says where they stand in the tables. Reads results.tsv, summary.tsv, curves.tsv and histograms.tsv, and the
 * confidence level from run.json where there is one. Each file appears complete or not at all. The environment
 * variable FPLAB_FONT replaces the font. Errors: FP_ERROR_TOOL when gnuplot or the font is missing (then nothing is
 * written) or gnuplot fails; FP_ERROR_SYNTAX for a table that does not have the stated form; FP_ERROR_IO. */
fp_status fp_plot_draw(const char *directory, fp_error *error);

/* Draws quality against bytes and against time from directory/pareto.tsv, which a tuning wrote, as PNG and SVG into directory/plots; the same rules and
 * errors. */
fp_status fp_plot_front_draw(const char *directory, fp_error *error);

/* Draws the average ranks of directory/ranks.tsv as directory/plots/corpora-ranks.png and .svg; the same rules and errors. */
fp_status fp_plot_ranks_draw(const char *directory, fp_error *error);

/* Where a picture is, seen from `directory`: "plots/newswire-zh-thresholds.png". `format` is "png" or "svg". NULL
 * when there is no memory. */
char *fp_plot_path(fp_string corpus, const char *figure, const char *format, fp_arena *arena);

#endif
