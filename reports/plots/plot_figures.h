/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plot_figures.h - the figures that there are, and which of them a run has: that follows from its tables.
 */
#ifndef FP_PLOT_FIGURES_H
#define FP_PLOT_FIGURES_H

#include "eval/evaluation/analysis.h"

/* In the order in which they are drawn, those of reports/analyses among them; NULL behind the last. */
const fp_figure *fp_plot_figure_at(size_t at);

/* By name; a hyphen is as good as a low line. FP_ERROR_UNKNOWN with the nearest name. */
fp_status fp_plot_figure_find(const char *name, const fp_figure **figure, fp_error *error);

/* The name that a person reads and writes: "precision-recall". NULL when there is no memory. */
const char *fp_plot_figure_name(const fp_figure *figure, fp_arena *arena);

#endif
