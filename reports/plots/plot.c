/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which figures are drawn of what a run wrote. */
#include "reports/plots/plot.h"

#include <string.h>
#include <unistd.h>

#include "corpora/json.h"
#include "reports/plots/gnuplot.h"
#include "reports/plots/plot_banding.h"
#include "reports/plots/plot_front.h"
#include "reports/plots/plot_ranks.h"
#include "reports/plots/plot_script.h"
#include "reports/runs/run_manifest.h"

const fp_plot_figure fp_plot_usual[FP_PLOT_USUAL] = {
    {"thresholds", 1u << FP_PLOT_RESULTS | 1u << FP_PLOT_SUMMARY | 1u << FP_PLOT_CURVES},
    {"precision_recall", 1u << FP_PLOT_SUMMARY | 1u << FP_PLOT_CURVES},
    {"histograms", 1u << FP_PLOT_HISTOGRAMS}};

/* ---- Options ---- */

static fp_status read_formats(const char *text, unsigned *formats, fp_error *error) {
    fp_string rest = fp_string_of(text), item;
    while (fp_next_field(&rest, ',', &item)) {
        int format = 0;
        while (format < FP_PICTURES && !fp_string_equal(item, fp_string_of(fp_picture_names[format]))) format++;
        if (format == FP_PICTURES)
            return fp_fail(error, FP_ERROR_SYNTAX, "a list of png, svg and pdf is meant, not %s", text);
        *formats |= 1u << format;
    }
    return FP_OK;
}

/* "1200x900", "1200". */
static fp_status read_size(const char *text, fp_error *error) {
    enum { LEAST = 200, MOST = 20000, DIGITS = 6 };
    fp_string rest = fp_string_of(text), item;
    int count = 0;
    while (fp_next_field(&rest, 'x', &item)) {
        char number[DIGITS];
        int64_t pixels = 0;
        if (++count <= 2 && item.length && item.length < sizeof number && *item.data >= '1' && *item.data <= '9') {
            snprintf(number, sizeof number, "%.*s", (int)item.length, item.data);
            if (!fp_parse_integer(number, &pixels)) pixels = 0;
        }
        if (pixels < LEAST || pixels > MOST)
            return fp_fail(error, FP_ERROR_RANGE, "WIDTHxHEIGHT or WIDTH from %d to %d pixels is meant, not %s", LEAST,
                           MOST, text);
    }
    return FP_OK;
}

fp_status fp_plot_options_read(const char *formats, const char *size, const char *language, fp_plot_options *options,
                               fp_error *error) {
    static const char *const LANGUAGES[] = {"en", "zh", "both", NULL};
    size_t i = 0;
    options->formats = 0;
    options->size = size;
    options->language = language;
    if (formats) FP_TRY(read_formats(formats, &options->formats, error));
    if (size) FP_TRY(read_size(size, error));
    while (language && LANGUAGES[i] && strcmp(LANGUAGES[i], language) != 0) i++;
    if (LANGUAGES[i]) return FP_OK;
    return fp_fail(error, FP_ERROR_SYNTAX, "en, zh or both is meant, not %s", language);
}

/* ---- Drawing ---- */

/* definitions.confidence of run.json, 0 when it is not there; and whether definitions.level is documents. */
static fp_status read_run(const char *directory, fp_arena *arena, double *confidence, bool *documents,
                          fp_error *error) {
    const char *path = fp_format(arena, "%s/run.json", directory);
    if (!path) return fp_no_memory(error);
    *confidence = 0;
    *documents = false;
    if (access(path, F_OK) != 0) return FP_OK;
    fp_string content;
    const fp_json *run;
    FP_TRY(fp_json_read(path, arena, &content, &run, error));
    const fp_json *definitions = fp_json_member(run, "definitions"), *level = fp_json_member(definitions, "level"),
                  *value = fp_json_member(definitions, "confidence");
    if (level && level->type == FP_JSON_STRING) *documents = fp_string_equal(level->text, fp_string_of("document"));
    fp_status status = value ? fp_json_real(value, "confidence", confidence, error) : FP_OK;
    if (status != FP_OK) return fp_json_at(error, status, path, content);
    if (!(*confidence > 0 && *confidence < 1)) *confidence = 0;
    return FP_OK;
}

