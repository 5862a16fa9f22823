/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plot_plan.h - the S-curve of a banding as a picture.
 */
#ifndef FP_PLOT_PLAN_H
#define FP_PLOT_PLAN_H

#include "corpora/json.h"
#include "pairs/banding.h"
#include "reports/plots/gnuplot.h"

typedef struct fp_plot_banding {
    fp_banding_goal goal; /* of which the weights are not read */
    size_t count;
    const fp_banding *choices; /* [count] the chosen one first */
} fp_plot_banding;

/* Reads the choices of directory/banding.tsv. Errors name file and line: FP_ERROR_IO, FP_ERROR_SYNTAX (a column is
 * missing, or no number), FP_ERROR_EMPTY. */
fp_status fp_plot_banding_read(const char *directory, fp_arena *arena, fp_plot_banding *banding, fp_error *error);

/* Reads the goal from the member `definitions` of run.json. FP_ERROR_SYNTAX, FP_ERROR_RANGE. */
fp_status fp_plot_banding_define(fp_plot_banding *banding, const fp_json *definitions, fp_error *error);

/* Writes draw->arms, what the script banding.gp is told. */
fp_status fp_plot_banding_save(const fp_gnuplot *draw, const fp_plot_banding *banding, fp_error *error);

/* ---- designs of an index by memory and time, as a picture. ---- */

typedef struct fp_plot_design {
    fp_string label;
    bool front, recommended;
} fp_plot_design;

typedef struct fp_plot_designs {
    size_t count;
    const fp_plot_design *rows;                      /* [count] in the order of the table */
    double bits, distance, fingerprints, most_bytes; /* of run.json; most_bytes 0: no limit */
} fp_plot_designs;

/* Reads directory/designs.tsv. Errors name file and line: FP_ERROR_IO, FP_ERROR_SYNTAX (a column is missing),
 * FP_ERROR_EMPTY. */
fp_status fp_plot_designs_read(const char *directory, fp_arena *arena, fp_plot_designs *designs, fp_error *error);

/* Reads what was asked for from the member `definitions` of run.json. FP_ERROR_SYNTAX. */
fp_status fp_plot_designs_define(fp_plot_designs *designs, const fp_json *definitions, fp_error *error);

/* Writes draw->arms, what the script designs.gp is told. */
fp_status fp_plot_designs_save(const fp_gnuplot *draw, const fp_plot_designs *designs, fp_error *error);

#endif
