/* SPDX-License-Identifier: GPL-3.0-or-later
 * Pages of runs. */
#include "cli/run_page.h"

#include <string.h>
#include <unistd.h>

bool fp_cli_run_page_languages(const char *text, int *languages) {
    static const struct {
        const char *name;
        int languages;
    } KNOWN[] = {{"both", FP_PAGE_BOTH}, {"en", FP_PAGE_EN}, {"zh", FP_PAGE_ZH}};
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++) {
        if (text && strcmp(KNOWN[i].name, text) != 0) continue;
        *languages = KNOWN[i].languages;
        return true;
    }
    return false;
}

/* The path without ".svg" of the picture in `directory` that the run lists at i; NULL: it lists something else. */
static const char *stem_of(const fp_recorded *run, size_t i, const char *directory, fp_arena *arena) {
    const char *name = run->manifest.files[i].name;
    size_t length = strlen(name);
    if (strncmp(name, "plots/", 6) != 0 || length <= 4 || strcmp(name + length - 4, ".svg") != 0) return NULL;
    return fp_format(arena, "%s/%.*s", directory, (int)length - 4, name);
}

static bool is_there(const char *stem, const char *end, fp_arena *arena) {
    const char *path = stem ? fp_format(arena, "%s%s", stem, end) : NULL;
    return path && access(path, R_OK) == 0;
}

bool fp_cli_run_page_has_pictures(const fp_recorded *run, const char *directory, fp_arena *arena) {
    for (size_t i = 0; i < run->manifest.count; i++)
        if (is_there(stem_of(run, i, directory, arena), ".svg", arena)) return true;
    return false;
}

bool fp_cli_run_page_has_each_as(const fp_recorded *run, const char *directory, const char *end, fp_arena *arena) {
    for (size_t i = 0; i < run->manifest.count; i++) {
        const char *stem = stem_of(run, i, directory, arena);
        if (is_there(stem, ".svg", arena) && !is_there(stem, end, arena)) return false;
    }
    return true;
}

fp_run_manifest fp_cli_run_page_manifest_without(const fp_run_manifest *manifest, const char *name, fp_arena *arena) {
    fp_run_manifest made = *manifest;
    fp_run_manifest_file *files = fp_arena_alloc(arena, manifest->count + 1, sizeof *files);
    if (!files) return made;
    made.files = files;
    made.count = 0;
    for (size_t i = 0; i < manifest->count; i++)
        if (strcmp(manifest->files[i].name, name) != 0) files[made.count++] = manifest->files[i];
    return made;
}
