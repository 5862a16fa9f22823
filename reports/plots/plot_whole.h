/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plot_whole.h - the figures of a whole run, each from a table of its own: ranks, tuning, plans, tracking, clusters,
 * robustness.
 */
#ifndef FP_PLOT_WHOLE_H
#define FP_PLOT_WHOLE_H

#include "corpora/json.h"
#include "reports/plots/plot_banding.h"
#include "reports/plots/plot_designs.h"
#include "reports/plots/plot_figures.h"
#include "reports/plots/plot_front.h"
#include "reports/plots/plot_ranks.h"
#include "reports/plots/plot_robustness.h"
#include "reports/plots/plot_tracking.h"

/* What was read of them; 0 of a table that was not. */
typedef struct fp_plot_whole {
    fp_plot_front front;
    fp_plot_ranks ranks;
    fp_plot_banding banding;
    fp_plot_designs designs;
    fp_plot_by_day days;
    fp_plot_by_source sources;
    fp_plot_sizes sizes;
    fp_plot_robustness robustness;
} fp_plot_whole;

/* Reads one table of plot_tables.h that is of no arm in particular, from FP_PLOT_ARM_TABLES on. Errors are those of its
 * reader; FP_ERROR_EMPTY: it has nothing to show. */
fp_status fp_plot_whole_read(fp_plot_whole *whole, int table, const char *directory, fp_arena *arena, fp_error *error);

/* Whether a table that may have nothing to show has nothing. */
bool fp_plot_whole_is_empty(const fp_plot_whole *whole, int table);

/* Reads what the member `definitions` of run.json says of them. FP_ERROR_SYNTAX, FP_ERROR_RANGE. */
fp_status fp_plot_whole_define(fp_plot_whole *whole, const fp_json *definitions, fp_error *error);

/* Draws the figure of one of the tables that were read, under a name that no corpus has; `confidence` of the intervals,
 * 0 when not known. */
fp_status fp_plot_whole_draw(const fp_plot_whole *whole, fp_gnuplot *draw, const fp_figure *figure, double confidence,
                             fp_error *error);

#endif
