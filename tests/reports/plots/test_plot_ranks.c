/* SPDX-License-Identifier: GPL-3.0-or-later
 * The critical-difference diagram, read back from its SVG. */
#include "tests/reports/plots/plot_support.h"

/* Dots by plain proportion along the axis, a bar for each longest run of arms less than the critical difference apart.
 */
static void ranks_stand_where_the_table_puts_them(void **state) {
    static const char header[] =
        "arm\taverage_precision\tlow\thigh\tmean_rank\tcorpora\tcritical_difference\tfriedman_p\timan_davenport_p\n";
    static const char *const ranks[] = {"1", "2.2", "3.1", "4"};
    place *it = *state;
    for (int i = 0; i < 4; i++)
        append(it, "ranks.tsv", header, "a<%d\t0.5\t0.4\t0.6\t%s\t9\t2\t0.02\t0.01\n", i, ranks[i]);
    ASSERT_GOOD(fp_plot_draw(it->directory, NULL, NULL, &test_error));
    assert_png(content_of(it, "plots/corpora-ranks.png"));
    fp_string svg = content_of(it, "plots/corpora-ranks.svg");
    spot dots[8];
    assert_int_equal(find_marks(svg, ROUND, "rgb(  0,   0,   0)", dots, 8), 4);
    double step = (dots[3].x - dots[0].x) / 3;
    assert_true(step > 50);
    for (int i = 1; i < 3; i++) assert_true(near_to((dots[i].x - dots[0].x) / step + 1, strtod(ranks[i], NULL)));
    for (int i = 0; i < 4; i++) assert_true(near_to(dots[i].y, dots[0].y));
    for (int i = 0; i < 4; i++) assert_non_null(strstr(svg.data, fp_format(it->arena, "a&lt;%d<", i)));
    /* 1 … 2.2 is one (3.1 is 2.1 away), 2.2 … 4 the other; 3.1 … 4 lies within it. All are in one path, 6 pixels longer
     * at either end. */
    char begin[64];
    double ends[4];
    snprintf(begin, sizeof begin, "<path stroke='%s'  d='", BLUE);
    assert_int_equal(count_of(svg, begin), 1);
    const char *bars = strstr(svg.data, begin) + strlen(begin);
    int read = 0;
    assert_int_equal(sscanf(bars, "M%lf,%*f L%lf,%*f M%lf,%*f L%lf,%*f %n", ends, ends + 1, ends + 2, ends + 3, &read),
                     4);
    assert_int_equal(bars[read], '\'');
    static const int expected[] = {0, 1, 1, 3};
    for (int i = 0; i < 4; i++) assert_true(near_to(ends[i], dots[expected[i]].x + (i % 2 ? 6 : -6)));
}

static void ranks_without_their_columns_are_named(void **state) {
    place *it = *state;
    append(it, "ranks.tsv", "arm\tmean_rank\n", "a\t1\nb\t2\n");
    assert_int_equal(fp_plot_draw(it->directory, NULL, NULL, &test_error), FP_ERROR_SYNTAX);
    assert_non_null(strstr(test_error.message, "average_precision"));
    assert_false(is_there(it, "plots"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        PLACED(ranks_stand_where_the_table_puts_them),
        PLACED(ranks_without_their_columns_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
