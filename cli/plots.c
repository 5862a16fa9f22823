/* SPDX-License-Identifier: GPL-3.0-or-later
 * --plot-format, --plot-size, --lang and their like. */
#include "cli/plots.h"

#include <string.h>

#include "cli/cli.h"

static const char *formats, *size, *language, *title, **figures;
static bool grey;

#define ANY_NAME                                                                                                     \
    {"lang", 0, FP_TAKES_HINT(&language, "en zh both"), "of the pictures: en, zh, both (default)", "LANGUAGE"},      \
        {"grey", 0, FP_TAKES_FLAG(&grey), "pictures in greys, for print in black and white", NULL}, {                \
        "figure", 0, FP_TAKES_LIST(&figures), "draw only this figure; may be repeated (`fplab plot --figure list`)", \
            "NAME"                                                                                                   \
    }

const fp_option fp_cli_plot_options[] = {
    {"plot-format", 0, FP_TAKES_HINT(&formats, "png svg pdf tikz"), "draw as png, svg, pdf, tikz (default: png,svg)",
     "LIST"},
    {"plot-size", 0, FP_TAKES_TEXT(&size),
     "of a picture: 1200x900 or 1200 pixels, 84mm, column (84mm), page (174mm), slide (default: 1600)", "SIZE"},
    {"plot-title", 0, FP_TAKES_TEXT(&title), "title of every picture, instead of its own; '': none", "TEXT"},
    ANY_NAME,
    {0}};

/* Names of earlier versions, of the command that only draws. */
const fp_option fp_cli_picture_options[] = {{NULL, 0, FP_TAKES_ROWS(fp_cli_plot_options), NULL, NULL},
                                            {"format", 'f', FP_TAKES_HINT(&formats, "png svg pdf tikz"), NULL, "LIST"},
                                            {"size", 0, FP_TAKES_TEXT(&size), NULL, "SIZE"},
                                            {"title", 0, FP_TAKES_TEXT(&title), NULL, "TEXT"},
                                            {0}};

static void remember(void *context, const char *name) {
    fp_cli_plots *plots = context;
    plots->names = fp_format(plots->arena, "%s%s%s", plots->names ? plots->names : "", plots->names ? ", " : "", name);
    plots->missing++;
}

/* The option that was wrong is the first that cannot be read alone. */
static const char *blame(void) {
    fp_plot_options options;
    fp_error error;
    if (formats && fp_plot_options_read(formats, NULL, NULL, &options, &error) != FP_OK) return "--plot-format";
    if (size && fp_plot_options_read(NULL, size, NULL, &options, &error) != FP_OK) return "--plot-size";
    return "--lang";
}

const char *fp_cli_plots_format(void) { return formats; }

const char *const *fp_cli_plots_figures(void) { return figures; }

int fp_cli_plots_read(const fp_command *command, fp_arena *arena, fp_cli_plots *plots) {
    fp_error error = {0};
    const fp_figure *figure;
    *plots = (fp_cli_plots){.arena = arena, .figures = figures};
    if (fp_plot_options_read(formats, size, language, &plots->options, &error) != FP_OK)
        return fp_cli_usage(command, "%s: %s", blame(), error.message);
    plots->options.title = title;
    plots->options.grey = grey;
    plots->options.like = arena;
    plots->options.missing = remember;
    plots->options.context = plots;
    for (const char **name = figures; name && *name; name++)
        if (fp_plot_figure_find(*name, &figure, &error) != FP_OK)
            return fp_cli_usage(command, "--figure: %s", error.message);
    return FP_EXIT_SUCCESS;
}

void fp_cli_plots_draw(fp_cli_plots *plots, const fp_run_directory *run) {
    double started = fp_seconds();
    plots->options.run = &run->content;
    plots->failed = fp_plot_draw(run->place, plots->figures, &plots->options, &plots->error) != FP_OK;
    fp_cli_detail("pictures: %.2f s", fp_seconds() - started);
}

void fp_cli_draw_some(fp_cli_plots *plots, const fp_run_directory *run) {
    fp_cli_plots_draw(plots, run);
    if (plots->error.code == FP_ERROR_EMPTY && !plots->figures) plots->failed = false;
}

int fp_cli_plots_commit(const fp_cli_plots *plots, fp_run_directory *run, int status) {
    status = fp_cli_out_commit(run, status);
    if (status != FP_EXIT_SUCCESS || !(plots->failed || run->plots_lost)) return status;
    if (plots->failed) fp_cli_out_fail(run, &plots->error);
    if (plots->names && !run->plots_lost)
        fprintf(stderr, "fplab: the tables are written to %s; the %s missing: %s\n", run->target,
                plots->missing == 1 ? "plot is" : "plots are", plots->names);
    else
        fprintf(stderr, "fplab: the tables are written to %s; the plots are missing%s\n", run->target,
                run->plots_lost ? " (run.json could not be written beside them)" : "");
    return FP_EXIT_FAILURE;
}
