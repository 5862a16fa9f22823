/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plots.h - how pictures are drawn, for every command that draws them: --plot-format, --plot-size, --plot-title,
 * --lang, --grey, --figure.
 */
#ifndef FP_PLOTS_H
#define FP_PLOTS_H

#include "cli/out.h"
#include "reports/plots/plot.h"

/* Rows for the option table of a command. */
extern const fp_option fp_cli_plot_options[];
#define FP_CLI_PLOT_OPTIONS \
    { NULL, 0, FP_TAKES_ROWS(fp_cli_plot_options), NULL, NULL }

/* The same for the command that only draws, which also takes the names of earlier versions: --format, --size, --title.
 */
extern const fp_option fp_cli_picture_options[];
#define FP_CLI_PICTURE_OPTIONS \
    { NULL, 0, FP_TAKES_ROWS(fp_cli_picture_options), NULL, NULL }

/* What was written as the format; NULL: nothing. */
const char *fp_cli_plots_format(void);
/* What was written as figures, ended by NULL; NULL: nothing. */
const char *const *fp_cli_plots_figures(void);

/* What the options say, and a list of the pictures that could not be drawn. */
typedef struct fp_cli_plots {
    fp_plot_options options;
    const char *const *figures; /* ended by NULL; NULL: all */
    fp_arena *arena;
    size_t missing;
    char *names; /* "plots/a.png, plots/b.svg"; NULL: none */
    bool failed;
    fp_error error; /* where it failed */
} fp_cli_plots;

/* Returns −1, or the exit status after telling the mistake. `plots` stays where it is. */
int fp_cli_plots_read(const fp_command *command, fp_arena *arena, fp_cli_plots *plots);

/* Draws what was chosen of a run whose tables and run.json were just written; plots->failed, with the reason in
 * plots->error. */
void fp_cli_plots_draw(fp_cli_plots *plots, const fp_run_directory *run);

/* The same where tables may have nothing to draw, which is no failure unless figures were chosen. */
void fp_cli_draw_some(fp_cli_plots *plots, const fp_run_directory *run);

/* Puts the run in place (fp_cli_out_commit); then, where drawing failed, tells why, that the tables are there, and
 * which pictures are missing. Returns the exit status. */
int fp_cli_plots_commit(const fp_cli_plots *plots, fp_run_directory *run, int status);

#endif
