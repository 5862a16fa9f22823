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

enum { SHORT = 16, BYTE = 8, MOST_COLUMNS = 16, FOLD_MARGIN = 2 /* of a strip */ };

typedef enum kind { PLAIN, BITS, NUMBERS, MEMBERS } kind;

/* Rows of cells. */
typedef struct view {
    fp_arena *arena;
    size_t columns, rows;
    fp_explain_text *head; /* [columns]; number: every cell of the column is a number */
    fp_explain_text *cell; /* [rows · columns], row by row */
    kind kind[MOST_COLUMNS];
    int width[MOST_COLUMNS]; /* of the widest number */
} view;

static const char *cell_at(const view *of, size_t row, size_t column) {
    return of->cell[row * of->columns + column].text;
}

/* ---- Items of a cell: bits, numbers, members ---- */

/* Takes the next item and moves *text behind it. */
static fp_string next_item(const char **text, kind is) {
    if (is == MEMBERS && **text == '(') ++*text;
    fp_string item = {*text, is == BITS ? 1 : strcspn(*text, is == NUMBERS ? " " : ",)")};
    *text += item.length;
    if (is != BITS && **text) ++*text;
    return item;
}

static size_t count_items(const char *text, kind is) {
    size_t count = 0;
    for (; *text; count++) next_item(&text, is);
    return count;
}

static kind kind_of(const char *text) {
    kind is = NUMBERS;
    if (text[strspn(text, "01")] == '\0') is = BITS;
    else if (*text == '(' && text[strspn(text, "(),-1")] == '\0') is = MEMBERS;
    else if (text[strspn(text, "0123456789+-.e infa")]) return PLAIN;
    return count_items(text, is) > SHORT ? is : PLAIN;
}

/* Two decimals suffice to follow an example, except for numbers that they would round to 0. */
static const char *short_number(const char *item, fp_arena *arena) {
    double value = strtod(item, NULL);
    bool vanishes = value != 0 && fabs(value) < 0.005;
    const char *format = vanishes ? "%.0e" : value == nearbyint(value) ? "%.6g" : fabs(value) < 1000 ? "%.2f" : "%.4g";
    return fp_format(arena, format, value);
}

static int widest_number(const char *text, fp_arena *arena) {
    size_t widest = 0;
    while (*text) {
        size_t length = strlen(short_number(next_item(&text, NUMBERS).data, arena));
        if (length > widest) widest = length;
    }
    return (int)widest;
}

/* The line of a cell with `most` items from `first` on. */
static const char *line_of(const view *of, size_t column, const char *text, size_t first, size_t most) {
    kind is = of->kind[column];
    const char *line = "";
    for (size_t i = 0; *text && i < first + most; i++) {
        fp_string item = next_item(&text, is);
        if (i < first) continue;
        const char *gap = i == first || (is == BITS && (i - first) % BYTE) ? "" : " ",
                   *shown = is == NUMBERS ? short_number(item.data, of->arena) : fp_string_copy(of->arena, item);
        int width = is == NUMBERS ? of->width[column] : is == MEMBERS ? 2 : 0;
        line = fp_format(of->arena, "%s%s%*s", line, gap, width, shown);
    }
    return line;
}

/* Number of items that fit into 80 columns next to a term of a few characters; a lone fingerprint of 64 bits fits on
 * one line. */
static size_t choose_items(const view *of, size_t column) {
    static const size_t ITEMS[] = {[PLAIN] = 1, [BITS] = 32, [NUMBERS] = BYTE, [MEMBERS] = 2 * BYTE};
    bool alone = of->kind[column] == BITS && of->columns == 1 && strlen(cell_at(of, 0, column)) <= 64;
    return alone ? 64 : ITEMS[of->kind[column]];
}

/* ---- Grids ---- */

static size_t cells_of(const char *text) { return fp_view_cells(fp_string_of(text)); }

/* Width of the part before the point; the whole width for a number without a point and for other text. */
static size_t whole_part(const char *number) { return cells_of(number) - cells_of(number + strcspn(number, ".")); }

/* Aligns the points of the numbers in each column. Columns of whole numbers are aligned right elsewhere. */
static void align_points(view *grid) {
    for (size_t column = 0; column < grid->columns; column++) {
        size_t widest = 0;
        bool points = false;
        for (size_t row = 0; row < grid->rows; row++) {
            size_t whole = whole_part(cell_at(grid, row, column));
            points |= strchr(cell_at(grid, row, column), '.') != NULL;
            if (whole > widest) widest = whole;
        }
        if (!grid->head[column].number || !points) continue;
        for (size_t row = 0; row < grid->rows; row++) {
            const char **cell = &grid->cell[row * grid->columns + column].text;
            *cell = fp_format(grid->arena, "%*s%s", (int)(widest - whole_part(*cell)), "", *cell);
        }
        grid->head[column].number = false; /* already aligned */
    }
}

