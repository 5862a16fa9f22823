/* SPDX-License-Identifier: GPL-3.0-or-later
 * --plugin, for every command that takes arms. */
#include "cli/cli.h"

enum { MOST_PLUGINS = 64 };

static const char **files;

const struct poptOption fp_cli_plugin_options[] = {
    {"plugin", 0, POPT_ARG_ARGV, &files, 0, "load an algorithm from a shared object; may be repeated", "FILE.so"},
    POPT_TABLEEND};

int fp_cli_plugins(const fp_algorithm *const **plugins) {
    static const fp_algorithm *loaded[MOST_PLUGINS + 1];
    static size_t count;
    fp_error error = {0};
    for (; files && files[count]; count++) {
        if (count == MOST_PLUGINS) {
            fprintf(stderr, "fplab: at most %d plug-ins\n", MOST_PLUGINS);
            return FP_EXIT_USAGE;
        }
        if (fp_plugin_load(files[count], &loaded[count], &error) != FP_OK) return fp_cli_fail(&error);
    }
    *plugins = loaded;
    return -1;
}
