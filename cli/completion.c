/* SPDX-License-Identifier: GPL-3.0-or-later
 * Completion of the command line: a script for each shell. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/streams.h"
#include "eval/measures/measure.h"

typedef enum value_kind {
    FP_VALUE_FREE, /* a number, a name, a text: nothing to offer */
    FP_VALUE_FILE,
    FP_VALUE_DIRECTORY,
    FP_VALUE_WORDS, /* put_words lists them */
} value_kind;

typedef struct fp_value {
    value_kind kind;
    const char *words; /* separated by spaces; NULL: those that `put` writes */
    void (*put)(void);
} fp_value;

/* ---- Words ---- */

static void put_word(const char *word, size_t number) { printf("%s%s", number ? " " : "", word); }

static void put_algorithms(void) {
    for (size_t i = 0; fp_algorithm_at(i); i++) put_word(fp_algorithm_at(i)->name, i);
}

static void put_measures(void) {
    for (size_t i = 0; fp_measure_listed(i); i++) put_word(fp_measure_listed(i)->name, i);
}

/* Writes words to standard output, separated by spaces. */
static void put_words(const fp_value *value) {
    if (value->words) printf("%s", value->words);
    else value->put();
}

/* Prints the possible first arguments of a command, "build add …": its subcommands, or the lower-case words at the
 * start of its usage line or after a bar; between `before` and `behind`. Prints nothing if there are no such words. */
