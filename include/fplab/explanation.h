/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fplab/explanation.h - explanations: the steps of an algorithm, written by it and read by programs.
 */
#ifndef FPLAB_EXPLANATION_H
#define FPLAB_EXPLANATION_H 1

#include <stdbool.h>

#include <fplab/memory.h>

FP_BEGIN

/* An explanation is a list of steps; a step is a title, lines of prose, and at most one table of text cells. Opaque;
 * made in an arena and released with it. One thread at a time while it is written; then read-only. */
typedef struct fp_explanation fp_explanation;

/* Makes an explanation without steps; NULL when out of memory. */
fp_explanation *fp_explanation_new(fp_arena *arena);

/* ---- Writing ---- */

/* Texts are copied. A failed allocation is recorded (fp_explanation_failed). */
void fp_explain_step(fp_explanation *explanation, const char *title);
void fp_explain_line(fp_explanation *explanation, const char *format, ...) FP_PRINTF(2, 3);
/* Starts the table of the current step; `columns` is names separated by '|'. A leading '>' is not part of the name; it
 * marks a column of numbers, which are numbers in JSON too, with NA as null. */
void fp_explain_table(fp_explanation *explanation, const char *columns);
/* The next cell of the table, row by row. */
void fp_explain_cell(fp_explanation *explanation, const char *format, ...) FP_PRINTF(2, 3);

/* ---- Reading. All indices start at 0, texts live as long as the explanation, and missing items are NULL or 0 ---- */

/* Whether something is missing because memory ran out. */
bool fp_explanation_failed(const fp_explanation *explanation);
size_t fp_explanation_steps(const fp_explanation *explanation);
const char *fp_explanation_title(const fp_explanation *explanation, size_t step);
size_t fp_explanation_lines(const fp_explanation *explanation, size_t step);
const char *fp_explanation_line(const fp_explanation *explanation, size_t step, size_t line);
/* The number of columns in the table of a step; 0: no table. */
size_t fp_explanation_columns(const fp_explanation *explanation, size_t step);
/* A column's name, and, if `number` is not NULL, whether its cells are numbers. */
const char *fp_explanation_column(const fp_explanation *explanation, size_t step, size_t column, bool *number);
size_t fp_explanation_rows(const fp_explanation *explanation, size_t step);
const char *fp_explanation_cell(const fp_explanation *explanation, size_t step, size_t row, size_t column);

FP_END

#endif
