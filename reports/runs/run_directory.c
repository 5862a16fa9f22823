/* SPDX-License-Identifier: GPL-3.0-or-later
 * The place where a run is written, and what others have left of theirs. */
#include "reports/runs/run_directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "reports/runs/run_fates.h"
#include "reports/runs/run_manifest.h"
#include "reports/runs/run_place.h"

static const char MARK[] = ".fplab-";
enum { LONGEST_NAME = 100 };

static fp_status cannot(const char *path, const char *doing, fp_error *error) {
    fp_fail(error, FP_ERROR_IO, "cannot %s: %s", doing, strerror(errno));
    return fp_at(error, FP_ERROR_IO, path, SIZE_MAX, SIZE_MAX);
}

/* ---- Where ---- */

/* Without links, dots and slashes at the end; what is not there yet stands behind a parent that is. */
static fp_status resolve(const char *target, fp_arena *arena, const char **real, fp_error *error) {
    char *path = fp_format(arena, "%s", target), *found = NULL;
    if (!path) return fp_no_memory(error);
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') path[--length] = '\0';
    if (length == 0) return fp_fail(error, FP_ERROR_IO, "the name of a directory is missing");
    struct stat facts;
    bool there = stat(path, &facts) == 0;
    if (there && !S_ISDIR(facts.st_mode)) {
        errno = ENOTDIR;
        return cannot(target, "write into", error);
    }
    char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    if (there) found = realpath(path, NULL);
    else {
        const char *parent = slash == path ? "/" : slash ? (*slash = '\0', path) : ".";
        FP_TRY(fp_make_directory(parent, error));
        found = realpath(parent, NULL);
    }
    if (!found) return cannot(target, "find", error);
    *real =
        there ? fp_format(arena, "%s", found) : fp_format(arena, "%s/%s", strcmp(found, "/") == 0 ? "" : found, name);
    free(found);
    return *real ? FP_OK : fp_no_memory(error);
}

/* The directory above, and the name in it. */
static const char *parent_of(const char *real, fp_arena *arena, const char **name) {
    const char *slash = strrchr(real, '/');
    *name = slash + 1;
    return slash == real ? "/" : fp_format(arena, "%.*s", (int)(slash - real), real);
}

