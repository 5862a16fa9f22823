/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * table_view.h - a table as a person reads it: columns line up, CJK included.
 */
#ifndef FP_TABLE_VIEW_H
#define FP_TABLE_VIEW_H

#include "base/base.h"

typedef struct fp_view_column {
    const char *name;
    bool right; /* flush right */
} fp_view_column;

typedef struct fp_view {
    size_t column_count, row_count;
    const fp_view_column *columns;
    const char *const *cells; /* [row_count · column_count] row by row */
} fp_view;

/* Writes the rows under the names of the columns, each in one line, however long; nothing where there is no row.
 * Control characters are made visible (fp_visible). `arena` is for scratch. FP_ERROR_MEMORY. */
fp_status fp_view_write(const fp_view *view, FILE *stream, fp_arena *arena, fp_error *error);

/* The cells that a text takes on a terminal, by the locale's characters; what no font has takes one. */
size_t fp_view_cells(fp_string text);

#endif
