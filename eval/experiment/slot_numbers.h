/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * slot_numbers.h - signatures as tiles of small numbers (algorithms/kernels/tally/slot_tally.h). The values of a slot
 * that several signatures hold are numbered; two signatures agree in a slot if they have the same number, unless it is
 * FP_SLOT_ALONE.
 */
#ifndef FP_SLOT_NUMBERS_H
#define FP_SLOT_NUMBERS_H

#include "algorithms/kernels/tally/slot_tally.h"
#include "base/parallel.h"

/* In a tile: a value that no other signature holds; and its number in a query, which agrees with nothing. */
enum { FP_SLOT_ALONE = 0, FP_SLOT_ALONE_ASKED = 1 };

typedef struct fp_signatures {
    const fp_layout *layout; /* layout->slots > 0 */
    const fp_sketches *sketches;
    const uint32_t *which; /* [count] of the sketches */
    size_t count;
} fp_signatures;

/* The signatures in tiles, in `arena`: 2 bytes a slot, or 4 if a slot has more than 65,534 shared values. While
 * working, each thread also needs up to 48 bytes for each signature. */
fp_status fp_slot_numbers(const fp_signatures *signatures, const fp_arenas *arenas, const fp_progress *progress,
                          fp_arena *arena, fp_slot_tiles *tiles, fp_error *error);

static inline uint32_t fp_slot_number(const fp_slot_tiles *tiles, size_t signature, size_t slot) {
    size_t at = fp_slot_place(tiles, signature, slot);
    return tiles->wide ? ((const uint32_t *)tiles->at)[at] : ((const uint16_t *)tiles->at)[at];
}

/* Signatures begin … end − 1 as queries of the kernel. */
fp_status fp_slot_queries(const fp_slot_tiles *tiles, size_t begin, size_t end, fp_arena *arena, void **queries,
                          fp_error *error);

#endif