static fp_table *plain_table(view *of) {
    const char *columns = "";
    align_points(of);
    for (size_t i = 0; i < of->columns; i++)
        columns =
            fp_format(of->arena, "%s%s%s%s", columns, i ? "|" : "", of->head[i].number ? ">" : "", of->head[i].text);
    fp_table *table = fp_table_new(columns, of->arena);
    for (size_t i = 0; i < of->rows * of->columns; i++) fp_table_text(table, of->cell[i].text);
    return table;
}

/* Width of a pair written one above the other. */
static size_t pair_width(const fp_explain_text *pair) {
    size_t above = cells_of(pair[0].text), below = cells_of(pair[1].text);
    return above > below ? above : below;
}

static void write_strip_line(const view *grid, size_t column, size_t first, size_t count, FILE *stream) {
    size_t spaces = FOLD_MARGIN;
    for (size_t row = first; row < first + count; row++) {
        const fp_explain_text *pair = grid->cell + 2 * row;
        fprintf(stream, "%*s%s", (int)spaces, "", pair[column].text);
        spaces = pair_width(pair) - cells_of(pair[column].text) + 1;
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

/* The caller fills heads and cells. */
static view new_view(fp_arena *arena, size_t columns, size_t rows) {
    return (view){.arena = arena,
                  .columns = columns,
                  .rows = rows,
                  .head = fp_arena_alloc(arena, columns, sizeof(fp_explain_text)),
                  .cell = fp_arena_alloc(arena, rows * columns, sizeof(fp_explain_text))};
}

static view view_of(const fp_explain_step_data *step, fp_arena *arena) {
    view of = new_view(arena, step->columns.count, step->cells.count / step->columns.count);
    memcpy(of.head, step->columns.at, of.columns * sizeof *of.head);
    if (of.rows) memcpy(of.cell, step->cells.at, of.rows * of.columns * sizeof *of.cell);
    for (size_t i = 0; i < of.rows * of.columns; i++) {
        size_t column = i % of.columns;
        kind found = column < MOST_COLUMNS ? kind_of(of.cell[i].text) : PLAIN;
        if (found == PLAIN) continue;
        of.kind[column] = found;
        int width = found == NUMBERS ? widest_number(of.cell[i].text, arena) : 0;
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
    view made = new_view(of->arena, of->columns + 1, count_items(cell_at(of, 0, 0), NUMBERS));
    for (size_t c = 0; c < made.columns; c++) {
        const char *rest = c ? cell_at(of, 0, c - 1) : NULL;
        made.head[c] = (fp_explain_text){c ? of->head[c - 1].text : "bit", true};
        for (size_t i = 0; i < made.rows; i++)
            made.cell[i * made.columns + c].text =
                c ? fp_string_copy(of->arena, next_item(&rest, NUMBERS)) : fp_format(of->arena, "r%zu", i + 1);
    }
    return made;
}

static void add_folded_row(const view *of, fp_table *table, size_t row, size_t folded, bool numbered) {
    const char *items = cell_at(of, row, folded);
    size_t count = count_items(items, of->kind[folded]), most = choose_items(of, folded);
    for (size_t first = 0; first == 0 || first < count; first += most) {
        size_t last = first + most < count ? first + most : count;
        for (size_t column = 0; column < of->columns; column++) {
            if (column != folded) {
                fp_table_text(table, first ? "" : cell_at(of, row, column));
                continue;
            }
            if (numbered) fp_table_text(table, fp_format(of->arena, "%zu–%zu", first + 1, last));
            fp_table_text(table, line_of(of, column, items, first, most));
        }
    }
}

static fp_table *folded_table(const view *of, size_t folded) {
    const char *columns = "";
    kind is = of->kind[folded];
    bool numbered = of->rows && count_items(cell_at(of, 0, folded), is) > choose_items(of, folded);
    for (size_t column = 0; column < of->columns; column++) {
        const char *places = column != folded || !numbered ? "" : is == MEMBERS ? "terms|" : "bits|";
        columns = fp_format(of->arena, "%s%s%s%s%s", columns, column ? "|" : "", places,
                            column != folded && of->head[column].number ? ">" : "", of->head[column].text);
    }
    fp_table *table = fp_table_new(columns, of->arena);
    for (size_t row = 0; row < of->rows; row++) add_folded_row(of, table, row, folded, numbered);
    return table;
}

/* Characters and their values, which are read side by side. */
static bool is_strip(const view *of) { return of->columns == 2 && strcmp(of->head[0].text, "character") == 0; }

static bool is_upright(const view *of, size_t folded) {
    if (folded < 2 || folded != of->columns || of->rows != 1) return false;
    for (size_t column = 0; column < of->columns; column++)
        if (of->kind[column] != NUMBERS) return false;
    return true;
}

static fp_table *chosen_table(view *of) {
    size_t last = 0, folded = count_folded(of, &last);
    if (folded == 1) return folded_table(of, last);
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
