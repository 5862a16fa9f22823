/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * explanation_view.h - writes an explanation as text or as JSON.
 */
#ifndef FP_EXPLANATION_VIEW_H
#define FP_EXPLANATION_VIEW_H

#include "base/explanation.h"
#include "reports/tables/table.h"

/* Writes every step: title, lines, table. Text is broken at 80 columns between words, and long rows are folded; with
 * `colour` the numbers of tables are green above 0 and red below. JSON: an array of steps with "title", "lines" and
 * "rows", unfolded. Other formats: FP_ERROR_RANGE. */
fp_status fp_explanation_write(const fp_explanation *explanation, fp_table_format format, bool colour, FILE *stream,
                               fp_error *error);

#endif
