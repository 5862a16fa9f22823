/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * table_formats.h - the formats of a table, and how the rows of each are written. docs/formats.md is what a reader of
 * them may rely on.
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

/* The names of fp_table_writers, as help lists them. */
#define FP_FORMAT_NAMES "table, tsv, csv, json, jsonl, markdown or latex"

typedef struct fp_table_column {
    const char *name;
    bool right; /* flush right for a person */
    /* Of fp_table_put. */
    bool limits; /* two columns follow, the limits of its interval */
    bool exact;  /* all digits of a double, for a person too */
    int digits;  /* else decimals, for a person */
} fp_table_column;

typedef struct fp_table_cell {
    const char *exact;    /* for programs */
    const char *readable; /* for a person */
    bool number;          /* or NA */
} fp_table_cell;

typedef struct fp_table_shape {
    const fp_table_column *columns;
    size_t count;
} fp_table_shape;

/* How a format is written, row after row. FP_FORMAT_TABLE, whose rows set one another's widths, has a name alone. */
typedef struct fp_table_writer {
    const char *name;
    /* A row; NULL cells: what stands in front of the rows, if there are any. */
    void (*row)(const fp_table_shape *shape, const fp_table_cell *cells, FILE *stream);
    const char *between; /* two rows */
    const char *end[2];  /* behind no row, and behind the last */
} fp_table_writer;

/* Writes the sign that the text begins with, where it is one that fonts of text do not have (π, ≤), as TeX makes it: in
 * the mode for mathematics. Returns its bytes; 0 where it is none of them. */
size_t fp_tex_sign(fp_string text, FILE *stream);

/* What stands around a tabular so that it is as narrow as a column can be, and never wider than one: TeX measures it
 * and makes it smaller where it is. Needs graphicx. */
#define FP_LATEX_FIT "\\setlength{\\tabcolsep}{3pt}\\setbox0\\hbox{"
#define FP_LATEX_FITTED "}\\ifdim\\wd0>\\linewidth\\resizebox{\\linewidth}{!}{\\usebox0}\\else\\usebox0\\fi"

/* One for each format. */
extern const fp_table_writer fp_table_writers[FP_FORMATS];

#endif
