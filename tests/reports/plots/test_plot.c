/* SPDX-License-Identifier: GPL-3.0-or-later
 * The pictures: drawn from small tables written here, and read back. The SVG is the witness: the marks it holds must
 * stand where the tables' figures put them, by plain proportion, and its texts must be the labels to the letter. */
#include "reports/plots/plot_parts.h"
#include "tests/reports/plots/plot_support.h"

static void every_corpus_has_its_pictures(void **state) {
    place *it = *state;
    const char *const corpora[] = {"newswire-zh", "新闻"};
    const char *const arms[] = {"simhash", "minhash:features=chars:5", "拼音首字母"};
    for (size_t c = 0; c < 2; c++)
        for (size_t a = 0; a < 3; a++) add_arm(it, corpora[c], arms[a], "bits of 64", NO_GAPS);
    ASSERT_GOOD(fp_plot_draw(it->directory, USUAL, NULL, &test_error));
    for (size_t c = 0; c < 2; c++) {
        for (size_t f = 0; f < USUAL_COUNT; f++) {
            assert_png(content_of(it, picture(it, corpora[c], USUAL[f], "png")));
            fp_string svg = drawing_of(it, corpora[c], USUAL[f]);
            assert_non_null(strstr(svg.data, "sans-serif"));
            assert_non_null(strstr(svg.data, fp_format(it->arena, "<text>%s: ", corpora[c])));
            for (size_t a = 0; a < 3; a++)
                assert_non_null(strstr(svg.data, fp_format(it->arena, "<text>%s</text>", arms[a])));
        }
        fp_string thresholds = drawing_of(it, corpora[c], "thresholds");
        assert_int_equal(count_of(thresholds, "<text>threshold h 阈值 (bits of 64)</text>"), 3);
        assert_int_equal(count_of(thresholds, "<title>precision 精确率</title>"), 3);
        assert_int_equal(count_of(thresholds, "<title>recall 召回率</title>"), 3);
        fp_string curve = drawing_of(it, corpora[c], "precision_recall");
        assert_int_equal(count_of(curve, "<text>AP 0.875 (0.800–0.920)</text>"), 3);
        for (size_t a = 0; a < 3; a++)
            assert_int_equal(count_of(curve, fp_format(it->arena, "<title>%s</title>", arms[a])),
                             2); /* its curve and its mark */
        fp_string histograms = drawing_of(it, corpora[c], "histograms");
        assert_int_equal(count_of(histograms, "<text>distance 距离 (bits of 64)</text>"), 3);
        assert_non_null(strstr(histograms.data, "<text>positive 正例 (100)</text>"));
        assert_non_null(strstr(histograms.data, "<text>negative 负例 (7)</text>"));
    }
    assert_string_equal(picture(it, "新闻", "thresholds", "png"), "plots/新闻-thresholds.png");
}

/* Marks of precision climb by a tenth a threshold, those of recall fall by as much: the same distance on paper every
 * time, and no more marks than figures. */
static void thresholds_stand_where_the_table_puts_them(void **state) {
    place *it = *state;
    add_arm(it, "c", "only", "levels of 60", NO_GAPS);
    ASSERT_GOOD(fp_plot_draw(it->directory, ONLY("thresholds"), &AS_SVG, &test_error));
    fp_string svg = drawing_of(it, "c", "thresholds");
    spot precision[16], recall[16];
    assert_int_equal(find_marks(svg, ROUND, BLUE, precision, 16), 11); /* the first is the legend's */
    assert_int_equal(find_marks(svg, SQUARE, ORANGE, recall, 16), 11);
    double step = precision[1].y - precision[2].y, apart = (precision[10].x - precision[1].x) / 9;
    assert_true(step > 10 && apart > 10);
    for (int h = 2; h <= 10; h++) {
        assert_true(near_to(precision[h].y, precision[1].y - (h - 1) * step));
        assert_true(near_to(recall[h].y, recall[1].y + (h - 1) * step));
        assert_true(fabs(precision[h].x - precision[1].x - (h - 1) * apart) < 0.2);
        assert_true(near_to(precision[h].x, recall[h].x));
    }
    assert_true(near_to(recall[5].y, precision[5].y));
}

