/* SPDX-License-Identifier: GPL-3.0-or-later
 * The picture of what an index brings, read back from its SVG: marks, limits and rings stand where the tables' figures
 * put them, on the axes of the curve. */
#include "tests/reports/plots/plot_support.h"

static const char *const FIGURE[] = {"index", NULL};

static const char BINS[] =
    "corpus\tarm\tindex\tlow\thigh\tpairs\tsimilarity\tbrought\tbrought_low\tbrought_high\texpected\n";
static const char CURVE[] = "corpus\tarm\tindex\tmeasure\tindex_reach\tsimilarity\texpected\n";

/* Similarity, share with its limits, expectation; the curve is s². */
static const double AT[][5] = {{0.15, 0, 0, 0.1, 0.02}, {0.45, 0.3, 0.25, 0.4, 0.2}, {0.95, 0.9, 0.5, 1, 0.91}};

static void add_index(const place *it, const char *arm) {
    for (size_t b = 0; b < 3; b++)
        append(it, "index.tsv", BINS, "c\t%s\tpigeonhole:blocks=4\t%g\t%g\t9\t%g\t%g\t%g\t%g\t%g\n", arm,
               AT[b][0] - 0.05, AT[b][0] + 0.05, AT[b][0], AT[b][1], AT[b][2], AT[b][3], AT[b][4]);
    for (int i = 0; i <= 10; i++)
        append(it, "index-curve.tsv", CURVE, "c\t%s\tpigeonhole:blocks=4\tcosine\t3\t%g\t%g\n", arm, i / 10.0,
               i * i / 100.0);
}

static void draw(const place *it) { ASSERT_GOOD(fp_plot_draw(it->directory, FIGURE, NULL, &test_error)); }

/* Rings are point type 6, the SVG's symbol 5. */
static void marks_stand_on_the_axes_of_the_curve(void **state) {
    place *it = *state;
    add_arm(it, "c", "only", "bits of 64", NO_GAPS);
    add_index(it, "only");
    draw(it);
    assert_png(content_of(it, picture(it, "c", "index", "png")));
    fp_string svg = drawing_of(it, "c", "index");
    spot share[8], expected[8], curve[16], bar[32];
    bool starts[32];
    assert_int_equal(find_marks(svg, SQUARE, ORANGE, share, 8), 4); /* the first is the legend's */
    assert_int_equal(find_marks(svg, ROUND - 1, "black", expected, 8) +
                         find_marks(svg, ROUND - 1, "rgb(  0,   0,   0)", expected, 8),
                     4);
    assert_int_equal(find_path(svg, "expected 理论", 1, BLUE, curve, starts, 16), 11);
    double across = curve[10].x - curve[0].x, up = curve[0].y - curve[10].y; /* similarity 0 to 1, share 0 to 1 */
    assert_true(across > 500 && up > 300);
    for (int i = 0; i <= 10; i++)
        assert_true(near_to(curve[i].x, curve[0].x + across * i / 10) &&
                    near_to(curve[i].y, curve[0].y - up * i * i / 100));
    /* An interval is a stroke from limit to limit, then the strokes at its two ends. */
    assert_int_equal(find_path(svg, "measured 实测", 1, ORANGE, bar, starts, 32), 18);
    for (int b = 0; b < 3; b++) {
        double x = curve[0].x + across * AT[b][0];
        assert_true(near_to(share[b + 1].x, x) && near_to(share[b + 1].y, curve[0].y - up * AT[b][1]));
        assert_true(near_to(expected[b + 1].x, x) && near_to(expected[b + 1].y, curve[0].y - up * AT[b][4]));
        assert_true(near_to(bar[6 * b].x, x) && near_to(bar[6 * b].y, curve[0].y - up * AT[b][2]));
        assert_true(near_to(bar[6 * b + 1].x, x) && near_to(bar[6 * b + 1].y, curve[0].y - up * AT[b][3]));
    }
    assert_non_null(strstr(svg.data, "<text>exact cosine 真实相似度</text>"));
    assert_non_null(strstr(svg.data, "<text>pigeonhole:blocks=4; "));
}

/* Rows of other indexes, behind those of the arm's own: dashed curves on the same axes, each named by what it is sure
 * of. */
