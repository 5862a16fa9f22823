/* SPDX-License-Identifier: GPL-3.0-or-later
 * One run takes the place of another; what a person wrote or changed stays. */
#include "reports/run_place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char RUN[] = "run.json", PLOTS[] = "plots";

static fp_status cannot(const char *path, const char *doing, fp_error *error) {
    fp_fail(error, FP_ERROR_IO, "cannot %s: %s", doing, strerror(errno));
    return fp_at(error, path, SIZE_MAX, SIZE_MAX);
}

static bool exists(const char *directory, const char *name, fp_arena *arena) {
    struct stat facts;
    const char *path = fp_format(arena, "%s/%s", directory, name);
    return path && lstat(path, &facts) == 0;
}

/* ---- What is there ---- */

/* A file of the directory: it goes, or stays under the name `kept`. */
typedef struct fate {
    const char *name, *kept;
} fate;

typedef struct fates {
    const char *directory;
    const fp_run_manifest *old, *new; /* the latter NULL: nothing takes the place */
    bool divided;                     /* there is a directory of the user */
    fate *at;
    size_t count, capacity;
    fp_arena *arena;
    fp_error *error;
} fates;

static bool ends_with(const char *name, const char *ending) {
    size_t length = strlen(name), tail = strlen(ending);
    return length > tail && strcmp(name + length - tail, ending) == 0;
}

/* Of a run whose run.json names no files: pictures, and tables by their first column. Scripts may have been changed. */
static bool was_ours(const fates *all, const char *name) {
    if (!all->old->ours || all->old->complete) return false;
    bool plot = strncmp(name, "plots/", 6) == 0;
    if (plot) return ends_with(name, ".png") || ends_with(name, ".svg");
    char start[8] = "";
    const char *path = fp_format(all->arena, "%s/%s", all->directory, name);
    FILE *stream = path && ends_with(name, ".tsv") ? fopen(path, "rb") : NULL;
    if (!stream) return false;
    bool table = fread(start, 1, 7, stream) == 7 && memcmp(start, "corpus\t", 7) == 0;
    fclose(stream);
    return table;
}

/* "results.tsv.part1234" of a process that is gone. */
static bool is_stale(const fates *all, const char *name) {
    size_t length;
    long process = fp_output_owner(name, &length);
    if (!process || !fp_process_is_gone(process)) return false;
    const char *whole = fp_format(all->arena, "%.*s", (int)length, name);
    return whole && (strcmp(whole, RUN) == 0 || fp_run_manifest_find(all->old, whole) || was_ours(all, name) ||
                     (all->new &&fp_run_manifest_find(all->new, whole)));
}

/* Whether it goes: a file of the earlier run as that run left it, or the same as the new one. */
static bool is_spent(const fates *all, const char *name) {
    if (strcmp(name, RUN) == 0) return all->old->ours;
    const fp_run_manifest_file *was = fp_run_manifest_find(all->old, name),
                               *is = all->new ? fp_run_manifest_find(all->new, name) : NULL;
    return (was && fp_run_manifest_matches(all->directory, was, all->arena)) ||
           (is && fp_run_manifest_matches(all->directory, is, all->arena)) || is_stale(all, name) ||
           was_ours(all, name);
}

/* Its own name, unless a file of the run has it: NAME.edited-1 … */
static const char *kept_name(const fates *all, const char *name) {
    bool taken = strcmp(name, RUN) == 0 || fp_run_manifest_find(all->old, name) || fp_run_manifest_find(all->new, name);
    const char *kept = name;
    for (int number = 1; kept && taken; number++) {
        kept = fp_format(all->arena, "%s.edited-%d", name, number);
        taken = kept && (exists(all->directory, kept, all->arena) || fp_run_manifest_find(all->new, kept));
    }
    return kept;
}

static fp_status add_fate(fates *all, const char *name) {
    if (all->count == all->capacity) {
        size_t capacity = all->capacity ? all->capacity * 2 : 64;
        fate *larger = fp_arena_raw(all->arena, capacity, sizeof *larger);
        if (!larger) return fp_no_memory(all->error);
        if (all->count) memcpy(larger, all->at, all->count * sizeof *larger);
        all->at = larger;
        all->capacity = capacity;
    }
    const char *kept = is_spent(all, name) ? NULL : all->new ? kept_name(all, name) : name;
    all->at[all->count++] = (fate){name, kept};
    return FP_OK;
}

