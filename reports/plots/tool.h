/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tool.h - running another program without a shell.
 */
#ifndef FP_TOOL_H
#define FP_TOOL_H

#include "base/base.h"

typedef struct fp_tool {
    const char *const *arguments; /* ended by NULL; the first is the program, looked for in PATH */
    const char *directory;        /* where it runs; NULL: here */
    const char *package;          /* the Debian package that has it, for the message when it is missing */
    bool errors;                  /* capture standard error; else standard output. The other stream is dropped. */
    char output[4096];            /* what was captured: its beginning, NUL-terminated */
    int status;                   /* exit status; 128 + signal when a signal ended it */
} fp_tool;

/* Runs the program to its end with an empty standard input and LC_ALL=C.UTF-8, and fills `output` and `status`.
 * FP_ERROR_TOOL when it is not there. A status other than 0 is for the caller to judge. */
fp_status fp_tool_run(fp_tool *tool, fp_error *error);

#endif