/* Tables of a run that is complete are those that run.json names; others are taken as they are. */
static fp_status refuse_mixture(const char *directory, fp_arena *arena, fp_error *error) {
    fp_run_manifest manifest;
    FP_TRY(fp_run_manifest_read(directory, arena, &manifest, error));
    return manifest.complete ? fp_run_manifest_check(directory, &manifest, error) : FP_OK;
}

/* Makes directory/plots with the scripts of the figures. */
static fp_status open_drawing(const char *directory, const char *const *figures, const fp_plot_options *options,
                              fp_arena *arena, fp_gnuplot *draw, fp_error *error) {
    static const fp_plot_options NONE = {0};
    *draw = (fp_gnuplot){
        .directory = fp_format(arena, "%s/plots", directory), .options = options ? options : &NONE, .arena = arena};
    if (!draw->directory) return fp_no_memory(error);
    FP_TRY(fp_make_directory(draw->directory, error));
    return fp_plot_scripts_save(draw->directory, figures, arena, error);
}

/* The figures of one corpus: `count` of its arms from `arms` on. A figure that fails does not keep the others. */
static fp_status draw_corpus(fp_gnuplot *draw, const fp_plot_arms *all, const fp_plot_arm *arms, size_t count,
                             double confidence, const char *const *figures, fp_error *error) {
    draw->stem = fp_plot_stem(arms->corpus, draw->arena);
    draw->arms = draw->stem ? fp_format(draw->arena, "%s-arms.gp", draw->stem) : NULL;
    if (!draw->arms) return fp_no_memory(error);
    FP_TRY(fp_plot_arms_save(draw, all, arms, count, confidence, error));
    fp_status first = FP_OK;
    for (; *figures; figures++) {
        fp_error later;
        fp_status status = fp_gnuplot_draw(draw, *figures, first == FP_OK ? error : &later);
        if (first == FP_OK) first = status;
    }
    return first;
}

typedef struct job {
    const char *directory;
    const fp_plot_figure *figures;
    size_t count;
    const fp_plot_options *options;
    const fp_banding_goal *goal;
    const fp_banding_choice *choices;
} job;

static fp_status draw_figures(const job *it, fp_arena *arena, fp_error *error) {
    fp_plot_arms arms;
    fp_gnuplot draw;
    unsigned tables = 0;
    const char **names = fp_arena_alloc(arena, it->count + 1, sizeof *names);
    if (!names) return fp_no_memory(error);
    for (size_t i = 0; i < it->count; i++) names[i] = it->figures[i].name, tables |= it->figures[i].tables;
    FP_TRY(fp_gnuplot_check(arena, error));
    FP_TRY(refuse_mixture(it->directory, arena, error));
    FP_TRY(fp_plot_tables_read(it->directory, tables, arena, &arms, error));
    FP_TRY(open_drawing(it->directory, names, it->options, arena, &draw, error));
    double confidence;
    FP_TRY(read_run(it->directory, arena, &confidence, &arms.documents, error));
    fp_status worst = FP_OK;
    for (size_t first = 0, next; first < arms.count; first = next) {
        for (next = first + 1; next < arms.count && fp_string_equal(arms.at[next].corpus, arms.at[first].corpus);)
            next++;
        fp_error later;
        fp_status status = draw_corpus(&draw, &arms, arms.at + first, next - first, confidence, names,
                                       worst == FP_OK ? error : &later);
        if (worst == FP_OK) worst = status;
    }
    return worst;
}

