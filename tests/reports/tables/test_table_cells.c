/* SPDX-License-Identifier: GPL-3.0-or-later
 * Cells for a person: what is rounded must not say more than the number does. */
#include <math.h>
#include <stdlib.h>

#include "reports/tables/table.h"
#include "tests/support.h"

static const char *written(fp_table *table, fp_table_format format, fp_arena *arena) {
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    fp_table_write(table, format, stream);
    fclose(stream);
    const char *copy = fp_string_copy(arena, (fp_string){text, size});
    free(text);
    return copy;
}

/* No figure and no lower limit below 1 is written as 1, an upper limit may be: it bounds nothing there. */
static void nothing_is_rounded_up_to_one(void **state) {
    (void)state;
    static const struct {
        double value, low, high;
        int digits;
        const char *text;
    } CASES[] = {
        {0.94, 0.9, 0.97, 2, "0.94 (0.90–0.97)"},
        {1, 0.99, 1, 2, "1.00 (0.99–1.00)"},
        {0.9951, 0.98, 0.999, 2, "0.995 (0.980–0.999)"},
        {0.9949, 0.98, 0.999, 2, "0.99 (0.98–1.00)"},
        {1, 0.9996, 1, 2, "1.0000 (0.9996–1.0000)"},
        {0.99996, 0.5, 1, 3, "0.99996 (0.50000–1.00000)"},
        {1, 1, 1, 2, "1.00 (1.00–1.00)"},
        {0, 0, 0.04, 2, "0.00 (0.00–0.04)"},
        {0.00012, 0.00001, 0.002, 3, "0.00012 (1e-05–0.002)"},
        {0.5, NAN, NAN, 2, "0.50 (NA)"},
        {NAN, NAN, NAN, 2, "NA"},
    };
    fp_arena *arena = fp_arena_new();
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        assert_string_equal(
            fp_interval_text(CASES[i].value, (fp_interval){CASES[i].low, CASES[i].high}, CASES[i].digits, arena),
            CASES[i].text);
        fp_table *table = fp_table_new("figure", arena);
        fp_table_interval(table, CASES[i].value, (fp_interval){CASES[i].low, CASES[i].high}, CASES[i].digits);
        assert_string_equal(written(table, FP_FORMAT_TSV, arena), fp_format(arena, "figure\n%s\n", CASES[i].text));
    }
    fp_arena_free(arena);
}

/* A person reads "<0.0001", a program the number. */
static void no_p_is_zero(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    static const struct {
        double p;
        const char *person, *file, *sentence;
    } CASES[] = {{3.5e-18, "<0.0001", "3.5e-18", "p < 0.0001"},
                 {0, "<0.0001", "0", "p < 0.0001"},
                 {0.0001, "0.0001", "0.0001", "p 0.0001"},
                 {0.01234, "0.0123", "0.01234", "p 0.0123"},
                 {1, "1.0000", "1", "p 1.0000"},
                 {NAN, "NA", "NA", "p NA"}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        fp_table *table = fp_table_new("p", arena);
        fp_table_p(table, CASES[i].p);
        assert_non_null(strstr(written(table, FP_FORMAT_TABLE, arena), CASES[i].person));
        assert_string_equal(written(table, FP_FORMAT_TSV, arena), fp_format(arena, "p\n%s\n", CASES[i].file));
        assert_string_equal(fp_p_text(CASES[i].p, arena), CASES[i].sentence);
    }
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_rounded_up_to_one),
        cmocka_unit_test(no_p_is_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
