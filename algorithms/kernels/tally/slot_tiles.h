/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * slot_tiles.h - tallies of slots in vectors; slot_tally.c includes it after planes.h, once per width. The includer
 * defines NAME(ROWS), the queries that are compared with a tile together: their counts of equal slots stay in
 * registers.
 */
enum { NAME(VECTORS) = FP_SLOT_TILE_BYTES / 8 / LANES };

/* Counts the slots in which each of some queries agrees with each signature of a tile, as vectors of small numbers.
 * Returns whether one of the counts reaches `least`. */
INLINE bool NAME(equal)(const unsigned char *queries, const unsigned char *tile, size_t slots, bool wide, size_t rows,
                        uint32_t least, unsigned char *equal) {
    VECTOR count[NAME(ROWS)][NAME(VECTORS)];
    bool any = false;
    for (size_t r = 0; r < rows; r++)
        for (size_t v = 0; v < NAME(VECTORS); v++) count[r][v] = NAME(zero)();
    for (size_t s = 0; s < slots; s++) {
        for (size_t r = 0; r < rows; r++) {
            VECTOR query = NAME(every_small)(number_at(queries, r * slots + s, wide), wide);
            for (size_t v = 0; v < NAME(VECTORS); v++) {
                const void *column = tile + s * FP_SLOT_TILE_BYTES + v * sizeof(VECTOR);
                count[r][v] = NAME(add_equal)(count[r][v], query, NAME(load)(column), wide);
            }
        }
    }
    for (size_t r = 0; r < rows; r++) {
        for (size_t v = 0; v < NAME(VECTORS); v++) {
            any |= NAME(any_at_least)(count[r][v], NAME(every_small)(least, wide), wide);
            NAME(store)((void *)(equal + r * FP_SLOT_TILE_BYTES + v * sizeof(VECTOR)), count[r][v]);
        }
    }
    return any;
}

/* Counts of a whole tile, sixteen vectors of words at a time. */
INLINE void NAME(count_equal)(const unsigned char *equal, size_t rows, bool wide, NAME(planes) * planes,
                              VECTOR low[][4], size_t windows) {
    size_t size = wide ? 4 : 2;
    for (size_t at = 0; at < rows * FP_SLOT_TILE_BYTES; at += 16 * LANES * size) {
        VECTOR number[16];
        for (size_t i = 0; i < 16; i++) number[i] = NAME(widen)(equal + at + i * LANES * size, wide);
        NAME(count_numbers)(planes, low, windows, number);
    }
}

INLINE void NAME(take_tiles)(const fp_slot_tiles *tiles, bool wide, const unsigned char *queries, size_t query_count,
                             size_t first, size_t end, fp_tally_watch *watch, uint64_t *tally) {
    unsigned char equal[NAME(ROWS) * FP_SLOT_TILE_BYTES];
    NAME(planes) planes[MOST_WINDOWS];
    VECTOR low[MOST_WINDOWS][4];
    uint64_t counts[MOST_WINDOWS * 64] = {0}, counted = 0;
    size_t slots = tiles->slots, columns = fp_slot_columns(tiles), windows = (slots + 63) / 64, size = wide ? 4 : 2;
    bool few = windows <= MOST_WINDOWS;
    if (few) NAME(open_windows)(planes, low, windows);
    for (size_t at = first; at < end; at += columns) {
        const unsigned char *tile = (const unsigned char *)tiles->at + at * slots * size;
        size_t some = end - at < columns ? end - at : columns;
        for (size_t q = 0; q < query_count; q += NAME(ROWS)) {
            size_t rows = query_count - q < NAME(ROWS) ? query_count - q : NAME(ROWS);
            const unsigned char *query = queries + q * slots * size;
            uint32_t least = least_equal(slots, watch);
            bool near = rows == NAME(ROWS) ? NAME(equal)(query, tile, slots, wide, NAME(ROWS), least, equal)
                                           : NAME(equal)(query, tile, slots, wide, rows, least, equal);
            if (few && rows == NAME(ROWS) && some == columns) {
                NAME(count_equal)(equal, NAME(ROWS), wide, planes, low, windows);
                counted += rows * columns;
            } else count_some(equal, rows, some, slots, wide, tally);
            if (near)
                report_near(equal, rows, some, slots, wide, (fp_tally_pair){(uint32_t)q, (uint32_t)(at - first), 0},
                            watch);
        }
    }
    if (few) NAME(read_windows)(planes, low, windows, counts);
    if (few) add_equal_counts(counts, slots, counted, tally);
}

WIDE static void NAME(slot_tally)(const fp_slot_tiles *tiles, const void *queries, size_t query_count, size_t first,
                                  size_t end, fp_tally_watch *watch, uint64_t *tally) {
    if (tiles->wide) NAME(take_tiles)(tiles, true, queries, query_count, first, end, watch, tally);
    else NAME(take_tiles)(tiles, false, queries, query_count, first, end, watch, tally);
}
