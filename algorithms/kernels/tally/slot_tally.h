/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * slot_tally.h - counts pairs of signatures by differing slots and finds the few near pairs; the counterpart of
 * tally.h. In each slot a small number replaces the value, so that a vector compares many signatures at once: 32 of
 * them in an instruction of 512 bits.
 */
#ifndef FP_SLOT_TALLY_H
#define FP_SLOT_TALLY_H

#include "algorithms/kernels/tally/tally.h"

/* The bytes of each slot in a tile; one slot follows the other. */
enum { FP_SLOT_TILE_BYTES = 256 };

/* Signatures in tiles of integers of 16 bits, or 32 if `wide`; a tile has FP_SLOT_TILE_BYTES / 2 or / 4 columns. */
typedef struct fp_slot_tiles {
    size_t slots;
    bool wide;
    void *at;
} fp_slot_tiles;

static inline size_t fp_slot_columns(const fp_slot_tiles *tiles) {
    return FP_SLOT_TILE_BYTES / (tiles->wide ? 4U : 2U);
}

/* The index of the number for a slot of a signature. */
static inline size_t fp_slot_place(const fp_slot_tiles *tiles, size_t signature, size_t slot) {
    size_t columns = fp_slot_columns(tiles);
    return (signature / columns * tiles->slots + slot) * columns + signature % columns;
}

/* Adds every pair of a query and one of the signatures first … end − 1 to `tally`, a table of slots + 1 counts by
 * differing slots. `first` begins a tile, and the last tile is complete. The numbers of the queries are stored query by
 * query. `watch` (of the distances; its positions count from `first`) may be NULL. */
typedef void (*fp_slot_tally_kernel)(const fp_slot_tiles *tiles, const void *queries, size_t query_count, size_t first,
                                     size_t end, fp_tally_watch *watch, uint64_t *tally);
extern const fp_slot_tally_kernel fp_slot_tally_kernels[FP_CPU_LEVELS]; /* by fp_cpu_counting */

#endif
