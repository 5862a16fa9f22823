/* SPDX-License-Identifier: GPL-3.0-or-later
 * fplab plot: draws the pictures of a run again, from its tables. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"
#include "cli/plots.h"
#include "reports/runs/recorded.h"

typedef struct plot_options {
    const char *path, *out;
    bool single; /* `out` is a file */
    fp_cli_plots plots;
    fp_arena *arena;
    const char **drawn; /* "plots/newswire-zh-thresholds.png" … */
    size_t count, room;
} plot_options;

/* ---- Which figures there are ---- */

static int list_figures(fp_arena *arena) {
    fp_table *table = fp_table_new("figure|tables|shows", arena);
    const fp_figure *it;
    for (size_t i = 0; (it = fp_plot_figure_at(i)); i++)
        FP_TABLE_TEXTS(table, fp_plot_figure_name(it, arena), it->tables, it->summary);
    return fp_cli_write(table, FP_FORMAT_TABLE);
}

static bool wants_list(void) {
    for (const char *const *name = fp_cli_plots_figures(); name && *name; name++)
        if (strcmp(*name, "list") == 0) return true;
    return false;
}

/* ---- Drawing ---- */

static void remember(void *context, const char *name) {
    plot_options *options = context;
    (void)FP_ROOM(options->arena, options->drawn, options->count, options->room, NULL);
    options->drawn[options->count++] = fp_format(options->arena, "%s", name);
}

/* Tables of another version may lack what the pictures need. */
static int fail(const fp_recorded *run, const char *place, fp_error *error) {
    fp_run_directory shown = {.target = run->directory, .placed = place};
    size_t length = strlen(error->message);
    if (error->code == FP_ERROR_SYNTAX && *run->version && strcmp(run->version, fp_version()) != 0)
        snprintf(error->message + length, sizeof error->message - length, " (the run is of fplab %s, this is %s)",
                 run->version, fp_version());
    return fp_cli_out_fail(&shown, error);
}

/* Draws the run into place/plots. */
static int draw(plot_options *options, const fp_recorded *run, const char *place) {
    fp_error error = {0};
    options->plots.options.drawn = remember;
    options->plots.options.missing = NULL;
    options->plots.options.context = options;
    bool drawn = fp_run_link(run->directory, &run->manifest, place, false, options->arena, &error) == FP_OK &&
                 fp_plot_draw(place, options->plots.figures, &options->plots.options, &error) == FP_OK;
    return drawn ? FP_EXIT_SUCCESS : fail(run, place, &error);
}

/* Into RUN/plots, replacing the old pictures. */
static int draw_within(plot_options *options, const fp_recorded *run) {
    fp_run_directory directory;
    int status = fp_cli_out_add(run->directory, options->arena, &directory);
    if (status == FP_EXIT_SUCCESS) status = draw(options, run, directory.place);
    status = fp_cli_out_commit(&directory, status);
    for (size_t i = 0; i < options->count && status == FP_EXIT_SUCCESS; i++)
        fp_cli_print("%s/%s\n", run->directory, options->drawn[i]);
    return status;
}

/* ---- Elsewhere ---- */

static int put_pictures(const plot_options *options, const char *place) {
    fp_error error = {0};
    if (options->single && options->count > 1) {
        fprintf(stderr, "fplab: --out %s is one file, and there are %zu pictures; name a directory\n", options->out,
                options->count);
        return FP_EXIT_FAILURE;
    }
    if (!options->single && fp_make_directory(options->out, &error) != FP_OK) return fp_cli_fail(&error);
    for (size_t i = 0; i < options->count; i++) {
        const char *name = strrchr(options->drawn[i], '/') + 1;
        const char *from = fp_format(options->arena, "%s/%s", place, options->drawn[i]),
                   *to = options->single ? options->out : fp_format(options->arena, "%s/%s", options->out, name);
        if (fp_run_copy(from, to, &error) != FP_OK) return fp_cli_fail(&error);
        fp_cli_print("%s\n", to);
    }
    return FP_EXIT_SUCCESS;
}

static int draw_elsewhere(plot_options *options, const fp_recorded *run) {
    fp_temporary_directory place;
    fp_error error = {0};
    if (fp_temporary_directory_open(&place, "pictures", &error) != FP_OK) return fp_cli_fail(&error);
    int status = draw(options, run, place.path);
    if (status == FP_EXIT_SUCCESS) status = put_pictures(options, place.path);
    fp_temporary_directory_close(&place);
    return status;
}

