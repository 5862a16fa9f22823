/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * choice.h - --choice FILE, for every command that accepts what `fplab tune --save` wrote.
 */
#ifndef FP_CLI_CHOICE_H
#define FP_CLI_CHOICE_H

#include "cli/cli.h"
#include "reports/tables/choice_file.h"

typedef struct fp_cli_choices {
    size_t count;
    const fp_choice *choices; /* [count] */
} fp_cli_choices;

/* Reads one file; a precision that it did not reach is told. Returns −1, or the exit status. */
int fp_cli_read_choice(const char *file, fp_arena *arena, fp_choice *choice);

/* Reads the files of a NULL-terminated list, and behind them those that `specs` name as @FILE, which are taken out of
 * it; both may be NULL. Returns −1, or the exit status. */
int fp_cli_read_choices(const char **specs, const char *const *files, fp_arena *arena, fp_cli_choices *choices);

/* The spec that fp_cli_arm takes, of --arm or --choice; `fallback` (NULL: there must be one) where neither is given.
 * Returns −1, or the exit status. */
int fp_cli_spec(const fp_command *command, const char *arm, const char *choice, const char *fallback, fp_arena *arena,
                const char **spec);

/* The arms of `specs`, and behind them those of the choices, under the names that they have there. Without `specs` the
 * arms of the choices alone; without either, `fallback`. Returns −1, or the exit status. */
int fp_cli_arms_and_choices(const char *const *specs, const fp_cli_choices *choices, const char *const *fallback,
                            fp_arena *arena, fp_arm ***arms, size_t *count);

#endif
