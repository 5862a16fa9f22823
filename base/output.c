/* SPDX-License-Identifier: GPL-3.0-or-later
 * Atomic output files: written under a temporary name, synced to disk, renamed. */
#include "base/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Syncing to disk ---- */

/* A file system without fsync returns EINVAL or ENOTSUP; that is not a failure. */
bool fp_synchronise(int file) { return fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS; }

bool fp_synchronise_directory(const char *path) {
    int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) return false;
    bool good = fp_synchronise(directory);
    close(directory);
    return good;
}

/* Splits `path` into its directory and the returned name. */
static const char *split(const char *path, char *directory, size_t size) {
    const char *slash = strrchr(path, '/');
    if (!slash) snprintf(directory, size, ".");
    else snprintf(directory, size, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    return slash ? slash + 1 : path;
}

/* ---- Leftovers of killed processes ---- */

/* NAME.partPROCESS and NAME.partPROCESS-N. */
long fp_output_owner(const char *name, size_t *length) {
    static const char MARK[] = ".part";
    const char *mark = NULL, *next = name;
    while ((next = strstr(next, MARK))) mark = next++;
    if (!mark || mark == name) return 0;
    const char *digits = mark + sizeof MARK - 1;
    char *end = NULL;
    long process = *digits >= '1' && *digits <= '9' ? strtol(digits, &end, 10) : 0;
    if (process > 0 && *end == '-') end += 1 + strspn(end + 1, "0123456789");
    *length = (size_t)(mark - name);
    return process > 0 && process <= INT32_MAX && !*end ? process : 0;
}

bool fp_process_is_gone(long process) { return kill((pid_t)process, 0) != 0 && errno == ESRCH; }

/* Removes unfinished files of `path` from dead processes. */
static void sweep_beside(const char *path) {
    char where[4096];
    const char *base = split(path, where, sizeof where);
    DIR *directory = opendir(where);
    if (!directory) return;
    for (struct dirent *entry; (entry = readdir(directory));) {
        size_t length;
        long owner = fp_output_owner(entry->d_name, &length);
        if (owner && length == strlen(base) && memcmp(entry->d_name, base, length) == 0 && fp_process_is_gone(owner) &&
            fp_temporary_is_abandoned(dirfd(directory), entry->d_name, S_IFREG))
            unlinkat(dirfd(directory), entry->d_name, 0);
    }
    closedir(directory);
}

/* ---- Files ---- */

/* Never follows a symbolic link and never overwrites a file: a number is added to a name that is in use. */
static int create(fp_output *output) {
    enum { MOST = 100 };
    int file = -1;
    for (int number = 0; number < MOST && file < 0; number++) {
        int length = snprintf(output->temporary, sizeof output->temporary, "%s.part%ld", output->path, (long)getpid());
        if (number) snprintf(output->temporary + length, sizeof output->temporary - (size_t)length, "-%d", number);
        file = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (file < 0 && errno != EEXIST) break;
    }
    if (file < 0) return file;
    fp_temporary_register(output->temporary);
    flock(file, LOCK_EX | LOCK_NB);
    return file;
}

/* A device or a pipe is written directly: it must not be replaced. */
static bool is_special(const char *path) {
    struct stat facts;
    return stat(path, &facts) == 0 && !S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode);
}

static void give_up(const fp_output *output) {
    unlink(output->temporary);
    fp_temporary_release(output->temporary);
}

fp_status fp_output_open(fp_output *output, const char *path, fp_error *error) {
    *output = (fp_output){.stream = stdout};
    if (!path) return FP_OK;
    int length = snprintf(output->path, sizeof output->path, "%s", path);
    if (length < 0 || (size_t)length >= sizeof output->path)
        return fp_fail(error, FP_ERROR_RANGE, "the path is longer than %zu bytes", sizeof output->path - 1);
    bool special = is_special(path);
    if (!special) sweep_beside(path);
    int file = special ? open(path, O_WRONLY | O_CLOEXEC) : create(output);
    if (special) output->temporary[0] = '\0';
    output->stream = file < 0 ? NULL : fdopen(file, "wb");
    if (output->stream) return FP_OK;
    fp_status status = fp_file_error(error, path, "write");
    if (file >= 0) close(file);
    if (file >= 0 && !special) give_up(output);
    return status;
}

