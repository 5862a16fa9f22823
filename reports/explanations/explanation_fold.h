/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * explanation_fold.h - rows of bits and of numbers folded, so that an explanation of 64 bits is read on any terminal.
 */
#ifndef FP_EXPLANATION_FOLD_H
#define FP_EXPLANATION_FOLD_H

#include "base/explanation.h"
#include "reports/tables/table.h"

/* What is not written to a terminal is folded as for one of this width. */
enum { FP_EXPLAIN_USUAL_WIDTH = 80 };

/* The step's table for a person, as a text that the caller frees; `width`: of the terminal, SIZE_MAX where there is
 * none. Cells of more than 16 bits stand in groups of eight; of more than 16 numbers, or of more than 16 members in
 * brackets, as many on a line as fit, by powers of two, numbers to two decimals and aligned, with the places they are
 * for. Where one row has several such cells of numbers, each place is a row. Many rows stand side by side on a terminal
 * that is wide enough. Characters, with what each has, stand in lines. FP_ERROR_MEMORY. */
fp_status fp_explain_fold(const fp_explain_step_data *step, size_t width, fp_arena *arena, char **text,
                          fp_error *error);

#endif
