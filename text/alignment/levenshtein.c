/* SPDX-License-Identifier: GPL-3.0-or-later
 * Levenshtein distance by bit vectors, strip by strip. */
#include "text/alignment/levenshtein.h"

#include <string.h>

enum { ROWS = FP_LEVENSHTEIN_ROWS, PLACES = 8 * ROWS };

/* Maps a character to the rows that hold it, of up to 64: open addressing, in so many places that few are tried. */
typedef struct row_map {
    uint32_t character[PLACES];
    uint64_t mask[PLACES]; /* 0: the place is free */
} row_map;

static size_t place_of(const row_map *map, uint32_t character) {
    size_t place = (character * UINT32_C(0x9E3779B1)) >> 23; /* 32 − log₂ PLACES */
    while (map->mask[place] && map->character[place] != character) place = (place + 1) % PLACES;
    return place;
}

/* One strip of `count` ≤ 64 rows against all columns. change[j] is the growth of D from column j to j + 1: on entry in
 * the row above the strip, on return in its last row. */
static void strip(const uint32_t *row, size_t count, const uint32_t *column, size_t columns, int8_t *change) {
    row_map map;
    memset(map.mask, 0, sizeof map.mask);
    for (size_t i = 0; i < count; i++) {
        size_t place = place_of(&map, row[i]);
        map.character[place] = row[i];
        map.mask[place] |= UINT64_C(1) << i;
    }
    uint64_t up = UINT64_MAX, down = 0, last = UINT64_C(1) << (count - 1);
    for (size_t j = 0; j < columns; j++) {
        uint64_t equal = map.mask[place_of(&map, column[j])], below = (change[j] < 0), above = (change[j] > 0);
        uint64_t vertical = equal | down;
        equal |= below;
        uint64_t diagonal = (((equal & up) + up) ^ up) | equal;
        uint64_t more = down | ~(diagonal | up), less = up & diagonal;
        change[j] = (int8_t)(((more & last) != 0) - ((less & last) != 0));
        more = more << 1 | above;
        less = less << 1 | below;
        up = less | ~(vertical | more);
        down = more & vertical;
    }
}

/* ---- The band ---- */

typedef struct table {
    size_t rows, columns;
    fp_edit_band band;
} table;

static size_t centre_of(const table *of, size_t column) {
    return of->band.straight ? (size_t)((double)column * (double)of->rows / (double)of->columns) : column;
}

/* The strips that the band reaches in a column, counted from 1. */
static size_t first_strip(const table *of, size_t column) {
    size_t centre = centre_of(of, column);
    return centre > of->band.above + 1 ? (centre - of->band.above - 1) / ROWS : 0;
}

static size_t last_strip(const table *of, size_t column) {
    size_t row = centre_of(of, column) + of->band.below;
    return ((row < of->rows ? row : of->rows) - 1) / ROWS;
}

/* Outside the band D grows by one from row to row and from column to column: so the result is the length of a real
 * script. `edits` is D in the last row above the strip, in the column where the strip begins. */
size_t fp_edits_within(const uint32_t *a, size_t rows, const uint32_t *b, size_t columns, fp_edit_band band,
                       int8_t *change) {
    const table of = {rows, columns, band};
    size_t edits = 0, begin = 0, end = 0;
    memset(change, 1, columns);
    for (size_t number = 0, row = 0; row < rows; number++, row += ROWS) {
        size_t count = rows - row < ROWS ? rows - row : ROWS;
        while (begin < columns && last_strip(&of, begin + 1) < number) edits += (size_t)(ptrdiff_t)change[begin++];
        while (end < columns && first_strip(&of, end + 1) <= number) end++;
        strip(a + row, count, b + begin, end - begin, change + begin);
        edits += count;
    }
    while (begin < columns) edits += (size_t)(ptrdiff_t)change[begin++];
    return edits;
}
