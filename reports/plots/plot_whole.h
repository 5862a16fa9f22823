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

/* ---- For what tells of a table ---- */

typedef struct fp_plot_telling {
    const fp_plot_context *of;
    const char *name; /* of the table */
    fp_run_table table;
    fp_plot_whole *whole;
    FILE *stream;
    fp_arena *arena;
    fp_error *error;
} fp_plot_telling;

/* Error of a table that has nothing to show. */
fp_status fp_plot_nothing(const fp_plot_telling *it, const char *why);
/* Error of a row. */
fp_status fp_plot_wrong(const fp_plot_telling *it, size_t row, const char *why);
/* A cell that is a whole number from 0 on. */
fp_status fp_plot_count(const fp_plot_telling *it, size_t row, const char *column, uint64_t *count);
/* The same of texts, and of duplicates, which are no more. */
fp_status fp_plot_counts(const fp_plot_telling *it, size_t row, uint64_t *texts, uint64_t *duplicates);
/* Every `step`th cell of a column. */
fp_string *fp_plot_cells(const fp_plot_telling *it, const char *column, size_t step, size_t count);

/* by-day.tsv in spans of time between the first text and the last, those without texts too. They are days, or as long
 * as it takes for their number to be at most FP_PLOT_MOST_SPANS where whole centuries can do that: a week begins on
 * Monday. */
enum { FP_PLOT_MOST_SPANS = 120 };
fp_status fp_plot_tell_days(fp_plot_telling *it);

#endif
