/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * options.h - the options of a command as a table, used for parsing and help.
 */
#ifndef FP_OPTIONS_H
#define FP_OPTIONS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum fp_option_kind {
    FP_OPTION_END,  /* behind the last row */
    FP_OPTION_ROWS, /* the rows of another table */
    FP_OPTION_MORE, /* the following rows of this table are shown only by --help-all */
    FP_OPTION_FLAG, /* without a value */
    FP_OPTION_TEXT,
    FP_OPTION_WORD,   /* a text that must be one of some words */
    FP_OPTION_CHOICE, /* one of some words, as its number */
    FP_OPTION_HINT,   /* a text that is often one of them */
    FP_OPTION_LIST,   /* texts; the option is repeated for each */
    FP_OPTION_INT,
    FP_OPTION_LONG,
    FP_OPTION_REAL
} fp_option_kind;

/* A row; a table ends with {0}. Written as {"out", 'o', FP_TAKES_TEXT(&out), "write tables here", "DIR"}. */
typedef struct fp_option {
    const char *name; /* after two hyphens */
    char letter;      /* after one; 0: no short form */
    fp_option_kind kind;
    union { /* destination of the value; its initial content is the default */
        const struct fp_option *rows;
        bool *flag;
        const char **text; /* points into the command line */
        struct fp_option_words {
            const char **text;
            unsigned *number;  /* of FP_OPTION_CHOICE: an enum whose values are the places of the words, from 0 */
            const char *words; /* separated by blanks; shells complete them */
        } words;
        const char ***list; /* ends with NULL; NULL: empty. fp_cli_end frees the list, not the texts */
        struct fp_option_number {
            int *whole;                    /* of FP_OPTION_INT */
            long long *large, least, most; /* both bounds 0: none */
        } number;
        double *real;
    } place;
    const char *help;     /* NULL: a name of earlier versions, which is accepted but not shown */
    const char *argument; /* name of the value in the help; NULL: takes no value */
} fp_option;

#define FP_TAKES_ROWS(table) \
    FP_OPTION_ROWS, { .rows = (table) }
#define FP_TAKES_FLAG(variable) \
    FP_OPTION_FLAG, { .flag = (variable) }
#define FP_TAKES_TEXT(variable) \
    FP_OPTION_TEXT, { .text = (variable) }
#define FP_TAKES_WORD(variable, known)                   \
    FP_OPTION_WORD, {                                    \
        .words = {.text = (variable), .words = (known) } \
    }
#define FP_TAKES_CHOICE(variable, known)                   \
    FP_OPTION_CHOICE, {                                    \
        .words = {.number = (variable), .words = (known) } \
    }
#define FP_TAKES_HINT(variable, known)                   \
    FP_OPTION_HINT, {                                    \
        .words = {.text = (variable), .words = (known) } \
    }
#define FP_TAKES_LIST(variable) \
    FP_OPTION_LIST, { .list = (variable) }
#define FP_TAKES_INT_FROM(variable, from, to)                           \
    FP_OPTION_INT, {                                                    \
        .number = {.whole = (variable), .least = (from), .most = (to) } \
    }
#define FP_TAKES_LONG_FROM(variable, from, to)                          \
    FP_OPTION_LONG, {                                                   \
        .number = {.large = (variable), .least = (from), .most = (to) } \
    }
#define FP_TAKES_INT(variable) FP_TAKES_INT_FROM(variable, 0, 0)
#define FP_TAKES_LONG(variable) FP_TAKES_LONG_FROM(variable, 0, 0)
#define FP_TAKES_SEED(variable) FP_TAKES_LONG_FROM(variable, 0, LLONG_MAX)
#define FP_TAKES_REAL(variable) \
    FP_OPTION_REAL, { .real = (variable) }

struct fp_command;

/* The index, from 0, of `word` in a list separated by blanks; 0 for NULL. −1: not found. */
int fp_cli_word_at(const char *words, const char *word);

/* A text of the help in the reader's language: English, or its Chinese translation from help_zh.def. */
const char *fp_cli_translated(const char *text);
/* The same for a command's summary. */
const char *fp_cli_summary(const struct fp_command *command);

/* Whether the running command has an option of that name, and whether it was given. */
bool fp_cli_takes(const char *name);
bool fp_cli_given(const char *name);

/* The next row of a table, and of those that it includes, that help, manual and completion show; NULL: no more. Begin
 * with {.at = {table}, .depth = 1}. `brief`: of every table those before FP_OPTION_MORE. */
typedef struct fp_option_walk {
    const fp_option *at[4];
    size_t depth;
    bool brief;
} fp_option_walk;
const fp_option *fp_option_next(fp_option_walk *walk);

/* Prints `fplab COMMAND --help` to standard output: the first paragraph, three examples, the common options. Folds
 * descriptions to the width of the terminal, at most 100 columns; to 80 without a terminal. */
void fp_cli_print_help(const struct fp_command *command, const fp_option *own, const fp_option *common);
/* The same for --help-all: all paragraphs, options and examples. */
void fp_cli_print_all(const struct fp_command *command, const fp_option *own, const fp_option *common);

#endif
