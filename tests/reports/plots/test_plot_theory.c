/* SPDX-License-Identifier: GPL-3.0-or-later
 * The pictures of laws and of bandings: marks and lines stand where the figures put them, by plain proportion. */
#include "tests/reports/plots/plot_support.h"

static const char THEORY[] =
    "corpus\tarm\tscale\tthreshold\trecall\trecall_low\trecall_high\trecall_expected\t"
    "precision\tprecision_low\tprecision_high\tprecision_expected\ttp\ttp_expected\tfp\tfp_expected\n";
static const char BINS[] =
    "corpus\tarm\tscale\tmeasure\tlow\thigh\tpairs\tpositives\tsimilarity\tmean\tmean_expected\tshift_low\tshift_high\t"
    "deviation\tdeviation_expected\tvariance\tvariance_expected\tspread\n";
static const char LAW[] = "corpus\tarm\tsimilarity\tmean\tdeviation\n";

/* Recall (h − 1)/10 measured and h/10 expected, precision 1 − h/20 both ways, at thresholds 1 to 10; bins at 0.15, 0.45
 * and 0.95 with mean distances 50, 30 and 10, expected 52, 31 and 5, and a variance of 16; a law that falls from 60 at
 * 0 to 0 at 1 with deviation 3. */
static void add_theory(const place *it, const char *arm) {
    for (int h = 1; h <= 10; h++)
        append(it, "theory.tsv", THEORY, "c\t%s\tbits of 64\t%d\t%g\t%g\t%g\t%g\t%g\t%g\t%g\t%g\t1\t1\t1\t1\n", arm, h,
               (h - 1) / 10.0, (h - 1) / 10.0 - 0.02, (h - 1) / 10.0 + 0.02, h / 10.0, 1 - h / 20.0, 0.9 - h / 20.0,
               1.0, 1 - h / 20.0);
    static const double BIN[][3] = {{0.15, 50, 52}, {0.45, 30, 31}, {0.95, 10, 5}};
    for (size_t b = 0; b < 3; b++)
        append(it, "theory-bins.tsv", BINS,
               "c\t%s\tbits of 64\tcosine\t%g\t%g\t9\t4\t%g\t%g\t%g\t-1\t1\t4\t4\t16\t15\t1.07\n", arm,
               BIN[b][0] - 0.05, BIN[b][0] + 0.05, BIN[b][0], BIN[b][1], BIN[b][2]);
    for (int i = 0; i <= 4; i++) append(it, "theory-law.tsv", LAW, "c\t%s\t%g\t%g\t3\n", arm, i / 4.0, 60 - 15.0 * i);
}

static const char *const FIGURES[] = {"theory", "theory_distance", NULL};

static void draw(const place *it) { ASSERT_GOOD(fp_plot_draw(it->directory, FIGURES, NULL, &test_error)); }

static void laws_are_lines_and_measurements_marks(void **state) {
    place *it = *state;
    add_arm(it, "c", "only", "bits of 64", NO_GAPS);
    add_theory(it, "only");
    draw(it);
    assert_png(content_of(it, picture(it, "c", "theory", "png")));
    fp_string svg = drawing_of(it, "c", "theory");
    spot precision[16], recall[16], line[32];
    bool starts[32];
    assert_int_equal(find_marks(svg, ROUND, BLUE, precision, 16), 11); /* the first is the legend's */
    assert_int_equal(find_marks(svg, SQUARE, ORANGE, recall, 16), 11);
    assert_int_equal(find_path(svg, "recall 召回率: expected by the law 理论", 1, ORANGE, line, starts, 32), 10);
    double apart = line[1].x - line[0].x, step = line[0].y - line[1].y; /* a threshold, a tenth */
    assert_true(apart > 10 && step > 10);
    for (int h = 1; h <= 10; h++) {
        assert_true(near_to(line[h - 1].x, line[0].x + (h - 1) * apart) &&
                    near_to(line[h - 1].y, line[0].y - (h - 1) * step));
        assert_true(near_to(recall[h].y, line[h - 1].y + step) && near_to(recall[h].x, line[h - 1].x + 0.08 * apart));
    }
    assert_int_equal(find_path(svg, "precision 精确率: expected by the law 理论", 1, BLUE, line, starts, 32), 10);
    for (int h = 1; h <= 10; h++) {
        assert_true(near_to(precision[h].y, line[h - 1].y) && near_to(precision[h].x, line[h - 1].x - 0.08 * apart));
        assert_true(near_to(line[h - 1].y, line[0].y + (h - 1) * step / 2));
    }
}

