/* SPDX-License-Identifier: GPL-3.0-or-later
 * Completion of the command line: a script for each shell asks the program, `fplab --complete WORD…`, what the last
 * word may be. */
#include <string.h>

#include "cli/cli.h"
#include "eval/measures/measure.h"

/* ---- Candidates: one a line, followed by a tab and its description; or one line that asks for files ---- */

static const char FILES[] = ":files\n", DIRECTORIES[] = ":directories\n";

/* The command line up to the word to complete. */
typedef struct asked {
    const char *current; /* the word to complete, behind the option */
    fp_string before;    /* the word or option before it, without an = */
    fp_string option;    /* "--format=", where the two are one word: every candidate begins with it */
    bool first;          /* it is the first word behind the command */
} asked;

/* A process answers one request. */
static asked asked_for;

/* Prints a word that begins with the current one. Returns whether it does. */
static bool put(fp_string word, const char *meaning) {
    fp_string option = asked_for.option;
    if (!fp_string_begins(word, fp_string_of(asked_for.current))) return false;
    printf("%.*s%.*s%s%s\n", (int)option.length, option.data, (int)word.length, word.data, *meaning ? "\t" : "",
           meaning);
    return true;
}

static void put_words(const char *words) {
    for (fp_string rest = fp_string_of(words), word; fp_next_field(&rest, ' ', &word);) put(word, "");
}

static void put_algorithms(void) {
    for (size_t i = 0; fp_algorithm_at(i); i++)
        put(fp_string_of(fp_algorithm_at(i)->name), fp_algorithm_at(i)->summary);
}

static void put_measures(void) {
    for (size_t i = 0; fp_measure_listed(i); i++)
        put(fp_string_of(fp_measure_listed(i)->name), fp_measure_listed(i)->label);
}

/* The values of an option, by the name of its argument in the help; none for a number, a name or a text. */
static void put_values(const fp_option *option) {
    static const char *const PLACES[] = {"DIR|FILE", "CORPUS", "FILE", "FILE.so", "SHEET.tsv", "COLLECTION"};
    bool worded = option->kind == FP_OPTION_WORD || option->kind == FP_OPTION_CHOICE || option->kind == FP_OPTION_HINT;
    if (worded) put_words(option->place.words.words);
    else if (strcmp(option->argument, "SPEC") == 0) put_algorithms();
    else if (strcmp(option->argument, "MEASURE") == 0) put_measures();
    else if (strcmp(option->argument, "DIR") == 0) printf("%s", DIRECTORIES);
    for (size_t i = 0; !worded && i < sizeof PLACES / sizeof *PLACES; i++)
        if (strcmp(option->argument, PLACES[i]) == 0) printf("%s", FILES);
}

/* ---- Arguments ---- */

/* Prints the possible first arguments of a command, "build add …": its subcommands, or the lower-case words at the
 * start of its usage line or after a bar. False if none begins with the word. */
static bool put_own_words(const fp_command *command) {
    bool any = false;
    for (size_t i = 0; command->parts && command->parts[i]; i++)
        any |= put(fp_string_of(fp_command_word(command->parts[i])), command->parts[i]->summary);
    for (const char *at = command->parts ? NULL : command->arguments; at; at = strchr(at, '|')) {
        at += strspn(at, "| ");
        size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz");
        if (length && at[length] == ' ') any |= put((fp_string){at, length}, "");
    }
    return any;
}

/* Algorithms and measures are named; all else is a file, or may be. */
static void put_arguments(const fp_command *command) {
    if (asked_for.first && put_own_words(command)) return;
    if (strstr(command->arguments, "ALGORITHM")) put_algorithms();
    else if (strstr(command->arguments, "[MEASURE]")) put_measures();
    else printf("%s", FILES);
}

static bool is_named(const fp_option *row, fp_string word) {
    if (word.length == 2) return row->letter && word.data[0] == '-' && word.data[1] == row->letter;
    return fp_string_begins(word, fp_string_of("--")) &&
           fp_string_equal((fp_string){word.data + 2, word.length - 2}, fp_string_of(row->name));
}

static void complete(const fp_command *command, const fp_option *own, const fp_option *common) {
    const fp_option_walk all = {.at = {common, own}, .depth = 2}; /* the command's own first */
    fp_option_walk walk = all;
    for (const fp_option *row; (row = fp_option_next(&walk));)
        if (row->argument && is_named(row, asked_for.before)) {
            put_values(row);
            return;
        }
    walk = all;
    if (*asked_for.current != '-') put_arguments(command);
    else
        for (const fp_option *row; (row = fp_option_next(&walk));) {
            char name[64];
            int length = snprintf(name, sizeof name, "--%s", row->name);
            put((fp_string){name, (size_t)length}, fp_cli_translated(row->help));
        }
}

