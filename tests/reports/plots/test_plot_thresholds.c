/* SPDX-License-Identifier: GPL-3.0-or-later
 * The whole scale in the panels of thresholds, read back from its SVG; and what the figures count. */
#include "tests/reports/plots/plot_support.h"

/* The thresholds 1 … 10 of add_arm, and a curve that goes on to distance `end`. */
static void add_long_arm(const place *it, const char *arm, int end) {
    add_arm(it, "c", arm, "bits of 64", NO_GAPS);
    append(it, "curves.tsv", CURVES, "c\t%s\t%d\t0.125\t1\n", arm, end);
}

static fp_string draw(const place *it) {
    ASSERT_GOOD(fp_plot_draw(it->directory, ONLY("thresholds"), &AS_SVG, &test_error));
    return drawing_of(it, "c", "thresholds");
}

static const char SHADE[] = "fill = 'rgb(239, 239, 239)'";

/* Left and right end of the shading in the panel, behind that of the legend: <polygon fill = 'rgb(239, 239, 239)'
 * points = 'x,y …'/>. */
static void find_shade(fp_string svg, double *left, double *right) {
    double x[4], y[4];
    const char *at = strstr(svg.data, SHADE);
    assert_non_null(at);
    at = strstr(at + 1, SHADE);
    assert_non_null(at);
    at = strstr(at, "points = '");
    assert_int_equal(
        sscanf(at, "points = '%lf,%lf %lf,%lf %lf,%lf %lf,%lf", x, y, x + 1, y + 1, x + 2, y + 2, x + 3, y + 3), 8);
    *left = fmin(x[0], x[2]);
    *right = fmax(x[0], x[2]);
}

/* One panel is 1600 − 76 − 32 pixels wide, and its axis has 1.01·64: thresholds 1 to 10, half a step added at either
 * end, are 10 of that, and begin 0.5 from the left. */
static void the_low_thresholds_are_shaded_on_the_whole_scale(void **state) {
    place *it = *state;
    double left, right, step = (1600 - 76 - 32) / (1.01 * 64);
    add_long_arm(it, "a", 64);
    fp_string svg = draw(it);
    find_shade(svg, &left, &right);
    assert_true(fabs(right - left - 10 * step) < 2);
    assert_true(fabs(left - 76 - 0.5 * step) < 2);
    assert_int_equal(count_of(svg, "<text>best F1 最佳: h = 3</text>"), 1);
    assert_int_equal(count_of(svg, "<text>thresholds 1 to 10 阈值 1 至 10</text>"), 1);
    ASSERT_GOOD(fp_plot_draw(it->directory, ONLY("thresholds"), NULL, &test_error));
    assert_png(content_of(it, picture(it, "c", "thresholds", "png")));
}

/* Where no distance lies beyond the thresholds nothing is shaded; an arm without a curve has the axis of the one
 * beside it. */
static void the_axis_ends_where_distances_do(void **state) {
    place *it = *state;
    double left, right, panel = 1600 / 2.0 - 76 - 32;
    add_long_arm(it, "a", 10);
    assert_int_equal(count_of(draw(it), SHADE), 0);
    append(it, "curves.tsv", CURVES, "c\ta\t40\t0.25\t1\n");
    for (int h = 1; h <= 10; h++)
        append(it, "results.tsv", RESULTS, "c\tempty\tbits of 64\t%d\t0\t0\t0\t0\tNA\tNA\tNA\tNA\tNA\tNA\tNA\n", h);
    append(it, "summary.tsv", SUMMARY,
           "c\tempty\tbits of 64\t0\t0\tNA\tNA\tNA\tNA\tNA\t8\t0.1\t0.2\tNA\tNA\tNA\tNA\tNA\n");
    append(it, "histograms.tsv", HISTOGRAMS, "c\tempty\tbits of 64\t0\t1\t0\t0\n");
    fp_string svg = draw(it);
    find_shade(svg, &left, &right);
    assert_true(fabs(right - left - panel * 10 / (1.01 * 64)) < 2);
    assert_int_equal(count_of(svg, SHADE), 3);
    assert_int_equal(count_of(svg, "<text>best F1 最佳:"), 1);
}

