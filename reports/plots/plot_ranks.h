/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plot_ranks.h - what gnuplot is told of ranks.tsv.
 */
#ifndef FP_PLOT_RANKS_H
#define FP_PLOT_RANKS_H

#include "reports/plots/gnuplot.h"

typedef struct fp_plot_ranks {
    size_t count;
    const fp_string *labels; /* in the order of the table */
} fp_plot_ranks;

/* Reads directory/ranks.tsv. Errors name file and line: FP_ERROR_IO, FP_ERROR_SYNTAX (a column is missing),
 * FP_ERROR_EMPTY (fewer than two arms). */
fp_status fp_plot_ranks_read(const char *directory, fp_arena *arena, fp_plot_ranks *ranks, fp_error *error);

/* Writes draw->arms. */
fp_status fp_plot_ranks_save(const fp_gnuplot *draw, const fp_plot_ranks *ranks, fp_error *error);

#endif