/* bash cuts words at = and at :, as in "--format = table" and "simhash : bits"; other shells do not. */
static bool read_words(size_t count, const char **words) {
    const char *current = words[count - 1], *before = count > 1 ? words[count - 2] : "";
    size_t name = strcspn(current, "=");
    if (strcmp(current, ":") == 0 || strcmp(before, ":") == 0) return false;
    if (strcmp(before, "=") == 0 && count > 2) before = words[count - 3];
    asked_for = (asked){strcmp(current, "=") == 0 ? "" : current, fp_string_of(before), .first = count == 2};
    if (strncmp(current, "--", 2) == 0 && current[name])
        asked_for = (asked){current + name + 1, {current, name}, {current, name + 1}, count == 2};
    return true;
}

int fp_cli_complete(size_t count, const char **words) {
    char name[64];
    if (!count || !read_words(count, words)) return FP_EXIT_SUCCESS;
    if (count == 1) put_words("--help --version");
    for (size_t i = 0; count == 1 && fp_commands[i]; i++)
        put(fp_string_of(fp_commands[i]->name), fp_cli_summary(fp_commands[i]));
    snprintf(name, sizeof name, "%s %s", words[0], count > 2 ? words[1] : "");
    const fp_command *part = count > 2 ? fp_command_find(name) : NULL,
                     *command = part ? part : fp_command_find(words[0]);
    return count > 1 && command ? fp_cli_describe(command, complete) : FP_EXIT_SUCCESS;
}

/* ---- Shells ---- */

/* Independent of the package bash-completion. */
static const char BASH[] =
    "# bash completion for fplab, as `fplab --completion bash` writes it.\n"
    "_fplab() {\n"
    "    local IFS=$'\\n' current=${COMP_WORDS[COMP_CWORD]} lines\n"
    "    [[ $current != = ]] || current=\n"
    "    mapfile -t lines < <(\"${COMP_WORDS[0]/#~/$HOME}\" --complete \"${COMP_WORDS[@]:1:COMP_CWORD}\" 2>/dev/null)\n"
    "    case ${lines[0]} in\n"
    "    :files) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- \"$current\")) ;;\n"
    "    :directories) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- \"$current\")) ;;\n"
    "    *) COMPREPLY=(\"${lines[@]%%$'\\t'*}\") ;;\n"
    "    esac\n"
    "}\n"
    "complete -F _fplab fplab\n";

static const char ZSH[] =
    "#compdef fplab\n"
    "# zsh completion for fplab, as `fplab --completion zsh` writes it.\n"
    "_fplab() {\n"
    "    local -a lines\n"
    "    lines=(${(f)\"$(${(Q)words[1]} --complete \"${(@Q)words[2,CURRENT]}\" 2>/dev/null)\"})\n"
    "    case $lines[1] in\n"
    "    (:files) compset -P '--[a-z-]##='; _files ;;\n"
    "    (:directories) compset -P '--[a-z-]##='; _files -/ ;;\n"
    "    (*) lines=(\"${(@)lines//:/\\\\:}\"); lines=(\"${(@)lines/$'\\t'/:}\"); _describe fplab lines ;;\n"
    "    esac\n"
    "}\n"
    "_fplab \"$@\"\n";

static const char FISH[] =
    "# fish completion for fplab, as `fplab --completion fish` writes it.\n"
    "function __fplab\n"
    "    set -l words (commandline -opc) (commandline -ct)\n"
    "    $words[1] --complete $words[2..] 2>/dev/null\n"
    "end\n"
    "complete -c fplab -f\n"
    "complete -c fplab -n '__fplab | string match -q :files' -F\n"
    "complete -c fplab -n '__fplab | string match -q :directories' -a '(__fish_complete_directories)'\n"
    "complete -c fplab -a '(__fplab | string match -v \":*\")'\n";

int fp_cli_completion(const char *shell) {
    static const struct { const char *name, *script; } SHELLS[] = {{"bash", BASH}, {"zsh", ZSH}, {"fish", FISH}};
    for (size_t i = 0; shell && i < sizeof SHELLS / sizeof *SHELLS; i++) {
        if (strcmp(SHELLS[i].name, shell) != 0) continue;
        printf("%s", SHELLS[i].script);
        return FP_EXIT_SUCCESS;
    }
    fprintf(stderr, "fplab: --completion takes bash, zsh or fish%s%s\n", shell ? ", not " : "", shell ? shell : "");
    return FP_EXIT_USAGE;
}
