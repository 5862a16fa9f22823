/* SPDX-License-Identifier: GPL-3.0-or-later
 * The pictures of strata, edits and prevalence: marks stand where the tables put them, by plain proportion. */
#include "tests/reports/plots/plot_support.h"

static const char STRATA[] =
    "corpus\tarm\tby\tstratum\tscale\tpairs\tpositives\tnegatives\taverage_precision\taverage_precision_low\t"
    "average_precision_high\tbest_f1\tbest_f1_low\tbest_f1_high\tbest_threshold\tbest_threshold_low\t"
    "best_threshold_high\tprecision\tprecision_low\tprecision_high\trecall\trecall_low\trecall_high\treplicates\tnote\n";
static const char EDITS[] =
    "corpus\tarm\tscale\tlength\tlengths\tshare_low\tshare_high\tpairs\tmean_share\tmeasured\tmeasured_low\t"
    "measured_high\texpected\tbounded\n";
static const char PREVALENCE[] =
    "corpus\tarm\tscale\tthreshold\tbest\tprevalence\tstated\tprecision\tprecision_low\tprecision_high\n";
static const char BLACK[] = "rgb(  0,   0,   0)";
enum { DIAMOND = 12, RING = 5, BOX = 3 };

static const char LENGTHS[] = "lengths", PARTS[] = "strata", EDITED[] = "edits", PREVALENT[] = "prevalence";

static void draw(const place *it, const char *figure) {
    ASSERT_GOOD(fp_plot_draw(it->directory, (const char *const[]){figure, NULL}, NULL, &test_error));
}

/* ---- Strata ---- */

/* Four strata: thresholds 4, 8, none and 6; precision 0.2, 0.6, NA, 0.4, recall 0.8, 0.4, NA, 0.6, F1 0.3, 0.5, NA,
 * 0.7; the last has ten pairs. */
static void add_strata(const place *it, const char *corpus, const char *arm, const char *by, const char *const *names) {
    static const char *const REST[] = {
        "100\t50\t50\t0.9\t0.8\t1\t0.3\t0.2\t0.4\t4\t2\t8\t0.2\t0.1\t0.4\t0.8\t0.7\t0.9\t100\t",
        "100\t50\t50\t0.9\t0.8\t1\t0.5\t0.4\t0.6\t8\t6\t9\t0.6\t0.5\t0.7\t0.4\t0.3\t0.5\t100\t",
        "40\t0\t40\tNA\tNA\tNA\tNA\tNA\tNA\tNA\tNA\tNA\tNA\tNA\tNA\tNA\tNA\tNA\t100\t",
        "10\t5\t5\t0.9\t0.8\t1\t0.7\t0.6\t0.8\t6\tNA\tNA\t0.4\tNA\tNA\t0.6\t0.5\t0.7\t100\ttoo small"};
    for (int s = 0; s < 4; s++)
        append(it, "strata.tsv", STRATA, "%s\t%s\t%s\t%s\tbits of 64\t%s\n", corpus, arm, by, names[s], REST[s]);
}

static const char *const LENGTH_NAMES[] = {"0-49", "50-99", "100-199", "200+"};

static void assert_proportional(const spot *marks, const double *values, size_t count) {
    double unit = (marks[0].y - marks[1].y) / (values[1] - values[0]);
    assert_true(fabs(unit) > 2);
    for (size_t i = 2; i < count; i++) assert_true(near_to(marks[i].y, marks[0].y - unit * (values[i] - values[0])));
}