/* Where precision is NA no mark stands and no line passes. */
static void undefined_figures_leave_gaps(void **state) {
    place *it = *state;
    add_arm(it, "c", "only", "bits of 64", "x..x......");
    ASSERT_GOOD(fp_plot_draw(it->directory, ONLY("thresholds"), &AS_SVG, &test_error));
    fp_string svg = drawing_of(it, "c", "thresholds");
    spot precision[16], recall[16], path[32];
    bool starts[32];
    assert_int_equal(find_marks(svg, ROUND, BLUE, precision, 16), 9);
    assert_int_equal(find_marks(svg, SQUARE, ORANGE, recall, 16), 11);
    assert_true(near_to(precision[1].x, recall[2].x) && near_to(precision[3].x, recall[5].x));
    size_t count = find_path(svg, "precision 精确率", 1, BLUE, path, starts, 32);
    assert_int_equal(count, 8);
    for (size_t i = 0; i < count; i++) {
        assert_true(near_to(path[i].x, precision[i + 1].x) && near_to(path[i].y, precision[i + 1].y));
        assert_int_equal(starts[i], i == 0 || i == 2);
    }
}

/* The curve runs from recall 0 level to (0.25, 1), then steps through (0.5, 0.75) and (1, 0.5): its area is the
 * average precision, 0.25·1 + 0.25·0.75 + 0.5·0.5 = 0.6875 of the square, and the frame gives the square. */
static void the_curve_encloses_the_average_precision(void **state) {
    place *it = *state;
    add_arm(it, "c", "only", "bits of 64", NO_GAPS);
    ASSERT_GOOD(fp_plot_draw(it->directory, ONLY("precision_recall"), &AS_SVG, &test_error));
    spot path[32];
    bool starts[32];
    size_t count = find_path(drawing_of(it, "c", "precision_recall"), "only", 1, BLUE, path, starts, 32);
    assert_true(count >= 6);
    double left = path[0].x, right = path[count - 1].x, top = path[0].y, half = path[count - 1].y,
           zero = half + (half - top), area = 0;
    for (size_t i = 1; i < count; i++) {
        assert_false(starts[i]);
        assert_true(near_to(path[i].x, path[i - 1].x) || near_to(path[i].y, path[i - 1].y));
        area += (path[i].x - path[i - 1].x) * (zero - path[i].y);
    }
    assert_true(fabs(area / ((right - left) * (zero - top)) - 0.6875) < 1e-3);
}

/* 90%, 9% and 1% on a logarithmic axis: a decade down, then log 9. All seven negatives stand in the last bin, at
 * 100%. */
static void histograms_show_shares_of_the_class(void **state) {
    place *it = *state;
    add_arm(it, "c", "only", "bits of 64", NO_GAPS);
    ASSERT_GOOD(fp_plot_draw(it->directory, ONLY("histograms"), &AS_SVG, &test_error));
    fp_string svg = drawing_of(it, "c", "histograms");
    spot stairs[32], other[32];
    bool starts[32];
    size_t count = find_path(svg, "positive 正例", 1, BLUE, stairs, starts, 32);
    assert_int_equal(count, 6);
    double decade = stairs[2].y - stairs[1].y;
    assert_true(decade > 10 && near_to(stairs[0].y, stairs[1].y));
    assert_true(near_to(stairs[4].y - stairs[3].y, decade * log10(9)));
    assert_true(near_to(stairs[2].x - stairs[0].x, stairs[4].x - stairs[2].x));
    count = find_path(svg, "negative 负例", 1, ORANGE, other, starts, 32);
    assert_int_equal(count, 2); /* bins without negatives are gaps: nothing leads there, and nothing is filled */
    assert_int_equal(count_of(svg, "<polygon"), 0);
    assert_true(near_to(other[count - 1].y, stairs[0].y - decade * log10(100.0 / 90)));
    assert_true(near_to(other[count - 1].x, stairs[5].x));
}

