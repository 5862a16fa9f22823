/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * posting_tile.h - the posting lists of a range of consecutive documents, and bitmaps where small whole numbers are
 * joined.
 */
#ifndef FP_POSTING_TILE_H
#define FP_POSTING_TILE_H

#include "pairs/posting_entries.h"

/* A term is dense if many documents of the tile have it. A dense list has a place for every document in turn, with the
 * value 0 if the document lacks the term. Dense lists begin and end at a cache line; the list before one begins with
 * padding to that line: postings of document 0 with value 0. */
typedef struct fp_posting_tile {
    const fp_arena *like; /* the postings use its allocator */
    fp_join join;
    fp_dense_kernel add_dense; /* NULL if no term can be dense */
    size_t width;              /* documents of a whole tile */
    size_t begin, end;         /* documents of this one */
    bool may_be_dense;         /* all values are finite, so that 0 adds nothing */
    bool *dense;               /* [term_count]; a list that is not dense is shorter than the tile */
    uint32_t *first;           /* [term_count + 2] into document and value */
    uint16_t *document;        /* [capacity] from `begin`; 0 in dense lists */
    double *value;             /* [capacity] NULL for FP_JOIN_COUNT */
    size_t capacity;
} fp_posting_tile;

/* Number of documents of this tile. */
static inline size_t fp_tile_size(const fp_posting_tile *tile) { return tile->end - tile->begin; }

/* Chooses the width. `made->like` must be set. fp_tile_free releases the postings; the rest lives in `arena`. */
fp_status fp_tile_open(fp_posting_tile *made, const fp_entry_table *from, fp_join join, fp_arena *arena,
                       fp_error *error);
void fp_tile_free(fp_posting_tile *tile);
/* Replaces the tile by the one from `begin` on. FP_ERROR_RANGE: 2³² − 1 postings or more, FP_ERROR_MEMORY. */
fp_status fp_tile_fill(fp_posting_tile *to, const fp_entry_table *from, size_t begin, fp_error *error);

/* Adds the joined values of row `row` of the table and each document of the tile to sum[width of the tile], in
 * ascending order of the terms. Returns the number of postings visited. */
size_t fp_tile_add_row(const fp_posting_tile *tile, const fp_entry_table *entries, size_t row, double *sum);

/* ---- Tiles of counts: the terms of consecutive documents if the joined values are small whole numbers: 1 for every
 * key (FP_JOIN_COUNT), or products of term frequencies. Numbers are decomposed into powers of two. For a frequent term,
 * the documents that have a power form a bitmap, so that a row's sums are sums of bitmaps. If few documents have the
 * power, and for all other terms, they form postings. ---- */

typedef struct fp_count_tile {
    fp_arena *arena;
    size_t width;       /* documents of a whole tile, a multiple of FP_BIT_SUMS_PLACES */
    size_t begin, end;  /* documents of this one */
    bool numbers;       /* joins numbers; false: counts keys */
    size_t powers;      /* number of powers of two that a number may have */
    size_t longest;     /* most terms of a row */
    uint32_t *first;    /* [term_count + 2] into document and power */
    uint16_t *document; /* [posting_capacity] from `begin` */
    uint8_t *power;     /* [posting_capacity] 2^p; NULL if keys are counted */
    size_t posting_capacity;
    uint8_t *listed;     /* [frequent] bit p: the power 2^p has a bitmap */
    uint32_t *list;      /* [frequent] the first of a term's bitmaps, which are contiguous */
    uint32_t *documents; /* [frequent · powers] number that have a power, while the tile is filled */
    uint64_t *bits;      /* [list_capacity · width/64] */
    size_t list_capacity;
} fp_count_tile;

/* What a row visited. */
typedef struct fp_tile_count {
    size_t postings, lists; /* lists: bitmaps */
} fp_tile_count;

/* Whether a table can use such tiles: no row can have a sum above FP_BIT_SUMS_MOST. */
bool fp_count_tile_takes(const fp_entry_table *from, fp_join join);
/* Chooses the width; lives in `arena`. The frequent terms of every document of the table must come first.
 * FP_ERROR_MEMORY. */
fp_status fp_count_tile_open(fp_count_tile *made, const fp_entry_table *from, fp_arena *arena, fp_error *error);
/* Replaces the tile by the one from `begin` on. FP_ERROR_RANGE: 2³² − 1 postings or more, FP_ERROR_MEMORY. */
fp_status fp_count_tile_fill(fp_count_tile *to, const fp_entry_table *from, size_t begin, fp_error *error);
/* Allocates a thread's lists for a row, in `arena`. */
fp_status fp_count_tile_room(const fp_count_tile *tile, fp_arena *arena, fp_bit_lists *lists, fp_error *error);
/* Adds the joined numbers of row `row` of the table and each document of the tile to sum[width]. */
fp_tile_count fp_count_tile_row(const fp_count_tile *tile, const fp_entry_table *entries, size_t row,
                                fp_bit_lists *lists, uint16_t *sum);

#endif
