/* SPDX-License-Identifier: GPL-3.0-or-later
 * One pager for a run, from the first text that is longer than the screen. */
#include "cli/terminal/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "reports/tables/table_view.h"

extern char **environ;

/* The program has one terminal. `held` and `errors` are descriptors, −1 where there are none: a file in memory that
 * takes the place of standard error, and the terminal that was there. */
static struct {
    bool refused;
    pid_t process; /* 0: none */
    size_t width;
    int held, errors;
    int terminal; /* standard output's own, while what is printed is gathered; −1: it is not */
    int gathered; /* where: a file in memory */
} pager = {.held = -1, .errors = -1, .terminal = -1};

void fp_cli_no_pager(void) { pager.refused = true; }

static bool stands_for_terminal(void) { return pager.process || pager.terminal >= 0; }

size_t fp_cli_width(void) { return stands_for_terminal() ? pager.width : fp_view_width(stdout); }

bool fp_cli_has_terminal(void) { return stands_for_terminal() || isatty(STDOUT_FILENO); }

/* ---- Which ---- */

/* Without less, as on small systems, the text is written as it is. */
static const char USUAL[] = "if command -v less >/dev/null; then less -FRX; else cat; fi";

/* The command for sh; NULL: none is wanted. */
static const char *wanted_command(void) {
    const char *own = getenv("FPLAB_PAGER"), *common = getenv("PAGER"), *named = own ? own : common;
    if (!named) return USUAL;
    return *named && strcmp(named, "cat") != 0 ? named : NULL;
}

/* Rows of the terminal; 0: unknown, and nothing is too long for it. */
static size_t screen_rows(void) {
    struct winsize size = {0};
    return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
}

/* The last row of the screen is for the prompt of the shell. */
static bool is_long(fp_string text) {
    size_t rows = screen_rows(), lines = 0;
    for (size_t i = 0; i < text.length; i++) lines += text.data[i] == '\n';
    return rows && lines >= rows;
}

/* ---- Start and end ---- */

/* Only what may be called in a handler of signals. */
static void copy_all(int from, int to) {
    char block[4096];
    ssize_t count;
    if (lseek(from, 0, SEEK_SET) != 0) return;
    while ((count = read(from, block, sizeof block)) > 0)
        for (ssize_t at = 0, wrote; at < count; at += wrote)
            if ((wrote = write(to, block + at, (size_t)(count - at))) <= 0) return;
}

/* The same. */
static void wait_for_pager(void) {
    close(STDOUT_FILENO);
    /* A handler may ask errno: NOLINTNEXTLINE(bugprone-signal-handler,cert-sig30-c) */
    while (waitpid(pager.process, NULL, 0) < 0 && errno == EINTR) continue;
    if (pager.held < 0) return;
    dup2(pager.errors, STDERR_FILENO);
    copy_all(pager.held, STDERR_FILENO);
}

/* Two programs that read one terminal would fight for it: the one that is stopped waits for the other. */
static void stop(int number) {
    wait_for_pager();
    signal(number, SIG_DFL);
    raise(number);
}

static void hold_errors(void) {
    if (!isatty(STDERR_FILENO)) return;
    int held = memfd_create("fplab", MFD_CLOEXEC), errors = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    if (held < 0 || errors < 0 || dup2(held, STDERR_FILENO) < 0) {
        if (held >= 0) close(held);
        if (errors >= 0) close(errors);
        return;
    }
    pager.held = held;
    pager.errors = errors;
}

/* `reads`: the end of the pipe that is its standard input. Its process; 0 where it cannot be started. */
static pid_t spawn(const char *command, int reads) {
    const char *const words[] = {"sh", "-c", command, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t usual;
    pid_t process;
    if (posix_spawn_file_actions_init(&actions) != 0) return 0;
    if (posix_spawnattr_init(&attributes) != 0) return posix_spawn_file_actions_destroy(&actions), 0;
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    bool good = posix_spawnattr_setsigdefault(&attributes, &usual) == 0 &&
                posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF) == 0 &&
                posix_spawn_file_actions_adddup2(&actions, reads, STDIN_FILENO) == 0 &&
                posix_spawn(&process, "/bin/sh", &actions, &attributes, (char *const *)(uintptr_t)words, environ) == 0;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return good ? process : 0;
}