/* At document level no figure speaks of pairs. */
static void documents_are_called_documents(void **state) {
    place *it = *state;
    static const char *const SAID[USUAL_COUNT] = {"positive of 107 documents 正例/文档",
                                                  "positive of 107 documents 正例/文档",
                                                  "positive of 107 documents 正例/文档",
                                                  "positive of 107 documents 正例/文档",
                                                  "per document",
                                                  "negative documents"};
    add_arm(it, "c", "a", "bits of 64", NO_GAPS);
    append(it, "run.json", "", "{\"definitions\": {\"confidence\": 0.95, \"level\": \"document\"}}\n");
    ASSERT_GOOD(fp_plot_draw(it->directory, USUAL, &AS_SVG, &test_error));
    for (size_t f = 0; f < USUAL_COUNT; f++) {
        fp_string svg = drawing_of(it, "c", USUAL[f]);
        if (!strstr(svg.data, SAID[f])) fail_msg("%s", USUAL[f]);
        assert_null(strstr(svg.data, "pairs"));
    }
    assert_int_equal(unlink(in_place(it, "run.json")), 0);
    append(it, "run.json", "", "{\"definitions\": {\"confidence\": 0.95, \"level\": \"pair\"}}\n");
    assert_non_null(strstr(draw(it).data, "positive of 107 pairs 正例/文本对"));
}

/* Simultaneous bands lie behind the pointwise ones and are named; a table without them is drawn without. */
static void bands_are_told_apart(void **state) {
    static const char HEADER[] =
        "corpus\tarm\tscale\tthreshold\ttp\tfp\tfn\ttn\tprecision\tprecision_low\tprecision_high\t"
        "recall\trecall_low\trecall_high\tf1\tprecision_band_low\tprecision_band_high\t"
        "recall_band_low\trecall_band_high\n";
    place *it = *state;
    add_arm(it, "c", "a", "bits of 64", NO_GAPS);
    fp_string svg = draw(it);
    assert_null(strstr(svg.data, "simultaneous"));
    assert_int_equal(unlink(in_place(it, "results.tsv")), 0);
    for (int h = 1; h <= 10; h++)
        append(it, "results.tsv", HEADER,
               "c\ta\tbits of 64\t%d\t60\t3\t40\t4\t0.5\t0.4\t0.6\t0.5\t0.4\t0.6\tNA\t0.3\t0.7\t0.2\t0.8\n", h);
    append(it, "run.json", "", "{\"definitions\": {\"confidence\": 0.95}}\n");
    svg = draw(it);
    const char *wide = strstr(svg.data, "<title>recall 召回率: 95% simultaneous band 同时置信带</title>"),
               *narrow = strstr(svg.data, "<title>recall 召回率: 95% pointwise interval 逐点置信区间</title>");
    assert_true(wide && narrow && wide < narrow);
    assert_non_null(strstr(svg.data, "95% simultaneous band 同时置信带 (the whole curve 整条曲线)"));
    double ends[2][2];
    for (int k = 0; k < 2; k++) {
        double y[3] = {0};
        const char *path = strstr(k ? narrow : wide, "points = '");
        if (!path) path = strstr(k ? narrow : wide, "points='");
        assert_non_null(path);
        path = strchr(path, '\'') + 1;
        double low = INFINITY, high = -INFINITY, x;
        for (int n = 0; sscanf(path, "%lf,%lf%n", &x, y, &n) == 2; path += n)
            low = fmin(low, y[0]), high = fmax(high, y[0]);
        ends[k][0] = low;
        ends[k][1] = high;
    }
    /* 0.2 … 0.8 and 0.4 … 0.6 on the same axis. */
    assert_true(near_to((ends[0][1] - ends[0][0]) / (ends[1][1] - ends[1][0]), 3));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        PLACED(the_low_thresholds_are_shaded_on_the_whole_scale),
        PLACED(the_axis_ends_where_distances_do),
        PLACED(documents_are_called_documents),
        PLACED(bands_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
