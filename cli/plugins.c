/* SPDX-License-Identifier: GPL-3.0-or-later
 * --plugin, for every command that takes arms. */
#include <string.h>

#include "cli/cli.h"

enum { MOST_PLUGINS = 64 };

static const char **files;

const fp_option fp_cli_plugin_options[] = {
    {"plugin", 0, FP_TAKES_LIST(&files), "load an algorithm from a shared object; may be repeated", "FILE.so"}, {0}};

/* The first of several plug-ins of one name would be taken, and the others without a word not. */
static bool is_first(const fp_algorithm *const *loaded, size_t count, fp_error *error) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(loaded[i]->name, loaded[count]->name) != 0) continue;
        fp_fail(error, FP_ERROR_DUPLICATE, "the plug-in is called %s, as that of %s is", loaded[count]->name, files[i]);
        fp_at(error, FP_ERROR_DUPLICATE, files[count], SIZE_MAX, SIZE_MAX);
        return false;
    }
    return true;
}

int fp_cli_plugins(const fp_algorithm *const **plugins) {
    static const fp_algorithm *loaded[MOST_PLUGINS + 1];
    static size_t count;
    static fp_arena *arena; /* for the life of the process, as the plug-ins */
    fp_error error = {0};
    if (files && !arena && !(arena = fp_arena_new())) return fp_cli_no_memory();
    for (; files && files[count]; count++) {
        if (count == MOST_PLUGINS) {
            fprintf(stderr, "fplab: at most %d plug-ins\n", MOST_PLUGINS);
            return FP_EXIT_USAGE;
        }
        if (fp_plugin_load(files[count], arena, &loaded[count], &error) != FP_OK || !is_first(loaded, count, &error))
            return fp_cli_fail(&error);
    }
    *plugins = loaded;
    return -1;
}
