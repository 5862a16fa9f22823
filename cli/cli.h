/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * cli.h - what the commands of `fplab` share. Results go to standard output, progress and messages to standard error;
 * exit status 0 is success, 1 failure, 2 a mistake in the command line.
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

/* Returns from the calling function with the exit status of `call`, unless that is −1: to go on. */
#define FP_CLI_TRY(call)                                \
    do {                                                \
        int fp_cli_status_ = (call);                    \
        if (fp_cli_status_ >= 0) return fp_cli_status_; \
    } while (0)

/* A command, one of cli/commands.def. */
typedef struct fp_command {
    const char *name;      /* "eval", or "corpus check" */
    const char *arguments; /* "[OPTION…] A B" */
    const char *summary;   /* one line for `fplab --help` */
    const char *details;   /* paragraphs for `fplab NAME --help` */
    const char *examples;  /* lines for the same */
    int (*run)(const struct fp_command *command, int argc, const char **argv);
    /* Of a command whose first argument says what is done, ended by NULL; its `run` is then fp_cli_parts. Each is a
     * command of its own, called "corpus check". NULL: there are none. */
    const struct fp_command *const *parts;
} fp_command;

/* The commands, in the order of `fplab --help`; ended by NULL. */
extern const fp_command *const fp_commands[];

/* The command, or the part of one, of that name: "eval", "corpus check" or "corpus-check". NULL: there is none. */
const fp_command *fp_command_find(const char *name);
/* The last word of its name: "check". */
const char *fp_command_word(const fp_command *command);

/* An arena that never says that there is no memory: then the program ends, with one line and FP_EXIT_FAILURE, and what
 * it has begun to write is removed. So is the arena of fp_cli_begin, and what is made like it. */
fp_arena *fp_cli_arena(void);

/* Runs the part that the first argument names. Without one it tells which there are. */
int fp_cli_parts(const fp_command *command, int argc, const char **argv);

/* Parses the options (cli/options.c); positional arguments are left in *arguments (NULL-terminated). Strings point
 * into the command line, where the arguments are moved behind the options; those behind the name of a part. Every
 * command also has --help and --max-size. An option that takes one value is given once, or twice with the same.
 * *arena is what the command lives in; `arena` may be NULL. Returns −1 to go on, or the exit status: --help was asked
 * for, or a mistake was told. */
int fp_cli_begin(const fp_command *command, int argc, const char **argv, const fp_option *options,
                 const char ***arguments, fp_arena **arena);

/* The command that began last. */
const fp_command *fp_cli_current(void);

/* Refuses what was given and does not go with a part of the command that has no options of its own: of the rows of this
 * table that are flags, texts and lists, all but those that are named, which it takes; or, if not `taken`, those.
 * `names` ends with NULL. Returns −1, or the exit status after telling the mistake. */
int fp_cli_only(const fp_command *command, const char *part, const fp_option *options, bool taken,
                const char *const *names);

/* What tells of a command: fp_cli_print_help, or a writer of cli/manual/. */
typedef void fp_describe(const fp_command *command, const fp_option *own, const fp_option *common);
/* Runs the command as far as its options, and has `how` tell of it where --help would. Returns the exit status. */
int fp_cli_describe(const fp_command *command, fp_describe *how);

/* The same for a command's `run`, which returns where that says so; when it returns, by whatever way, the arena and the
 * lists among the values of the options end, and lists and strings are taken back. */
typedef struct fp_cli_begun {
    const fp_option *options;
    fp_arena *arena;
} fp_cli_begun;
void fp_cli_end(const fp_cli_begun *begun);
#define FP_CLI_BEGIN(command, argc, argv, options, arguments, arena)          \
    FP_CLI_TRY(fp_cli_begin(command, argc, argv, options, arguments, arena)); \
    const fp_cli_begun fp_cli_begun_ __attribute__((cleanup(fp_cli_end))) = {options, *(arena)}

/* "4096", "500M", "8G": K, M, G and T are powers of 1024. */
bool fp_cli_parse_size(const char *text, size_t *size);

/* --max-size: the most bytes of one file, unpacked. */
size_t fp_cli_most_bytes(void);
/* The same as it was said; 0: it was not. */
size_t fp_cli_max_size(void);

/* --quiet and --verbose of the program, as fp_cli_begin finds them; `verbose` also begins to tell. */
void fp_cli_set_quiet(void);
void fp_cli_set_verbose(void);
bool fp_cli_is_quiet(void);
bool fp_cli_is_verbose(void);
/* printf to standard error, but with --quiet: for notes and closing sentences. What makes a figure doubtful is no note:
 * texts that were left out or of which an arm reads nothing, bytes that were replaced, figures that are not held out.
 */
void fp_cli_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The words that go with a count: `one` with 1, `many` with any other. */
const char *fp_cli_word(size_t count, const char *one, const char *many);
/* Says that so many bad lines were left out, unless there are none. */
void fp_cli_note_left_out(size_t count);
/* A line on standard error with --verbose: what is being done. */
void fp_cli_detail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The last line of --verbose: seconds and memory of the whole. */
void fp_cli_detail_end(void);