static void lengths_stand_where_the_table_puts_them(void **state) {
    place *it = *state;
    add_arm(it, "c", "only", "bits of 64", NO_GAPS);
    add_strata(it, "c", "only", "length", LENGTH_NAMES);
    append(it, "run.json", "", "{\"definitions\": {\"confidence\": 0.9}}\n");
    draw(it, LENGTHS);
    assert_png(content_of(it, "plots/c-lengths.png"));
    fp_string svg = drawing_of(it, "c", "lengths");
    spot best[8], hollow[8], precision[8], recall[8], f1[8];
    /* The first of each is the legend's; what has ten pairs is hollow. */
    assert_int_equal(find_marks(svg, ROUND, BLACK, best, 8), 3);
    assert_int_equal(find_marks(svg, RING, BLACK, hollow, 8), 1);
    assert_int_equal(find_marks(svg, ROUND, BLUE, precision, 8), 3);
    assert_int_equal(find_marks(svg, SQUARE, ORANGE, recall, 8), 3);
    assert_int_equal(find_marks(svg, DIAMOND, BLACK, f1, 8), 3);
    spot three[3] = {best[1], best[2], hollow[0]};
    assert_proportional(three, (double[]){4, 8, 6}, 3);
    double step = best[2].x - best[1].x;
    assert_true(step > 20 && near_to(hollow[0].x, best[1].x + 3 * step));
    /* All figures of the lower half share an axis: precision from 0.2 to 0.6 climbs twice as far as F1 from 0.3 to 0.5.
     */
    assert_true(near_to(precision[1].y - precision[2].y, 2 * (f1[1].y - f1[2].y)));
    assert_true(near_to(recall[2].y - recall[1].y, precision[1].y - precision[2].y));
    assert_true(near_to(recall[2].y, (precision[1].y + precision[2].y) / 2));
    assert_true(near_to(recall[1].x, best[1].x) && precision[1].x < recall[1].x && recall[1].x < f1[1].x);
    assert_int_equal(find_marks(svg, RING, BLUE, hollow, 8), 1);
    assert_int_equal(find_marks(svg, BOX, ORANGE, hollow, 8), 1);
    /* Bars from limit to limit: 2 to 8 at the first, 6 to 9 at the second, none at the others. */
    spot bars[64];
    bool starts[64];
    size_t count = find_path(svg, "threshold with the best F1 最佳阈值: 90% pointwise intervals 逐点置信区间", 1, BLACK,
                             bars, starts, 64);
    double unit = (best[1].y - best[2].y) / 4, low = 1e9, high = -1e9;
    assert_true(count >= 4);
    for (size_t i = 0; i < count; i++) {
        bool first = fabs(bars[i].x - best[1].x) < step / 2, second = fabs(bars[i].x - best[2].x) < step / 2;
        assert_true(first || second);
        if (!first) continue;
        low = fmin(low, bars[i].y);
        high = fmax(high, bars[i].y);
    }
    assert_true(near_to(high, best[1].y + 2 * unit) && near_to(low, best[1].y - 4 * unit));
    for (int s = 0; s < 4; s++)
        assert_non_null(strstr(svg.data, fp_format(it->arena, "<text>%s</text>", LENGTH_NAMES[s])));
    assert_non_null(strstr(svg.data, "hollow 空心: &lt; 30 pairs 对"));
}

/* Any other division has its own name, and no line from part to part. Names are cut, and stand literally. */
static void parts_have_their_names(void **state) {
    place *it = *state;
    static const char *const names[] = {"light_reprint", "人民日报海外版数字报刊转载", "a & <b>", "(none)"};
    add_arm(it, "新闻", "one", "bits of 64", NO_GAPS);
    add_arm(it, "新闻", "two", "bits of 64", NO_GAPS);
    add_strata(it, "新闻", "one", "kind", names);
    add_strata(it, "新闻", "two", "kind", names);
    draw(it, PARTS);
    assert_png(content_of(it, "plots/新闻-strata.png"));
    assert_true(is_there(it, "plots/lengths.gp") && is_there(it, "plots/strata.gp"));
    fp_string svg = drawing_of(it, "新闻", "strata");
    assert_int_equal(count_of(svg, "<text>light_reprint</text>"), 2);
    assert_int_equal(count_of(svg, "<text>a &amp; &lt;b></text>"), 2);
    assert_int_equal(count_of(svg, "<text>人民日报海外版…</text>"), 2);
    assert_int_equal(count_of(svg, "<text>kind</text>"), 2);
    spot best[16];
    assert_int_equal(find_marks(svg, ROUND, BLACK, best, 16), 5);
}

/* Parts of duplicates alone stand on the left of a line, of other pairs alone on the right, whatever their order. They
 * have no precision, and that it is not defined does not cut off what is low. */