static void stricter_indexes_are_dashed(void **state) {
    place *it = *state;
    add_arm(it, "c", "only", "bits of 64", NO_GAPS);
    add_index(it, "only");
    for (int reach = 1; reach < 3; reach++)
        for (int i = 0; i <= 4; i++)
            append(it, "index-curve.tsv", CURVE, "c\tonly\tpigeonhole:blocks=%d\tcosine\t%d\t%g\t%g\n", reach + 1,
                   reach, i / 4.0, i * reach / 8.0);
    draw(it);
    fp_string svg = drawing_of(it, "c", "index");
    spot curve[16];
    bool starts[16];
    assert_int_equal(find_path(svg, "expected 理论", 1, BLUE, curve, starts, 16), 11);
    assert_int_equal(count_of(svg, "<text>h ≤ 1</text>"), 1);
    assert_int_equal(count_of(svg, "<text>h ≤ 2</text>"), 1);
    assert_int_equal(count_of(svg, "an index for a smaller h"), 1);
    assert_true(count_of(svg, "stroke-dasharray") >= 3); /* the legend's, and two curves */
}

/* A class without pairs, and one that has a share and no limits: neither has a bar, and the first no mark either. */
static void empty_classes_have_no_bars(void **state) {
    place *it = *state;
    add_arm(it, "c", "only", "bits of 64", NO_GAPS);
    add_index(it, "only");
    append(it, "index.tsv", BINS, "c\tonly\tpigeonhole:blocks=4\t0.4\t0.5\t0\tNA\tNA\tNA\tNA\tNA\n");
    append(it, "index.tsv", BINS, "c\tonly\tpigeonhole:blocks=4\t0.6\t0.7\t1\t0.65\t1\tNA\tNA\t0.4\n");
    draw(it);
    fp_string svg = drawing_of(it, "c", "index");
    spot share[8], bar[64];
    bool starts[64];
    assert_int_equal(find_marks(svg, SQUARE, ORANGE, share, 8), 5);
    assert_int_equal(find_path(svg, "measured 实测", 1, ORANGE, bar, starts, 64), 18); /* as without them */
}

static void arms_without_a_curve_have_no_panel(void **state) {
    place *it = *state;
    const char *const arms[] = {"first", "without", "third", "last"};
    for (size_t i = 0; i < 4; i++) add_arm(it, "c", arms[i], "bits of 64", NO_GAPS);
    for (size_t i = 0; i < 4; i++)
        if (i != 1) add_index(it, arms[i]);
    draw(it);
    fp_string svg = drawing_of(it, "c", "index");
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(count_of(svg, fp_format(it->arena, "<text>%s</text>", arms[i])), i != 1);
    assert_int_equal(count_of(svg, "<text>pigeonhole:blocks=4; "), 3);
    spot share[16];
    assert_int_equal(find_marks(svg, SQUARE, ORANGE, share, 16), 10);
}

static void no_curve_at_all_is_still_a_picture(void **state) {
    place *it = *state;
    add_arm(it, "c", "only", "bits of 64", NO_GAPS);
    append(it, "index.tsv", BINS, "%s", "");
    append(it, "index-curve.tsv", CURVE, "%s", "");
    draw(it);
    assert_non_null(
        strstr(drawing_of(it, "c", "index").data, "<text>no arm has an index and an exact measure beside it"));
}

static void many_arms_with_long_labels(void **state) {
    place *it = *state;
    for (int a = 0; a < 9; a++) {
        const char *arm =
            fp_format(it->arena, "minhash:slots=128,features=words:2,punctuation=drop,shortest=2,seed=%d", a);
        add_arm(it, "c", arm, "slots of 128", NO_GAPS);
        add_index(it, arm);
    }
    draw(it);
    assert_int_equal(count_of(drawing_of(it, "c", "index"), "<text>exact cosine 真实相似度</text>"), 9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        PLACED(marks_stand_on_the_axes_of_the_curve), PLACED(stricter_indexes_are_dashed),
        PLACED(empty_classes_have_no_bars),           PLACED(arms_without_a_curve_have_no_panel),
        PLACED(no_curve_at_all_is_still_a_picture),   PLACED(many_arms_with_long_labels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
