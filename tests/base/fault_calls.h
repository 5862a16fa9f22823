/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fault_calls.h - the system calls that can go wrong (fault.c), and how.
 */
#ifndef FP_FAULT_CALLS_H
#define FP_FAULT_CALLS_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/syscall.h>

typedef enum fault_sort { FAULT_OPEN, FAULT_READ, FAULT_WRITE, FAULT_CLOSE, FAULT_NAME, FAULT_OTHER } fault_sort;

typedef struct fault_call {
    long number;
    const char *name;
    fault_sort sort;
    int error;  /* that it fails with; 0: it does not */
    int file;   /* which argument is a file: 0 none, 1 the first, 2 the fifth (of mmap) */
    bool waits; /* it may be interrupted */
} fault_call;

static const fault_call FAULT_CALLS[] = {
    {SYS_openat, "openat", FAULT_OPEN, EMFILE, 0, false},
    {SYS_read, "read", FAULT_READ, EIO, 1, true},
    {SYS_pread64, "pread64", FAULT_READ, EIO, 1, true},
    {SYS_write, "write", FAULT_WRITE, EIO, 1, true},
    {SYS_pwrite64, "pwrite64", FAULT_WRITE, EIO, 1, true},
    {SYS_writev, "writev", FAULT_WRITE, EIO, 1, true},
    {SYS_pwritev, "pwritev", FAULT_WRITE, EIO, 1, true},
    {SYS_copy_file_range, "copy_file_range", FAULT_OTHER, EIO, 1, false},
    {SYS_close, "close", FAULT_CLOSE, EIO, 1, false},
    {SYS_fsync, "fsync", FAULT_OTHER, EIO, 1, true},
    {SYS_fdatasync, "fdatasync", FAULT_OTHER, EIO, 1, true},
    {SYS_msync, "msync", FAULT_OTHER, EIO, 0, false},
    {SYS_ftruncate, "ftruncate", FAULT_OTHER, EIO, 1, true},
    {SYS_fallocate, "fallocate", FAULT_OTHER, EIO, 1, true},
    {SYS_flock, "flock", FAULT_OTHER, ENOLCK, 1, true},
    {SYS_getdents64, "getdents64", FAULT_OTHER, EIO, 1, false},
    {SYS_mmap, "mmap", FAULT_OTHER, ENOMEM, 2, false},
    {SYS_rename, "rename", FAULT_NAME, EIO, 0, false},
    {SYS_renameat, "renameat", FAULT_NAME, EIO, 0, false},
    {SYS_renameat2, "renameat2", FAULT_NAME, EIO, 0, false},
    {SYS_link, "link", FAULT_NAME, EIO, 0, false},
    {SYS_linkat, "linkat", FAULT_NAME, EIO, 0, false},
    {SYS_mkdir, "mkdir", FAULT_NAME, EIO, 0, false},
    {SYS_mkdirat, "mkdirat", FAULT_NAME, EIO, 0, false},
    {SYS_unlink, "unlink", FAULT_OTHER, EIO, 0, false},
    {SYS_unlinkat, "unlinkat", FAULT_OTHER, EIO, 0, false},
    {SYS_rmdir, "rmdir", FAULT_OTHER, EIO, 0, false},
};
enum { FAULT_CALL_COUNT = sizeof FAULT_CALLS / sizeof *FAULT_CALLS };

static inline const fault_call *fault_call_of(long number) {
    for (size_t i = 0; i < FAULT_CALL_COUNT; i++)
        if (FAULT_CALLS[i].number == number) return FAULT_CALLS + i;
    return NULL;
}

#endif
