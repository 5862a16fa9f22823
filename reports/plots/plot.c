/* SPDX-License-Identifier: GPL-3.0-or-later
 * Chooses and draws the figures of a run. */
#include "reports/plots/plot.h"

#include <string.h>
#include <unistd.h>

#include "reports/plots/plot_parts.h"
#include "reports/runs/run_manifest.h"

enum { MOST_FIGURES = 64 };

/* State of a drawing. */
typedef struct drawing {
    const fp_plot_options *options;
    uint64_t present; /* tables of the run */
    bool named;       /* the caller named the figures */
    size_t count;
    const fp_figure *figures[MOST_FIGURES];
    uint64_t of_arms; /* tables with rows of arms */
    fp_plot_context context;
    const fp_json *corpora; /* of run.json; NULL: unknown */
    fp_plot_arms arms;
    fp_plot_whole whole[MOST_FIGURES]; /* of figures of the whole run, which have data */
    size_t whole_count;
    fp_error nothing; /* error of the last table without data; code FP_OK: none */
} drawing;

/* ---- Choice of figures ---- */

/* Every figure of arms needs results.tsv, for the order of arms. */
static uint64_t needs(const drawing *it, const fp_figure *figure) {
    uint64_t tables = fp_plot_tables_of(figure);
    return tables | (tables & it->of_arms ? UINT64_C(1) << FP_FILE_RESULTS : 0);
}

static bool is_of_arms(const drawing *it, const fp_figure *figure) {
    return (fp_plot_tables_of(figure) & it->of_arms) != 0;
}

static bool is_of(const fp_figure *figure, int table) { return fp_plot_tables_of(figure) >> table & 1; }

static fp_status add_named(drawing *it, const char *name, fp_error *error) {
    const fp_figure *figure;
    FP_TRY(fp_plot_figure_find(name, &figure, error));
    for (size_t i = 0; i < it->count; i++)
        if (it->figures[i] == figure) return FP_OK;
    it->figures[it->count++] = figure;
    return FP_OK;
}

static fp_status choose(drawing *it, const char *const *names, fp_error *error) {
    it->present = fp_plot_tables_in(&it->context);
    it->named = names != NULL;
    for (; names && *names; names++) FP_TRY(add_named(it, *names, error));
    const fp_figure *figure;
    for (size_t i = 0; !it->named && (figure = fp_plot_figure_at(i)); i++)
        if ((needs(it, figure) & ~it->present) == 0) it->figures[it->count++] = figure;
    return FP_OK;
}

/* If no figures were named, table contents decide: strata by length have their own figure, arms without listed edits
 * have no rows, and a figure of the whole run needs data. */
static bool is_empty(const drawing *it, const fp_figure *figure) {
    size_t edits = 0;
    bool by_length = fp_string_equal(it->arms.by, fp_string_of("length"));
    for (size_t i = 0; i < it->arms.count; i++) edits += it->arms.at[i].rows[FP_FILE_EDITS];
    if (is_of(figure, FP_FILE_STRATA)) return (strcmp(figure->name, "lengths") == 0) != by_length;
    if (is_of(figure, FP_FILE_EDITS)) return edits == 0;
    for (size_t i = 0; i < it->whole_count; i++)
        if (it->whole[i].figure == figure) return false;
    return !is_of_arms(it, figure);
}

static void drop_empty(drawing *it) {
    size_t kept = 0;
    for (size_t i = 0; i < it->count; i++)
        if (!is_empty(it, it->figures[i])) it->figures[kept++] = it->figures[i];
    it->count = kept;
}

/* ---- Reading ---- */

/* Reads the number of texts of each corpus, if recorded. */
static fp_status read_texts(drawing *it, fp_error *error) {
    for (const fp_json *corpus = it->corpora ? it->corpora->first : NULL; corpus; corpus = corpus->next) {
        const fp_json *name = fp_json_member(corpus, "name"), *documents = fp_json_member(corpus, "documents");
        double count = 0;
        if (!name || !documents) continue;
        FP_TRY(fp_json_real(documents, "documents", &count, error));
        for (size_t i = 0; i < it->arms.count; i++)
            if (fp_string_equal(it->arms.at[i].corpus, name->text) && count > 0 && count < 1e15)
                it->arms.at[i].texts = (uint64_t)count;
    }
    return FP_OK;
}

/* A table without data is an error only if its figure was named. */
static fp_status read_whole(drawing *it, const fp_figure *figure, fp_error *error) {
    fp_status status = fp_plot_whole_read(&it->context, figure, it->whole + it->whole_count, error);
    if (status == FP_OK) it->whole_count++;
    if (status != FP_ERROR_EMPTY || it->named) return status;
    it->nothing = *error;
    return FP_OK;
}

