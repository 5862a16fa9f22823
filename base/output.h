/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * output.h - files and directories that must not outlive the process: a signal that ends it removes them, and after a
 * kill the next process does. The list of them is global, since signals concern the process. Thread-safe.
 */
#ifndef FP_OUTPUT_H
#define FP_OUTPUT_H

#include <sys/types.h>

#include "base/base.h"

/* Registers a file, or a directory with its content, for fp_temporaries_remove. `path` must not move or change until it
 * is released, by the same pointer. */
void fp_temporary_register(const char *path);
/* After the release the path may be renamed and the text freed. NULL or an unregistered path: no effect. */
void fp_temporary_release(const char *path);
/* For the handler of a signal that ends the process: uses only system calls. */
void fp_temporaries_remove(void);

/* Removes a file, or a directory with its content, never through a symbolic link. Also safe in a handler. */
void fp_remove(const char *path);

/* A private directory in TMPDIR, or /tmp. */
typedef struct fp_temporary_directory {
    char path[4096]; /* fplab-KIND-PROCESS-XXXXXX; empty: no directory */
    int lock;        /* held, so that no other process considers it abandoned */
} fp_temporary_directory;
/* Makes it, and removes those of this user's dead processes. FP_ERROR_IO. */
fp_status fp_temporary_directory_open(fp_temporary_directory *made, const char *kind, fp_error *error);
/* Removes it with its content. */
void fp_temporary_directory_close(fp_temporary_directory *made);

/* Whether this user owns it and no process holds its lock. */
bool fp_temporary_is_abandoned(int parent, const char *name, mode_t type);

#endif
