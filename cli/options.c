/* SPDX-License-Identifier: GPL-3.0-or-later
 * The options of a command: mistakes, and the values that they leave. They are read with the C library's getopt_long,
 * which allocates nothing: popt loses options, or ends the program, when an allocation fails inside it. */
#include "cli/options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/terminal.h"

/* The program has one limit. */
static size_t most_bytes; /* 0: not given */

size_t fp_cli_most_bytes(void) { return most_bytes ? most_bytes : FP_MOST_BYTES; }
size_t fp_cli_max_size(void) { return most_bytes; }

bool fp_cli_parse_size(const char *text, size_t *size) {
    static const char UNITS[] = "KMGT";
    char number[24];
    int64_t value;
    size_t length = strlen(text);
    const char *unit = length ? strchr(UNITS, text[length - 1]) : NULL;
    if (unit) length--;
    if (length >= sizeof number) return false;
    snprintf(number, sizeof number, "%.*s", (int)length, text);
    if (!fp_parse_integer(number, &value) || value < 1) return false;
    unsigned shift = unit ? 10 * (unsigned)(unit - UNITS + 1) : 0;
    if ((uint64_t)value > (uint64_t)(SIZE_MAX / 4) >> shift) return false;
    *size = (size_t)value << shift;
    return true;
}

/* ---- Rows ---- */

enum { MOST_ROWS = 128, LIST = 512 };

/* The rows of a command and of the tables that it includes, as getopt_long wants them: number i of `named` has the
 * value FIRST + i, unless it has a letter. */
typedef struct option_list {
    size_t count, own; /* rows; those of the command itself, which last as long as it runs */
    const fp_option *row[MOST_ROWS];
    const char *given[MOST_ROWS + 1]; /* the value on the command line; "" of a flag */
    struct option named[MOST_ROWS + 1];
    char letters[2 * MOST_ROWS + 3];
} option_list;

enum { FIRST = 0x100 };

/* The command that runs, and its options as long as it does. */
static const fp_command *current;
static option_list running;

const fp_command *fp_cli_current(void) { return current; }

/* The place of the option of that name, or of that row; running.count: there is none. */
static size_t place_of(const char *name, const fp_option *row) {
    size_t i = 0;
    while (i < running.count && running.row[i] != row && (!name || strcmp(running.row[i]->name, name) != 0)) i++;
    return i;
}

bool fp_cli_takes(const char *name) { return place_of(name, NULL) < running.count; }

bool fp_cli_given(const char *name) {
    size_t place = place_of(name, NULL);
    return place < running.count && running.given[place];
}

const fp_option *fp_option_next(fp_option_walk *walk) {
    while (walk->depth) {
        const fp_option *row = walk->at[walk->depth - 1]++;
        if (row->kind == FP_OPTION_END || (row->kind == FP_OPTION_MORE && walk->brief)) walk->depth--;
        else if (row->kind == FP_OPTION_ROWS) walk->at[walk->depth++] = row->place.rows;
        else if (row->kind != FP_OPTION_MORE && row->help) return row;
    }
    return NULL;
}

static void add_rows(option_list *list, const fp_option *options) {
    for (const fp_option *row = options; row->kind != FP_OPTION_END; row++) {
        if (row->kind == FP_OPTION_ROWS) add_rows(list, row->place.rows);
        else if (row->kind != FP_OPTION_MORE && list->count < MOST_ROWS) list->row[list->count++] = row;
    }
}

static void list_rows(option_list *list, const fp_option *own, const fp_option *common) {
    *list = (option_list){0};
    add_rows(list, own);
    list->own = list->count;
    add_rows(list, common);
    char *letter = list->letters;
    *letter++ = ':'; /* distinguishes a missing value from an unknown option */
    for (size_t i = 0; i < list->count; i++) {
        const fp_option *row = list->row[i];
        bool valued = row->kind != FP_OPTION_FLAG;
        list->named[i] = (struct option){row->name, valued, NULL, FIRST + (int)i};
        if (!row->letter) continue;
        *letter++ = row->letter;
        if (valued) *letter++ = ':';
    }
}

