/* SPDX-License-Identifier: GPL-3.0-or-later
 * The options of a command: help, mistakes, and the values that they leave. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

/* Values of poptOption.val: rows of the command are numbered from 1. */
enum { MAX_SIZE = 1 << 20 };

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

/* ---- Help ---- */

static void print_help(const fp_command *command, poptContext context) {
    printf("fplab %s: %s\n\n%s\n\n", command->name, command->summary, command->details);
    poptPrintHelp(context, stdout, 0);
    if (*command->examples) printf("\nExamples:\n%s\n", command->examples);
}

/* ---- Values ---- */

static bool is_last(const struct poptOption *row) { return !row->longName && !row->shortName && !row->arg; }

/* The strings and lists that were handed over end with the command. */
static void release_values(const struct poptOption *options) {
    for (const struct poptOption *row = options; !is_last(row); row++) {
        unsigned kind = row->argInfo & POPT_ARG_MASK;
        if (kind == POPT_ARG_INCLUDE_TABLE) release_values(row->arg);
        if (kind == POPT_ARG_STRING) {
            free(*(char **)row->arg);
            *(char **)row->arg = NULL;
        }
        if (kind != POPT_ARG_ARGV) continue;
        char ***list = row->arg;
        for (char **at = *list; at && *at; at++) free(*at);
        free(*list);
        *list = NULL;
    }
}

void fp_cli_end(poptContext context, const struct poptOption *options) {
    poptFreeContext(context);
    release_values(options);
}

/* The rows, with those that take a string handed to take_value: popt itself would write a second value over the first.
 */
static struct poptOption *with_own_strings(const struct poptOption *options) {
    size_t count = 0;
    while (!is_last(options + count)) count++;
    struct poptOption *rows = calloc(count + 1, sizeof *rows);
    for (size_t i = 0; rows && i < count; i++) {
        rows[i] = options[i];
        if ((rows[i].argInfo & POPT_ARG_MASK) != POPT_ARG_STRING) continue;
        rows[i].arg = NULL;
        rows[i].val = (int)i + 1;
    }
    return rows;
}

/* The value of the option that popt stopped at. One that is given twice must have one value. Returns −1, or the exit
 * status. */
static int take_value(const fp_command *command, const struct poptOption *options, int code, char *value) {
    fp_error error;
    if (!value) return fp_no_memory(&error), fp_cli_fail(&error);
    if (code == MAX_SIZE) {
        int status =
            parse_size(value, &most_bytes)
                ? -1
                : fp_cli_usage(command, "--max-size takes a number of bytes such as 500M or 8G, not %s", value);
        free(value);
        return status;
    }
    const struct poptOption *row = options + code - 1;
    char **to = row->arg;
    int status = -1;
    if (*to && strcmp(*to, value) != 0)
        status = fp_cli_usage(command, "--%s is given twice, as %s and as %s", row->longName, *to, value);
    free(*to);
    *to = value;
    return status;
}

/* ---- Mistakes ---- */

enum { MOST_NAMES = 128 };

static size_t list_names(const struct poptOption *options, const char **names, size_t count) {
    for (const struct poptOption *row = options; !is_last(row); row++) {
        if ((row->argInfo & POPT_ARG_MASK) == POPT_ARG_INCLUDE_TABLE) count = list_names(row->arg, names, count);
        else if (row->longName && count < MOST_NAMES) names[count++] = row->longName;
    }
    return count;
}

static int unknown_option(const fp_command *command, const struct poptOption *all, const char *word) {
    const char *names[MOST_NAMES + 1] = {0}, *nearest = NULL;
    char name[64];
    int length = (int)strcspn(word, "=");
    snprintf(name, sizeof name, "%.*s", length > 2 ? length - 2 : 0, length > 2 ? word + 2 : "");
    list_names(all, names, 0);
    if (*name && strncmp(word, "--", 2) == 0) nearest = fp_nearest(name, names);
    if (nearest) return fp_cli_usage(command, "unknown option %.*s; did you mean --%s?", length, word, nearest);
    return fp_cli_usage(command, "unknown option %.*s", length, word);
}

/* ---- All ---- */

/* Reads the options one after the other. Returns −1, or the exit status. */
static int read_options(const fp_command *command, const struct poptOption *options, const struct poptOption *all,
                        poptContext context) {
    int code, status = -1;
    while (status < 0 && (code = poptGetNextOpt(context)) != -1) {
        const char *word = poptBadOption(context, POPT_BADOPTION_NOALIAS);
        if (code > 0) status = take_value(command, options, code, poptGetOptArg(context));
        else if (code == POPT_ERROR_BADOPT) status = unknown_option(command, all, word);
        else status = fp_cli_usage(command, "%s: %s", word, poptStrerror(code));
    }
    return status;
}

int fp_cli_parse(const fp_command *command, int argc, const char **argv, const struct poptOption *options,
                 poptContext *context, const char ***arguments) {
    static const char *NONE[] = {NULL};
    int help = 0;
    struct poptOption *own = with_own_strings(options);
    fp_error error;
    if (!own) return fp_no_memory(&error), fp_cli_fail(&error);
    struct poptOption all[] = {
        {NULL, '\0', POPT_ARG_INCLUDE_TABLE, own, 0, "Options:", NULL},
        {"max-size", 0, POPT_ARG_STRING, NULL, MAX_SIZE, "the most bytes of one file, unpacked (default: 4G)", "SIZE"},
        {"help", 'h', POPT_ARG_NONE, &help, 0, "show this help", NULL},
        POPT_TABLEEND};
    char name[64];
    snprintf(name, sizeof name, "fplab %s", command->name);
    const char *given = argv[0];
    argv[0] = name; /* what popt's help calls the program */
    *context = poptGetContext(NULL, argc, argv, all, 0);
    poptSetOtherOptionHelp(*context, command->arguments);
    int status = read_options(command, options, all, *context);
    if (status < 0 && help) {
        print_help(command, *context);
        status = FP_EXIT_SUCCESS;
    }
    argv[0] = given;
    free(own);
    if (status >= 0) {
        fp_cli_end(*context, options);
        return status;
    }
    *arguments = poptGetArgs(*context);
    if (!*arguments) *arguments = NONE;
    return -1;
}
