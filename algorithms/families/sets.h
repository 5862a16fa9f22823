/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sets.h - sketches that are sets of 64-bit hashes, in ascending order.
 */
#ifndef FP_SETS_H
#define FP_SETS_H

#include "base/base.h"

/* How two sets are compared. */
typedef enum fp_set_measure { FP_RESEMBLANCE, FP_CONTAINMENT } fp_set_measure;

/* Sorts in place. */
void fp_set_sort(uint64_t *set, size_t count);
/* Drops repeats from sorted hashes, in place; returns how many are left. */
size_t fp_set_unique(uint64_t *sorted, size_t count);
/* |A ∩ B|. */
size_t fp_set_shared(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count);
/* The likeness below from |A ∩ B|. */
double fp_set_ratio(fp_set_measure measure, size_t both, size_t a_count, size_t b_count);
/* |A ∩ B|/|A ∪ B|, or |A ∩ B|/min(|A|, |B|), which is symmetric. Two empty sets are equal (1); an empty set and another
 * have nothing in common (0). */
double fp_set_likeness(fp_set_measure measure, const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count);
/* The hashes in hexadecimal, joined by hyphens; NULL when there is no memory. */
const char *fp_set_text(const uint64_t *set, size_t count, fp_arena *arena);

#endif