/* The index of the row of what getopt_long returned; MOST_ROWS for a mistake. */
static size_t index_of(const option_list *list, int code) {
    if (code >= FIRST) return (size_t)(code - FIRST);
    for (size_t i = 0; i < list->count; i++)
        if (list->row[i]->letter && list->row[i]->letter == code) return i;
    return MOST_ROWS;
}

/* ---- Values ---- */

/* A list ends with NULL. */
static int append(const char ***list, const char *value) {
    size_t count = 0;
    while (*list && (*list)[count]) count++;
    const char **longer = realloc(*list, (count + 2) * sizeof *longer);
    if (!longer) return fp_cli_no_memory();
    longer[count] = value;
    longer[count + 1] = NULL;
    *list = longer;
    return FP_EXIT_SUCCESS;
}

static int take_real(const fp_command *command, const fp_option *row, const char *value) {
    if (fp_parse_real(value, row->place.real)) return FP_EXIT_SUCCESS;
    return fp_cli_usage(command, "--%s takes a number, not %s", row->name, value);
}

static int take_number(const fp_command *command, const fp_option *row, const char *value) {
    const struct fp_option_number *to = &row->place.number;
    int64_t whole;
    bool good = fp_parse_integer(value, &whole);
    if (good && to->most == LLONG_MAX && whole < to->least)
        return fp_cli_usage(command, "--%s takes a whole number from %lld on, not %s", row->name, to->least, value);
    if (good && to->most && (whole < to->least || whole > to->most))
        return fp_cli_usage(command, "--%s takes %lld to %lld, not %s", row->name, to->least, to->most, value);
    if (!good || (to->whole && (whole < INT_MIN || whole > INT_MAX)))
        return fp_cli_usage(command, "--%s takes a number, not %s", row->name, value);
    if (to->whole) *to->whole = (int)whole;
    else *to->large = whole;
    return FP_EXIT_SUCCESS;
}

int fp_cli_word_at(const char *words, const char *word) {
    fp_string rest = fp_string_of(words), each;
    for (int at = 0; fp_next_field(&rest, ' ', &each); at++)
        if (!word || fp_string_equal(each, fp_string_of(word))) return at;
    return -1;
}

/* "--level takes pair, document or cluster, not x" */
static int refuse_word(const fp_command *command, const fp_option *row, const char *value) {
    char list[LIST] = "";
    size_t used = 0;
    fp_string rest = fp_string_of(row->place.words.words), each;
    while (used < LIST && fp_next_field(&rest, ' ', &each)) {
        const char *before = !used ? "" : rest.data ? ", " : " or ";
        used += (size_t)snprintf(list + used, LIST - used, "%s%.*s", before, (int)each.length, each.data);
    }
    return fp_cli_usage(command, "--%s takes %s, not %s", row->name, list, value);
}

static bool is_text(const fp_option *row) {
    return row->kind == FP_OPTION_TEXT || row->kind == FP_OPTION_WORD || row->kind == FP_OPTION_HINT;
}

/* Whether the help describes the value as a file or a directory, whose names are never empty. */
static bool takes_place(const fp_option *row) {
    return strstr(row->argument, "FILE") || strstr(row->argument, "DIR") || strcmp(row->argument, "CORPUS") == 0;
}

