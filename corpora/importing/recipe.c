/* SPDX-License-Identifier: GPL-3.0-or-later
 * Recipes, and finding their files. */
#include "corpora/importing/recipe.h"

#include <string.h>
#include <unistd.h>

#include "base/reader.h"

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
            int length = (int)strcspn(at, " ");
            const char *path = FP_NEED(fp_format(arena, "%s/%.*s", directory, length, at), error);
            path = FP_NEED(fp_packed_path(path, arena), error);
            if (access(path, F_OK) == 0) paths[i] = path;
            at += length + (int)strspn(at + length, " ");
        }
        found += paths[i] != NULL && !recipe->files[i].beside;
    }
    const char *wanted = FP_NEED(fp_recipe_files(recipe, arena), error);
    if (found) return FP_OK;
    return FP_FAIL_AT(error, FP_ERROR_IO, directory, "contains none of the files of %s: %s", recipe->name, wanted);
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
