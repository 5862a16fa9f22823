/* SPDX-License-Identifier: GPL-3.0-or-later
 * The directory in which a run is written, and cleanup after ended processes. */
#include "reports/runs/run_directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/output.h"
#include "reports/runs/run_manifest.h"

static const char MARK[] = ".fplab-";
/* Directory in a place that marks a file-by-file move in progress; it receives the earlier run.json first. */
static const char MOVING[] = ".moving";

/* ---- Paths ---- */

/* Resolves links, dots and trailing slashes. A missing target is appended to its parent, which is made if needed. */
static fp_status resolve(const char *target, fp_arena *arena, const char **real, fp_error *error) {
    char *path = fp_format(arena, "%s", target), found[PATH_MAX];
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') path[--length] = '\0';
    if (length == 0) return fp_fail(error, FP_ERROR_IO, "the name of a directory is missing");
    struct stat facts;
    bool there = stat(path, &facts) == 0;
    if (!there && lstat(path, &facts) == 0 && S_ISLNK(facts.st_mode)) {
        return FP_FAIL_AT(error, FP_ERROR_IO, target,
                          "is a symbolic link that leads to no directory; make that one, or remove the link");
    }
    if (there && !S_ISDIR(facts.st_mode)) {
        errno = ENOTDIR;
        return fp_file_error(error, target, "write into");
    }
    char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *known = there ? path : slash == path ? "/" : slash ? (*slash = '\0', path) : ".";
    if (!there) FP_TRY(fp_make_directory(known, error));
    if (!realpath(known, found)) return fp_file_error(error, target, "find");
    *real =
        there ? fp_format(arena, "%s", found) : fp_format(arena, "%s/%s", strcmp(found, "/") == 0 ? "" : found, name);
    return FP_OK;
}

/* Returns the parent directory; *name: the last component. */
static const char *parent_of(const char *real, fp_arena *arena, const char **name) {
    const char *slash = strrchr(real, '/');
    *name = slash + 1;
    return slash == real ? "/" : fp_format(arena, "%.*s", (int)(slash - real), real);
}

