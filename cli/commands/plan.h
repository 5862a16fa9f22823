/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * plan.h - what the files of `fplab plan` share.
 */
#ifndef FP_CLI_PLAN_H
#define FP_CLI_PLAN_H

#include "cli/plots.h"
#include "index/index_plan.h"

/* --out, and the command line for run.json. */
typedef struct fp_plan_out {
    const char *target; /* NULL: nothing is written */
    fp_cli_plots plots;
    fp_run_directory run;
    int argument_count;
    const char **arguments;
} fp_plan_out;

/* Options for bands and rows, as given. */
typedef struct fp_plan_bands {
    int slots, slot_bits;
    const char *similarity, *recall, *weights;
    fp_plan_out *out;
} fp_plan_bands;

/* Options for designs of an index, as given. */
typedef struct fp_plan_designs {
    int bits, distance;
    const char *fingerprints, *blocks, *similarity, *memory, *sample;
    fp_plan_out *out;
} fp_plan_designs;

/* Each chooses, and prints, writes and draws. Returns the exit status. */
int fp_cli_plan_bands(const fp_command *command, fp_plan_bands *options, fp_table_format format, fp_arena *arena);
int fp_cli_plan_designs(const fp_command *command, const fp_plan_designs *options, fp_table_format format,
                        fp_arena *arena);

/* --out: finishes the directory, with the status of writing and the picture. A picture that fails is reported after the
 * tables are in place. */
int fp_cli_plan_out_close(fp_plan_out *out, fp_status saved, const fp_error *error);

/* Two numbers with the mark between them: 2:8, 2^30. */
bool fp_cli_plan_numbers(const char *text, char mark, double *first, double *second);

#endif
