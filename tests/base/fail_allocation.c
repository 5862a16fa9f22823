/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Preloaded (LD_PRELOAD), it makes one allocation of a program fail, or that one and all that follow.
 *
 *     FAIL_AT     its number, from 1; 0 or absent: none
 *     FAIL_AFTER  set: all that follow it fail, too
 *     FAIL_TELL   a file for what was seen: without FAIL_AT one line an allocation, "NUMBER OWNER CALL…", its calls
 * being those in the program that led to it and to none before it, as addresses within the program; with it that line
 * of the one that failed, and the calls that led to it (addr2line -f -e PROGRAM names them)
 *
 * The owner of an allocation is the file name of the program or library that asked for it; what the C library allocates
 * belongs to who called it, but for setlocale, which is an owner of its own. Threads are counted together: a repeatable
 * count needs a program with one. What is asked for before main and after it has returned is not the program's: a
 * build that counts what is reached opens and writes its counts then.
 */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
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
static int (*program)(int count, char **arguments, char **environment);
static const char *own, *libc;
static void *base; /* where the program lies */

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
    unsetenv("LD_PRELOAD"); /* programs that this one starts are left alone */
    if (file) tell = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
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

/* The calls that were seen, by address: a table that is never full, since a program has fewer. */
enum { DEPTH = 64, CALL_BITS = 18 };
static uintptr_t calls[1 << CALL_BITS];

static bool new_call(uintptr_t address) {
    size_t place = (address * UINT64_C(0x9E3779B97F4A7C15)) >> (64 - CALL_BITS);
    while (calls[place] && calls[place] != address) place = (place + 1) % (sizeof calls / sizeof *calls);
    bool is_new = !calls[place];
    calls[place] = address;
    return is_new;
}

/* Those of this allocation that are new, into a line. */
static size_t tell_calls(char *line, size_t room) {
    void *frame[DEPTH];
    int depth = backtrace(frame, DEPTH);
    size_t length = 0;
    for (int i = 0; i < depth && length < room; i++) {
        Dl_info info;
        if (!new_call((uintptr_t)frame[i]) || !dladdr(frame[i], &info) || info.dli_fbase != base) continue;
        length += (size_t)snprintf(line + length, room - length, " %zx", (size_t)((char *)frame[i] - (char *)base));
    }
    return length;
}

/* Whether this allocation fails. */
static int fails(void) {
    if (!ready || busy) return 0;
    unsigned long number = ++seen;
    int fail = fail_at && (after ? number >= fail_at : number == fail_at);
    if (tell >= 0 && (!fail_at || number == fail_at)) {
        char line[300 + 20 * DEPTH];
        busy = 1;
        size_t length = (size_t)snprintf(line, 300, "%lu %s", number, owner());
        length += fail_at ? 0 : tell_calls(line + length, sizeof line - length - 1);
        line[length++] = '\n';
        if (write(tell, line, length) < 0) _exit(99);
        void *frame[32];
        if (fail_at) backtrace_symbols_fd(frame, backtrace(frame, 32), tell);
        busy = 0;
    }
    if (fail) errno = ENOMEM;
    return fail;
}

static int run(int count, char **arguments, char **environment) {
    ready = 1;
    int status = program(count, arguments, environment);
    ready = 0;
    return status;
}

/* The program finds these before the C library's, whatever this build hides by default. */
#pragma GCC visibility push(default)

typedef int begin(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

/* The C library's own: where a program begins. */
int __libc_start_main(int (*its)(int, char **, char **), int count, char **arguments, void (*before)(void),
                      void (*behind)(void), void (*loader)(void), void *stack) {
    begin *libc_begin;
    *(void **)&libc_begin = dlsym(RTLD_NEXT, "__libc_start_main"); /* as POSIX has it */
    program = its;
    Dl_info info;
    base = dladdr(*(void **)&its, &info) ? info.dli_fbase : NULL;
    return libc_begin(run, count, arguments, before, behind, loader, stack);
}

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