static fp_status read_tables(drawing *it, fp_error *error) {
    uint64_t tables = 0;
    const fp_json *level = fp_json_member(it->context.definitions, "level");
    for (size_t i = 0; i < it->count; i++) tables |= needs(it, it->figures[i]);
    if (tables & it->of_arms) {
        tables |= it->present & it->of_arms; /* the scripts of all figures share CORPUS-arms.gp */
        FP_TRY(fp_plot_tables_read(&it->context, tables & it->of_arms, &it->arms, error));
        it->arms.documents =
            level && level->type == FP_JSON_STRING && fp_string_equal(level->text, fp_string_of("document"));
    }
    for (size_t i = 0; i < it->count; i++)
        if (!is_of_arms(it, it->figures[i])) FP_TRY(read_whole(it, it->figures[i], error));
    return read_texts(it, error);
}

/* Reads run.json if it exists: confidence level, counted units, options of a plan. Errors in it have their position. */
static fp_status read_run(drawing *it, fp_error *error) {
    const fp_plot_context *of = &it->context;
    const char *path = fp_format(of->arena, "%s/" FP_RUN_FILE, of->directory);
    fp_string content;
    const fp_json *run;
    if (!of->run && access(path, F_OK) != 0) return read_tables(it, error);
    FP_TRY(fp_run_json_of(of->run, path, of->arena, &content, &run, error));
    it->corpora = fp_json_member(run, "corpora");
    it->context.definitions = fp_json_member(run, "definitions");
    const fp_json *value = fp_json_member(it->context.definitions, "confidence");
    double confidence = 0;
    fp_status status = value ? fp_json_real(value, "confidence", &confidence, error) : FP_OK;
    if (confidence > 0 && confidence < 1) it->context.confidence = confidence;
    if (status == FP_OK) status = read_tables(it, error);
    return status == FP_OK || status == FP_ERROR_MEMORY || error->file[0] ? status
                                                                          : fp_json_at(error, status, path, content);
}

/* ---- Drawing ---- */

static bool is_chosen(const drawing *it, const fp_figure *figure) {
    for (size_t i = 0; i < it->count; i++)
        if (it->figures[i] == figure) return true;
    return false;
}

/* Makes directory/plots with the scripts of all figures of the run; figures drawn earlier need them too. */
static fp_status open_drawing(const drawing *it, fp_gnuplot *draw, fp_error *error) {
    const char *names[MOST_FIGURES + 1] = {NULL};
    size_t count = 0;
    const fp_figure *figure;
    for (size_t i = 0; (figure = fp_plot_figure_at(i)); i++)
        if (is_chosen(it, figure) || ((needs(it, figure) & ~it->present) == 0 && !is_empty(it, figure)))
            names[count++] = figure->name;
    *draw = (fp_gnuplot){.directory = fp_format(it->context.arena, "%s/plots", it->context.directory),
                         .options = it->options,
                         .arena = it->context.arena};
    FP_TRY(fp_make_directory(draw->directory, error));
    return fp_plot_scripts_save(draw->directory, names, draw->arena, error);
}

/* Draws the figures of one corpus: `count` arms from `arms` on. */
static void draw_corpus(const drawing *it, fp_gnuplot *draw, const fp_plot_arm *arms, size_t count) {
    fp_error error = {0};
    draw->stem = fp_plot_stem(arms->corpus, draw->arena);
    draw->arms = fp_format(draw->arena, "%s-arms.gp", draw->stem);
    fp_status status = fp_plot_arms_save(draw, &it->arms, arms, count, it->context.confidence, &error);
    fp_gnuplot_keep(draw, &error);
    for (size_t i = 0; i < it->count && status == FP_OK; i++)
        if (is_of_arms(it, it->figures[i])) fp_gnuplot_draw(draw, it->figures[i]->name);
}

static void draw_corpora(const drawing *it, fp_gnuplot *draw) {
    const fp_plot_arms *arms = &it->arms;
    for (size_t first = 0, next; first < arms->count; first = next) {
        for (next = first + 1; next < arms->count && fp_string_equal(arms->at[next].corpus, arms->at[first].corpus);)
            next++;
        draw_corpus(it, draw, arms->at + first, next - first);
    }
}

static void draw_whole(fp_gnuplot *draw, const fp_plot_whole *whole) {
    fp_error error = {0};
    draw->stem = whole->stem;
    draw->arms = whole->arms;
    fp_status status = fp_gnuplot_describe(draw, whole->title, whole->figure->name, whole->data, &error);
    fp_gnuplot_keep(draw, &error);
    if (status == FP_OK) fp_gnuplot_draw(draw, whole->figure->name);
}

