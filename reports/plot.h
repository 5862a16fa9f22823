/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plot.h - the pictures of an evaluation, drawn by gnuplot from the tables that the evaluation wrote.
 */
#ifndef FP_PLOT_H
#define FP_PLOT_H

#include "reports/plot_tables.h"

/* A picture of a corpus, and the tables that it is drawn from (bit t: table t of plot_tables.h). */
typedef struct fp_plot_figure {
    const char *name; /* of the script, and in the names of the files */
    unsigned tables;
} fp_plot_figure;

/* The pictures of every evaluation: "thresholds", "precision_recall", "histograms". */
enum { FP_PLOT_USUAL = 3 };
extern const fp_plot_figure fp_plot_usual[FP_PLOT_USUAL];

/* Draws `count` figures of every corpus in directory/results.tsv as PNG and SVG into directory/plots, and leaves there
 * what gnuplot needs to draw them again: the scripts, and for each corpus a CORPUS-arms.gp that names its arms and
 * says where they stand in the tables. Reads results.tsv and the tables of the figures, and the
 * confidence level from run.json where there is one. Each file appears complete or not at all. The environment
 * variable FPLAB_FONT replaces the font. Errors: FP_ERROR_TOOL when gnuplot or the font is missing (then nothing is
 * written) or gnuplot fails; FP_ERROR_SYNTAX for a table that does not have the stated form; FP_ERROR_IO. */
fp_status fp_plot_draw(const char *directory, const fp_plot_figure *figures, size_t count, fp_error *error);

/* Draws quality against bytes and against time from directory/pareto.tsv, which a tuning wrote, as PNG and SVG into
 * directory/plots; the same rules and errors. */
fp_status fp_plot_front_draw(const char *directory, fp_error *error);

/* Draws the average ranks of directory/ranks.tsv as directory/plots/corpora-ranks.png and .svg; the same rules and
 * errors. */
fp_status fp_plot_ranks_draw(const char *directory, fp_error *error);

/* Where a picture is, seen from `directory`: "plots/newswire-zh-thresholds.png". `format` is "png" or "svg". NULL
 * when there is no memory. */
char *fp_plot_path(fp_string corpus, const char *figure, const char *format, fp_arena *arena);

#endif