/* Rings are point type 6, the SVG's symbol 5. */
static void distances_stand_beside_their_law(void **state) {
    place *it = *state;
    add_arm(it, "c", "only", "bits of 64", NO_GAPS);
    add_theory(it, "only");
    draw(it);
    assert_png(content_of(it, picture(it, "c", "theory_distance", "png")));
    fp_string svg = drawing_of(it, "c", "theory_distance");
    spot mean[8], expected[8], law[16];
    bool starts[16];
    assert_int_equal(find_marks(svg, SQUARE, ORANGE, mean, 8), 4);
    assert_int_equal(find_marks(svg, ROUND - 1, "black", expected, 8) +
                         find_marks(svg, ROUND - 1, "rgb(  0,   0,   0)", expected, 8),
                     4);
    assert_int_equal(find_path(svg, "mean by the law 理论均值", 1, BLUE, law, starts, 16), 5);
    /* The panel begins beside the first bin and cuts the line there. */
    double across = (law[4].x - law[1].x) / 0.75,
           down = (law[4].y - law[1].y) / 45; /* similarity 0 to 1; one of distance */
    static const double AT[][3] = {{0.15, 50, 52}, {0.45, 30, 31}, {0.95, 10, 5}};
    for (int b = 0; b < 3; b++) {
        assert_true(near_to(mean[b + 1].x, law[4].x - (1 - AT[b][0]) * across) &&
                    near_to(mean[b + 1].y, law[4].y - AT[b][1] * down));
        assert_true(near_to(expected[b + 1].x, mean[b + 1].x) &&
                    near_to(expected[b + 1].y, law[4].y - AT[b][2] * down));
    }
    assert_non_null(strstr(svg.data, "<text>exact cosine 真实相似度</text>"));
}

static void arms_without_law_have_no_panel(void **state) {
    place *it = *state;
    const char *const arms[] = {"first", "without", "third", "last"};
    for (size_t i = 0; i < 4; i++) add_arm(it, "c", arms[i], "bits of 64", NO_GAPS);
    for (size_t i = 0; i < 4; i++)
        if (i != 1) add_theory(it, arms[i]);
    draw(it);
    for (size_t f = 0; f < 2; f++) {
        fp_string svg = drawing_of(it, "c", FIGURES[f]);
        for (size_t i = 0; i < 4; i++)
            assert_int_equal(count_of(svg, fp_format(it->arena, "<text>%s</text>", arms[i])), i != 1);
    }
    assert_int_equal(count_of(drawing_of(it, "c", "theory"), "<title>recall 召回率: measured 实测</title>"), 3);
}

static void no_law_at_all_is_still_a_picture(void **state) {
    place *it = *state;
    add_arm(it, "c", "only", "bits of 64", NO_GAPS);
    append(it, "theory.tsv", THEORY, "%s", "");
    append(it, "theory-bins.tsv", BINS, "%s", "");
    append(it, "theory-law.tsv", LAW, "%s", "");
    draw(it);
    for (size_t f = 0; f < 2; f++)
        assert_non_null(strstr(drawing_of(it, "c", FIGURES[f]).data, "<text>no arm has a law beside an exact measure"));
}

static void many_arms_with_bands_and_long_labels(void **state) {
    place *it = *state;
    for (int a = 0; a < 9; a++) {
        const char *arm =
            fp_format(it->arena, "minhash:slots=128,features=words:2,punctuation=drop,shortest=2,seed=%d", a);
        add_arm(it, "c", arm, "slots of 128", NO_GAPS);
        add_theory(it, arm);
        for (int h = 11; h <= 40; h++)
            append(it, "theory.tsv", THEORY, "c\t%s\tslots of 128\t%d\t1\t0.9\t1\t1\tNA\tNA\tNA\t0.5\t1\t1\t1\t1\n",
                   arm, h);
    }
    draw(it);
    assert_int_equal(count_of(drawing_of(it, "c", "theory"), "<text>threshold h 阈值"), 9);
}

/* The book's 20 bands of 5 rows: the dot at the target 0.5 stands at 0.470 of the height from 0 to 1. */
static void the_curve_of_a_banding(void **state) {
    place *it = *state;
    append(it, "banding.tsv", "bands\trows\tslots\n", "20\t5\t100\n9\t4\t36\n");
    append(it, "run.json", "",
           "{\"definitions\": {\"slots\": 100, \"slot_bits\": 0, \"similarity\": 0.5, \"recall\": 0.47}}\n");
    ASSERT_GOOD(fp_plot_draw(it->directory, NULL, NULL, &test_error));
    assert_png(content_of(it, "plots/plan-banding.png"));
    fp_string svg = content_of(it, "plots/plan-banding.svg");
    spot dot[4], curve[1000];
    bool starts[1000];
    assert_int_equal(find_marks(svg, ROUND, BLUE, dot, 4), 1);
    size_t count = find_path(svg, "20 × 5", 1, BLUE, curve, starts, 1000);
    assert_true(count > 10);
    double bottom = curve[0].y, height = bottom - curve[count - 1].y, middle = (curve[0].x + curve[count - 1].x) / 2;
    assert_true(fabs(dot[0].x - middle) < 2); /* a sample's width */
    assert_true(fabs((bottom - dot[0].y) / height - 0.470) < 0.0006);
    assert_non_null(strstr(svg.data, "20 × 5: P(0.5) = 0.4701"));
    assert_non_null(strstr(svg.data, "recall 召回率 0.47"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        PLACED(laws_are_lines_and_measurements_marks), PLACED(distances_stand_beside_their_law),
        PLACED(arms_without_law_have_no_panel),        PLACED(no_law_at_all_is_still_a_picture),
        PLACED(many_arms_with_bands_and_long_labels),  PLACED(the_curve_of_a_banding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
