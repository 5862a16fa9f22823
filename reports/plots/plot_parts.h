/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plot_parts.h - internals of plots: gnuplot and its font, its scripts, and figures of a whole run.
 */
#ifndef FP_PLOT_PARTS_H
#define FP_PLOT_PARTS_H

#include "reports/plots/plot.h"

/* ---- Rows of each arm in the tables of an evaluation: gnuplot cannot compare names with quotation marks
 * (plot_tables.c). Tables are numbered as in fp_schema_at; in a set, bit t is table t ---- */

enum { FP_PLOT_TABLES = 64 };

/* Facts about a run besides its tables. */
typedef struct fp_plot_context {
    const char *directory;
    const fp_run_content *run;  /* as in fp_plot_options */
    const fp_json *definitions; /* of run.json; NULL: none */
    double confidence;          /* of the intervals; 0: unknown */
    fp_arena *arena;
} fp_plot_context;

/* Sets of tables: those of a figure; those of the run that figures use; those with rows of arms. */
uint64_t fp_plot_tables_of(const fp_figure *figure);
uint64_t fp_plot_tables_in(const fp_plot_context *of);
uint64_t fp_plot_tables_of_arms(void);

/* Reads a table, and checks that it has the columns that the scripts read. Errors name file and line: FP_ERROR_IO,
 * FP_ERROR_SYNTAX. */
fp_status fp_plot_table_read(const fp_plot_context *of, int table, fp_run_table *read, fp_error *error);

/* One arm on one corpus: rows first[t] … first[t] + rows[t] − 1 of table t, counted from 0 after the header. */
typedef struct fp_plot_arm {
    fp_string corpus, label;
    size_t first[FP_PLOT_TABLES], rows[FP_PLOT_TABLES];
    uint64_t texts; /* number of texts of the corpus; 0: unknown; set by the caller */
} fp_plot_arm;

/* In the order of results.tsv, grouped by corpus. */
typedef struct fp_plot_arms {
    uint64_t tables; /* tables that were read */
    bool documents;  /* documents are counted, not pairs; set by the caller */
    bool bands;      /* results.tsv has simultaneous bands */
    bool times;      /* summary.tsv has intervals of the times */
    bool bounds;     /* summary.tsv has the bound of the best F1 */
    fp_plot_arm *at;
    size_t count, room;
    /* From strata.tsv, if read: the stratum of every row, and the field of the first row. */
    fp_string by, *strata;
} fp_plot_arms;

/* Reads results.tsv and the other tables of `tables`. Errors name file and line: a missing column, rows of an arm that
 * are not together, an arm missing in a table that has a row for every arm, no evaluated arm. */
fp_status fp_plot_tables_read(const fp_plot_context *of, uint64_t tables, fp_plot_arms *arms, fp_error *error);

/* ---- gnuplot (gnuplot.c) ---- */

/* Checks for gnuplot 5.4 or later and a font with Chinese characters. FP_ERROR_TOOL names the package of the missing
 * one; FP_ERROR_RANGE: FPLAB_FONT is not a font name. */
fp_status fp_gnuplot_check(fp_arena *arena, fp_error *error);

/* A drawing: pictures STEM-FIGURE in `directory`, of the data in the script `arms` there. */
typedef struct fp_gnuplot {
    const char *directory;
    const char *stem;
    const char *arms;
    const fp_plot_options *options; /* not NULL */
    fp_error first;                 /* the first error, after which drawing continues; code FP_OK: none */
    fp_arena *arena;
} fp_gnuplot;
/* Keeps the first error; `error` may be none. */
void fp_gnuplot_keep(fp_gnuplot *draw, const fp_error *error);

/* Draws a figure in every requested format, and writes the script of that name. */
void fp_gnuplot_draw(fp_gnuplot *draw, const char *figure);

/* Writes draw->arms, the script of the data: a title, how to draw FIGURE by hand, its directory (`here`), `options` as
 * default settings, and `data`. The file appears complete or not at all. */
fp_status fp_gnuplot_describe(const fp_gnuplot *draw, const char *title, const char *figure, const char *data,
                              fp_error *error);

