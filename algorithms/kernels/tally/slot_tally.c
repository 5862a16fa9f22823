/* SPDX-License-Identifier: GPL-3.0-or-later
 * Tallies of differing slots. The limit is comparing: a signature of 64 slots takes two operations per slot for every
 * 32 signatures; see `make bench`. */
#include "algorithms/kernels/tally/slot_tally.h"

#include <string.h>

static uint32_t number_at(const void *numbers, size_t i, bool wide) {
    return wide ? ((const uint32_t *)numbers)[i] : ((const uint16_t *)numbers)[i];
}

static size_t columns_of(bool wide) { return FP_SLOT_TILE_BYTES / (wide ? sizeof(uint32_t) : sizeof(uint16_t)); }

/* ---- Use of the counts of equal slots: rows of a tile's columns ---- */

/* The number of equal slots from which a pair is near; more than there are if no near pairs are wanted. */
static uint32_t least_equal(size_t slots, const fp_tally_watch *watch) {
    if (!watch || watch->limit < 0) return (uint32_t)slots + 1;
    return watch->limit < (int64_t)slots ? (uint32_t)slots - (uint32_t)watch->limit : 0;
}

static void report_near(const void *equal, size_t rows, size_t some, size_t slots, bool wide, fp_tally_pair first,
                        fp_tally_watch *watch) {
    fp_tally_pair pairs[FP_SLOT_TILE_BYTES / 2];
    for (size_t r = 0; r < rows; r++) {
        size_t columns = columns_of(wide), found = 0;
        uint32_t least = least_equal(slots, watch);
        for (size_t j = 0; j < some; j++) {
            uint32_t same = number_at(equal, r * columns + j, wide);
            if (same >= least)
                pairs[found++] =
                    (fp_tally_pair){first.query + (uint32_t)r, first.other + (uint32_t)j, (uint32_t)slots - same};
        }
        if (found) watch->report(watch, pairs, found);
    }
}

static void count_some(const void *equal, size_t rows, size_t some, size_t slots, bool wide, uint64_t *tally) {
    size_t columns = columns_of(wide);
    for (size_t r = 0; r < rows; r++)
        for (size_t j = 0; j < some; j++) tally[slots - number_at(equal, r * columns + j, wide)]++;
}

/* ---- Portable ---- */

static void portable(const fp_slot_tiles *tiles, const void *queries, size_t query_count, size_t first, size_t end,
                     fp_tally_watch *watch, uint64_t *tally) {
    size_t slots = tiles->slots, columns = fp_slot_columns(tiles);
    for (size_t at = first; at < end; at += columns) {
        size_t some = end - at < columns ? end - at : columns;
        for (size_t q = 0; q < query_count; q++) {
            union {
                uint16_t narrow[FP_SLOT_TILE_BYTES / 2];
                uint32_t wide[FP_SLOT_TILE_BYTES / 4];
            } equal = {0};
            for (size_t s = 0; s < slots; s++) {
                size_t column = (at / columns * slots + s) * columns;
                if (tiles->wide)
                    for (size_t j = 0; j < columns; j++)
                        equal.wide[j] +=
                            ((const uint32_t *)tiles->at)[column + j] == ((const uint32_t *)queries)[q * slots + s];
                else
                    for (size_t j = 0; j < columns; j++)
                        equal.narrow[j] = (uint16_t)(equal.narrow[j] + (((const uint16_t *)tiles->at)[column + j] ==
                                                                        ((const uint16_t *)queries)[q * slots + s]));
            }
            count_some(&equal, 1, some, slots, tiles->wide, tally);
            if (watch && watch->limit >= 0)
                report_near(&equal, 1, some, slots, tiles->wide,
                            (fp_tally_pair){(uint32_t)q, (uint32_t)(at - first), 0}, watch);
        }
    }
}

#if defined(__x86_64__)

/* counts[e]: pairs with e equal slots. If full windows have no place for e = slots, that count is the remainder. */
static void add_equal_counts(const uint64_t *counts, size_t slots, uint64_t pairs, uint64_t *tally) {
    uint64_t counted = 0;
    for (size_t e = 0; e < (slots + 63) / 64 * 64 && e <= slots; e++) {
        tally[slots - e] += counts[e];
        counted += counts[e];
    }
    tally[0] += pairs - counted;
}

/* Planes of planes.h. For more slots than 64 · MOST_WINDOWS every pair is one increment, whose cost comparing hides. */
enum { PLANES = 40, MOST_WINDOWS = 4 };
enum { ROWS_avx2 = 1, ROWS_avx512 = 4 };

#include "algorithms/kernels/tally/wide_avx2.h"

#include "algorithms/kernels/tally/planes.h"
#include "algorithms/kernels/tally/slot_tiles.h"

#include "algorithms/kernels/tally/wide_avx512.h"

#include "algorithms/kernels/tally/planes.h"
#include "algorithms/kernels/tally/slot_tiles.h"

#else
#define slot_tally_avx2 portable
#define slot_tally_avx512 portable
#endif

const fp_slot_tally_kernel fp_slot_tally_kernels[FP_CPU_LEVELS] = {portable, slot_tally_avx2, slot_tally_avx512};
