/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables folded to any width: made tables of letters, CJK, combining marks and control characters, at every width. No
 * line is wider than the terminal, every column of every block reads, from top to bottom, as its cells do, and every
 * column stands in some block. The reader here knows nothing of the layout: it finds columns by the gaps between them.
 */
#include <locale.h>
#include <wchar.h>

#include "reports/tables/table_view.h"
#include "text/unicode/utf8.h"

#include "tests/support.h"

enum { MOST_COLUMNS = 7, MOST_ROWS = 5, MOST_WIDTH = 400, MOST_LINES = 4000 };

/* ---- Made tables ---- */

static uint64_t draws;
static size_t draw(size_t below) { return (size_t)(fp_mix(draws++, 11) % below); }

static const char *make_text(fp_arena *arena, bool number) {
    static const char *const PIECES[] = {"a", "word", "词", "中文", "，", "é", "e\u0301", "e ", "of ", "-", "x,y", "😀"};
    if (number) return fp_format(arena, "%zu.%03zu", draw(100), draw(1000));
    const char *text = "";
    for (size_t left = 1 + draw(13); left; left--) text = fp_format(arena, "%s%s", text, PIECES[draw(12)]);
    return text;
}

/* The text without spaces: where lines break, they are gone. */
static void squash(char *to, const char *text) {
    to += strlen(to);
    for (; *text; text++)
        if (*text != ' ') *to++ = *text;
    *to = '\0';
}

/* ---- Reading what was written ---- */

typedef struct page {
    char *at[MOST_LINES]
            [MOST_WIDTH]; /* what stands in each cell of the terminal; NULL: nothing, or the rest of a wide one */
    bool taken[MOST_LINES][MOST_WIDTH];
    size_t lines;
} page;

static void read_line(page *to, fp_string line, size_t width, fp_arena *arena) {
    size_t column = 0, row = to->lines++;
    assert_true(row < MOST_LINES);
    for (size_t at = 0; at < line.length;) {
        uint32_t code;
        size_t bytes = fp_utf8_decode(line.data + at, &code);
        int cells = wcwidth((wchar_t)code);
        assert_true(cells >= 0);
        char *text = fp_string_copy(arena, (fp_string){line.data + at, bytes});
        size_t place = cells ? column : column - 1;
        to->at[row][place] = cells ? text : fp_format(arena, "%s%s", to->at[row][place], text);
        for (int i = 0; i < cells; i++) to->taken[row][column++] = code != ' ';
        at += bytes;
    }
    if (column > width) fail_msg("a line of %zu cells, not %zu: %.*s", column, width, (int)line.length, line.data);
}

/* Columns of a block: runs of cells of the terminal between gaps of two that are empty in every line. Calls for each
 * with its text from top to bottom. */
static void read_block(const page *from, void (*found)(const char *text)) {
    for (size_t begin = 0; begin < MOST_WIDTH;) {
        size_t end = begin, empty = 0;
        for (; end < MOST_WIDTH && empty < 2; end++) {
            bool any = false;
            for (size_t r = 0; r < from->lines; r++) any |= from->taken[r][end];
            empty = any ? 0 : empty + 1;
        }
        char text[20000] = "";
        for (size_t r = 0; r < from->lines; r++)
            for (size_t c = begin; c < end; c++)
                if (from->at[r][c]) squash(text, from->at[r][c]);
        if (*text) found(text);
        begin = end;
    }
}

static const char *wanted[MOST_COLUMNS], *shown;
static size_t wanted_count, seen[MOST_COLUMNS];

static void look_up(const char *text) {
    for (size_t c = 0; c < wanted_count; c++) {
        if (strcmp(wanted[c], text) != 0) continue;
        seen[c]++;
        return;
    }
    fail_msg("no column reads %s, in\n%s", text, shown);
}

static void clear(page *used) {
    memset(used->at, 0, used->lines * sizeof *used->at);
    memset(used->taken, 0, used->lines * sizeof *used->taken);
    used->lines = 0;
}

static void check(const char *output, size_t width) {
    fp_arena *arena = fp_arena_new();
    static page block;
    fp_string rest = fp_string_of(output), line;
    shown = output;
    while (fp_next_line(&rest, &line)) {
        if (line.length) read_line(&block, line, width, arena);
        if (line.length && rest.length) continue;
        read_block(&block, look_up);
        clear(&block);
    }
    fp_arena_free(arena);
}

/* ---- Laws ---- */

static void folded(void **state) {
    (void)state;
    static const char *const NAMES[MOST_COLUMNS] = {"名字", "arm",   "average precision (95%)", "best F1", "备注 note",
                                                    "h",    "figure"};
    for (size_t trial = 0; trial < 400; trial++) {
        fp_arena *arena = fp_arena_new();
        size_t columns = 1 + draw(MOST_COLUMNS), rows = 1 + draw(MOST_ROWS), keys = 1 + draw(columns > 2 ? 2 : 1);
        fp_view_column shape[MOST_COLUMNS];
        const char *cells[MOST_COLUMNS * MOST_ROWS];
        wanted_count = columns;
        for (size_t c = 0; c < columns; c++) {
            shape[c] = (fp_view_column){NAMES[c], c >= keys && draw(2), c < keys};
            char text[20000] = "";
            squash(text, NAMES[c]);
            for (size_t r = 0; r < rows; r++) {
                cells[r * columns + c] = make_text(arena, shape[c].right);
                squash(text, cells[r * columns + c]);
            }
            wanted[c] = fp_string_copy(arena, fp_string_of(text));
        }
        const fp_view view = {columns, rows, shape, cells};
        for (size_t width = 30; width < 250; width += 1 + draw(60)) {
            char *output = NULL;
            size_t size = 0;
            FILE *stream = open_memstream(&output, &size);
            memset(seen, 0, sizeof seen);
            ASSERT_GOOD(fp_view_write(&view, width, stream, arena, &test_error));
            fclose(stream);
            check(output, width);
            for (size_t c = 0; c < columns; c++) {
                if (!seen[c]) fail_msg("trial %zu, width %zu: column %s is lost:\n%s", trial, width, NAMES[c], output);
                if (!shape[c].key) assert_int_equal(seen[c], 1);
            }
            free(output);
        }
        fp_arena_free(arena);
    }
}

/* What fits is not touched: one table, and a number in one piece wherever it can be. */
static void whole(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    const fp_view_column columns[] = {{"arm", false, true}, {"note", false, false}, {"value", true, false}};
    const char *const cells[] = {"simhash", "一二三四五六七八九十", "0.836 (0.763–0.890)", "\033[31m", "b", "1"};
    const fp_view view = {3, 2, columns, cells};
    char *output = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&output, &size);
    ASSERT_GOOD(fp_view_write(&view, 80, stream, arena, &test_error));
    ASSERT_GOOD(fp_view_write(&view, 50, stream, arena, &test_error));
    fclose(stream);
    assert_string_equal(output, "arm       note                                value\n"
                                "simhash   一二三四五六七八九十  0.836 (0.763–0.890)\n"
                                "\\x1b[31m  b                                       1\n"
                                "arm       note                               value\n"
                                "simhash   一二三四五六七八九   0.836 (0.763–0.890)\n"
                                "          十\n"
                                "\\x1b[31m  b                                      1\n");
    free(output);
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(folded), cmocka_unit_test(whole)};
    if (!setlocale(LC_CTYPE, "C.UTF-8")) return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
