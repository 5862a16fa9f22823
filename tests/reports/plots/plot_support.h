/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plot_support.h - what the tests of pictures need: a directory of tables written by hand, and what an SVG holds.
 * Include it last.
 */
#ifndef FP_TEST_PLOT_SUPPORT_H
#define FP_TEST_PLOT_SUPPORT_H

#include <ftw.h>
#include <math.h>
#include <sys/stat.h>

#include "reports/plots/plot.h"
#include "reports/plots/plot_parts.h"
#include "tests/support.h"

typedef struct place {
    fp_arena *arena;
    char directory[512];
    char *path; /* PATH as it was */
} place;

static const char RESULTS[] = "corpus\tarm\tscale\tthreshold\ttp\tfp\tfn\ttn\t"
                              "precision\tprecision_low\tprecision_high\trecall\trecall_low\trecall_high\tf1\n";
static const char SUMMARY[] =
    "corpus\tarm\tscale\tpairs\tpositives\taverage_precision\taverage_precision_low\taverage_precision_high\tbest_f1\tbest_threshold\t"
    "bytes_per_document\tsketch_seconds\tdistance_seconds\troc_area\troc_area_low\troc_area_high\tbest_f1_low\tbest_f1_high\n";
static const char CURVES[] = "corpus\tarm\tdistance\tprecision\trecall\n";
static const char HISTOGRAMS[] = "corpus\tarm\tscale\tlow\thigh\tpositives\tnegatives\n";

/* ---- A directory of tables ---- */

static inline int make_place(void **state) {
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

static inline int remove_one(const char *path, const struct stat *facts, int kind, struct FTW *walk) {
    (void)facts, (void)kind, (void)walk;
    return remove(path);
}

static inline int remove_place(void **state) {
    place *it = *state;
    setenv("PATH", it->path, 1);
    unsetenv("FPLAB_FONT");
    nftw(it->directory, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    fp_arena_free(it->arena);
    free(it->path);
    free(it);
    return 0;
}

static inline const char *in_place(const place *it, const char *name) {
    const char *path = fp_format(it->arena, "%s/%s", it->directory, name);
    assert_non_null(path);
    return path;
}

static inline bool is_there(const place *it, const char *name) { return access(in_place(it, name), F_OK) == 0; }

static inline fp_string content_of(const place *it, const char *name) {
    fp_string content = {0};
    ASSERT_GOOD(fp_read_file(in_place(it, name), it->arena, &content, &test_error));
    return content;
}

static inline void append(const place *it, const char *name, const char *header, const char *format, ...) {
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
static inline void add_arm(const place *it, const char *corpus, const char *arm, const char *scale, const char *gaps) {
    for (int h = 1; h <= 10; h++) {
        append(it, "results.tsv", RESULTS, "%s\t%s\t%s\t%d\t60\t3\t40\t4\t", corpus, arm, scale, h);
        if (gaps[h - 1] == 'x') append(it, "results.tsv", RESULTS, "NA\tNA\tNA\t");
        else append(it, "results.tsv", RESULTS, "%g\t%g\t%g\t", h / 10.0, h / 10.0 - 0.05, h / 10.0 + 0.04);
        append(it, "results.tsv", RESULTS, "%g\tNA\tNA\tNA\n", 1 - h / 10.0);
    }
    append(it, "summary.tsv", SUMMARY,
           "%s\t%s\t%s\t107\t100\t0.875\t0.8\t0.92\t0.9\t3\t8\t0.1\t0.2\t0.85\t0.8\t0.9\t0.85\t0.95\n", corpus, arm,
           scale);
    append(it, "curves.tsv", CURVES, "%s\t%s\t0\t1\t0.25\n%s\t%s\t1.5\t0.75\t0.5\n%s\t%s\t2\t0.5\t1\n", corpus, arm,
           corpus, arm, corpus, arm);
    append(it, "histograms.tsv", HISTOGRAMS,
           "%s\t%s\t%s\t0\t1\t90\t0\n%s\t%s\t%s\t1\t2\t9\t0\n%s\t%s\t%s\t2\t3\t1\t7\n", corpus, arm, scale, corpus, arm,
           scale, corpus, arm, scale);
}

/* What every evaluation has. */
enum { USUAL_COUNT = 6 };
static const char *const USUAL[] = {"thresholds", "precision_recall", "roc", "f1", "quality", "histograms", NULL};
/* One alone, where a test looks at no other. */
#define ONLY(name) ((const char *const[]){name, NULL})
/* For what is read back: a PNG takes three times as long. */
static const fp_plot_options AS_SVG = {.formats = 1u << FP_PICTURE_SVG};

static const char NO_GAPS[] = "..........";

static inline const char *picture(const place *it, const char *corpus, const char *figure, const char *format) {
    const char *stem = fp_plot_stem(fp_string_of(corpus), it->arena);
    assert_non_null(stem);
    const char *path = fp_format(it->arena, "plots/%s-%s.%s", stem, figure, format);
    assert_non_null(path);
    return path;
}

static inline fp_string drawing_of(const place *it, const char *corpus, const char *figure) {
    return content_of(it, picture(it, corpus, figure, "svg"));
}

/* ---- What an SVG holds ---- */

typedef struct spot {
    double x, y;
} spot;

/* The marks of one point type and colour, as gnuplot writes them: <use xlink:href='#gpPt6' transform='translate(x,y)
 * … color='rgb(…)'. */
static inline size_t find_marks(fp_string svg, int type, const char *colour, spot *spots, size_t room) {
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
static inline size_t find_path(fp_string svg, const char *title, int n, const char *colour, spot *spots, bool *starts,
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

static inline size_t count_of(fp_string text, const char *what) {
    size_t count = 0;
    for (const char *at = text.data; (at = strstr(at, what)); at++) count++;
    return count;
}

static inline bool near_to(double a, double b) { return fabs(a - b) < 0.05; }

/* Gnuplot's point types 7 and 5 are its SVG's symbols 6 and 4. */
enum { ROUND = 6, SQUARE = 4 };
static const char BLUE[] = "rgb(  0, 114, 178)", ORANGE[] = "rgb(230, 159,   0)";

static inline void assert_png(fp_string png) {
    static const unsigned char signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    assert_true(png.length > 10000);
    assert_memory_equal(png.data, signature, sizeof signature);
    const unsigned char *width = (const unsigned char *)png.data + 16; /* of the IHDR chunk: RFC 2083, section 4.1.1 */
    assert_int_equal(width[0] << 24 | width[1] << 16 | width[2] << 8 | width[3], 1600);
}

#define PLACED(name) cmocka_unit_test_setup_teardown(name, make_place, remove_place)

#endif
