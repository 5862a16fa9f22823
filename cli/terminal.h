/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * terminal.h - what a person reads on a terminal: its width, and the program that shows what does not fit on it.
 */
#ifndef FP_TERMINAL_H
#define FP_TERMINAL_H

#include "base/base.h"

/* --no-pager: nothing is paged from here on. */
void fp_cli_no_pager(void);

/* Cells of the terminal behind standard output, of a pager too: COLUMNS of the environment, or else what the terminal
 * says, or else 80. SIZE_MAX where there is none. */
size_t fp_cli_width(void);
/* Whether a person reads standard output: it is a terminal, or kept because it is one. */
bool fp_cli_has_terminal(void);

/* Where standard output is a terminal, what is printed is kept until the last fp_cli_show_end. Where it is longer or
 * wider than the screen, a pager shows it: the command in FPLAB_PAGER, or else in PAGER, or else less, run by sh with
 * LESS=SRX unless the environment has LESS. An empty command and `cat` are none, and what cannot be started is done
 * without. The program waits until the pager is left. */
void fp_cli_show_begin(void);
/* `status`: what writing came to; where it failed, `error` is told. Returns the exit status; where standard output
 * cannot be written to, that is told here, and is the program's status in the end (fp_cli_finish). */
int fp_cli_show_end(fp_status status, const fp_error *error);
/* Shows what is kept: at the end of the program at the latest (fp_cli_finish). */
void fp_cli_show_all(void);

#endif
