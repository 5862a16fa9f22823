/* SPDX-License-Identifier: GPL-3.0-or-later
 * The pictures of costs and probabilities, read back from their SVG: corners, steps and marks stand where the tables'
 * figures put them. */
#include "tests/reports/plots/plot_support.h"

static const char COSTS[] = "corpus\tarm\tscale\tprevalence\tratio\tpc\tthreshold\n";
static const char COST_CURVE[] = "corpus\tarm\tthreshold\tpc_from\tpc_to\tcost_from\tcost_to\n";
static const char CALIBRATION[] =
    "corpus\tarm\tscale\tprevalence\tdistance\tprobability\tprobability_low\tprobability_high\n";
static const char RELIABILITY[] = "corpus\tarm\tprevalence\tpredicted\tobserved\tobserved_low\tobserved_high\n";

static void draw(const place *it, const char *figure) {
    const char *const figures[] = {figure, NULL};
    ASSERT_GOOD(fp_plot_draw(it->directory, figures, NULL, &test_error));
    assert_png(content_of(it, picture(it, "c", figure, "png")));
}

/* PC(+) and cost of the corners. */
static const double CORNERS[][2] = {{0, 0}, {0.25, 0.1}, {0.75, 0.2}, {1, 0}};

static void add_costs(const place *it, const char *arm) {
    static const double RATIOS[] = {0.2, 1, 5}, THRESHOLDS[] = {-1, 7, 12.5};
    for (size_t i = 0; i < 3; i++) {
        append(it, "costs.tsv", COSTS, "c\t%s\tbits of 64\t0.1\t%g\t0.5\t%g\n", arm, RATIOS[i], THRESHOLDS[i]);
        append(it, "cost-curve.tsv", COST_CURVE, "c\t%s\t%g\t%g\t%g\t%g\t%g\n", arm, THRESHOLDS[i], CORNERS[i][0],
               CORNERS[i + 1][0], CORNERS[i][1], CORNERS[i + 1][1]);
    }
}

static void corners_stand_where_they_cost(void **state) {
    place *it = *state;
    add_arm(it, "c", "only", "bits of 64", NO_GAPS);
    add_costs(it, "only");
    draw(it, "cost");
    fp_string svg = drawing_of(it, "c", "cost");
    spot at[8];
    bool starts[8];
    assert_int_equal(find_path(svg, "only", 1, BLUE, at, starts, 8), 4);
    double across = at[3].x - at[0].x, up = (at[0].y - at[2].y) / 0.2;
    assert_true(across > 500 && up * 0.2 > 300);
    for (int i = 0; i < 4; i++)
        assert_true(near_to(at[i].x, at[0].x + across * CORNERS[i][0]) &&
                    near_to(at[i].y, at[0].y - up * CORNERS[i][1]));
    /* Of the ratios with names these lie nearest to sixths 1, 3 and 5 of the axis, PC(+) = 0.1 r / (0.1 r + 0.9). */
    assert_non_null(strstr(svg.data, "<text>only: h = none 无, 7, 12.5</text>"));
    assert_non_null(
        strstr(svg.data, "<text>share of duplicates 重复比例: 0.1; h: a missed duplicate costs 漏判代价 2, 10, 50"));
}

static void arms_without_costs_are_named_all_the_same(void **state) {
    place *it = *state;
    add_arm(it, "c", "first", "bits of 64", NO_GAPS);
    add_arm(it, "c", "without", "bits of 64", NO_GAPS);
    add_costs(it, "first");
    append(it, "costs.tsv", COSTS, "c\twithout\tbits of 64\t0.1\t1\tNA\tNA\n");
    draw(it, "cost");
    fp_string svg = drawing_of(it, "c", "cost");
    assert_int_equal(count_of(svg, "<text>without: h = NA, NA, NA</text>"), 1);
}

