/* SPDX-License-Identifier: GPL-3.0-or-later
 * The strip of all distances under the panels of thresholds, read back from its SVG; and what the figures count. */
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

/* Left and right end of the shading, <polygon fill = 'rgb(217, 217, 217)' points = 'x,y …'/>. */
static void find_shade(fp_string svg, double *left, double *right) {
    double x[4], y[4];
    const char *at = strstr(svg.data, "fill = 'rgb(217, 217, 217)'");
    assert_non_null(at);
    at = strstr(at, "points = '");
    assert_int_equal(
        sscanf(at, "points = '%lf,%lf %lf,%lf %lf,%lf %lf,%lf", x, y, x + 1, y + 1, x + 2, y + 2, x + 3, y + 3), 8);
    *left = fmin(x[0], x[2]);
    *right = fmax(x[0], x[2]);
}

/* Where text begins, <g transform="translate(x,y)" …><text>…. */
static spot place_of(fp_string svg, const char *text) {
    spot found = {0};
    const char *at = strstr(svg.data, text), *before = NULL;
    assert_non_null(at);
    for (const char *next = svg.data; (next = strstr(next, "translate(")) && next < at; next++) before = next;
    assert_non_null(before);
    assert_int_equal(sscanf(before, "translate(%lf,%lf)", &found.x, &found.y), 2);
    return found;
}

/* One panel is 1600 − 76 − 32 pixels wide: thresholds 1 to 10, half a step added at either end, are 10/64 of a strip
 * that ends at 64, and begin 0.5/64 from its left. The best F1 of add_arm, 0.9 at 3, is said over its own place. */
static void the_thresholds_are_shaded_in_all_distances(void **state) {
    place *it = *state;
    double left, right, inside = 1600 - 76 - 32;
    add_long_arm(it, "a", 64);
    fp_string svg = draw(it);
    find_shade(svg, &left, &right);
    assert_true(fabs(right - left - inside * 10 / 64) < 2);
    assert_true(fabs(left - 76 - inside * 0.5 / 64) < 2);
    spot said = place_of(svg, "<text>best F1 最佳 0.90 at h = 3</text>");
    assert_true(said.x > left && said.x < 76 + inside / 2);
    assert_non_null(strstr(svg.data, "strips: all distances; shaded: 1–10, as above"));
    ASSERT_GOOD(fp_plot_draw(it->directory, ONLY("thresholds"), NULL, &test_error));
    assert_png(content_of(it, picture(it, "c", "thresholds", "png")));
}

/* Where no distance lies beyond the thresholds there is nothing to add; an arm without a curve has no strip beside one
 * that has. */
static void a_strip_stands_where_there_is_more(void **state) {
    place *it = *state;
    add_long_arm(it, "a", 10);
    append(it, "curves.tsv", CURVES, "%s", "");
    fp_string whole = content_of(it, "curves.tsv");
    FILE *stream = fopen(in_place(it, "curves.tsv"), "w"); /* without the distance 0, which is below 1 */
    fprintf(stream, "%sc\ta\t1\t1\t0.5\nc\ta\t10\t0.5\t1\n", CURVES);
    fclose(stream);
    assert_true(whole.length > 0);
    fp_string svg = draw(it);
    assert_null(strstr(svg.data, "strips: all distances"));
    assert_null(strstr(svg.data, "best F1 最佳"));
    append(it, "curves.tsv", CURVES, "c\ta\t40\t0.25\t1\n");
    for (int h = 1; h <= 10; h++)
        append(it, "results.tsv", RESULTS, "c\tempty\tbits of 64\t%d\t0\t0\t0\t0\tNA\tNA\tNA\tNA\tNA\tNA\tNA\n", h);
    append(it, "summary.tsv", SUMMARY,
           "c\tempty\tbits of 64\t0\t0\tNA\tNA\tNA\tNA\tNA\t8\t0.1\t0.2\tNA\tNA\tNA\tNA\tNA\n");
    append(it, "histograms.tsv", HISTOGRAMS, "c\tempty\tbits of 64\t0\t1\t0\t0\n");
    svg = draw(it);
    assert_int_equal(count_of(svg, "<text>best F1 最佳"), 1);
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
        PLACED(the_thresholds_are_shaded_in_all_distances),
        PLACED(a_strip_stands_where_there_is_more),
        PLACED(documents_are_called_documents),
        PLACED(bands_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
