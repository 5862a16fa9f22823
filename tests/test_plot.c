/* SPDX-License-Identifier: GPL-3.0-or-later
 * The pictures: drawn from small tables written here, and read back. The SVG is the witness: the marks it holds must
 * stand where the tables' figures put them, by plain proportion, and its texts must be the labels to the letter. */
#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <sys/stat.h>

#include "reports/plot.h"
#include "reports/plot_script.h"
#include "reports/tool.h"
#include "tests/support.h"

typedef struct place {
    fp_arena *arena;
    char directory[512];
    char *path; /* PATH as it was */
} place;

static const char RESULTS[] = "corpus\tarm\tscale\tthreshold\ttp\tfp\tfn\ttn\t"
                              "precision\tprecision_low\tprecision_high\trecall\trecall_low\trecall_high\tf1\n";
static const char SUMMARY[] = "corpus\tarm\tscale\tpairs\tpositives\taverage_precision\tbest_f1\tbest_threshold\t"
                              "bytes_per_document\tsketch_seconds\tdistance_seconds\n";
static const char CURVES[] = "corpus\tarm\tdistance\tprecision\trecall\n";
static const char HISTOGRAMS[] = "corpus\tarm\tscale\tlow\thigh\tpositives\tnegatives\n";

/* ---- A directory of tables ---- */

static int make_place(void **state) {
    place *it = calloc(1, sizeof *it);
    assert_non_null(it);
    const char *parent = getenv("TMPDIR");
    snprintf(it->directory, sizeof it->directory, "%s/fplab-plot-XXXXXX", parent && *parent ? parent : P_tmpdir);
    assert_non_null(mkdtemp(it->directory));
    it->arena = fp_arena_new();
    it->path = strdup(getenv("PATH"));
    *state = it;
    return 0;
}

static int remove_one(const char *path, const struct stat *facts, int kind, struct FTW *walk) {
    (void)facts, (void)kind, (void)walk;
    return remove(path);
}

static int remove_place(void **state) {
    place *it = *state;
    setenv("PATH", it->path, 1);
    unsetenv("FPLAB_FONT");
    nftw(it->directory, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    fp_arena_free(it->arena);
    free(it->path);
    free(it);
    return 0;
}

static const char *in_place(const place *it, const char *name) {
    const char *path = fp_format(it->arena, "%s/%s", it->directory, name);
    assert_non_null(path);
    return path;
}

static bool is_there(const place *it, const char *name) { return access(in_place(it, name), F_OK) == 0; }

static fp_string content_of(const place *it, const char *name) {
    fp_string content = {0};
    ASSERT_GOOD(fp_read_file(in_place(it, name), it->arena, &content, &test_error));
    return content;
}

static void append(const place *it, const char *name, const char *header, const char *format, ...) {
    bool fresh = !is_there(it, name);
    FILE *stream = fopen(in_place(it, name), "a");
    assert_non_null(stream);
    if (fresh) fputs(header, stream);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stream, format, arguments);
    va_end(arguments);
    fclose(stream);
}

/* An arm for whom nothing but its thresholds matters: precision h/10 and recall 1 − h/10, but NA where `gaps` has an
 * x (index h − 1). Three bins that hold 90, 9 and 1 of 100 positives and 0, 0 and 7 negatives. A curve of three
 * points. */
static void add_arm(const place *it, const char *corpus, const char *arm, const char *scale, const char *gaps) {
    for (int h = 1; h <= 10; h++) {
        append(it, "results.tsv", RESULTS, "%s\t%s\t%s\t%d\t60\t3\t40\t4\t", corpus, arm, scale, h);
        if (gaps[h - 1] == 'x') append(it, "results.tsv", RESULTS, "NA\tNA\tNA\t");
        else append(it, "results.tsv", RESULTS, "%g\t%g\t%g\t", h / 10.0, h / 10.0 - 0.05, h / 10.0 + 0.04);
        append(it, "results.tsv", RESULTS, "%g\tNA\tNA\tNA\n", 1 - h / 10.0);
    }
    append(it, "summary.tsv", SUMMARY, "%s\t%s\t%s\t107\t100\t0.875\t0.9\t3\t8\t0.1\t0.2\n", corpus, arm, scale);
    append(it, "curves.tsv", CURVES, "%s\t%s\t0\t1\t0.25\n%s\t%s\t1.5\t0.75\t0.5\n%s\t%s\t2\t0.5\t1\n", corpus, arm,
           corpus, arm, corpus, arm);
    append(it, "histograms.tsv", HISTOGRAMS,
           "%s\t%s\t%s\t0\t1\t90\t0\n%s\t%s\t%s\t1\t2\t9\t0\n%s\t%s\t%s\t2\t3\t1\t7\n", corpus, arm, scale, corpus, arm,
           scale, corpus, arm, scale);
}