/* A probability holds up to the next distance. */
static void probabilities_are_steps(void **state) {
    place *it = *state;
    static const double STEPS[][2] = {{0, 1}, {4, 0.5}, {10, 0}};
    add_arm(it, "c", "only", "bits of 64", NO_GAPS);
    for (size_t i = 0; i < 3; i++)
        append(it, "calibration.tsv", CALIBRATION, "c\tonly\tbits of 64\t0.1\t%g\t%g\t%g\t%g\n", STEPS[i][0],
               STEPS[i][1], STEPS[i][1] / 2, (1 + STEPS[i][1]) / 2);
    draw(it, "calibration");
    spot at[16];
    bool starts[16];
    size_t count =
        find_path(drawing_of(it, "c", "calibration"), "probability of a duplicate 重复概率", 1, BLUE, at, starts, 16);
    static const double PATH[][2] = {{0, 1}, {4, 1}, {4, 0.5}, {10, 0.5}, {10, 0}};
    assert_int_equal(count, 5);
    double across = (at[4].x - at[0].x) / 10, up = at[4].y - at[0].y;
    for (int i = 0; i < 5; i++)
        assert_true(near_to(at[i].x, at[0].x + across * PATH[i][0]) && near_to(at[i].y, at[4].y - up * PATH[i][1]));
}

static void bins_stand_between_their_limits(void **state) {
    place *it = *state;
    static const double BINS[][4] = {{0, 0, 0, 0.1}, {0.5, 0.4, 0.2, 0.6}, {1, 1, 0.7, 1}};
    add_arm(it, "c", "only", "bits of 64", NO_GAPS);
    add_arm(it, "c", "untried", "bits of 64", NO_GAPS);
    for (size_t i = 0; i < 3; i++)
        append(it, "reliability.tsv", RELIABILITY, "c\tonly\t0.1\t%g\t%g\t%g\t%g\n", BINS[i][0], BINS[i][1], BINS[i][2],
               BINS[i][3]);
    draw(it, "reliability");
    fp_string svg = drawing_of(it, "c", "reliability");
    spot mark[8], bar[32];
    bool starts[32];
    assert_int_equal(find_marks(svg, ROUND, BLUE, mark, 8), 4); /* the first is the legend's */
    assert_int_equal(find_path(svg, "share observed 实际比例", 1, BLUE, bar, starts, 32), 18);
    /* Logarithmic, from 0.01 on, where also what is less stands. */
    double across = mark[3].x - mark[1].x, up = mark[1].y - mark[3].y;
    for (int b = 0; b < 3; b++) {
        double share[4];
        for (int k = 0; k < 4; k++) share[k] = log10(fmax(BINS[b][k], 0.01) / 0.01) / 2;
        assert_true(near_to(mark[b + 1].x, mark[1].x + across * share[0]) &&
                    near_to(mark[b + 1].y, mark[1].y - up * share[1]));
        assert_true(near_to(bar[6 * b].y, mark[1].y - up * share[2]) &&
                    near_to(bar[6 * b + 1].y, mark[1].y - up * share[3]));
    }
    assert_int_equal(count_of(svg, "<text>untried</text>"), 1);
}

static void gains_are_joined_by_lines(void **state) {
    place *it = *state;
    static const double POINTS[][2] = {{0, 1}, {0.5, 0.8}, {1, 0}};
    add_arm(it, "c", "only", "bits of 64", NO_GAPS);
    for (size_t i = 0; i < 3; i++)
        append(it, "gain.tsv",
               "corpus\tarm\tdistance\tprecision_gain\trecall_gain\tf1_gain\tarea\tarea_low\tarea_high\n",
               "c\tonly\t%zu\t%g\t%g\t0\t0.65\t0.6\t0.7\n", i, POINTS[i][1], POINTS[i][0]);
    draw(it, "gain");
    spot at[8];
    bool starts[8];
    assert_int_equal(find_path(drawing_of(it, "c", "gain"), "only", 1, BLUE, at, starts, 8), 3);
    double across = at[2].x - at[0].x, up = at[2].y - at[0].y;
    assert_int_equal(count_of(drawing_of(it, "c", "gain"), "<text>area 面积 0.650 (0.600–0.700)</text>"), 1);
    assert_true(near_to(at[1].x, at[0].x + across / 2) && near_to(at[1].y, at[2].y - up * 0.8));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        PLACED(corners_stand_where_they_cost), PLACED(arms_without_costs_are_named_all_the_same),
        PLACED(probabilities_are_steps),       PLACED(bins_stand_between_their_limits),
        PLACED(gains_are_joined_by_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
