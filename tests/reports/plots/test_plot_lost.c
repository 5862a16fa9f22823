/* SPDX-License-Identifier: GPL-3.0-or-later
 * The pictures of where recall is lost, read back from their SVG: every part of a bar is as wide as the table's count
 * says, and begins where the last one ended. */
#include "tests/reports/plots/plot_support.h"

static const char *const LOST[] = {"lost", NULL}, *const THRESHOLDS[] = {"lost_thresholds", NULL},
                         *const FIGURES[] = {"lost", "lost_thresholds", NULL};

static const char HEADER[] =
    "corpus\tarm\tscale\tindex\tthreshold\tpositives\tfound\tlost_index\tlost_sketch\tlost_similarity\tlost_measure\tfound_by_chance\t"
    "found_low\tfound_high\tcandidates\tindex_reach\n";

typedef struct box {
    double left, right, top, bottom;
    char fill[32];
} box;

/* Rectangles from `at` on to `end`, as gnuplot writes them: <polygon fill = '…' points = 'x,y x,y x,y x,y '/>. */
static size_t find_boxes(const char *at, const char *end, box *boxes, size_t room) {
    size_t count = 0;
    while ((at = strstr(at, "<polygon")) && at < end) {
        double x[4], y[4];
        box *made = boxes + count;
        at = strstr(at, "fill = '");
        assert_int_equal(sscanf(at, "fill = '%31[^']'", made->fill), 1);
        at = strstr(at, "points = '");
        if (sscanf(at, "points = '%lf,%lf %lf,%lf %lf,%lf %lf,%lf '", x, y, x + 1, y + 1, x + 2, y + 2, x + 3, y + 3) !=
            8)
            continue;
        made->left = fmin(x[0], x[2]), made->right = fmax(x[0], x[2]);
        made->top = fmin(y[0], y[2]), made->bottom = fmax(y[0], y[2]);
        assert_true(++count < room);
    }
    return count;
}

/* Found (of them by chance), lost by index, sketch, similarity, measure; −1 is NA. */
typedef struct counts {
    int found, luck, by_index, sketch, similarity, measure;
} counts;

static const char *cell(const place *it, int count) { return count < 0 ? "NA" : fp_format(it->arena, "%d", count); }

static void add_losses(const place *it, const char *file, const char *arm, const char *threshold, int positives,
                       counts of, bool index) {
    append(it, file, HEADER, "c\t%s\tbits of 64\t%s\t%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", arm,
           index ? "pigeonhole:blocks=4" : "NA", threshold, positives, cell(it, of.found), cell(it, of.by_index),
           cell(it, of.sketch), cell(it, of.similarity), cell(it, of.measure), cell(it, of.luck),
           positives ? "0.25" : "NA", positives ? "0.5" : "NA", index ? "1.2345" : "NA", index ? "3" : "NA");
}

static const counts LOSSES[] = {{40, 10, 20, 5, 35, -1},
                                {60, -1, -1, -1, 40, -1},
                                {30, -1, 50, -1, -1, 20},
                                {100, 0, 0, 0, 0, -1},
                                {0, 0, 0, 0, 100, -1}};
enum { ARMS = sizeof LOSSES / sizeof *LOSSES };
/* Counts of a bar's parts in the order in which they are drawn, and their fill, NULL for a hatch. */
static const struct {
    int part[6];
} PARTS[] = {{{30, 10, 20, 5, 35, 0}},
             {{60, 0, 0, 0, 40, 0}},
             {{30, 0, 50, 0, 0, 20}},
             {{100, 0, 0, 0, 0, 0}},
             {{0, 0, 0, 0, 100, 0}}};
static const char *const FILLS[6] = {"rgb(  0, 114, 178)", NULL, "rgb(230, 159,   0)", NULL,
                                     "rgb(200, 200, 200)", NULL};

static void assert_fill(const box *it, int part) {
    if (FILLS[part]) assert_string_equal(it->fill, FILLS[part]);
    else assert_int_equal(strncmp(it->fill, "url(#gpPat", 10), 0);
}

static void parts_are_as_wide_as_their_counts(void **state) {
    place *it = *state;
    for (int arm = 0; arm < ARMS; arm++) {
        const char *name = fp_format(it->arena, "arm<%d", arm);
        add_arm(it, "c", name, "bits of 64", NO_GAPS);
        add_losses(it, "lost-best.tsv", name, "3", 100, LOSSES[arm], LOSSES[arm].by_index >= 0);
    }
    ASSERT_GOOD(fp_plot_draw(it->directory, LOST, NULL, &test_error));
    assert_png(content_of(it, picture(it, "c", "lost", "png")));
    fp_string svg = drawing_of(it, "c", "lost");
    box boxes[128];
    size_t count = find_boxes(svg.data, svg.data + svg.length, boxes, 128), b = 0;
    /* The first six are the lines at 0% … 100%, the last six the legend. */
    assert_true(count > 12);
    for (int part = 0; part < 6; part++) assert_fill(boxes + count - 6 + part, part);
    double zero = boxes[0].left, whole = boxes[5].left - zero;
    assert_true(whole > 500);
    b = 6;
    for (int arm = 0; arm < ARMS; arm++) {
        double reached = zero;
        for (int part = 0; part < 6; part++) {
            if (PARTS[arm].part[part] == 0) continue;
            assert_true(b < count);
            assert_fill(boxes + b, part);
            assert_true(near_to(boxes[b].left, reached));
            assert_true(fabs(boxes[b].right - boxes[b].left - whole * PARTS[arm].part[part] / 100) < 0.1);
            reached = boxes[b].right;
            b++;
        }
        assert_true(fabs(reached - zero - whole) < 0.1);
    }
    assert_int_equal(b + 6, count);
    assert_int_equal(count_of(svg, "<text>5.0%</text>"), 1); /* above the bar, where there is room */
    assert_non_null(strstr(svg.data, "<text>30%</text>"));
    assert_non_null(strstr(svg.data, "<text>candidates of a query 候选: 1.2</text>"));
    assert_non_null(strstr(svg.data, "<text>h = 3 (bits of 64)</text>"));
    assert_int_equal(count_of(svg, "<text>pigeonhole:blocks=4: all within 不漏 3</text>"), 4);
    for (int arm = 0; arm < ARMS; arm++)
        assert_non_null(strstr(svg.data, fp_format(it->arena, "<text>arm&lt;%d</text>", arm)));
}

