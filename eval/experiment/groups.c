/* SPDX-License-Identifier: GPL-3.0-or-later
 * Documents by group. */
#include "eval/experiment/groups.h"

fp_status fp_groups_make(const fp_corpus *corpus, fp_arena *arena, fp_groups *groups, fp_error *error) {
    size_t *begin = fp_arena_alloc(arena, corpus->group_count + 2, sizeof *begin);
    uint32_t *member = fp_arena_raw(arena, corpus->document_count, sizeof *member);
    if (!begin || !member) return fp_no_memory(error);
    for (size_t i = 0; i < corpus->document_count; i++)
        if (corpus->group[i] != UINT32_MAX) begin[corpus->group[i] + 2]++;
    for (size_t g = 2; g <= corpus->group_count + 1; g++) begin[g] += begin[g - 1];
    /* begin[g + 1] is where group g goes on, and in the end where it ends. */
    for (size_t i = 0; i < corpus->document_count; i++)
        if (corpus->group[i] != UINT32_MAX) member[begin[corpus->group[i] + 1]++] = (uint32_t)i;
    *groups = (fp_groups){corpus->group_count, begin, member};
    return FP_OK;
}
