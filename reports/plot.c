/* SPDX-License-Identifier: GPL-3.0-or-later
 * gnuplot and its font are found, then every figure is drawn by a run of its own and renamed when it is complete. */
#include "reports/plot.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "corpora/json.h"
#include "reports/plot_banding.h"
#include "reports/plot_front.h"
#include "reports/plot_ranks.h"
#include "reports/plot_script.h"
#include "reports/plot_text.h"
#include "reports/tool.h"

const fp_plot_figure fp_plot_usual[FP_PLOT_USUAL] = {{"thresholds", 1u << FP_PLOT_RESULTS},
                                                     {"precision_recall", 1u << FP_PLOT_SUMMARY | 1u << FP_PLOT_CURVES},
                                                     {"histograms", 1u << FP_PLOT_HISTOGRAMS}};

static const char *const formats[] = {"png", "svg", NULL};

/* ---- What must be installed ---- */

static const char GNUPLOT_PACKAGE[] = "gnuplot-nox";

/* 5.4 is the first with column headers by name and filters (`with table if`). */
static fp_status check_gnuplot(fp_error *error) {
    const char *const arguments[] = {"gnuplot", "--version", NULL};
    fp_tool tool = {.arguments = arguments, .package = GNUPLOT_PACKAGE};
    FP_TRY(fp_tool_run(&tool, error));
    int major, minor;
    if (tool.status != 0 || sscanf(tool.output, "gnuplot %d.%d", &major, &minor) != 2)
        return fp_fail(error, FP_ERROR_TOOL, "gnuplot does not tell its version (Debian package %s)", GNUPLOT_PACKAGE);
    if (major > 5 || (major == 5 && minor >= 4)) return FP_OK;
    return fp_fail(error, FP_ERROR_TOOL, "gnuplot %d.%d is too old: 5.4 or later is needed", major, minor);
}

/* A name for fontconfig's pattern language, for gnuplot and for an SVG attribute: letters, digits and what none of
 * them reads as a sign. */
static bool plain_font(const char *font) {
    if (!*font) return false;
    for (const char *at = font; *at; at++) {
        unsigned char byte = (unsigned char)*at;
        bool letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
                      byte >= 0x80;
        if (!letter && !strchr(" _.+", *at)) return false;
    }
    return true;
}

/* fc-list, unlike fc-match, names a font only when it has the family and the script, never a stand-in. */
static fp_status check_font(const char *font, fp_arena *arena, fp_error *error) {
    if (!plain_font(font)) return fp_fail(error, FP_ERROR_RANGE, "FPLAB_FONT=%s is not the name of a font", font);
    const char *pattern = fp_format(arena, "%s:lang=zh-cn", font);
    if (!pattern) return fp_no_memory(error);
    const char *const arguments[] = {"fc-list", pattern, "family", NULL};
    fp_tool tool = {.arguments = arguments, .package = "fontconfig"};
    FP_TRY(fp_tool_run(&tool, error));
    if (tool.status == 0 && tool.output[0]) return FP_OK;
    return fp_fail(error, FP_ERROR_TOOL,
                   "no font called %s with Chinese characters is installed (Debian package fonts-wqy-microhei, or name "
                   "a font in FPLAB_FONT)",
                   font);
}

/* ---- Drawing ---- */

typedef struct drawing {
    const char *directory; /* …/plots */
    const char *font;      /* a gnuplot string constant */
    const char *stem;
    const char *arms;           /* the file that describes them */
    const char *const *figures; /* ended by NULL */
    fp_arena *arena;
    fp_error *error;
} drawing;

