/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * explanation_grid.h - rows of short cells laid out for a person: numbers with their points below one another, many
 * rows side by side, characters in a line with what belongs to them below.
 */
#ifndef FP_EXPLANATION_GRID_H
#define FP_EXPLANATION_GRID_H

#include "reports/tables/table.h"

typedef struct fp_explain_grid {
    size_t columns, rows;
    const char **name; /* [columns] */
    bool *number;      /* [columns] every cell of it is one */
    const char **cell; /* [rows · columns] row by row */
} fp_explain_grid;

/* Sets the numbers of each column so that their points stand below one another; false when there is no memory. Columns
 * of whole numbers are left to be set flush right. */
bool fp_explain_grid_align(fp_explain_grid *grid, fp_arena *arena);

/* The cells that the grid takes as it is. */
size_t fp_explain_grid_width(const fp_explain_grid *grid);

/* As a table, in as many parts side by side as `width` cells of a terminal hold where there are many rows; SIZE_MAX: in
 * one. NULL when there is no memory. */
fp_table *fp_explain_grid_table(const fp_explain_grid *grid, size_t width, fp_arena *arena);

/* Writes a grid of two columns sideways: the first in a line, the second in the line below, as far as `width` goes, and
 * so on. */
void fp_explain_grid_strip(const fp_explain_grid *grid, size_t width, FILE *stream);

#endif