static const char NO_GAPS[] = "..........";

static const char *picture(const place *it, const char *corpus, const char *figure, const char *format) {
    const char *path = fp_plot_path(fp_string_of(corpus), figure, format, it->arena);
    assert_non_null(path);
    return path;
}

static fp_string drawing_of(const place *it, const char *corpus, const char *figure) {
    return content_of(it, picture(it, corpus, figure, "svg"));
}

/* ---- What an SVG holds ---- */

typedef struct spot {
    double x, y;
} spot;

/* The marks of one point type and colour, as gnuplot writes them: <use xlink:href='#gpPt6' transform='translate(x,y)
 * … color='rgb(…)'. */
static size_t find_marks(fp_string svg, int type, const char *colour, spot *spots, size_t room) {
    char begin[64], end[64];
    snprintf(begin, sizeof begin, "<use xlink:href='#gpPt%d' transform='translate(", type);
    snprintf(end, sizeof end, "color='%s'", colour);
    size_t count = 0;
    for (const char *at = svg.data; (at = strstr(at, begin)); at++) {
        const char *close = strchr(at, '>'), *tone = strstr(at, end);
        if (!tone || tone > close || count == room) continue;
        assert_int_equal(sscanf(at + strlen(begin), "%lf,%lf", &spots[count].x, &spots[count].y), 2);
        count++;
    }
    return count;
}

/* The vertices of the first path of a colour in the n-th group of a title; a vertex that a line does not lead to
 * counts as a start. */
static size_t find_path(fp_string svg, const char *title, int n, const char *colour, spot *spots, bool *starts,
                        size_t room) {
    char group[128], begin[64];
    snprintf(group, sizeof group, "<title>%s</title>", title);
    snprintf(begin, sizeof begin, "<path stroke='%s'", colour);
    const char *at = strstr(svg.data, group);
    for (int i = 1; i < n && at; i++) at = strstr(at + 1, group);
    if (at) at = strstr(at, begin);
    if (at) at = strstr(at, "d='");
    if (!at) return 0;
    size_t count = 0;
    for (at += 3; *at != '\''; at++) {
        if (*at != 'M' && *at != 'L') continue;
        assert_true(count < room);
        starts[count] = *at == 'M';
        assert_int_equal(sscanf(at + 1, "%lf,%lf", &spots[count].x, &spots[count].y), 2);
        count++;
    }
    return count;
}

static size_t count_of(fp_string text, const char *what) {
    size_t count = 0;
    for (const char *at = text.data; (at = strstr(at, what)); at++) count++;
    return count;
}

static bool near_to(double a, double b) { return fabs(a - b) < 0.05; }

/* Gnuplot's point types 7 and 5 are its SVG's symbols 6 and 4. */
enum { ROUND = 6, SQUARE = 4 };
static const char BLUE[] = "rgb(  0, 114, 178)", ORANGE[] = "rgb(230, 159,   0)";

/* ---- Tests ---- */

static void assert_png(fp_string png) {
    static const unsigned char signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    assert_true(png.length > 10000);
    assert_memory_equal(png.data, signature, sizeof signature);
    const unsigned char *width = (const unsigned char *)png.data + 16; /* of the IHDR chunk: RFC 2083, section 4.1.1 */
    assert_int_equal(width[0] << 24 | width[1] << 16 | width[2] << 8 | width[3], 1600);
}

