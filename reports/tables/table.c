/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tables: their cells, and their readable form. */
#include "reports/tables/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/memory_stream.h"
#include "text/unicode/utf8.h"
#include "text/unicode/visible.h"

struct fp_table {
    fp_arena *arena;
    fp_arena *texts; /* arena of cell texts: the table's, or that of one row */
    fp_table_column *columns;
    size_t column_count;
    fp_table_cell *cells;
    size_t count, room; /* stored cells */
    size_t written;     /* rows already written to the stream and dropped */
    FILE *stream;       /* NULL: all rows are stored */
    fp_table_format format;
};

bool fp_column_next(fp_string *columns, fp_column *column) {
    static const char MARKS[] = "els%dDt";
    fp_string field;
    if (!fp_next_field(columns, '|', &field)) return false;
    *column = (fp_column){.number = field.length && *field.data == '>', .digits = 4};
    if (column->number) field.data++, field.length--;
    const char *end = field.data + field.length, *mark = memchr(field.data, ';', field.length);
    for (const char *at = mark ? mark + 1 : end; at < end; at++)
        if (*at >= '0' && *at <= '9') column->digits = *at - '0';
        else column->is |= 1u << (strchr(MARKS, *at) - MARKS);
    if (mark) end = mark;
    const char *tilde = memchr(field.data, '~', (size_t)(end - field.data)), *stem = tilde ? tilde + 1 : field.data;
    int name = (int)((tilde ? tilde : end) - field.data), rest = (int)(end - stem);
    snprintf(column->name, sizeof column->name, "%.*s", name, field.data);
    if (!(column->is & FP_LIMITS)) return true;
    snprintf(column->low, sizeof column->low, "%.*s%slow", rest, stem, rest ? "_" : "");
    snprintf(column->high, sizeof column->high, "%.*s%shigh", rest, stem, rest ? "_" : "");
    return true;
}

static bool is(fp_string name, const char *other) { return fp_string_equal(name, fp_string_of(other)); }

bool fp_column_find(const char *columns, fp_string name, fp_column *column) {
    for (fp_string rest = fp_string_of(columns); fp_column_next(&rest, column);)
        if (is(name, column->name) || (*column->low && (is(name, column->low) || is(name, column->high)))) return true;
    return false;
}

static fp_table *open_table(size_t most, fp_arena *arena) {
    fp_table *table = fp_arena_alloc(arena, 1, sizeof *table);
    *table = (fp_table){.arena = arena, .texts = arena, .columns = fp_arena_alloc(arena, most, sizeof *table->columns)};
    return table;
}

static void add_column(fp_table *table, fp_string name, const fp_column *of) {
    table->columns[table->column_count++] = (fp_table_column){.name = fp_string_copy(table->arena, name),
                                                              .right = of->number,
                                                              .limits = of->is & FP_LIMITS,
                                                              .exact = of->is & FP_EXACT,
                                                              .digits = of->digits};
}

fp_table *fp_table_new(const char *columns, fp_arena *arena) {
    fp_table *table = open_table(strlen(columns) + 1, arena);
    for (fp_string rest = fp_string_of(columns), name; fp_next_field(&rest, '|', &name);) {
        const fp_column plain = {.number = name.length && *name.data == '>'};
        if (plain.number) name.data++, name.length--;
        add_column(table, name, &plain);
    }
    return table;
}

fp_table *fp_table_of(const char *columns, fp_arena *arena) {
    fp_table *table = open_table(3 * (strlen(columns) + 1), arena);
    fp_column column;
    for (fp_string rest = fp_string_of(columns); fp_column_next(&rest, &column);) {
        add_column(table, fp_string_of(column.name), &column);
        if (!(column.is & FP_LIMITS)) continue;
        add_column(table, fp_string_of(column.low), &column);
        add_column(table, fp_string_of(column.high), &column);
    }
    return table;
}

static fp_table_shape shape_of(const fp_table *table) { return (fp_table_shape){table->columns, table->column_count}; }

static void write_row(const fp_table *table, const fp_table_cell *row, size_t number, fp_table_format format,
                      FILE *stream) {
    const fp_table_writer *writer = fp_table_writers + format;
    fp_table_shape shape = shape_of(table);
    if (number == 0) writer->row(&shape, NULL, stream);
    else fputs(writer->between, stream);
    writer->row(&shape, row, stream);
}

