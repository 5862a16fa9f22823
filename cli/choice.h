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

/* Reads one file; reports a requested precision that it did not reach. Returns the exit status. */
int fp_cli_read_choice(const char *file, fp_arena *arena, fp_choice *choice);

/* Reads the files of a NULL-terminated list, then those that `specs` names as @FILE, and removes these from `specs`;
 * both may be NULL. Returns the exit status. */
int fp_cli_read_choices(const char **specs, const char *const *files, fp_arena *arena, fp_cli_choices *choices);

/* The spec for fp_cli_arm, from --arm or --choice; `fallback` if neither is given (NULL: one is required). Returns
 * the exit status. */
int fp_cli_spec(const fp_command *command, const char *arm, const char *choice, const char *fallback, fp_arena *arena,
                const char **spec);

/* The arms of `specs`, then those of the choices, with the names in their files. Without `specs` only the arms of
 * the choices; without either, `fallback`. Returns the exit status. */
int fp_cli_arms_and_choices(const char *const *specs, const fp_cli_choices *choices, const char *const *fallback,
                            fp_arena *arena, fp_arm ***arms, size_t *count);

#endif
