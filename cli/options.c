/* SPDX-License-Identifier: GPL-3.0-or-later
 * The options of a command: help, mistakes, and the values that they leave. The tables and the help are popt's; popt's
 * own reading loses options, or ends the program, when an allocation fails inside it, so they are read with the C
 * library's getopt_long, which allocates nothing. */
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

/* The program has one limit. */
static size_t most_bytes = FP_MOST_BYTES;

size_t fp_cli_most_bytes(void) { return most_bytes; }

/* "4096", "500M", "8G": K, M, G and T are powers of 1024. */
static bool parse_size(const char *text, size_t *size) {
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

enum { MOST_ROWS = 128 };

/* The rows of a command and of the tables that it includes, as getopt_long wants them: number i of `named` has the
 * value FIRST + i, unless it has a letter. */
typedef struct option_list {
    size_t count;
    const struct poptOption *row[MOST_ROWS];
    const char *given[MOST_ROWS]; /* the value on the command line */
    struct option named[MOST_ROWS + 1];
    char letters[2 * MOST_ROWS + 3];
} option_list;

enum { FIRST = 0x100 };

static bool is_last(const struct poptOption *row) { return !row->longName && !row->shortName && !row->arg; }

static bool takes_value(const struct poptOption *row) { return (row->argInfo & POPT_ARG_MASK) != POPT_ARG_NONE; }

static void add_rows(option_list *list, const struct poptOption *options) {
    for (const struct poptOption *row = options; !is_last(row); row++) {
        if ((row->argInfo & POPT_ARG_MASK) == POPT_ARG_INCLUDE_TABLE) add_rows(list, row->arg);
        else if (list->count < MOST_ROWS) list->row[list->count++] = row;
    }
}

static void list_rows(option_list *list, const struct poptOption *options) {
    *list = (option_list){0};
    add_rows(list, options);
    char *letter = list->letters;
    *letter++ = ':'; /* a missing value is told apart from an unknown option */
    for (size_t i = 0; i < list->count; i++) {
        const struct poptOption *row = list->row[i];
        list->named[i] = (struct option){row->longName, takes_value(row), NULL, FIRST + (int)i};
        if (!row->shortName) continue;
        *letter++ = row->shortName;
        if (takes_value(row)) *letter++ = ':';
    }
}

/* The index of the row of what getopt_long returned; MOST_ROWS for a mistake. */
static size_t index_of(const option_list *list, int code) {
    if (code >= FIRST) return (size_t)(code - FIRST);
    for (size_t i = 0; i < list->count; i++)
        if (list->row[i]->shortName && list->row[i]->shortName == code) return i;
    return MOST_ROWS;
}

/* ---- Values ---- */

/* A list ends with NULL. */
static int append(char ***list, char *value) {
    size_t count = 0;
    while (*list && (*list)[count]) count++;
    char **longer = realloc(*list, (count + 2) * sizeof *longer);
    if (!longer) return fp_cli_no_memory();
    longer[count] = value;
    longer[count + 1] = NULL;
    *list = longer;
    return -1;
}

static int set_number(const fp_command *command, const struct poptOption *row, const char *value) {
    unsigned kind = row->argInfo & POPT_ARG_MASK;
    int64_t whole = 0;
    double real = 0;
    bool good = kind == POPT_ARG_DOUBLE ? fp_parse_real(value, &real) : fp_parse_integer(value, &whole);
    if (kind == POPT_ARG_INT && (whole < INT_MIN || whole > INT_MAX)) good = false;
    if (!good) return fp_cli_usage(command, "--%s takes a number, not %s", row->longName, value);
    if (kind == POPT_ARG_DOUBLE) *(double *)row->arg = real;
    else if (kind == POPT_ARG_INT) *(int *)row->arg = (int)whole;
    else if (kind == POPT_ARG_LONG) *(long *)row->arg = (long)whole;
    else *(long long *)row->arg = whole;
    return -1;
}

/* Values live in the command line. Returns −1, or the exit status. */
static int take_value(const fp_command *command, const struct poptOption *row, const char **given, char *value) {
    unsigned kind = row->argInfo & POPT_ARG_MASK;
    if (kind == POPT_ARG_NONE) {
        *(int *)row->arg = 1;
        return -1;
    }
    if (kind == POPT_ARG_ARGV) return append(row->arg, value);
    if (*given && strcmp(*given, value) != 0)
        return fp_cli_usage(command, "--%s is given twice, as %s and as %s", row->longName, *given, value);
    *given = value;
    if (kind != POPT_ARG_STRING) return set_number(command, row, value);
    *(char **)row->arg = value;
    return -1;
}

void fp_cli_end(const struct poptOption *options) {
    for (const struct poptOption *row = options; !is_last(row); row++) {
        unsigned kind = row->argInfo & POPT_ARG_MASK;
        if (kind == POPT_ARG_INCLUDE_TABLE) fp_cli_end(row->arg);
        if (kind == POPT_ARG_ARGV) free(*(char ***)row->arg);
        if (kind == POPT_ARG_STRING || kind == POPT_ARG_ARGV) *(void **)row->arg = NULL;
    }
}

/* ---- Mistakes ---- */

static int unknown_option(const fp_command *command, const option_list *list, const char *word) {
    const char *names[MOST_ROWS + 1] = {0}, *nearest = NULL;
    char name[64];
    int length = (int)strcspn(word, "=");
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++)
        if (list->row[i]->longName) names[count++] = list->row[i]->longName;
    snprintf(name, sizeof name, "%.*s", length > 2 ? length - 2 : 0, length > 2 ? word + 2 : "");
    if (*name && strncmp(word, "--", 2) == 0) nearest = fp_nearest(name, names);
    if (nearest) return fp_cli_usage(command, "unknown option %.*s; did you mean --%s?", length, word, nearest);
    return fp_cli_usage(command, "unknown option %.*s", length, word);
}