/* The line that says what is wrong: gnuplot shows the command before it. */
static const char *complaint(char *output) {
    const char *first = NULL;
    char *rest;
    for (char *line = strtok_r(output, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        while (*line == ' ' || *line == '\t') line++;
        if (strstr(line, "\" line ") && !strstr(line, "warning:")) return line;
        if (!first && *line && *line != '^') first = line;
    }
    return first ? first : "it did not say why";
}

static fp_status run_gnuplot(const drawing *draw, const char *figure, const char *format, const char *temporary) {
    const char *settings =
        fp_format(draw->arena, "format = '%s'; output = '%s'; font = %s", format, temporary, draw->font);
    const char *script = fp_format(draw->arena, "%s.gp", figure);
    if (!settings || !script) return fp_no_memory(draw->error);
    /* -d: no start-up file of the user. */
    const char *const arguments[] = {"gnuplot", "-d", "-e", settings, draw->arms, script, NULL};
    fp_tool tool = {.arguments = arguments, .directory = draw->directory, .package = GNUPLOT_PACKAGE, .errors = true};
    FP_TRY(fp_tool_run(&tool, draw->error));
    if (tool.status == 0) return FP_OK;
    return fp_fail(draw->error, FP_ERROR_TOOL, "gnuplot cannot draw %s-%s.%s: %s", draw->stem, figure, format,
                   complaint(tool.output));
}

static fp_status draw_figure(const drawing *draw, const char *figure, const char *format) {
    const char *name = fp_format(draw->arena, "%s-%s.%s", draw->stem, figure, format);
    const char *temporary = name ? fp_format(draw->arena, "%s.part%ld", name, (long)getpid()) : NULL;
    const char *from = temporary ? fp_format(draw->arena, "%s/%s", draw->directory, temporary) : NULL;
    const char *to = from ? fp_format(draw->arena, "%s/%s", draw->directory, name) : NULL;
    if (!to) return fp_no_memory(draw->error);
    fp_status status = run_gnuplot(draw, figure, format, temporary);
    if (status == FP_OK && rename(from, to) == 0) return FP_OK;
    if (status == FP_OK) status = fp_fail(draw->error, FP_ERROR_TOOL, "gnuplot did not write %s", to);
    unlink(from);
    return status;
}

/* The figures of one corpus: `count` of its arms from `arms` on. */
static fp_status draw_corpus(drawing *draw, const fp_plot_arms *all, const fp_plot_arm *arms, size_t count,
                             double confidence) {
    draw->stem = fp_plot_stem(arms->corpus, draw->arena);
    draw->arms = draw->stem ? fp_format(draw->arena, "%s-arms.gp", draw->stem) : NULL;
    if (!draw->arms) return fp_no_memory(draw->error);
    FP_TRY(
        fp_plot_arms_save(draw->directory, draw->stem, all->tables, arms, count, confidence, draw->arena, draw->error));
    for (const char *const *figure = draw->figures; *figure; figure++)
        for (size_t format = 0; formats[format]; format++) FP_TRY(draw_figure(draw, *figure, formats[format]));
    return FP_OK;
}

/* definitions.confidence of run.json; 0 when it is not there. */
static fp_status read_confidence(const char *directory, fp_arena *arena, double *confidence, fp_error *error) {
    const char *path = fp_format(arena, "%s/run.json", directory);
    if (!path) return fp_no_memory(error);
    *confidence = 0;
    if (access(path, F_OK) != 0) return FP_OK;
    fp_string content;
    const fp_json *run;
    FP_TRY(fp_json_read(path, arena, &content, &run, error));
    const fp_json *value = fp_json_member(fp_json_member(run, "definitions"), "confidence");
    if (value && fp_json_real(value, "confidence", confidence, error) != FP_OK) return fp_json_at(error, path, content);
    if (!(*confidence > 0 && *confidence < 1)) *confidence = 0;
    return FP_OK;
}

static const char *font_name(void) {
    const char *font = getenv("FPLAB_FONT");
    return font ? font : "WenQuanYi Micro Hei";
}

static fp_status check_tools(fp_arena *arena, fp_error *error) {
    FP_TRY(check_gnuplot(error));
    return check_font(font_name(), arena, error);
}

/* Makes directory/plots with the scripts of the figures. */
static fp_status open_drawing(const char *directory, const char *const *figures, fp_arena *arena, drawing *draw,
                              fp_error *error) {
    *draw = (drawing){.directory = fp_format(arena, "%s/plots", directory),
                      .font = fp_plot_quote(fp_string_of(font_name()), arena),
                      .figures = figures,
                      .arena = arena,
                      .error = error};
    if (!draw->directory || !draw->font) return fp_no_memory(error);
    FP_TRY(fp_make_directory(draw->directory, error));
    return fp_plot_scripts_save(draw->directory, figures, arena, error);
}

static fp_status draw_figures(const char *directory, const fp_plot_figure *figures, size_t count, fp_arena *arena,
                              fp_error *error) {
    fp_plot_arms arms;
    drawing draw;
    unsigned tables = 0;
    const char **names = fp_arena_alloc(arena, count + 1, sizeof *names);
    if (!names) return fp_no_memory(error);
    for (size_t i = 0; i < count; i++) names[i] = figures[i].name, tables |= figures[i].tables;
    FP_TRY(check_tools(arena, error));
    FP_TRY(fp_plot_tables_read(directory, tables, arena, &arms, error));
    FP_TRY(open_drawing(directory, names, arena, &draw, error));
    double confidence;
    FP_TRY(read_confidence(directory, arena, &confidence, error));
    for (size_t first = 0, next; first < arms.count; first = next) {
        for (next = first + 1; next < arms.count && fp_string_equal(arms.at[next].corpus, arms.at[first].corpus);)
            next++;
        FP_TRY(draw_corpus(&draw, &arms, arms.at + first, next - first, confidence));
    }
    return FP_OK;
}

static fp_status draw_front(const char *directory, fp_arena *arena, fp_error *error) {
    static const char *const figures[] = {"pareto", NULL};
    fp_plot_front front;
    drawing draw;
    double confidence;
    FP_TRY(check_tools(arena, error));
    FP_TRY(fp_plot_front_read(directory, arena, &front, error));
    FP_TRY(open_drawing(directory, figures, arena, &draw, error));
    draw.stem = fp_plot_stem(front.corpus, arena);
    draw.arms = draw.stem ? fp_format(arena, "%s-front.gp", draw.stem) : NULL;
    if (!draw.arms) return fp_no_memory(error);
    FP_TRY(read_confidence(directory, arena, &confidence, error));
    FP_TRY(fp_plot_front_save(draw.directory, draw.stem, &front, confidence, arena, error));
    for (size_t format = 0; formats[format]; format++) FP_TRY(draw_figure(&draw, figures[0], formats[format]));
    return FP_OK;
}

/* Files of a corpus never end in -order.gp or -ranks, so its name may be the same. */
static fp_status draw_ranks(const char *directory, fp_arena *arena, fp_error *error) {
    static const char *const figures[] = {"ranks", NULL};
    fp_plot_ranks ranks;
    drawing draw;
    FP_TRY(check_tools(arena, error));
    FP_TRY(fp_plot_ranks_read(directory, arena, &ranks, error));
    FP_TRY(open_drawing(directory, figures, arena, &draw, error));
    draw.stem = "corpora";
    draw.arms = "corpora-order.gp";
    const char *path = fp_format(arena, "%s/%s", draw.directory, draw.arms);
    if (!path) return fp_no_memory(error);
    FP_TRY(fp_plot_ranks_save(path, draw.stem, &ranks, arena, error));
    for (size_t format = 0; formats[format]; format++) FP_TRY(draw_figure(&draw, figures[0], formats[format]));
    return FP_OK;
}

static fp_status draw_banding(const char *directory, const fp_banding_goal *goal, const fp_banding_choice *choices,
                              size_t count, fp_arena *arena, fp_error *error) {
    static const char *const figures[] = {"banding", NULL};
    drawing draw;
    FP_TRY(check_tools(arena, error));
    FP_TRY(open_drawing(directory, figures, arena, &draw, error));
    draw.stem = "plan";
    draw.arms = "plan-choice.gp";
    const char *path = fp_format(arena, "%s/%s", draw.directory, draw.arms);
    if (!path) return fp_no_memory(error);
    FP_TRY(fp_plot_banding_save(path, draw.stem, goal, choices, count, error));
    for (size_t format = 0; formats[format]; format++) FP_TRY(draw_figure(&draw, figures[0], formats[format]));
    return FP_OK;
}

fp_status fp_plot_banding_draw(const char *directory, const fp_banding_goal *goal, const fp_banding_choice *choices,
                               size_t count, fp_error *error) {
    fp_arena *arena = fp_arena_new();
    if (!arena) return fp_no_memory(error);
    fp_status status = draw_banding(directory, goal, choices, count, arena, error);
    fp_arena_free(arena);
    return status;
}

typedef fp_status (*draws)(const char *directory, fp_arena *arena, fp_error *error);

static fp_status in_arena(draws draw, const char *directory, fp_error *error) {
    fp_arena *arena = fp_arena_new();
    if (!arena) return fp_no_memory(error);
    fp_status status = draw(directory, arena, error);
    fp_arena_free(arena);
    return status;
}

fp_status fp_plot_draw(const char *directory, const fp_plot_figure *figures, size_t count, fp_error *error) {
    fp_arena *arena = fp_arena_new();
    if (!arena) return fp_no_memory(error);
    fp_status status = draw_figures(directory, figures, count, arena, error);
    fp_arena_free(arena);
    return status;
}

fp_status fp_plot_front_draw(const char *directory, fp_error *error) { return in_arena(draw_front, directory, error); }

fp_status fp_plot_ranks_draw(const char *directory, fp_error *error) { return in_arena(draw_ranks, directory, error); }

char *fp_plot_path(fp_string corpus, const char *figure, const char *format, fp_arena *arena) {
    const char *stem = fp_plot_stem(corpus, arena);
    return stem ? fp_format(arena, "plots/%s-%s.%s", stem, figure, format) : NULL;
}
