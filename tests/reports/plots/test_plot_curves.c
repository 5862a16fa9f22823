/* SPDX-License-Identifier: GPL-3.0-or-later
 * Curves over all thresholds: where their points, their marks and their fronts stand. */
#include "tests/reports/plots/plot_support.h"

static void draw(const place *it, const char *figure) {
    const char *const figures[] = {figure, NULL};
    const fp_plot_options options = {.formats = 1u << FP_PICTURE_SVG, .language = "en"};
    ASSERT_GOOD(fp_plot_draw(it->directory, figures, &options, &test_error));
}

/* 100 of 107 are positive. 50 true ones at a precision of 50/53.5 come with 3.5 of the 7 negatives, all at 100/107 with
 * all. */
static void false_positives_follow_from_precision_and_recall(void **state) {
    place *it = *state;
    static const double ROWS[][3] = {{0, 1, 0.25}, {1.5, 50 / 53.5, 0.5}, {2, 100 / 107.0, 1}}, RATES[] = {0, 0.5, 1};
    add_arm(it, "c", "only", "bits of 64", NO_GAPS);
    assert_int_equal(unlink(in_place(it, "curves.tsv")), 0);
    for (size_t i = 0; i < 3; i++)
        append(it, "curves.tsv", CURVES, "c\tonly\t%g\t%.12g\t%g\n", ROWS[i][0], ROWS[i][1], ROWS[i][2]);
    draw(it, "roc");
    fp_string svg = drawing_of(it, "c", "roc");
    spot at[8], mark[8], chance[256];
    bool starts[256];
    assert_int_equal(find_path(svg, "only", 1, BLUE, at, starts, 8), 4);
    double across = at[3].x - at[0].x, up = at[0].y - at[3].y;
    for (size_t i = 0; i < 3; i++) {
        assert_true(near_to(at[i + 1].x, at[0].x + across * RATES[i]));
        assert_true(near_to(at[i + 1].y, at[0].y - up * ROWS[i][2]));
    }
    /* At the best threshold, 3, the row of 2 holds, the last. */
    assert_int_equal(find_marks(svg, ROUND, BLUE, mark, 8), 2); /* the first is the list's */
    assert_true(near_to(mark[1].x, at[3].x) && near_to(mark[1].y, at[3].y));
    assert_int_equal(count_of(svg, "<text>AUC 0.850 (0.800–0.900)</text>"), 1);
    size_t count = find_path(svg, "chance", 1, "rgb( 96,  96,  96)", chance, starts, 256);
    double step = across / 50; /* of two samples, of which it has 100 */
    assert_true(count > 50 && fabs(chance[0].x - at[0].x) < step && fabs(chance[count - 1].x - at[3].x) < step);
    assert_true(near_to((chance[0].y - at[3].y) / up, 1 - (chance[0].x - at[0].x) / across));
}

/* Precision against recall has its mark at the same row, and chance at 100/107, by the frame: 0 and 1 are a unit
 * apart. */
static void the_best_threshold_is_marked_on_the_curve(void **state) {
    place *it = *state;
    add_arm(it, "c", "only", "bits of 64", NO_GAPS);
    draw(it, "precision_recall");
    fp_string svg = drawing_of(it, "c", "precision_recall");
    spot mark[8], at[16], chance[256];
    bool starts[256];
    size_t count = find_path(svg, "only", 1, BLUE, at, starts, 16);
    assert_int_equal(find_marks(svg, ROUND, BLUE, mark, 8), 2);
    double half = at[count - 1].y, unit = 2 * (half - at[0].y);
    assert_true(near_to(mark[1].x, at[count - 1].x) && near_to(mark[1].y, half));
    assert_true(find_path(svg, "chance", 1, "rgb( 96,  96,  96)", chance, starts, 256) > 1);
    assert_true(near_to(chance[0].y, at[0].y + unit * (1 - 100 / 107.0)));
    assert_non_null(strstr(svg.data, "chance (0.935)"));
}

/* F1 of the rows is 0.4, 0.6 and 2/3: marks at the thresholds 1 (the row of 0) and 2, and a line at the best of the
 * summary, 0.9 at 3, whose height gives the unit. */
static void f1_is_the_harmonic_mean(void **state) {
    place *it = *state;
    add_arm(it, "c", "only", "bits of 64", NO_GAPS);
    draw(it, "f1");
    fp_string svg = drawing_of(it, "c", "f1");
    spot mark[8], at[32];
    bool starts[32];
    size_t count = find_path(svg, "F1", 1, BLUE, at, starts, 32);
    assert_true(count >= 5);
    assert_int_equal(find_marks(svg, ROUND, BLUE, mark, 8), 3);
    double unit = (mark[1].y - mark[2].y) / (2 / 3.0 - 0.4);
    assert_true(unit > 100);
    assert_true(near_to(at[0].y, mark[1].y) && near_to(at[count - 1].y, mark[2].y));
    bool middle = false;
    for (size_t i = 0; i < count; i++) middle |= near_to(at[i].y, mark[1].y - unit * 0.2);
    assert_true(middle);
    assert_int_equal(count_of(svg, "<text>best F1 at h = 3</text>"), 1);
}

