/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plot_whole.h - where the arms of the front, and the one that is recommended, stand in pareto.tsv.
 */
#ifndef FP_PLOT_WHOLE_H
#define FP_PLOT_WHOLE_H

#include "corpora/json.h"
#include "reports/plots/gnuplot.h"
#include "reports/plots/plot_plan.h"
#include "reports/plots/plot_tables.h"
#include "reports/plots/plot_found.h"

typedef struct fp_plot_front_arm {
    fp_string label;
    size_t row; /* from 0 after the header */
    bool front, recommended;
} fp_plot_front_arm;

typedef struct fp_plot_front {
    fp_string corpus, objective;
    bool times_told; /* there is microseconds_most */
    size_t count;
    const fp_plot_front_arm *arms; /* in the order of the table */
} fp_plot_front;

/* Reads directory/pareto.tsv. Errors name file and line: FP_ERROR_IO, FP_ERROR_SYNTAX (a column is missing),
 * FP_ERROR_EMPTY (no arm on the front). */
fp_status fp_plot_front_read(const char *directory, fp_arena *arena, fp_plot_front *front, fp_error *error);

/* Writes draw->arms; `confidence` of the intervals, 0 when not known. */
fp_status fp_plot_front_save(const fp_gnuplot *draw, const fp_plot_front *front, double confidence, fp_error *error);

/* ---- what gnuplot is told of ranks.tsv. ---- */

typedef struct fp_plot_ranks {
    size_t count;
    const fp_string *labels; /* in the order of the table */
} fp_plot_ranks;

/* Reads directory/ranks.tsv. Errors name file and line: FP_ERROR_IO, FP_ERROR_SYNTAX (a column is missing),
 * FP_ERROR_EMPTY (fewer than two arms). */
fp_status fp_plot_ranks_read(const char *directory, fp_arena *arena, fp_plot_ranks *ranks, fp_error *error);

/* Writes draw->arms. */
fp_status fp_plot_ranks_save(const fp_gnuplot *draw, const fp_plot_ranks *ranks, fp_error *error);

/* ---- what `fplab robustness` found, as a heat map of arms and kinds of corruption. ---- */

/* The names in the order of the table, whose rows are arm by arm, kind by kind, rate by rate. */
typedef struct fp_plot_robustness {
    size_t arm_count, kind_count, rate_count;
    const fp_string *arms, *kinds, *kinds_zh, *rates;
} fp_plot_robustness;

/* Reads directory/robustness.tsv. Errors name file and line: FP_ERROR_IO, FP_ERROR_SYNTAX (a column is missing, or the
 * rows do not stand in that order), FP_ERROR_EMPTY: there is no row. */
fp_status fp_plot_robustness_read(const char *directory, fp_arena *arena, fp_plot_robustness *robustness,
                                  fp_error *error);
/* Writes draw->arms, what the script robustness.gp is told. */
fp_status fp_plot_robustness_save(const fp_gnuplot *draw, const fp_plot_robustness *robustness, fp_error *error);

/* ----
 * the figures of a whole run, each from a table of its own: ranks, tuning, plans, tracking, clusters,
 * robustness.
 */

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
