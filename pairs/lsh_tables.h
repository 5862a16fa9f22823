/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lsh_tables.h - keys made of some of the bits of a sketch, and the enumeration of choices of parts.
 */
#ifndef FP_LSH_TABLES_H
#define FP_LSH_TABLES_H

#include "base/base.h"
#include "base/parallel.h"
#include "fplab.h"

/* A run of bits in one 64-bit word. */
typedef struct fp_bit_run {
    uint64_t mask;
    uint32_t word;
    uint8_t shift, width;
} fp_bit_run;

/* Counts the bits set in mask[words]; keeps only the lowest `bits` of them. */
unsigned fp_mask_bits(const uint64_t *mask, size_t words);
void fp_mask_keep_lowest(uint64_t *mask, size_t words, unsigned bits);

typedef struct fp_key_bits {
    const fp_bit_run *runs; /* ascending */
    size_t run_count;
    unsigned bits; /* of all runs */
} fp_key_bits;

/* Splits the bits set in mask[words] into runs, in `arena`. FP_ERROR_MEMORY. */
fp_status fp_key_bits_cut(const uint64_t *mask, size_t words, fp_arena *arena, fp_key_bits *key, fp_error *error);

/* Packs the bits under the mask, the lowest first, like the instruction PEXT; at most 64 of them. */
static inline uint64_t fp_key_bits_of(const fp_key_bits *key, const uint64_t *sketch) {
    uint64_t value = 0;
    for (size_t i = 0, at = 0; i < key->run_count; at += key->runs[i++].width)
        value |= (sketch[key->runs[i].word] & key->runs[i].mask) >> key->runs[i].shift << at;
    return value;
}

static inline bool fp_key_bits_agree(const fp_key_bits *key, const uint64_t *a, const uint64_t *b) {
    for (size_t i = 0; i < key->run_count; i++)
        if ((a[key->runs[i].word] ^ b[key->runs[i].word]) & key->runs[i].mask) return false;
    return true;
}

/* Advances to the next choice of `count` of the numbers 0 … of − 1, ascending, in lexical order. The first choice is 0
 * … count − 1. Returns false after the last. */
bool fp_next_choice(unsigned *chosen, unsigned count, unsigned of);

/* ----
 * Indexes by parts of sketches: find the candidates of a document without a linear scan.
 *
 * A sketch has places (bits or slots), and its distance is the number of places that differ. A table stores every
 * document under a key, the content of some of the places. The candidates of a query are the documents with the same
 * key. Two kinds of index choose the places:
 *
 * - pigeonhole: the places are cut into `blocks` blocks, as even as possible (the first ones one place wider), and
 *   there is a table for every choice of `agree` of them. k differing places touch at most k blocks, so every document
 *   within a distance of blocks − agree is a candidate (Manku, Jain, Das Sarma, WWW 2007, section 3: agree = 1 needs
 *   `blocks` tables and yields many candidates; 6 blocks with agree = 3 need 20 tables and yield few).
 * - banding: the first bands·rows places form bands of `rows` places, and there is a table for each (pairs/banding.h).
 *   Every document within a distance of bands − 1 is a candidate.
 */

typedef enum fp_lsh_kind { FP_LSH_PIGEONHOLE, FP_LSH_BANDING } fp_lsh_kind;

enum { FP_LSH_MOST = 4096 }; /* tables of an index */

/* A requested index, as in "pigeonhole:blocks=4" or "banding:bands=16,rows=4". */
typedef struct fp_lsh_spec {
    fp_lsh_kind kind;
    int64_t blocks, agree;     /* pigeonhole */
    int64_t bands, rows;       /* banding; both 0: chosen by the two below */
    double similarity, recall; /* documents of this similarity are candidates with probability `recall` */
} fp_lsh_spec;

/* Parses KIND or KIND:key=value,…; texts may be allocated in `arena`. FP_ERROR_UNKNOWN with the nearest name,
 * FP_ERROR_RANGE with the bounds, FP_ERROR_SYNTAX. */
fp_status fp_lsh_parse(const char *text, fp_arena *arena, fp_lsh_spec *spec, fp_error *error);

/* The number of places of a layout: its slots, else its bits; 0 if such an index cannot be built over it. */
size_t fp_lsh_places(const fp_layout *layout);
/* The pigeonhole index with the fewest tables for which every document within a distance ≥ 0 is a candidate: ⌊distance⌋
 * + 1 blocks. Returns false if the places are fewer than the blocks or there would be more than FP_LSH_MOST tables:
 * then only a linear scan finds every document. */
bool fp_lsh_within_distance(const fp_layout *layout, double distance, fp_lsh_spec *spec);

/* A specification resolved for one layout. */
typedef struct fp_lsh_form {
    fp_lsh_kind kind;
    unsigned places;
    unsigned parts;  /* blocks or bands */
    unsigned rows;   /* banding: places of a band */
    unsigned agree;  /* pigeonhole: blocks of a key; 1 for bands */
    unsigned tables; /* C(blocks, agree), or bands */
    unsigned reach;  /* every document within this distance is a candidate */
} fp_lsh_form;

/* Resolves a specification. If no banding of the slots has the requested recall, each slot becomes a band, which finds
 * the most. FP_ERROR_RANGE: a layout without places, more blocks or bands·rows than places, bands without rows, agree >
 * blocks, more than FP_LSH_MOST tables. */
fp_status fp_lsh_settle(const fp_lsh_spec *spec, const fp_layout *layout, fp_lsh_form *form, fp_error *error);
/* "pigeonhole:blocks=6,agree=3", "pigeonhole:blocks=4" if agree is 1, "banding:bands=16,rows=4"; NULL: out of memory.
 */
const char *fp_lsh_text(const fp_lsh_form *form, fp_arena *arena);

/* P[two sketches have a common key] if each place differs independently with probability `differs` (pairs/banding.h).
 */
double fp_lsh_probability(const fp_lsh_form *form, double differs);

/* ---- Candidates ---- */

typedef struct fp_lsh fp_lsh; /* read-only */

/* Opens an index over sketches of `layout`, which must match `form`; in `arena`. FP_ERROR_RANGE, FP_ERROR_MEMORY. */
fp_status fp_lsh_open(const fp_lsh_form *form, const fp_layout *layout, fp_arena *arena, const fp_lsh **index,
                      fp_error *error);
const fp_lsh_form *fp_lsh_form_of(const fp_lsh *index);

/* Whether two sketches have a common key, so that a look-up of one finds the other. */
bool fp_lsh_meet(const fp_lsh *index, fp_sketch a, fp_sketch b);

/* Counts the pairs of sketches with a common key. Resets the arenas. FP_ERROR_RANGE: 2^32 − 1 sketches or more, or
 * sketches of another size than the layout's. */
fp_status fp_lsh_count_pairs(const fp_lsh *index, const fp_sketches *sketches, const fp_arenas *arenas,
                             const fp_progress *progress, uint64_t *pairs, fp_error *error);

#endif