/* Labels and names that mean something to gnuplot, its enhanced text, XML, a shell or printf. */
static void special_characters_appear_literally(void **state) {
    place *it = *state;
    static const char *const labels[][2] = {{"a_b^c{d}", "a_b^c{d}"},
                                            {"x@y&z~w", "x@y&amp;z~w"},
                                            {"''it's \\ ``''", "''it's \\ ``''"},
                                            {"p\"q\"r\"", "p\"q\"r\""},
                                            {"\"q\" z", "\"q\" z"},
                                            {"back\\slash \\n \\", "back\\slash \\n \\"},
                                            {"`exit 3`$HOME", "`exit 3`$HOME"},
                                            {"%d%s%%", "%d%s%%"},
                                            {"NA", "NA"},
                                            {"# x", "# x"},
                                            {"<b>&#44;", "&lt;b>&amp;#44;"},
                                            {"@x arms[1]", "@x arms[1]"}};
    enum { COUNT = sizeof labels / sizeof *labels };
    const char *corpus = "../t_{1}^2 & 'x' \"y\" \\n|`exit 3`";
    for (size_t i = 0; i < COUNT; i++) add_arm(it, corpus, labels[i][0], "bits of 64", NO_GAPS);
    ASSERT_GOOD(fp_plot_draw(it->directory, USUAL, &AS_SVG, &test_error));
    for (size_t f = 0; f < USUAL_COUNT; f++) {
        fp_string svg = drawing_of(it, corpus, USUAL[f]);
        assert_non_null(strstr(svg.data, "<text>../t_{1}^2 &amp; 'x' \"y\" \\n|`exit 3`: "));
        for (size_t i = 0; i < COUNT; i++)
            if (!strstr(svg.data, fp_format(it->arena, "<text>%s</text>", labels[i][1])))
                fail_msg("%s is not in %s", labels[i][0], USUAL[f]);
    }
}

/* RFC 4180: a field in quotation marks, those within doubled. One that begins with a mark and has no other cannot be
 * told from its neighbours. */
static void quotation_marks_of_a_writer_are_not_part_of_the_label(void **state) {
    place *it = *state;
    add_arm(it, "c", "\"\"\"q\"", "bits of 64", NO_GAPS);
    ASSERT_GOOD(fp_plot_draw(it->directory, ONLY("thresholds"), &AS_SVG, &test_error));
    assert_non_null(strstr(drawing_of(it, "c", "thresholds").data, "<text>\"q</text>"));
    add_arm(it, "c", "\"q", "bits of 64", NO_GAPS);
    assert_int_equal(fp_plot_draw(it->directory, ONLY("thresholds"), &AS_SVG, &test_error), FP_ERROR_SYNTAX);
    assert_int_equal(test_error.line, 12);
}

static void bytes_that_are_not_text_are_replaced(void **state) {
    place *it = *state;
    fp_string text = fp_plot_text((fp_string){"a\xff\xfe\x01z\xe4\xb8", 7}, it->arena);
    assert_string_equal(text.data, "a\xef\xbf\xbd\xef\xbf\xbd z\xef\xbf\xbd\xef\xbf\xbd");
    add_arm(it, "c", "a\xff\x1bz", "bits of 64", NO_GAPS);
    ASSERT_GOOD(fp_plot_draw(it->directory, ONLY("histograms"), &AS_SVG, &test_error));
    assert_non_null(strstr(drawing_of(it, "c", "histograms").data, "<text>a\xef\xbf\xbd z</text>"));
}

static void file_names_are_safe_and_distinct(void **state) {
    place *it = *state;
    static const char *const names[] = {"a b", "a_b", "a/b", "a:b", "-rf", ".hidden", "", "..", "x|y", "x'y", "x\ny"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *stem = fp_plot_stem(fp_string_of(names[i]), it->arena);
        assert_int_equal(strcspn(stem, "/\\|':\"<>*? \n"), strlen(stem));
        assert_true(stem[0] != '-' && stem[0] != '.' && stem[0]);
        for (size_t j = 0; j < i; j++) assert_string_not_equal(stem, fp_plot_stem(fp_string_of(names[j]), it->arena));
    }
    assert_string_equal(fp_plot_stem(fp_string_of("newswire-zh_2.1"), it->arena), "newswire-zh_2.1");
    char endless[2000] = "";
    for (size_t i = 0; i < 600; i++) strcat(endless, "字");
    const char *stem = fp_plot_stem(fp_string_of(endless), it->arena);
    assert_true(strlen(stem) < 200 && strncmp(stem, endless, 150) == 0);
}

/* Figures none of whose values is defined, one threshold, no positives, no negatives, an empty curve: still
 * pictures. */