/* The files of the directory, or of its `plots`. */
static fp_status list_fates(fates *all, const char *within) {
    const char *path = fp_format(all->arena, "%s/%s", all->directory, within);
    if (!path) return fp_no_memory(all->error);
    DIR *stream = opendir(path);
    fp_status status = FP_OK;
    for (struct dirent *entry; stream && status == FP_OK && (entry = readdir(stream));) {
        const char *name = entry->d_name;
        struct stat facts;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) continue;
        if (fstatat(dirfd(stream), name, &facts, AT_SYMLINK_NOFOLLOW) != 0) continue;
        if (S_ISDIR(facts.st_mode)) {
            all->divided |= *within || strcmp(name, PLOTS) != 0;
            continue;
        }
        const char *whole = fp_format(all->arena, "%s%s", within, name);
        status = whole ? add_fate(all, whole) : fp_no_memory(all->error);
    }
    if (stream) closedir(stream);
    return status;
}

static int by_name(const void *a, const void *b) { return strcmp(((const fate *)a)->name, ((const fate *)b)->name); }

static fp_status read_fates(const char *directory, const fp_run_manifest *old, const fp_run_manifest *new,
                            fp_arena *arena, fates *all, fp_error *error) {
    *all = (fates){.directory = directory, .old = old, .new = new, .arena = arena, .error = error};
    FP_TRY(list_fates(all, ""));
    FP_TRY(list_fates(all, "plots/"));
    if (all->count) qsort(all->at, all->count, sizeof *all->at, by_name);
    return FP_OK;
}

/* What the user is told. */
static fp_status tell(const fates *all, fp_run_directory *run) {
    fp_run_kept *kept = fp_arena_alloc(all->arena, all->count + 1, sizeof *kept);
    const char **removed = fp_arena_alloc(all->arena, all->count + 1, sizeof *removed);
    if (!kept || !removed) return fp_no_memory(all->error);
    run->kept_count = run->removed_count = 0;
    for (size_t i = 0; i < all->count; i++) {
        const fate *it = all->at + i;
        if (it->kept && it->kept != it->name) kept[run->kept_count++] = (fp_run_kept){it->name, it->kept};
        else if (!it->kept && strcmp(it->name, RUN) != 0 && !fp_run_manifest_find(all->new, it->name) &&
                 !is_stale(all, it->name))
            removed[run->removed_count++] = it->name;
    }
    run->kept = kept;
    run->removed = removed;
    return FP_OK;
}

/* ---- One by one ---- */

static fp_status rename_in(const char *from, const char *name, const char *to, const char *as, fp_arena *arena,
                           fp_error *error) {
    const char *before = fp_format(arena, "%s/%s", from, name), *after = fp_format(arena, "%s/%s", to, as);
    if (!before || !after) return fp_no_memory(error);
    return rename(before, after) == 0 ? FP_OK : cannot(after, "put the run in its place", error);
}

static void unlink_in(const char *directory, const char *name, fp_arena *arena) {
    const char *path = fp_format(arena, "%s/%s", directory, name);
    if (path) unlink(path);
}

/* The mark tells the next run that this move has begun, and holds the run.json of the earlier run. */
static fp_status begin_move(const char *from, const char *to, bool ours, fp_arena *arena, fp_error *error) {
    const char *mark = fp_format(arena, "%s/%s", from, FP_RUN_MOVING), *plots = fp_format(arena, "%s/%s", to, PLOTS);
    if (!mark || !plots) return fp_no_memory(error);
    if (mkdir(mark, 0777) != 0 && errno != EEXIST) return cannot(mark, "make the directory", error);
    if (!fp_synchronise_directory(from)) return cannot(from, "write into", error);
    if (ours && exists(to, RUN, arena)) FP_TRY(rename_in(to, RUN, mark, RUN, arena, error));
    if (!fp_synchronise_directory(to)) return cannot(to, "write into", error);
    if (exists(from, PLOTS, arena) && mkdir(plots, 0777) != 0 && errno != EEXIST)
        return cannot(plots, "make the directory", error);
    return FP_OK;
}

/* The earlier run, whose run.json is already put aside where the move was begun before. */
static fp_status read_old(const char *from, const char *to, fp_run_manifest *old, fp_arena *arena, fp_error *error) {
    const char *mark = fp_format(arena, "%s/%s", from, FP_RUN_MOVING);
    if (!mark) return fp_no_memory(error);
    FP_TRY(fp_run_manifest_read(mark, arena, old, error));
    return old->ours ? FP_OK : fp_run_manifest_read(to, arena, old, error);
}

static fp_status apply_fates(const fates *all) {
    for (size_t i = 0; i < all->count; i++) {
        const fate *it = all->at + i;
        if (it->kept && it->kept != it->name)
            FP_TRY(rename_in(all->directory, it->name, all->directory, it->kept, all->arena, all->error));
        else if (!it->kept && strcmp(it->name, RUN) != 0 && !fp_run_manifest_find(all->new, it->name))
            unlink_in(all->directory, it->name, all->arena);
    }
    return FP_OK;
}

