/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plot.h - the pictures of a run, drawn by gnuplot from the tables that the run wrote.
 */
#ifndef FP_PLOT_H
#define FP_PLOT_H

#include "reports/analyses/analyses.h"
#include "reports/plots/picture.h"
#include "reports/runs/run_table.h"

/* How the pictures are drawn; a NULL pointer, or nothing set, is PNG and SVG, 1600 pixels wide, in both languages. */
typedef struct fp_plot_options {
    unsigned formats;     /* bit FP_PICTURE_PNG …; 0: PNG and SVG */
    const char *size;     /* "1200x900", "1200×900" or "1200", in pixels; "84mm"; "column", 84 mm wide; "page", 174 mm;
                             "slide",     16:9; NULL: 1600 pixels wide, as high as the figure is */
    const char *language; /* "en", "zh", "both"; NULL: both */
    const char *title;    /* over every picture, in place of its own; empty: none; NULL: its own */
    bool grey;            /* for print in black and white: greys, marks and kinds of lines tell arms apart */
    /* Told of each picture that could not be drawn: "plots/newswire-zh-thresholds.png". May be NULL. */
    void (*missing)(void *context, const char *name);
    void (*drawn)(void *context, const char *name); /* told of each picture that was drawn. May be NULL. */
    void *context;
    const fp_run_content *run; /* what was just written, in place of reading the tables and run.json; may be NULL */
    const fp_arena *like;      /* that never says that there is no memory, as fp_cli_arena; NULL: malloc */
} fp_plot_options;

/* Reads what a person writes, each NULL where nothing was written: formats "png,svg,pdf,tikz", a size (× is as good as
 * x), a language; the other members are 0. The texts are kept, not
 * copied. FP_ERROR_SYNTAX or FP_ERROR_RANGE says
 * which is wrong. */
fp_status fp_plot_options_read(const char *formats, const char *size, const char *language, fp_plot_options *options,
                               fp_error *error);

/* Writes a size with x for ×; `plain` has room for `text`. */
void fp_plot_size(const char *text, char *plain);

/* Draws figures of the run in `directory` into directory/plots: those that `names` names, a list that ends with NULL,
 * or all that its tables are there for (NULL). That is, of every corpus in results.tsv, the front of pareto.tsv, the
 * average ranks of ranks.tsv as corpora-ranks, the banding of banding.tsv as plan-banding, the designs of
 * designs.tsv as plan-designs, by-day.tsv and by-source.tsv of tracking as tracking-by_day and tracking-by_source,
 * cluster-sizes.tsv as cluster-sizes, robustness.tsv as study-robustness. It leaves there what gnuplot needs to draw
 * them again: the scripts of the figures; for each corpus a CORPUS-arms.gp that names its arms and says
 * where they stand in the tables; and for each picture a script of its name. Beside the tables only run.json is read,
 * where there is one: the confidence level, what is counted, what was asked of a plan.
 * Each file appears complete or not at all, and a picture only when it is one from its beginning to its end; the others
 * are drawn all the same, and the first error is returned. The environment variable FPLAB_FONT replaces the font.
 * Errors: FP_ERROR_TOOL when gnuplot or the font is missing (then nothing is written) or gnuplot fails;
 * FP_ERROR_UNKNOWN: there is no such figure; FP_ERROR_SYNTAX for a table that does not have the stated form;
 * FP_ERROR_IO, also when a table of a figure that was named is missing, or the tables are not those that run.json
 * names; FP_ERROR_EMPTY when there is nothing to draw. */
fp_status fp_plot_draw(const char *directory, const char *const *names, const fp_plot_options *options,
                       fp_error *error);

/* ---- The figures that there are; which of them a run has follows from its tables (plot_tables.c) ---- */

/* In the order in which they are drawn, those of reports/analyses among them; NULL behind the last. */
const fp_figure *fp_plot_figure_at(size_t at);

/* By name; a hyphen is as good as a low line. FP_ERROR_UNKNOWN with the nearest name. */
fp_status fp_plot_figure_find(const char *name, const fp_figure **figure, fp_error *error);

/* The name that a person reads and writes: "precision-recall". */
const char *fp_plot_figure_name(const fp_figure *figure, fp_arena *arena);

#endif
