/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * slots.h - in how many slots signatures differ. Three forms: 32-bit slots, 64-bit slots, and bit planes: of slots 64·w
 * … 64·w + 63 the lowest bits in one word, the next bits in the next word, and so on for `planes` words, before the
 * words of the next 64 slots.
 */
#ifndef FP_SLOTS_H
#define FP_SLOTS_H

#include "base/cpu.h"

/* What the slots of a signature look like in memory. */
typedef struct fp_slots_form {
    size_t slots;
    size_t planes; /* > 0: bit planes, unused bits zero */
    bool wide;     /* planes == 0: 64-bit slots, otherwise 32-bit */
    size_t bytes;  /* from one signature to the next; a multiple of 8 */
} fp_slots_form;

/* out[i] = slots in which `query` and many + i·bytes differ, i < count. Nothing need be aligned beyond 8. */
typedef void (*fp_slots_kernel)(const fp_slots_form *form, const void *query, const void *many, size_t count,
                                uint32_t *out);

extern const fp_slots_kernel fp_slots_kernels[FP_CPU_LEVELS];

static inline void fp_slots(const fp_slots_form *form, const void *query, const void *many, size_t count,
                            uint32_t *out) {
    fp_slots_kernels[fp_cpu_chosen()](form, query, many, count, out);
}

#endif
