/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sets of hashes. */
#include "algorithms/families/sets.h"

#include <stdlib.h>

#include "algorithms/kernels/intersection.h"
#include "base/order.h"

void fp_set_sort(uint64_t *set, size_t count) {
    if (count) qsort(set, count, sizeof *set, fp_ascending_u64);
}

size_t fp_set_unique(uint64_t *sorted, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || sorted[kept - 1] != sorted[i]) sorted[kept++] = sorted[i];
    return kept;
}

size_t fp_set_shared(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count) {
    return fp_intersection(a, a_count, b, b_count);
}

double fp_set_ratio(fp_set_measure measure, size_t both, size_t a_count, size_t b_count) {
    if (a_count == 0 && b_count == 0) return 1;
    if (a_count == 0 || b_count == 0) return 0;
    size_t smaller = a_count < b_count ? a_count : b_count;
    return (double)both / (double)(measure == FP_CONTAINMENT ? smaller : a_count + b_count - both);
}

double fp_set_likeness(fp_set_measure measure, const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count) {
    return fp_set_ratio(measure, fp_set_shared(a, a_count, b, b_count), a_count, b_count);
}

const char *fp_set_text(const uint64_t *set, size_t count, fp_arena *arena) {
    enum { DIGITS = 16 };
    char *text = fp_arena_raw(arena, count + 1, DIGITS + 1), *at = text;
    if (!text) return NULL;
    *at = '\0';
    for (size_t i = 0; i < count; i++)
        at += snprintf(at, DIGITS + 2, "%s%0*llx", i ? "-" : "", DIGITS, (unsigned long long)set[i]);
    return text;
}
