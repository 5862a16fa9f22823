/* SPDX-License-Identifier: GPL-3.0-or-later
 * Another program, run without a shell. posix_spawn is safe in a program with threads, and says when the program is
 * not there. */
#include "reports/plots/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The environment with the locale fixed, so that messages and numbers are the same everywhere. Released by free. */
static char **make_environment(char *locale) {
    size_t count = 0;
    while (environ[count]) count++;
    char **made = calloc(count + 2, sizeof *made);
    if (!made) return NULL;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (strncmp(environ[i], "LC_ALL=", 7) != 0) made[kept++] = environ[i];
    made[kept] = locale;
    return made;
}

/* The arguments as exec is declared to take them, which leaves the texts as they are (POSIX, exec, Rationale). Released
 * by free. */
static char **make_arguments(const char *const *arguments) {
    size_t count = 0;
    while (arguments[count]) count++;
    char **made = calloc(count + 1, sizeof *made);
    if (made) memcpy(made, arguments, count * sizeof *made);
    return made;
}

/* Which stream goes where: 0 and the dropped one to /dev/null, the captured one to the pipe. Returns an errno. */
static int direct(posix_spawn_file_actions_t *actions, const fp_tool *tool, int pipe_end) {
    int captured = tool->errors ? STDERR_FILENO : STDOUT_FILENO;
    int dropped = tool->errors ? STDOUT_FILENO : STDERR_FILENO;
    int failed = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (!failed) failed = posix_spawn_file_actions_addopen(actions, dropped, "/dev/null", O_WRONLY, 0);
    if (!failed) failed = posix_spawn_file_actions_adddup2(actions, pipe_end, captured);
    if (!failed && tool->directory) failed = posix_spawn_file_actions_addchdir_np(actions, tool->directory);
    return failed;
}

static int start(const fp_tool *tool, int pipe_end, pid_t *child) {
    char locale[] = "LC_ALL=C.UTF-8";
    char **environment = make_environment(locale), **arguments = make_arguments(tool->arguments);
    posix_spawn_file_actions_t actions;
    int failed = environment && arguments ? posix_spawn_file_actions_init(&actions) : ENOMEM;
    if (!failed) {
        failed = direct(&actions, tool, pipe_end);
        if (!failed) failed = posix_spawnp(child, arguments[0], &actions, NULL, arguments, environment);
        posix_spawn_file_actions_destroy(&actions);
    }
    free(arguments);
    free(environment);
    return failed;
}

/* Reads to the end, so that the program never waits for a reader; keeps what has room. */
static void capture(fp_tool *tool, int pipe_end) {
    size_t used = 0;
    for (;;) {
        char spill[4096];
        ssize_t got = read(pipe_end, spill, sizeof spill);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        size_t room = sizeof tool->output - 1 - used, taken = (size_t)got < room ? (size_t)got : room;
        memcpy(tool->output + used, spill, taken);
        used += taken;
    }
    tool->output[used] = '\0';
}

fp_status fp_tool_run(fp_tool *tool, fp_error *error) {
    const char *name = tool->arguments[0];
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return fp_fail(error, FP_ERROR_IO, "cannot run %s: %s", name, strerror(errno));
    pid_t child;
    int failed = start(tool, ends[1], &child);
    close(ends[1]);
    if (!failed) capture(tool, ends[0]);
    close(ends[0]);
    if (failed == ENOMEM) return fp_no_memory(error);
    if (failed == ENOENT)
        return fp_fail(error, FP_ERROR_TOOL, "%s is not installed (Debian package %s)", name, tool->package);
    if (failed)
        return fp_fail(error, FP_ERROR_TOOL, "cannot run %s: %s (Debian package %s)", name, strerror(failed),
                       tool->package);
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return fp_fail(error, FP_ERROR_TOOL, "cannot wait for %s: %s", name, strerror(errno));
    tool->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return FP_OK;
}
