/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * read_entries.h - reads texts from files of any form that a command names.
 */
#ifndef FP_READ_ENTRIES_H
#define FP_READ_ENTRIES_H

#include "base/score_rows.h"
#include "cli/cli.h"
#include "corpora/importing/import.h"
#include "corpora/readers/entries.h"

typedef struct fp_cli_entries {
    /* Values from the command line; NULL: not given. */
    const char *from, *columns, *separator;
    bool keeps_boilerplate;
    fp_entries_options options;
} fp_cli_entries;

/* Rows for an option table. */
#define FP_CLI_ENTRIES_OPTIONS(texts)                                                                                      \
    {"from", 0, FP_TAKES_HINT(&(texts).from, "jsonl lines csv tsv text html markdown warc"),                               \
     "format of the files: jsonl, lines (a text each), csv, tsv, text (a file each), html, markdown or warc (default: by " \
     "their names); or duckdb:SELECT …, the rows of a query (with DuckDB's library)",                                      \
     "FORM"},                                                                                                              \
        {"glob", 0, FP_TAKES_TEXT(&(texts).options.glob), "of a directory: the files whose names match", "PATTERN"},       \
        {"id", 0, FP_TAKES_TEXT(&(texts).options.name[FP_ENTRY_ID]),                                                       \
         "jsonl, csv, tsv: the member or column that is the id (default: id)", "FIELD"},                                   \
        {"time", 0, FP_TAKES_TEXT(&(texts).options.name[FP_ENTRY_TIME]), "… the time (default: time)", "FIELD"},           \
        {"title", 0, FP_TAKES_TEXT(&(texts).options.name[FP_ENTRY_TITLE]), "… the title (default: title)", "FIELD"},       \
        {"url", 0, FP_TAKES_TEXT(&(texts).options.name[FP_ENTRY_URL]), "… the address (default: url)", "FIELD"},           \
        {"source", 0, FP_TAKES_TEXT(&(texts).options.name[FP_ENTRY_SOURCE]), "… the source (default: source)",             \
         "FIELD"},                                                                                                         \
        {"columns", 0, FP_TAKES_TEXT(&(texts).columns), "csv, tsv without a header row: the names of the columns",         \
         "NAME,…"},                                                                                                        \
        {"separator", 0, FP_TAKES_TEXT(&(texts).separator),                                                                \
         "csv: the field separator, a comma or ; (default: a comma)", "SIGN"},                                             \
        {"no-quotes", 0, FP_TAKES_FLAG(&(texts).options.no_quotes),                                                        \
         "csv, tsv: treat quotation marks as ordinary characters", NULL},                                                  \
        {"id-prefix", 0, FP_TAKES_TEXT(&(texts).options.prefix),                                                           \
         "prefix of generated ids, before the number (default: the file and a colon)", "TEXT"},                            \
        {"keep-boilerplate", 0, FP_TAKES_FLAG(&(texts).keeps_boilerplate),                                                 \
         "html, warc: keep menus, links, footers and other text around the article", NULL},                                \
        {"encoding", 0, FP_TAKES_HINT(&(texts).options.encoding, "utf-8 gb18030 big5 auto"),                               \
         "encoding of the files: gb18030, big5, utf-16, …; auto guesses for each (default: utf-8; html: as declared)",     \
         "NAME"},                                                                                                          \
    {                                                                                                                      \
        "skip-bad", 0, FP_TAKES_FLAG(&(texts).options.skip_bad), "skip bad lines and files, and report how many", NULL     \
    }
/* The row for the text; uses another name if --text has another meaning. */
#define FP_CLI_TEXT_FIELD_OPTION(texts)                                            \
    {                                                                              \
        "text-field", 0, FP_TAKES_TEXT(&(texts).options.name[FP_ENTRY_TEXT]),      \
            "jsonl, csv, tsv: the field that is the text (default: text)", "FIELD" \
    }
/* The same with its earlier name, which is --text for commands that take texts themselves. */
#define FP_CLI_OLD_TEXT_OPTION(texts) \
    { "text", 0, FP_TAKES_TEXT(&(texts).options.name[FP_ENTRY_TEXT]), NULL, "FIELD" }

/* Resolves the options, before anything is opened; the values live in `arena`. Returns the exit status. */
int fp_cli_entries_check(const fp_command *command, fp_cli_entries *texts, fp_arena *arena);
/* Opens the inputs, or standard input without inputs; the options must have been checked. The caller closes the
 * entries. Returns the exit status. */
int fp_cli_entries_open(const fp_command *command, fp_cli_entries *texts, const char *const *inputs, fp_arena *arena,
                        fp_entries **entries);