/* A command that sh does not find ends with 127 before it reads anything: then the text is written as it is. */
static pid_t start(const char *command, int reads) {
    fp_arena *arena = fp_arena_new();
    const char *guarded = arena ? fp_format(arena, "%s\n[ $? != 127 ] || cat", command) : NULL;
    pid_t process = guarded ? spawn(guarded, reads) : 0;
    fp_arena_free(arena);
    return process;
}

static void open_pager(const char *command) {
    static const int SIGNALS[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    int pipe_ends[2];
    size_t width = fp_view_width(stdout);
    fflush(stdout);
    if (pipe2(pipe_ends, O_CLOEXEC) != 0) return;
    pid_t process = start(command, pipe_ends[0]);
    close(pipe_ends[0]);
    if (process && dup2(pipe_ends[1], STDOUT_FILENO) >= 0) {
        signal(SIGPIPE, SIG_IGN);
        hold_errors();
        pager.width = width;
        pager.process = process;
        for (size_t i = 0; i < sizeof SIGNALS / sizeof *SIGNALS; i++) signal(SIGNALS[i], stop);
    }
    close(pipe_ends[1]);
}

/* ---- Texts ---- */

int fp_cli_show_begin(fp_cli_shown *to) {
    *to = (fp_cli_shown){.stream = stdout};
    if (!fp_cli_has_terminal()) return -1;
    if (fp_memory_stream_open(&to->kept, NULL) != FP_OK) return fp_cli_no_memory();
    to->stream = to->kept.stream;
    return -1;
}

int fp_cli_show_end(fp_cli_shown *to, fp_status status, const fp_error *error) {
    bool kept = to->stream != stdout, lost = kept && fp_memory_stream_close(&to->kept, NULL) != FP_OK;
    if (kept && status == FP_OK && !lost) {
        const char *command = pager.process || pager.refused ? NULL : wanted_command();
        fp_string text = {to->kept.text, to->kept.length};
        if (command && is_long(text)) open_pager(command);
        fwrite(text.data, 1, text.length, stdout);
    }
    if (kept) fp_memory_stream_discard(&to->kept);
    if (status != FP_OK) return fp_cli_fail(error);
    if (lost) return fp_cli_no_memory();
    fp_cli_flush();
    return FP_EXIT_SUCCESS;
}

/* ---- All that a command prints ---- */

void fp_cli_show_together(void) {
    if (stands_for_terminal() || pager.refused || !wanted_command() || !isatty(STDOUT_FILENO)) return;
    fflush(stdout);
    size_t width = fp_view_width(stdout);
    int gathered = memfd_create("fplab", MFD_CLOEXEC), terminal = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (gathered >= 0 && terminal >= 0 && dup2(gathered, STDOUT_FILENO) >= 0) {
        pager.terminal = terminal;
        pager.gathered = gathered;
        pager.width = width;
        return;
    }
    if (terminal >= 0) close(terminal);
    if (gathered >= 0) close(gathered);
}

void fp_cli_show_all(void) {
    if (pager.terminal < 0) return;
    fflush(stdout);
    off_t size = lseek(pager.gathered, 0, SEEK_CUR);
    void *bytes = size > 0 ? mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, pager.gathered, 0) : MAP_FAILED;
    dup2(pager.terminal, STDOUT_FILENO);
    close(pager.terminal);
    pager.terminal = -1;
    if (bytes == MAP_FAILED) {
        copy_all(pager.gathered, STDOUT_FILENO); /* nothing, or without a pager */
    } else {
        fp_string text = {bytes, (size_t)size};
        if (is_long(text)) open_pager(wanted_command());
        fwrite(text.data, 1, text.length, stdout);
        munmap(bytes, text.length);
    }
    close(pager.gathered);
}

bool fp_cli_pager_left(void) { return pager.process && fp_cli_reader_gone(); }

void fp_cli_pager_end(void) {
    if (!pager.process) return;
    wait_for_pager();
    pager.process = 0;
}
