/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * streams.h - the three standard streams of the program: keeps them open, checks them before the program ends, and
 * escapes control characters in text from outside.
 */
#ifndef FP_STREAMS_H
#define FP_STREAMS_H

#include <stdbool.h>
#include <stdio.h>

/* Call first. Opens a closed standard stream so that reading and writing fail, and no file of the run gets its
 * descriptor. From now on control characters written to `stderr` are made visible (fp_visible), except line ends.
 * Returns false when out of memory. */
bool fp_cli_streams_open(void);

/* Flushes standard output. Returns FP_EXIT_FAILURE when some of it could not be written. Reports that on one
 * line, once; no message if the reader of a pipe has closed it. FP_EXIT_SUCCESS if that reader is a pager. */
int fp_cli_flush(void);

/* Whether standard output is a pipe without a reader. */
bool fp_cli_reader_gone(void);

/* The program's exit status: that of the command, or FP_EXIT_FAILURE if standard output is incomplete. Returns after
 * the user has left the pager. */
int fp_cli_finish(int status);

/* printf to standard output, for prose: makes control characters visible, except line ends. */
void fp_cli_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
