/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs a program and lets one of its system calls go wrong:
 *
 *     fault SHIM KIND AT TELL PROGRAM [ARGUMENT…]
 *
 *     SHIM  fault_shim.so: tells the kernel which calls to stop at, once the loader has done its work
 *     KIND  none; error: the call fails, as such a call may; full: it and all that follow fail for want of room;
 * interrupted: it gives EINTR; short: of what it was to read or write it does half; killed: the process ends before it
 *     AT    the number of the call, from 1, among those that KIND can happen to
 *     TELL  a file for the calls that were seen, a line each: their number and name. With KIND and AT that of the one
 *
 * Counted are calls of the program's own process on files, not what it opens below /usr, /etc, /lib, /proc, /sys and
 * /dev, nor what it writes to standard error, nor the counts of a build that counts what is reached (*.profraw, and the
 * directories on the way to LLVM_PROFILE_FILE). Exits as the program does; 128 and the signal where one ended it. Linux
 * on x86-64; 77 elsewhere.
 */
#include <stdio.h>

#if defined(__x86_64__) && defined(__linux__)
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/base/fault_calls.h"

enum { FILES = 1024, THREADS = 64 };
typedef enum kind { NONE, ERROR, FULL, INTERRUPTED, SHORT, KILLED, KINDS } kind;
static const char *const NAMES[KINDS] = {"none", "error", "full", "interrupted", "short", "killed"};

static pid_t program;
static kind wanted;
static unsigned long at, seen;
static FILE *tell;
static bool theirs[FILES]; /* files that are none of the program's own */

/* What is to be done when the call of a thread returns. */
typedef struct waiting {
    pid_t thread;
    bool opens; /* a file of theirs */
    long result;
} waiting;
static waiting waits[THREADS];

static waiting *waiting_of(pid_t thread, bool add) {
    for (size_t i = 0; i < THREADS; i++)
        if (waits[i].thread == thread) return waits + i;
    for (size_t i = 0; add && i < THREADS; i++)
        if (!waits[i].thread) {
            waits[i] = (waiting){.thread = thread};
            return waits + i;
        }
    return NULL;
}

/* Page by page: what stands behind the last may not be read. */
static void read_path(pid_t thread, unsigned long long address, char path[PATH_MAX]) {
    enum { PAGE = 4096 };
    size_t length = 0;
    while (length + 1 < PATH_MAX) {
        size_t part = PAGE - (address + length) % PAGE;
        if (part > PATH_MAX - 1 - length) part = PATH_MAX - 1 - length;
        struct iovec to = {path + length, part}, from = {(void *)(address + length), part};
        ssize_t got = process_vm_readv(thread, &to, 1, &from, 1, 0);
        if (got <= 0) break;
        length += (size_t)got;
        if (memchr(to.iov_base, '\0', (size_t)got)) return;
    }
    path[length] = '\0';
}

/* Of the system, or the counts of a build that counts what is reached. */
static bool foreign_path(pid_t thread, unsigned long long address) {
    static const char *const PLACES[] = {"/usr/", "/etc/", "/lib", "/proc", "/sys/", "/dev/"};
    static const char COUNTS[] = ".profraw";
    char path[PATH_MAX];
    read_path(thread, address, path);
    for (size_t i = 0; i < sizeof PLACES / sizeof *PLACES; i++)
        if (strncmp(path, PLACES[i], strlen(PLACES[i])) == 0) return true;
    size_t length = strlen(path), ending = strlen(COUNTS);
    return length > ending && strcmp(path + length - ending, COUNTS) == 0;
}

/* Whether it makes a directory on the way to those counts, which their writer does whether it is there or not. */
static bool leads_to_counts(pid_t thread, const fault_call *call, unsigned long long address) {
    const char *counts = getenv("LLVM_PROFILE_FILE");
    char path[PATH_MAX];
    if (!counts || call->number != SYS_mkdir) return false;
    read_path(thread, address, path);
    return strncmp(counts, path, strlen(path)) == 0;
}

/* Whether the call is one on the program's own files. */
static bool own(const fault_call *call, const struct user_regs_struct *registers) {
    unsigned long long file = call->file == 1 ? registers->rdi : registers->r8;
    if (call->file == 0) return true;
    if (call->file == 2 && (int)file < 0) return false; /* memory of no file */
    return file < FILES ? !theirs[file] && file != STDERR_FILENO : true;
}

/* Whether what is wanted can happen to the call. */
static bool can(const fault_call *call, const struct user_regs_struct *registers) {
    bool creates = call->sort != FAULT_OPEN || (registers->rdx & O_CREAT);
    switch (wanted) {
    case NONE: return true;
    case ERROR: return call->error != 0;
    case FULL: return (call->sort == FAULT_WRITE || call->sort == FAULT_NAME || call->sort == FAULT_OPEN) && creates;
    case INTERRUPTED: return call->sort == FAULT_READ || call->sort == FAULT_WRITE || call->waits;
    case SHORT: return (call->sort == FAULT_READ || call->sort == FAULT_WRITE) && registers->rdx > 1;
    default: return true;
    }
}

