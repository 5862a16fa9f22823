/* SPDX-License-Identifier: GPL-3.0-or-later
 * --plot-format, --plot-size, --lang. */
#include "cli/plots.h"

static const char *formats, *size, *language;

const fp_option fp_cli_plot_options[] = {
    {"plot-format", 0, FP_TEXT(&formats), "draw as png, svg, pdf (default: png,svg)", "LIST"},
    {"plot-size", 0, FP_TEXT(&size), "of a picture in pixels: 1200x900, or 1200 (default: 1600)", "SIZE"},
    {"lang", 0, FP_TEXT(&language), "of the pictures: en, zh, both (default)", "LANGUAGE"},
    {0}};

static void remember(void *context, const char *name) {
    fp_cli_plots *plots = context;
    char *names = fp_format(plots->arena, "%s%s%s", plots->names ? plots->names : "", plots->names ? ", " : "", name);
    plots->missing++;
    if (names) plots->names = names;
}

/* The option that was wrong is the first that cannot be read alone. */
static const char *blame(void) {
    fp_plot_options options;
    fp_error error;
    if (formats && fp_plot_options_read(formats, NULL, NULL, &options, &error) != FP_OK) return "--plot-format";
    return size && fp_plot_options_read(NULL, size, NULL, &options, &error) != FP_OK ? "--plot-size" : "--lang";
}

int fp_cli_plots_read(const fp_command *command, fp_arena *arena, fp_cli_plots *plots) {
    fp_error error = {0};
    *plots = (fp_cli_plots){.arena = arena};
    fp_status status = fp_plot_options_read(formats, size, language, &plots->options, &error);
    plots->options.missing = remember;
    plots->options.context = plots;
    return status == FP_OK ? -1 : fp_cli_usage(command, "%s: %s", blame(), error.message);
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
                run->plots_lost ? ": there was no room for them" : "");
    return FP_EXIT_FAILURE;
}
