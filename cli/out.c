/* SPDX-License-Identifier: GPL-3.0-or-later
 * --out DIR. */
#include "cli/out.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cli/run_corpora.h"

bool fp_cli_out_force;

/* `text` with the directory that the user named for the one that is written. */
static void put_target(const fp_run_directory *run, char *text, size_t size) {
    const char *found = run->placed ? strstr(text, run->placed) : NULL;
    if (!found) return;
    fp_arena *arena = fp_cli_arena();
    snprintf(text, size, "%s",
             fp_format(arena, "%.*s%s%s", (int)(found - text), text, run->target, found + strlen(run->placed)));
    fp_arena_free(arena);
}

int fp_cli_out_fail(const fp_run_directory *run, const fp_error *error) {
    fp_error shown = *error;
    put_target(run, shown.file, sizeof shown.file);
    put_target(run, shown.message, sizeof shown.message);
    return fp_cli_fail(&shown);
}

int fp_cli_out_keep(const fp_run_directory *run, const fp_error *error) {
    fp_error shown = *error;
    bool there = !run->in_place && access(run->target, F_OK) == 0;
    size_t length = strlen(shown.message);
    if (there && shown.code == FP_ERROR_IO)
        snprintf(shown.message + length, sizeof shown.message - length, "; what was in %s stays", run->target);
    return fp_cli_out_fail(run, &shown);
}

int fp_cli_out_open(const char *target, fp_arena *arena, fp_run_directory *run) {
    fp_error error = {0};
    const fp_cli_fixed *fixed = fp_cli_fixed_out();
    bool force = fixed ? fixed->force : fp_cli_out_force;
    *run = (fp_run_directory){.lock = -1};
    if (target && fixed) target = fixed->out;
    if (target) signal(SIGPIPE, SIG_IGN);
    if (!target || fp_run_directory_open(target, force ? FP_RUN_FORCE : FP_RUN_REPLACE, arena, run, &error) == FP_OK)
        return FP_EXIT_SUCCESS;
    return fp_cli_fail(&error);
}

int fp_cli_out_add(const char *target, fp_arena *arena, fp_run_directory *run) {
    fp_error error = {0};
    fp_run_use use = fp_cli_out_force ? FP_RUN_ADD_FORCE : FP_RUN_ADD;
    signal(SIGPIPE, SIG_IGN);
    return fp_run_directory_open(target, use, arena, run, &error) == FP_OK ? FP_EXIT_SUCCESS : fp_cli_fail(&error);
}

int fp_cli_out_commit(fp_run_directory *run, int status) {
    fp_error error = {0};
    if (!run->place) return status;
    if (status == FP_EXIT_SUCCESS && fp_run_directory_commit(run, &error) != FP_OK)
        status = fp_cli_out_fail(run, &error);
    fp_run_directory_discard(run);
    return status;
}