static fp_status draw_run(drawing *it, const char *const *names, fp_error *error) {
    fp_gnuplot draw;
    FP_TRY(fp_gnuplot_check(it->context.arena, error));
    FP_TRY(choose(it, names, error));
    FP_TRY(read_run(it, error));
    if (!it->named) drop_empty(it);
    if (it->count == 0 && it->nothing.code != FP_OK) return *error = it->nothing, error->code;
    if (it->count == 0)
        return FP_FAIL_AT(error, FP_ERROR_EMPTY, it->context.directory,
                          "nothing to draw: the run has no table of any figure");
    FP_TRY(open_drawing(it, &draw, error));
    draw_corpora(it, &draw);
    for (size_t i = 0; i < it->whole_count; i++) draw_whole(&draw, it->whole + i);
    if (draw.first.code != FP_OK) *error = draw.first;
    return draw.first.code;
}

fp_status fp_plot_draw(const char *directory, const char *const *names, const fp_plot_options *options,
                       fp_error *error) {
    static const fp_plot_options NONE = {0};
    if (!options) options = &NONE;
    FP_SCRATCH(arena, options->like, error);
    drawing it = {.options = options,
                  .of_arms = fp_plot_tables_of_arms(),
                  .context = {.directory = directory, .run = options->run, .arena = arena}};
    return draw_run(&it, names, error);
}

/* ---- Options ---- */

void fp_plot_size(const char *text, char *plain) {
    static const char TIMES[] = "×";
    const char *sign = strstr(text, TIMES);
    sprintf(plain, "%.*s%s%s", (int)(sign ? (size_t)(sign - text) : strlen(text)), text, sign ? "x" : "",
            sign ? sign + strlen(TIMES) : "");
}

static fp_status read_formats(const char *text, unsigned *formats, fp_error *error) {
    fp_string rest = fp_string_of(text), item;
    while (fp_next_field(&rest, ',', &item)) {
        int format = 0;
        while (format < FP_PICTURES && !fp_string_equal(item, fp_string_of(fp_picture_names[format]))) format++;
        if (format == FP_PICTURES)
            return fp_fail(error, FP_ERROR_SYNTAX, "expected a list of png, svg, pdf and tikz, not %s", text);
        *formats |= 1u << format;
    }
    return FP_OK;
}

/* Such as "84mm". */
static bool is_millimetres(const char *text) {
    enum { LEAST = 50, MOST = 2000 };
    int value, read;
    return *text >= '1' && *text <= '9' && sscanf(text, "%4d%n", &value, &read) == 1 &&
           strcmp(text + read, "mm") == 0 && value >= LEAST && value <= MOST;
}

/* "1200x900", "1200×900", "1200", a name, or millimetres. */
static fp_status read_size(const char *text, fp_error *error) {
    enum { LEAST = 200, MOST = 20000, DIGITS = 6 };
    static const char *const NAMES[] = {"column", "page", "slide"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (strcmp(text, NAMES[i]) == 0) return FP_OK;
    if (is_millimetres(text)) return FP_OK;
    char plain[3 * DIGITS] = "";
    if (strlen(text) < sizeof plain) fp_plot_size(text, plain);
    fp_string rest = fp_string_of(plain), item;
    int count = 0;
    while (fp_next_field(&rest, 'x', &item)) {
        char number[DIGITS];
        int64_t pixels = 0;
        if (++count <= 2 && item.length && item.length < sizeof number && *item.data >= '1' && *item.data <= '9') {
            snprintf(number, sizeof number, "%.*s", (int)item.length, item.data);
            if (!fp_parse_integer(number, &pixels)) pixels = 0;
        }
        if (pixels < LEAST || pixels > MOST)
            return fp_fail(
                error, FP_ERROR_RANGE,
                "expected WIDTHxHEIGHT or WIDTH from %d to %d pixels, 50mm to 2000mm, column, page or slide, not %s",
                LEAST, MOST, text);
    }
    return FP_OK;
}

fp_status fp_plot_options_read(const char *formats, const char *size, const char *language, fp_plot_options *options,
                               fp_error *error) {
    static const char *const LANGUAGES[] = {"en", "zh", "both", NULL};
    size_t i = 0;
    *options = (fp_plot_options){.size = size, .language = language};
    if (formats) FP_TRY(read_formats(formats, &options->formats, error));
    if (size) FP_TRY(read_size(size, error));
    while (language && LANGUAGES[i] && strcmp(LANGUAGES[i], language) != 0) i++;
    if (LANGUAGES[i]) return FP_OK;
    return fp_fail(error, FP_ERROR_SYNTAX, "expected en, zh or both, not %s", language);
}
