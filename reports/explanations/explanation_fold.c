/* SPDX-License-Identifier: GPL-3.0-or-later
 * Rows of places folded. What a cell is follows from how it is written: bits 0110…, numbers separated by spaces,
 * members (1,-1,…). */
#include "reports/explanations/explanation_fold.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory_stream.h"
#include "reports/explanations/explanation_grid.h"
#include "reports/tables/table_view.h"

enum { SHORT = 16, BYTE = 8, MOST_COLUMNS = 16, GAP = 2, WRAPPED = 16 };

typedef enum kind { PLAIN, BITS, NUMBERS, MEMBERS } kind;

typedef struct view {
    const fp_explain_step_data *step;
    fp_arena *arena;
    size_t terminal; /* cells; SIZE_MAX: none */
    size_t columns, rows;
    kind kind[MOST_COLUMNS];
    size_t width[MOST_COLUMNS]; /* of the widest number */
    const char **cell;          /* [rows · columns] row by row */
    size_t most;                /* places of a folded cell on one line */
} view;

static const char *cell_at(const view *of, size_t row, size_t column) { return of->cell[row * of->columns + column]; }

/* ---- Cells ---- */

static size_t count_items(const char *text, char between) {
    size_t count = *text ? 1 : 0;
    for (; *text; text++) count += *text == between;
    return count;
}

static kind kind_of(const char *text) {
    if (strspn(text, "01") == strlen(text)) return strlen(text) > SHORT ? BITS : PLAIN;
    if (*text == '(' && strspn(text, "(),-1") == strlen(text)) return count_items(text, ',') > SHORT ? MEMBERS : PLAIN;
    if (strspn(text, "0123456789+-.e infa") != strlen(text)) return PLAIN;
    return count_items(text, ' ') > SHORT ? NUMBERS : PLAIN;
}

/* The next item of a list, behind which *text moves; its length. */
static size_t next_item(const char **text, char between, const char **item) {
    size_t length = strcspn(*text, between == ' ' ? " " : ",)");
    *item = *text;
    *text += length;
    if (**text) (*text)++;
    return length;
}

/* Two decimals are enough to follow an example, but for a number that they would make 0. */
static void short_number(const char *item, char made[32]) {
    double value = strtod(item, NULL);
    bool vanishes = value != 0 && fabs(value) < 0.005;
    const char *format = vanishes ? "%.0e" : value == nearbyint(value) ? "%.6g" : fabs(value) < 1000 ? "%.2f" : "%.4g";
    snprintf(made, 32, format, value);
}

static size_t widest_number(const char *text) {
    size_t widest = 0;
    for (const char *item; *text;) {
        char number[32];
        next_item(&text, ' ', &item);
        short_number(item, number);
        if (strlen(number) > widest) widest = strlen(number);
    }
    return widest;
}

/* ---- Lines of a cell ---- */

static size_t count_places(const view *of, size_t column, const char *text) {
    switch (of->kind[column]) {
    case BITS: return strlen(text);
    case NUMBERS: return count_items(text, ' ');
    case MEMBERS: return count_items(text, ',');
    case PLAIN: break;
    }
    return 0;
}

/* Places first … of a cell, as many as a line takes. */
static const char *line_of(const view *of, size_t column, const char *text, size_t first) {
    size_t most = of->most, used = 0, room = strlen(text) + most * (of->width[column] + 2) + 64;
    char *made = fp_arena_alloc(of->arena, room, 1);
    if (!made) return NULL;
    if (of->kind[column] == BITS) {
        for (size_t i = first; i < first + most && text[i]; i++) {
            if (i > first && (i - first) % BYTE == 0) made[used++] = ' ';
            made[used++] = text[i];
        }
        return made;
    }
    char between = of->kind[column] == NUMBERS ? ' ' : ',', number[32];
    const char *item;
    if (between == ',') text++;
    for (size_t i = 0; *text && i < first + most; i++) {
        size_t length = next_item(&text, between, &item);
        if (i < first) continue;
        if (between == ' ') short_number(item, number);
        else snprintf(number, sizeof number, "%.*s", (int)length, item);
        int width = between == ' ' ? (int)of->width[column] : 2;
        used += (size_t)snprintf(made + used, room - used, "%s%*s", i > first ? " " : "", width, number);
    }
    return made;
}

/* ---- Places on a line ---- */

/* What so many places of the column take, side by side. */
static size_t cells_of_places(const view *of, size_t column, size_t count) {
    switch (of->kind[column]) {
    case BITS: return count + (count - 1) / BYTE;
    case NUMBERS: return count * (of->width[column] + 1) - 1;
    case MEMBERS: return 3 * count - 1;
    case PLAIN: break;
    }
    return 0;
}