static void duplicates_stand_apart(void **state) {
    static const struct {
        const char *name, *positives, *negatives, *threshold;
    } PARTS_OF[] = {
        {"far", "0", "50", "8"}, {"same", "50", "0", "4"}, {"near", "0", "50", "6"}, {"copy", "50", "0", "2"}};
    place *it = *state;
    add_arm(it, "c", "only", "bits of 64", NO_GAPS);
    for (size_t i = 0; i < 4; i++)
        append(
            it, "strata.tsv", STRATA,
            "c\tonly\tkind\t%s\tbits of 64\t50\t%s\t%s\t0.9\t0.8\t1\t0.5\t0.4\t0.6\t%s\tNA\tNA\tNA\tNA\tNA\t0.4\t0.3\t"
            "0.5\t100\t\n",
            PARTS_OF[i].name, PARTS_OF[i].positives, PARTS_OF[i].negatives, PARTS_OF[i].threshold);
    draw(it, PARTS);
    fp_string svg = drawing_of(it, "c", "strata");
    spot best[8];
    assert_int_equal(find_marks(svg, ROUND, BLACK, best, 8), 5); /* in the order of the table, after the legend's */
    assert_true(best[2].x < best[4].x && best[4].x < best[1].x && best[1].x < best[3].x);
    assert_true(best[1].x - best[4].x > 1.3 * (best[4].x - best[2].x));
    assert_int_equal(count_of(svg, "<text>duplicates 重复</text>"), 1);
    assert_int_equal(count_of(svg, "<text>others 非重复</text>"), 1);
    assert_null(strstr(svg.data, "both 兼有"));
    assert_null(strstr(svg.data, "<text>precision there"));
    assert_non_null(strstr(svg.data, "<text>F1, with all of the other class 与另一类合计</text>"));
    assert_int_equal(count_of(svg, "<text>0.00</text>"), 1);
}

/* ---- Edits ---- */

/* Means of 2, 6 and 14 where 14 is the farthest: each cell is 0.85 of its share of 14 on the way from white to
 * (0, 114, 178), and what the law expects stands below. The third has three pairs. */
static void cells_are_as_dark_as_they_are_far(void **state) {
    static const double SHARES[] = {0.01, 0.03, 0.11}, LOWS[] = {0, 0.02, 0.1, 0.2}, MEASURED[] = {2, 6, 14};
    place *it = *state;
    add_arm(it, "c", "law", "bits of 64", NO_GAPS);
    add_arm(it, "c", "lawless", "levels of 60", NO_GAPS);
    add_arm(it, "c", "empty", "bits of 64", NO_GAPS);
    for (int k = 0; k < 3; k++)
        append(it, "edits.tsv", EDITS, "c\tlaw\tbits of 64\t0-49\t1\t%g\t%g\t%d\t%g\t%g\t1\t20\t%g\t0\n", LOWS[k],
               LOWS[k + 1], k == 2 ? 3 : 20, SHARES[k], MEASURED[k], MEASURED[k] + 1);
    for (int k = 0; k < 2; k++)
        append(it, "edits.tsv", EDITS, "c\tlaw\tbits of 64\t200+\t3\t%g\t%g\t20\t%g\t%g\tNA\tNA\tNA\t0\n", LOWS[k + 1],
               LOWS[k + 2], SHARES[k + 1], MEASURED[k]);
    append(it, "edits.tsv", EDITS, "c\tlawless\tlevels of 60\t0-49\t1\t0\t0.02\t20\t0.2\t5\t4\t6\tNA\t0\n");
    draw(it, EDITED);
    assert_png(content_of(it, "plots/c-edits.png"));
    fp_string svg = drawing_of(it, "c", "edits");
    /* 255 − (255 − 0)·0.85·2/14 = 224.04, 255 − 141·0.1214 = 237.88, 255 − 77·0.1214 = 245.65; and so on. */
    assert_int_equal(count_of(svg, "fill = 'rgb(224, 237, 245)'"), 2);
    assert_int_equal(count_of(svg, "fill = 'rgb(162, 203, 226)'"), 2);
    assert_int_equal(count_of(svg, "fill = 'rgb( 38, 135, 189)'"), 2); /* 14, and the only one of another scale */
    static const struct {
        const char *text;
        size_t count;
    } SAID[] = {{"<text>2</text>", 2}, {"<text>6</text>", 2},   {"<text>(14)</text>", 1},
                {"<text>3</text>", 1}, {"<text>7</text>", 1},   {"<text>15</text>", 1},
                {"<text>5</text>", 1}, {"<text>0–2</text>", 3}, {"<text>10–20</text>", 3}};
    for (size_t i = 0; i < sizeof SAID / sizeof *SAID; i++)
        if (count_of(svg, SAID[i].text) != SAID[i].count)
            fail_msg("%s: %zu", SAID[i].text, count_of(svg, SAID[i].text));
    assert_non_null(strstr(svg.data, "<text>no labelled duplicates 无标注的重复对</text>"));
    assert_non_null(strstr(svg.data, "<text>distance 距离 (levels of 60)</text>"));
}