static void nothing_to_show_is_still_a_picture(void **state) {
    place *it = *state;
    for (int arm = 0; arm < 2; arm++) {
        append(it, "results.tsv", RESULTS, "c\t%d\tbits of 64\t3\t0\t0\t0\t0\tNA\tNA\tNA\tNA\tNA\tNA\tNA\n", arm);
        append(it, "summary.tsv", SUMMARY,
               "c\t%d\tbits of 64\t0\t0\tNA\tNA\tNA\tNA\tNA\t8\t0.1\t0.2\tNA\tNA\tNA\tNA\tNA\n", arm);
        append(it, "histograms.tsv", HISTOGRAMS, "c\t%d\tbits of 64\t0\t1\t0\t0\n", arm);
    }
    append(it, "curves.tsv", CURVES, "c\t0\t0\t0\tNA\n");
    ASSERT_GOOD(fp_plot_draw(it->directory, USUAL, NULL, &test_error));
    for (size_t f = 0; f < USUAL_COUNT; f++) {
        assert_png(content_of(it, picture(it, "c", USUAL[f], "png")));
        assert_non_null(strstr(drawing_of(it, "c", USUAL[f]).data, "<text>1</text>"));
    }
    assert_int_equal(count_of(drawing_of(it, "c", "precision_recall"), "<text>AP NA</text>"), 2);
}

static void any_number_of_arms_has_room(void **state) {
    place *it = *state;
    for (int arm = 1; arm <= 13; arm++) {
        add_arm(it, "c", fp_format(it->arena, "arm %d", arm), "bits of 64", NO_GAPS);
        if (arm != 4 && arm != 8 && arm != 13) continue;
        ASSERT_GOOD(fp_plot_draw(it->directory, ONLY("thresholds"), &AS_SVG, &test_error));
        fp_string svg = drawing_of(it, "c", "thresholds");
        assert_int_equal(count_of(svg, "<title>precision 精确率</title>"), (size_t)arm);
        double width, height;
        const char *at = strstr(svg.data, "viewBox=\"0 0 ");
        assert_true(at && sscanf(at, "viewBox=\"0 0 %lf %lf", &width, &height) == 2);
        spot marks[256];
        size_t count = find_marks(svg, ROUND, BLUE, marks, 256);
        assert_int_equal(count, (size_t)arm * 10 + 1);
        for (size_t i = 0; i < count; i++)
            assert_true(marks[i].x > 0 && marks[i].x < width && marks[i].y > 0 && marks[i].y < height);
    }
}

/* The command at the head of each script gives the same bytes as the program, and so does the program a second time. */
static void pictures_can_be_drawn_again(void **state) {
    place *it = *state;
    add_arm(it, "c", "it's", "bits of 64", NO_GAPS);
    add_arm(it, "c", "\\n_x", "slots of 64", "xx........");
    append(it, "run.json", "", "{\"definitions\": {\"confidence\": 0.9}}\n");
    ASSERT_GOOD(fp_plot_draw(it->directory, USUAL, NULL, &test_error));
    assert_non_null(strstr(content_of(it, "plots/c-thresholds.svg").data,
                           "<title>precision 精确率: 90% pointwise interval 逐点置信区间</title>"));
    for (size_t f = 0; f < USUAL_COUNT; f++) {
        for (int format = FP_PICTURE_PNG; format <= FP_PICTURE_SVG; format++) {
            const char *name = picture(it, "c", USUAL[f], fp_picture_names[format]);
            fp_string before = content_of(it, name);
            assert_int_equal(unlink(in_place(it, name)), 0);
            const char *script = fp_format(it->arena, "%s.gp", USUAL[f]);
            const char *const arguments[] = {"gnuplot",   "-e",   format == FP_PICTURE_SVG ? "format = 'svg'" : "",
                                             "c-arms.gp", script, NULL};
            fp_tool tool = {.arguments = arguments, .directory = in_place(it, "plots"), .package = "gnuplot-nox"};
            ASSERT_GOOD(fp_tool_run(&tool, it->arena, &test_error));
            assert_int_equal(tool.status, 0);
            assert_true(fp_string_equal(before, content_of(it, name)));
            assert_int_equal(unlink(in_place(it, name)), 0);
            ASSERT_GOOD(
                fp_plot_draw(it->directory, ONLY(USUAL[f]), &(fp_plot_options){.formats = 1u << format}, &test_error));
            assert_true(fp_string_equal(before, content_of(it, name)));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        PLACED(every_corpus_has_its_pictures),
        PLACED(thresholds_stand_where_the_table_puts_them),
        PLACED(undefined_figures_leave_gaps),
        PLACED(the_curve_encloses_the_average_precision),
        PLACED(histograms_show_shares_of_the_class),
        PLACED(special_characters_appear_literally),
        PLACED(quotation_marks_of_a_writer_are_not_part_of_the_label),
        PLACED(bytes_that_are_not_text_are_replaced),
        PLACED(file_names_are_safe_and_distinct),
        PLACED(nothing_to_show_is_still_a_picture),
        PLACED(any_number_of_arms_has_room),
        PLACED(pictures_can_be_drawn_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
