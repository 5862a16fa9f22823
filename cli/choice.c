/* SPDX-License-Identifier: GPL-3.0-or-later
 * --choice. */
#include "cli/choice.h"

#include "algorithms/arms/arm.h"
#include "cli/run_corpora.h"

#include <string.h>

/* An error in the arm is an error in the file, not a mistake in the command line. Files that the arm names are read
 * later, once. */
static fp_status check_arm(const fp_choice *choice, const fp_algorithm *const *plugins, fp_arena *arena,
                           fp_error *error) {
    const fp_extensions more = {.size = sizeof more, .algorithms = plugins};
    fp_arm *arm;
    FP_TRY(fp_arm_bind(choice->arm, &more, arena, &arm, error));
    const char *const *files = fp_arm_files(arm, arena);
    if (*files) return FP_OK;
    FP_TRY(fp_arm_parse(choice->arm, &more, arena, &arm, error));
    double largest = fp_arm_layout(arm)->maximum;
    return choice->threshold <= largest
               ? FP_OK
               : fp_fail(error, FP_ERROR_RANGE, "the threshold %g is above the largest distance of the arm, %g",
                         choice->threshold, largest);
}

int fp_cli_read_choice(const char *file, fp_arena *arena, fp_choice *choice) {
    fp_error error = {0};
    const fp_algorithm *const *plugins;
    FP_CLI_TRY(fp_cli_plugins(&plugins));
    if (fp_choice_read(file, arena, choice, &error) != FP_OK) return fp_cli_fail(&error);
    fp_status checked = check_arm(choice, plugins, arena, &error);
    if (checked != FP_OK) {
        fp_at(&error, checked, file, SIZE_MAX, SIZE_MAX);
        return fp_cli_fail(&error);
    }
    if (!fp_choice_reached(choice))
        fprintf(stderr, "fplab: %s: tuning did not reach the requested precision of %.6g\n", file,
                choice->min_precision);
    return FP_EXIT_SUCCESS;
}

int fp_cli_read_choices(const char **specs, const char *const *files, fp_arena *arena, fp_cli_choices *choices) {
    size_t count = 0, made = 0, kept = 0;
    while (files && files[count]) count++;
    for (const char **spec = specs; spec && *spec; spec++) count += **spec == FP_CLI_CHOICE_MARK;
    fp_choice *read = fp_arena_alloc(arena, count, sizeof *read);
    for (; files && files[made]; made++) FP_CLI_TRY(fp_cli_read_choice(files[made], arena, read + made));
    for (const char **spec = specs; spec && *spec; spec++) {
        if (**spec == FP_CLI_CHOICE_MARK) FP_CLI_TRY(fp_cli_read_choice(*spec + 1, arena, read + made++));
        else specs[kept++] = *spec;
    }
    if (specs) specs[kept] = NULL;
    *choices = (fp_cli_choices){count, read};
    return FP_EXIT_SUCCESS;
}

/* Uses the name in the choice, unless another arm has it. */
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
    if (!(specs && *specs) && choices->count == 0) specs = fallback;
    size_t first = 0;
    while (specs && specs[first]) first++;
    const char **all = fp_arena_alloc(arena, first + choices->count + 1, sizeof *all);
    for (size_t i = 0; i < first; i++) all[i] = specs[i];
    for (size_t i = 0; i < choices->count; i++) all[first + i] = choices->choices[i].arm;
    int status = fp_cli_arms(all, arena, arms, count);
    return status == FP_EXIT_SUCCESS && !name_arms(choices, first, *arms) ? FP_EXIT_USAGE : status;
}

int fp_cli_spec(const fp_command *command, const char *arm, const char *choice, const char *fallback, fp_arena *arena,
                const char **spec) {
    if (arm && choice) return fp_cli_usage(command, "either --arm or --choice, not both");
    *spec = choice ? fp_format(arena, "%c%s", FP_CLI_CHOICE_MARK, choice) : arm ? arm : fallback;
    return *spec ? FP_EXIT_SUCCESS : fp_cli_usage(command, "no arm given; name it with --arm SPEC, or --choice FILE");
}