/* ---- Prevalence ---- */

static void prevalence_is_logarithmic(void **state) {
    static const double SHARES[] = {1e-6, 1e-3, 0.01, 0.1, 0.5}, PRECISION[] = {0.1, 0.3, 0.5, 0.9, 1};
    place *it = *state;
    add_arm(it, "c", "only", "bits of 64", NO_GAPS);
    for (int best = 0; best < 2; best++)
        for (int k = 0; k < 5; k++)
            append(it, "prevalence.tsv", PREVALENCE, "c\tonly\tbits of 64\t%d\t%d\t%g\t%d\t%g\t%g\t%g\n", best ? 7 : 3,
                   best, SHARES[k], k == 1, best ? PRECISION[k] : 0.77, PRECISION[k] - 0.05, PRECISION[k]);
    draw(it, PREVALENT);
    assert_png(content_of(it, "plots/c-prevalence.png"));
    fp_string svg = drawing_of(it, "c", "prevalence");
    spot path[16];
    bool starts[16];
    assert_int_equal(find_path(svg, "only", 1, BLUE, path, starts, 16), 5);
    double decade = (path[4].x - path[0].x) / log10(0.5e6), unit = path[0].y - path[4].y;
    assert_true(decade > 50 && unit > 100);
    for (int k = 0; k < 5; k++) {
        assert_true(near_to(path[k].x, path[0].x + decade * log10(SHARES[k] / 1e-6)));
        assert_true(near_to(path[k].y, path[0].y - unit * log10(PRECISION[k] / 0.1)));
    }
    assert_non_null(strstr(svg.data, "<text>stated 给定: 0.001</text>"));
    assert_null(strstr(svg.data, "the set 本集")); /* 100 of 107 pairs: beyond the axis */
    assert_non_null(strstr(svg.data, "<text>h = 7: precision 精确率 0.3</text>"));
}

/* An arm that has no best threshold, many arms, and none of whose figures is defined. */
static void arms_without_figures_are_still_pictures(void **state) {
    place *it = *state;
    for (int arm = 0; arm < 9; arm++) {
        const char *name = fp_format(it->arena, "arm %d", arm);
        add_arm(it, "c", name, "bits of 64", NO_GAPS);
        append(it, "prevalence.tsv", PREVALENCE, "c\t%s\tbits of 64\t3\t0\t0.1\t1\tNA\tNA\tNA\n", name);
        append(
            it, "strata.tsv", STRATA,
            "c\t%s\tlength\t0+\tbits of 64\t4\t0\t4\tNA\tNA\tNA\tNA\tNA\tNA\tNA\tNA\tNA\tNA\tNA\tNA\tNA\tNA\tNA\t9\ttoo small\n",
            name);
    }
    append(it, "edits.tsv", EDITS, "%s", "");
    draw(it, PREVALENT);
    draw(it, LENGTHS);
    draw(it, EDITED);
    assert_int_equal(count_of(drawing_of(it, "c", "prevalence"), "<text>NA</text>"), 9);
    assert_int_equal(count_of(drawing_of(it, "c", "lengths"), "<text>0+</text>"), 9);
    assert_int_equal(count_of(drawing_of(it, "c", "edits"), "<text>no labelled duplicates 无标注的重复对</text>"), 9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        PLACED(lengths_stand_where_the_table_puts_them),
        PLACED(parts_have_their_names),
        PLACED(duplicates_stand_apart),
        PLACED(cells_are_as_dark_as_they_are_far),
        PLACED(prevalence_is_logarithmic),
        PLACED(arms_without_figures_are_still_pictures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
