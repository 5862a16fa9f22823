/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * scope.h - arenas that end with the block in which they are declared, on whatever way it is left. Those declared last
 * end first.
 */
#ifndef FP_SCOPE_H
#define FP_SCOPE_H

#include "base/base.h"
#include "base/parallel.h"

static inline void fp_scope_end_arena(fp_arena **arena) { fp_arena_free(*arena); }
static inline void fp_scope_end_arenas(fp_arenas *arenas) { fp_arenas_free(arenas); }

/* An arena of the block, with its memory from where `like` has it; leaves the function where there is none. */
#define FP_SCRATCH(name, like, error)                                                      \
    fp_arena *name __attribute__((cleanup(fp_scope_end_arena))) = fp_arena_new_like(like); \
    if (!name) return fp_no_memory(error)

/* An arena a thread of loops in the block, made in `owner`. */
#define FP_ARENAS(name, progress, owner, error)                         \
    fp_arenas name __attribute__((cleanup(fp_scope_end_arenas))) = {0}; \
    FP_TRY(fp_arenas_open(&name, progress, owner, error))

/* One loop (fp_parallel) over arenas of its own, which are reset before each item. */
static inline fp_status fp_parallel_in(fp_arena *owner, size_t count, fp_work work, void *context, const char *stage,
                                       const fp_progress *progress, fp_error *error) {
    FP_ARENAS(arenas, progress, owner, error);
    return fp_parallel(count, &arenas, true, work, context, stage, progress, error);
}

#endif
