/* SPDX-License-Identifier: GPL-3.0-or-later
 * Arms and corpora as run.json has them, and another --out. */
#include "cli/fixed.h"

#include <string.h>

static fp_cli_fixed fixed;

void fp_cli_fix(const fp_cli_fixed *arms) { fixed = arms ? *arms : (fp_cli_fixed){0}; }

const fp_cli_fixed *fp_cli_fixed_out(void) { return fixed.out ? &fixed : NULL; }

const char *fp_cli_fixed_corpus(size_t index, const char *path) {
    return index < fixed.corpus_count ? fixed.corpora[index] : path;
}

const char *fp_cli_fixed_name(const char *path) {
    for (size_t i = 0; i < fixed.corpus_count; i++)
        if (strcmp(fixed.corpora[i], path) == 0) return fixed.corpus_names[i];
    return NULL;
}

bool fp_cli_arms_are_fixed(void) { return fixed.count > 0; }

/* Names of arms may hold what a specification cannot. */
int fp_cli_fixed_arms(fp_arena *arena, fp_arm ***arms, size_t *count) {
    fp_error error = {0};
    const char **specs = fp_arena_alloc(arena, fixed.count + 1, sizeof *specs);
    for (size_t i = 0; specs && i < fixed.count; i++) {
        specs[i] = fp_format(arena, "%s%sname=%zu", fixed.specs[i], strchr(fixed.specs[i], ':') ? "," : ":", i);
        if (!specs[i]) specs = NULL;
    }
    if (!specs) return fp_no_memory(&error), fp_cli_fail(&error);
    int status = fp_cli_arms(specs, arena, arms, count);
    for (size_t i = 0; status < 0 && i < fixed.count; i++) (*arms)[i]->name = fixed.names[i];
    return status;
}