size_t fp_table_shape_of(const fp_table *table, const fp_table_column **columns, size_t *rows,
                         const fp_table_cell **cells) {
    *columns = table->columns;
    *cells = table->cells;
    *rows = table->count / table->column_count;
    return table->column_count;
}

/* Writes a complete row and drops it. */
static void forget_row(fp_table *table) {
    write_row(table, table->cells, table->written++, table->format, table->stream);
    table->count = 0;
    fp_arena_reset(table->texts);
}

static void add_cell(fp_table *table, const char *exact, const char *readable, bool number) {
    (void)FP_ROOM(table->arena, table->cells, table->count, table->room, NULL);
    table->cells[table->count++] = (fp_table_cell){exact, readable, number};
    if (table->stream && table->count == table->column_count) forget_row(table);
}

void fp_table_string(fp_table *table, fp_string text) {
    char *copy = fp_string_copy(table->texts, text);
    for (char *at = copy; *at; at++)
        if (strchr("\t\n\r", *at)) *at = ' ';
    add_cell(table, copy, copy, false);
}

void fp_table_text(fp_table *table, const char *text) { fp_table_string(table, fp_string_of(text)); }

void fp_table_count(fp_table *table, uint64_t value) {
    const char *text = fp_format(table->texts, "%llu", (unsigned long long)value);
    add_cell(table, text, text, true);
}

void fp_table_undefined(fp_table *table) { add_cell(table, "NA", "NA", true); }

void fp_table_written(fp_table *table, const char *number) {
    const char *text = fp_string_copy(table->texts, fp_string_of(number));
    add_cell(table, text, text, true);
}

void fp_table_real(fp_table *table, double value, int digits) {
    if (isnan(value)) fp_table_undefined(table);
    else add_cell(table, fp_format(table->texts, "%.12g", value), fp_format(table->texts, "%.*f", digits, value), true);
}

/* Smaller p-values are shown as less than this: four decimals would show 0.0000. */
static const double SMALLEST_P = 0.0001;

void fp_table_p(fp_table *table, double p) {
    if (p < SMALLEST_P) add_cell(table, fp_format(table->texts, "%.12g", p), "<0.0001", true);
    else fp_table_real(table, p, 4);
}

const char *fp_p_text(double p, fp_arena *arena) {
    if (isnan(p)) return "p NA";
    return p < SMALLEST_P ? "p < 0.0001" : fp_format(arena, "p %.4f", p);
}

const char *fp_up_to_text(double bound, fp_arena *arena) {
    if (isnan(bound)) return "NA";
    double unit = 0.01;
    while (bound > 0 && bound <= unit) unit /= 10;
    return fp_format(arena, "%.*f", (int)rint(-log10(unit)), ceil(bound / unit - 1e-9) * unit);
}

/* Below 1, but rounded to 1. */
static bool is_rounded_up(double value, int digits) { return value < 1 && value >= 1 - 0.5 * pow(10, -digits); }

const char *fp_interval_text(double value, fp_interval interval, int digits, fp_arena *arena) {
    enum { MOST = 5 };
    double low = interval.low, high = interval.high;
    if (isnan(value)) return "NA";
    if (value != 0 && fabs(value) < 0.001 && !isnan(low)) return fp_format(arena, "%.2g (%.2g–%.2g)", value, low, high);
    while (digits < MOST && (is_rounded_up(value, digits) || is_rounded_up(low, digits))) digits++;
    if (isnan(low)) return fp_format(arena, "%.*f (NA)", digits, value);
    return fp_format(arena, "%.*f (%.*f–%.*f)", digits, value, digits, low, digits, high);
}

void fp_table_figure(fp_table *table, double value, fp_interval interval, int digits) {
    fp_table_real(table, value, digits);
    fp_table_real(table, interval.low, digits);
    fp_table_real(table, interval.high, digits);
}

void fp_table_interval(fp_table *table, double value, fp_interval interval, int digits) {
    fp_table_text(table, fp_interval_text(value, interval, digits, table->texts));
}

void fp_table_exact(fp_table *table, double value) {
    char digits[FP_REAL_TEXT];
    fp_real_text(value, digits);
    const char *text = fp_string_copy(table->texts, fp_string_of(digits));
    add_cell(table, text, text, true);
}

static const fp_table_column *next_column(const fp_table *table) {
    return table->columns + table->count % table->column_count;
}

void fp_table_put(fp_table *table, double value) {
    const fp_table_column *column = next_column(table);
    if (column->exact && !isnan(value)) fp_table_exact(table, value);
    else fp_table_real(table, value, column->digits);
}

