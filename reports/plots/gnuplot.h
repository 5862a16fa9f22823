/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gnuplot.h - gnuplot and its font, and a figure drawn by it in every format that is asked for.
 */
#ifndef FP_GNUPLOT_H
#define FP_GNUPLOT_H

#include "base/base.h"
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

/* Writes draw->arms: the script that says what FIGURE.gp, and others, draw. It has a title, how it is drawn by hand,
 * where it stands (`here`), the settings of `options` as defaults, and `told`. The file appears complete or not at all.
 */
fp_status fp_gnuplot_describe(const fp_gnuplot *draw, const char *title, const char *figure, const char *told,
                              fp_error *error);

/* ---- running another program without a shell. ---- */

typedef struct fp_tool {
    const char *const *arguments; /* ended by NULL; the first is the program, looked for in PATH */
    const char *directory;        /* where it runs; NULL: here */
    const char *package;          /* the Debian package that has it, for the message when it is missing */
    bool errors;                  /* capture standard error; else standard output. The other stream is dropped, */
    bool shows;                   /* … or, when it is standard error, shown to the user */
    char output[4096];            /* what was captured: its beginning, NUL-terminated */
    int status;                   /* exit status; 128 + signal when a signal ended it */
} fp_tool;

/* Runs the program to its end with an empty standard input and LC_ALL=C.UTF-8, and fills `output` and `status`.
 * FP_ERROR_TOOL when it is not there. A status other than 0 is for the caller to judge. */
fp_status fp_tool_run(fp_tool *tool, fp_error *error);

#endif
