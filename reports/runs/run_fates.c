/* SPDX-License-Identifier: GPL-3.0-or-later
 * Which files go and which stay, and under what name. */
#include "reports/runs/run_fates.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/directory.h"

/* ---- Files that go ---- */

static bool ends_with(const char *name, const char *ending) {
    return fp_string_ends(fp_string_of(name), fp_string_of(ending));
}

/* Of a run whose run.json names no files: pictures, and tables by their first column. Scripts may have been changed. */
static fp_status was_ours(const fp_run_fates *all, const char *name, bool *ours, fp_error *error) {
    *ours = false;
    if (!all->old->ours || all->old->complete) return FP_OK;
    *ours = strncmp(name, "plots/", 6) == 0 && (ends_with(name, ".png") || ends_with(name, ".svg"));
    if (strncmp(name, "plots/", 6) == 0 || !ends_with(name, ".tsv")) return FP_OK;
    char start[8] = "";
    const char *path = fp_format(all->arena, "%s/%s", all->directory, name);
    if (!path) return fp_no_memory(error);
    FILE *stream = fopen(path, "rb");
    if (!stream) return errno == ENOENT || errno == EACCES ? FP_OK : fp_file_error(error, path, "read");
    *ours = fread(start, 1, 7, stream) == 7 && memcmp(start, "corpus\t", 7) == 0;
    fclose(stream);
    return FP_OK;
}

/* "results.tsv.part1234" of a process that is gone. */
static fp_status is_stale(const fp_run_fates *all, const char *name, bool *stale, fp_error *error) {
    size_t length;
    long process = fp_output_owner(name, &length);
    *stale = false;
    if (!process || !fp_process_is_gone(process)) return FP_OK;
    const char *whole = fp_format(all->arena, "%.*s", (int)length, name);
    if (!whole) return fp_no_memory(error);
    *stale = strcmp(whole, FP_RUN_FILE) == 0 || fp_run_manifest_find(all->old, whole) ||
             (all->new &&fp_run_manifest_find(all->new, whole));
    return *stale ? FP_OK : was_ours(all, name, stale, error);
}

/* A file of the earlier run as that run left it, or the same as the new one. */
static fp_status is_spent(const fp_run_fates *all, const char *name, bool *spent, fp_error *error) {
    *spent = all->old->ours;
    if (strcmp(name, FP_RUN_FILE) == 0) return FP_OK;
    const fp_run_manifest_file *same[] = {fp_run_manifest_find(all->old, name),
                                          all->new ? fp_run_manifest_find(all->new, name) : NULL};
    *spent = false;
    for (int i = 0; i < 2 && !*spent; i++)
        if (same[i]) FP_TRY(fp_run_manifest_matches(all->directory, same[i], all->arena, spent, error));
    return *spent ? FP_OK : was_ours(all, name, spent, error);
}

/* ---- Files that stay ---- */

/* Whether a name may not be given to a file that is kept. */
static fp_status is_taken(const fp_run_fates *all, const char *name, bool *taken, fp_error *error) {
    struct stat facts;
    const char *path = fp_format(all->arena, "%s/%s", all->directory, name);
    if (!path) return fp_no_memory(error);
    *taken = lstat(path, &facts) == 0 || fp_run_manifest_find(all->new, name);
    return FP_OK;
}

/* Its own name, unless a file of the run has it: NAME.edited-1 … */
static fp_status keep(const fp_run_fates *all, const char *name, const char **kept, fp_error *error) {
    *kept = name;
    if (!all->new) return FP_OK;
    bool taken =
        strcmp(name, FP_RUN_FILE) == 0 || fp_run_manifest_find(all->old, name) || fp_run_manifest_find(all->new, name);
    for (int number = 1; taken; number++) {
        *kept = fp_format(all->arena, "%s.edited-%d", name, number);
        if (!*kept) return fp_no_memory(error);
        FP_TRY(is_taken(all, *kept, &taken, error));
    }
    return FP_OK;
}

/* ---- All files ---- */

static fp_status make_room(fp_run_fates *all, fp_error *error) {
    if (all->count < all->capacity) return FP_OK;
    size_t capacity = all->capacity ? all->capacity * 2 : 64;
    fp_run_fate *larger = fp_arena_raw(all->arena, capacity, sizeof *larger);
    if (!larger) return fp_no_memory(error);
    if (all->count) memcpy(larger, all->at, all->count * sizeof *larger);
    all->at = larger;
    all->capacity = capacity;
    return FP_OK;
}

static fp_status add_fate(fp_run_fates *all, const char *name, fp_error *error) {
    fp_run_fate fate = {.name = name};
    bool spent;
    FP_TRY(make_room(all, error));
    FP_TRY(is_stale(all, name, &fate.stale, error));
    FP_TRY(is_spent(all, name, &spent, error));
    if (!fate.stale && !spent) FP_TRY(keep(all, name, &fate.kept, error));
    all->at[all->count++] = fate;
    return FP_OK;
}

/* The files of the directory, or of its `plots`. One that is not there has none. */
static fp_status list_fates(fp_run_fates *all, const char *within, fp_error *error) {
    const char *path = fp_format(all->arena, "%s/%s", all->directory, within);
    if (!path) return fp_no_memory(error);
    DIR *stream;
    fp_status status = FP_OK;
    FP_TRY(fp_directory_open(path, &stream, error));
    if (!stream) return FP_OK;
    for (const struct dirent *entry; status == FP_OK && (entry = fp_directory_next(stream, path, &status, error));) {
        const char *name = entry->d_name;
        struct stat facts;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) continue;
        if (fstatat(dirfd(stream), name, &facts, AT_SYMLINK_NOFOLLOW) != 0) continue;
        if (S_ISDIR(facts.st_mode)) {
            all->divided |= *within || strcmp(name, FP_RUN_PLOTS) != 0;
            continue;
        }
        const char *whole = fp_format(all->arena, "%s%s", within, name);
        status = whole ? add_fate(all, whole, error) : fp_no_memory(error);
    }
    closedir(stream);
    return status;
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const fp_run_fate *)a)->name, ((const fp_run_fate *)b)->name);
}

fp_status fp_run_fates_read(const char *directory, const fp_run_manifest *old, const fp_run_manifest *new,
                            fp_arena *arena, fp_run_fates *all, fp_error *error) {
    *all = (fp_run_fates){.directory = directory, .old = old, .new = new, .arena = arena};
    FP_TRY(list_fates(all, "", error));
    FP_TRY(list_fates(all, FP_RUN_PLOTS "/", error));
    if (all->count) qsort(all->at, all->count, sizeof *all->at, by_name);
    return FP_OK;
}

fp_status fp_run_fates_tell(const fp_run_fates *all, fp_run_directory *run, fp_error *error) {
    fp_run_kept *kept = fp_arena_alloc(all->arena, all->count + 1, sizeof *kept);
    const char **removed = fp_arena_alloc(all->arena, all->count + 1, sizeof *removed);
    if (!kept || !removed) return fp_no_memory(error);
    run->kept_count = run->removed_count = 0;
    for (size_t i = 0; i < all->count; i++) {
        const fp_run_fate *it = all->at + i;
        if (it->kept && it->kept != it->name) kept[run->kept_count++] = (fp_run_kept){it->name, it->kept};
        else if (!it->kept && strcmp(it->name, FP_RUN_FILE) != 0 && !fp_run_manifest_find(all->new, it->name) &&
                 !it->stale)
            removed[run->removed_count++] = it->name;
    }
    run->kept = kept;
    run->removed = removed;
    return FP_OK;
}
