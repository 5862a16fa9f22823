/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plot.h - the pictures of an evaluation, drawn by gnuplot from the tables that the evaluation wrote.
 */
#ifndef FP_PLOT_H
#define FP_PLOT_H

#include "reports/plots/picture.h"
#include "reports/plots/plot_tables.h"

/* A picture of a corpus, and the tables that it is drawn from (bit t: table t of plot_tables.h). */
typedef struct fp_plot_figure {
    const char *name; /* of the script, and in the names of the files */
    unsigned tables;
} fp_plot_figure;

/* The pictures of every evaluation: "thresholds", "precision_recall", "histograms". */
enum { FP_PLOT_USUAL = 3 };
extern const fp_plot_figure fp_plot_usual[FP_PLOT_USUAL];

/* How the pictures are drawn; a NULL pointer, or nothing set, is PNG and SVG, 1600 pixels wide, in both languages. */
typedef struct fp_plot_options {
    unsigned formats;     /* bit FP_PICTURE_PNG …; 0: PNG and SVG */
    const char *size;     /* "1200x900" or "1200", in pixels; NULL: as large as the figure is */
    const char *language; /* "en", "zh", "both"; NULL: both */
    /* Told of each picture that could not be drawn: "plots/newswire-zh-thresholds.png". May be NULL. */
    void (*missing)(void *context, const char *name);
    void *context;
} fp_plot_options;

/* Reads what a person writes, each NULL where nothing was written: formats "png,svg,pdf", a size, a language. The texts
 * are kept, not copied. FP_ERROR_SYNTAX or FP_ERROR_RANGE says which is wrong. */
fp_status fp_plot_options_read(const char *formats, const char *size, const char *language, fp_plot_options *options,
                               fp_error *error);

/* Draws `count` figures of every corpus in directory/results.tsv into directory/plots, and leaves there what gnuplot
 * needs to draw them again: the scripts of the figures; for each corpus a CORPUS-arms.gp that names its arms and says
 * where they stand in the tables; and for each picture a script of its name. Reads results.tsv and the tables of the
 * figures, and the confidence level from run.json where there is one. Each file appears complete or not at all, and a
 * picture only when it is one from its beginning to its end; the others are drawn all the same, and the first error is
 * returned. The environment variable FPLAB_FONT replaces the font. Errors: FP_ERROR_TOOL when gnuplot or the font is
 * missing (then nothing is written) or gnuplot fails; FP_ERROR_SYNTAX for a table that does not have the stated form;
 * FP_ERROR_IO, also when the tables are not those that run.json names. */
fp_status fp_plot_draw(const char *directory, const fp_plot_figure *figures, size_t count,
                       const fp_plot_options *options, fp_error *error);

/* Draws quality against bytes and against time from directory/pareto.tsv, which a tuning wrote, into directory/plots;
 * the same rules and errors. */
fp_status fp_plot_front_draw(const char *directory, const fp_plot_options *options, fp_error *error);

/* Draws the average ranks of directory/ranks.tsv as directory/plots/corpora-ranks; the same rules and errors. */
fp_status fp_plot_ranks_draw(const char *directory, const fp_plot_options *options, fp_error *error);

/* Where a picture is, seen from `directory`: "plots/newswire-zh-thresholds.png". `format` is "png", "svg" or "pdf".
 * NULL when there is no memory. */
char *fp_plot_path(fp_string corpus, const char *figure, const char *format, fp_arena *arena);

#endif
