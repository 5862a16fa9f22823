/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * table_formats.h - the formats of a table and their writers. docs/formats.md documents them for users.
 */
#ifndef FP_TABLE_FORMATS_H
#define FP_TABLE_FORMATS_H

#include "base/base.h"

typedef enum fp_table_format {
    FP_FORMAT_TABLE,
    FP_FORMAT_TSV,
    FP_FORMAT_CSV,
    FP_FORMAT_JSON,
    FP_FORMAT_JSONL,
    FP_FORMAT_MARKDOWN,
    FP_FORMAT_LATEX,
    FP_FORMATS
} fp_table_format;

/* The names of fp_table_writers, for help texts. */
#define FP_FORMAT_NAMES "table, tsv, csv, json, jsonl, markdown or latex"

typedef struct fp_table_column {
    const char *name;
    bool right; /* aligned right for people */
    /* For fp_table_put: */
    bool limits; /* two columns follow: the limits of the interval */
    bool exact;  /* all digits of a double, also for people */
    int digits;  /* otherwise decimals for people */
} fp_table_column;

typedef struct fp_table_cell {
    const char *exact;    /* for programs */
    const char *readable; /* for people */
    bool number;          /* or NA */
} fp_table_cell;

typedef struct fp_table_shape {
    const fp_table_column *columns;
    size_t count;
} fp_table_shape;

/* Writer of a format, row by row. FP_FORMAT_TABLE has only a name, because its widths depend on all rows. */
typedef struct fp_table_writer {
    const char *name;
    /* Writes a row; NULL cells: the part before the rows, if any. */
    void (*row)(const fp_table_shape *shape, const fp_table_cell *cells, FILE *stream);
    const char *between; /* separates two rows */
    const char *end[2];  /* after no rows, and after the last row */
} fp_table_writer;

/* How LaTeX writes one of TeX's ten special characters (The TeXbook, chapter 7); NULL: another character. */
const char *fp_tex_special(char byte);

/* If the text begins with a sign that text fonts lack (π, ≤), writes it in TeX's math mode. Returns the bytes of the
 * sign; 0: no such sign. */
size_t fp_tex_sign(fp_string text, FILE *stream);

/* Wrap a tabular so that its columns are narrow and it is never wider than a text column: TeX measures it and shrinks
 * it if needed. Needs graphicx. */
#define FP_LATEX_FIT "\\setlength{\\tabcolsep}{3pt}\\setbox0\\hbox{"
#define FP_LATEX_FITTED "}\\ifdim\\wd0>\\linewidth\\resizebox{\\linewidth}{!}{\\usebox0}\\else\\usebox0\\fi"

/* [FP_FORMATS] */
extern const fp_table_writer fp_table_writers[FP_FORMATS];

#endif
