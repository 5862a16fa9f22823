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