/* Another program, run without a shell. */
typedef struct fp_tool {
    const char *const *arguments; /* ended by NULL; the first is the program, found in PATH */
    const char *directory;        /* working directory; NULL: unchanged */
    const char *package;          /* its Debian package, for the error message */
    bool shows;                   /* shows its standard error instead of keeping it */
    fp_string output, errors;     /* all that it wrote, each ended by a NUL */
    int status;                   /* exit status; 128 + signal number after a signal */
} fp_tool;

/* Runs the program to its end with an empty standard input and LC_ALL=C.UTF-8. What it writes is kept in `arena`.
 * FP_ERROR_TOOL: not installed. FP_ERROR_IO, FP_ERROR_MEMORY. The caller checks the status. */
fp_status fp_tool_run(fp_tool *tool, fp_arena *arena, fp_error *error);

/* ---- gnuplot's input: the scripts built into the program, and the arms of each corpus (plot_script.c) ---- */

/* The prefix of a corpus's file names: its name without characters that file systems, shells or gnuplot could misread;
 * if changed, a hash of the name follows. */
char *fp_plot_stem(fp_string corpus, fp_arena *arena);

/* Writes the scripts of the figures, a list ended by NULL, and the scripts that they share into `directory`. */
fp_status fp_plot_scripts_save(const char *directory, const char *const *figures, fp_arena *arena, fp_error *error);

/* Writes draw->arms for `count` arms of one corpus, from `arms` on, of the tables read; `confidence`: that of the
 * intervals, 0: unknown. */
fp_status fp_plot_arms_save(const fp_gnuplot *draw, const fp_plot_arms *all, const fp_plot_arm *arms, size_t count,
                            double confidence, fp_error *error);

/* A name as text of a picture. Control characters become blanks. Bytes that are not UTF-8, characters that XML lacks
 * (U+FFFE, U+FFFF) and those that change the text direction (UAX 9: U+202A–202E, U+2066–2069) become U+FFFD. */
fp_string fp_plot_text(fp_string field, fp_arena *arena);

/* A gnuplot string constant; `text` must not contain control characters. */
char *fp_plot_quote(fp_string text, fp_arena *arena);

/* fp_plot_text, then fp_plot_quote. The ">" of "]]>", which gnuplot does not escape and SVG forbids, gets an invisible
 * word joiner (U+2060) before it. */
char *fp_plot_quote_field(fp_string field, fp_arena *arena);

/* Write "array NAME[count] = […]": fields, `stride` bytes apart; count > 0 numbers as reals. */
void fp_plot_write_texts(FILE *stream, const char *name, const fp_string *fields, size_t count, size_t stride,
                         fp_arena *arena);
void fp_plot_write_counts(FILE *stream, const char *name, const uint64_t *counts, size_t count);

/* ---- Figures of a whole run, each from its own table: ranks, the front of a tuning, plans, texts and duplicates by
 * time and source, clusters, robustness (plot_whole.c) ---- */

/* NULL after the last. */
const fp_figure *fp_plot_whole_at(size_t at);

/* gnuplot's data of such a figure. */
typedef struct fp_plot_whole {
    const fp_figure *figure;
    const char *stem;  /* prefix of file names: "tracking"; for the front, that of the corpus */
    const char *arms;  /* file name of the script with the data: "tracking-spans.gp" */
    const char *title; /* its title */
    const char *data;  /* its content; NULL: the table has no data */
} fp_plot_whole;

/* Reads the table of the figure. Errors name file and line: FP_ERROR_IO, FP_ERROR_SYNTAX (a column is missing or has an
 * invalid value), FP_ERROR_EMPTY (no data); FP_ERROR_SYNTAX and FP_ERROR_RANGE for definitions. */
fp_status fp_plot_whole_read(const fp_plot_context *of, const fp_figure *figure, fp_plot_whole *whole, fp_error *error);

/* Largest number of time spans in the figure by_day. */
enum { FP_PLOT_MOST_SPANS = 120 };

#endif
