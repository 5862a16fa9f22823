/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plot_figures.h - the figures that there are, and which of them a run has: that follows from its tables.
 */
#ifndef FP_PLOT_FIGURES_H
#define FP_PLOT_FIGURES_H

#include "base/base.h"

typedef struct fp_plot_figure {
    const char *name;    /* of the script, and in the names of the files: "precision_recall" */
    unsigned tables;     /* that it is drawn from (bit t: table t of plot_tables.h) */
    const char *summary; /* one line */
} fp_plot_figure;

/* In the order in which they are drawn; ended by a NULL name. */
extern const fp_plot_figure fp_plot_figures[];

/* By name; a hyphen is as good as a low line. FP_ERROR_UNKNOWN with the nearest name. */
fp_status fp_plot_figure_find(const char *name, const fp_plot_figure **figure, fp_error *error);

/* The name that a person reads and writes: "precision-recall". NULL when there is no memory. */
const char *fp_plot_figure_name(const fp_plot_figure *figure, fp_arena *arena);

/* The names of its tables, "summary, curves". NULL when there is no memory. */
const char *fp_plot_figure_tables(const fp_plot_figure *figure, fp_arena *arena);

#endif
