/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * block_design.h - tables whose exact look-ups find every fingerprint within a Hamming distance. `bits` bits are cut
 * into blocks, as even as possible (the first ones one bit wider). There is a table for every choice of `agree` blocks,
 * keyed by their bits: K differing bits touch at most K blocks, so at least blocks − K of them agree. With a second
 * level the bits that are not in the key are cut again, and the numbers of tables multiply (Manku, Jain, Das Sarma, WWW
 * 2007, section 3.1.2: 16 tables for K = 3 are 4 blocks, times 4 of the rest).
 *
 * Bit i of a fingerprint is bit i mod 64 of its word ⌊i/64⌋. Blocks are consecutive, from bit 0 on.
 */
#ifndef FP_BLOCK_DESIGN_H
#define FP_BLOCK_DESIGN_H

#include "base/base.h"

enum { FP_BLOCK_BITS = 1024, FP_BLOCK_WORDS = FP_BLOCK_BITS / 64, FP_BLOCK_TABLES = 4096, FP_BLOCK_LEVELS = 2 };

typedef struct fp_block_level {
    unsigned blocks, agree;
} fp_block_level;

typedef struct fp_block_design {
    unsigned bits, distance;               /* 1 … 1024 bits; distance < bits */
    unsigned level_count;                  /* 0: no table, linear scan; 1 or 2 */
    fp_block_level level[FP_BLOCK_LEVELS]; /* 1 ≤ agree ≤ blocks − distance, on each level */
} fp_block_design;

/* FP_ERROR_RANGE with the reason: "a distance of 4 needs more than 4 blocks, since 4 bits can differ in all of them",
 * more blocks than bits to cut, more than FP_BLOCK_TABLES tables. */
fp_status fp_block_design_check(const fp_block_design *design, fp_error *error);

/* Words of a fingerprint, ⌈bits/64⌉. The design of this and the next functions must be checked. */
static inline size_t fp_block_words(unsigned bits) { return (bits + 63) / 64; }
/* The number of tables; 0 without levels. */
size_t fp_block_design_tables(const fp_block_design *design);
/* The bits of each key, as a mask of fp_block_words(bits) words, table after table, in `arena`; empty without levels.
 * Choices of blocks are in lexical order, those of the second level within one of the first. FP_ERROR_MEMORY. */
fp_status fp_block_design_masks(const fp_block_design *design, fp_arena *arena, uint64_t **masks, fp_error *error);

/* "blocks=4", "blocks=6,agree=3", "blocks=4+4", "blocks=6+5,agree=3+2", "scan"; NULL: out of memory. */
const char *fp_block_design_text(const fp_block_design *design, fp_arena *arena);
/* Parses such a text and checks the design. FP_ERROR_SYNTAX, FP_ERROR_RANGE. */
fp_status fp_block_design_parse(const char *text, unsigned bits, unsigned distance, fp_block_design *design,
                                fp_error *error);

/* ---- Cost of a design ---- */

/* A table is grouped by the lowest bits of its key. Returns how many of its `key_bits`, less than 32: as many as leave
 * a group at least `least` fingerprints on average. */
unsigned fp_block_prefix_bits(unsigned key_bits, double documents, unsigned least);

/* Bytes of a number in 0 … documents − 1. */
static inline unsigned fp_block_number_bytes(double documents) { return documents <= 0x1p24 ? 3 : 4; }
/* Fingerprints of a group in memory. A directory of four bytes a group takes at most one byte a fingerprint if numbers
 * take three bytes, and 1/16 byte if they take four. */
static inline unsigned fp_block_group(double documents) { return fp_block_number_bytes(documents) < 4 ? 4 : 64; }

/* Expected values for `documents` ≥ 1 random fingerprints and many queries at once. */
typedef struct fp_block_cost {
    double tables, bytes;        /* of all tables; of the single list, without levels */
    double lookups;              /* a query: groups looked up, one a table */
    double candidates;           /* a query: fingerprints with its keys, counted once a table */
    unsigned key_bits, key_most; /* of the narrowest key and of the widest; 0 without tables */
    double compared;             /* a query: fingerprints in those groups, counted once a table */
    double nanoseconds;          /* a query, by the measured constants in block_design.c */
} fp_block_cost;

/* Time in nanoseconds of look-ups and comparisons of `bits` bits in tables of `bytes` bytes, by the same constants. */
double fp_block_nanoseconds(unsigned bits, double bytes, double lookups, double compared);

/* The design must be checked. */
fp_block_cost fp_block_design_cost(const fp_block_design *design, double documents);

/* Chooses the design with the least expected time a query among those of at most `most_bytes` bytes (0: no limit).
 * Ties: fewer bytes. FP_ERROR_RANGE: bits or distance out of bounds, or not even the fingerprints and their numbers
 * fit. */
fp_status fp_block_design_choose(unsigned bits, unsigned distance, double documents, double most_bytes,
                                 fp_block_design *design, fp_error *error);

#endif