static fp_status draw_front(const job *it, fp_arena *arena, fp_error *error) {
    static const char *const figures[] = {"pareto", NULL};
    fp_plot_front front;
    fp_gnuplot draw;
    FP_TRY(fp_gnuplot_check(arena, error));
    FP_TRY(refuse_mixture(it->directory, arena, error));
    FP_TRY(fp_plot_front_read(it->directory, arena, &front, error));
    FP_TRY(open_drawing(it->directory, figures, it->options, arena, &draw, error));
    draw.stem = fp_plot_stem(front.corpus, arena);
    draw.arms = draw.stem ? fp_format(arena, "%s-front.gp", draw.stem) : NULL;
    if (!draw.arms) return fp_no_memory(error);
    double confidence;
    bool documents;
    FP_TRY(read_run(it->directory, arena, &confidence, &documents, error));
    FP_TRY(fp_plot_front_save(&draw, &front, confidence, error));
    return fp_gnuplot_draw(&draw, figures[0], error);
}

/* Files of a corpus never end in -order.gp or -ranks, so its name may be the same. */
static fp_status draw_ranks(const job *it, fp_arena *arena, fp_error *error) {
    static const char *const figures[] = {"ranks", NULL};
    fp_plot_ranks ranks;
    fp_gnuplot draw;
    FP_TRY(fp_gnuplot_check(arena, error));
    FP_TRY(refuse_mixture(it->directory, arena, error));
    FP_TRY(fp_plot_ranks_read(it->directory, arena, &ranks, error));
    FP_TRY(open_drawing(it->directory, figures, it->options, arena, &draw, error));
    draw.stem = "corpora";
    draw.arms = "corpora-order.gp";
    FP_TRY(fp_plot_ranks_save(&draw, &ranks, error));
    return fp_gnuplot_draw(&draw, figures[0], error);
}

static fp_status draw_banding(const job *it, fp_arena *arena, fp_error *error) {
    static const char *const figures[] = {"banding", NULL};
    fp_gnuplot draw;
    FP_TRY(fp_gnuplot_check(arena, error));
    FP_TRY(open_drawing(it->directory, figures, it->options, arena, &draw, error));
    draw.stem = "plan";
    draw.arms = "plan-choice.gp";
    FP_TRY(fp_plot_banding_save(&draw, it->goal, it->choices, it->count, error));
    return fp_gnuplot_draw(&draw, figures[0], error);
}

static fp_status in_arena(fp_status (*draw)(const job *it, fp_arena *arena, fp_error *error), const job *it,
                          fp_error *error) {
    fp_arena *arena = fp_arena_new();
    if (!arena) return fp_no_memory(error);
    fp_status status = draw(it, arena, error);
    fp_arena_free(arena);
    return status;
}

fp_status fp_plot_banding_draw(const char *directory, const fp_banding_goal *goal, const fp_banding_choice *choices,
                               size_t count, const fp_plot_options *options, fp_error *error) {
    job it = {.directory = directory, .goal = goal, .choices = choices, .count = count, .options = options};
    return in_arena(draw_banding, &it, error);
}

fp_status fp_plot_draw(const char *directory, const fp_plot_figure *figures, size_t count,
                       const fp_plot_options *options, fp_error *error) {
    job it = {.directory = directory, .figures = figures, .count = count, .options = options};
    return in_arena(draw_figures, &it, error);
}

fp_status fp_plot_front_draw(const char *directory, const fp_plot_options *options, fp_error *error) {
    return in_arena(draw_front, &(job){.directory = directory, .options = options}, error);
}

fp_status fp_plot_ranks_draw(const char *directory, const fp_plot_options *options, fp_error *error) {
    return in_arena(draw_ranks, &(job){.directory = directory, .options = options}, error);
}

char *fp_plot_path(fp_string corpus, const char *figure, const char *format, fp_arena *arena) {
    const char *stem = fp_plot_stem(corpus, arena);
    return stem ? fp_format(arena, "plots/%s-%s.%s", stem, figure, format) : NULL;
}
