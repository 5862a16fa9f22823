/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * score_rows.h - files with a row for each pair: two ids and a number, tab-separated.
 */
#ifndef FP_SCORE_ROWS_H
#define FP_SCORE_ROWS_H

#include "base/base.h"

/* One row; its fields are parts of the file. */
typedef struct fp_score_row {
    fp_string id_a, id_b, number;
    size_t line; /* from 1, empty lines included */
} fp_score_row;

/* Takes a row. On failure *place, which points to id_a before the call, points to the fault in the row. */
typedef fp_status (*fp_score_take)(void *context, const fp_score_row *row, const char **place, fp_error *error);

/* Passes every row of `content`, the whole file at `path`, to `take`, in order; empty lines are skipped. *rows is their
 * number. Errors name file, line and byte: FP_ERROR_SYNTAX (columns, a byte order mark), FP_ERROR_EMPTY (no row), those
 * of `take`. */
fp_status fp_score_rows(fp_string content, const char *path, fp_score_take take, void *context, size_t *rows,
                        fp_error *error);
/* The same for pairs of ids: there may be no row, a row without a number (empty) or with more behind it, and a first
 * line with the names of columns as `fplab cluster --pairs` and `fplab distances` write them. */
fp_status fp_pair_rows(fp_string content, const char *path, fp_score_take take, void *context, fp_error *error);

/* Parses the number of a row, called `what` ("distance") in messages: FP_ERROR_SYNTAX unless it is one finite
 * number. */
fp_status fp_score_number(fp_string text, const char *what, double *number, fp_error *error);

#endif
