/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * analysis.h - an analysis of an evaluation, described once: its options, what it computes, its tables, figures and
 * texts. All analyses are in reports/analyses, and listed there.
 */
#ifndef FP_ANALYSIS_H
#define FP_ANALYSIS_H

#include "eval/evaluation/outcome.h"

/* Defined in reports/tables. */
typedef struct fp_table fp_table;
typedef struct fp_results fp_results;
struct fp_questions;

/* ---- Options ---- */

typedef enum fp_analysis_takes { FP_TAKES_NOTHING, FP_TAKES_ONE, FP_TAKES_SEVERAL } fp_analysis_takes;

/* An option of the program. The first option of an analysis requests it. */
typedef struct fp_analysis_option {
    const char *name;
    fp_analysis_takes takes;
    const char *help, *argument;
    const char *words; /* common values, separated by blanks; may be NULL */
    const char *does;  /* of an option that needs the first one: the end of the message if that is missing, "sets the
                          costs of --costs" */
} fp_analysis_option;

enum { FP_ANALYSIS_OPTIONS = 2, FP_ANALYSIS_TABLES = 5, FP_ANALYSIS_FIGURES = 3 };

/* The values given for each option. */
typedef struct fp_analysis_values {
    bool flag[FP_ANALYSIS_OPTIONS];
    const char *text[FP_ANALYSIS_OPTIONS];  /* NULL: not given */
    const char **list[FP_ANALYSIS_OPTIONS]; /* ends with NULL; NULL: not given */
} fp_analysis_values;

/* What an analysis needs. */
enum {
    FP_NEEDS_LIST = 1,      /* labelled pairs */
    FP_NEEDS_ALL_PAIRS = 2, /* not a sample of the negatives */
    FP_NEEDS_EXACT = 4,     /* the exact measure beside each arm */
    FP_NEEDS_PAIR_LEVEL = 8
};

/* ---- Computing ---- */

/* One corpus, measured and with its intervals. Results live in `arena`. */
typedef struct fp_analysed {
    const fp_outcome *outcome;
    const struct fp_questions *questions;
    const void *settings;     /* made by the check */
    const double *thresholds; /* [arms] own thresholds, NaN for arms without one; NULL: no arm has one */
    const fp_progress *progress;
    fp_arena *arena;
} fp_analysed;

/* ---- Output ---- */

typedef struct fp_bilingual {
    const char *en, *zh;
} fp_bilingual;

/* One arm on one corpus, whose rows are written. */
typedef struct fp_found_arm {
    const fp_results *results;
    const fp_outcome *outcome;
    size_t arm;
    const void *found; /* the result of the analysis for the corpus */
    fp_arena *arena;
} fp_found_arm;
typedef void fp_rows(fp_table *table, const fp_found_arm *of);

/* Which measures of --measure. */
typedef enum fp_further_kind {
    FP_FURTHER_NONE,
    FP_FURTHER_AT_THRESHOLD,
    FP_FURTHER_OVER_RANGE,
    FP_FURTHER_ALL
} fp_further_kind;

/* NAME.tsv, described once: its columns (fp_column of reports/tables/table.h), and what the page and figures make of
 * it. */
typedef struct fp_schema {
    const char *name, *columns;
    fp_rows *rows;           /* of every arm; NULL: written elsewhere */
    fp_further_kind further; /* measures of --measure in columns after these */
    bool every_arm;          /* every arm has at least one row */
    bool by_threshold;       /* the page marks the rows of thresholds 1 to 10 */
    bool weighted;           /* with sampled negatives, a last column negative_weight */
    bool whole;              /* the page shows all columns, not only the marked ones */
    fp_bilingual title;      /* on the page, of another table than the first */
    bool (*keeps)(double (*real)(const void *row, const char *column),
                  const void *row); /* NULL: the page has all rows */
} fp_schema;

/* A picture for each corpus, drawn by reports/plots/gnuplot/NAME.gp. */
typedef struct fp_figure {
    const char *name;
    const char *tables; /* that it is drawn from: "summary, costs" */
    const char *summary;
} fp_figure;

/* What an analysis gets to print its part of a terminal report. */
typedef struct fp_brief {
    const fp_results *results;
    const void *const *found; /* [results->count] */
    void (*print)(const char *text);
    void (*show)(const fp_table *table);
    fp_arena *arena;
} fp_brief;

typedef struct fp_analysis {
    const char *name;    /* also of its section on the page */
    const char *example; /* "--prevalence 0.001" */
    fp_bilingual title, text;
    fp_analysis_option options[FP_ANALYSIS_OPTIONS];
    fp_level level;      /* the level that requests it, if it has no options */
    unsigned needs;      /* FP_NEEDS_… */
    const char *measure; /* estimated for it; may be NULL */
    /* Reads what was given into the questions or *settings. A failure but FP_ERROR_MEMORY is one of usage. NULL: there
     * is nothing to read. */
    fp_status (*check)(const fp_analysis_values *given, struct fp_questions *questions, fp_arena *arena,
                       const void **settings, fp_error *error);
    /* Checks, before anything is measured, whether the analysis applies to an arm. NULL: to every arm. */
    fp_status (*fits)(const void *settings, const fp_arm *arm, fp_error *error);
    /* *found is passed to rows and brief. Same results for any number of threads. */
    fp_status (*run)(const fp_analysed *of, const void **found, fp_error *error);
    void (*brief)(fp_brief *to);              /* NULL: the terminal shows nothing */
    fp_schema tables[FP_ANALYSIS_TABLES + 1]; /* end with a NULL name */
    fp_figure figures[FP_ANALYSIS_FIGURES];   /* the same, where there are fewer */
} fp_analysis;

#endif