void fp_output_discard(fp_output *output) {
    if (!output->path[0]) return;
    if (output->stream) fclose(output->stream);
    output->stream = NULL;
    if (output->temporary[0]) give_up(output);
}

fp_status fp_output_end(fp_output *output, fp_status status, fp_error *error) {
    if (status == FP_OK) return fp_output_close(output, error);
    fp_output_discard(output);
    return status;
}

/* The cause of an earlier write error on an abandoned file. Its errno is lost, so the write is repeated and fails the
 * same way. */
static int cause_of(int file) {
    static const char AGAIN[1 << 16];
    for (int i = 0; i < 2; i++) /* the first may still find some room */
        if (write(file, AGAIN, sizeof AGAIN) < 0) return errno;
    return EIO;
}

/* The data is complete and on disk before the file is renamed. */
static bool finish(fp_output *output) {
    errno = 0;
    bool bad = ferror(output->stream) != 0, special = !output->temporary[0];
    if (fflush(output->stream) != 0 || (!special && !fp_synchronise(fileno(output->stream)))) bad = true;
    if (bad && errno == 0) errno = special ? EIO : cause_of(fileno(output->stream));
    int cause = errno;
    if (fclose(output->stream) != 0 && !bad) bad = true, cause = errno;
    output->stream = NULL;
    errno = cause;
    return !bad && (special || rename(output->temporary, output->path) == 0);
}

fp_status fp_output_close(fp_output *output, fp_error *error) {
    bool named = output->path[0] != '\0';
    if (!named) {
        bool bad = ferror(output->stream) != 0;
        if (fflush(output->stream) != 0) bad = true;
        if (bad) return fp_file_error(error, "standard output", "write");
        return FP_OK;
    }
    if (finish(output)) {
        char directory[4096];
        split(output->path, directory, sizeof directory);
        if (output->temporary[0]) fp_synchronise_directory(directory);
        fp_temporary_release(output->temporary);
        return FP_OK;
    }
    fp_status status = fp_file_error(error, output->path, "write");
    if (output->temporary[0]) give_up(output);
    return status;
}

fp_status fp_make_directory(const char *path, fp_error *error) {
    char partial[4096];
    if (snprintf(partial, sizeof partial, "%s", path) >= (int)sizeof partial)
        return fp_fail(error, FP_ERROR_RANGE, "the path is longer than %zu bytes", sizeof partial - 1);
    for (char *slash = partial + 1; *slash; slash++) {
        if (*slash != '/') continue;
        *slash = '\0';
        if (mkdir(partial, 0777) != 0 && errno != EEXIST) return fp_file_error(error, partial, "make the directory");
        *slash = '/';
    }
    if (mkdir(partial, 0777) != 0 && errno != EEXIST) return fp_file_error(error, path, "make the directory");
    struct stat facts;
    if (stat(path, &facts) == 0 && !S_ISDIR(facts.st_mode)) {
        errno = ENOTDIR;
        return fp_file_error(error, path, "write into");
    }
    if (access(path, W_OK | X_OK) != 0) return fp_file_error(error, path, "write into");
    return FP_OK;
}

/* ---- Removing ---- */

enum { DEEPEST = 16, PASSES = 100, LISTED = 2048 };

static bool remove_at(int parent, const char *name, int depth);

/* Makes one pass over an open directory. True if anything was removed: the pass may then have missed entries. */
static bool remove_entries(int directory, int depth) {
    _Alignas(struct dirent64) char listed[LISTED];
    bool removed = false;
    ssize_t length;
    if (lseek(directory, 0, SEEK_SET) != 0) return false;
    while ((length = getdents64(directory, listed, sizeof listed)) > 0)
        for (const char *at = listed; at < listed + length;) {
            const struct dirent64 *entry = (const struct dirent64 *)(const void *)at;
            const char *name = entry->d_name;
            if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0) removed |= remove_at(directory, name, depth);
            at += entry->d_reclen;
        }
    return removed;
}

