/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plot_front.h - where the arms of the front, and the one that is recommended, stand in pareto.tsv.
 */
#ifndef FP_PLOT_FRONT_H
#define FP_PLOT_FRONT_H

#include "reports/plots/gnuplot.h"

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

#endif
