/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * directory.h - the entries of a directory; distinguishes its end from a failure.
 */
#ifndef FP_DIRECTORY_H
#define FP_DIRECTORY_H

#include <dirent.h>
#include <errno.h>

#include "base/base.h"

/* Opens the directory; *stream is NULL, with FP_OK, if it does not exist. FP_ERROR_IO. */
static inline fp_status fp_directory_open(const char *path, DIR **stream, fp_error *error) {
    *stream = opendir(path);
    return *stream || errno == ENOENT || errno == ENOTDIR ? FP_OK : fp_file_error(error, path, "read");
}

/* The next entry, unordered; NULL at the end, and on a read error: then *status is FP_ERROR_IO. */
static inline const struct dirent *fp_directory_next(DIR *stream, const char *path, fp_status *status,
                                                     fp_error *error) {
    errno = 0;
    const struct dirent *entry = readdir(stream);
    if (!entry && errno != 0) *status = fp_file_error(error, path, "read");
    return entry;
}

#endif