static bool is_within(const char *path, const char *directory) {
    size_t length = strlen(directory);
    return strncmp(path, directory, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

/* Whether the directory cannot be exchanged: the root of a file system, one that contains the working directory, one of
 * another user, or one whose parent is not writable. */
static bool is_fixed(const char *real, const char *parent) {
    char *here = getcwd(NULL, 0);
    bool inside = here && is_within(here, real);
    free(here);
    struct statx facts;
    if (inside || access(parent, W_OK | X_OK) != 0) return true;
    if (statx(AT_FDCWD, real, AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, &facts) != 0) return errno != ENOENT;
    if (facts.stx_attributes_mask & facts.stx_attributes & STATX_ATTR_MOUNT_ROOT) return true;
    struct stat above;
    return stat(parent, &above) != 0 || facts.stx_uid != geteuid() ||
           (facts.stx_dev_major != major(above.st_dev) || facts.stx_dev_minor != minor(above.st_dev));
}

/* NAME of the place of a run: `name`, or its hash where ".NAME.fplab-PROCESS-NUMBER" would be too long a name. */
static const char *place_name(const char *name, fp_arena *arena) {
    enum { ENDING = sizeof "..fplab-2147483647-99" };
    size_t length = strlen(name);
    return length + ENDING <= NAME_MAX ? name
                                       : fp_format(arena, "%016llx", (unsigned long long)fp_xxh3(name, length, 0));
}

/* ---- Existing files ---- */

/* The process in ".NAME.fplab-PROCESS" (NAME: place_name) or, inside the directory, ".fplab-PROCESS" (*length, that of
 * NAME, is then 0). 0: the entry has no such name. */
static long process_of(const char *entry, size_t *length) {
    const char *mark = NULL, *next = entry;
    while ((next = strstr(next, MARK))) mark = next++;
    if (!mark || *entry != '.' || mark == entry + 1) return 0;
    *length = mark == entry ? 0 : (size_t)(mark - entry) - 1;
    const char *digits = mark + sizeof MARK - 1;
    char *end;
    long process = *digits >= '1' && *digits <= '9' ? strtol(digits, &end, 10) : 0;
    if (process && *end == '-') end += 1 + strspn(end + 1, "0123456789");
    return process <= 0 || *end || process > INT32_MAX ? 0 : process;
}

static bool is_place_within(const char *entry) {
    size_t length;
    return process_of(entry, &length) && length == 0;
}

/* The unfinished file of an ended process: "results.tsv.part1234". */
static bool is_stale(const fp_run_manifest *old, const char *name) {
    size_t length;
    char final[256];
    long process = fp_output_owner(name, &length);
    if (!process || !fp_process_is_gone(process) || length >= sizeof final) return false;
    snprintf(final, sizeof final, "%.*s", (int)length, name);
    return strcmp(final, FP_RUN_FILE) == 0 || fp_run_manifest_find(old, final);
}

/* Whether the file is unchanged since a run wrote it, so it may be replaced. */
static fp_status is_untouched(const char *directory, const fp_run_manifest *old, const char *name, fp_arena *arena,
                              bool *untouched, fp_error *error) {
    const fp_run_manifest_file *file = fp_run_manifest_find(old, name);
    *untouched = (strcmp(name, FP_RUN_FILE) == 0 && old->ours) || is_place_within(name) || is_stale(old, name);
    return file && !*untouched ? fp_run_manifest_matches(directory, file, arena, untouched, error) : FP_OK;
}

/* Refuses a directory that must not be replaced or, when adding files, whose files of the same names must not. */
static fp_status check_files(const fp_run_directory *run, const fp_run_manifest *old, fp_error *error) {
    enum { NAMED = 3 };
    fp_run_entry *entries;
    size_t entry_count, count = 0;
    bool adds = run->use >= FP_RUN_ADD, forced = run->use == FP_RUN_FORCE || run->use == FP_RUN_ADD_FORCE;
    const char *names = "";
    FP_TRY(fp_run_list(run->real, run->arena, &entries, &entry_count, error));
    for (size_t i = 0; i < entry_count; i++) {
        const char *name = entries[i].name, *new = fp_format(run->arena, "%s/%s", run->place, name);
        bool untouched;
        if (adds && (access(new, F_OK) != 0 || strcmp(name, FP_RUN_FILE) == 0)) continue;
        FP_TRY(is_untouched(run->real, old, name, run->arena, &untouched, error));
        if (entries[i].directory && !untouched)
            return FP_FAIL_AT(error, FP_ERROR_IO, run->target,
                              "has a directory that a run did not make: %s; remove it, or name another directory",
                              name);
        if (untouched || forced || count++ >= NAMED) continue;
        names = fp_format(run->arena, "%s%s%s", names, *names ? ", " : "", name);
    }
    if (count == 0) return FP_OK;
    if (count > NAMED) names = fp_format(run->arena, "%s and %zu more", names, count - NAMED);
    return FP_FAIL_AT(error, FP_ERROR_IO, run->target,
                      "has files that a run did not write, or that were changed since: %s; %s, or add --force to %s",
                      names, adds ? "name another place with --out" : "name another directory",
                      adds ? "write over them" : "remove them");
}

/* ---- File-by-file moves ---- */

/* Moves a regular file; skips files already moved, and links (fp_run_link). */
static fp_status rename_in(const char *from, const char *to, const char *name, fp_arena *arena, fp_error *error) {
    struct stat facts;
    const char *before = fp_format(arena, "%s/%s", from, name), *after = fp_format(arena, "%s/%s", to, name);
    if (lstat(before, &facts) != 0 || !S_ISREG(facts.st_mode)) return FP_OK;
    return rename(before, after) == 0 ? FP_OK : fp_file_error(error, after, "put the run in its place");
}

static fp_status make_inner(const char *path, fp_error *error) {
    return mkdir(path, 0777) == 0 || errno == EEXIST ? FP_OK : fp_file_error(error, path, "make the directory");
}

/* Removes files of the earlier run that the new one lacks; with `all` also files of other origin. */
static fp_status clear(const char *directory, const fp_run_manifest *old, const fp_run_manifest *new, bool all,
                       fp_arena *arena, fp_error *error) {
    fp_run_entry *entries;
    size_t count;
    FP_TRY(fp_run_list(directory, arena, &entries, &count, error));
    for (size_t i = 0; i < count; i++) {
        const char *name = entries[i].name, *path = fp_format(arena, "%s/%s", directory, name);
        bool untouched;
        if (entries[i].directory || fp_run_manifest_find(new, name) || strcmp(name, FP_RUN_FILE) == 0) continue;
        FP_TRY(is_untouched(directory, old, name, arena, &untouched, error));
        if (untouched || all) unlink(path);
    }
    return FP_OK;
}

/* Moves the files of `from` into `to` one by one. Can continue an interrupted move, whose earlier run.json is already
 * in from/MOVING. */
static fp_status move(const char *from, const char *to, fp_run_use use, fp_arena *arena, fp_error *error) {
    fp_run_manifest old, new;
    const char *mark = fp_format(arena, "%s/%s", from, MOVING), *plots = fp_format(arena, "%s/" FP_RUN_PLOTS, to);
    FP_TRY(fp_run_manifest_read(from, arena, &new, error));
    if (!new.complete) return fp_remove(from), FP_OK; /* only removing `from` was left */
    FP_TRY(fp_run_manifest_read(mark, arena, &old, error));
    if (!old.ours) FP_TRY(fp_run_manifest_read(to, arena, &old, error));
    FP_TRY(make_inner(mark, error));
    if (!fp_synchronise_directory(from)) return fp_file_error(error, from, "write into");
    if (use < FP_RUN_ADD) {
        FP_TRY(rename_in(to, mark, FP_RUN_FILE, arena, error));
        if (!fp_synchronise_directory(to)) return fp_file_error(error, to, "write into");
        FP_TRY(clear(to, &old, &new, use == FP_RUN_FORCE, arena, error));
    }
    FP_TRY(make_inner(plots, error));
    for (size_t i = 0; i < new.count; i++) FP_TRY(rename_in(from, to, new.files[i].name, arena, error));
    if (rmdir(plots) != 0) fp_synchronise_directory(plots); /* fails unless empty */
    if (!fp_synchronise_directory(to)) return fp_file_error(error, to, "write into");
    FP_TRY(rename_in(from, to, FP_RUN_FILE, arena, error));
    fp_synchronise_directory(to);
    fp_remove(from);
    return FP_OK;
}

/* ---- Writing and committing ---- */

static bool is_moving(const char *place, fp_arena *arena) {
    const char *mark = fp_format(arena, "%s/%s", place, MOVING);
    return access(mark, F_OK) == 0;
}

/* Removes the places of ended processes: files of an unfinished or a replaced run. Completes interrupted moves to this
 * name; the next run there completes moves to other names. */
static fp_status sweep(const char *where, const char *name, const char *real, fp_arena *arena, fp_error *error) {
    DIR *stream = opendir(where);
    fp_status status = FP_OK;
    for (struct dirent *entry; stream && status == FP_OK && (entry = readdir(stream));) {
        size_t length;
        long process = process_of(entry->d_name, &length);
        if (!process || (length == 0) != (*name == '\0') || !fp_process_is_gone(process) ||
            !fp_temporary_is_abandoned(dirfd(stream), entry->d_name, S_IFDIR))
            continue;
        const char *place = fp_format(arena, "%s/%s", where, entry->d_name);
        bool same = length == strlen(name) && strncmp(entry->d_name + 1, name, length) == 0;
        if (!is_moving(place, arena)) fp_remove(place);
        else if (same || !length) status = move(place, real, FP_RUN_REPLACE, arena, error);
    }
    if (stream) closedir(stream);
    return status;
}

static fp_status make_place(fp_run_directory *run, const char *where, const char *name, fp_error *error) {
    enum { MOST = 100 };
    for (int number = 0; number < MOST; number++) {
        const char *place = fp_format(run->arena, "%s/%s%s%s%ld-%d", strcmp(where, "/") == 0 ? "" : where,
                                      *name ? "." : "", name, MARK, (long)getpid(), number);
        if (mkdir(place, 0777) == 0) {
            run->place = run->placed = place;
            run->content = (fp_run_content){.directory = place, .arena = run->arena};
            fp_temporary_register(place);
            run->lock = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
            if (run->lock >= 0) flock(run->lock, LOCK_EX | LOCK_NB);
            return FP_OK;
        }
        if (errno != EEXIST) break;
    }
    return fp_file_error(error, run->target, "write into");
}

/* Refuses a `plots` that is a link, because pictures would be written outside the directory. */
static fp_status refuse_link(const char *real, fp_arena *arena, fp_error *error) {
    struct stat facts;
    const char *plots = fp_format(arena, "%s/%s", real, FP_RUN_PLOTS);
    if (lstat(plots, &facts) != 0 || !S_ISLNK(facts.st_mode)) return FP_OK;
    return FP_FAIL_AT(error, FP_ERROR_IO, plots, "is a symbolic link, and fplab does not write through links");
}

fp_status fp_run_directory_open(const char *target, fp_run_use use, fp_arena *arena, fp_run_directory *run,
                                fp_error *error) {
    *run = (fp_run_directory){.target = target, .use = use, .arena = arena, .lock = -1};
    FP_TRY(resolve(target, arena, &run->real, error));
    const char *name, *parent = parent_of(run->real, arena, &name);
    fp_run_manifest old;
    struct stat facts;
    bool there = stat(run->real, &facts) == 0, adds = use >= FP_RUN_ADD;
    if (there && access(run->real, W_OK | X_OK) != 0) return fp_file_error(error, target, "write into");
    if (there) FP_TRY(refuse_link(run->real, arena, error));
    name = place_name(name, arena);
    FP_TRY(sweep(parent, name, run->real, arena, error));
    if (there) FP_TRY(sweep(run->real, "", run->real, arena, error));
    if (there && !adds) {
        FP_TRY(fp_run_manifest_read(run->real, arena, &old, error));
        FP_TRY(check_files(run, &old, error));
    }
    run->in_place = adds || (there && is_fixed(run->real, parent));
    return make_place(run, run->in_place ? run->real : parent, run->in_place ? "" : name, error);
}

static fp_status list_files(fp_run_directory *run, const fp_run_manifest *old, fp_error *error) {
    bool adds = run->use >= FP_RUN_ADD;
    const char *plots = fp_format(run->arena, "%s/" FP_RUN_PLOTS, run->place);
    fp_status status = fp_run_manifest_write(run->place, adds ? old : NULL, run->arena, error);
    if (status == FP_ERROR_IO && !adds && access(plots, F_OK) == 0) {
        fp_remove(plots);
        run->plots_lost = true;
        status = fp_run_manifest_write(run->place, NULL, run->arena, error);
    }
    FP_TRY(status);
    fp_synchronise_directory(plots);
    return fp_synchronise_directory(run->place) ? FP_OK : fp_file_error(error, run->target, "write into");
}

static void leave_place(fp_run_directory *run) {
    fp_temporary_release(run->place);
    run->place = NULL;
}

/* Keeps the new run next to the target if a file there changed during the run. */
static void put_beside(fp_run_directory *run, fp_error *error) {
    const char *beside = fp_format(run->arena, "%s%cnew", run->real, run->in_place ? '/' : '.');
    if (run->use >= FP_RUN_ADD || !beside || rename(run->place, beside) != 0) return;
    size_t length = strlen(error->message);
    snprintf(error->message + length, sizeof error->message - length, "; the new run is in %s", beside);
    leave_place(run);
}

/* Renames to a free name, exchanges, or moves file by file. */
static fp_status put_in_place(const fp_run_directory *run, fp_error *error) {
    struct stat facts;
    if (stat(run->real, &facts) != 0)
        return rename(run->place, run->real) == 0 ? FP_OK
                                                  : fp_file_error(error, run->target, "put the run in its place");
    if (!run->in_place) chmod(run->place, facts.st_mode & 07777);
    if (!run->in_place && renameat2(AT_FDCWD, run->place, AT_FDCWD, run->real, RENAME_EXCHANGE) == 0)
        return fp_remove(run->place), FP_OK; /* now holds the earlier run */
    fp_temporary_release(run->place);        /* the next run completes an interrupted move */
    return move(run->place, run->real, run->use, run->arena, error);
}

fp_status fp_run_directory_commit(fp_run_directory *run, fp_error *error) {
    const char *name, *parent = parent_of(run->real, run->arena, &name);
    fp_run_manifest old;
    FP_TRY(fp_run_manifest_read(run->real, run->arena, &old, error));
    FP_TRY(list_files(run, &old, error));
    fp_status status = check_files(run, &old, error);
    if (status != FP_OK) return put_beside(run, error), status;
    FP_TRY(put_in_place(run, error));
    fp_synchronise_directory(parent);
    leave_place(run);
    return FP_OK;
}

void fp_run_directory_discard(fp_run_directory *run) {
    if (run->place && !is_moving(run->place, run->arena)) fp_remove(run->place); /* or the next run completes it */
    if (run->lock >= 0) close(run->lock);
    leave_place(run);
    run->lock = -1;
}
