/* SPDX-License-Identifier: GPL-3.0-or-later
 * --out DIR. */
#include "cli/out.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "cli/fixed.h"

/* `text` with the directory that the user named for the one that is written. */
static void put_target(const fp_run_directory *run, char *text, size_t size) {
    const char *found = run->placed ? strstr(text, run->placed) : NULL;
    if (!found) return;
    fp_arena *arena = fp_arena_new();
    const char *made =
        arena ? fp_format(arena, "%.*s%s%s", (int)(found - text), text, run->target, found + strlen(run->placed))
              : NULL;
    if (made) snprintf(text, size, "%s", made);
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
    *run = (fp_run_directory){.lock = -1};
    if (target && fp_cli_fixed_out()) target = fp_cli_fixed_out();
    if (target) signal(SIGPIPE, SIG_IGN);
    if (!target || fp_run_directory_open(target, arena, run, &error) == FP_OK) return -1;
    return fp_cli_fail(&error);
}

static void tell(const fp_run_directory *run) {
    for (size_t i = 0; i < run->kept_count; i++)
        fprintf(stderr, "fplab: %s/%s is not what a run wrote: kept as %s\n", run->target, run->kept[i].name,
                run->kept[i].kept);
    if (!run->removed_count) return;
    fp_cli_note("fplab: removed from %s what an earlier run had written and this one does not: ", run->target);
    for (size_t i = 0; i < run->removed_count; i++) fp_cli_note("%s%s", i ? ", " : "", run->removed[i]);
    fp_cli_note("\n");
}

int fp_cli_out_commit(fp_run_directory *run, int status) {
    fp_error error = {0};
    if (!run->place) return status;
    if (status == FP_EXIT_SUCCESS && fp_run_directory_commit(run, &error) != FP_OK)
        status = fp_cli_out_fail(run, &error);
    if (status == FP_EXIT_SUCCESS) tell(run);
    fp_run_directory_discard(run);
    return status;
}
