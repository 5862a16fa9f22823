/* SPDX-License-Identifier: GPL-3.0-or-later
 * What must not outlive the process. */
#include "base/temporary.h"

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

/* ---- Removing ---- */

enum { DEEPEST = 16, PASSES = 100, LISTED = 2048 };

static bool remove_at(int parent, const char *name, int depth);

/* One pass over an open directory. Whether anything was removed: then entries may have been passed over. */
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

/* ---- The list ---- */

enum { MOST = 64 }; /* what is registered beyond is left to the next process */
static _Atomic(const char *) registered[MOST];
static atomic_bool ending;

void fp_temporary_register(const char *path) {
    for (size_t i = 0; i < MOST; i++) {
        const char *none = NULL;
        if (atomic_compare_exchange_strong(registered + i, &none, path)) return;
    }
}

/* Where a handler runs in another thread, it may read the text: the process ends, and nothing goes on. */
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

/* ---- Directories of their own ---- */

bool fp_temporary_is_abandoned(int parent, const char *name, mode_t type) {
    struct stat facts;
    int file = openat(parent, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return false;
    bool free = fstat(file, &facts) == 0 && (facts.st_mode & S_IFMT) == type && facts.st_uid == geteuid() &&
                flock(file, LOCK_EX | LOCK_NB) == 0;
    close(file);
    return free;
}

/* The process in fplab-KIND-PROCESS-XXXXXX; 0: another name. */
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
