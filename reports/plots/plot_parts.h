/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plot_parts.h - the inside of plots: gnuplot and its font, the scripts that it runs, and the figures of a whole run.
 */
#ifndef FP_PLOT_PARTS_H
#define FP_PLOT_PARTS_H

#include "reports/plots/plot.h"

/* ---- Where each arm stands in the tables of an evaluation. gnuplot gets rows, not names: it has no way to compare a
 * name that holds a quotation mark (plot_tables.c) ---- */

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

/* ---- gnuplot, and a figure drawn by it in every format that is asked for (gnuplot.c) ---- */

/* gnuplot 5.4 or later, and a font that has Chinese characters. FP_ERROR_TOOL says which package has what is missing;
 * FP_ERROR_RANGE: FPLAB_FONT is no name of a font. */
fp_status fp_gnuplot_check(fp_arena *arena, fp_error *error);

/* What is drawn: pictures STEM-FIGURE in `directory`, of what the script `arms` describes there. */
typedef struct fp_gnuplot {
    const char *directory;
    const char *stem;
    const char *arms;
    const fp_plot_options *options; /* not NULL */
    fp_arena *arena;
} fp_gnuplot;

/* Draws a figure in every format, and writes the script that has the name of the pictures. A picture that is not whole
 * is removed and told to options->missing; the others are drawn all the same. The first error is returned. */
fp_status fp_gnuplot_draw(const fp_gnuplot *draw, const char *figure, fp_error *error);

/* Writes draw->arms: the script that says what FIGURE.gp, and others, draw. It has a title, how it is drawn by hand,
 * where it stands (`here`), the settings of `options` as defaults, and `told`. The file appears complete or not at all.
 */
fp_status fp_gnuplot_describe(const fp_gnuplot *draw, const char *title, const char *figure, const char *told,
                              fp_error *error);

/* ---- Running another program without a shell (gnuplot.c) ---- */

typedef struct fp_tool {
    const char *const *arguments; /* ended by NULL; the first is the program, looked for in PATH */
    const char *directory;        /* where it runs; NULL: here */
    const char *package;          /* the Debian package that has it, for the message when it is missing */
    bool errors;                  /* capture standard error; else standard output. The other stream is dropped, */
    bool shows;                   /* … or, when it is standard error, shown to the user */
    char output[4096];            /* what was captured: its beginning, NUL-terminated */
    int status;                   /* exit status; 128 + signal when a signal ended it */
} fp_tool;

/* Runs the program to its end with an empty standard input and LC_ALL=C.UTF-8, and fills `output` and `status`.
 * FP_ERROR_TOOL when it is not there. A status other than 0 is for the caller to judge. */
fp_status fp_tool_run(fp_tool *tool, fp_error *error);

/* ---- What gnuplot runs: the scripts that are part of the program, and for each corpus the arms to draw
 * (plot_script.c)
 * ---- */

/* The begin of the names of a corpus's files: its name with characters that a file system, a shell or gnuplot could
 * misread replaced, and then a hash of the name behind it, so that two corpora never share a file. */
char *fp_plot_stem(fp_string corpus, fp_arena *arena);

/* Writes the scripts of the figures, a list that ends with NULL, and what they share into `directory`. */
fp_status fp_plot_scripts_save(const char *directory, const char *const *figures, fp_arena *arena, fp_error *error);

/* Writes draw->arms for `count` arms of one corpus, from `arms` on, of the tables that were read; `confidence` of their
 * intervals, 0 when not known. */
fp_status fp_plot_arms_save(const fp_gnuplot *draw, const fp_plot_arms *all, const fp_plot_arm *arms, size_t count,
                            double confidence, fp_error *error);

/* ---- what the tables of a run say, as texts of a picture. ---- */

/* A name as text for a picture: control characters are blanks; bytes that are not UTF-8, characters that XML does not
 * have (U+FFFE, U+FFFF) and those that turn the direction of what follows (UAX 9: U+202A–202E, U+2066–2069) are U+FFFD.
 */
fp_string fp_plot_text(fp_string field, fp_arena *arena);

/* A gnuplot string constant; `text` holds no control characters. */
char *fp_plot_quote(fp_string text, fp_arena *arena);

/* Both: a field as a gnuplot string constant. A ">" behind "]]", which ends a CDATA section and may not stand in the
 * text of an SVG, gets a word joiner (U+2060) before it, which cannot be seen: gnuplot does not escape it. */
char *fp_plot_quote_field(fp_string field, fp_arena *arena);

/* Writes "array NAME[count] = […]" for `count` fields, `stride` bytes apart. */
void fp_plot_write_texts(FILE *stream, const char *name, const fp_string *fields, size_t count, size_t stride,
                         fp_arena *arena);

/* Writes "array NAME[count] = […]", as reals, for `count` > 0 numbers. */
void fp_plot_write_counts(FILE *stream, const char *name, const uint64_t *counts, size_t count);

/* ---- The figures of a whole run, each from a table of its own: ranks, the front of a tuning, plans, texts and
 * duplicates by time and source, clusters, robustness. What gnuplot is told of a table is written when it is read
 * (plot_whole.c) ---- */

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