/* ---- All ---- */

/* A name that ends like a picture is a file, unless it is a directory already. */
static int read_out(const fp_command *command, plot_options *options) {
    struct stat facts;
    const char *dot = options->out ? strrchr(options->out, '.') : NULL;
    if (!dot || (stat(options->out, &facts) == 0 && S_ISDIR(facts.st_mode))) return FP_EXIT_SUCCESS;
    for (int format = 0; format < FP_PICTURES; format++) {
        if (strcmp(dot + 1, fp_picture_names[format]) != 0) continue;
        const char *written = fp_cli_plots_format();
        if (written && strcmp(written, fp_picture_names[format]) != 0)
            return fp_cli_usage(command, "--plot-format %s and --out %s are two formats", written, options->out);
        if (!options->plots.figures || options->plots.figures[1])
            return fp_cli_usage(command, "%s can contain only one figure; choose it with --figure", options->out);
        options->single = true;
        options->plots.options.formats = 1u << format;
    }
    return FP_EXIT_SUCCESS;
}

static int plot(const fp_command *command, plot_options *options) {
    fp_error error = {0};
    fp_recorded run;
    FP_CLI_TRY(read_out(command, options));
    if (fp_recorded_read(options->path, options->arena, &run, &error) != FP_OK) return fp_cli_fail(&error);
    return options->out ? draw_elsewhere(options, &run) : draw_within(options, &run);
}

static int run(const fp_command *command, int argc, const char **argv) {
    plot_options chosen = {0};
    fp_option options[] = {
        {"out", 'o', FP_TAKES_TEXT(&chosen.out), "put the pictures here, and leave RUN alone", "DIR|FILE"},
        FP_CLI_FORCE_OPTION,
        FP_CLI_PICTURE_OPTIONS,
        {0}};
    FP_CLI_BEGIN(command, argc, argv, options, arguments, arena);
    chosen.arena = arena;
    chosen.path = arguments[0];
    if (wants_list()) return list_figures(chosen.arena);
    if (!arguments[0] || arguments[1])
        return fp_cli_usage(command,
                            "no run given; name one directory that --out of eval, tune, plan, track or cluster named");
    FP_CLI_TRY(fp_cli_plots_read(command, chosen.arena, &chosen.plots));
    return plot(command, &chosen);
}

const fp_command fp_command_plot = {
    .name = "plot",
    .arguments = "RUN [--figure NAME…] [OPTION…]",
    .summary = "draw the pictures of a run again, from its tables",
    .summary_zh = "由运行的表重新绘图",
    .details = "Draws the figures of a run that `fplab eval`, `tune`, `plan`, `track` or `cluster` wrote with --out.\n"
               "Only the tables in RUN are read: no corpus is needed, nothing is measured, and RUN may have moved.\n"
               "`fplab plot --figure list` lists all figures and the tables of each. Tables that do not match\n"
               "run.json are refused.\n"
               "\n"
               "The pictures go into RUN/plots and replace earlier ones of the same names; others stay. Pictures and\n"
               "scripts changed by hand are overwritten only with --force. With --out DIR the pictures go there, and\n"
               "RUN does not change; with --out FILE one picture goes there, in the format of the file's extension.\n"
               "Prints the names of the pictures.\n"
               "\n"
               "tikz is for TeX: \\usepackage{gnuplot-lua-tikz} (Debian package gnuplot-data), then\n"
               "\\input{FILE.tikz}. Its letters are those of the document; Chinese ones need XeLaTeX or LuaLaTeX and\n"
               "a font that has them, or --lang en. An inch is 96 pixels of --plot-size. --plot-size column and page\n"
               "are as wide as one and both columns of a journal, 84 and 174 mm, and slide fills a 16:9 screen:\n"
               "panels are arranged for the size, and on paper no type is below 6.5 points. PNG has 300 pixels to an\n"
               "inch on paper, 144 on a slide. --grey distinguishes arms by greys, marks and line styles.",
    .examples = "  fplab plot demo --figure precision-recall --lang en --plot-size 900x600\n"
                "  fplab plot demo --plot-size column --grey --lang en --plot-format pdf --out paper\n"
                "  fplab plot demo --grey --plot-title '' --plot-format pdf --out figures\n"
                "  fplab plot demo --figure thresholds --out thresholds.tikz\n"
                "  fplab plot --figure list",
    .run = run,
};