/* Values live in the command line. Returns the exit status. */
static int take_value(const fp_command *command, const fp_option *row, const char **given, const char *value) {
    const char *before = *given;
    bool once = row->kind != FP_OPTION_FLAG && row->kind != FP_OPTION_LIST;
    if (value && !*value && takes_place(row)) return fp_cli_usage(command, "--%s needs a value", row->name);
    if (once && before && strcmp(before, value) != 0)
        return fp_cli_usage(command, "--%s is given twice, as %s and as %s", row->name, before, value);
    *given = value ? value : "";
    bool worded = row->kind == FP_OPTION_WORD || row->kind == FP_OPTION_CHOICE;
    int at = worded ? fp_cli_word_at(row->place.words.words, value) : 0;
    if (at < 0) return refuse_word(command, row, value);
    if (row->kind == FP_OPTION_FLAG) *row->place.flag = true;
    else if (row->kind == FP_OPTION_LIST) return append(row->place.list, value);
    else if (row->kind == FP_OPTION_CHOICE) *row->place.words.number = (unsigned)at;
    else if (is_text(row)) *row->place.text = value;
    else return row->kind == FP_OPTION_REAL ? take_real(command, row, value) : take_number(command, row, value);
    return FP_EXIT_SUCCESS;
}

static void take_back(const fp_option *options) {
    for (const fp_option *row = options; row->kind != FP_OPTION_END; row++) {
        if (row->kind == FP_OPTION_ROWS) take_back(row->place.rows);
        if (is_text(row)) *row->place.text = NULL;
        if (row->kind != FP_OPTION_LIST) continue;
        free(*row->place.list);
        *row->place.list = NULL;
    }
}

void fp_cli_end(const fp_cli_begun *begun) {
    running.count = 0;
    fp_arena_free(begun->arena);
    take_back(begun->options);
}

/* Of several names of one text the first counts as given. */
static bool is_given(const fp_option *row) {
    return is_text(row) ? *row->place.text != NULL : running.given[place_of(NULL, row)] != NULL;
}

static bool is_among(const char *name, const char *const *names) {
    while (*names && strcmp(*names, name) != 0) names++;
    return *names;
}

int fp_cli_only(const fp_command *command, const char *part, const fp_option *options, bool taken,
                const char *const *names) {
    for (const fp_option *row = options; row->kind != FP_OPTION_END; row++)
        if (is_given(row) && is_among(row->name, names) != taken)
            return fp_cli_usage(command, "--%s does not go with %s", row->name, part);
    return FP_EXIT_SUCCESS;
}

/* ---- Mistakes ---- */

static int unknown_option(const fp_command *command, const option_list *list, const char *word) {
    const char *names[MOST_ROWS + 1] = {0}, *nearest = NULL;
    char name[64];
    int length = (int)strcspn(word, "=");
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) names[count++] = list->row[i]->name;
    snprintf(name, sizeof name, "%.*s", length > 2 ? length - 2 : 0, length > 2 ? word + 2 : "");
    if (*name && strncmp(word, "--", 2) == 0) nearest = fp_nearest(name, names);
    if (nearest) return fp_cli_usage(command, "unknown option %.*s; did you mean --%s?", length, word, nearest);
    return fp_cli_usage(command, "unknown option %.*s", length, word);
}

/* getopt_long takes the beginning of a name for the name. `word` is what was typed. */
static bool is_whole(const option_list *list, int code, const char *word) {
    if (code < FIRST) return true;
    const char *name = list->row[code - FIRST]->name;
    return strncmp(word + 2, name, strlen(name)) == 0 &&
           (word[2 + strlen(name)] == '\0' || word[2 + strlen(name)] == '=');
}

/* What getopt_long did not take: a letter in optopt, or a whole word. */
static int mistaken_option(const fp_command *command, const option_list *list, int code, const char *word) {
    size_t index = index_of(list, optopt);
    const fp_option *row = index < MOST_ROWS ? list->row[index] : NULL;
    char letter[] = {'-', (char)optopt, '\0'};
    if (row && optopt < FIRST) return fp_cli_usage(command, "%s needs a value", letter);
    if (row && is_whole(list, optopt, word))
        return fp_cli_usage(command, "--%s %s", row->name, code == ':' ? "needs a value" : "takes no value");
    return unknown_option(command, list, optopt && !row ? letter : word);
}

