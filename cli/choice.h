/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * choice.h - --choice FILE, for every command that accepts what `fplab tune --save` wrote.
 */
#ifndef FP_CLI_CHOICE_H
#define FP_CLI_CHOICE_H

#include "cli/cli.h"
#include "reports/choice.h"

typedef struct fp_cli_choices {
    size_t count;
    const fp_choice *choices; /* [count] */
} fp_cli_choices;

/* Reads the files of a NULL-terminated list, which may be NULL. Returns −1, or the exit status. */
int fp_cli_read_choices(const char *const *files, fp_arena *arena, fp_cli_choices *choices);

/* The arms of `specs`, and behind them those of the choices, under the names that they have there. Without `specs` the
 * arms of the choices alone; without either, `fallback`. Returns −1, or the exit status. */
int fp_cli_arms_and_choices(const char *const *specs, const fp_cli_choices *choices, const char *const *fallback,
                            fp_arena *arena, fp_arm ***arms, size_t *count);

/* Says on standard error when the corpus is the one on which a choice was made. */
void fp_cli_choices_warn(const fp_cli_choices *choices, const fp_corpus *corpus);

#endif