/* a: 8 bytes and 0.6; b: 16 and 0.9; c: 16 and 0.8, behind b; d: 100 and 0.9, no better than b. The front of bytes has
 * a and b, and its line their corner. */
static void the_front_has_what_nothing_beats(void **state) {
    place *it = *state;
    static const struct {
        const char *name;
        double f1, bytes;
    } ARMS[] = {{"a", 0.6, 8}, {"b", 0.9, 16}, {"c", 0.8, 16}, {"d", 0.9, 100}};
    for (size_t i = 0; i < 4; i++) {
        add_arm(it, "x", ARMS[i].name, "bits of 64", NO_GAPS);
    }
    assert_int_equal(unlink(in_place(it, "summary.tsv")), 0);
    for (size_t i = 0; i < 4; i++)
        append(it, "summary.tsv", SUMMARY,
               "x\t%s\tbits\t107\t100\t0.8\tNA\tNA\t%g\t3\t%g\t%g\t0.2\t0.8\tNA\tNA\tNA\tNA\n", ARMS[i].name,
               ARMS[i].f1, ARMS[i].bytes, 0.001 * (double)(i + 1));
    append(it, "run.json", "", "{\"corpora\": [{\"name\": \"x\", \"documents\": 100}]}\n");
    draw(it, "quality");
    fp_string svg = drawing_of(it, "x", "quality");
    spot at[8], dots[16];
    bool starts[8];
    assert_int_equal(find_path(svg, "the front: no other is as good for less", 1, "rgb( 96,  96,  96)", at, starts, 8),
                     3);
    assert_true(near_to(at[0].y, at[1].y) && near_to(at[1].x, at[2].x));
    assert_true(at[2].x > at[0].x && at[2].y < at[0].y);
    /* Each arm in the list, for its bytes and for its time. */
    assert_int_equal(find_marks(svg, ROUND, BLUE, dots, 16), 3);
    assert_true(near_to(dots[1].x, at[0].x) && near_to(dots[1].y, at[0].y));
    assert_int_equal(find_marks(svg, SQUARE, ORANGE, dots, 16), 3);
    assert_true(near_to(dots[1].x, at[2].x) && near_to(dots[1].y, at[2].y));
    assert_int_equal(count_of(svg, "<text>0.600, 8 B, 10 µs</text>"), 1);
    assert_int_equal(count_of(svg, "<text>0.900, 100 B, 40 µs</text>"), 1);
}

/* 20,000 rows from (0, 1) straight to (1, 0.5): what is drawn of them has few vertices, and encloses 3/4 as they do.
 * The curves of the thresholds are thinned, too. */
static void long_curves_are_thinned(void **state) {
    enum { ROWS = 20000, ROOM = 4 * ROWS };
    place *it = *state;
    add_arm(it, "c", "only", "bits of 64", NO_GAPS);
    assert_int_equal(unlink(in_place(it, "curves.tsv")), 0);
    FILE *stream = fopen(in_place(it, "curves.tsv"), "w");
    assert_non_null(stream);
    fputs(CURVES, stream);
    for (int i = 1; i <= ROWS; i++)
        fprintf(stream, "c\tonly\t%.9g\t%.9g\t%.9g\n", 64.0 * i / ROWS, 1 - 0.5 * i / ROWS, 1.0 * i / ROWS);
    fclose(stream);
    draw(it, "precision_recall");
    static spot at[ROOM];
    static bool starts[ROOM];
    size_t count = find_path(drawing_of(it, "c", "precision_recall"), "only", 1, BLUE, at, starts, ROOM);
    assert_true(count > 100 && count < 4000);
    double unit = 2 * (at[count - 1].y - at[0].y), across = at[count - 1].x - at[0].x, area = 0;
    for (size_t i = 1; i < count; i++) area += (at[i].x - at[i - 1].x) * (at[0].y + unit - at[i].y);
    assert_true(fabs(area / (across * unit) - 0.75) < 2e-3);
    draw(it, "thresholds");
    assert_true(drawing_of(it, "c", "thresholds").length < 200000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        PLACED(false_positives_follow_from_precision_and_recall),
        PLACED(the_best_threshold_is_marked_on_the_curve),
        PLACED(f1_is_the_harmonic_mean),
        PLACED(long_curves_are_thinned),
        PLACED(the_front_has_what_nothing_beats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
