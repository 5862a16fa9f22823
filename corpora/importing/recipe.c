/* SPDX-License-Identifier: GPL-3.0-or-later
 * Recipes, and the files they find. */
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

/* Packed files are as good. */
static fp_status find(const char *directory, fp_string name, fp_arena *arena, const char **path, fp_error *error) {
    static const char *const PACKED[] = {"", ".gz", ".zst"};
    for (size_t i = 0; i < 3 && !*path; i++) {
        const char *tried = fp_format(arena, "%s/%.*s%s", directory, (int)name.length, name.data, PACKED[i]);
        if (!tried) return fp_no_memory(error);
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
    const char *wanted = fp_recipe_files(recipe, arena);
    if (!wanted) return fp_no_memory(error);
    if (found) return FP_OK;
    fp_fail(error, FP_ERROR_IO, "none of the files of %s is here: %s", recipe->name, wanted);
    return fp_at(error, FP_ERROR_IO, directory, SIZE_MAX, SIZE_MAX);
}

/* ---- What the readers of sets share ---- */

fp_status fp_set_needs(const fp_set *set, size_t file, const char *name, fp_error *error) {
    if (set->paths[file]) return FP_OK;
    fp_fail(error, FP_ERROR_IO, "%s is not here, which %s belongs to", name, set->paths[file - 1]);
    return fp_at(error, FP_ERROR_IO, set->directory, SIZE_MAX, SIZE_MAX);
}

fp_status fp_set_bad(const fp_set *set, fp_status code, fp_error *why, size_t file, size_t row, fp_error *error) {
    why->code = code;
    if (!*why->file) fp_at(why, code, set->paths[file], row, why->byte);
    if (set->bad(set->context, why)) return FP_OK;
    if (error) *error = *why;
    return code;
}

fp_string fp_set_id(fp_string name) {
    const char *dot = memrchr(name.data, '.', name.length);
    return dot ? (fp_string){name.data, (size_t)(dot - name.data)} : name;
}

fp_status fp_set_link(const fp_set *set, fp_set_links *links, uint32_t a, uint32_t b, fp_error *error) {
    if (links->count == links->room) {
        size_t room = links->room ? 2 * links->room : 1024;
        void *larger = fp_arena_grow(set->arena, links->at, room * sizeof *links->at);
        if (!larger) return fp_no_memory(error);
        links->at = larger;
        links->room = room;
    }
    links->at[links->count][0] = a;
    links->at[links->count++][1] = b;
    return FP_OK;
}
