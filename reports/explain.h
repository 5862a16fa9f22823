/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * explain.h - an explanation for a person, or as JSON.
 */
#ifndef FP_EXPLAIN_REPORT_H
#define FP_EXPLAIN_REPORT_H

#include "base/explanation.h"
#include "reports/table.h"

/* Writes every step: title, lines, table. JSON: an array of steps with "title", "lines" and "rows". FP_FORMAT_TSV is
 * not a form of it: FP_ERROR_RANGE. */
fp_status fp_explanation_write(const fp_explanation *explanation, fp_format_kind format, FILE *stream, fp_error *error);

#endif