static void put_own_words(const fp_command *command, const char *before, const char *behind) {
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

/* Writes a text with a backslash in front of each of `signs`. */
static void put_escaped(const char *text, const char *signs) {
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

/* What an option takes. */
static fp_value value_of(const fp_option *option) {
    if (option->kind == FP_OPTION_WORD || option->kind == FP_OPTION_CHOICE || option->kind == FP_OPTION_HINT)
        return (fp_value){.kind = FP_VALUE_WORDS, .words = option->place.words.words};
    return value_called(option->argument);
}

/* Algorithms and measures are named; all else is a file, or may be. */
static fp_value argument_of(const fp_command *command) {
    if (strstr(command->arguments, "ALGORITHM")) return ALGORITHMS;
    return strstr(command->arguments, "[MEASURE]") ? MEASURES : FILES;
}

/* Calls `write` for every command, and behind it for each of its parts. */
static void each_command(void (*write)(const fp_command *command)) {
    for (size_t i = 0; fp_commands[i]; i++) {
        write(fp_commands[i]);
        for (const fp_command *const *part = fp_commands[i]->parts; part && *part; part++) write(*part);
    }
}

typedef void write_option(const fp_command *command, const fp_option *option);

/* What write_tables writes each row with. */
static write_option *row_writer;

static void write_tables(const fp_command *command, const fp_option *own, const fp_option *common) {
    fp_option_walk walk = {.at = {common, own}, .depth = 2}; /* the command's own first */
    for (const fp_option *row; (row = fp_option_next(&walk));) row_writer(command, row);
}

/* Calls `write` for every option of the command, its own first. On an error, reports it and ends the program,
 * because nothing may follow the incomplete output. */
static void each_option(const fp_command *command, write_option *write) {
    row_writer = write;
    int status = fp_cli_describe(command, write_tables);
    if (status != FP_EXIT_SUCCESS) exit(fp_cli_finish(status));
}

/* "check|stats|split": the parts of a command. */
static void put_parts(const fp_command *command, const char *separator) {
    for (size_t i = 0; command->parts[i]; i++) printf("%s%s", i ? separator : "", fp_command_word(command->parts[i]));
}

/* ---- bash: one function, independent of the package bash-completion ---- */

static void bash_put_name(const fp_command *command, const fp_option *option) {
    (void)command;
    printf(" --%s", option->name);
}

/* words='…' or empty, and the kind. */
static void bash_put_value(const fp_value *value) {
    static const char *const KINDS[] = {"free", "file", "directory", "words"};
    printf("kind=%s", KINDS[value->kind]);
    if (value->kind != FP_VALUE_WORDS) return;
    printf(" words='");
    put_words(value);
    printf("'");
}

static void bash_put_option(const fp_command *command, const fp_option *option) {
    if (!option->argument) return;
    fp_value value = value_of(option);
    printf("    '%s --%s'", command->name, option->name);
    if (option->letter) printf(" | '%s -%c'", command->name, option->letter);
    printf(") ");
    bash_put_value(&value);
    printf(" ;;\n");
}

static void bash_put_values(const fp_command *command) { each_option(command, bash_put_option); }

/* The part is the command, once its name is there. */
static void bash_put_parts(const fp_command *command) {
    if (!command->parts) return;
    printf("    %s) case ${COMP_WORDS[2]} in ", command->name);
    put_parts(command, " | ");
    printf(") command+=\" ${COMP_WORDS[2]}\" ;; esac ;;\n");
}

/* What the command itself takes. */
static void bash_put_command(const fp_command *command) {
    fp_value argument = argument_of(command);
    printf("    '%s') ", command->name);
    bash_put_value(&argument);
    put_own_words(command, " own='", "'");
    printf(" options='");
    each_option(command, bash_put_name);
    printf("' ;;\n");
}

static void complete_bash(void) {
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
    for (size_t i = 0; fp_commands[i]; i++) bash_put_parts(fp_commands[i]);
    printf("    esac; fi\n"
           "    case $command in\n");
    each_command(bash_put_command);
    printf("    esac\n"
           "    # bash cuts words at = and at :\n"
           "    if [ \"$current\" = : ] || [ \"$last\" = : ]; then return; fi\n"
           "    if [ \"$current\" = = ]; then current=\n"
           "    elif [ \"$last\" = = ] && [ \"$COMP_CWORD\" -gt 2 ]; then last=${COMP_WORDS[COMP_CWORD - 2]}; fi\n"
           "    case \"$command $last\" in\n");
    each_command(bash_put_values);
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

/* ---- zsh, in the words of _arguments (zshcompsys) ---- */

/* Inside quotation marks: an apostrophe ends them, stands alone, and begins them again. */
static void zsh_put_quoted(const char *text, const char *signs) {
    for (; *text; text++) {
        char one[2] = {*text, '\0'};
        if (*text == '\'') printf("'\\''");
        else put_escaped(one, signs);
    }
}

/* ":DIR:_files -/" */
static void zsh_put_value(const fp_value *value, const char *name) {
    printf(":");
    zsh_put_quoted(name, "\\:[]");
    printf(":");
    if (value->kind == FP_VALUE_FILE) printf("_files");
    if (value->kind == FP_VALUE_DIRECTORY) printf("_files -/");
    if (value->kind != FP_VALUE_WORDS) return;
    printf("(");
    if (value->words) zsh_put_quoted(value->words, "\\:");
    else put_words(value);
    printf(")");
}

/* '(-f --format)'{-f+,--format=}'[how to print]:FORMAT:(table tsv)' */
static void zsh_put_option(const fp_command *command, const fp_option *option) {
    bool repeated = option->kind == FP_OPTION_LIST;
    const char *joined = option->argument ? "+" : "", *equals = option->argument ? "=" : "";
    (void)command;
    printf("            ");
    if (option->letter && repeated) printf("'*'");
    if (option->letter && !repeated) printf("'(-%c --%s)'", option->letter, option->name);
    if (option->letter) printf("{-%c%s,--%s%s}'", option->letter, joined, option->name, equals);
    else printf("'%s--%s%s", repeated ? "*" : "", option->name, equals);
    printf("[");
    zsh_put_quoted(option->help, "\\[]");
    printf("]");
    fp_value value = option->argument ? value_of(option) : (fp_value){0};
    if (option->argument) zsh_put_value(&value, option->argument);
    printf("' \\\n");
}

/* The part is the command, once its name is there. */
static void zsh_put_parts(const fp_command *command) {
    if (!command->parts) return;
    printf("    (%s) case $words[2] in (", command->name);
    put_parts(command, "|");
    printf(") command+=\" $words[2]\"; shift words; (( CURRENT-- )) ;; esac ;;\n");
}

static void zsh_put_command(const fp_command *command) {
    fp_value argument = argument_of(command);
    printf("    ('%s')\n        _arguments \\\n", command->name);
    each_option(command, zsh_put_option);
    put_own_words(command, "            '1:argument:{compadd -- ", "; _files}' \\\n");
    printf("            '*");
    zsh_put_value(&argument, "argument");
    printf("'\n        ;;\n");
}

static void complete_zsh(void) {
    printf("#compdef fplab\n# zsh completion for fplab, as `fplab --completion zsh` writes it.\n"
           "_fplab() {\n    local -a commands\n    commands=(\n");
    for (size_t i = 0; fp_commands[i]; i++) {
        printf("        '%s:", fp_commands[i]->name);
        zsh_put_quoted(fp_commands[i]->summary, "\\:");
        printf("'\n");
    }
    printf("    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n        return\n    fi\n"
           "    local command=$words[2]\n    shift words\n    (( CURRENT-- ))\n"
           "    if (( CURRENT > 2 )); then case $command in\n");
    for (size_t i = 0; fp_commands[i]; i++) zsh_put_parts(fp_commands[i]);
    printf("    esac; fi\n    case $command in\n");
    each_command(zsh_put_command);
    printf("    esac\n}\n_fplab \"$@\"\n");
}

/* ---- fish: a line for each option ---- */

static void fish_put_quoted(const char *text) {
    putchar('\'');
    put_escaped(text, "\\'");
    putchar('\'');
}

static void fish_put_value(const fp_value *value) {
    if (value->kind == FP_VALUE_FILE) printf(" -rF");
    if (value->kind == FP_VALUE_FREE) printf(" -x");
    if (value->kind == FP_VALUE_DIRECTORY) printf(" -xa '(__fish_complete_directories)'");
    if (value->kind != FP_VALUE_WORDS) return;
    printf(" -xa '");
    put_words(value);
    printf("'");
}

static void fish_put_option(const fp_command *command, const fp_option *option) {
    printf("complete -c fplab -n '__fplab_command \"%s\"' -l %s", command->name, option->name);
    if (option->letter) printf(" -s %c", option->letter);
    fp_value value = option->argument ? value_of(option) : (fp_value){0};
    if (option->argument) fish_put_value(&value);
    printf(" -d ");
    fish_put_quoted(option->help);
    printf("\n");
}

static void fish_put_part(const fp_command *part) {
    printf("complete -c fplab -n '__fplab_command %.*s 2' -fa %s -d ", (int)strcspn(part->name, " "), part->name,
           fp_command_word(part));
    fish_put_quoted(part->summary);
    printf("\n");
    each_option(part, fish_put_option);
}

static void fish_put_command(const fp_command *command) {
    fp_value argument = argument_of(command);
    printf("complete -c fplab -n '__fplab_command' -fa %s -d ", command->name);
    fish_put_quoted(command->summary);
    printf("\n");
    char before[80];
    snprintf(before, sizeof before, "complete -c fplab -n '__fplab_command %s 2' -a '", command->name);
    for (const fp_command *const *part = command->parts; part && *part; part++) fish_put_part(*part);
    if (!command->parts) put_own_words(command, before, "'\n");
    if (argument.kind == FP_VALUE_WORDS) {
        printf("complete -c fplab -n '__fplab_command %s' -fa '", command->name);
        put_words(&argument);
        printf("'\n");
    }
    each_option(command, fish_put_option);
}

static void complete_fish(void) {
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
    for (size_t i = 0; fp_commands[i]; i++) fish_put_command(fp_commands[i]);
}

/* ---- Shells ---- */

int fp_cli_completion(const char *shell) {
    static const struct {
        const char *name;
        void (*write)(void);
    } SHELLS[] = {{"bash", complete_bash}, {"zsh", complete_zsh}, {"fish", complete_fish}};
    for (size_t i = 0; shell && i < sizeof SHELLS / sizeof *SHELLS; i++) {
        if (strcmp(SHELLS[i].name, shell) != 0) continue;
        SHELLS[i].write();
        return FP_EXIT_SUCCESS;
    }
    fprintf(stderr, "fplab: --completion takes bash, zsh or fish%s%s\n", shell ? ", not " : "", shell ? shell : "");
    return FP_EXIT_USAGE;
}
