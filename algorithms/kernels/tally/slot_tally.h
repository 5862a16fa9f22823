/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * slot_tally.h - how many pairs of signatures differ in how many slots, and which few of them are near; the counterpart
 * of tally.h. What a slot holds is told by a small number that stands for it in this slot, so that a vector compares
 * many signatures at once: 32 of them in an instruction of 512 bits.
 */
#ifndef FP_SLOT_TALLY_H
#define FP_SLOT_TALLY_H

#include "algorithms/kernels/tally/tally.h"

/* A tile holds so many bytes of each slot, one slot after the other. */
enum { FP_SLOT_TILE_BYTES = 256 };

/* Signatures in tiles of integers of 16 bits, or of 32 where `wide`; a tile has FP_SLOT_TILE_BYTES / 2 or / 4 columns.
 */
typedef struct fp_slot_tiles {
    size_t slots;
    bool wide;
    void *at;
} fp_slot_tiles;

static inline size_t fp_slot_columns(const fp_slot_tiles *tiles) {
    return FP_SLOT_TILE_BYTES / (tiles->wide ? 4U : 2U);
}

/* Where the number of a slot of a signature stands. */
static inline size_t fp_slot_place(const fp_slot_tiles *tiles, size_t signature, size_t slot) {
    size_t columns = fp_slot_columns(tiles);
    return (signature / columns * tiles->slots + slot) * columns + signature % columns;
}

/* Adds every pair of a query and one of the signatures first … end − 1, where `first` begins a tile, to `tally`, a
 * table of slots + 1 counts by differing slots. The numbers of the queries are those of one after the other; the last
 * tile is there whole. `watch` (of the distances; its places count from `first`) may be NULL. */
typedef void (*fp_slot_tally_kernel)(const fp_slot_tiles *tiles, const void *queries, size_t query_count, size_t first,
                                     size_t end, fp_tally_watch *watch, uint64_t *tally);

typedef struct fp_slot_tally_variant {
    const char *name;
    fp_cpu level;
    fp_slot_tally_kernel kernel;
    bool (*supported)(void);
} fp_slot_tally_variant;

/* As in tally.h. */
extern const fp_slot_tally_variant fp_slot_tally_variants[];
const fp_slot_tally_variant *fp_slot_tally_chosen(void);

#endif