/* Three thresholds side by side, layers one on the other; the axis from 0% to 100% is as high as the full stack. */
static void layers_are_as_high_as_their_counts(void **state) {
    place *it = *state;
    add_arm(it, "c", "only", "bits of 64", NO_GAPS);
    for (int t = 0; t < 3; t++)
        add_losses(it, "lost.tsv", "only", fp_format(it->arena, "%d", t + 1), 100, LOSSES[t * t / 2], true);
    ASSERT_GOOD(fp_plot_draw(it->directory, THRESHOLDS, NULL, &test_error));
    assert_png(content_of(it, picture(it, "c", "lost_thresholds", "png")));
    fp_string svg = drawing_of(it, "c", "lost_thresholds");
    static const char *const titles[6] = {
        "found 找到",
        "found by luck: the texts differ more 侥幸找到：实际相差更大",
        "missed by the index: never compared 索引漏掉：未作比较",
        "missed by the fingerprint: the texts are near enough 指纹误差：文本其实够近",
        "too different, even measured exactly 差异过大：精确度量也如此",
        "too different for the fingerprint; nothing exact beside it 指纹相差过大，无精确度量对照"};
    double floors[3] = {0}, full = 0, left[3] = {0};
    for (int part = 0; part < 6; part++) {
        const char *at = strstr(svg.data, fp_format(it->arena, "<title>%s</title>", titles[part]));
        assert_non_null(at);
        box boxes[8];
        const char *end = strstr(at + 1, "<title>");
        size_t count = find_boxes(at, end ? end : svg.data + svg.length, boxes, 8), b = 0;
        for (int t = 0; t < 3; t++) {
            int wanted = PARTS[t * t / 2].part[part];
            if (wanted == 0) continue;
            assert_true(b < count);
            assert_fill(boxes + b, part);
            double high = boxes[b].bottom - boxes[b].top;
            if (part == 0 && t == 0) full = high / wanted * 100;
            if (part == 0) floors[t] = boxes[b].bottom, left[t] = boxes[b].left;
            assert_true(fabs(boxes[b].bottom - floors[t]) < 0.1 && fabs(high - full * wanted / 100) < 0.1 &&
                        near_to(boxes[b].left, left[t]));
            floors[t] = boxes[b].top;
            b++;
        }
        assert_int_equal(b, count);
    }
    assert_true(full > 300 && near_to(left[2] - left[1], left[1] - left[0]));
    for (int t = 1; t < 3; t++) assert_true(fabs(floors[t] - floors[0]) < 0.1);
}

static void nothing_to_lose_is_still_a_picture(void **state) {
    place *it = *state;
    static const counts none = {0, 0, 0, 0, 0, -1};
    for (int arm = 0; arm < 2; arm++) {
        const char *name = fp_format(it->arena, "%d", arm);
        add_arm(it, "c", name, "bits of 64", NO_GAPS);
        add_losses(it, "lost.tsv", name, "1", 0, none, true);
        add_losses(it, "lost-best.tsv", name, "1.5", 0, none, true);
    }
    ASSERT_GOOD(fp_plot_draw(it->directory, FIGURES, NULL, &test_error));
    assert_int_equal(count_of(drawing_of(it, "c", "lost"), "<text>no positive pairs 无正例</text>"), 2);
    assert_png(content_of(it, picture(it, "c", "lost_thresholds", "png")));
}

/* An arm in results.tsv has rows in both tables. */
static void missing_rows_are_named(void **state) {
    place *it = *state;
    add_arm(it, "c", "there", "bits of 64", NO_GAPS);
    add_arm(it, "c", "missing", "bits of 64", NO_GAPS);
    add_losses(it, "lost-best.tsv", "there", "3", 100, LOSSES[0], true);
    assert_int_equal(fp_plot_draw(it->directory, LOST, NULL, &test_error), FP_ERROR_EMPTY);
    assert_non_null(strstr(test_error.message, "missing"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        PLACED(parts_are_as_wide_as_their_counts),
        PLACED(layers_are_as_high_as_their_counts),
        PLACED(nothing_to_lose_is_still_a_picture),
        PLACED(missing_rows_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
