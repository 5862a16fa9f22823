/* SPDX-License-Identifier: GPL-3.0-or-later
 * Recipes, and finding their files. */
#include "corpora/importing/recipe.h"

#include <string.h>
#include <unistd.h>

static const fp_recipe RECIPES[] = {
#define RECIPE(...) {__VA_ARGS__},
#define READS(NAMES, KIND, ROWS) \
    { .names = (NAMES), .kind = (KIND), .rows = (ROWS) }
#define BESIDE(NAMES, KIND) \
    { .names = (NAMES), .kind = (KIND), .beside = true }
#include "corpora/importing/recipes.def"
#undef BESIDE
#undef READS
#undef RECIPE
};
enum { COUNT = sizeof RECIPES / sizeof *RECIPES };

const fp_recipe *fp_recipe_at(size_t position) { return position < COUNT ? RECIPES + position : NULL; }

const fp_recipe *fp_recipe_find(const char *name) {
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(RECIPES[i].name, name) == 0) return RECIPES + i;
    return NULL;
}

/* Accepts packed files, too. */
static fp_status find(const char *directory, fp_string name, fp_arena *arena, const char **path, fp_error *error) {
    static const char *const PACKED[] = {"", ".gz", ".zst"};
    for (size_t i = 0; i < 3 && !*path; i++) {
        const char *tried =
            FP_NEED(fp_format(arena, "%s/%.*s%s", directory, (int)name.length, name.data, PACKED[i]), error);
        if (access(tried, F_OK) == 0) *path = tried;
    }
    return FP_OK;
}

const char *fp_recipe_files(const fp_recipe *recipe, fp_arena *arena) {
    const char *names = recipe->files[0].names ? "" : "any, a directory for each group";
    for (size_t i = 0; names && i < FP_RECIPE_FILES; i++)
        if (recipe->files[i].names)
            names = fp_format(arena, "%s%s%.*s", names, i ? ", " : "", (int)strcspn(recipe->files[i].names, " "),
                              recipe->files[i].names);
    return names;
}

fp_status fp_recipe_paths(const fp_recipe *recipe, const char *directory, fp_arena *arena,
                          const char *paths[FP_RECIPE_FILES], fp_error *error) {
    size_t found = 0;
    for (size_t i = 0; i < FP_RECIPE_FILES; i++) {
        paths[i] = NULL;
        for (const char *at = recipe->files[i].names; at && *at && !paths[i];) {
            size_t length = strcspn(at, " ");
            FP_TRY(find(directory, (fp_string){at, length}, arena, paths + i, error));
            at += length + strspn(at + length, " ");
        }
        found += paths[i] != NULL && !recipe->files[i].beside;
    }
    const char *wanted = FP_NEED(fp_recipe_files(recipe, arena), error);
    if (found) return FP_OK;
    fp_fail(error, FP_ERROR_IO, "none of the files of %s is here: %s", recipe->name, wanted);
    return fp_at(error, FP_ERROR_IO, directory, SIZE_MAX, SIZE_MAX);
}

extern const char fp_table_sets[]; /* sets.py, NUL-terminated */

fp_status fp_recipe_script(const fp_recipe *recipe, const char *directory, const char *const paths[FP_RECIPE_FILES],
                           const char *to, bool skip_bad, size_t most, fp_arena *arena, const char *const **arguments,
                           fp_error *error) {
    enum { FIRST = 9 };
    const char *limit = FP_NEED(fp_format(arena, "%zu", most), error);
    const char **made = FP_NEED(fp_arena_alloc(arena, FIRST + 2 * FP_RECIPE_FILES + 1, sizeof *made), error);
    const char *const head[FIRST] = {"python3", "-I",     "-c", fp_table_sets, recipe->name, to, skip_bad ? "skip" : "",
                                     limit,     directory};
    memcpy(made, head, sizeof head);
    for (size_t i = 0; i < FP_RECIPE_FILES && recipe->files[i].names; i++) {
        made[FIRST + 2 * i] = recipe->files[i].kind;
        made[FIRST + 2 * i + 1] = paths[i] ? paths[i] : "";
    }
    *arguments = made;
    return FP_OK;
}
