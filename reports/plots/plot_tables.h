/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plot_tables.h - where each arm stands in the tables of an evaluation. gnuplot is told rows, not names: it has no
 * way to compare a name that holds a quotation mark.
 */
#ifndef FP_PLOT_TABLES_H
#define FP_PLOT_TABLES_H

#include "reports/analyses/analyses.h"
#include "reports/runs/run_table.h"

/* Tables are numbered as fp_schema_at has them. As a set: bit t is table t. */
enum { FP_PLOT_TABLES = 64 };

/* What is known of a run beside its tables. */
typedef struct fp_plot_context {
    const char *directory;
    const fp_run_content *run;  /* as in fp_plot_options */
    const fp_json *definitions; /* of run.json; NULL: there are none */
    double confidence;          /* of the intervals; 0: not known */
    fp_arena *arena;
} fp_plot_context;

/* Those that a figure is drawn from; those of figures that the run has; those whose rows are of arms. */
uint64_t fp_plot_tables_of(const fp_figure *figure);
uint64_t fp_plot_tables_in(const fp_plot_context *of);
uint64_t fp_plot_tables_of_arms(void);

/* Finds one, and looks whether it has the columns that the scripts read. Errors name file and line: FP_ERROR_IO,
 * FP_ERROR_SYNTAX. */
fp_status fp_plot_table_read(const fp_plot_context *of, int table, fp_run_table *read, fp_error *error);

/* One arm on one corpus: rows first[t] … first[t] + rows[t] − 1 of table t, counted from 0 after the header. */
typedef struct fp_plot_arm {
    fp_string corpus, label;
    fp_string corpus_field, label_field; /* the same as the tables have them, perhaps in quotation marks */
    size_t first[FP_PLOT_TABLES], rows[FP_PLOT_TABLES];
    uint64_t texts; /* of the corpus; 0: not known; set by who knows */
} fp_plot_arm;

/* In the order of results.tsv: the arms of a corpus stand together. */
typedef struct fp_plot_arms {
    uint64_t tables; /* those that were read */
    bool documents;  /* what is counted is documents, not pairs; set by who knows */
    bool bands;      /* results.tsv has simultaneous bands */
    bool times;      /* summary.tsv has intervals of the times */
    bool bounds;     /* summary.tsv has the bound of the best F1 */
    fp_plot_arm *at;
    size_t count, room;
    /* Of strata.tsv, where it was read: the stratum of every row, and what the first is by. */
    fp_string by, *strata;
} fp_plot_arms;

/* Reads results.tsv and the other tables of `tables`. Errors name file and line: a
 * column is missing, the rows of an arm do not stand together, an arm is not in a table that has a row for every arm,
 * nothing was evaluated. */
fp_status fp_plot_tables_read(const fp_plot_context *of, uint64_t tables, fp_plot_arms *arms, fp_error *error);

/* ---- the figures that there are, and which of them a run has: that follows from its tables. ---- */

/* In the order in which they are drawn, those of reports/analyses among them; NULL behind the last. */
const fp_figure *fp_plot_figure_at(size_t at);

/* By name; a hyphen is as good as a low line. FP_ERROR_UNKNOWN with the nearest name. */
fp_status fp_plot_figure_find(const char *name, const fp_figure **figure, fp_error *error);

/* The name that a person reads and writes: "precision-recall". */
const char *fp_plot_figure_name(const fp_figure *figure, fp_arena *arena);

#endif
