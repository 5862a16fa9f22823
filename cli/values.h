/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * values.h - what can stand in a place of the command line, for the shells to complete.
 */
#ifndef FP_CLI_VALUES_H
#define FP_CLI_VALUES_H

#include "cli/cli.h"

typedef enum fp_value_kind {
    FP_VALUE_FREE, /* a number, a name, a text: nothing to offer */
    FP_VALUE_FILE,
    FP_VALUE_DIRECTORY,
    FP_VALUE_WORDS, /* fp_cli_put_words lists them */
} fp_value_kind;

typedef struct fp_value {
    fp_value_kind kind;
    const char *words; /* separated by spaces; NULL: those that `put` writes */
    void (*put)(void);
} fp_value;

/* What an option takes. */
fp_value fp_cli_value_of(const fp_option *option);
/* What the arguments are of a command, but a first one that is a word of its own (fp_cli_put_own_words). */
fp_value fp_cli_argument_of(const fp_command *command);

/* Writes words to standard output, separated by spaces. */
void fp_cli_put_words(const fp_value *value);
/* Those that a command's first argument may be, "build add …": its parts, or the words in small letters that its usage
 * line begins with or has behind a bar; with `before` and `behind` around them, and nothing where there are none. */
void fp_cli_put_own_words(const fp_command *command, const char *before, const char *behind);
/* Writes a text with a backslash in front of each of `signs`. */
void fp_cli_put_escaped(const char *text, const char *signs);

/* Calls `write` for every command, and behind it for each of its parts. */
void fp_cli_each_command(void (*write)(const fp_command *command));

/* Calls `write` for every row of both tables, those of the command first. */
void fp_cli_each_option(const fp_command *command, const fp_option *own, const fp_option *common,
                        void (*write)(const fp_command *command, const fp_option *option));

/* fp_cli_describe; what fails is told, and the program ends: nothing may follow what it has written. */
void fp_cli_describe_whole(const fp_command *command, fp_describe *how);

/* The scripts, to standard output. */
void fp_cli_complete_bash(void);
void fp_cli_complete_zsh(void);
void fp_cli_complete_fish(void);

#endif
