/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plot_banding.h - the S-curve of a banding as a picture.
 */
#ifndef FP_PLOT_BANDING_H
#define FP_PLOT_BANDING_H

#include "corpora/json.h"
#include "index/banding.h"
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

#endif
