/* SPDX-License-Identifier: GPL-3.0-or-later
 * Where the corpora of a run are now. */
#include "cli/run_corpora.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int refuse(const fp_command *command, const char *entry) {
    return fp_cli_usage(command, "--corpus takes NAME=DIR, with the name of a corpus of the run, not %s", entry);
}

int fp_cli_run_corpora_check(const fp_command *command, const char *const *moved) {
    for (; moved && *moved; moved++)
        if (!strchr(*moved, '=')) return refuse(command, *moved);
    return -1;
}

int fp_cli_run_corpora(const fp_command *command, const fp_recorded *run, const char *const *moved, fp_arena *arena,
                       const char **paths, bool *elsewhere) {
    size_t told = 0;
    for (size_t i = 0; i < run->corpus_count; i++) paths[i] = run->corpora[i].path;
    for (const char *const *it = moved; it && *it; it++) {
        size_t at = 0, length = 0;
        for (; at < run->corpus_count; at++) {
            length = strlen(run->corpora[at].name);
            if (strncmp(*it, run->corpora[at].name, length) == 0 && (*it)[length] == '=') break;
        }
        if (at == run->corpus_count) return refuse(command, *it);
        char *real = realpath(*it + length + 1, NULL);
        if (!real) {
            fprintf(stderr, "fplab: %s: %s\n", *it + length + 1, strerror(errno));
            return FP_EXIT_FAILURE;
        }
        told += paths[at] == run->corpora[at].path;
        paths[at] = fp_format(arena, "%s", real);
        free(real);
        if (!paths[at]) return fp_cli_no_memory();
    }
    *elsewhere = run->corpus_count && told == run->corpus_count;
    return -1;
}
