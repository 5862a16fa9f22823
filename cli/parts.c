/* SPDX-License-Identifier: GPL-3.0-or-later
 * Commands whose first argument says what is done: each part is a command with options and help of its own. */
#include <string.h>

#include "cli/cli.h"

const char *fp_command_word(const fp_command *command) {
    const char *blank = strrchr(command->name, ' ');
    return blank ? blank + 1 : command->name;
}

/* A page of the manual has a hyphen where the command line has a blank. */
static bool is_called(const fp_command *command, const char *name) {
    const char *own = command->name;
    while (*own && (*own == *name || (*own == ' ' && *name == '-'))) own++, name++;
    return *own == *name;
}

const fp_command *fp_command_find(const char *name) {
    for (const fp_command *const *at = fp_commands; *at; at++) {
        if (is_called(*at, name)) return *at;
        for (const fp_command *const *part = (*at)->parts; part && *part; part++)
            if (is_called(*part, name)) return *part;
    }
    return NULL;
}

/* ---- Running one ---- */

enum { MOST_PARTS = 32, LIST = 512 };

static int tell_parts(const fp_command *command, const char *word) {
    const char *names[MOST_PARTS + 1] = {0};
    char list[LIST] = "";
    for (size_t i = 0; i < MOST_PARTS && command->parts[i]; i++) {
        names[i] = fp_command_word(command->parts[i]);
        size_t used = strlen(list);
        snprintf(list + used, LIST - used, "%s%s", i == 0 ? "" : command->parts[i + 1] ? ", " : " or ", names[i]);
    }
    if (!word) return fp_cli_usage(command, "%s takes %s", command->name, list);
    const char *nearest = fp_nearest(word, names);
    if (nearest) return fp_cli_usage(command, "%s does not know %s; did you mean %s?", command->name, word, nearest);
    return fp_cli_usage(command, "%s takes %s, not %s", command->name, list, word);
}

int fp_cli_parts(const fp_command *command, int argc, const char **argv) {
    const fp_option none[] = {{0}};
    const char **arguments;
    for (size_t i = 0; argc > 1 && command->parts[i]; i++)
        if (strcmp(argv[1], fp_command_word(command->parts[i])) == 0)
            return command->parts[i]->run(command->parts[i], argc, argv);
    int status = fp_cli_begin(command, argc, argv, none, &arguments, NULL);
    return status < 0 ? tell_parts(command, arguments[0]) : status;
}
