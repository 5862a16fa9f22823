/* SPDX-License-Identifier: GPL-3.0-or-later
 * Grids laid out. */
#include "reports/explanations/explanation_grid.h"

#include <string.h>

#include "reports/tables/table_view.h"

enum {
    GAP = 2,    /* between the columns of a table */
    MANY = 16,  /* rows stand side by side where there are more than this … */
    FEWEST = 8, /* … but in no part fewer than this */
    MARGIN = 2, /* of a strip */
};

static size_t cells_of(const char *text) { return fp_view_cells(fp_string_of(text)); }

/* ---- Points ---- */

/* What stands in front of the point; the whole of a number without one, and of what is no number. */
static size_t whole_part(const char *number) { return cells_of(number) - cells_of(number + strcspn(number, ".")); }

static bool has_points(const fp_explain_grid *grid, size_t column) {
    for (size_t row = 0; row < grid->rows; row++)
        if (strchr(grid->cell[row * grid->columns + column], '.')) return true;
    return false;
}

bool fp_explain_grid_align(fp_explain_grid *grid, fp_arena *arena) {
    for (size_t column = 0; column < grid->columns; column++) {
        size_t widest = 0;
        if (!grid->number[column] || !has_points(grid, column)) continue;
        for (size_t row = 0; row < grid->rows; row++) {
            size_t whole = whole_part(grid->cell[row * grid->columns + column]);
            if (whole > widest) widest = whole;
        }
        for (size_t row = 0; row < grid->rows; row++) {
            const char **cell = grid->cell + row * grid->columns + column;
            *cell = fp_format(arena, "%*s%s", (int)(widest - whole_part(*cell)), "", *cell);
            if (!*cell) return false;
        }
        grid->number[column] = false; /* as it stands, from the left */
    }
    return true;
}

/* ---- Side by side ---- */

size_t fp_explain_grid_width(const fp_explain_grid *grid) {
    size_t sum = 0;
    for (size_t column = 0; column < grid->columns; column++) {
        size_t widest = cells_of(grid->name[column]);
        for (size_t row = 0; row < grid->rows; row++) {
            size_t cells = cells_of(grid->cell[row * grid->columns + column]);
            if (cells > widest) widest = cells;
        }
        sum += widest + (column ? GAP : 0);
    }
    return sum;
}

static size_t count_parts(const fp_explain_grid *grid, size_t width) {
    if (width == SIZE_MAX || grid->rows <= MANY) return 1;
    size_t part = fp_explain_grid_width(grid) + 2 * GAP, parts = (width + 2 * GAP) / part, most = grid->rows / FEWEST;
    if (parts > most) parts = most;
    return parts ? parts : 1;
}

static fp_table *new_table(const fp_explain_grid *grid, size_t parts, fp_arena *arena) {
    const char *columns = "";
    for (size_t part = 0; part < parts; part++) {
        if (part) columns = columns ? fp_format(arena, "%s||", columns) : NULL; /* a column of nothing between them */
        for (size_t i = 0; columns && i < grid->columns; i++)
            columns = fp_format(arena, "%s%s%s%s", columns, i ? "|" : "", grid->number[i] ? ">" : "", grid->name[i]);
    }
    return columns ? fp_table_new(columns, arena) : NULL;
}

fp_table *fp_explain_grid_table(const fp_explain_grid *grid, size_t width, fp_arena *arena) {
    size_t parts = count_parts(grid, width), height = (grid->rows + parts - 1) / parts;
    fp_table *table = new_table(grid, parts, arena);
    for (size_t line = 0; table && line < height; line++) {
        for (size_t part = 0; part < parts; part++) {
            size_t row = part * height + line;
            if (part) fp_table_text(table, "");
            for (size_t column = 0; column < grid->columns; column++)
                fp_table_text(table, row < grid->rows ? grid->cell[row * grid->columns + column] : "");
        }
    }
    return table;
}

/* ---- Sideways ---- */

/* The cells that a pair takes, one above the other. */
static size_t pair_width(const char *const *pair) {
    size_t above = cells_of(pair[0]), below = cells_of(pair[1]);
    return above > below ? above : below;
}

static void write_strip_line(const fp_explain_grid *grid, size_t column, size_t first, size_t count, FILE *stream) {
    size_t spaces = MARGIN;
    for (size_t row = first; row < first + count; row++) {
        const char *const *pair = grid->cell + 2 * row;
        fprintf(stream, "%*s%s", (int)spaces, "", pair[column]);
        spaces = pair_width(pair) - cells_of(pair[column]) + 1;
    }
    fputc('\n', stream);
}

void fp_explain_grid_strip(const fp_explain_grid *grid, size_t width, FILE *stream) {
    for (size_t first = 0, count; first < grid->rows; first += count) {
        size_t taken = MARGIN;
        for (count = 0; first + count < grid->rows; count++) {
            size_t wide = pair_width(grid->cell + 2 * (first + count));
            if (count && taken + wide > width) break;
            taken += wide + 1;
        }
        if (first) fputc('\n', stream);
        for (size_t column = 0; column < 2; column++) write_strip_line(grid, column, first, count, stream);
    }
}
