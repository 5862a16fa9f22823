/* SPDX-License-Identifier: GPL-3.0-or-later
 * What the readers of sets share. */
#include "corpora/importing/set.h"

#include <string.h>

fp_status fp_set_needs(const fp_set *set, size_t file, const char *name, fp_error *error) {
    if (set->paths[file]) return FP_OK;
    fp_fail(error, FP_ERROR_IO, "%s is not here, which %s belongs to", name, set->paths[file - 1]);
    return fp_at(error, FP_ERROR_IO, set->directory, SIZE_MAX, SIZE_MAX);
}

fp_status fp_set_bad(const fp_set *set, fp_status code, fp_error *why, size_t file, size_t row, fp_error *error) {
    why->code = code;
    if (!*why->file) fp_at(why, code, set->paths[file], row, why->byte);
    if (set->bad(set->context, why)) return FP_OK;
    if (error) *error = *why;
    return code;
}

fp_string fp_set_id(fp_string name) {
    const char *dot = memrchr(name.data, '.', name.length);
    return dot ? (fp_string){name.data, (size_t)(dot - name.data)} : name;
}

fp_status fp_set_link(const fp_set *set, fp_set_links *links, uint32_t a, uint32_t b, fp_error *error) {
    if (links->count == links->room) {
        size_t room = links->room ? 2 * links->room : 1024;
        void *larger = fp_arena_grow(set->arena, links->at, room * sizeof *links->at);
        if (!larger) return fp_no_memory(error);
        links->at = larger;
        links->room = room;
    }
    links->at[links->count][0] = a;
    links->at[links->count++][1] = b;
    return FP_OK;
}