static bool remove_at(int parent, const char *name, int depth) {
    if (unlinkat(parent, name, 0) == 0) return true;
    int directory =
        depth < DEEPEST ? openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK) : -1;
    if (directory < 0) return false;
    for (int pass = 0; pass < PASSES && remove_entries(directory, depth + 1); pass++) continue;
    close(directory);
    return unlinkat(parent, name, AT_REMOVEDIR) == 0;
}

void fp_remove(const char *path) { remove_at(AT_FDCWD, path, 0); }

/* ---- Registered paths ---- */

enum { MOST = 64 }; /* paths registered beyond this limit are left to the next process */
static _Atomic(const char *) registered[MOST];
static atomic_bool ending;

void fp_temporary_register(const char *path) {
    for (size_t i = 0; i < MOST; i++) {
        const char *none = NULL;
        if (atomic_compare_exchange_strong(registered + i, &none, path)) return;
    }
}

/* If a handler runs in another thread, it may be reading the text, so this waits: the process is ending. */
void fp_temporary_release(const char *path) {
    for (size_t i = 0; path && i < MOST; i++) {
        const char *same = path;
        if (atomic_compare_exchange_strong(registered + i, &same, NULL)) break;
    }
    while (path && atomic_load(&ending)) pause();
}

void fp_temporaries_remove(void) {
    int code = errno;
    atomic_store(&ending, true);
    for (size_t i = 0; i < MOST; i++) {
        const char *path = atomic_load(registered + i);
        if (path) fp_remove(path);
    }
    errno = code;
}

/* ---- Temporary directories ---- */

bool fp_temporary_is_abandoned(int parent, const char *name, mode_t type) {
    struct stat facts;
    int file = openat(parent, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return false;
    bool free = fstat(file, &facts) == 0 && (facts.st_mode & S_IFMT) == type && facts.st_uid == geteuid() &&
                flock(file, LOCK_EX | LOCK_NB) == 0;
    close(file);
    return free;
}

/* The process id in fplab-KIND-PROCESS-XXXXXX; 0: another name. */
static long process_of(const char *name) {
    static const char BEGIN[] = "fplab-";
    if (strncmp(name, BEGIN, sizeof BEGIN - 1) != 0) return 0;
    const char *digits = name + sizeof BEGIN - 1;
    digits += strspn(digits, "abcdefghijklmnopqrstuvwxyz");
    char *end = NULL;
    long process = *digits == '-' && digits[1] >= '1' && digits[1] <= '9' ? strtol(digits + 1, &end, 10) : 0;
    return process && *end == '-' && strlen(end + 1) == 6 && process <= INT32_MAX ? process : 0;
}

static void sweep(const char *parent) {
    DIR *directory = opendir(parent);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        long process = process_of(entry->d_name);
        if (process && fp_process_is_gone(process) &&
            fp_temporary_is_abandoned(dirfd(directory), entry->d_name, S_IFDIR))
            remove_at(dirfd(directory), entry->d_name, 0);
    }
    if (directory) closedir(directory);
}

fp_status fp_temporary_directory_open(fp_temporary_directory *made, const char *kind, fp_error *error) {
    const char *named = getenv("TMPDIR"), *parent = named && *named ? named : P_tmpdir;
    char here[2048] = "";
    *made = (fp_temporary_directory){.lock = -1};
    sweep(parent);
    if (*parent != '/' && !getcwd(here, sizeof here)) here[0] = '\0';
    int length = snprintf(made->path, sizeof made->path, "%s%s%s/fplab-%s-%ld-XXXXXX", here, *here ? "/" : "", parent,
                          kind, (long)getpid());
    if (length < 0 || (size_t)length >= sizeof made->path) errno = ENAMETOOLONG;
    else if (mkdtemp(made->path)) {
        fp_temporary_register(made->path);
        made->lock = open(made->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (made->lock >= 0) flock(made->lock, LOCK_EX | LOCK_NB);
        return FP_OK;
    }
    made->path[0] = '\0';
    return fp_fail(error, FP_ERROR_IO, "cannot make a directory in %s: %s", parent, strerror(errno));
}

void fp_temporary_directory_close(fp_temporary_directory *made) {
    if (!made->path[0]) return;
    fp_remove(made->path);
    fp_temporary_release(made->path);
    if (made->lock >= 0) close(made->lock);
    made->path[0] = '\0';
}