/* ---- All ---- */

/* Reads the options one after the other. Returns the exit status. */
static int read_options(const fp_command *command, option_list *list, int argc, char **argv) {
    int code, status = FP_EXIT_SUCCESS;
    opterr = 0;
    optind = 0; /* from the beginning: getopt_long remembers where it was */
    while (status == FP_EXIT_SUCCESS && (code = getopt_long(argc, argv, list->letters, list->named, NULL)) != -1) {
        size_t index = index_of(list, code);
        bool known = index < MOST_ROWS;
        const char *word = argv[optind - 1];
        if (known && optarg == word) word = argv[optind - 2];
        if (!known) status = mistaken_option(command, list, code, word);
        else if (!is_whole(list, code, word)) status = unknown_option(command, list, word);
        else status = take_value(command, list->row[index], list->given + index, optarg);
    }
    return status;
}

/* Called by --help. */
static fp_describe *describe = fp_cli_print_help;

/* Number of words in the name; the last one takes the place of argv[0]. */
static int words_of(const fp_command *command) { return strchr(command->name, ' ') ? 2 : 1; }

int fp_cli_describe(const fp_command *command, fp_describe *how) {
    const char *words[] = {command->name, command->name, "--help", NULL};
    describe = how;
    int status = command->run(command, words_of(command) + 1, words + 2 - words_of(command));
    describe = fp_cli_print_help;
    return status;
}

int fp_cli_begin(const fp_command *command, int argc, const char **argv, const fp_option *options,
                 const char ***arguments, fp_arena **arena) {
    current = command;
    bool help = false, all = false, quiet = false, verbose = false, no_pager = false;
    const char *size = NULL;
    const fp_option common[] = {
        {"max-size", 0, FP_TAKES_TEXT(&size),
         "largest file of texts, unpacked (default: 4G), and longest line (default: 256M)", "SIZE"},
        {"quiet", 0, FP_TAKES_FLAG(&quiet), "no progress and no notes on standard error, only errors and warnings",
         NULL},
        {"verbose", 0, FP_TAKES_FLAG(&verbose), "print each step and its time on standard error", NULL},
        {"no-pager", 0, FP_TAKES_FLAG(&no_pager), "print long tables without a pager", NULL},
        {"help", 'h', FP_TAKES_FLAG(&help), "show the common options and examples", NULL},
        {"help-all", 0, FP_TAKES_FLAG(&all), "show all options and details", NULL},
        {0}};
    argv += words_of(command) - 1;
    argc -= words_of(command) - 1;
    list_rows(&running, options, common);
    int status = read_options(command, &running, argc, (char **)(uintptr_t)argv);
    if (status == FP_EXIT_SUCCESS && size && !fp_cli_parse_size(size, &most_bytes))
        status = fp_cli_usage(command, "--max-size takes a number of bytes such as 500M or 8G, not %s", size);
    if (status == FP_EXIT_SUCCESS && quiet && verbose)
        status = fp_cli_usage(command, "either --quiet or --verbose, not both");
    if (status == FP_EXIT_SUCCESS && no_pager) fp_cli_no_pager();
    if (status == FP_EXIT_SUCCESS && quiet) fp_cli_set_quiet();
    if (status == FP_EXIT_SUCCESS && verbose && !help && !all) fp_cli_set_verbose();
    bool ends = status != FP_EXIT_SUCCESS || help || all;
    if (status == FP_EXIT_SUCCESS && all) fp_cli_print_all(command, options, common);
    else if (status == FP_EXIT_SUCCESS && help) describe(command, options, common);
    if (!ends && arena) *arena = fp_cli_arena();
    running.count = ends ? 0 : running.own;
    running.given[running.count] = NULL;
    if (ends) take_back(options);
    *arguments = argv + optind;
    return ends ? status : -1;
}
