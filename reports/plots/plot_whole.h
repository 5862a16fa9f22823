/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plot_whole.h - the figures of a whole run, each from a table of its own: ranks, the front of a tuning, plans, texts
 * and duplicates by time and source, clusters, robustness. What gnuplot is told of a table is written when it is read.
 */
#ifndef FP_PLOT_WHOLE_H
#define FP_PLOT_WHOLE_H

#include "reports/plots/gnuplot.h"
#include "reports/plots/plot_tables.h"

typedef struct fp_plot_whole {
    const char *stem;  /* of the names of files: "tracking"; no corpus has it */
    const char *arms;  /* the script that is told: "tracking-spans.gp" */
    const char *title; /* what it says of itself */
    const char *told;  /* what it holds; NULL: the table was not read, or has nothing to show */
} fp_plot_whole;

/* Reads TABLE.tsv. Errors name file and line: FP_ERROR_IO, FP_ERROR_SYNTAX (a column is missing, or holds
 * what it cannot), FP_ERROR_EMPTY (there is nothing to show); FP_ERROR_SYNTAX and FP_ERROR_RANGE of definitions. */
fp_status fp_plot_whole_read(const fp_plot_context *of, int table, fp_plot_whole *whole, fp_error *error);

/* At most so many spans of time in the figure by_day. */
enum { FP_PLOT_MOST_SPANS = 120 };

#endif
