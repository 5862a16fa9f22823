/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * posting_tile.h - sparse vectors as terms, and the postings of some documents that follow one another: for each term
 * those that have it.
 */
#ifndef FP_POSTING_TILE_H
#define FP_POSTING_TILE_H

#include "algorithms/kernels/distance_kernels.h"
#include "base/map.h"

/* ---- Terms (posting_entries.c): numbers from 0 for keys of sparse vectors, the frequent ones first, then as they are
 * met; and what the vectors hold of them. ---- */

/* A term is frequent that at least one in FP_TERM_FREQUENT documents has, and as many as that of FP_TERM_FEW: then a
 * list of bits over the documents is shorter work than its postings, as measured. */
enum { FP_TERM_FREQUENT = 64, FP_TERM_FEW = 512 };

typedef struct fp_posting_terms {
    fp_arena *arena; /* the map's own */
    fp_map map;      /* key to term */
    size_t count, frequent;
    size_t entries;  /* in all vectors together */
    double meetings; /* pairs of equal keys in different vectors */
} fp_posting_terms;

/* The keys that at least `fewest` of vectors[0 … count) have, count < 2³² − 1. While they are counted, a table of all
 * keys is there, 24 to 48 bytes a key, half as much again while it grows. Released by fp_terms_free, also on failure;
 * memory is from where `like` has its own. FP_ERROR_MEMORY, FP_ERROR_RANGE for 2³¹ keys. */
fp_status fp_terms_make(const fp_vector *vectors, size_t count, uint32_t fewest, const fp_arena *like,
                        fp_posting_terms *terms, fp_error *error);
void fp_terms_free(fp_posting_terms *terms);

/* The entries of a vector that are terms, in ascending order of the keys: term[i] is that of key from[i]. Returns how
 * many there are; term and from have room for all keys. */
size_t fp_terms_of(const fp_posting_terms *terms, const fp_vector *vector, uint32_t *term, uint32_t *from);

static inline double fp_vector_value(const fp_vector *vector, size_t i) {
    return *(const double *)(const void *)((const unsigned char *)vector->value + i * vector->step);
}

/* ---- Sparse vectors that are whole numbers over their norm, as term frequencies make them: sums of products are then
 * sums of whole numbers, over both norms. ---- */

/* A number is at most FP_WHOLE_MOST, and the sum of the squares at most FP_WHOLE_SQUARES, so that a sum of products is
 * (Cauchy-Schwarz). */
enum { FP_WHOLE_MOST = UINT8_MAX, FP_WHOLE_SQUARES = UINT16_MAX };

/* The norm of whole numbers of which every value is one, divided by it, to the last bit; 1 for an empty vector, 0 when
 * there are no such numbers. */
double fp_whole_norm(const fp_vector *vector);

/* ---- Entries ---- */

enum { FP_TERMS_BEHIND = 24 };

/* What the documents hold: term after term in ascending order of the keys; but for FP_JOIN_COUNT, where nothing hangs
 * on the order, first the terms that are frequent. 4 bytes an entry; and 1 for its number, or 8 for its value. */
typedef struct fp_entry_table {
    size_t count;   /* documents */
    size_t *first;  /* [count + 1] into term and value */
    uint32_t *term; /* FP_TERMS_BEHIND more than there are, 0: whoever looks ahead need not ask where they end */
    /* All NULL for FP_JOIN_COUNT. Else values, or where all vectors are whole numbers over their norm these. */
    double *value;
    uint8_t *times;
    double *norm; /* [count] */
    size_t term_count;
    size_t frequent; /* the first so many terms are the frequent ones */
    double meetings; /* pairs of equal keys: how often a sum is added to */
} fp_entry_table;

/* The table of vectors[0 … count), which the terms are of, in `arena`. FP_ERROR_MEMORY. */
fp_status fp_entries_make(const fp_vector *vectors, size_t count, const fp_posting_terms *terms, fp_join join,
                          fp_arena *arena, fp_entry_table *out, fp_error *error);

/* A table for one vector at a time, that has up to `longest` keys: room for it, in `arena`. */
fp_status fp_entries_open_row(size_t longest, const fp_posting_terms *terms, fp_join join, fp_arena *arena,
                              fp_entry_table *out, fp_error *error);
/* Fills it. `from`[longest] is room. */
void fp_entries_fill_row(const fp_vector *vector, const fp_posting_terms *terms, fp_entry_table *row, uint32_t *from);

/* Moves the frequent terms of every document to the front, where whole numbers are counted. */
void fp_entries_put_frequent_first(const fp_entry_table *table);

/* The value of an entry of document `document`; 1 where values are not read. */
static inline double fp_entry_value(const fp_entry_table *table, size_t document, size_t entry) {
    if (table->times) return table->times[entry] / table->norm[document];
    return table->value ? table->value[entry] : 1;
}

/* ---- Tiles ---- */

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
