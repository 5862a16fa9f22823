/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * posting_tile.h - the postings of some documents that follow one another: for each term those that have it.
 */
#ifndef FP_POSTING_TILE_H
#define FP_POSTING_TILE_H

#include "algorithms/kernels/distance_kernels.h"
#include "pairs/posting_entries.h"

/* A term that many documents of the tile have is dense: its list has a place for each document in turn, with the value
 * 0 where it is missing, which adds nothing. Dense lists begin and end with a cache line; a list before one begins with
 * some postings of the first document and the value 0, which fill the line. */
typedef struct fp_posting_tile {
    const fp_arena *like; /* where the postings have their memory */
    fp_join join;
    fp_dense_kernel add_dense; /* NULL where no term can be dense */
    size_t width;              /* documents of a whole tile */
    size_t begin, end;         /* documents of this one */
    bool may_be_dense;         /* values are such that 0 adds nothing */
    bool *dense;               /* [term_count]; of the others a list is shorter than the tile */
    uint32_t *first;           /* [term_count + 2] into document and value */
    uint16_t *document;        /* [capacity] from `begin`; 0 in dense lists */
    double *value;             /* [capacity] NULL for FP_JOIN_COUNT */
    size_t capacity;
} fp_posting_tile;

/* Where the tile that begins at `begin` ends. */
static inline size_t fp_tile_end(const fp_entry_table *from, const fp_posting_tile *tile, size_t begin) {
    return from->count - begin < tile->width ? from->count : begin + tile->width;
}

/* Documents of this one. */
static inline size_t fp_tile_size(const fp_posting_tile *tile) { return tile->end - tile->begin; }

/* Every row looks at each of its terms in every tile. Documents of a tile, `least` times a power of two, so that it
 * adds many times as often as it looks. */
size_t fp_tile_width(const fp_entry_table *from, size_t least);

/* Chooses the width; `made` has its `like`. What it holds is released by fp_tile_free, all else lives in `arena`. */
fp_status fp_tile_open(fp_posting_tile *made, const fp_entry_table *from, fp_join join, fp_arena *arena,
                       fp_error *error);
void fp_tile_free(fp_posting_tile *tile);
/* The tile from `begin` on, in the place of the one before. FP_ERROR_RANGE for 2³² postings, FP_ERROR_MEMORY. */
fp_status fp_tile_fill(fp_posting_tile *to, const fp_entry_table *from, size_t begin, fp_error *error);

/* Adds the joined values of row `row` of the table and each document of the tile to sum[width of the tile], in
 * ascending order of the terms. Returns how many postings the row met. */
size_t fp_tile_add_row(const fp_posting_tile *tile, const fp_entry_table *entries, size_t row, double *sum);

/* ---- The terms of some documents that follow one another, where what is joined are small whole numbers: 1 for every
 * key (FP_JOIN_COUNT), or products of how often two documents have it. Numbers are taken apart into powers of two. Of a
 * frequent term, the documents that have a power are a list of bits, so that a row's sums are sums of lists; where few
 * have it, and of all other terms, they are postings. ---- */

typedef struct fp_count_tile {
    fp_arena *arena;
    size_t width;       /* documents of a whole tile, a multiple of FP_BIT_SUMS_PLACES */
    size_t begin, end;  /* documents of this one */
    bool numbers;       /* numbers are joined, not keys counted */
    size_t powers;      /* of two that a number may have */
    size_t longest;     /* terms of a row */
    uint32_t *first;    /* [term_count + 2] into document and power */
    uint16_t *document; /* [posting_capacity] from `begin` */
    uint8_t *power;     /* [posting_capacity] 2^p; NULL where keys are counted */
    size_t posting_capacity;
    uint8_t *listed;     /* [frequent] bit p: the power 2^p has a list */
    uint32_t *list;      /* [frequent] the first of a term's lists, which follow one another */
    uint32_t *documents; /* [frequent · powers] that have a power, while the tile is filled */
    uint64_t *bits;      /* [list_capacity · width/64] */
    size_t list_capacity;
} fp_count_tile;

/* What a row met. */
typedef struct fp_tile_count {
    size_t postings, lists; /* the lists being those of bits */
} fp_tile_count;

/* Whether a table is for such tiles: no row can have a sum beyond FP_BIT_SUMS_MOST. */
bool fp_count_tile_takes(const fp_entry_table *from, fp_join join);
/* Chooses the width; lives in `arena`. The frequent terms of the table must come first in every document.
 * FP_ERROR_MEMORY. */
fp_status fp_count_tile_open(fp_count_tile *made, const fp_entry_table *from, fp_arena *arena, fp_error *error);
/* The tile from `begin` on, in the place of the one before. FP_ERROR_RANGE for 2³² postings, FP_ERROR_MEMORY. */
fp_status fp_count_tile_fill(fp_count_tile *to, const fp_entry_table *from, size_t begin, fp_error *error);
/* A thread's lists of a row, in `arena`. */
fp_status fp_count_tile_room(const fp_count_tile *tile, fp_arena *arena, fp_bit_lists *lists, fp_error *error);
/* Adds the joined numbers of row `row` of the table and each document of the tile to sum[width]. */
fp_tile_count fp_count_tile_row(const fp_count_tile *tile, const fp_entry_table *entries, size_t row,
                                fp_bit_lists *lists, uint16_t *sum);

#endif
