/* SPDX-License-Identifier: GPL-3.0-or-later
 * The picture of designs of an index: marks stand where memory and time put them on logarithmic axes, by plain
 * proportion, the front is told from the rest, and what would stretch the picture stands in its legend alone. */
#include "tests/reports/plots/plot_support.h"

static const char DESIGNS[] = "design\tbytes\tnanoseconds\tfront\trecommended\n";
static const char DEFINITIONS[] =
    "{\"definitions\": {\"bits\": 64, \"distance\": 3, \"fingerprints\": 1e6, \"most_bytes\": 3e10}}\n";

static void marks_by_proportion(void **state) {
    place *it = *state;
    append(it, "designs.tsv", DESIGNS, "scan\t1e9\t1e6\t1\t0\nvariants,stored\t1e15\t5\t1\t0\n");
    append(it, "designs.tsv", DESIGNS,
           "blocks=4\t1e10\t1e4\t1\t1\nblocks=5\t2e10\t1e5\t0\t0\nblocks=4+4\t1e11\t1e3\t1\t0\n");
    append(it, "run.json", "", DEFINITIONS);
    ASSERT_GOOD(fp_plot_draw(it->directory, NULL, NULL, &test_error));
    assert_png(content_of(it, "plots/plan-designs.png"));
    fp_string svg = content_of(it, "plots/plan-designs.svg");
    spot dot[8];
    /* The legend's, and those of the front, in the order of the table. */
    assert_int_equal(find_marks(svg, ROUND, BLUE, dot, 8), 4);
    double decade_x = dot[2].x - dot[1].x, decade_y = (dot[2].y - dot[1].y) / 2;
    assert_true(decade_x > 50 && decade_y > 50);
    assert_true(fabs(dot[3].x - dot[2].x - decade_x) < 0.02 * decade_x);
    assert_true(fabs(dot[3].y - dot[2].y - decade_y) < 0.02 * decade_y);
    assert_non_null(strstr(svg.data, "3 blocks=4<"));
    assert_non_null(strstr(svg.data, "variants,stored: 909 TiB, "));
    assert_non_null(strstr(svg.data, "memory 内存 27.9 GiB"));
    assert_non_null(strstr(svg.data, "1,000,000 fingerprints 指纹, 64 bits 位, distance 距离 3"));
}

static void one_design_is_a_picture(void **state) {
    place *it = *state;
    append(it, "designs.tsv", DESIGNS, "scan\t12\t0.1\t1\t1\n");
    append(it, "run.json", "",
           "{\"definitions\": {\"bits\": 64, \"distance\": 3, \"fingerprints\": 1, \"most_bytes\": null}}\n");
    ASSERT_GOOD(fp_plot_draw(it->directory, NULL, NULL, &test_error));
    assert_png(content_of(it, "plots/plan-designs.png"));
    assert_non_null(strstr(content_of(it, "plots/plan-designs.svg").data, "1 scan<"));
}

static void bad_tables(void **state) {
    place *it = *state;
    append(it, "designs.tsv", "design\tbytes\tfront\trecommended\n", "scan\t12\t1\t1\n");
    assert_int_equal(fp_plot_draw(it->directory, NULL, NULL, &test_error), FP_ERROR_SYNTAX);
    assert_non_null(strstr(test_error.message, "nanoseconds"));
}

static void no_rows(void **state) {
    place *it = *state;
    append(it, "designs.tsv", DESIGNS, "%s", "");
    assert_int_equal(fp_plot_draw(it->directory, NULL, NULL, &test_error), FP_ERROR_EMPTY);
    assert_non_null(strstr(test_error.message, "no design of an index"));
}

static void no_definitions(void **state) {
    place *it = *state;
    append(it, "designs.tsv", DESIGNS, "scan\t12\t0.1\t1\t1\n");
    append(it, "run.json", "", "{\"definitions\": {\"bits\": 64}}\n");
    assert_int_equal(fp_plot_draw(it->directory, NULL, NULL, &test_error), FP_ERROR_SYNTAX);
    assert_non_null(strstr(test_error.message, "definitions lack distance, which the figure designs needs"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        PLACED(marks_by_proportion), PLACED(one_design_is_a_picture), PLACED(bad_tables), PLACED(no_rows),
        PLACED(no_definitions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
