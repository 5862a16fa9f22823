/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables for a person: made tables of letters, CJK, combining marks and emoji. Each cell stands whole where its column
 * begins or ends, by the cells of a terminal that come before it, and there is nothing else in its line.
 */
#include <locale.h>
#include <wchar.h>

#include "reports/tables/table.h"
#include "text/unicode/utf8.h"

#include "tests/support.h"

enum { MOST_COLUMNS = 7, MOST_ROWS = 5 };

typedef struct view_column {
    const char *name;
    bool right;
} view_column;

typedef struct view {
    size_t column_count, row_count;
    const view_column *columns;
    const char *const *cells; /* [row_count · column_count] row by row */
} view;

static char *write_view(const view *of, fp_arena *arena) {
    const char *columns = "";
    char *text;
    for (size_t c = 0; c < of->column_count; c++)
        columns =
            fp_format(arena, "%s%s%s%s", columns, c ? "|" : "", of->columns[c].right ? ">" : "", of->columns[c].name);
    fp_table *table = fp_table_new(columns, arena);
    for (size_t i = 0; i < of->row_count * of->column_count; i++) fp_table_text(table, of->cells[i]);
    ASSERT_GOOD(fp_table_view(table, &text, &test_error));
    return text;
}

static uint64_t draws;
static size_t draw(size_t below) { return (size_t)(fp_mix(draws++, 11) % below); }

static const char *make_text(fp_arena *arena, bool number) {
    static const char *const PIECES[] = {"a", "word", "词", "中文", "，", "é", "e\u0301", "e f", "-", "x,y", "😀"};
    if (number) return fp_format(arena, "%zu.%03zu", draw(100), draw(1000));
    const char *text = "";
    for (size_t left = draw(13); left; left--) text = fp_format(arena, "%s%s", text, PIECES[draw(11)]);
    return text;
}

static size_t cells_of(const char *text) {
    size_t cells = 0;
    uint32_t code;
    while (*text) text += fp_utf8_decode(text, &code), cells += (size_t)wcwidth((wchar_t)code);
    return cells;
}

/* What the line has behind *cell cells of the terminal, which moves on by `width`: that text, which is to end with a
 * whole character there, without the spaces around it. */
static fp_string take(fp_string *rest, size_t width) {
    const char *begin = rest->data;
    size_t taken = 0;
    uint32_t code;
    while (rest->length) {
        size_t bytes = fp_utf8_decode(rest->data, &code), cells = (size_t)wcwidth((wchar_t)code);
        if (taken + cells > width) break;
        taken += cells;
        rest->data += bytes;
        rest->length -= bytes;
    }
    assert_true(taken == width || rest->length == 0);
    return (fp_string){begin, (size_t)(rest->data - begin)};
}

static void check_line(fp_string line, const view *of, const char *const *cells, const size_t *widths) {
    if (line.length) assert_true(line.data[line.length - 1] != ' ');
    for (size_t c = 0; c < of->column_count; c++) {
        fp_string found = take(&line, widths[c]);
        size_t length = strlen(cells[c]), spaces = widths[c] - cells_of(cells[c]);
        size_t before = of->columns[c].right && length ? spaces : 0;
        assert_true(found.length >= before + length || length == 0);
        if (length) assert_memory_equal(found.data + before, cells[c], length);
        for (size_t i = 0; i < found.length; i++)
            if (length == 0 || i < before || i >= before + length) assert_int_equal(found.data[i], ' ');
        found = take(&line, 2);
        for (size_t i = 0; i < found.length; i++) assert_int_equal(found.data[i], ' ');
    }
    assert_int_equal(line.length, 0);
}

static void made_tables(void **state) {
    (void)state;
    enum { TABLES = 500 };
    static const char *const NAMES[MOST_COLUMNS] = {"id", "名称", "a longer name", "d", "值", "f", "最后一列"};
    for (size_t t = 0; t < TABLES; t++) {
        fp_arena *arena = fp_arena_new();
        view_column columns[MOST_COLUMNS];
        const char *cells[(MOST_ROWS + 1) * MOST_COLUMNS];
        size_t widths[MOST_COLUMNS] = {0};
        view shown = {1 + draw(MOST_COLUMNS), 1 + draw(MOST_ROWS), columns, NULL};
        size_t n = shown.column_count;
        for (size_t c = 0; c < n; c++) columns[c] = (view_column){NAMES[c], draw(2)};
        for (size_t i = 0; i < (shown.row_count + 1) * n; i++) {
            cells[i] = i < n ? NAMES[i] : make_text(arena, columns[i % n].right);
            if (cells_of(cells[i]) > widths[i % n]) widths[i % n] = cells_of(cells[i]);
        }
        shown.cells = cells + n;
        char *output = write_view(&shown, arena);
        fp_string rest = fp_string_of(output), line;
        for (size_t r = 0; r <= shown.row_count; r++) {
            assert_true(fp_next_line(&rest, &line));
            check_line(line, &shown, cells + r * n, widths);
        }
        assert_int_equal(rest.length, 0);
        free(output);
        fp_arena_free(arena);
    }
}

static void an_example(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    const view_column columns[] = {{"arm", false}, {"note", false}, {"value", true}};
    const char *const cells[] = {"simhash", "一二三四五六七八九十", "0.836 (0.763–0.890)", "\033[31m", "b", "1"};
    const view shown = {3, 2, columns, cells};
    char *output = write_view(&shown, arena);
    assert_string_equal(output, "arm       note                                value\n"
                                "simhash   一二三四五六七八九十  0.836 (0.763–0.890)\n"
                                "\\x1b[31m  b                                       1\n");
    free(output);
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(made_tables), cmocka_unit_test(an_example)};
    if (!setlocale(LC_CTYPE, "C.UTF-8")) return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
