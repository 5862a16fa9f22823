/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plot.h - draws the pictures of a run with gnuplot, from the tables of the run.
 */
#ifndef FP_PLOT_H
#define FP_PLOT_H

#include "reports/analyses/analyses.h"
#include "reports/plots/picture.h"
#include "reports/runs/run_table.h"

/* How to draw pictures. NULL or zeroed: PNG and SVG, 1600 pixels wide, in both languages. */
typedef struct fp_plot_options {
    unsigned formats;     /* bit FP_PICTURE_PNG …; 0: PNG and SVG */
    const char *size;     /* "1200x900", "1200×900" or "1200", in pixels; "84mm"; "column", 84 mm wide; "page", 174 mm;
                           * "slide", 16:9; NULL: 1600 pixels wide, with the figure's own height */
    const char *language; /* "en", "zh", "both"; NULL: both */
    const char *title;    /* replaces every picture's title; empty: no title; NULL: the default */
    bool grey;            /* for black-and-white print: greys, markers and line styles distinguish the arms */
    /* Called for each picture that could not be drawn ("plots/newswire-zh-thresholds.png"), or was. May be NULL. */
    void (*missing)(void *context, const char *name), (*drawn)(void *context, const char *name);
    void *context;
    const fp_run_content *run; /* content of a run just written, used instead of its tables and run.json; may be NULL */
    const fp_arena *like;      /* arena whose allocations never return NULL, as fp_cli_arena; NULL: malloc */
} fp_plot_options;

/* Parses options, each NULL if not given: formats "png,svg,pdf,tikz", a size (× or x), a language; the other members
 * become 0. The texts are not copied. FP_ERROR_SYNTAX, FP_ERROR_RANGE: the message names the invalid option. */
fp_status fp_plot_options_read(const char *formats, const char *size, const char *language, fp_plot_options *options,
                               fp_error *error);

/* Writes a size with x for ×; `plain` has room for `text`. */
void fp_plot_size(const char *text, char *plain);

/* Draws figures of the run in `directory` (figures.def) into directory/plots: those in `names`, ended by NULL, or all
 * whose tables exist (NULL). Also writes what gnuplot needs to redraw them: the scripts of the figures, their data
 * (CORPUS-arms.gp), and for each picture a script of its name. Apart from tables it reads only run.json, if it exists.
 * A file or picture appears complete or not at all; after a failure the others are still drawn, and the first error is
 * returned. FPLAB_FONT in the environment replaces the font.
 * FP_ERROR_TOOL: gnuplot or the font is missing (nothing is written), or gnuplot fails. FP_ERROR_UNKNOWN: no such
 * figure. FP_ERROR_SYNTAX: a table without the stated form. FP_ERROR_IO, also if a table of a named figure is missing.
 * FP_ERROR_EMPTY: nothing to draw. The caller checks that the tables match run.json. */
fp_status fp_plot_draw(const char *directory, const char *const *names, const fp_plot_options *options,
                       fp_error *error);

/* All figures in drawing order, including those of reports/analyses; NULL after the last. */
const fp_figure *fp_plot_figure_at(size_t at);

/* By name; hyphens and underscores are equivalent. FP_ERROR_UNKNOWN names the nearest figure. */
fp_status fp_plot_figure_find(const char *name, const fp_figure **figure, fp_error *error);

/* The name for people: "precision-recall". */
const char *fp_plot_figure_name(const fp_figure *figure, fp_arena *arena);

#endif
