/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * repetitions.h - the same experiment many times, on all processors.
 */
#ifndef FP_REPETITIONS_H
#define FP_REPETITIONS_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/parallel.h"

/* What fails ends the program, by name. */
static inline void must(fp_status status, const fp_error *error) {
    if (status == FP_OK) return;
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, error->message);
    exit(1);
}

/* Runs `work` for 0 … repetitions − 1 (parallel.h). */
static inline void repeat_all(size_t repetitions, fp_work work, void *context) {
    fp_error error = {0};
    fp_arena *arena = fp_arena_new();
    fp_arenas arenas;
    if (!arena) exit(1);
    must(fp_arenas_open(&arenas, NULL, arena, &error), &error);
    must(fp_parallel(repetitions, &arenas, true, work, context, "", NULL, &error), &error);
    fp_arenas_free(&arenas);
    fp_arena_free(arena);
}

#endif
