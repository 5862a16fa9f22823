/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Preloaded (LD_PRELOAD), it makes one allocation of a program fail, or that one and all that follow.
 *
 *     FAIL_AT     its number, from 1; 0 or absent: none
 *     FAIL_AFTER  set: all that follow it fail, too
 *     FAIL_TELL   a file for what was seen: without FAIL_AT one line an allocation, "NUMBER OWNER"; with it that line
 * of the one that failed, and the calls that led to it (addr2line -f -e PROGRAM names them)
 *
 * The owner of an allocation is the file name of the program or library that asked for it; what the C library allocates
 * belongs to who called it, but for setlocale, which is an owner of its own. Threads are counted together: a repeatable
 * count needs a program with one.
 */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* glibc's own, under its names for those who replace malloc. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static unsigned long fail_at, seen;
static int ready, after, tell = -1, busy;
static const char *own, *libc;

static const char *object_of(void *address) {
    Dl_info info;
    return dladdr(address, &info) && info.dli_fname ? info.dli_fname : "unknown";
}

/* Before main, and after the loader and the constructors of what the program links. */
__attribute__((constructor)) static void prepare(void) {
    void *frame[4];
    backtrace(frame, 4); /* loads what it needs */
    own = object_of((void *)&fail_at);
    libc = object_of(dlsym(RTLD_NEXT, "strlen"));
    const char *at = getenv("FAIL_AT"), *file = getenv("FAIL_TELL");
    fail_at = at ? strtoul(at, NULL, 10) : 0;
    after = getenv("FAIL_AFTER") != NULL;
    if (file) tell = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    ready = 1;
}

static const char *owner(void) {
    void *frame[32];
    int depth = backtrace(frame, 32);
    const char *name = "unknown";
    for (int i = 0; i < depth; i++) {
        Dl_info info;
        name = object_of(frame[i]);
        if (strcmp(name, own) != 0 && strcmp(name, libc) != 0) break;
        if (dladdr(frame[i], &info) && info.dli_sname && strcmp(info.dli_sname, "setlocale") == 0) return "setlocale";
    }
    const char *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

/* Whether this allocation fails. */
static int fails(void) {
    if (!ready || busy) return 0;
    unsigned long number = ++seen;
    int fail = fail_at && (after ? number >= fail_at : number == fail_at);
    if (tell >= 0 && (!fail_at || number == fail_at)) {
        char line[300];
        busy = 1;
        int length = snprintf(line, sizeof line, "%lu %s\n", number, owner());
        if (write(tell, line, (size_t)length) < 0) _exit(99);
        void *frame[32];
        if (fail_at) backtrace_symbols_fd(frame, backtrace(frame, 32), tell);
        busy = 0;
    }
    if (fail) errno = ENOMEM;
    return fail;
}

/* The program finds these before the C library's, whatever this build hides by default. */
#pragma GCC visibility push(default)

void *malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails() ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return fails() ? NULL : __libc_realloc(old, size); }
void *memalign(size_t alignment, size_t size) { return fails() ? NULL : __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { return fails() ? NULL : __libc_memalign(alignment, size); }

void *reallocarray(void *old, size_t count, size_t size) {
    size_t total;
    if (!__builtin_mul_overflow(count, size, &total)) return realloc(old, total);
    errno = ENOMEM;
    return NULL;
}

int posix_memalign(void **made, size_t alignment, size_t size) {
    if (fails()) return ENOMEM;
    *made = __libc_memalign(alignment, size);
    return *made ? 0 : ENOMEM;
}

#pragma GCC visibility pop
