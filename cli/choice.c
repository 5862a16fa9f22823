/* SPDX-License-Identifier: GPL-3.0-or-later
 * --choice. */
#include "cli/choice.h"

#include "cli/fixed.h"

#include <string.h>

static int no_memory(void) {
    fp_error error = {0};
    fp_no_memory(&error);
    return fp_cli_fail(&error);
}

int fp_cli_read_choices(const char *const *files, fp_arena *arena, fp_cli_choices *choices) {
    size_t count = 0;
    while (files && files[count]) count++;
    fp_choice *made = fp_arena_alloc(arena, count, sizeof *made);
    fp_error error = {0};
    if (!made) return no_memory();
    *choices = (fp_cli_choices){count, made};
    for (size_t i = 0; i < count; i++) {
        if (fp_choice_read(files[i], arena, made + i, &error) != FP_OK) return fp_cli_fail(&error);
        if (!fp_choice_reached(made + i))
            fprintf(stderr, "fplab: %s: the precision of %.6g that was asked for was not reached on held-out groups\n",
                    files[i], made[i].min_precision);
    }
    return -1;
}

/* The name that the choice has, unless another arm bears it. */
static bool name_arms(const fp_cli_choices *choices, size_t first, fp_arm **arms) {
    for (size_t c = 0; c < choices->count; c++) {
        const char *name = choices->choices[c].name;
        for (size_t i = 0; i < first + c; i++) {
            if (strcmp(arms[i]->name, name) != 0) continue;
            fprintf(stderr, "fplab: two arms are called \"%s\", one of them a choice\n", name);
            return false;
        }
        arms[first + c]->name = name;
    }
    return true;
}

int fp_cli_arms_and_choices(const char *const *specs, const fp_cli_choices *choices, const char *const *fallback,
                            fp_arena *arena, fp_arm ***arms, size_t *count) {
    if (fp_cli_arms_are_fixed()) return fp_cli_fixed_arms(arena, arms, count);
    if (!specs && choices->count == 0) specs = fallback;
    size_t first = 0;
    while (specs && specs[first]) first++;
    const char **all = fp_arena_alloc(arena, first + choices->count + 1, sizeof *all);
    if (!all) return no_memory();
    for (size_t i = 0; i < first; i++) all[i] = specs[i];
    for (size_t i = 0; i < choices->count; i++) all[first + i] = choices->choices[i].arm;
    int status = fp_cli_arms(all, arena, arms, count);
    return status < 0 && !name_arms(choices, first, *arms) ? FP_EXIT_USAGE : status;
}

void fp_cli_choices_warn(const fp_cli_choices *choices, const fp_corpus *corpus) {
    for (size_t i = 0; i < choices->count; i++)
        if (strcmp(choices->choices[i].documents_sha256, corpus->documents_sha256) == 0)
            fprintf(stderr, "fplab: %s was chosen on the texts of %s: its figures here are not held out\n",
                    choices->choices[i].name, corpus->name);
}
