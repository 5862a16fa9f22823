/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * file_list.h - the files of a directory and of those below it, in the order of their names.
 */
#ifndef FP_FILE_LIST_H
#define FP_FILE_LIST_H

#include "base/base.h"

typedef struct fp_listed_file {
    const char *path, *name; /* the name is the path from the directory on */
    const char *wrong;       /* why it cannot be read; NULL: nothing is known against it */
} fp_listed_file;

/* Lists regular files and what symbolic links lead to; names that begin with a dot are passed over. `glob` (fnmatch;
 * may be NULL) is matched with the file's own name, or with `name` where the pattern has a slash. A link that leads
 * back to a directory it stands in, and a directory that cannot be read, are listed with what is wrong. FP_ERROR_IO. */
fp_status fp_list_files(const char *directory, const char *glob, fp_arena *arena, fp_listed_file **files, size_t *count,
                        fp_error *error);

#endif
