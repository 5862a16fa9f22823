/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gnuplot.h - gnuplot and its font, and a figure drawn by it in every format that is asked for.
 */
#ifndef FP_GNUPLOT_H
#define FP_GNUPLOT_H

#include "reports/plots/plot.h"

/* gnuplot 5.4 or later, and a font that has Chinese characters. FP_ERROR_TOOL says which package has what is missing;
 * FP_ERROR_RANGE: FPLAB_FONT is no name of a font. */
fp_status fp_gnuplot_check(fp_arena *arena, fp_error *error);

/* What is drawn: pictures STEM-FIGURE in `directory`, of what the script `arms` describes there. */
typedef struct fp_gnuplot {
    const char *directory;
    const char *stem;
    const char *arms;
    const fp_plot_options *options; /* not NULL */
    fp_arena *arena;
} fp_gnuplot;

/* Draws a figure in every format, and writes the script that has the name of the pictures. A picture that is not whole
 * is removed and told to options->missing; the others are drawn all the same. The first error is returned. */
fp_status fp_gnuplot_draw(const fp_gnuplot *draw, const char *figure, fp_error *error);

/* The head of every script that describes arms: where it stands (`here`), and the settings of `options` as defaults. */
fp_status fp_gnuplot_head(FILE *stream, const fp_plot_options *options, fp_arena *arena, fp_error *error);

/* Writes draw->arms for a script FIGURE.gp that is told of a whole run: how it is drawn by hand, the head, and what
 * `write` writes of `of`. The file appears complete or not at all. */
typedef fp_status (*fp_gnuplot_write)(FILE *stream, const fp_gnuplot *draw, const void *of, fp_error *error);
fp_status fp_gnuplot_describe(const fp_gnuplot *draw, const char *figure, fp_gnuplot_write write, const void *of,
                              fp_error *error);

#endif
