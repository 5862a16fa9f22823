/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * explanation_view.h - an explanation for a person, or as JSON.
 */
#ifndef FP_EXPLANATION_VIEW_H
#define FP_EXPLANATION_VIEW_H

#include "base/explanation.h"
#include "reports/tables/table.h"

/* Writes every step: title, lines, table. For a person lines are broken and long rows folded
 *, and with `colour` the numbers of tables are green above 0 and red below. JSON: an array of
 * steps with "title", "lines" and "rows", whole. It has no other format: FP_ERROR_RANGE. */
fp_status fp_explanation_write(const fp_explanation *explanation, fp_table_format format, bool colour, FILE *stream,
                               fp_error *error);

/* ---- rows of bits and of numbers folded, so that an explanation of 64 bits is read in 80 columns. ---- */

/* Lines are this wide where their words allow it. */
enum { FP_EXPLAIN_WIDTH = 80 };

/* The step's table for a person, as a text that the caller frees. Cells of more than 16 bits stand in groups of eight,
 * 32 bits on a line; of more than 16 numbers, or of more than 16 members in brackets, 8 and 16 on a line, numbers to
 * two decimals and aligned, with the places they are for. Where one row has several such cells of numbers, each place
 * is a row. Characters, with what each has, stand in lines. FP_ERROR_MEMORY. */
fp_status fp_explain_fold(const fp_explain_step_data *step, fp_arena *arena, char **text, fp_error *error);

#endif