/* Does it. The caller lets the thread go on; true: until the call returns. */
static bool happen(pid_t thread, const fault_call *call, struct user_regs_struct *registers) {
    int error = wanted == INTERRUPTED ? EINTR : wanted == FULL ? ENOSPC : call->error;
    if (wanted == KILLED) {
        kill(program, SIGKILL);
        return false;
    }
    if (wanted == SHORT) registers->rdx /= 2;
    else if (call->sort == FAULT_CLOSE) { /* the file is closed all the same */
        waiting *waits_for = waiting_of(thread, true);
        if (waits_for) waits_for->result = -error;
        return waits_for != NULL;
    } else {
        registers->orig_rax = (unsigned long long)-1;
        registers->rax = (unsigned long long)-error;
    }
    ptrace(PTRACE_SETREGS, thread, NULL, registers);
    return false;
}

/* A thread stands before a call. */
static bool before(pid_t thread) {
    struct user_regs_struct registers;
    ptrace(PTRACE_GETREGS, thread, NULL, &registers);
    const fault_call *call = fault_call_of((long)registers.orig_rax);
    if (!call || !own(call, &registers)) return false;
    if (call->sort == FAULT_OPEN && foreign_path(thread, registers.rsi)) {
        waiting *waits_for = waiting_of(thread, true);
        if (waits_for) waits_for->opens = true;
        return waits_for != NULL;
    }
    if (!can(call, &registers) || leads_to_counts(thread, call, registers.rdi)) return false;
    seen++;
    bool happens = wanted != NONE && (wanted == FULL ? seen >= at : seen == at);
    if (tell && (!at || seen == at)) fprintf(tell, "%lu %s\n", seen, call->name);
    return happens && at && happen(thread, call, &registers);
}

/* The call of a thread has returned. */
static void after(pid_t thread) {
    struct user_regs_struct registers;
    waiting *done = waiting_of(thread, false);
    if (!done) return;
    ptrace(PTRACE_GETREGS, thread, NULL, &registers);
    if (done->opens && registers.rax < FILES) theirs[registers.rax] = true;
    if (!done->opens) {
        registers.rax = (unsigned long long)done->result;
        ptrace(PTRACE_SETREGS, thread, NULL, &registers);
    }
    *done = (waiting){0};
}

/* A file that is closed gives its number back. */
static void note_close(pid_t thread) {
    struct user_regs_struct registers;
    ptrace(PTRACE_GETREGS, thread, NULL, &registers);
    const fault_call *call = fault_call_of((long)registers.orig_rax);
    if (call && call->sort == FAULT_CLOSE && registers.rdi < FILES) theirs[registers.rdi] = false;
}

static int watch(void) {
    static pid_t children[4096];
    size_t child_count = 0;
    for (;;) {
        int status;
        pid_t thread = waitpid(-1, &status, __WALL);
        if (thread < 0) return 1;
        if (WIFEXITED(status) || WIFSIGNALED(status)) {
            if (thread == program) return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            continue;
        }
        int event = status >> 16, signal = WSTOPSIG(status);
        bool child = false, wait_for_return = false;
        for (size_t i = 0; i < child_count; i++) child |= children[i] == thread;
        if (event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK) {
            unsigned long made;
            ptrace(PTRACE_GETEVENTMSG, thread, NULL, &made);
            if (child_count < sizeof children / sizeof *children) children[child_count++] = (pid_t)made;
        }
        if (event == PTRACE_EVENT_SECCOMP && !child) {
            wait_for_return = before(thread);
            if (!wait_for_return) note_close(thread);
        } else if (signal == (SIGTRAP | 0x80)) after(thread);
        bool ours = event || signal == (SIGTRAP | 0x80) || signal == SIGTRAP || signal == SIGSTOP;
        ptrace(wait_for_return ? PTRACE_SYSCALL : PTRACE_CONT, thread, NULL, ours ? 0L : (long)signal);
    }
}

int main(int count, char **arguments) {
    if (count < 6) return 2;
    while (wanted < KINDS && strcmp(NAMES[wanted], arguments[2]) != 0) wanted++;
    at = strtoul(arguments[3], NULL, 10);
    tell = *arguments[4] ? fopen(arguments[4], "we") : NULL;
    program = fork();
    if (program == 0) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        setenv("LD_PRELOAD", arguments[1], 1);
        raise(SIGSTOP);
        execv(arguments[5], arguments + 5);
        _exit(127);
    }
    int status;
    if (program < 0 || waitpid(program, &status, 0) < 0) return 1;
    ptrace(PTRACE_SETOPTIONS, program, NULL,
           PTRACE_O_TRACESECCOMP | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
               PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
    ptrace(PTRACE_CONT, program, NULL, NULL);
    int result = watch();
    if (tell) fclose(tell);
    return result;
}
#else
int main(void) {
    puts("faults of system calls are made on Linux on x86-64 alone");
    return 77;
}
#endif
