/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * table.h - one table in every format: for a person (columns line up, CJK included), for programs, for papers.
 */
#ifndef FP_TABLE_H
#define FP_TABLE_H

#include "base/base.h"
#include "eval/statistics/interval.h"
#include "reports/tables/table_formats.h"

/* Columns are given once; a name that begins with '>' is set flush right for a person (the mark is not part of the
 * name). */
typedef struct fp_table fp_table;

/* `columns`: names separated by '|'. Lives in `arena`, which ends the program where there is no memory (results.h). */
fp_table *fp_table_new(const char *columns, fp_arena *arena);

/* A column of a table that is described once: "NAME;MARKS", or ">NAME;MARKS" of numbers. Its limits, the ends of an
 * interval, are the columns NAME_low and NAME_high behind it; of "NAME~STEM" STEM_low and STEM_high, of "NAME~" low and
 * high. The marks: */
enum {
    FP_EXACT = 1,         /* e: written with all digits */
    FP_LIMITS = 2,        /* l: has limits */
    FP_SHOWN = 4,         /* s: on the page of a run, with its limits in the same cell */
    FP_SHARE = 8,         /* %: as a share, there */
    FP_DRAWN = 16,        /* d: by the figures of a run, which find columns by their names */
    FP_LIMITS_DRAWN = 32, /* D: its limits, too */
    FP_TIMING = 64        /* t: no two runs have the same */
};
/* And a digit: decimals for a person, else 4. */
typedef struct fp_column {
    char name[64], low[64], high[64]; /* low, high: empty without limits */
    bool number;
    unsigned is;
    int digits;
} fp_column;

/* The first of `columns`, which are separated by '|', and takes it away; false: there is none. */
bool fp_column_next(fp_string *columns, fp_column *column);

/* The column of that name, or the one whose limit it is; false: there is none. */
bool fp_column_find(const char *columns, fp_string name, fp_column *column);

/* A table of such columns, as fp_table_new. */
fp_table *fp_table_of(const char *columns, fp_arena *arena);
/* The next cells of such a table: numbers as their columns have them, and one with its limits, which is a cell of its
 * own, for a person, where the column has none. NaN is NA. */
void fp_table_put(fp_table *table, double value);
void fp_table_put_all(fp_table *table, const double *values, size_t count);
void fp_table_put_figure(fp_table *table, double value, fp_interval interval);
void fp_table_put_texts(fp_table *table, const char *const *texts, size_t count);
#define FP_TABLE_PUT(table, ...) \
    fp_table_put_all(table, (const double[]){__VA_ARGS__}, sizeof((double[]){__VA_ARGS__}) / sizeof(double))
#define FP_TABLE_TEXTS(table, ...)                                \
    fp_table_put_texts(table, (const char *const[]){__VA_ARGS__}, \
                       sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *))

/* The next cell, row by row. Tabs and line ends inside a cell become spaces. */
void fp_table_text(fp_table *table, const char *text);
void fp_table_string(fp_table *table, fp_string text);
void fp_table_count(fp_table *table, uint64_t value);
/* NA, and null in JSON: there is nothing to say. */
void fp_table_undefined(fp_table *table);
/* A number as it is written already. */
void fp_table_written(fp_table *table, const char *number);
/* NaN is written NA. For programs 12 significant digits, for a person `digits` decimals. */
void fp_table_real(fp_table *table, double value, int digits);

/* All digits of a double (17 significant where they are needed). */
void fp_table_exact(fp_table *table, double value);

/* A figure and the limits of its interval, a cell each. */
void fp_table_figure(fp_table *table, double value, fp_interval interval, int digits);

/* A figure with its interval, "0.94 (0.90–0.97)", with `digits` decimals (below 0.001 two significant digits; more
 * where a figure or its lower limit would be rounded up to 1), for a person: files have a cell for each number. NA
 * without a value, "0.94 (NA)" without an interval. */
void fp_table_interval(fp_table *table, double value, fp_interval interval, int digits);
/* The same in a sentence. */
const char *fp_interval_text(double value, double low, double high, int digits, fp_arena *arena);

/* A p-value: for a person four decimals, and "<0.0001" below, since no test here knows that p is 0. */
void fp_table_p(fp_table *table, double p);
/* The same in a sentence: "p 0.0123", "p < 0.0001", "p NA". */
const char *fp_p_text(double p, fp_arena *arena);

/* A bound in a sentence, never below what it is: rounded up to two decimals, or more where it is at most 0.01: "0.09".
 */
const char *fp_up_to_text(double bound, fp_arena *arena);

/* From here on a row is written to the stream as soon as its last cell is there, and forgotten, so that memory does not
 * grow with the rows: in every format but FP_FORMAT_TABLE, where the rows are kept, because all of them set the widths.
 * `scratch` holds one row; it is reset. fp_table_write, with the same format and stream, ends what is written: the
 * bytes are those of a table that was kept. */
void fp_table_stream(fp_table *table, fp_table_format format, FILE *stream, fp_arena *scratch);

/* Whether the stream took all is for whoever closes it. */
void fp_table_write(const fp_table *table, fp_table_format format, FILE *stream);
/* FP_FORMAT_TABLE as a text that the caller frees; NULL where it fails: columns line up, CJK included, control
 * characters are made visible (fp_visible). */
fp_status fp_table_view(const fp_table *table, char **text, fp_error *error);
/* As TSV into a file that appears complete or not at all. */
fp_status fp_table_save(const fp_table *table, const char *path, fp_error *error);

/* What is in a table that is kept. Places count from 0 and must be there; *cells: row by row. */
size_t fp_table_shape_of(const fp_table *table, const fp_table_column **columns, size_t *rows,
                         const fp_table_cell **cells);

/* The cells that a text takes on a terminal, by the locale's characters; what no font has takes one. */
size_t fp_view_cells(fp_string text);

#endif