void fp_table_put_all(fp_table *table, const double *values, size_t count) {
    for (size_t i = 0; i < count; i++) fp_table_put(table, values[i]);
}

void fp_table_put_figure(fp_table *table, double value, fp_interval interval) {
    const fp_table_column *column = next_column(table);
    if (column->limits) FP_TABLE_PUT(table, value, interval.low, interval.high);
    else fp_table_interval(table, value, interval, column->digits);
}

void fp_table_put_texts(fp_table *table, const char *const *texts, size_t count) {
    for (size_t i = 0; i < count; i++) fp_table_text(table, texts[i]);
}

void fp_table_stream(fp_table *table, fp_table_format format, FILE *stream, fp_arena *scratch) {
    if (format == FP_FORMAT_TABLE) return;
    table->stream = stream;
    table->format = format;
    table->texts = scratch;
}

/* Writes the stored rows and the end. */
static void write_rows(const fp_table *table, fp_table_format format, FILE *stream) {
    const fp_table_writer *writer = fp_table_writers + format;
    fp_table_shape shape = shape_of(table);
    size_t rows = table->written;
    for (size_t i = 0; i < table->count; i += table->column_count)
        write_row(table, table->cells + i, rows++, format, stream);
    if (rows == 0) writer->row(&shape, NULL, stream);
    fputs(writer->end[rows > 0], stream);
}

/* ---- Readable form ---- */

enum { GAP = 2 }; /* between columns */

/* 1 if wcwidth does not know the character. */
static size_t width_of_code(uint32_t code) {
    int cells = wcwidth((wchar_t)code);
    return cells < 0 ? 1 : (size_t)cells;
}

size_t fp_view_cells(fp_string text) {
    size_t width = 0;
    uint32_t code;
    for (size_t at = 0; at < text.length;) {
        at += fp_utf8_decode(text.data + at, &code);
        width += width_of_code(code);
    }
    return width;
}

/* Writes spaces only before text, so no line ends in one. */
static void write_line(const fp_table *table, const fp_string *cells, const size_t *widths, FILE *stream) {
    size_t spaces = 0;
    for (size_t c = 0; c < table->column_count; c++) {
        size_t missing = widths[c] - fp_view_cells(cells[c]);
        bool right = table->columns[c].right;
        if (right) spaces += missing;
        if (cells[c].length) {
            for (; spaces; spaces--) fputc(' ', stream);
            fwrite(cells[c].data, 1, cells[c].length, stream);
        }
        spaces += GAP + (right ? 0 : missing);
    }
    fputc('\n', stream);
}

/* Writes the column names, then each row on one line of any length; nothing if there are no rows. */
static void write_view(const fp_table *table, FILE *stream) {
    size_t columns = table->column_count, all = columns + table->count;
    if (table->count == 0) return;
    fp_arena *arena = fp_arena_new_like(table->arena);
    fp_string *cells = fp_arena_raw(arena, all, sizeof *cells);
    size_t *widths = fp_arena_alloc(arena, columns, sizeof *widths);
    for (size_t i = 0; i < all; i++) {
        const char *text = i < columns ? table->columns[i].name : table->cells[i - columns].readable;
        cells[i] = fp_visible(fp_string_of(text), arena);
        size_t width = fp_view_cells(cells[i]);
        if (width > widths[i % columns]) widths[i % columns] = width;
    }
    for (size_t i = 0; i + columns <= all; i += columns) write_line(table, cells + i, widths, stream);
    fp_arena_free(arena);
}

void fp_table_write(const fp_table *table, fp_table_format format, FILE *stream) {
    if (format == FP_FORMAT_TABLE) write_view(table, stream);
    else write_rows(table, format, stream);
}

fp_status fp_table_view(const fp_table *table, char **text, fp_error *error) {
    fp_memory_stream memory;
    *text = NULL;
    FP_TRY(fp_memory_stream_open(&memory, error));
    fp_table_write(table, FP_FORMAT_TABLE, memory.stream);
    fp_status status = fp_memory_stream_close(&memory, error);
    *text = memory.text;
    return status;
}

fp_status fp_table_save(const fp_table *table, const char *path, fp_error *error) {
    fp_output output;
    FP_TRY(fp_output_open(&output, path, error));
    fp_table_write(table, FP_FORMAT_TSV, output.stream);
    return fp_output_close(&output, error);
}
