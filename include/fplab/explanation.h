/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fplab/explanation.h - the steps of an algorithm, told and read.
 */
#ifndef FPLAB_EXPLANATION_H
#define FPLAB_EXPLANATION_H 1

#include <fplab/memory.h>

FP_BEGIN

typedef struct fp_explanation fp_explanation;

/* An explanation is a list of steps; a step is a title, lines of prose, and at most one table of text cells. The lab
 * renders it for a terminal or as JSON. Texts are copied. A failed allocation is remembered and reported by whoever
 * made it. */
void fp_explain_step(fp_explanation *explanation, const char *title);
void fp_explain_line(fp_explanation *explanation, const char *format, ...) FP_PRINTF(2, 3);
/* Starts the table of the current step; `columns` names, separated by '|'. One that begins with '>', which is not part
 * of the name, holds numbers: they are numbers in JSON too, and NA is null. */
void fp_explain_table(fp_explanation *explanation, const char *columns);
/* The next cell of the table, row by row. */
void fp_explain_cell(fp_explanation *explanation, const char *format, ...) FP_PRINTF(2, 3);

FP_END

#endif
