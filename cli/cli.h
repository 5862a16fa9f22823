/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli.h - functions shared by the commands of `fplab`. Results go to standard output, progress and messages to
 * standard error. Exit status: 0 success, 1 failure, 2 mistake in the command line.
 */
#ifndef FP_CLI_H
#define FP_CLI_H

#include "algorithms/arms/arm.h"
#include "base/parallel.h"
#include "cli/options.h"
#include "cli/streams.h"
#include "corpora/corpus.h"
#include "reports/tables/table.h"

enum { FP_EXIT_SUCCESS = 0, FP_EXIT_FAILURE = 1, FP_EXIT_USAGE = 2 };

/* Returns from the calling function with the exit status of `call`, unless that is FP_EXIT_SUCCESS. */
#define FP_CLI_TRY(call)                                              \
    do {                                                              \
        int fp_cli_status_ = (call);                                  \
        if (fp_cli_status_ != FP_EXIT_SUCCESS) return fp_cli_status_; \
    } while (0)

/* A command, one of cli/commands.def. */
typedef struct fp_command {
    const char *name;      /* "eval", or "corpus check" */
    const char *arguments; /* "[OPTION…] A B" */
    const char *summary;   /* one line for `fplab --help` */
    const char *details;   /* paragraphs for `fplab NAME --help` */
    const char *examples;  /* lines for the same */
    /* In Chinese: the summary, and the first paragraph. NULL: in English. */
    const char *summary_zh, *introduction_zh;
    int (*run)(const struct fp_command *command, int argc, const char **argv);
    /* For a command whose first argument names a subcommand; its `run` is then fp_cli_parts. Ends with NULL. Each is
     * a full command with a name such as "corpus check". NULL: no subcommands. */
    const struct fp_command *const *parts;
} fp_command;

/* The commands, in the order of `fplab --help`; ended by NULL. */
extern const fp_command *const fp_commands[];

/* The command or subcommand of that name: "eval", "corpus check" or "corpus-check". NULL: not found. */
const fp_command *fp_command_find(const char *name);
/* The last word of its name: "check". */
const char *fp_command_word(const fp_command *command);

/* An arena that never returns NULL: out of memory ends the program with one line and FP_EXIT_FAILURE, and removes
 * unfinished output. The arena of fp_cli_begin, and arenas made like it, behave the same way. */
fp_arena *fp_cli_arena(void);

/* Runs the subcommand that the first argument names. Without an argument it lists the subcommands. */
int fp_cli_parts(const fp_command *command, int argc, const char **argv);

/* Parses the options (cli/options.c); positional arguments are left in *arguments (NULL-terminated). Strings point
 * into the command line, where the arguments are moved behind the options; for a subcommand, those after its name.
 * Every command also has --help and --max-size. An option with one value may be repeated only with the same value.
 * The command allocates in *arena; `arena` may be NULL. Returns −1 to continue, or the exit status after printing
 * help or reporting a mistake. */
int fp_cli_begin(const fp_command *command, int argc, const char **argv, const fp_option *options,
                 const char ***arguments, fp_arena **arena);

/* The command that fp_cli_begin started last. */
const fp_command *fp_cli_current(void);

/* Refuses options that do not apply to a part of the command without its own option table. `taken`: refuses all
 * given options of this table except those in `names`; otherwise refuses those in `names`. `names` ends with NULL.
 * Returns the exit status after reporting the mistake. */
int fp_cli_only(const fp_command *command, const char *part, const fp_option *options, bool taken,
                const char *const *names);

/* Describes a command: fp_cli_print_help, or a writer of cli/manual/. */
typedef void fp_describe(const fp_command *command, const fp_option *own, const fp_option *common);
/* Runs the command up to its option parsing, and calls `how` in place of --help. Returns the exit status. */
int fp_cli_describe(const fp_command *command, fp_describe *how);

/* The same for a command's `run`, which returns if this says so; declares `arguments` and `arena`. On any return of
 * `run`, the arena and the lists among the option values are freed, and lists and strings are reset. */
typedef struct fp_cli_begun {
    const fp_option *options;
    fp_arena *arena;
} fp_cli_begun;
void fp_cli_end(const fp_cli_begun *begun);
#define FP_CLI_BEGIN(command, argc, argv, options, arguments, arena)                    \
    const char **arguments;                                                             \
    fp_arena *arena;                                                                    \
    int fp_cli_began_ = fp_cli_begin(command, argc, argv, options, &arguments, &arena); \
    if (fp_cli_began_ >= 0) return fp_cli_began_;                                       \
    const fp_cli_begun fp_cli_begun_ FP_CLOSED_BY(fp_cli_end) = {options, arena}

/* "4096", "500M", "8G": K, M, G and T are powers of 1024. */
bool fp_cli_parse_size(const char *text, size_t *size);

/* --max-size: the most bytes of one file, unpacked. */
size_t fp_cli_most_bytes(void);
/* The same as given by the user; 0: not given. */
size_t fp_cli_max_size(void);

/* --quiet and --verbose of the program, found by fp_cli_begin; `verbose` also starts the report. */
void fp_cli_set_quiet(void);
void fp_cli_set_verbose(void);
bool fp_cli_is_quiet(void);
bool fp_cli_is_verbose(void);
/* printf to standard error, except with --quiet: for notes and closing sentences. Warnings about doubtful figures
 * are not notes: skipped texts, texts without features, replaced bytes, figures that are not held out. */
