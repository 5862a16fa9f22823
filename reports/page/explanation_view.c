/* SPDX-License-Identifier: GPL-3.0-or-later
 * Writes explanations as text and JSON. */
#include "reports/page/explanation_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory_stream.h"
#include "corpora/json_writer.h"
#include "reports/tables/table.h"

static fp_status fold(const fp_explain_step_data *step, fp_arena *arena, char **text, fp_error *error);

/* ---- Text ---- */

enum { MARGIN = 2, WIDTH = 80 };

/* Writes text indented by the margin, broken at spaces. */
static void write_line(const char *text, FILE *stream) {
    size_t at = 0; /* columns used in the line */
    for (const char *word = text; *word;) {
        size_t length = strcspn(word, " "), columns = fp_view_cells((fp_string){word, length});
        bool begins = at == 0 || at + 1 + columns > WIDTH;
        if (begins) fprintf(stream, "%s%*s", at ? "\n" : "", MARGIN, "");
        else fputc(' ', stream);
        at = (begins ? MARGIN : at + 1) + columns;
        fwrite(word, 1, length, stream);
        word += length + strspn(word + length, " ");
    }
    fputc('\n', stream);
}

/* Writes a table's text with coloured numbers: green above 0, red below. */
static void write_coloured(const char *text, FILE *stream) {
    while (*text) {
        size_t length = strcspn(text, " \n"), gap = strspn(text + length, " \n");
        char *end = NULL;
        double value = length ? strtod(text, &end) : 0;
        bool number = length && end == text + length && value != 0;
        if (number) fputs(value > 0 ? "\033[32m" : "\033[31m", stream);
        fwrite(text, 1, length, stream);
        if (number) fputs("\033[0m", stream);
        fwrite(text + length, 1, gap, stream);
        text += length + gap;
    }
}

/* Only steps with votes for and against are coloured. */
static bool has_votes(const fp_explain_step_data *step) {
    static const char *const VOTES[] = {"signed weights", "sums", "margin of A", "quotients", "coordinates"};
    for (size_t column = 0; column < step->columns.count; column++) {
        for (size_t i = 0; i < sizeof VOTES / sizeof *VOTES; i++) {
            if (strcmp(step->columns.at[column].text, VOTES[i]) == 0) return true;
        }
    }
    return false;
}

static fp_status write_step(const fp_explain_step_data *step, bool colour, fp_arena *arena, FILE *stream,
                            fp_error *error) {
    char *table;
    fprintf(stream, "%s\n", step->title);
    for (size_t i = 0; i < step->lines.count; i++) write_line(step->lines.at[i].text, stream);
    if (!step->columns.count) return FP_OK;
    FP_TRY(fold(step, arena, &table, error));
    if (colour && has_votes(step)) write_coloured(table, stream);
    else fputs(table, stream);
    free(table);
    return FP_OK;
}

/* ---- JSON ---- */

static void put_cell(fp_json_writer *json, const fp_explain_text *column, const char *text) {
    double value;
    if (column->number && fp_parse_real(text, &value)) fp_json_put_real(json, column->text, value);
    else if (column->number && strcmp(text, "NA") == 0) fp_json_put_null(json, column->text);
    else fp_json_put_text(json, column->text, text);
}

static void put_rows(fp_json_writer *json, const fp_explain_step_data *step) {
    size_t columns = step->columns.count, cells = columns ? step->cells.count : 0;
    fp_json_begin_array(json, "rows");
    for (size_t first = 0; first < cells; first += columns) {
        fp_json_begin_object(json, NULL);
        for (size_t column = 0; column < columns && first + column < cells; column++)
            put_cell(json, step->columns.at + column, step->cells.at[first + column].text);
        fp_json_end_object(json);
    }
    fp_json_end_array(json);
}

static void write_json(const fp_explanation *explanation, FILE *stream) {
    fp_json_writer json = fp_json_to(stream, 0);
    fp_json_begin_array(&json, NULL);
    for (const fp_explain_step_data *step = explanation->first; step; step = step->next) {
        fp_json_begin_object(&json, NULL);
        fp_json_put_text(&json, "title", step->title);
        FP_JSON_LIST(&json, "lines", i, step->lines.count, fp_json_put_text(&json, NULL, step->lines.at[i].text));
        put_rows(&json, step);
        fp_json_end_object(&json);
    }
    fp_json_end_array(&json);
    fputc('\n', stream);
}

fp_status fp_explanation_write(const fp_explanation *explanation, fp_table_format format, bool colour, FILE *stream,
                               fp_error *error) {
    if (explanation->failed) return fp_no_memory(error);
    if (format != FP_FORMAT_TABLE && format != FP_FORMAT_JSON)
        return fp_fail(error, FP_ERROR_RANGE, "an explanation is printed as table or json");
    if (format == FP_FORMAT_JSON) return write_json(explanation, stream), FP_OK;
    for (const fp_explain_step_data *step = explanation->first; step; step = step->next) {
        if (step != explanation->first) fprintf(stream, "\n");
        FP_TRY(write_step(step, colour, explanation->arena, stream, error));
    }
    return FP_OK;
}

