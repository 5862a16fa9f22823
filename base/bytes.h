/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bytes.h - numbers as bytes of a file: eight a number, the lowest first, on every machine.
 */
#ifndef FP_BYTES_H
#define FP_BYTES_H

#include "base/base.h"

/* `to` and `from` need no alignment. */
void fp_bytes_put(uint64_t value, unsigned char *to);
uint64_t fp_bytes_get(const void *from);

/* Whole numbers, and doubles bit by bit. Bytes that come back must be of whole numbers, and doubles finite:
 * FP_ERROR_SYNTAX. */
fp_status fp_bytes_of_integers(const uint64_t *values, size_t count, fp_arena *arena, fp_string *bytes,
                               fp_error *error);
fp_status fp_integers_of_bytes(fp_string bytes, fp_arena *arena, uint64_t **values, size_t *count, fp_error *error);
fp_status fp_bytes_of_reals(const double *values, size_t count, fp_arena *arena, fp_string *bytes, fp_error *error);
fp_status fp_reals_of_bytes(fp_string bytes, fp_arena *arena, double **values, size_t *count, fp_error *error);

/* ---- what qsort asks. ---- */

/* −1, 0 or 1 as `a` stands before, beside or behind `b`, ascending. Reads both twice. */
#define FP_ORDER(a, b) (((a) > (b)) - ((a) < (b)))

/* Compares two of a type, which it calls *a and *b, by the first key that differs:
 * FP_COMPARES(largest_first, group, FP_ORDER(b->size, a->size) ?: FP_ORDER(a->number, b->number)); */
#define FP_COMPARES(name, type, order)                     \
    static int name(const void *left, const void *right) { \
        const type *a = left, *b = right;                  \
        return __extension__(order);                       \
    }                                                      \
    _Static_assert(sizeof(type) > 0, "takes a semicolon")

/* Ascending numbers, for qsort. Doubles are gsl_sort's. */
int fp_ascending_u32(const void *left, const void *right);
int fp_ascending_u64(const void *left, const void *right);
int fp_ascending_size(const void *left, const void *right);

#endif
