/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * manual.h - what the program tells of itself to other programs, from the tables that --help is printed from.
 */
#ifndef FP_MANUAL_H
#define FP_MANUAL_H

#include "cli/cli.h"

/* Writes the page of a command for man(1), in section 1, to standard output; NULL: that of the program. Returns the
 * exit status. */
int fp_cli_man(const fp_command *command);

/* Writes the completion of a shell to standard output: bash, zsh or fish. Returns the exit status. */
int fp_cli_completion(const char *shell);

#endif