void fp_cli_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The word for a count: `one` for 1, `many` for any other. */
const char *fp_cli_word(size_t count, const char *one, const char *many);
/* Reports the number of skipped bad lines, unless it is 0. */
void fp_cli_note_left_out(size_t count);
/* A line on standard error with --verbose: the current step. */
void fp_cli_detail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The last line of --verbose: total seconds and memory. */
void fp_cli_detail_end(void);

/* Prints on one line of standard error: "fplab: WHAT file:line: message (byte n)". */
void fp_cli_print_error(const char *what, const fp_error *error);
/* Reports a failure on one line: "fplab: FILE:LINE: message (byte N)". Returns FP_EXIT_FAILURE. */
int fp_cli_fail(const fp_error *error);
/* The same for "out of memory". */
int fp_cli_no_memory(void);
/* Reports a mistake in the command line and how to get help. Returns FP_EXIT_USAGE. */
int fp_cli_usage(const fp_command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The --format row for output of fp_cli_write: `format` is a variable with the default, `what` the help text before the
 * formats, `usual` the default in words. */
#define FP_FORMAT_WORDS "table tsv csv json jsonl markdown latex" /* fp_table_format */
#define FP_CLI_FORMAT_OPTION(format, what, usual)                                                                      \
    {                                                                                                                  \
        "format", 'f', FP_TAKES_CHOICE(&(format), FP_FORMAT_WORDS), what ": " FP_FORMAT_NAMES " (default: " usual ")", \
            "FORMAT"                                                                                                   \
    }

/* Writes a table to standard output; in FP_FORMAT_TABLE a pager may show it (cli/terminal.h). A failure to
 * write is reported here and becomes the program's status at the end (fp_cli_finish); until then the command goes on,
 * so this always returns FP_EXIT_SUCCESS. */
int fp_cli_write(const fp_table *table, fp_table_format format);

/* Rows for the option table of a command that takes arms: --plugin. */
extern const fp_option fp_cli_plugin_options[];
#define FP_CLI_PLUGIN_OPTIONS \
    { NULL, 0, FP_TAKES_ROWS(fp_cli_plugin_options), NULL, NULL }

/* Loads the plug-ins of --plugin, once. *plugins ends with NULL. Returns the exit status. */
int fp_cli_plugins(const fp_algorithm *const **plugins);

/* Parses every spec of the NULL-terminated list; @FILE is the arm that `fplab tune --save` wrote, with the name in
 * that file. Returns the exit status after reporting the mistake. */
int fp_cli_arms(const char *const *specs, fp_arena *arena, fp_arm ***arms, size_t *count);
/* The same, with the threshold of each that is a saved choice; NaN for others. */
int fp_cli_arms_at(const char *const *specs, fp_arena *arena, fp_arm ***arms, double **thresholds, size_t *count);
/* The same for one spec; `threshold` may be NULL. */
int fp_cli_arm(const char *spec, fp_arena *arena, fp_arm **arm, double *threshold);
enum { FP_CLI_CHOICE_MARK = '@' };
/* Warns of doubtful figures: arms that learned from too few documents, and empty[i] of `count` documents with empty
 * sketches. Arms with the same warning share one line. `where` names the corpus or the file; NULL: no name. Prints
 * nothing if there is no warning. */
void fp_cli_cautions(fp_arm *const *arms, const size_t *empty, size_t arm_count, const char *where, size_t count);
/* The same for one arm. */
void fp_cli_caution(fp_arm *arm, const char *where, size_t empty, size_t count);
/* Reports in one line how many of `count` texts, read by all of these arms, are in a script whose words the
 * segmenter does not find; prints nothing for 0. fp_cli_cautions includes this report. */
void fp_cli_warn_uncut(fp_arm *const *arms, size_t arm_count, const char *where, size_t count);
/* The arms evaluated by default. NULL-terminated. */
extern const char *const fp_cli_default_arms[];
/* The default arms of compare and robustness: they fit on one screen. NULL-terminated. */
extern const char *const fp_cli_usual_arms[];

/* Reads a corpus and reports skipped rows: a directory, or a table of pairs or of texts (cli/read_entries.h).
 * Returns the exit status. */
int fp_cli_corpus(const char *path, bool skip_bad, fp_arena *arena, fp_corpus *corpus);
/* With the values of fields; ended by NULL. */
int fp_cli_corpus_fields(const char *path, bool skip_bad, const char *const *fields, fp_arena *arena,
                         fp_corpus *corpus);

/* The corpora of --corpus and of the arguments; at least one. Returns the exit status. */
int fp_cli_corpora(const fp_command *command, const char **arguments, const char ***corpora);
/* The same for exactly one corpus. */
int fp_cli_one(const fp_command *command, const char **arguments, const char **corpus);

/* Checks that the corpus has labels; if not, the message recommends `judge sample`. Returns the exit status. */
int fp_cli_labelled(const fp_corpus *corpus);

/* A progress bar on standard error if it is a terminal, after the first second; none with --quiet. With --verbose it
 * reports the seconds of each stage. */
fp_progress fp_cli_progress(void);
/* Wipes the bar. */
void fp_cli_progress_end(void);

/* ---- Manual pages and shell completion, from the tables of --help ---- */

/* Writes the page of a command for man(1), in section 1, to standard output; NULL: that of the program. Returns the
 * exit status. */
int fp_cli_man(const fp_command *command);

/* Writes the completion of a shell to standard output: bash, zsh or fish. Returns the exit status. */
int fp_cli_completion(const char *shell);
/* Answers that script: writes the candidates for the last of [count] words of the command line (without the program's
 * name), one a line, followed by a tab and its description; or the line :files or :directories. Returns the exit
 * status. */
int fp_cli_complete(size_t count, const char **words);

#endif