fp_status fp_run_move(const char *from, const char *to, fp_run_directory *run, fp_arena *arena, fp_error *error) {
    fp_run_manifest old, new;
    fates all;
    if (!exists(from, RUN, arena)) { /* its last step is done */
        fp_run_remove(from);
        return FP_OK;
    }
    FP_TRY(fp_run_manifest_read(from, arena, &new, error));
    FP_TRY(read_old(from, to, &old, arena, error));
    FP_TRY(read_fates(to, &old, &new, arena, &all, error));
    if (run) FP_TRY(tell(&all, run));
    FP_TRY(begin_move(from, to, old.ours, arena, error));
    FP_TRY(apply_fates(&all));
    for (size_t i = 0; i < new.count; i++)
        if (exists(from, new.files[i].name, arena))
            FP_TRY(rename_in(from, new.files[i].name, to, new.files[i].name, arena, error));
    const char *plots = fp_format(arena, "%s/%s", to, PLOTS);
    if (!plots) return fp_no_memory(error);
    if (rmdir(plots) != 0) fp_synchronise_directory(plots); /* it is empty, or not */
    if (!fp_synchronise_directory(to)) return cannot(to, "write into", error);
    FP_TRY(rename_in(from, RUN, to, RUN, arena, error));
    fp_synchronise_directory(to);
    fp_run_remove(from);
    return FP_OK;
}

/* ---- All at once ---- */

/* A second name in the new directory for what the user keeps. */
static bool link_kept(const fates *all, const char *from) {
    const char *plots = fp_format(all->arena, "%s/%s", from, PLOTS);
    if (!plots) return false;
    for (size_t i = 0; i < all->count; i++) {
        const fate *it = all->at + i;
        if (!it->kept) continue;
        const char *before = fp_format(all->arena, "%s/%s", all->directory, it->name),
                   *after = fp_format(all->arena, "%s/%s", from, it->kept);
        if (strncmp(it->name, "plots/", 6) == 0 && mkdir(plots, 0777) != 0 && errno != EEXIST) return false;
        if (!before || !after || linkat(AT_FDCWD, before, AT_FDCWD, after, 0) != 0) return false;
    }
    fp_synchronise_directory(plots);
    return fp_synchronise_directory(from);
}

fp_status fp_run_exchange(const char *from, const char *to, fp_run_directory *run, bool *done, fp_arena *arena,
                          fp_error *error) {
    fp_run_manifest old, new;
    fates all;
    *done = false;
    FP_TRY(fp_run_manifest_read(from, arena, &new, error));
    FP_TRY(fp_run_manifest_read(to, arena, &old, error));
    FP_TRY(read_fates(to, &old, &new, arena, &all, error));
    if (all.divided || !link_kept(&all, from)) return FP_OK;
    FP_TRY(tell(&all, run));
    *done = renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_EXCHANGE) == 0;
    return FP_OK;
}

/* ---- Ends ---- */

/* Moved, never over another. */
static void move_kept(const char *from, const char *name, const char *to, fp_arena *arena) {
    const char *before = fp_format(arena, "%s/%s", from, name), *after = fp_format(arena, "%s/%s", to, name),
               *plots = fp_format(arena, "%s/%s", to, PLOTS);
    if (!before || !after || !plots) return;
    if (strncmp(name, "plots/", 6) == 0) mkdir(plots, 0777);
    for (int number = 1; renameat2(AT_FDCWD, before, AT_FDCWD, after, RENAME_NOREPLACE) != 0; number++) {
        if (errno != EEXIST || !(after = fp_format(arena, "%s/%s.edited-%d", to, name, number))) return;
    }
}

static void settle_one(const char *from, const char *to, const fate *it, fp_arena *arena) {
    struct stat facts;
    const char *path = fp_format(arena, "%s/%s", from, it->name);
    if (!path || lstat(path, &facts) != 0 || strcmp(it->name, RUN) == 0) return;
    if (!it->kept || facts.st_nlink > 1) unlink(path);
    else move_kept(from, it->name, to, arena);
}

void fp_run_settle(const char *from, const char *to, fp_arena *arena) {
    fp_error error;
    fp_run_manifest old;
    fates all;
    if (fp_run_manifest_read(from, arena, &old, &error) != FP_OK ||
        read_fates(from, &old, NULL, arena, &all, &error) != FP_OK)
        return;
    for (size_t i = 0; i < all.count; i++) settle_one(from, to, all.at + i, arena);
    const char *plots = fp_format(arena, "%s/%s", from, PLOTS), *run = fp_format(arena, "%s/%s", from, RUN);
    if (!plots || !run) return;
    rmdir(plots);
    unlink(run);
    rmdir(from);
}

static int remove_one(const char *path, const struct stat *facts, int kind, struct FTW *walk) {
    (void)facts, (void)kind, (void)walk;
    remove(path);
    return 0;
}

void fp_run_remove(const char *directory) {
    enum { DESCRIPTORS = 8 };
    nftw(directory, remove_one, DESCRIPTORS, FTW_DEPTH | FTW_PHYS);
}
