/* SPDX-License-Identifier: GPL-3.0-or-later
 * Completion for bash: one function, which asks nothing of the package bash-completion. */
#include "cli/values.h"

static void put_name(const fp_command *command, const fp_option *option) {
    (void)command;
    printf(" --%s", option->name);
}

static void put_names(const fp_command *command, const fp_option *own, const fp_option *common) {
    fp_cli_each_option(command, own, common, put_name);
}

/* words='…' or nothing, and the kind. */
static void put_value(const fp_value *value) {
    static const char *const KINDS[] = {"free", "file", "directory", "words"};
    printf("kind=%s", KINDS[value->kind]);
    if (value->kind != FP_VALUE_WORDS) return;
    printf(" words='");
    fp_cli_put_words(value);
    printf("'");
}

static void put_option(const fp_command *command, const fp_option *option) {
    if (!option->argument) return;
    fp_value value = fp_cli_value_of(option);
    printf("    '%s --%s'", command->name, option->name);
    if (option->letter) printf(" | '%s -%c'", command->name, option->letter);
    printf(") ");
    put_value(&value);
    printf(" ;;\n");
}

static void put_options(const fp_command *command, const fp_option *own, const fp_option *common) {
    fp_cli_each_option(command, own, common, put_option);
}

static void put_values(const fp_command *command) { fp_cli_describe_whole(command, put_options); }

/* The part is the command, once its name is there. */
static void put_parts(const fp_command *command) {
    if (!command->parts) return;
    printf("    %s) case ${COMP_WORDS[2]} in ", command->name);
    for (size_t i = 0; command->parts[i]; i++) printf("%s%s", i ? " | " : "", fp_command_word(command->parts[i]));
    printf(") command+=\" ${COMP_WORDS[2]}\" ;; esac ;;\n");
}

/* What the command itself takes. */
static void put_command(const fp_command *command) {
    fp_value argument = fp_cli_argument_of(command);
    printf("    '%s') ", command->name);
    put_value(&argument);
    fp_cli_put_own_words(command, " own='", "'");
    printf(" options='");
    fp_cli_describe_whole(command, put_names);
    printf("' ;;\n");
}

void fp_cli_complete_bash(void) {
    printf("# bash completion for fplab, as `fplab --completion bash` writes it.\n"
           "_fplab() {\n"
           "    local current=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}\n"
           "    local kind=free words= own= options= IFS=$' \\n'\n"
           "    COMPREPLY=()\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "        COMPREPLY=($(compgen -W '--help --version");
    for (size_t i = 0; fp_commands[i]; i++) printf(" %s", fp_commands[i]->name);
    printf("' -- \"$current\"))\n"
           "        return\n"
           "    fi\n"
           "    if [ \"$COMP_CWORD\" -gt 2 ]; then case $command in\n");
    for (size_t i = 0; fp_commands[i]; i++) put_parts(fp_commands[i]);
    printf("    esac; fi\n"
           "    case $command in\n");
    fp_cli_each_command(put_command);
    printf("    esac\n"
           "    # bash cuts words at = and at :\n"
           "    if [ \"$current\" = : ] || [ \"$last\" = : ]; then return; fi\n"
           "    if [ \"$current\" = = ]; then current=\n"
           "    elif [ \"$last\" = = ] && [ \"$COMP_CWORD\" -gt 2 ]; then last=${COMP_WORDS[COMP_CWORD - 2]}; fi\n"
           "    case \"$command $last\" in\n");
    fp_cli_each_command(put_values);
    printf(
        "    *)\n"
        "        if [[ $current == -* ]]; then kind=words words=$options\n"
        "        elif [ \"$COMP_CWORD\" -eq 2 ] && [ -n \"$(compgen -W \"$own\" -- \"$current\")\" ]; then kind=words words=$own; fi\n"
        "        ;;\n"
        "    esac\n"
        "    case $kind in\n"
        "    words) COMPREPLY=($(compgen -W \"$words\" -- \"$current\")) ;;\n"
        "    file | directory)\n"
        "        compopt -o filenames 2>/dev/null\n"
        "        IFS=$'\\n'\n"
        "        COMPREPLY=($(compgen -\"${kind:0:1}\" -- \"$current\"))\n"
        "        ;;\n"
        "    esac\n"
        "}\n"
        "complete -F _fplab fplab\n");
}