/* On one line of standard error: "fplab: WHAT file:line: what is wrong (byte n)". */
void fp_cli_tell_error(const char *what, const fp_error *error);
/* Tells a failure as one line: "fplab: FILE:LINE: message (byte N)". Returns FP_EXIT_FAILURE. */
int fp_cli_fail(const fp_error *error);
/* The same for "out of memory". */
int fp_cli_no_memory(void);
/* Tells a mistake in the command line and where help is. Returns FP_EXIT_USAGE. */
int fp_cli_usage(const fp_command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The row of --format for what is printed by fp_cli_write: `what` is what the help says in front of the formats,
 * `usual` the default. */
#define FP_FORMAT_WORDS "table tsv csv json jsonl markdown latex"
#define FP_CLI_FORMAT_OPTION(variable, what, usual)                                                                    \
    {                                                                                                                  \
        "format", 'f', FP_TAKES_WORD(&(variable), FP_FORMAT_WORDS), what ": " FP_FORMAT_NAMES " (default: " usual ")", \
            "FORMAT"                                                                                                   \
    }

/* The format of that name; NULL takes `fallback`. False after telling the mistake. */
bool fp_cli_format(const fp_command *command, const char *name, fp_table_format fallback, fp_table_format *format);
/* Writes a table to standard output; in FP_FORMAT_TABLE a pager may show it (cli/terminal.h). Returns the exit
 * status; where standard output cannot be written to, that is told here and the program's status in the end
 * (fp_cli_finish), and what else there is to do is done. */
int fp_cli_write(const fp_table *table, fp_table_format format);

/* Rows for the option table of a command that takes arms: --plugin. */
extern const fp_option fp_cli_plugin_options[];
#define FP_CLI_PLUGIN_OPTIONS \
    { NULL, 0, FP_TAKES_ROWS(fp_cli_plugin_options), NULL, NULL }

/* Loads the plug-ins that --plugin named, once. *plugins ends with NULL. Returns −1, or the exit status. */
int fp_cli_plugins(const fp_algorithm *const **plugins);

/* Parses every spec of the NULL-terminated list; @FILE stands for the arm that `fplab tune --save` wrote, under the
 * name that it has there. Returns −1, or the exit status after telling the mistake. */
int fp_cli_arms(const char *const *specs, fp_arena *arena, fp_arm ***arms, size_t *count);
/* The same, with the threshold of each that is a saved choice; NaN for others. */
int fp_cli_arms_at(const char *const *specs, fp_arena *arena, fp_arm ***arms, double **thresholds, size_t *count);
/* The same of one spec; `threshold` may be NULL. */
int fp_cli_arm(const char *spec, fp_arena *arena, fp_arm **arm, double *threshold);
enum { FP_CLI_CHOICE_MARK = '@' };
/* Warns of what makes the arms' figures doubtful: that one learned from too few documents, and that the sketches of
 * empty[i] of `count` documents are of nothing, in one line for all arms of which the same is to be said. `where`
 * names the corpus or the file; NULL: none. Says nothing where all is well. */
void fp_cli_cautions(fp_arm *const *arms, const size_t *empty, size_t arm_count, const char *where, size_t count);
/* The same of one arm. */
void fp_cli_caution(fp_arm *arm, const char *where, size_t empty, size_t count);
/* Says in one line how many of `count` texts, which all of these arms have read, are in a script whose words the
 * segmenter does not find; nothing where none is. fp_cli_cautions says it, too. */
void fp_cli_tell_uncut(fp_arm *const *arms, size_t arm_count, const char *where, size_t count);
/* The arms that are evaluated when none is named. NULL-terminated. */
extern const char *const fp_cli_default_arms[];
/* Those of compare and robustness: a screen of them. NULL-terminated. */
extern const char *const fp_cli_usual_arms[];

/* Reads a corpus, telling skipped rows: a directory, or a table of pairs or of texts (cli/read_entries.h). Returns −1,
 * or the exit status. */
int fp_cli_corpus(const char *path, bool skip_bad, fp_arena *arena, fp_corpus *corpus);
/* With the values of fields; ended by NULL. */
int fp_cli_corpus_fields(const char *path, bool skip_bad, const char *const *fields, fp_arena *arena,
                         fp_corpus *corpus);

/* The corpora of --corpus and those that are arguments; at least one. Returns −1, or the exit status. */
int fp_cli_corpora(const fp_command *command, const char **arguments, const char ***corpora);
/* The same where there is one. */
int fp_cli_one(const fp_command *command, const char **arguments, const char **corpus);

/* Whether the corpus has labels; where it has none, points to `judge sample`. Returns −1, or the exit status. */
int fp_cli_labelled(const fp_corpus *corpus);

/* What --seed and --replicates take, the same in every command. Each returns −1, or the exit status after telling the
 * mistake. */
int fp_cli_seed(const fp_command *command, long long seed);
int fp_cli_replicates(const fp_command *command, long long count);

/* A progress bar on standard error when it is a terminal, from the first second on; none with --quiet. With --verbose
 * the seconds of each stage are told. */
fp_progress fp_cli_progress(void);
/* Wipes the bar. */
void fp_cli_progress_end(void);

/* ---- What the program tells other programs of itself, from the tables of --help ---- */

/* Writes the page of a command for man(1), in section 1, to standard output; NULL: that of the program. Returns the
 * exit status. */
int fp_cli_man(const fp_command *command);

/* Writes the completion of a shell to standard output: bash, zsh or fish. Returns the exit status. */
int fp_cli_completion(const char *shell);

#endif