/* ---- Folded rows. The text of a cell determines its kind: bits 0110…, numbers separated by spaces, members (1,-1,…)
 * ---- */

enum {
    SHORT = 16,
    BYTE = 8,
    MOST_COLUMNS = 16,
    FOLD_MARGIN = 2, /* of a strip */
};

typedef enum kind { PLAIN, BITS, NUMBERS, MEMBERS } kind;

/* Rows of cells. */
typedef struct view {
    fp_arena *arena;
    size_t columns, rows;
    const char **name; /* [columns] */
    bool *number;      /* [columns]; every cell of the column is a number */
    const char **cell; /* [rows · columns], row by row */
    kind kind[MOST_COLUMNS];
    size_t width[MOST_COLUMNS]; /* of the widest number */
    size_t most;                /* places of a folded cell on each line */
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

/* Takes the next item of a list and moves *text behind it. Returns the item's length. */
static size_t next_item(const char **text, char between, const char **item) {
    size_t length = strcspn(*text, between == ' ' ? " " : ",)");
    *item = *text;
    *text += length;
    if (**text) (*text)++;
    return length;
}

/* Two decimals suffice to follow an example, except for numbers that they would round to 0. */
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
    kind is = of->kind[column];
    if (is == PLAIN) return 0;
    return is == BITS ? strlen(text) : count_items(text, is == NUMBERS ? ' ' : ',');
}

