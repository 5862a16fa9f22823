/* SPDX-License-Identifier: GPL-3.0-or-later
 * Completion for fish: a line for each option. */
#include <string.h>

#include "cli/values.h"

static void put_quoted(const char *text) {
    putchar('\'');
    fp_cli_put_escaped(text, "\\'");
    putchar('\'');
}

static void put_value(const fp_value *value) {
    if (value->kind == FP_VALUE_FILE) printf(" -rF");
    if (value->kind == FP_VALUE_FREE) printf(" -x");
    if (value->kind == FP_VALUE_DIRECTORY) printf(" -xa '(__fish_complete_directories)'");
    if (value->kind != FP_VALUE_WORDS) return;
    printf(" -xa '");
    fp_cli_put_words(value);
    printf("'");
}

static void put_option(const fp_command *command, const fp_option *option) {
    printf("complete -c fplab -n '__fplab_command \"%s\"' -l %s", command->name, option->name);
    if (option->letter) printf(" -s %c", option->letter);
    fp_value value = option->argument ? fp_cli_value_of(option) : (fp_value){0};
    if (option->argument) put_value(&value);
    printf(" -d ");
    put_quoted(option->help);
    printf("\n");
}

static void put_options(const fp_command *command, const fp_option *own, const fp_option *common) {
    fp_cli_each_option(command, own, common, put_option);
}

static void put_part(const fp_command *part) {
    printf("complete -c fplab -n '__fplab_command %.*s 2' -fa %s -d ", (int)strcspn(part->name, " "), part->name,
           fp_command_word(part));
    put_quoted(part->summary);
    printf("\n");
    fp_cli_describe_whole(part, put_options);
}

static void put_command(const fp_command *command) {
    fp_value argument = fp_cli_argument_of(command);
    printf("complete -c fplab -n '__fplab_command' -fa %s -d ", command->name);
    put_quoted(command->summary);
    printf("\n");
    char before[80];
    snprintf(before, sizeof before, "complete -c fplab -n '__fplab_command %s 2' -a '", command->name);
    for (const fp_command *const *part = command->parts; part && *part; part++) put_part(*part);
    if (!command->parts) fp_cli_put_own_words(command, before, "'\n");
    if (argument.kind == FP_VALUE_WORDS) {
        printf("complete -c fplab -n '__fplab_command %s' -fa '", command->name);
        fp_cli_put_words(&argument);
        printf("'\n");
    }
    fp_cli_describe_whole(command, put_options);
}

void fp_cli_complete_fish(void) {
    printf(
        "# fish completion for fplab, as `fplab --completion fish` writes it.\n"
        "# Whether the command is this one, or there is none yet; and, with a number, whether so many words came "
        "before.\n"
        "function __fplab_command\n"
        "    set -l words (commandline -opc)\n"
        "    test (count $argv) -gt 0; or begin; test (count $words) -eq 1; return; end\n"
        "    test (count $words) -gt 1; and begin; test $words[2] = $argv[1]; or test \"$words[2..3]\" = $argv[1]; end; or "
        "return 1\n"
        "    test (count $argv) -lt 2; or test (count $words) -eq $argv[2]\n"
        "end\n");
    for (size_t i = 0; fp_commands[i]; i++) put_command(fp_commands[i]);
}