/* Where there is no terminal: what goes into 80 columns with a term of a few characters; a fingerprint of 64 bits alone
 * is one line. */
static size_t usual_places(const view *of, size_t column) {
    switch (of->kind[column]) {
    case BITS: return of->columns == 1 && strlen(cell_at(of, 0, column)) <= 64 ? 64 : 32;
    case NUMBERS: return BYTE;
    case MEMBERS: return 2 * BYTE;
    case PLAIN: break;
    }
    return 1;
}

/* The cells that all other columns take, and that with the places, in a row, where texts longer than `most` wrap. */
static size_t cells_beside(const view *of, size_t folded, size_t count, size_t most) {
    size_t sum = 2 * strlen("1024") + 1 + GAP;
    if (count < 100) sum = strlen("17–24") + GAP;
    for (size_t column = 0; column < of->columns; column++) {
        size_t widest = fp_view_cells(fp_string_of(of->step->columns.at[column].text));
        for (size_t row = 0; column != folded && row < of->rows; row++) {
            size_t cells = fp_view_cells(fp_string_of(cell_at(of, row, column)));
            if (cells > widest) widest = cells;
        }
        if (column != folded) sum += (widest < most ? widest : most) + GAP;
    }
    return sum;
}

/* A power of two, so that lines begin where bytes do: the largest with which a line fits. More than sixteen numbers are
 * not found again on a line. */
static size_t choose_places(const view *of, size_t folded) {
    size_t count = of->rows ? count_places(of, folded, cell_at(of, 0, folded)) : 0,
           most = of->kind[folded] == NUMBERS ? BYTE / 2 : BYTE;
    if (of->terminal == SIZE_MAX) return usual_places(of, folded);
    size_t beside = cells_beside(of, folded, count, WRAPPED),
           limit = of->kind[folded] == NUMBERS ? 2 * BYTE : SIZE_MAX / 2;
    if (of->columns == 1 && count <= limit && cells_of_places(of, folded, count) <= of->terminal) return count;
    while (most < count && most < limit && beside + cells_of_places(of, folded, 2 * most) <= of->terminal) most *= 2;
    return most;
}

/* ---- Tables ---- */

static bool read_cells(view *of) {
    const fp_explain_text *at = of->step->cells.at;
    of->columns = of->step->columns.count;
    of->rows = of->columns ? of->step->cells.count / of->columns : 0;
    of->cell = fp_arena_alloc(of->arena, of->rows * of->columns, sizeof *of->cell);
    if (!of->cell) return false;
    for (size_t i = 0; i < of->rows * of->columns; i++, at++) {
        size_t column = i % of->columns;
        of->cell[i] = at->text;
        kind found = column < MOST_COLUMNS ? kind_of(at->text) : PLAIN;
        if (found == PLAIN) continue;
        of->kind[column] = found;
        size_t width = found == NUMBERS ? widest_number(at->text) : 0;
        if (width > of->width[column]) of->width[column] = width;
    }
    return true;
}

/* The places of cells that could be folded; more than one in a row are rows of numbers that belong together. */
static size_t count_folded(const view *of, size_t *last) {
    size_t count = 0;
    for (size_t column = 0; column < of->columns && column < MOST_COLUMNS; column++) {
        if (of->kind[column] == PLAIN) continue;
        *last = column;
        count++;
    }
    return count;
}

/* Room for a grid; its cells are to be filled. */
static bool new_grid(const view *of, size_t columns, size_t rows, fp_explain_grid *grid) {
    *grid = (fp_explain_grid){.columns = columns,
                              .rows = rows,
                              .name = fp_arena_alloc(of->arena, columns, sizeof *grid->name),
                              .number = fp_arena_alloc(of->arena, columns, sizeof *grid->number),
                              .cell = fp_arena_alloc(of->arena, rows * columns, sizeof *grid->cell)};
    return grid->name && grid->number && grid->cell;
}

static bool plain_grid(const view *of, fp_explain_grid *grid) {
    if (!new_grid(of, of->columns, of->rows, grid)) return false;
    for (size_t i = 0; i < of->columns; i++) {
        grid->name[i] = of->step->columns.at[i].text;
        grid->number[i] = of->step->columns.at[i].number;
    }
    for (size_t i = 0; i < of->rows * of->columns; i++) grid->cell[i] = of->cell[i];
    return fp_explain_grid_align(grid, of->arena);
}

