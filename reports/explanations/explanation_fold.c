/* SPDX-License-Identifier: GPL-3.0-or-later
 * Rows of places folded. What a cell is follows from how it is written: bits 0110…, numbers separated by spaces,
 * members (1,-1,…). */
#include "reports/explanations/explanation_fold.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHORT = 16, BYTE = 8, MOST_COLUMNS = 16 };

typedef enum kind { PLAIN, BITS, NUMBERS, MEMBERS } kind;

typedef struct view {
    const fp_explain_step_data *step;
    fp_arena *arena;
    size_t columns, rows;
    kind kind[MOST_COLUMNS];
    size_t width[MOST_COLUMNS]; /* of the widest number */
    const char ***cell;         /* [rows][columns] */
} view;

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

/* Places of a cell on one line; a fingerprint of 64 bits alone is one. */
static size_t places(const view *of, size_t column) {
    switch (of->kind[column]) {
    case BITS: return of->columns == 1 && strlen(of->cell[0][column]) <= 64 ? 64 : 32;
    case NUMBERS: return BYTE;
    case MEMBERS: return 2 * BYTE;
    case PLAIN: break;
    }
    return 0;
}

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
    size_t most = places(of, column), used = 0, room = strlen(text) + most * (of->width[column] + 2) + 64;
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

/* ---- Tables ---- */

static bool read_cells(view *of) {
    const fp_explain_text *at = of->step->cells.at;
    of->columns = of->step->columns.count;
    of->rows = of->columns ? of->step->cells.count / of->columns : 0;
    of->cell = fp_arena_alloc(of->arena, of->rows, sizeof *of->cell);
    if (!of->cell) return false;
    for (size_t row = 0; row < of->rows; row++) {
        of->cell[row] = fp_arena_alloc(of->arena, of->columns, sizeof **of->cell);
        if (!of->cell[row]) return false;
        for (size_t column = 0; column < of->columns; column++, at++) {
            of->cell[row][column] = at->text;
            kind found = column < MOST_COLUMNS ? kind_of(at->text) : PLAIN;
            if (found == PLAIN) continue;
            of->kind[column] = found;
            size_t width = found == NUMBERS ? widest_number(at->text) : 0;
            if (width > of->width[column]) of->width[column] = width;
        }
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

static fp_table *plain_table(const view *of) {
    const char *columns = NULL;
    for (size_t i = 0; i < of->columns; i++) {
        const char *name = of->step->columns.at[i].text;
        columns = columns ? fp_format(of->arena, "%s|%s", columns, name) : name;
    }
    fp_table *table = columns ? fp_table_new(columns, of->arena) : NULL;
    for (size_t i = 0; table && i < of->step->cells.count; i++) fp_table_text(table, of->step->cells.at[i].text);
    return table;
}

/* One row of several cells of numbers: a place a row. */
static fp_table *upright_table(const view *of) {
    const char *columns = ">bit", *rest[MOST_COLUMNS];
    for (size_t column = 0; columns && column < of->columns; column++) {
        columns = fp_format(of->arena, "%s|>%s", columns, of->step->columns.at[column].text);
        rest[column] = of->cell[0][column];
    }
    fp_table *table = columns ? fp_table_new(columns, of->arena) : NULL;
    size_t count = count_places(of, 0, of->cell[0][0]);
    for (size_t i = 0; table && i < count; i++) {
        fp_table_text(table, fp_format(of->arena, "r%zu", i + 1));
        for (size_t c = 0; c < of->columns; c++) {
            const char *item;
            size_t length = next_item(&rest[c], ' ', &item);
            fp_table_string(table, (fp_string){item, length});
        }
    }
    return table;
}

static void add_folded_row(const view *of, fp_table *table, const char *const *cells, size_t folded, bool numbered) {
    size_t count = count_places(of, folded, cells[folded]), most = places(of, folded);
    for (size_t first = 0; first == 0 || first < count; first += most) {
        size_t last = first + most < count ? first + most : count;
        for (size_t column = 0; column < of->columns; column++) {
            if (column != folded) {
                fp_table_text(table, first ? "" : cells[column]);
                continue;
            }
            const char *range = fp_format(of->arena, "%zu–%zu", first + 1, last);
            if (numbered) fp_table_text(table, range);
            const char *line = line_of(of, column, cells[column], first);
            fp_table_text(table, line);
        }
    }
}

static fp_table *folded_table(const view *of, size_t folded) {
    const char *columns = "";
    bool numbered = of->rows && count_places(of, folded, of->cell[0][folded]) > places(of, folded);
    for (size_t column = 0; columns && column < of->columns; column++) {
        const char *name = of->step->columns.at[column].text;
        bool weight = strcmp(name, "weight") == 0;
        const char *places_column = !numbered ? "" : of->kind[folded] == MEMBERS ? "terms|" : "bits|";
        columns = fp_format(of->arena, "%s%s%s%s%s", columns, column ? "|" : "", column == folded ? places_column : "",
                            weight ? ">" : "", name);
    }
    fp_table *table = columns ? fp_table_new(columns, of->arena) : NULL;
    for (size_t row = 0; table && row < of->rows; row++) add_folded_row(of, table, of->cell[row], folded, numbered);
    return table;
}

fp_table *fp_explain_folded(const fp_explain_step_data *step, fp_arena *arena) {
    view of = {.step = step, .arena = arena};
    size_t last = 0;
    if (!read_cells(&of)) return NULL;
    size_t folded = count_folded(&of, &last);
    if (folded == 1) return folded_table(&of, last);
    bool upright = folded > 1 && folded == of.columns && of.rows == 1;
    for (size_t column = 0; upright && column < of.columns; column++) upright = of.kind[column] == NUMBERS;
    return upright ? upright_table(&of) : plain_table(&of);
}