static void every_corpus_has_its_pictures(void **state) {
    place *it = *state;
    const char *const corpora[] = {"newswire-zh", "新闻"};
    const char *const arms[] = {"simhash", "minhash:features=chars:5", "拼音首字母"};
    for (size_t c = 0; c < 2; c++)
        for (size_t a = 0; a < 3; a++) add_arm(it, corpora[c], arms[a], "bits of 64", NO_GAPS);
    ASSERT_GOOD(fp_plot_draw(it->directory, fp_plot_usual, FP_PLOT_USUAL, &test_error));
    for (size_t c = 0; c < 2; c++) {
        for (size_t f = 0; f < FP_PLOT_USUAL; f++) {
            assert_png(content_of(it, picture(it, corpora[c], fp_plot_usual[f].name, "png")));
            fp_string svg = drawing_of(it, corpora[c], fp_plot_usual[f].name);
            assert_non_null(strstr(svg.data, "sans-serif"));
            assert_non_null(strstr(svg.data, fp_format(it->arena, "<text>%s: ", corpora[c])));
            for (size_t a = 0; a < 3; a++)
                assert_non_null(strstr(svg.data, fp_format(it->arena, "<text>%s</text>", arms[a])));
        }
        fp_string thresholds = drawing_of(it, corpora[c], "thresholds");
        assert_int_equal(count_of(thresholds, "<text>threshold h 阈值 (bits of 64)</text>"), 3);
        assert_int_equal(count_of(thresholds, "<title>precision 准确率</title>"), 3);
        assert_int_equal(count_of(thresholds, "<title>recall 召回率</title>"), 3);
        fp_string curve = drawing_of(it, corpora[c], "precision_recall");
        assert_int_equal(count_of(curve, "<text>AP 0.875</text>"), 3);
        for (size_t a = 0; a < 3; a++)
            assert_int_equal(count_of(curve, fp_format(it->arena, "<title>%s</title>", arms[a])), 2);
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
    ASSERT_GOOD(fp_plot_draw(it->directory, fp_plot_usual, FP_PLOT_USUAL, &test_error));
    fp_string svg = drawing_of(it, "c", "thresholds");
    spot precision[16], recall[16];
    assert_int_equal(find_marks(svg, ROUND, BLUE, precision, 16), 11); /* the first is the legend's */
    assert_int_equal(find_marks(svg, SQUARE, ORANGE, recall, 16), 11);
    double step = precision[1].y - precision[2].y, apart = precision[2].x - precision[1].x;
    assert_true(step > 10 && apart > 10);
    for (int h = 2; h <= 10; h++) {
        assert_true(near_to(precision[h].y, precision[1].y - (h - 1) * step));
        assert_true(near_to(recall[h].y, recall[1].y + (h - 1) * step));
        assert_true(near_to(precision[h].x, precision[1].x + (h - 1) * apart));
        assert_true(near_to(precision[h].x, recall[h].x));
    }
    assert_true(near_to(recall[5].y, precision[5].y));
}

/* Where precision is NA no mark stands and no line passes. */
static void undefined_figures_leave_gaps(void **state) {
    place *it = *state;
    add_arm(it, "c", "only", "bits of 64", "x..x......");
    ASSERT_GOOD(fp_plot_draw(it->directory, fp_plot_usual, FP_PLOT_USUAL, &test_error));
    fp_string svg = drawing_of(it, "c", "thresholds");
    spot precision[16], recall[16], path[32];
    bool starts[32];
    assert_int_equal(find_marks(svg, ROUND, BLUE, precision, 16), 9);
    assert_int_equal(find_marks(svg, SQUARE, ORANGE, recall, 16), 11);
    assert_true(near_to(precision[1].x, recall[2].x) && near_to(precision[3].x, recall[5].x));
    size_t count = find_path(svg, "precision 准确率", 1, BLUE, path, starts, 32);
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
    ASSERT_GOOD(fp_plot_draw(it->directory, fp_plot_usual, FP_PLOT_USUAL, &test_error));
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
    ASSERT_GOOD(fp_plot_draw(it->directory, fp_plot_usual, FP_PLOT_USUAL, &test_error));
    fp_string svg = drawing_of(it, "c", "histograms");
    spot stairs[32], other[32];
    bool starts[32];
    size_t count = find_path(svg, "positive 正例", 2, BLUE, stairs, starts, 32); /* the first is the area below */
    assert_int_equal(count, 6);
    double decade = stairs[2].y - stairs[1].y;
    assert_true(decade > 10 && near_to(stairs[0].y, stairs[1].y));
    assert_true(near_to(stairs[4].y - stairs[3].y, decade * log10(9)));
    assert_true(near_to(stairs[2].x - stairs[0].x, stairs[4].x - stairs[2].x));
    count = find_path(svg, "negative 负例", 2, ORANGE, other, starts, 32);
    assert_true(count >= 2);
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
    ASSERT_GOOD(fp_plot_draw(it->directory, fp_plot_usual, FP_PLOT_USUAL, &test_error));
    for (size_t f = 0; f < FP_PLOT_USUAL; f++) {
        fp_string svg = drawing_of(it, corpus, fp_plot_usual[f].name);
        assert_non_null(strstr(svg.data, "<text>../t_{1}^2 &amp; 'x' \"y\" \\n|`exit 3`: "));
        for (size_t i = 0; i < COUNT; i++)
            if (!strstr(svg.data, fp_format(it->arena, "<text>%s</text>", labels[i][1])))
                fail_msg("%s is not in %s", labels[i][0], fp_plot_usual[f].name);
    }
}

/* RFC 4180: a field in quotation marks, those within doubled. One that begins with a mark and has no other cannot be
 * told from its neighbours. */
static void quotation_marks_of_a_writer_are_not_part_of_the_label(void **state) {
    place *it = *state;
    add_arm(it, "c", "\"\"\"q\"", "bits of 64", NO_GAPS);
    ASSERT_GOOD(fp_plot_draw(it->directory, fp_plot_usual, FP_PLOT_USUAL, &test_error));
    assert_non_null(strstr(drawing_of(it, "c", "thresholds").data, "<text>\"q</text>"));
    add_arm(it, "c", "\"q", "bits of 64", NO_GAPS);
    assert_int_equal(fp_plot_draw(it->directory, fp_plot_usual, FP_PLOT_USUAL, &test_error), FP_ERROR_SYNTAX);
    assert_int_equal(test_error.line, 12);
}

static void bytes_that_are_not_text_are_replaced(void **state) {
    place *it = *state;
    fp_string text = fp_plot_text((fp_string){"a\xff\xfe\x01z\xe4\xb8", 7}, it->arena);
    assert_string_equal(text.data, "a\xef\xbf\xbd\xef\xbf\xbd z\xef\xbf\xbd\xef\xbf\xbd");
    add_arm(it, "c", "a\xff\x1bz", "bits of 64", NO_GAPS);
    ASSERT_GOOD(fp_plot_draw(it->directory, fp_plot_usual, FP_PLOT_USUAL, &test_error));
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
        append(it, "summary.tsv", SUMMARY, "c\t%d\tbits of 64\t0\t0\tNA\tNA\tNA\t8\t0.1\t0.2\n", arm);
        append(it, "histograms.tsv", HISTOGRAMS, "c\t%d\tbits of 64\t0\t1\t0\t0\n", arm);
    }
    append(it, "curves.tsv", CURVES, "c\t0\t0\t0\tNA\n");
    ASSERT_GOOD(fp_plot_draw(it->directory, fp_plot_usual, FP_PLOT_USUAL, &test_error));
    for (size_t f = 0; f < FP_PLOT_USUAL; f++) {
        assert_png(content_of(it, picture(it, "c", fp_plot_usual[f].name, "png")));
        assert_non_null(strstr(drawing_of(it, "c", fp_plot_usual[f].name).data, "<text>1</text>"));
    }
    assert_int_equal(count_of(drawing_of(it, "c", "precision_recall"), "<text>AP NA</text>"), 2);
}