/* One row of several cells of numbers: a place a row. */
static bool upright_grid(const view *of, fp_explain_grid *grid) {
    const char *rest[MOST_COLUMNS];
    if (!new_grid(of, of->columns + 1, count_places(of, 0, cell_at(of, 0, 0)), grid)) return false;
    grid->name[0] = "bit";
    grid->number[0] = true;
    for (size_t column = 0; column < of->columns; column++) {
        grid->name[column + 1] = of->step->columns.at[column].text;
        grid->number[column + 1] = true;
        rest[column] = cell_at(of, 0, column);
    }
    for (size_t i = 0; i < grid->rows; i++) {
        const char **cell = grid->cell + i * grid->columns;
        cell[0] = fp_format(of->arena, "r%zu", i + 1);
        for (size_t c = 0; c < of->columns; c++) {
            const char *item;
            size_t length = next_item(&rest[c], ' ', &item);
            cell[c + 1] = fp_string_copy(of->arena, (fp_string){item, length});
        }
        for (size_t c = 0; c <= of->columns; c++)
            if (!cell[c]) return false;
    }
    return fp_explain_grid_align(grid, of->arena);
}

static void add_folded_row(const view *of, fp_table *table, size_t row, size_t folded, bool numbered) {
    const char *places = cell_at(of, row, folded);
    size_t count = count_places(of, folded, places);
    for (size_t first = 0; first == 0 || first < count; first += of->most) {
        size_t last = first + of->most < count ? first + of->most : count;
        for (size_t column = 0; column < of->columns; column++) {
            if (column != folded) {
                fp_table_text(table, first ? "" : cell_at(of, row, column));
                continue;
            }
            const char *range = fp_format(of->arena, "%zu–%zu", first + 1, last);
            if (numbered) fp_table_text(table, range);
            fp_table_text(table, line_of(of, column, places, first));
        }
    }
}

static fp_table *folded_table(const view *of, size_t folded) {
    const char *columns = "";
    bool numbered = of->rows && count_places(of, folded, cell_at(of, 0, folded)) > of->most;
    size_t line = cells_of_places(of, folded, of->most);
    bool squeezed = cells_beside(of, folded, of->most, SIZE_MAX) + line > of->terminal;
    const char *whole = squeezed ? ">" : ""; /* only what is flush right is never wrapped */
    for (size_t column = 0; columns && column < of->columns; column++) {
        const fp_explain_text *name = of->step->columns.at + column;
        const char *places_column = !numbered ? "" : of->kind[folded] == MEMBERS ? "terms|" : "bits|";
        columns = fp_format(of->arena, "%s%s%s%s%s", columns, column ? "|" : "", column == folded ? places_column : "",
                            column == folded ? whole
                            : name->number   ? ">"
                                             : "",
                            name->text);
    }
    fp_table *table = columns ? fp_table_new(columns, of->arena) : NULL;
    for (size_t row = 0; table && row < of->rows; row++) add_folded_row(of, table, row, folded, numbered);
    return table;
}

/* Characters and what each of them has: read side by side, not one below the other. */
static bool is_strip(const view *of) {
    return of->columns == 2 && strcmp(of->step->columns.at[0].text, "character") == 0;
}

static bool is_upright(const view *of, size_t folded) {
    if (folded < 2 || folded != of->columns || of->rows != 1) return false;
    for (size_t column = 0; column < of->columns; column++)
        if (of->kind[column] != NUMBERS) return false;
    return true;
}

static fp_table *chosen_table(view *of) {
    size_t last = 0, folded = count_folded(of, &last);
    fp_explain_grid grid;
    if (folded == 1) {
        of->most = choose_places(of, last);
        return folded_table(of, last);
    }
    if (!(is_upright(of, folded) ? upright_grid(of, &grid) : plain_grid(of, &grid))) return NULL;
    return fp_explain_grid_table(&grid, of->terminal, of->arena);
}

fp_status fp_explain_fold(const fp_explain_step_data *step, size_t width, fp_arena *arena, char **text,
                          fp_error *error) {
    view of = {.step = step, .arena = arena, .terminal = width};
    fp_explain_grid grid;
    if (!read_cells(&of)) return fp_no_memory(error);
    if (!is_strip(&of)) {
        fp_table *table = chosen_table(&of);
        return table ? fp_table_text_within(table, width, text, error) : fp_no_memory(error);
    }
    fp_memory_stream memory;
    if (!plain_grid(&of, &grid)) return fp_no_memory(error);
    FP_TRY(fp_memory_stream_open(&memory, error));
    fp_explain_grid_strip(&grid, width == SIZE_MAX ? FP_EXPLAIN_USUAL_WIDTH : width, memory.stream);
    fp_status status = fp_memory_stream_close(&memory, error);
    *text = memory.text;
    return status;
}
