/* SPDX-License-Identifier: GPL-3.0-or-later
 * What stands in a place of the command line: by what help calls it, or by the option where that says too little. */
#include "cli/values.h"

#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/streams.h"
#include "eval/measures/measure.h"

/* ---- Words ---- */

static void put_word(const char *word, size_t number) { printf("%s%s", number ? " " : "", word); }

static void put_algorithms(void) {
    for (size_t i = 0; fp_algorithm_at(i); i++) put_word(fp_algorithm_at(i)->name, i);
}

static void put_measures(void) {
    for (size_t i = 0; fp_measure_listed(i); i++) put_word(fp_measure_listed(i)->name, i);
}

void fp_cli_put_words(const fp_value *value) {
    if (value->words) printf("%s", value->words);
    else value->put();
}

void fp_cli_put_own_words(const fp_command *command, const char *before, const char *behind) {
    size_t count = 0;
    for (; command->parts && command->parts[count]; count++)
        printf("%s%s", count ? " " : before, fp_command_word(command->parts[count]));
    for (const char *at = count ? NULL : command->arguments; at; at = strchr(at, '|')) {
        at += strspn(at, "| ");
        size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz");
        if (length && at[length] == ' ') printf("%s%.*s", count++ ? " " : before, (int)length, at);
    }
    if (count) printf("%s", behind);
}

void fp_cli_put_escaped(const char *text, const char *signs) {
    for (; *text; text++) {
        if (strchr(signs, *text)) putchar('\\');
        putchar(*text);
    }
}

/* ---- Places ---- */

static const fp_value FILES = {.kind = FP_VALUE_FILE}, ALGORITHMS = {.kind = FP_VALUE_WORDS, .put = put_algorithms},
                      MEASURES = {.kind = FP_VALUE_WORDS, .put = put_measures};

/* By the name that help has for it. */
static fp_value value_called(const char *name) {
    const struct {
        const char *name;
        fp_value value;
    } PLACES[] = {
        {"DIR", {.kind = FP_VALUE_DIRECTORY}},
        {"DIR|FILE", FILES},
        {"CORPUS", FILES},
        {"FILE", FILES},
        {"FILE.so", FILES},
        {"SHEET.tsv", FILES},
        {"COLLECTION", FILES},
        {"SPEC", ALGORITHMS},
        {"MEASURE", MEASURES},
    };
    for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES; i++)
        if (strcmp(PLACES[i].name, name) == 0) return PLACES[i].value;
    return (fp_value){.kind = FP_VALUE_FREE};
}

fp_value fp_cli_value_of(const fp_option *option) {
    if (option->kind == FP_OPTION_WORD || option->kind == FP_OPTION_HINT)
        return (fp_value){.kind = FP_VALUE_WORDS, .words = option->place.words.words};
    return value_called(option->argument);
}

/* Algorithms and measures are named; all else is a file, or may be. */
fp_value fp_cli_argument_of(const fp_command *command) {
    if (strstr(command->arguments, "ALGORITHM")) return ALGORITHMS;
    return strstr(command->arguments, "[MEASURE]") ? MEASURES : FILES;
}

void fp_cli_each_command(void (*write)(const fp_command *command)) {
    for (size_t i = 0; fp_commands[i]; i++) {
        write(fp_commands[i]);
        for (const fp_command *const *part = fp_commands[i]->parts; part && *part; part++) write(*part);
    }
}

static void each_row(const fp_command *command, const fp_option *rows,
                     void (*write)(const fp_command *command, const fp_option *option)) {
    for (const fp_option *row = rows; row->kind != FP_OPTION_END; row++) {
        if (row->kind == FP_OPTION_ROWS) each_row(command, row->place.rows, write);
        else if (fp_option_is_shown(row)) write(command, row);
    }
}

void fp_cli_each_option(const fp_command *command, const fp_option *own, const fp_option *common,
                        void (*write)(const fp_command *command, const fp_option *option)) {
    each_row(command, own, write);
    each_row(command, common, write);
}

void fp_cli_describe_whole(const fp_command *command, fp_describe *how) {
    int status = fp_cli_describe(command, how);
    if (status != FP_EXIT_SUCCESS) exit(fp_cli_finish(status));
}

/* ---- Shells ---- */

int fp_cli_completion(const char *shell) {
    static const struct {
        const char *name;
        void (*write)(void);
    } SHELLS[] = {{"bash", fp_cli_complete_bash}, {"zsh", fp_cli_complete_zsh}, {"fish", fp_cli_complete_fish}};
    for (size_t i = 0; shell && i < sizeof SHELLS / sizeof *SHELLS; i++) {
        if (strcmp(SHELLS[i].name, shell) != 0) continue;
        SHELLS[i].write();
        return FP_EXIT_SUCCESS;
    }
    fprintf(stderr, "fplab: --completion takes bash, zsh or fish%s%s\n", shell ? ", not " : "", shell ? shell : "");
    return FP_EXIT_USAGE;
}
