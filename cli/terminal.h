/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * terminal.h - width of the terminal, and the pager for longer output.
 */
#ifndef FP_TERMINAL_H
#define FP_TERMINAL_H

#include "base/base.h"

/* --no-pager: disables the pager from now on. */
void fp_cli_no_pager(void);

/* Columns of the terminal of standard output, also of a pager: COLUMNS of the environment, else the terminal's own
 * value, else 80. SIZE_MAX: no terminal. */
size_t fp_cli_width(void);
/* Whether a person reads standard output: it is a terminal, or buffered because it is one. */
bool fp_cli_has_terminal(void);

/* If standard output is a terminal, output is buffered until the last fp_cli_show_end. If it is longer or wider than
 * the screen, a pager shows it: the command in FPLAB_PAGER, else PAGER, else less, run by sh with LESS=SRX unless
 * the environment has LESS. An empty command and `cat` mean no pager; a pager that cannot start is skipped. The
 * program waits until the user leaves the pager. */
void fp_cli_show_begin(void);
/* `status`: result of the writing; if it failed, reports `error`. Returns the exit status. A failure of standard
 * output is reported here and becomes the program's status at the end (fp_cli_finish). */
int fp_cli_show_end(fp_status status, const fp_error *error);
/* Shows the buffered output: at the latest at the end of the program (fp_cli_finish). */
void fp_cli_show_all(void);

#endif
