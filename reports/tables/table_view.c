/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tables for a person. */
#include "reports/tables/table_view.h"

#include <wchar.h>

#include "text/unicode/utf8.h"
#include "text/unicode/visible.h"

enum { GAP = 2 }; /* between columns */

/* What no font has takes one. */
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

/* Spaces wait for what follows them, so that no line ends in one. */
static void write_line(const fp_view *view, const fp_string *cells, const size_t *widths, FILE *stream) {
    size_t spaces = 0;
    for (size_t c = 0; c < view->column_count; c++) {
        size_t missing = widths[c] - fp_view_cells(cells[c]);
        bool right = view->columns[c].right;
        if (right) spaces += missing;
        if (cells[c].length) {
            for (; spaces; spaces--) fputc(' ', stream);
            fwrite(cells[c].data, 1, cells[c].length, stream);
        }
        spaces += GAP + (right ? 0 : missing);
    }
    fputc('\n', stream);
}

fp_status fp_view_write(const fp_view *view, FILE *stream, fp_arena *arena, fp_error *error) {
    size_t columns = view->column_count, all = (view->row_count + 1) * columns;
    if (view->row_count == 0) return FP_OK;
    fp_string *cells = fp_arena_raw(arena, all, sizeof *cells);
    size_t *widths = fp_arena_alloc(arena, columns, sizeof *widths);
    if (!cells || !widths) return fp_no_memory(error);
    for (size_t i = 0; i < all; i++) {
        cells[i] = fp_visible(fp_string_of(i < columns ? view->columns[i].name : view->cells[i - columns]), arena);
        if (!cells[i].data) return fp_no_memory(error);
        size_t width = fp_view_cells(cells[i]);
        if (width > widths[i % columns]) widths[i % columns] = width;
    }
    for (size_t i = 0; i < all; i += columns) write_line(view, cells + i, widths, stream);
    return FP_OK;
}
