/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * streams.h - the three standard streams of the program: they are open, what stands in them is looked at before the
 * program ends, and no text from outside commands the terminal.
 */
#ifndef FP_STREAMS_H
#define FP_STREAMS_H

#include <stdbool.h>
#include <stdio.h>

/* Call first. A standard stream that was closed is opened so that reading and writing fail there, and no file of the
 * run takes its place. From here on whatever is written to `stderr` has its control characters made visible
 * (fp_visible), line ends apart. False when there is no memory. */
bool fp_cli_streams_open(void);

/* Writes what is buffered for standard output. Returns −1, or FP_EXIT_FAILURE where any of it could not be written,
 * which is told on one line, once; without a word where the reader of a pipe has gone. −1 where that is a pager. */
int fp_cli_flush(void);

/* Whether standard output is a pipe that nobody reads any more. */
bool fp_cli_reader_gone(void);

/* The program's exit status: that of the command, or FP_EXIT_FAILURE where standard output is not complete. A pager has
 * been left when it returns. */
int fp_cli_finish(int status);

/* printf to standard output, for prose: control characters in it are made visible, line ends apart. */
void fp_cli_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
