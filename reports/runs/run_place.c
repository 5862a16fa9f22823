/* SPDX-License-Identifier: GPL-3.0-or-later
 * One run takes the place of another; what a person wrote or changed stays. */
#include "reports/runs/run_place.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reports/runs/run_fates.h"

static fp_status cannot(const char *path, const char *doing, fp_error *error) {
    fp_fail(error, FP_ERROR_IO, "cannot %s: %s", doing, strerror(errno));
    return fp_at(error, FP_ERROR_IO, path, SIZE_MAX, SIZE_MAX);
}

/* Without memory it is not known, which is no reason to go on as if there were none. */
static fp_status look(const char *directory, const char *name, fp_arena *arena, bool *there, fp_error *error) {
    struct stat facts;
    const char *path = fp_format(arena, "%s/%s", directory, name);
    if (!path) return fp_no_memory(error);
    *there = lstat(path, &facts) == 0;
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
    const char *mark = fp_format(arena, "%s/%s", from, FP_RUN_MOVING),
               *plots = fp_format(arena, "%s/%s", to, FP_RUN_PLOTS);
    bool old = false, drawn = false;
    if (!mark || !plots) return fp_no_memory(error);
    FP_TRY(look(to, FP_RUN_FILE, arena, &old, error));
    FP_TRY(look(from, FP_RUN_PLOTS, arena, &drawn, error));
    if (mkdir(mark, 0777) != 0 && errno != EEXIST) return cannot(mark, "make the directory", error);
    if (!fp_synchronise_directory(from)) return cannot(from, "write into", error);
    if (ours && old) FP_TRY(rename_in(to, FP_RUN_FILE, mark, FP_RUN_FILE, arena, error));
    if (!fp_synchronise_directory(to)) return cannot(to, "write into", error);
    if (drawn && mkdir(plots, 0777) != 0 && errno != EEXIST) return cannot(plots, "make the directory", error);
    return FP_OK;
}

/* The earlier run, whose run.json is already put aside where the move was begun before. */
static fp_status read_old(const char *from, const char *to, fp_run_manifest *old, fp_arena *arena, fp_error *error) {
    const char *mark = fp_format(arena, "%s/%s", from, FP_RUN_MOVING);
    if (!mark) return fp_no_memory(error);
    FP_TRY(fp_run_manifest_read(mark, arena, old, error));
    return old->ours ? FP_OK : fp_run_manifest_read(to, arena, old, error);
}

static fp_status apply_fates(const fp_run_fates *all, fp_error *error) {
    for (size_t i = 0; i < all->count; i++) {
        const fp_run_fate *it = all->at + i;
        if (it->kept && it->kept != it->name)
            FP_TRY(rename_in(all->directory, it->name, all->directory, it->kept, all->arena, error));
        else if (!it->kept && strcmp(it->name, FP_RUN_FILE) != 0 && !fp_run_manifest_find(all->new, it->name))
            unlink_in(all->directory, it->name, all->arena);
    }
    return FP_OK;
}

fp_status fp_run_move(const char *from, const char *to, fp_run_directory *run, fp_arena *arena, fp_error *error) {
    fp_run_manifest old, new;
    fp_run_fates all;
    bool there = false;
    FP_TRY(look(from, FP_RUN_FILE, arena, &there, error));
    if (!there) { /* its last step is done */
        fp_run_remove(from);
        return FP_OK;
    }
    FP_TRY(fp_run_manifest_read(from, arena, &new, error));
    FP_TRY(read_old(from, to, &old, arena, error));
    FP_TRY(fp_run_fates_read(to, &old, &new, arena, &all, error));
    if (run) FP_TRY(fp_run_fates_tell(&all, run, error));
    FP_TRY(begin_move(from, to, old.ours, arena, error));
    FP_TRY(apply_fates(&all, error));
    for (size_t i = 0; i < new.count; i++) {
        FP_TRY(look(from, new.files[i].name, arena, &there, error));
        if (there) FP_TRY(rename_in(from, new.files[i].name, to, new.files[i].name, arena, error));
    }
    const char *plots = fp_format(arena, "%s/%s", to, FP_RUN_PLOTS);
    if (!plots) return fp_no_memory(error);
    if (rmdir(plots) != 0) fp_synchronise_directory(plots); /* it is empty, or not */
    if (!fp_synchronise_directory(to)) return cannot(to, "write into", error);
    FP_TRY(rename_in(from, FP_RUN_FILE, to, FP_RUN_FILE, arena, error));
    fp_synchronise_directory(to);
    fp_run_remove(from);
    return FP_OK;
}

/* ---- All at once ---- */

/* A second name in the new directory for what the user keeps. */
static bool link_kept(const fp_run_fates *all, const char *from) {
    const char *plots = fp_format(all->arena, "%s/%s", from, FP_RUN_PLOTS);
    if (!plots) return false;
    for (size_t i = 0; i < all->count; i++) {
        const fp_run_fate *it = all->at + i;
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
    fp_run_fates all;
    *done = false;
    FP_TRY(fp_run_manifest_read(from, arena, &new, error));
    FP_TRY(fp_run_manifest_read(to, arena, &old, error));
    FP_TRY(fp_run_fates_read(to, &old, &new, arena, &all, error));
    if (all.divided || !link_kept(&all, from)) return FP_OK;
    FP_TRY(fp_run_fates_tell(&all, run, error));
    *done = renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_EXCHANGE) == 0;
    return FP_OK;
}

/* ---- Ends ---- */

/* Moved, never over another. */
static void move_kept(const char *from, const char *name, const char *to, fp_arena *arena) {
    const char *before = fp_format(arena, "%s/%s", from, name), *after = fp_format(arena, "%s/%s", to, name),
               *plots = fp_format(arena, "%s/%s", to, FP_RUN_PLOTS);
    if (!before || !after || !plots) return;
    if (strncmp(name, "plots/", 6) == 0) mkdir(plots, 0777);
    for (int number = 1; renameat2(AT_FDCWD, before, AT_FDCWD, after, RENAME_NOREPLACE) != 0; number++) {
        if (errno != EEXIST || !(after = fp_format(arena, "%s/%s.edited-%d", to, name, number))) return;
    }
}

static void settle_one(const char *from, const char *to, const fp_run_fate *it, fp_arena *arena) {
    struct stat facts;
    const char *path = fp_format(arena, "%s/%s", from, it->name);
    if (!path || lstat(path, &facts) != 0 || strcmp(it->name, FP_RUN_FILE) == 0) return;
    if (!it->kept || facts.st_nlink > 1) unlink(path);
    else move_kept(from, it->name, to, arena);
}

void fp_run_settle(const char *from, const char *to, fp_arena *arena) {
    fp_error error;
    fp_run_manifest old;
    fp_run_fates all;
    if (fp_run_manifest_read(from, arena, &old, &error) != FP_OK ||
        fp_run_fates_read(from, &old, NULL, arena, &all, &error) != FP_OK)
        return;
    for (size_t i = 0; i < all.count; i++) settle_one(from, to, all.at + i, arena);
    const char *plots = fp_format(arena, "%s/%s", from, FP_RUN_PLOTS),
               *run = fp_format(arena, "%s/%s", from, FP_RUN_FILE);
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
