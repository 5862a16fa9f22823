/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pager.h - what a person reads on a terminal: its width, and the program that shows what is longer than the screen.
 */
#ifndef FP_CLI_PAGER_H
#define FP_CLI_PAGER_H

#include <stdio.h>

#include "base/memory_stream.h"

/* --no-pager: nothing is paged from here on. */
void fp_cli_no_pager(void);

/* Cells of the terminal behind standard output, behind a pager too; SIZE_MAX where there is none. */
size_t fp_cli_width(void);
/* Whether a person reads standard output: it is a terminal, or goes to a pager that was started because it was one. */
bool fp_cli_has_terminal(void);

/* A text on its way to standard output. */
typedef struct fp_cli_shown {
    FILE *stream; /* write it here */
    fp_memory_stream kept;
} fp_cli_shown;

/* Where standard output is a terminal the text is kept until fp_cli_show_end, and a pager is started there when it does
 * not fit on the screen, which gets this and all that is printed later: the command in FPLAB_PAGER, or else in PAGER,
 * run by sh, or else `less -FRX`. An empty command and `cat` are none, and what cannot be started is done without.
 * From then on standard error, where it is a terminal, is held until the pager ends. Returns −1, or the exit status
 * after telling that there is no memory. */
int fp_cli_show_begin(fp_cli_shown *to);
/* `status`: what writing came to; where it failed, `error` is told. Returns the exit status; where standard output
 * cannot be written to, that is told here, and is the program's status in the end (fp_cli_finish). */
int fp_cli_show_end(fp_cli_shown *to, fp_status status, const fp_error *error);

/* For a command that prints several texts that are read as one: from here on what goes to standard output is kept,
 * where that is a terminal, until fp_cli_show_all, which pages all of it as fp_cli_show_end does a text. */
void fp_cli_show_together(void);
/* At the end of the program at the latest (fp_cli_finish). Nothing where nothing was gathered. */
void fp_cli_show_all(void);

/* Whether what is printed goes to a pager that has been left: nobody waits for the rest, and that is no error. */
bool fp_cli_pager_left(void);

/* Ends what the pager reads and waits until it is left; then what was held for standard error is there. Call last. */
void fp_cli_pager_end(void);

#endif
