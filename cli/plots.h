/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plots.h - plot options of every command that draws: --plot-format, --plot-size, --plot-title, --lang, --grey,
 * --figure.
 */
#ifndef FP_PLOTS_H
#define FP_PLOTS_H

#include "cli/out.h"
#include "reports/plots/plot.h"

/* Rows for the option table of a command. */
extern const fp_option fp_cli_plot_options[];
#define FP_CLI_PLOT_OPTIONS \
    { NULL, 0, FP_TAKES_ROWS(fp_cli_plot_options), NULL, NULL }

/* The same for the command that only draws. It also accepts the earlier names --format, --size, --title. */
extern const fp_option fp_cli_picture_options[];
#define FP_CLI_PICTURE_OPTIONS \
    { NULL, 0, FP_TAKES_ROWS(fp_cli_picture_options), NULL, NULL }

/* The format as given; NULL: not given. */
const char *fp_cli_plots_format(void);
/* The figures as given, ended by NULL; NULL: not given. */
const char *const *fp_cli_plots_figures(void);

/* The resolved options, and a list of the pictures that failed. */
typedef struct fp_cli_plots {
    fp_plot_options options;
    const char *const *figures; /* ended by NULL; NULL: all */
    fp_arena *arena;
    size_t missing;
    char *names; /* "plots/a.png, plots/b.svg": not drawn; NULL: all drawn */
    bool failed;
    fp_error error; /* set if `failed` */
} fp_cli_plots;

/* Returns the exit status after reporting the mistake. `plots` must not move afterwards. */
int fp_cli_plots_read(const fp_command *command, fp_arena *arena, fp_cli_plots *plots);

/* Draws the chosen pictures of a run whose tables and run.json were just written; plots->failed receives failures,
 * plots->error the reason. */
void fp_cli_plots_draw(fp_cli_plots *plots, const fp_run_directory *run);

/* The same for tables that may be empty, which is a failure only if figures were chosen. */
void fp_cli_draw_some(fp_cli_plots *plots, const fp_run_directory *run);

/* Puts the run in place (fp_cli_out_commit). If drawing failed, reports the reason, that the tables exist, and which
 * pictures are missing. Returns the exit status. */
int fp_cli_plots_commit(const fp_cli_plots *plots, fp_run_directory *run, int status);

#endif
