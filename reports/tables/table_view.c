/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tables for a person. A table that is too wide is laid out in blocks of columns. */
#include "reports/tables/table_view.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unicode/ubrk.h>
#include <unistd.h>
#include <wchar.h>

#include "text/unicode/utf8.h"
#include "text/unicode/visible.h"

enum {
    GAP = 2,       /* between columns */
    TEXT = 16,     /* a text is not made narrower than this while there is another way */
    NARROWEST = 6, /* nor anything than this */
};

typedef struct writing {
    const fp_view_column *columns;
    size_t column_count, row_count, width;
    fp_string *cells; /* [(row_count + 1) · column_count] the names first; valid UTF-8 */
    size_t *natural;  /* [column_count] of the widest cell */
    size_t *least;    /* [column_count] that the column can be made to take */
    size_t *taken;    /* [column_count] what it takes */
    UBreakIterator *breaks;
    FILE *stream;
    fp_arena *arena;
    fp_error *error;
} writing;

/* ---- Widths ---- */

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

static size_t longest_word(fp_string text) {
    size_t longest = 0;
    fp_string word;
    while (fp_next_field(&text, ' ', &word)) {
        size_t width = fp_view_cells(word);
        if (width > longest) longest = width;
    }
    return longest;
}

static void measure(writing *on) {
    for (size_t c = 0; c < on->column_count; c++) {
        size_t cells = 0, name = fp_view_cells(on->cells[c]);
        for (size_t r = 1; r <= on->row_count; r++) {
            size_t width = fp_view_cells(on->cells[r * on->column_count + c]);
            if (width > cells) cells = width;
        }
        size_t natural = cells > name ? cells : name, word = longest_word(on->cells[c]);
        on->natural[c] = natural;
        if (on->columns[c].right) on->least[c] = cells > word ? cells : word; /* a number stays in one piece */
        else on->least[c] = natural < TEXT ? natural : TEXT;
    }
}

/* ---- Blocks ---- */

/* Whether the column stands in the block of the columns `first` … `last` − 1: keys stand in every block. */
static bool in_block(const writing *on, size_t c, size_t first, size_t last) {
    return on->columns[c].key || (c >= first && c < last);
}

static size_t block_width(const writing *on, const size_t *widths, size_t first, size_t last) {
    size_t sum = 0;
    for (size_t c = 0; c < on->column_count; c++)
        if (in_block(on, c, first, last)) sum += widths[c] + (sum ? GAP : 0);
    return sum;
}

/* As many columns from `first` on as fit, but one at least that is no key. */
static size_t end_of_block(const writing *on, size_t first) {
    size_t last = first;
    bool any = false;
    for (; last < on->column_count; last++) {
        if (on->columns[last].key) continue;
        if (any && block_width(on, on->least, first, last + 1) > on->width) break;
        any = true;
    }
    return last;
}

/* The column of the block that has the most to give, or to get; SIZE_MAX when none has. */
static size_t widest(const writing *on, size_t first, size_t last, bool give) {
    size_t best = SIZE_MAX, most = 0;
    for (size_t c = 0; c < on->column_count; c++) {
        if (!in_block(on, c, first, last)) continue;
        size_t floor = give ? NARROWEST : on->taken[c], ceiling = give ? on->taken[c] : on->natural[c];
        size_t has = ceiling > floor ? ceiling - floor : 0;
        if (has > most) best = c, most = has;
    }
    return best;
}

/* What is missing is taken from the widest columns. */
static void take_width(writing *on, size_t first, size_t last, size_t *sum, size_t most) {
    for (size_t c; *sum > most && (c = widest(on, first, last, true)) != SIZE_MAX; --*sum) on->taken[c]--;
}

/* Keys alone take half of the width at most. */
static void narrow_keys(writing *on) {
    memcpy(on->taken, on->least, on->column_count * sizeof *on->taken);
    size_t sum = block_width(on, on->taken, 0, 0);
    take_width(on, 0, 0, &sum, on->width / 2);
    memcpy(on->least, on->taken, on->column_count * sizeof *on->taken);
}

/* What is left over goes to the columns that want it most. */
static void share_width(writing *on, size_t first, size_t last) {
    memcpy(on->taken, on->least, on->column_count * sizeof *on->taken);
    size_t sum = block_width(on, on->taken, first, last), c;
    for (; sum < on->width && (c = widest(on, first, last, false)) != SIZE_MAX; sum++) on->taken[c]++;
    take_width(on, first, last, &sum, on->width);
}

/* ---- Wrapping ---- */

/* The bytes of `text` that fit into `width`, but one character at least. */
static size_t fitting(fp_string text, size_t width) {
    size_t at = 0, used = 0;
    uint32_t code;
    while (at < text.length) {
        size_t bytes = fp_utf8_decode(text.data + at, &code);
        used += width_of_code(code);
        if (used > width && at) break;
        at += bytes;
    }
    return at;
}

/* The bytes of the next line: up to the last place where it may break, or, where there is none, as many as fit. */
static size_t next_line(const writing *on, fp_string text, size_t width) {
    size_t most = fitting(text, width);
    if (most == text.length || !on->breaks) return most;
    if (text.data[most] == ' ') return most;
    if (ubrk_isBoundary(on->breaks, (int32_t)most)) return most;
    int32_t at = ubrk_preceding(on->breaks, (int32_t)most);
    return at > 0 && at != UBRK_DONE ? (size_t)at : most;
}

