/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * output.h - files and directories that must not outlive the process: a signal that ends it removes them, and what a
 * killed process left is removed by the next one. The list of them is the only state that the library holds: signals
 * come to the process. Any thread.
 */
#ifndef FP_OUTPUT_H
#define FP_OUTPUT_H

#include <sys/types.h>

#include "base/base.h"

/* From now on fp_temporaries_remove removes the file, or the directory with all that is in it. `path` stays where it is
 * and as it is until it is released, by the same pointer. */
void fp_temporary_register(const char *path);
/* Whoever has released a path may rename it, and free the text. NULL, or what is not registered: nothing. */
void fp_temporary_release(const char *path);
/* For the handler of a signal that ends the process: system calls alone. */
void fp_temporaries_remove(void);

/* Removes a file, or a directory with all that is in it, never through a symbolic link. The same. */
void fp_remove(const char *path);

/* A directory of its own in TMPDIR, or /tmp. */
typedef struct fp_temporary_directory {
    char path[4096]; /* fplab-KIND-PROCESS-XXXXXX; empty: there is none */
    int lock;        /* held, so that no process elsewhere takes it for abandoned */
} fp_temporary_directory;
/* Makes it, and removes those of this user's processes that are gone. FP_ERROR_IO. */
fp_status fp_temporary_directory_open(fp_temporary_directory *made, const char *kind, fp_error *error);
/* With all that is in it. */
void fp_temporary_directory_close(fp_temporary_directory *made);

/* Whether this user owns it and no process holds its lock. */
bool fp_temporary_is_abandoned(int parent, const char *name, mode_t type);

#endif
