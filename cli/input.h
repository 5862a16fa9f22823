/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * input.h - texts that the user names: files in any encoding, standard input, or the argument itself.
 */
#ifndef FP_CLI_INPUT_H
#define FP_CLI_INPUT_H

#include "cli/cli.h"

typedef struct fp_cli_input {
    const char *encoding; /* NULL: UTF-8 */
    const char *invalid;  /* NULL or "fail", or "replace" */
    bool literal;         /* arguments are texts */
} fp_cli_input;

/* Rows for an option table: --text, --encoding, --invalid. */
#define FP_CLI_INPUT_OPTIONS(input)                                                                            \
    {"text", 't', FP_TAKES_FLAG(&(input).literal), "the arguments are the texts themselves, not files", NULL}, \
        {"encoding", 0, FP_TAKES_TEXT(&(input).encoding),                                                      \
         "encoding of the files: utf-8 (default), gb18030, big5, utf-16, … or auto", "NAME"},                  \
    {                                                                                                          \
        "invalid", 0, FP_TAKES_TEXT(&(input).invalid), "invalid bytes: fail (default) or replace", "HOW"       \
    }

/* Whether --encoding and --invalid are something that is known: asked before anything is read. Returns −1, or the exit
 * status. */
int fp_cli_input_check(const fp_command *command, const fp_cli_input *input, fp_arena *arena);
/* The same of an encoding alone; NULL: UTF-8. */
int fp_cli_encoding_check(const fp_command *command, const char *encoding, fp_arena *arena);

/* Reads one text, of options that were checked. A guessed encoding and replaced bytes are told on standard error.
 * Returns −1, or the exit status. */
int fp_cli_text(const fp_cli_input *input, const char *argument, fp_arena *arena, fp_string *text);

/* Says on standard error that standard input is a terminal and what is read from it, when it is one: "a text" or
 * "texts, one a line". */
void fp_cli_await(const char *what);

/* Whether colours may be written to standard output: it is a terminal that knows them, and NO_COLOR is not set. */
bool fp_cli_colours(void);

#endif