/* What getopt_long did not take: a letter in optopt, or a whole word. */
static int mistaken_option(const fp_command *command, const option_list *list, int code, const char *word) {
    size_t index = index_of(list, optopt);
    const struct poptOption *row = index < MOST_ROWS ? list->row[index] : NULL;
    if (row && (code == ':' || optopt >= FIRST)) {
        const char *what = code == ':' ? "needs a value" : "takes no value";
        if (row->longName) return fp_cli_usage(command, "--%s %s", row->longName, what);
        return fp_cli_usage(command, "-%c %s", row->shortName, what);
    }
    char letter[] = {'-', (char)optopt, '\0'};
    return unknown_option(command, list, optopt && !row ? letter : word);
}

/* ---- All ---- */

/* getopt_long takes the beginning of a name for the name. */
static bool is_whole(const option_list *list, int code, const char *word) {
    if (code < FIRST) return true;
    const char *name = list->row[code - FIRST]->longName;
    return strncmp(word + 2, name, strlen(name)) == 0 &&
           (word[2 + strlen(name)] == '\0' || word[2 + strlen(name)] == '=');
}

/* Reads the options one after the other. Returns −1, or the exit status. */
static int read_options(const fp_command *command, option_list *list, int argc, char **argv) {
    int code, status = -1;
    opterr = 0;
    optind = 0; /* from the beginning: getopt_long remembers where it was */
    while (status < 0 && (code = getopt_long(argc, argv, list->letters, list->named, NULL)) != -1) {
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

/* popt writes it. */
static int print_help(const fp_command *command, const struct poptOption *all) {
    char name[64];
    snprintf(name, sizeof name, "fplab %s", command->name);
    const char *arguments[] = {name, NULL};
    poptContext context = poptGetContext(NULL, 1, arguments, all, 0);
    if (!context) return fp_cli_no_memory();
    poptSetOtherOptionHelp(context, command->arguments);
    printf("fplab %s: %s\n\n%s\n\n", command->name, command->summary, command->details);
    poptPrintHelp(context, stdout, 0);
    if (*command->examples) printf("\nExamples:\n%s\n", command->examples);
    poptFreeContext(context);
    return FP_EXIT_SUCCESS;
}

int fp_cli_parse(const fp_command *command, int argc, const char **argv, const struct poptOption *options,
                 const char ***arguments) {
    int help = 0;
    char *size = NULL;
    struct poptOption common[] = {
        {"max-size", 0, POPT_ARG_STRING, &size, 0, "the most bytes of a file of texts, unpacked (default: 4G)", "SIZE"},
        {"help", 'h', POPT_ARG_NONE, &help, 0, "show this help", NULL},
        POPT_TABLEEND};
    struct poptOption all[] = {{NULL, '\0', POPT_ARG_INCLUDE_TABLE, (void *)(uintptr_t)options, 0, "Options:", NULL},
                               {NULL, '\0', POPT_ARG_INCLUDE_TABLE, common, 0, "Options of every command:", NULL},
                               POPT_TABLEEND};
    option_list list;
    list_rows(&list, all);
    int status = read_options(command, &list, argc, (char **)(uintptr_t)argv);
    if (status < 0 && size && !parse_size(size, &most_bytes))
        status = fp_cli_usage(command, "--max-size takes a number of bytes such as 500M or 8G, not %s", size);
    if (status < 0 && help) status = print_help(command, all);
    if (status >= 0) fp_cli_end(options);
    *arguments = argv + optind;
    return status;
}