static bool is_within(const char *path, const char *directory) {
    size_t length = strlen(directory);
    return strncmp(path, directory, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

/* A directory whose place nothing else can take: the root of a file system, one that the program runs in, one of
 * another user, or in a parent that is closed. */
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

/* ---- What others left ---- */

static bool is_locked(const char *path) {
    int directory = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    bool locked = directory < 0 || flock(directory, LOCK_EX | LOCK_NB) != 0;
    if (directory >= 0) close(directory);
    return locked;
}

/* A directory of a process that is gone: removed where it was not complete, ended where it was. */
static fp_status recover(const char *place, const char *real, fp_arena *arena, fp_error *error) {
    struct stat facts;
    fp_run_manifest manifest;
    if (lstat(place, &facts) != 0 || !S_ISDIR(facts.st_mode) || facts.st_uid != geteuid() || is_locked(place))
        return FP_OK;
    const char *moving = fp_format(arena, "%s/%s", place, FP_RUN_MOVING);
    if (!moving) return fp_no_memory(error);
    FP_TRY(fp_run_manifest_read(place, arena, &manifest, error));
    if (access(moving, F_OK) == 0) return fp_run_move(place, real, NULL, arena, error);
    if (manifest.complete) fp_run_settle(place, real, arena);
    else fp_run_remove(place);
    return FP_OK;
}

/* The process in ".NAME.fplab-PROCESS", or ".fplab-PROCESS" within; 0: another name. */
static long process_of(const char *entry, const char *name) {
    size_t length = strlen(name), mark = sizeof MARK - 1;
    if (length) {
        if (*entry != '.' || strncmp(entry + 1, name, length) != 0) return 0;
        entry += 1 + length;
    }
    if (strncmp(entry, MARK, mark) != 0 || entry[mark] < '1' || entry[mark] > '9') return 0;
    char *end;
    long process = strtol(entry + mark, &end, 10);
    if (*end == '-') end += 1 + strspn(end + 1, "0123456789");
    return *end || process > INT32_MAX ? 0 : process;
}

static fp_status sweep(const char *where, const char *name, const char *real, fp_arena *arena, fp_error *error) {
    DIR *stream = opendir(where);
    fp_status status = FP_OK;
    for (struct dirent *entry; stream && status == FP_OK && (entry = readdir(stream));) {
        long process = process_of(entry->d_name, name);
        if (!process || !fp_process_is_gone(process)) continue;
        const char *place = fp_format(arena, "%s/%s", where, entry->d_name);
        status = place ? recover(place, real, arena, error) : fp_no_memory(error);
    }
    if (stream) closedir(stream);
    return status;
}

/* ---- The place ---- */

static fp_status make_place(fp_run_directory *run, const char *where, const char *name, fp_error *error) {
    enum { MOST = 100 };
    for (int number = 0; number < MOST; number++) {
        const char *place = fp_format(run->arena, "%s/%s%s%s%ld-%d", strcmp(where, "/") == 0 ? "" : where,
                                      *name ? "." : "", name, MARK, (long)getpid(), number);
        if (!place) return fp_no_memory(error);
        if (mkdir(place, 0777) == 0) {
            run->place = run->placed = place;
            run->lock = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
            if (run->lock >= 0) flock(run->lock, LOCK_EX | LOCK_NB);
            return FP_OK;
        }
        if (errno != EEXIST) break;
    }
    return cannot(run->target, "write into", error);
}

/* Pictures would leave the directory through it. */
static fp_status refuse_link(const char *real, fp_arena *arena, fp_error *error) {
    struct stat facts;
    const char *plots = fp_format(arena, "%s/%s", real, FP_RUN_PLOTS);
    if (!plots) return fp_no_memory(error);
    if (lstat(plots, &facts) != 0 || !S_ISLNK(facts.st_mode)) return FP_OK;
    fp_fail(error, FP_ERROR_IO, "is a symbolic link, through which nothing is written");
    return fp_at(error, FP_ERROR_IO, plots, SIZE_MAX, SIZE_MAX);
}

fp_status fp_run_directory_open(const char *target, fp_arena *arena, fp_run_directory *run, fp_error *error) {
    *run = (fp_run_directory){.target = target, .arena = arena, .lock = -1};
    FP_TRY(resolve(target, arena, &run->real, error));
    const char *name, *parent = parent_of(run->real, arena, &name);
    if (!parent) return fp_no_memory(error);
    struct stat facts;
    bool there = stat(run->real, &facts) == 0;
    if (there && access(run->real, W_OK | X_OK) != 0) return cannot(target, "write into", error);
    if (there) FP_TRY(refuse_link(run->real, arena, error));
    run->in_place = there && (is_fixed(run->real, parent) || strlen(name) > LONGEST_NAME);
    if (strlen(name) <= LONGEST_NAME) FP_TRY(sweep(parent, name, run->real, arena, error));
    if (there) FP_TRY(sweep(run->real, "", run->real, arena, error));
    if (!there && strlen(name) > LONGEST_NAME) {
        FP_TRY(fp_make_directory(run->real, error));
        run->in_place = true;
    }
    return make_place(run, run->in_place ? run->real : parent, run->in_place ? "" : name, error);
}

/* With the mode that the old one has. */
static void take_mode(const char *from, const char *to) {
    struct stat facts;
    if (stat(from, &facts) == 0) chmod(to, facts.st_mode & 07777);
}

fp_status fp_run_directory_commit(fp_run_directory *run, fp_error *error) {
    bool done = false;
    const char *name, *parent = parent_of(run->real, run->arena, &name),
                      *plots = fp_format(run->arena, "%s/plots", run->place);
    if (!parent || !plots) return fp_no_memory(error);
    fp_status listed = fp_run_manifest_write(run->place, run->arena, error);
    if (listed == FP_ERROR_IO && !run->keeps_plots && access(plots, F_OK) == 0) {
        fp_run_remove(plots);
        run->plots_lost = true;
        listed = fp_run_manifest_write(run->place, run->arena, error);
    }
    FP_TRY(listed);
    fp_synchronise_directory(plots);
    if (!fp_synchronise_directory(run->place)) return cannot(run->target, "write into", error);
    struct stat facts;
    if (stat(run->real, &facts) != 0) {
        if (rename(run->place, run->real) != 0) return cannot(run->target, "put the run in its place", error);
        done = true;
    } else if (!run->in_place) {
        take_mode(run->real, run->place);
        FP_TRY(fp_run_exchange(run->place, run->real, run, &done, run->arena, error));
        if (done) fp_run_settle(run->place, run->real, run->arena);
    }
    if (!done) FP_TRY(fp_run_move(run->place, run->real, run, run->arena, error));
    fp_synchronise_directory(parent);
    if (run->lock >= 0) close(run->lock);
    run->lock = -1;
    run->place = NULL;
    return FP_OK;
}

void fp_run_directory_discard(fp_run_directory *run) {
    if (run->place) {
        const char *moving = fp_format(run->arena, "%s/%s", run->place, FP_RUN_MOVING);
        if (!moving || access(moving, F_OK) != 0) fp_run_remove(run->place); /* else the next run completes it */
        if (run->lock >= 0) close(run->lock);
    }
    run->place = NULL;
    run->lock = -1;
}
