/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plan.h - what the files of `fplab plan` share.
 */
#ifndef FP_CLI_PLAN_H
#define FP_CLI_PLAN_H

#include "cli/plots.h"

/* What is asked for of bands and rows, as it was written. */
typedef struct fp_plan_bands {
    int slots, slot_bits;
    const char *similarity, *recall, *weights, *out;
    fp_cli_plots plots;
    fp_run_directory run; /* of --out */
    int argument_count;
    const char **arguments; /* the command line, for run.json */
} fp_plan_bands;

/* Chooses bands and rows, and prints, writes and draws them. Returns the exit status. */
int fp_cli_plan_bands(const fp_command *command, fp_plan_bands *options, fp_table_format format, fp_arena *arena);

#endif
