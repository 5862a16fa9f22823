/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sized.h - public structs that may grow: the first member, `size`, is what sizeof said where the caller was compiled.
 */
#ifndef FP_SIZED_H
#define FP_SIZED_H

#include <string.h>

#include "base/base.h"

/* Copies what the caller's struct has into one of `known` bytes, and zeros what it has not; `from` NULL: all zeros.
 * What it has beyond is of a later version, and must be zero, since nobody here would heed it: FP_ERROR_ABI, as for a
 * size that is too small to be one. */
static inline fp_status fp_sized_copy(void *to, size_t known, const void *from, const char *name, fp_error *error) {
    size_t size;
    memset(to, 0, known);
    if (!from) return FP_OK;
    memcpy(&size, from, sizeof size);
    if (size < sizeof size) return fp_fail(error, FP_ERROR_ABI, "%s.size is %zu; set it to sizeof", name, size);
    for (size_t i = known; i < size; i++)
        if (((const unsigned char *)from)[i])
            return fp_fail(error, FP_ERROR_ABI, "%s is of a later version, and sets what this one does not have", name);
    memcpy(to, from, size < known ? size : known);
    return FP_OK;
}

#endif
