/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * earlier.h - a directory that an earlier run has written.
 */
#ifndef FP_CLI_EARLIER_H
#define FP_CLI_EARLIER_H

#include "cli/cli.h"

/* Removes the named tables (the list ends with NULL) that an earlier run left in the directory, so that none looks as
 * if it belonged to this one, and tells which on standard error. Nothing is touched that is not fplab's: the directory
 * must hold a run.json of fplab, and the table must begin with the column that every table of fplab begins with. */
fp_status fp_cli_remove_earlier(const char *directory, const char *const *names, fp_arena *arena, fp_error *error);

#endif
