/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * distance_kernels.h - the hot loops that compare sketches, each in portable C and at every level of the processor.
 */
#ifndef FP_DISTANCE_KERNELS_H
#define FP_DISTANCE_KERNELS_H

#include "base/cpu.h"

/* ---- slots.c ----
 *
 * The number of slots in which signatures differ. Three forms: 32-bit slots, 64-bit slots, and bit planes: of slots
 * 64·w … 64·w + 63 the lowest bits in one word, the next bits in the next word, and so on for `planes` words, before
 * the words of the next 64 slots. */

/* What the slots of a signature look like in memory. */
typedef struct fp_slots_form {
    size_t slots;
    size_t planes; /* > 0: bit planes, unused bits zero */
    bool wide;     /* planes == 0: 64-bit slots, otherwise 32-bit */
    size_t bytes;  /* from one signature to the next; a multiple of 8 */
} fp_slots_form;

/* out[i] = slots in which `query` and many + i·bytes differ, i < count. 8-byte alignment suffices. */
typedef void (*fp_slots_kernel)(const fp_slots_form *form, const void *query, const void *many, size_t count,
                                uint32_t *out);
extern const fp_slots_kernel fp_slots_kernels[FP_CPU_LEVELS];

static inline void fp_slots(const fp_slots_form *form, const void *query, const void *many, size_t count,
                            uint32_t *out) {
    fp_slots_kernels[fp_cpu_chosen()](form, query, many, count, out);
}

/* ---- intersection.c ----
 *
 * The hot loop of one pair of sets: the number of common elements of two sorted sets. */

/* |A ∩ B| of sets of 64-bit values, each in ascending order without repeats. */
typedef size_t (*fp_intersection_kernel)(const uint64_t *a, size_t a_count, const uint64_t *b, size_t b_count);
extern const fp_intersection_kernel fp_intersection_kernels[FP_CPU_LEVELS];

/* ---- dense.c ----
 *
 * Jaccard distances of many sets from what they share with one. */

/* shared[i] becomes 64·(1 − shared[i]/(own + size[i] − shared[i])), i < count. The inputs are integers below 2⁵³, so
 * that only the division and the steps after it round. The same bits on every level. */
typedef void (*fp_set_ratio_kernel)(double own, const double *size, size_t count, double *shared);
extern const fp_set_ratio_kernel fp_set_ratio_kernels[FP_CPU_LEVELS];

/* ---- bit_sums.c ----
 *
 * Weighted sums of lists of bits at each place: the lists are added bit by bit, all places at once, by full adders
 * (Harley and Seal's carry-save adder: Warren, Hacker's Delight, 2nd edition, section 5-1). */

/* A list has a multiple of this many 64-bit words; the places in that many words; the largest sum. */
enum { FP_BIT_SUMS_WORDS = 8, FP_BIT_SUMS_PLACES = 64 * FP_BIT_SUMS_WORDS, FP_BIT_SUMS_MOST = UINT16_MAX };
/* Lists weigh 2⁰ … 2¹⁵. */
enum { FP_BIT_SUMS_WEIGHTS = 16 };

typedef struct fp_bit_lists {
    const uint64_t **list[FP_BIT_SUMS_WEIGHTS]; /* [count[w]] lists that weigh 2^w */
    size_t count[FP_BIT_SUMS_WEIGHTS];
} fp_bit_lists;

/* The bit of place i, counted from the first of the list. Within FP_BIT_SUMS_PLACES places the order makes sums
 * contiguous when planes of bits are transposed into bytes. Bit b is bit b mod 64 of word b/64. */
static inline size_t fp_bit_of_place(size_t place) {
    size_t within = place % FP_BIT_SUMS_PLACES;
    return place - within + within % 64 * 8 + within / 64;
}

/* sum[i] += Σ 2^w over the lists that have the bit of place i, i < 64·words; `words` is a multiple of
 * FP_BIT_SUMS_WORDS. Σ 2^w·count[w] may be any number, but no sum may exceed FP_BIT_SUMS_MOST. Lists are aligned to 8.
 */
typedef void (*fp_bit_sums_kernel)(const fp_bit_lists *lists, size_t words, uint16_t *sum);
extern const fp_bit_sums_kernel fp_bit_sums_kernels[FP_CPU_LEVELS];

/* ---- dense.c ----
 *
 * The product of two dense vectors of float, in double. The i-th product goes to sum i mod 16, and the
 * sixteen sums are added in halves: one order, whatever the width, so that every level gives the same bits. */

enum { FP_DOT_LANES = 16 };

/* Σ a[i]·b[i], i < count. 4-byte alignment suffices. */
typedef double (*fp_dense_dot)(const float *a, const float *b, size_t count);
extern const fp_dense_dot fp_dense_dot_kernels[FP_CPU_LEVELS];

/* ---- dense.c ----
 *
 * Combines one document's value of a key with the contiguous values of many documents, and adds the results to their
 * sums. Each sum gets one addition, whatever the width: every level gives the same bits. */

/* sum[i] += value·values[i], or the smaller of the two, i < count. 8-byte alignment suffices; `sum` and `values` do not
 * overlap. */
typedef void (*fp_dense_kernel)(double value, const double *values, size_t count, double *sum);
extern const fp_dense_kernel fp_dense_product_kernels[FP_CPU_LEVELS];
extern const fp_dense_kernel fp_dense_minimum_kernels[FP_CPU_LEVELS];

/* ---- angles.c ----
 *
 * Angles of many cosines on the scale of 64 for half a turn, to a multiple of 2⁻³²: the rounded result of the
 * mathematical library, without calling it. */

/* angle[i] = 64·acos(cosine[i])/π, rounded to the nearest multiple of 2⁻³², i < count. NaN for near ties (two in a
 * thousand), which another computation may round to the other side, and for cosines outside 0 … 0.99. The same bits on
 * every level. `cosine` and `angle` do not overlap. */
typedef void (*fp_angles_kernel)(const double *cosine, size_t count, double *angle);
extern const fp_angles_kernel fp_angles_kernels[FP_CPU_LEVELS];

/* ---- dense.c ----
 *
 * Distances rounded up to multiples of a step. */

/* place[i] = ⌈distance[i]·by_step⌉, i < count, but no less than 0 and no more than `last` < 2³¹; `last` for NaN too.
 * The same on every level. `distance` and `place` do not overlap. */
typedef void (*fp_grid_kernel)(const double *distance, size_t count, double by_step, uint32_t last, uint32_t *place);
extern const fp_grid_kernel fp_grid_kernels[FP_CPU_LEVELS];

#endif