static fp_string trimmed(fp_string text) {
    while (text.length && text.data[text.length - 1] == ' ') text.length--;
    return text;
}

/* Takes the next line of *rest, without spaces at its ends; those in front of the first are its indent. */
static fp_string take_line(const writing *on, fp_string *rest, size_t width, bool begins) {
    UErrorCode status = U_ZERO_ERROR;
    while (!begins && rest->length && *rest->data == ' ') rest->data++, rest->length--;
    size_t length = rest->length;
    if (fp_view_cells(*rest) > width) {
        UText *text = utext_openUTF8(NULL, rest->data, (int64_t)rest->length, &status);
        if (on->breaks) ubrk_setUText(on->breaks, text, &status);
        length = U_SUCCESS(status) ? next_line(on, *rest, width) : fitting(*rest, width);
        utext_close(text);
    }
    fp_string line = trimmed((fp_string){rest->data, length});
    rest->data += length;
    rest->length -= length;
    return line;
}

/* ---- Writing ---- */

static void write_spaces(const writing *on, size_t count) {
    for (; count; count--) fputc(' ', on->stream);
}

/* One line of a row: what is next of every cell. Returns whether there is more. Spaces wait for what follows them. */
static bool write_line(const writing *on, fp_string *rest, size_t first, size_t last, bool begins) {
    size_t spaces = 0;
    bool more = false;
    for (size_t c = 0; c < on->column_count; c++) {
        if (!in_block(on, c, first, last)) continue;
        fp_string text = take_line(on, rest + c, on->taken[c], begins);
        size_t width = fp_view_cells(text), missing = on->taken[c] > width ? on->taken[c] - width : 0;
        bool right = on->columns[c].right;
        if (right) spaces += missing;
        if (text.length) {
            write_spaces(on, spaces);
            fwrite(text.data, 1, text.length, on->stream);
            spaces = 0;
        }
        spaces += GAP + (right ? 0 : missing);
        more |= trimmed(rest[c]).length > 0;
    }
    fputc('\n', on->stream);
    return more;
}

/* The names and the rows, each as many lines as its tallest cell needs. */
static fp_status write_block(const writing *on, size_t first, size_t last) {
    fp_string *rest = fp_arena_raw(on->arena, on->column_count, sizeof *rest);
    if (!rest) return fp_no_memory(on->error);
    for (size_t r = 0; r <= on->row_count; r++) {
        memcpy(rest, on->cells + r * on->column_count, on->column_count * sizeof *rest);
        for (bool begins = true; write_line(on, rest, first, last, begins);) begins = false;
    }
    return FP_OK;
}

static fp_status write_blocks(writing *on) {
    size_t first = 0;
    bool whole = block_width(on, on->least, 0, on->column_count) <= on->width;
    if (!whole) narrow_keys(on);
    do {
        size_t last = whole ? on->column_count : end_of_block(on, first);
        if (first) fputc('\n', on->stream);
        share_width(on, first, last);
        FP_TRY(write_block(on, first, last));
        first = last;
    } while (first < on->column_count);
    return FP_OK;
}

static fp_status fill(writing *on, const char *const *cells) {
    size_t columns = on->column_count, all = (on->row_count + 1) * columns;
    on->cells = fp_arena_raw(on->arena, all, sizeof *on->cells);
    on->natural = fp_arena_raw(on->arena, columns, sizeof *on->natural);
    on->least = fp_arena_raw(on->arena, columns, sizeof *on->least);
    on->taken = fp_arena_raw(on->arena, columns, sizeof *on->taken);
    if (!on->cells || !on->natural || !on->least || !on->taken) return fp_no_memory(on->error);
    for (size_t i = 0; i < all; i++) {
        const char *text = i < columns ? on->columns[i].name : cells[i - columns];
        on->cells[i] = fp_visible(fp_string_of(text), on->arena);
        if (!on->cells[i].data) return fp_no_memory(on->error);
    }
    return FP_OK;
}

fp_status fp_view_write(const fp_view *view, size_t width, FILE *stream, fp_arena *arena, fp_error *error) {
    UErrorCode status = U_ZERO_ERROR;
    writing on = {.columns = view->columns,
                  .column_count = view->column_count,
                  .row_count = view->row_count,
                  .width = width,
                  .stream = stream,
                  .arena = arena,
                  .error = error};
    if (view->row_count == 0) return FP_OK;
    FP_TRY(fill(&on, view->cells));
    measure(&on);
    /* Only where lines have an end: ICU opens it slowly, and crashes when an allocation fails in it. */
    if (width < SIZE_MAX) on.breaks = ubrk_open(UBRK_LINE, "", NULL, 0, &status);
    if (status == U_MEMORY_ALLOCATION_ERROR) return fp_no_memory(error);
    fp_status done = write_blocks(&on);
    if (on.breaks) ubrk_close(on.breaks);
    return done;
}

size_t fp_view_width(FILE *stream) {
    enum { USUAL = 80 };
    struct winsize size = {0};
    int descriptor =
        stream == stdout ? STDOUT_FILENO : fileno(stream); /* stdout may be a stream of the program's own */
    if (descriptor < 0 || !isatty(descriptor)) return SIZE_MAX;
    const char *columns = getenv("COLUMNS");
    int64_t stated;
    if (columns && fp_parse_integer(columns, &stated) && stated > 0) return (size_t)stated;
    return ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : USUAL;
}
