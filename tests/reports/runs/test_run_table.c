/* SPDX-License-Identifier: GPL-3.0-or-later
 * A table of a run says what was put into it; one that is not whole is refused, with its line and byte. */
#include <unistd.h>

#include "reports/runs/run_table.h"
#include "reports/tables/table.h"
#include "tests/support.h"

typedef struct place {
    fp_arena *arena;
    char path[512];
} place;

static int make_place(void **state) {
    place *it = calloc(1, sizeof *it);
    assert_non_null(it);
    it->arena = fp_arena_new();
    const char *parent = getenv("TMPDIR");
    snprintf(it->path, sizeof it->path, "%s/fplab-table-XXXXXX", parent && *parent ? parent : P_tmpdir);
    int file = mkstemp(it->path);
    assert_true(file >= 0);
    close(file);
    *state = it;
    return 0;
}

static int remove_place(void **state) {
    place *it = *state;
    unlink(it->path);
    fp_arena_free(it->arena);
    free(it);
    return 0;
}

static void write_text(const place *it, const char *text) {
    FILE *stream = fopen(it->path, "w");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
}

/* The writer is the law: whatever a cell holds comes back, tabs and line ends apart, which it makes spaces. */
static void what_was_written_is_read(void **state) {
    static const char *const CELLS[] = {"plain", "", "\"", "\"q\"", "a\"b", "\"\"", "\"a\"\"b", "'", "\\t", "中文"};
    enum { COUNT = sizeof CELLS / sizeof *CELLS };
    place *it = *state;
    fp_table *table = fp_table_new("first|>number|last", it->arena);
    for (size_t i = 0; i < COUNT; i++) {
        fp_table_text(table, CELLS[i]);
        fp_table_count(table, i);
        fp_table_text(table, CELLS[COUNT - 1 - i]);
    }
    ASSERT_GOOD(fp_table_save(table, it->path, &test_error));
    fp_run_table read;
    ASSERT_GOOD(fp_run_table_read(it->path, it->arena, &read, &test_error));
    assert_int_equal(read.column_count, 3);
    assert_int_equal(read.row_count, COUNT);
    assert_int_equal(fp_run_table_column(&read, "last"), 2);
    assert_int_equal(fp_run_table_column(&read, "las"), SIZE_MAX);
    for (size_t i = 0; i < COUNT; i++) {
        fp_string first = fp_run_table_cell(&read, i, 0), last = fp_run_table_cell(&read, i, 2);
        assert_true(fp_string_equal(first, fp_string_of(CELLS[i])));
        assert_true(fp_string_equal(last, fp_string_of(CELLS[COUNT - 1 - i])));
        assert_int_equal(fp_run_table_field(&read, i, 1).data[0], '0' + (char)i);
    }
}

static void expect(const place *it, const char *text, size_t line, size_t byte) {
    fp_run_table read;
    write_text(it, text);
    assert_int_equal(fp_run_table_read(it->path, it->arena, &read, &test_error), FP_ERROR_SYNTAX);
    assert_string_equal(test_error.file, it->path);
    assert_int_equal(test_error.line, line);
    assert_int_equal(test_error.byte, byte);
}

static void a_row_that_is_not_whole_is_named(void **state) {
    place *it = *state;
    expect(it, "a\tb\n1\t2\n3\n", 3, 8);
    expect(it, "a\tb\n1\t2\t3\n", 2, 4);
    expect(it, "a\tb\n1\t2\n\n", 3, 8);
    expect(it, "a\tb\n1\t\"2\n", 2, 6);
}

static void columns_that_are_missing_are_named(void **state) {
    place *it = *state;
    fp_run_table read;
    write_text(it, "a\tb\n1\t2\n");
    ASSERT_GOOD(fp_run_table_read(it->path, it->arena, &read, &test_error));
    ASSERT_GOOD(fp_run_table_expect(&read, "b", &test_error));
    assert_int_equal(fp_run_table_expect(&read, "c", &test_error), FP_ERROR_SYNTAX);
    assert_string_equal(test_error.message, "the header lacks c");
    assert_int_equal(test_error.line, 1);
    write_text(it, "");
    ASSERT_GOOD(fp_run_table_read(it->path, it->arena, &read, &test_error));
    assert_int_equal(fp_run_table_expect(&read, "c", &test_error), FP_ERROR_SYNTAX);
}

#define PLACED(name) cmocka_unit_test_setup_teardown(name, make_place, remove_place)

int main(void) {
    const struct CMUnitTest tests[] = {PLACED(what_was_written_is_read), PLACED(a_row_that_is_not_whole_is_named),
                                       PLACED(columns_that_are_missing_are_named)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
