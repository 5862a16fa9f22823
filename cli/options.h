/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * options.h - the options of a command as a table that reading and help share.
 */
#ifndef FP_OPTIONS_H
#define FP_OPTIONS_H

#include <stdbool.h>

typedef enum fp_option_kind {
    FP_OPTION_END,  /* behind the last row */
    FP_OPTION_ROWS, /* the rows of another table */
    FP_OPTION_MORE, /* those behind it, of this table, are in --help-all alone */
    FP_OPTION_FLAG, /* without a value */
    FP_OPTION_TEXT,
    FP_OPTION_WORD, /* a text that is one of some words */
    FP_OPTION_HINT, /* a text that is often one of them */
    FP_OPTION_LIST, /* texts, of which each is given as an option of its own */
    FP_OPTION_INT,
    FP_OPTION_LONG,
    FP_OPTION_REAL
} fp_option_kind;

/* A row; a table ends with {0}. Written as {"out", 'o', FP_TAKES_TEXT(&out), "write tables here", "DIR"}. */
typedef struct fp_option {
    const char *name; /* behind two hyphens */
    char letter;      /* behind one; 0: none */
    fp_option_kind kind;
    union { /* where the value goes; what stands there before is the default */
        const struct fp_option *rows;
        bool *flag;
        const char **text; /* points into the command line */
        struct fp_option_words {
            const char **text;
            const char *words; /* separated by blanks; shells complete them */
        } words;
        const char ***list; /* ends with NULL; NULL: none. fp_cli_end frees the list, not the texts */
        int *whole;
        long long *large;
        double *real;
    } place;
    const char *help;     /* NULL: a name of earlier versions, which is taken and not shown */
    const char *argument; /* what the help calls the value; NULL where it takes none */
} fp_option;

#define FP_TAKES_ROWS(table) \
    FP_OPTION_ROWS, { .rows = (table) }
#define FP_TAKES_FLAG(variable) \
    FP_OPTION_FLAG, { .flag = (variable) }
#define FP_TAKES_TEXT(variable) \
    FP_OPTION_TEXT, { .text = (variable) }
#define FP_TAKES_WORD(variable, known)  \
    FP_OPTION_WORD, {                   \
        .words = {(variable), (known) } \
    }
#define FP_TAKES_HINT(variable, known)  \
    FP_OPTION_HINT, {                   \
        .words = {(variable), (known) } \
    }
#define FP_TAKES_LIST(variable) \
    FP_OPTION_LIST, { .list = (variable) }
#define FP_TAKES_INT(variable) \
    FP_OPTION_INT, { .whole = (variable) }
#define FP_TAKES_LONG(variable) \
    FP_OPTION_LONG, { .large = (variable) }
#define FP_TAKES_REAL(variable) \
    FP_OPTION_REAL, { .real = (variable) }

struct fp_command;

/* The place of `word` among words separated by blanks, which are counted from 0; NULL is the first. −1: it is none. */
int fp_cli_word_at(const char *words, const char *word);

/* A text of the help in the reader's language: the same, or its Chinese of help_zh.def. */
const char *fp_cli_said(const char *text);
/* The same of a command's summary. */
const char *fp_cli_summary(const struct fp_command *command);

/* Whether the command that runs has an option of that name. */
bool fp_cli_takes(const char *name);

/* Whether help, manual and completion have the row. */
static inline bool fp_option_is_shown(const fp_option *row) { return row->kind > FP_OPTION_MORE && row->help; }

/* Prints what `fplab COMMAND --help` says to standard output: the first paragraph, three examples, the common options.
 * Descriptions are folded to the width of the terminal, at most 100 columns; to 80 where there is none. */
void fp_cli_print_help(const struct fp_command *command, const fp_option *own, const fp_option *common);
/* The same of --help-all: all paragraphs, options and examples. */
void fp_cli_print_all(const struct fp_command *command, const fp_option *own, const fp_option *common);

#endif
