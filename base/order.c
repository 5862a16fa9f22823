/* SPDX-License-Identifier: GPL-3.0-or-later
 * Ascending numbers. */
#include "base/order.h"

#include <stddef.h>
#include <stdint.h>

int fp_ascending_u32(const void *left, const void *right) {
    return FP_ORDER(*(const uint32_t *)left, *(const uint32_t *)right);
}

int fp_ascending_u64(const void *left, const void *right) {
    return FP_ORDER(*(const uint64_t *)left, *(const uint64_t *)right);
}

int fp_ascending_size(const void *left, const void *right) {
    return FP_ORDER(*(const size_t *)left, *(const size_t *)right);
}
