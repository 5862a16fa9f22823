/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * count_tile.h - the terms of some documents that follow one another, where what is joined are small whole numbers: 1
 * for every key (FP_JOIN_COUNT), or products of how often two documents have it. Numbers are taken apart into powers of
 * two. Of a frequent term, the documents that have a power are a list of bits, so that a row's sums are sums of lists;
 * where few have it, and of all other terms, they are postings.
 */
#ifndef FP_COUNT_TILE_H
#define FP_COUNT_TILE_H

#include "algorithms/kernels/distance_kernels.h"
#include "pairs/posting_entries.h"

typedef struct fp_count_tile {
    const fp_arena *like; /* where postings and lists have their memory */
    size_t width;         /* documents of a whole tile, a multiple of FP_BIT_SUMS_PLACES */
    size_t begin, end;    /* documents of this one */
    bool numbers;         /* numbers are joined, not keys counted */
    size_t powers;        /* of two that a number may have */
    size_t longest;       /* terms of a row */
    uint32_t *first;      /* [term_count + 2] into document and power */
    uint16_t *document;   /* [posting_capacity] from `begin` */
    uint8_t *power;       /* [posting_capacity] 2^p; NULL where keys are counted */
    size_t posting_capacity;
    uint8_t *listed;     /* [frequent] bit p: the power 2^p has a list */
    uint32_t *list;      /* [frequent] the first of a term's lists, which follow one another */
    uint32_t *documents; /* [frequent · powers] that have a power, while the tile is filled */
    uint64_t *bits;      /* [list_capacity · width/64] */
    size_t list_capacity;
} fp_count_tile;

/* Whether a table is for such tiles: no row can have a sum beyond FP_BIT_SUMS_MOST. */
bool fp_count_tile_takes(const fp_entry_table *from, fp_join join);
/* Chooses the width; `made` has its `like`. The frequent terms of the table must come first in every document. What it
 * holds is released by fp_count_tile_free, all else lives in `arena`. FP_ERROR_MEMORY. */
fp_status fp_count_tile_open(fp_count_tile *made, const fp_entry_table *from, fp_arena *arena, fp_error *error);
void fp_count_tile_free(fp_count_tile *tile);
/* The tile from `begin` on, in the place of the one before. FP_ERROR_RANGE for 2³² postings, FP_ERROR_MEMORY. */
fp_status fp_count_tile_fill(fp_count_tile *to, const fp_entry_table *from, size_t begin, fp_error *error);

/* A thread's lists of a row, in `arena`. */
fp_status fp_count_tile_room(const fp_count_tile *tile, fp_arena *arena, fp_bit_lists *lists, fp_error *error);
/* What a row met. */
typedef struct fp_tile_count {
    size_t postings, lists; /* the lists being those of bits */
} fp_tile_count;
/* Adds the joined numbers of row `row` of the table and each document of the tile to sum[width]. */
fp_tile_count fp_count_tile_row(const fp_count_tile *tile, const fp_entry_table *entries, size_t row,
                                fp_bit_lists *lists, uint16_t *sum);

#endif
