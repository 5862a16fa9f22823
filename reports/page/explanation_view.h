/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * explanation_view.h - an explanation for a person, or as JSON.
 */
#ifndef FP_EXPLANATION_VIEW_H
#define FP_EXPLANATION_VIEW_H

#include "base/explanation.h"
#include "reports/tables/table.h"

/* Writes every step: title, lines, table. For a person lines are broken at 80 columns where their words allow it, long
 * rows are folded to them, and with `colour` the numbers of tables are green above 0 and red below. JSON: an array of
 * steps with "title", "lines" and "rows", whole. It has no other format: FP_ERROR_RANGE. */
fp_status fp_explanation_write(const fp_explanation *explanation, fp_table_format format, bool colour, FILE *stream,
                               fp_error *error);

#endif
