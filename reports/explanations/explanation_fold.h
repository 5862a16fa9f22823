/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * explanation_fold.h - rows of bits and of numbers folded, so that an explanation of 64 bits is read at 80 columns.
 */
#ifndef FP_EXPLANATION_FOLD_H
#define FP_EXPLANATION_FOLD_H

#include "base/explanation.h"
#include "reports/tables/table.h"

/* The step's table for a person. Cells of more than 16 bits stand in groups of eight; of more than 16 numbers, or of
 * more than 16 members in brackets, eight or sixteen a line, numbers to two decimals and aligned, with the places they
 * are for. Where one row has several such cells of numbers, each place is a row. NULL when there is no memory. */
fp_table *fp_explain_folded(const fp_explain_step_data *step, fp_arena *arena);

#endif
