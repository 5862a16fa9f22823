/* SPDX-License-Identifier: GPL-3.0-or-later
 * Completion for zsh, in the words of _arguments (zshcompsys). */
#include "cli/values.h"

/* Inside quotation marks: an apostrophe ends them, stands alone, and begins them again. */
static void put_quoted(const char *text, const char *signs) {
    for (; *text; text++) {
        char one[2] = {*text, '\0'};
        if (*text == '\'') printf("'\\''");
        else fp_cli_put_escaped(one, signs);
    }
}

/* ":DIR:_files -/" */
static void put_value(const fp_value *value, const char *name) {
    printf(":");
    put_quoted(name, "\\:[]");
    printf(":");
    if (value->kind == FP_VALUE_FILE) printf("_files");
    if (value->kind == FP_VALUE_DIRECTORY) printf("_files -/");
    if (value->kind != FP_VALUE_WORDS) return;
    printf("(");
    if (value->words) put_quoted(value->words, "\\:");
    else fp_cli_put_words(value);
    printf(")");
}

/* '(-f --format)'{-f+,--format=}'[how to print]:FORMAT:(table tsv)' */
static void put_option(const fp_command *command, const fp_option *option) {
    bool repeated = option->kind == FP_OPTION_LIST;
    const char *joined = option->argument ? "+" : "", *equals = option->argument ? "=" : "";
    (void)command;
    printf("            ");
    if (option->letter && repeated) printf("'*'");
    if (option->letter && !repeated) printf("'(-%c --%s)'", option->letter, option->name);
    if (option->letter) printf("{-%c%s,--%s%s}'", option->letter, joined, option->name, equals);
    else printf("'%s--%s%s", repeated ? "*" : "", option->name, equals);
    printf("[");
    put_quoted(option->help, "\\[]");
    printf("]");
    fp_value value = option->argument ? fp_cli_value_of(option) : (fp_value){0};
    if (option->argument) put_value(&value, option->argument);
    printf("' \\\n");
}

static void put_options(const fp_command *command, const fp_option *own, const fp_option *common) {
    fp_cli_each_option(command, own, common, put_option);
}

/* The part is the command, once its name is there. */
static void put_parts(const fp_command *command) {
    if (!command->parts) return;
    printf("    (%s) case $words[2] in (", command->name);
    for (size_t i = 0; command->parts[i]; i++) printf("%s%s", i ? "|" : "", fp_command_word(command->parts[i]));
    printf(") command+=\" $words[2]\"; shift words; (( CURRENT-- )) ;; esac ;;\n");
}

static void put_command(const fp_command *command) {
    fp_value argument = fp_cli_argument_of(command);
    printf("    ('%s')\n        _arguments \\\n", command->name);
    fp_cli_describe_whole(command, put_options);
    fp_cli_put_own_words(command, "            '1:argument:{compadd -- ", "; _files}' \\\n");
    printf("            '*");
    put_value(&argument, "argument");
    printf("'\n        ;;\n");
}

void fp_cli_complete_zsh(void) {
    printf("#compdef fplab\n# zsh completion for fplab, as `fplab --completion zsh` writes it.\n"
           "_fplab() {\n    local -a commands\n    commands=(\n");
    for (size_t i = 0; fp_commands[i]; i++) {
        printf("        '%s:", fp_commands[i]->name);
        put_quoted(fp_commands[i]->summary, "\\:");
        printf("'\n");
    }
    printf("    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n        return\n    fi\n"
           "    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n"
           "    if (( CURRENT > 2 )); then case $command in\n");
    for (size_t i = 0; fp_commands[i]; i++) put_parts(fp_commands[i]);
    printf("    esac; fi\n    case $command in\n");
    fp_cli_each_command(put_command);
    printf("    esac\n}\n_fplab \"$@\"\n");
}
