/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plot_robustness.h - what `fplab robustness` found, as a heat map of arms and kinds of corruption.
 */
#ifndef FP_PLOT_ROBUSTNESS_H
#define FP_PLOT_ROBUSTNESS_H

#include "reports/plots/gnuplot.h"

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

#endif