static void any_number_of_arms_has_room(void **state) {
    place *it = *state;
    for (int arm = 1; arm <= 13; arm++) {
        add_arm(it, "c", fp_format(it->arena, "arm %d", arm), "bits of 64", NO_GAPS);
        if (arm != 4 && arm != 8 && arm != 13) continue;
        ASSERT_GOOD(fp_plot_draw(it->directory, fp_plot_usual, FP_PLOT_USUAL, &test_error));
        fp_string svg = drawing_of(it, "c", "thresholds");
        assert_int_equal(count_of(svg, "<title>precision 准确率</title>"), (size_t)arm);
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
    ASSERT_GOOD(fp_plot_draw(it->directory, fp_plot_usual, FP_PLOT_USUAL, &test_error));
    assert_non_null(strstr(content_of(it, "plots/c-thresholds.svg").data,
                           "<title>precision 准确率: 90% interval 置信区间</title>"));
    for (size_t f = 0; f < FP_PLOT_USUAL; f++) {
        for (int format = 0; format < 2; format++) {
            const char *name = picture(it, "c", fp_plot_usual[f].name, format ? "svg" : "png");
            fp_string before = content_of(it, name);
            assert_int_equal(unlink(in_place(it, name)), 0);
            const char *script = fp_format(it->arena, "%s.gp", fp_plot_usual[f].name);
            const char *const arguments[] = {"gnuplot",   "-e",   format ? "format = 'svg'" : "",
                                             "c-arms.gp", script, NULL};
            fp_tool tool = {
                .arguments = arguments, .directory = in_place(it, "plots"), .package = "gnuplot-nox", .errors = true};
            ASSERT_GOOD(fp_tool_run(&tool, &test_error));
            assert_int_equal(tool.status, 0);
            assert_true(fp_string_equal(before, content_of(it, name)));
            ASSERT_GOOD(fp_plot_draw(it->directory, fp_plot_usual, FP_PLOT_USUAL, &test_error));
            assert_true(fp_string_equal(before, content_of(it, name)));
        }
    }
}

/* ---- Failures ---- */

static void without_gnuplot_nothing_is_left(void **state) {
    place *it = *state;
    add_arm(it, "c", "only", "bits of 64", NO_GAPS);
    assert_int_equal(mkdir(in_place(it, "empty"), 0700), 0);
    setenv("PATH", in_place(it, "empty"), 1);
    assert_int_equal(fp_plot_draw(it->directory, fp_plot_usual, FP_PLOT_USUAL, &test_error), FP_ERROR_TOOL);
    assert_non_null(strstr(test_error.message, "gnuplot-nox"));
    assert_false(is_there(it, "plots"));
}

/* A font nobody has, one without Chinese, and what is no name at all. */
static void without_the_font_nothing_is_left(void **state) {
    place *it = *state;
    add_arm(it, "c", "only", "bits of 64", NO_GAPS);
    static const char *const fonts[] = {"No Such Font", "DejaVu Sans"};
    for (size_t i = 0; i < 2; i++) {
        setenv("FPLAB_FONT", fonts[i], 1);
        assert_int_equal(fp_plot_draw(it->directory, fp_plot_usual, FP_PLOT_USUAL, &test_error), FP_ERROR_TOOL);
        assert_non_null(strstr(test_error.message, "fonts-wqy-microhei"));
        assert_non_null(strstr(test_error.message, fonts[i]));
        assert_false(is_there(it, "plots"));
    }
    static const char *const names[] = {"", "A:lang=en", "A,12", "A\"B", "x'; system('exit')"};
    for (size_t i = 0; i < 5; i++) {
        setenv("FPLAB_FONT", names[i], 1);
        assert_int_equal(fp_plot_draw(it->directory, fp_plot_usual, FP_PLOT_USUAL, &test_error), FP_ERROR_RANGE);
        assert_false(is_there(it, "plots"));
    }
}

/* A gnuplot of our own in front of PATH. */
static void put_gnuplot(const place *it, const char *script) {
    mkdir(in_place(it, "bin"), 0700);
    int file = open(in_place(it, "bin/gnuplot"), O_WRONLY | O_CREAT | O_TRUNC, 0700);
    assert_true(file >= 0);
    assert_int_equal(write(file, script, strlen(script)), (ssize_t)strlen(script));
    close(file);
    setenv("PATH", fp_format(it->arena, "%s:%s", in_place(it, "bin"), it->path), 1);
}

static size_t pictures_in(const place *it) {
    const char *const arguments[] = {"find", in_place(it, "plots"), "-type", "f", "!", "-name", "*.gp", NULL};
    fp_tool tool = {.arguments = arguments, .package = "findutils"};
    ASSERT_GOOD(fp_tool_run(&tool, &test_error));
    return count_of(fp_string_of(tool.output), "\n");
}

static void a_gnuplot_that_fails_is_quoted(void **state) {
    place *it = *state;
    add_arm(it, "c", "only", "bits of 64", NO_GAPS);
    put_gnuplot(it, "#!/bin/sh\n[ \"$1\" = --version ] && { echo 'gnuplot 5.4 patchlevel 4'; exit; }\n"
                    "echo half > c-thresholds.png.part$PPID\n"
                    "printf '\\nplot nonsense\\n     ^\\n\"thresholds.gp\" line 7: undefined variable\\n' >&2\nexit 1\n");
    assert_int_equal(fp_plot_draw(it->directory, fp_plot_usual, FP_PLOT_USUAL, &test_error), FP_ERROR_TOOL);
    assert_non_null(strstr(test_error.message, "\"thresholds.gp\" line 7: undefined variable"));
    assert_null(strchr(test_error.message, '\n'));
    assert_int_equal(pictures_in(it), 0);
    put_gnuplot(it, "#!/bin/sh\n[ \"$1\" = --version ] && echo 'gnuplot 5.4 patchlevel 4'\nexit 0\n");
    assert_int_equal(fp_plot_draw(it->directory, fp_plot_usual, FP_PLOT_USUAL, &test_error), FP_ERROR_TOOL); /* says it is well, and drew nothing */
    put_gnuplot(it, "#!/bin/sh\n[ \"$1\" = --version ] && { echo 'gnuplot 5.4 patchlevel 4'; exit; }\nkill -9 $$\n");
    assert_int_equal(fp_plot_draw(it->directory, fp_plot_usual, FP_PLOT_USUAL, &test_error), FP_ERROR_TOOL);
    put_gnuplot(it, "#!/bin/sh\necho 'gnuplot 5.2 patchlevel 8'\n");
    assert_int_equal(fp_plot_draw(it->directory, fp_plot_usual, FP_PLOT_USUAL, &test_error), FP_ERROR_TOOL);
    assert_non_null(strstr(test_error.message, "5.4"));
}

static void expect_bad_table(place *it, fp_status status, const char *file, size_t line) {
    assert_int_equal(fp_plot_draw(it->directory, fp_plot_usual, FP_PLOT_USUAL, &test_error), status);
    assert_non_null(strstr(test_error.file, file));
    assert_int_equal(test_error.line, line);
    assert_false(is_there(it, "plots"));
}

static void a_table_that_is_not_ours_is_named(void **state) {
    place *it = *state;
    expect_bad_table(it, FP_ERROR_IO, "results.tsv", SIZE_MAX);
    append(it, "results.tsv", "corpus\tarm\tscale\n", "c\ta\tbits\n");
    expect_bad_table(it, FP_ERROR_SYNTAX, "results.tsv", 1);
    assert_int_equal(unlink(in_place(it, "results.tsv")), 0);
    add_arm(it, "c", "a", "bits of 64", NO_GAPS);
    append(it, "curves.tsv", CURVES, "c\tb\t1\t1\t1\n");
    expect_bad_table(it, FP_ERROR_UNKNOWN, "curves.tsv", 5);
    append(it, "results.tsv", RESULTS, "\n");
    expect_bad_table(it, FP_ERROR_SYNTAX, "results.tsv", 12);
}

static void rows_of_an_arm_stand_together(void **state) {
    place *it = *state;
    add_arm(it, "c", "a", "bits of 64", NO_GAPS);
    add_arm(it, "c", "b", "bits of 64", NO_GAPS);
    append(it, "histograms.tsv", HISTOGRAMS, "c\ta\tbits of 64\t3\t4\t1\t1\n");
    expect_bad_table(it, FP_ERROR_DUPLICATE, "histograms.tsv", 8);
    append(it, "results.tsv", RESULTS, "c\ta\tbits of 64\t3\t0\t0\t0\t0\tNA\tNA\tNA\tNA\tNA\tNA\tNA\n");
    expect_bad_table(it, FP_ERROR_DUPLICATE, "results.tsv", 22);
}

static void an_arm_without_histogram_is_named(void **state) {
    place *it = *state;
    append(it, "results.tsv", RESULTS, "c\ta\tbits of 64\t3\t0\t0\t0\t0\tNA\tNA\tNA\tNA\tNA\tNA\tNA\n");
    append(it, "summary.tsv", SUMMARY, "%s", "");
    expect_bad_table(it, FP_ERROR_EMPTY, "summary.tsv", SIZE_MAX);
}

/* Dots by plain proportion along the axis, a bar for each longest run of arms less than the critical difference apart. */
static void ranks_stand_where_the_table_puts_them(void **state) {
    static const char header[] = "arm\taverage_precision\tlow\thigh\tmean_rank\tcorpora\tcritical_difference\tfriedman_p\n";
    static const char *const ranks[] = {"1", "2.2", "3.1", "4"};
    place *it = *state;
    for (int i = 0; i < 4; i++) append(it, "ranks.tsv", header, "a<%d\t0.5\t0.4\t0.6\t%s\t9\t2\t0.01\n", i, ranks[i]);
    ASSERT_GOOD(fp_plot_ranks_draw(it->directory, &test_error));
    assert_png(content_of(it, "plots/corpora-ranks.png"));
    fp_string svg = content_of(it, "plots/corpora-ranks.svg");
    spot dots[8];
    assert_int_equal(find_marks(svg, ROUND, "rgb(  0,   0,   0)", dots, 8), 4);
    double step = (dots[3].x - dots[0].x) / 3;
    assert_true(step > 50);
    for (int i = 1; i < 3; i++) assert_true(near_to((dots[i].x - dots[0].x) / step + 1, strtod(ranks[i], NULL)));
    for (int i = 0; i < 4; i++) assert_true(near_to(dots[i].y, dots[0].y));
    for (int i = 0; i < 4; i++) assert_non_null(strstr(svg.data, fp_format(it->arena, "a&lt;%d<", i)));
    /* 1 … 2.2 is one (3.1 is 2.1 away), 2.2 … 4 the other; 3.1 … 4 lies within it. All are in one path, 6 pixels longer at either end. */
    char begin[64];
    double ends[4];
    snprintf(begin, sizeof begin, "<path stroke='%s'  d='", BLUE);
    assert_int_equal(count_of(svg, begin), 1);
    const char *bars = strstr(svg.data, begin) + strlen(begin);
    int read = 0;
    assert_int_equal(sscanf(bars, "M%lf,%*f L%lf,%*f M%lf,%*f L%lf,%*f %n", ends, ends + 1, ends + 2, ends + 3, &read), 4);
    assert_int_equal(bars[read], '\'');
    static const int expected[] = {0, 1, 1, 3};
    for (int i = 0; i < 4; i++) assert_true(near_to(ends[i], dots[expected[i]].x + (i % 2 ? 6 : -6)));
}

static void ranks_without_their_columns_are_named(void **state) {
    place *it = *state;
    append(it, "ranks.tsv", "arm\tmean_rank\n", "a\t1\nb\t2\n");
    assert_int_equal(fp_plot_ranks_draw(it->directory, &test_error), FP_ERROR_SYNTAX);
    assert_non_null(strstr(test_error.message, "average_precision"));
    assert_false(is_there(it, "plots"));
}

#define PLACED(name) cmocka_unit_test_setup_teardown(name, make_place, remove_place)

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
        PLACED(without_gnuplot_nothing_is_left),
        PLACED(without_the_font_nothing_is_left),
        PLACED(a_gnuplot_that_fails_is_quoted),
        PLACED(a_table_that_is_not_ours_is_named),
        PLACED(rows_of_an_arm_stand_together),
        PLACED(an_arm_without_histogram_is_named),
        PLACED(ranks_stand_where_the_table_puts_them),
        PLACED(ranks_without_their_columns_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
