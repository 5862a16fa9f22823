/* SPDX-License-Identifier: GPL-3.0-or-later
 * Complete files out: written beside their place, carried to the disk, renamed. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/temporary.h"

/* ---- To the disk ---- */

/* A file system that has no such thing says EINVAL or ENOTSUP; that is no failure. */
bool fp_synchronise(int file) { return fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS; }

bool fp_synchronise_directory(const char *path) {
    int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) return false;
    bool good = fp_synchronise(directory);
    close(directory);
    return good;
}

/* The directory that holds `path`, and the name in it. */
static const char *split(const char *path, char *directory, size_t size) {
    const char *slash = strrchr(path, '/');
    if (!slash) snprintf(directory, size, ".");
    else snprintf(directory, size, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    return slash ? slash + 1 : path;
}

/* ---- What a process that was ended left behind ---- */

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

void fp_output_sweep(const char *path) {
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

/* Never through a symbolic link, never over what is there: a name that is taken gets a number. */
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

/* A device or a pipe is written as it stands: nothing may take its place. */
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
    if (!special) fp_output_sweep(path);
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

/* Why an earlier write to a file that is given up failed: its errno is gone, and as much again fails as it did. */
static int cause_of(int file) {
    static const char AGAIN[1 << 16];
    for (int i = 0; i < 2; i++) /* the first may find some room left */
        if (write(file, AGAIN, sizeof AGAIN) < 0) return errno;
    return EIO;
}

/* Complete and on the disk before it has its name. */
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