/* The line of a cell that starts with place `first`. */
static const char *line_of(const view *of, size_t column, const char *text, size_t first) {
    size_t most = of->most, used = 0, room = strlen(text) + most * (of->width[column] + 2) + 64;
    char *made = fp_arena_alloc(of->arena, room, 1);
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

/* Number of places that fit into 80 columns next to a term of a few characters; a lone fingerprint of 64 bits fits on
 * one line. */
static size_t choose_places(const view *of, size_t column) {
    static const size_t PLACES[] = {[PLAIN] = 1, [BITS] = 32, [NUMBERS] = BYTE, [MEMBERS] = 2 * BYTE};
    bool alone = of->kind[column] == BITS && of->columns == 1 && strlen(cell_at(of, 0, column)) <= 64;
    return alone ? 64 : PLACES[of->kind[column]];
}

/* ---- Grids ---- */

static size_t cells_of(const char *text) { return fp_view_cells(fp_string_of(text)); }

/* Width of the part before the point; the whole width for a number without a point and for other text. */
static size_t whole_part(const char *number) { return cells_of(number) - cells_of(number + strcspn(number, ".")); }

static bool has_points(const view *grid, size_t column) {
    for (size_t row = 0; row < grid->rows; row++)
        if (strchr(cell_at(grid, row, column), '.')) return true;
    return false;
}

/* Aligns the points of the numbers in each column. Columns of whole numbers are aligned right elsewhere. */
static void align_points(view *grid) {
    for (size_t column = 0; column < grid->columns; column++) {
        size_t widest = 0;
        if (!grid->number[column] || !has_points(grid, column)) continue;
        for (size_t row = 0; row < grid->rows; row++) {
            size_t whole = whole_part(cell_at(grid, row, column));
            if (whole > widest) widest = whole;
        }
        for (size_t row = 0; row < grid->rows; row++) {
            const char **cell = grid->cell + row * grid->columns + column;
            *cell = fp_format(grid->arena, "%*s%s", (int)(widest - whole_part(*cell)), "", *cell);
        }
        grid->number[column] = false; /* already aligned */
    }
}

static fp_table *plain_table(view *of) {
    const char *columns = "";
    align_points(of);
    for (size_t i = 0; i < of->columns; i++)
        columns = fp_format(of->arena, "%s%s%s%s", columns, i ? "|" : "", of->number[i] ? ">" : "", of->name[i]);
    fp_table *table = fp_table_new(columns, of->arena);
    for (size_t i = 0; i < of->rows * of->columns; i++) fp_table_text(table, of->cell[i]);
    return table;
}

/* Width of a pair written one above the other. */
static size_t pair_width(const char *const *pair) {
    size_t above = cells_of(pair[0]), below = cells_of(pair[1]);
    return above > below ? above : below;
}

static void write_strip_line(const view *grid, size_t column, size_t first, size_t count, FILE *stream) {
    size_t spaces = FOLD_MARGIN;
    for (size_t row = first; row < first + count; row++) {
        const char *const *pair = grid->cell + 2 * row;
        fprintf(stream, "%*s%s", (int)spaces, "", pair[column]);
        spaces = pair_width(pair) - cells_of(pair[column]) + 1;
    }
    fputc('\n', stream);
}

/* Writes a grid of two columns sideways: the first on one line, the second on the line below. */
static void write_strip(const view *grid, FILE *stream) {
    for (size_t first = 0, count; first < grid->rows; first += count) {
        size_t taken = FOLD_MARGIN;
        for (count = 0; first + count < grid->rows; count++) {
            size_t wide = pair_width(grid->cell + 2 * (first + count));
            if (count && taken + wide > WIDTH) break;
            taken += wide + 1;
        }
        if (first) fputc('\n', stream);
        for (size_t column = 0; column < 2; column++) write_strip_line(grid, column, first, count, stream);
    }
}

/* ---- Tables ---- */

/* The caller fills names and cells. */
static view new_view(fp_arena *arena, size_t columns, size_t rows) {
    return (view){.arena = arena,
                  .columns = columns,
                  .rows = rows,
                  .name = fp_arena_alloc(arena, columns, sizeof(char *)),
                  .number = fp_arena_alloc(arena, columns, sizeof(bool)),
                  .cell = fp_arena_alloc(arena, rows * columns, sizeof(char *))};
}

static view view_of(const fp_explain_step_data *step, fp_arena *arena) {
    size_t columns = step->columns.count;
    view of = new_view(arena, columns, columns ? step->cells.count / columns : 0);
    for (size_t i = 0; i < columns; i++) {
        of.name[i] = step->columns.at[i].text;
        of.number[i] = step->columns.at[i].number;
    }
    for (size_t i = 0; i < of.rows * columns; i++) {
        size_t column = i % columns;
        of.cell[i] = step->cells.at[i].text;
        kind found = column < MOST_COLUMNS ? kind_of(of.cell[i]) : PLAIN;
        if (found == PLAIN) continue;
        of.kind[column] = found;
        size_t width = found == NUMBERS ? widest_number(of.cell[i]) : 0;
        if (width > of.width[column]) of.width[column] = width;
    }
    return of;
}

/* Number of columns that could be folded. Several of them in one row are numbers that belong together. */
static size_t count_folded(const view *of, size_t *last) {
    size_t count = 0;
    for (size_t column = 0; column < of->columns && column < MOST_COLUMNS; column++)
        if (of->kind[column] != PLAIN) *last = column, count++;
    return count;
}

/* Turns one row of several cells of numbers into one row for each place. */
static view upright(const view *of) {
    view made = new_view(of->arena, of->columns + 1, count_places(of, 0, cell_at(of, 0, 0)));
    const char *rest[MOST_COLUMNS];
    for (size_t c = 0; c < made.columns; c++) {
        made.name[c] = c ? of->name[c - 1] : "bit";
        made.number[c] = true;
        if (c) rest[c - 1] = cell_at(of, 0, c - 1);
    }
    for (size_t i = 0; i < made.rows; i++) {
        const char **cell = made.cell + i * made.columns, *item;
        cell[0] = fp_format(of->arena, "r%zu", i + 1);
        for (size_t c = 0; c < of->columns; c++) {
            size_t length = next_item(&rest[c], ' ', &item);
            cell[c + 1] = fp_string_copy(of->arena, (fp_string){item, length});
        }
    }
    return made;
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
    for (size_t column = 0; column < of->columns; column++) {
        const char *places_column = !numbered ? "" : of->kind[folded] == MEMBERS ? "terms|" : "bits|";
        columns = fp_format(of->arena, "%s%s%s%s%s", columns, column ? "|" : "", column == folded ? places_column : "",
                            column != folded && of->number[column] ? ">" : "", of->name[column]);
    }
    fp_table *table = fp_table_new(columns, of->arena);
    for (size_t row = 0; row < of->rows; row++) add_folded_row(of, table, row, folded, numbered);
    return table;
}

/* Characters and their values, which are read side by side. */
static bool is_strip(const view *of) { return of->columns == 2 && strcmp(of->name[0], "character") == 0; }

static bool is_upright(const view *of, size_t folded) {
    if (folded < 2 || folded != of->columns || of->rows != 1) return false;
    for (size_t column = 0; column < of->columns; column++)
        if (of->kind[column] != NUMBERS) return false;
    return true;
}

static fp_table *chosen_table(view *of) {
    size_t last = 0, folded = count_folded(of, &last);
    if (folded == 1) {
        of->most = choose_places(of, last);
        return folded_table(of, last);
    }
    if (!is_upright(of, folded)) return plain_table(of);
    view made = upright(of);
    return plain_table(&made);
}

/* The step's table as a text that the caller frees. Cells of more than 16 bits are grouped by eight, 32 bits a line;
 * cells of more than 16 numbers or bracketed members have 8 or 16 a line, with their places; numbers have two decimals
 * and are aligned. If one row has several such cells of numbers, each place becomes a row. Characters and their values
 * become lines. */
static fp_status fold(const fp_explain_step_data *step, fp_arena *arena, char **text, fp_error *error) {
    view of = view_of(step, arena);
    fp_memory_stream memory;
    if (!is_strip(&of)) return fp_table_view(chosen_table(&of), text, error);
    align_points(&of);
    FP_TRY(fp_memory_stream_open(&memory, error));
    write_strip(&of, memory.stream);
    fp_status status = fp_memory_stream_close(&memory, error);
    *text = memory.text;
    return status;
}
