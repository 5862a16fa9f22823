/* SPDX-License-Identifier: GPL-3.0-or-later
 * Two texts with their differences marked. */
#include "cli/text_pair.h"

#include <string.h>
#include <wchar.h>

#include "text/unicode/utf8.h"
#include "text/unicode/visible.h"

/* What one of the two texts looks like where it differs. */
typedef struct marks {
    const char *name;
    const char *open, *close; /* marks */
    const char *colour;       /* underlined, so that white space shows too */
} marks;

static const marks MARKS[2] = {{"A", "[-", "-]", "\033[4;31m"}, {"B", "{+", "+}", "\033[4;32m"}};

#define PLAIN "\033[0m"
#define DIM "\033[2m"
#define BOLD "\033[1m"

/* ---- The pen ---- */

/* Writes characters and tracks the position on the screen. */
typedef struct pen {
    FILE *stream; /* NULL: only counts */
    const fp_cli_pair_view *view;
    size_t row, column;
    size_t left_out; /* characters past the last row */
} pen;

static bool is_full(const pen *at) { return at->row + 1 >= at->view->rows; }

/* Text that takes no place. */
static void put_sign(const pen *to, const char *text) {
    if (to->stream) fputs(text, to->stream);
}

static void new_row(pen *to) {
    put_sign(to, "\n");
    to->row++;
    to->column = 0;
}

/* The terminal goes on in the next row by itself, but where rows are counted as lines. */
static void make_room(pen *to, size_t width) {
    if (!to->column || to->column + width <= to->view->columns) return;
    if (to->view->close) {
        new_row(to);
        return;
    }
    to->row++;
    to->column = 0;
}

static void put_ascii(pen *to, const char *text) {
    if (to->view->close) make_room(to, strlen(text));
    put_sign(to, text);
    for (; *text; text++) to->column++;
}

static void put_code(pen *to, uint32_t code, bool changed) {
    if (is_full(to)) {
        to->left_out++;
        return;
    }
    if (code == '\n') {
        if (changed) put_sign(to, "↵");
        new_row(to);
        return;
    }
    if (code == '\t') code = ' ';
    if (fp_is_control(code)) code = 0xb7;
    int cells = wcwidth((wchar_t)code);
    size_t width = cells > 0 ? (size_t)cells : 0;
    make_room(to, width);
    to->column += width;
    char bytes[5] = {0};
    fp_utf8_encode(code, bytes);
    put_sign(to, bytes);
}

static void put_note(pen *to, const char *format, size_t count) {
    char text[80];
    if (is_full(to)) return;
    snprintf(text, sizeof text, format, count);
    if (to->view->colours) put_sign(to, DIM);
    put_ascii(to, text);
    if (to->view->colours) put_sign(to, PLAIN);
}

/* ---- Runs ---- */

/* Up to `count` characters from *at on. */
static void put_characters(pen *to, fp_string text, size_t *at, size_t count, bool changed) {
    uint32_t code;
    for (; count && *at < text.length; count--) {
        *at += fp_utf8_decode(text.data + *at, &code);
        put_code(to, code, changed);
    }
}

static void skip_characters(fp_string text, size_t *at, size_t count) {
    for (; count; count--) *at += fp_utf8_size(text.data[*at]);
}

/* The first `head` and the last `tail` characters, when what is between them is worth leaving out. */
static void put_ends(pen *to, fp_string text, size_t head, size_t tail, bool changed) {
    enum { WORTH = 30 };
    size_t count = fp_utf8_count(text), at = 0;
    if (count <= head || count - head <= tail || count - head - tail < WORTH) {
        put_characters(to, text, &at, count, changed);
        return;
    }
    put_characters(to, text, &at, head, changed);
    put_note(to, changed ? " [... %zu more ...] " : " [... %zu the same ...] ", count - head - tail);
    skip_characters(text, &at, count - head - tail);
    put_characters(to, text, &at, tail, changed);
}

static void put_changed(pen *to, const marks *side, fp_string text, size_t context) {
    if (text.length == 0) return;
    if (is_full(to)) {
        to->left_out += fp_utf8_count(text);
        return;
    }
    if (to->view->colours) put_sign(to, side->colour);
    else put_ascii(to, side->open);
    put_ends(to, text, context > SIZE_MAX / 4 ? context : 4 * context, context, true);
    if (to->view->colours) put_sign(to, PLAIN);
    else if (!is_full(to)) put_ascii(to, side->close);
}

static void put_runs(pen *to, const fp_diff *diff, size_t which, size_t context) {
    for (size_t i = 0; i < diff->count; i++) {
        const fp_diff_run *run = diff->runs + i;
        bool last = i + 1 == diff->count;
        if (run->same) put_ends(to, run->a, diff->count == 1 ? SIZE_MAX : context, last ? 0 : context, false);
        else put_changed(to, MARKS + which, which ? run->b : run->a, context);
    }
}

/* Less context where that makes room for all differences. */
static size_t fitting_context(const fp_cli_pair_view *view, const fp_diff *diff, size_t which) {
    enum { LEAST = 5 };
    size_t context = view->context;
    for (; context > LEAST; context -= context / 4) {
        pen measure = {.view = view};
        put_runs(&measure, diff, which, context);
        if (measure.left_out == 0) break;
    }
    return context;
}

static void put_name(pen *to, const char *name) {
    fprintf(to->stream, to->view->colours ? BOLD "%s" PLAIN : "%s", name);
    if (!to->view->close) {
        fputc('\n', to->stream);
        return;
    }
    to->column = 1;
    put_ascii(to, "  ");
}

static void put_text(const fp_cli_pair_view *view, FILE *stream, const fp_diff *diff, size_t which, bool whole) {
    pen to = {.stream = stream, .view = view};
    put_name(&to, MARKS[which].name);
    put_runs(&to, diff, which, whole ? SIZE_MAX : fitting_context(view, diff, which));
    if (to.column) fputc('\n', stream);
    if (to.left_out) fprintf(stream, "[... %zu more characters; %s]\n", to.left_out, view->more);
    if (!view->close) fputc('\n', stream);
}

fp_status fp_cli_pair_write(FILE *stream, const fp_cli_pair_view *view, fp_string a, fp_string b, fp_arena *scratch,
                            fp_error *error) {
    fp_diff diff;
    FP_TRY(fp_diff_make(a, b, scratch, &diff, error));
    bool whole = fp_utf8_count(a) <= view->whole && fp_utf8_count(b) <= view->whole;
    for (size_t which = 0; which < 2; which++) put_text(view, stream, &diff, which, whole);
    if (diff.count == 0 || (diff.count == 1 && diff.runs->same))
        fprintf(stream, "The texts are the same to the last character.\n%s", view->close ? "" : "\n");
    return FP_OK;
}
