/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * table.h - one table in every format: for people (aligned columns, CJK included), for programs, for papers.
 */
#ifndef FP_TABLE_H
#define FP_TABLE_H

#include "base/base.h"
#include "eval/statistics/interval.h"
#include "reports/tables/table_formats.h"

/* Columns are set once. Names that begin with '>' are aligned right for people; the mark is not part of the name. */
typedef struct fp_table fp_table;

/* `columns`: names separated by '|'. Lives in `arena`, which ends the program if memory runs out (results.h). */
fp_table *fp_table_new(const char *columns, fp_arena *arena);

/* A column of a schema: "NAME;MARKS", or ">NAME;MARKS" for numbers. Its limits follow as columns NAME_low and
 * NAME_high; for "NAME~STEM" as STEM_low and STEM_high, for "NAME~" as low and high. The marks: */
enum {
    FP_EXACT = 1,         /* e: written with all digits */
    FP_LIMITS = 2,        /* l: has limits */
    FP_SHOWN = 4,         /* s: shown on the page of a run, with its limits in the same cell */
    FP_SHARE = 8,         /* %: a share on that page */
    FP_DRAWN = 16,        /* d: used by the figures of a run, which find columns by name */
    FP_LIMITS_DRAWN = 32, /* D: its limits are used too */
    FP_TIMING = 64        /* t: differs from run to run */
};
/* A digit among the marks: decimals for people; default 4. */
typedef struct fp_column {
    char name[64], low[64], high[64]; /* low, high: empty without limits */
    bool number;
    unsigned is;
    int digits;
} fp_column;

/* Takes the first column from `columns` (separated by '|'); false: none left. */
bool fp_column_next(fp_string *columns, fp_column *column);

/* Finds the column with this name, or the column with this limit; false: none. */
bool fp_column_find(const char *columns, fp_string name, fp_column *column);

/* A table with such columns; otherwise as fp_table_new. */
fp_table *fp_table_of(const char *columns, fp_arena *arena);
/* Add the next cells of such a table, formatted by column. A figure with limits fills three cells, or one readable cell
 * if the column has no limits. NaN is NA. */
void fp_table_put(fp_table *table, double value);
void fp_table_put_all(fp_table *table, const double *values, size_t count);
void fp_table_put_figure(fp_table *table, double value, fp_interval interval);
#define FP_TABLE_FIGURE(table, of) fp_table_put_figure(table, (of).value, (of).interval)
void fp_table_put_texts(fp_table *table, const char *const *texts, size_t count);
#define FP_TABLE_PUT(table, ...) \
    fp_table_put_all(table, (const double[]){__VA_ARGS__}, sizeof((double[]){__VA_ARGS__}) / sizeof(double))
#define FP_TABLE_TEXTS(table, ...)                                \
    fp_table_put_texts(table, (const char *const[]){__VA_ARGS__}, \
                       sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *))

/* Add the next cell, row by row. Tabs and line ends inside a cell become spaces. */
void fp_table_text(fp_table *table, const char *text);
void fp_table_string(fp_table *table, fp_string text);
void fp_table_count(fp_table *table, uint64_t value);
/* NA; null in JSON. */
void fp_table_undefined(fp_table *table);
/* A number that is already formatted. */
void fp_table_written(fp_table *table, const char *number);
/* 12 significant digits for programs, `digits` decimals for people; NaN is NA. */
void fp_table_real(fp_table *table, double value, int digits);

/* All digits of a double (17 significant if needed). */
void fp_table_exact(fp_table *table, double value);

/* A figure and the limits of its interval, in three cells. */
void fp_table_figure(fp_table *table, double value, fp_interval interval, int digits);

/* A figure with its interval in one cell, for people: "0.94 (0.90–0.97)", with `digits` decimals (below 0.001 two
 * significant digits; more decimals if it would round up to 1). NA without a value, "0.94 (NA)" without an interval. */
void fp_table_interval(fp_table *table, double value, fp_interval interval, int digits);
/* The same, as text for a sentence. */
const char *fp_interval_text(double value, fp_interval interval, int digits, fp_arena *arena);

/* A p-value: for people four decimals, or "<0.0001", since no test here can show that p is 0. */
void fp_table_p(fp_table *table, double p);
/* The same, as text for a sentence: "p 0.0123", "p < 0.0001", "p NA". */
const char *fp_p_text(double p, fp_arena *arena);

/* An upper bound as text, never rounded down: two decimals, or more for bounds ≤ 0.01: "0.09". */
const char *fp_up_to_text(double bound, fp_arena *arena);

/* From here on, each row is written to the stream when its last cell is added, and then dropped; FP_FORMAT_TABLE keeps
 * the rows, because all determine the widths. `scratch` holds one row; it is reset. Finish with fp_table_write in the
 * same format and stream: the bytes are those of a stored table. */
void fp_table_stream(fp_table *table, fp_table_format format, FILE *stream, fp_arena *scratch);

/* Whoever closes the stream checks for write errors. */
void fp_table_write(const fp_table *table, fp_table_format format, FILE *stream);
/* FP_FORMAT_TABLE as a text that the caller frees; NULL on failure. Columns are aligned, CJK included; control
 * characters are made visible (fp_visible). */
fp_status fp_table_view(const fp_table *table, char **text, fp_error *error);
/* As TSV into a file that appears complete or not at all. */
fp_status fp_table_save(const fp_table *table, const char *path, fp_error *error);

/* The contents of a stored table. Returns the number of columns; *cells: row by row. */
size_t fp_table_shape_of(const fp_table *table, const fp_table_column **columns, size_t *rows,
                         const fp_table_cell **cells);

/* Terminal cells of a text, by the locale's character widths; 1 for unknown characters. */
size_t fp_view_cells(fp_string text);

#endif