/* Reads all texts and prints them, each without the sentences that occurred before in spans of at least `window`
 * characters (cli/repeated_passages.c); omits texts that become empty. With `listed` prints the spans instead, in
 * that format. `text_field`: the JSON member; NULL: "text". Returns the exit status. */
int fp_cli_passages(fp_entries *entries, const char *text_field, size_t window, const fp_table_format *listed,
                    fp_arena *arena);

/* Reports how many files were read in which encoding, if they differ (--encoding auto). */
void fp_cli_note_encodings(const fp_entries *entries);
/* Reports on standard error what is skipped. */
void fp_cli_print_skipped(void *context, const fp_error *error);

/* ---- A table of labelled pairs, or of texts in groups, instead of a corpus directory (table_corpus.c) ---- */

/* Rows for the option table of a command that takes corpora: --text-a, --text-b, --label and the other options for
 * reading the table. Without them columns are found by their names. */
extern const fp_option fp_cli_table_options[];
#define FP_CLI_TABLE_OPTIONS \
    { NULL, 0, FP_TAKES_ROWS(fp_cli_table_options), NULL, NULL }

/* The help of --corpus. */
#define FP_CLI_CORPUS_HELP \
    "the corpus: a directory, or a table (CSV, TSV, JSON lines) of labelled pairs or of texts in groups, see docs/corpora.md"

/* Whether a corpus of this name is a table: a file, or "-". */
bool fp_cli_is_table(const char *path);
/* If an option of tables was given, checks that one of the corpora is a table. Returns the exit status. */
int fp_cli_table_check(const fp_command *command, const char *const *corpora);
/* Makes a corpus of the table, in a directory that is removed when the program ends, and reports on standard error
 * which columns were read. Includes the values of fields (ended by NULL; NULL: no fields) that have a column of that
 * name. Returns the exit status. */
int fp_cli_table_corpus(const char *path, bool skip_bad, const char *const *fields, fp_arena *arena,
                        const char **directory, const char **name, size_t *skipped);
/* "text_a, text_b and label are columns 1, 2 and 3", from the result of fp_columns_find. */
const char *fp_cli_describe_columns(const char *const *columns, const size_t at[FP_COLUMNS], const char *path,
                                    fp_arena *arena);
/* Sets the options of the table from the command line of an earlier run. */
void fp_cli_table_again(const char *const *arguments, size_t count);
void fp_cli_tables_end(void);

/* ---- texts that the user names: files in any encoding, standard input, or the argument itself. ---- */

typedef struct fp_cli_input {
    const char *encoding; /* NULL: UTF-8 */
    const char *invalid;  /* NULL or "fail", or "replace" */
    bool literal;         /* arguments are texts */
} fp_cli_input;

/* Rows for an option table: --text, --encoding, --invalid. */
#define FP_CLI_INPUT_OPTIONS(input)                                                                                \
    {"text", 't', FP_TAKES_FLAG(&(input).literal), "the arguments are the texts themselves, not files", NULL},     \
        {"encoding", 0, FP_TAKES_HINT(&(input).encoding, "utf-8 gb18030 big5 auto"),                               \
         "encoding of the files: utf-8 (default), gb18030, big5, utf-16, … or auto", "NAME"},                      \
    {                                                                                                              \
        "invalid", 0, FP_TAKES_WORD(&(input).invalid, "fail replace"), "invalid bytes: fail (default) or replace", \
            "HOW"                                                                                                  \
    }

/* Checks the values of --encoding and --invalid before anything is read. Returns the exit status. */
int fp_cli_input_check(const fp_command *command, const fp_cli_input *input, fp_arena *arena);

/* Reads one text; the options must have been checked. Reports a guessed encoding and replaced bytes on standard
 * error. Returns the exit status. */
int fp_cli_text(const fp_cli_input *input, const char *argument, fp_arena *arena, fp_string *text);

/* The rows of a table of pairs: id_a, id_b, and optionally a distance (empty: no distance), then anything;
 * tab-separated, "-" is standard input. Skips the header of `fplab cluster --pairs` and `fplab distances`. Errors
 * name file, line and byte. */
fp_status fp_cli_pair_rows(const char *path, fp_score_take take, void *context, fp_arena *arena, fp_error *error);

/* If standard input is a terminal, reports on standard error what is read from it: "a text" or "texts, one a line". */
void fp_cli_await(const char *what);

/* Whether standard output accepts colours: it is a terminal that supports them, and NO_COLOR is not set. */
bool fp_cli_colours(void);

#endif
