/* SPDX-License-Identifier: GPL-3.0-or-later
 * Numbers as bytes. */
#include "base/base.h"

#include <endian.h>
#include <math.h>

void fp_bytes_put(uint64_t value, unsigned char *to) {
    value = htole64(value);
    memcpy(to, &value, sizeof value);
}

uint64_t fp_bytes_get(const void *from) {
    uint64_t value;
    memcpy(&value, from, sizeof value);
    return le64toh(value);
}

fp_status fp_bytes_of(const void *values, size_t count, fp_arena *arena, fp_string *bytes, fp_error *error) {
    unsigned char *made = FP_NEED(fp_arena_raw(arena, count, 8), error);
    for (size_t i = 0; i < count; i++) {
        uint64_t value;
        memcpy(&value, (const unsigned char *)values + 8 * i, sizeof value);
        fp_bytes_put(value, made + 8 * i);
    }
    *bytes = (fp_string){(const char *)made, count * 8};
    return FP_OK;
}

/* Values of eight bytes of any type; `values` is the address of a pointer to them. */
static fp_status read(fp_string bytes, fp_arena *arena, void *values, size_t *count, fp_error *error) {
    if (bytes.length % 8) return fp_fail(error, FP_ERROR_SYNTAX, "%zu bytes are not whole numbers", bytes.length);
    unsigned char *made = FP_NEED(fp_arena_raw(arena, bytes.length, 1), error);
    for (size_t at = 0; at < bytes.length; at += 8) {
        uint64_t value = fp_bytes_get(bytes.data + at);
        memcpy(made + at, &value, sizeof value);
    }
    memcpy(values, &made, sizeof made);
    *count = bytes.length / 8;
    return FP_OK;
}

fp_status fp_integers_of_bytes(fp_string bytes, fp_arena *arena, uint64_t **values, size_t *count, fp_error *error) {
    return read(bytes, arena, values, count, error);
}

fp_status fp_reals_of_bytes(fp_string bytes, fp_arena *arena, double **values, size_t *count, fp_error *error) {
    FP_TRY(read(bytes, arena, values, count, error));
    for (size_t i = 0; i < *count; i++)
        if (!isfinite((*values)[i])) return fp_fail(error, FP_ERROR_SYNTAX, "a number that is not finite");
    return FP_OK;
}

/* ---- Ascending numbers ---- */

int fp_ascending_u32(const void *left, const void *right) {
    return FP_ORDER(*(const uint32_t *)left, *(const uint32_t *)right);
}

int fp_ascending_u64(const void *left, const void *right) {
    return FP_ORDER(*(const uint64_t *)left, *(const uint64_t *)right);
}

int fp_ascending_size(const void *left, const void *right) {
    return FP_ORDER(*(const size_t *)left, *(const size_t *)right);
}

int fp_by_placed_key(const void *left, const void *right) {
    const fp_placed_key *a = left, *b = right;
    return __extension__(FP_ORDER(a->key, b->key) ?: FP_ORDER(a->place, b->place));
}
