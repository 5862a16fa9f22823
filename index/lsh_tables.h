/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lsh_tables.h - an index in memory over the sketches of a corpus: which documents may be near a given one, without a
 * look at all of them.
 *
 * A sketch has places, bits or slots, and its distance is the number of places that differ. A table holds every
 * document under a key, the content of some of the places; documents with the key of the query are its candidates. Two
 * kinds choose the places:
 *
 * - pigeonhole: the places are cut into `blocks` blocks, as even as possible (the first ones a place wider), and there
 *   is a table for every choice of `agree` of them. k differing places touch at most k blocks, so that every document
 *   within a distance of blocks − agree is a candidate (Manku, Jain, Das Sarma, WWW 2007, section 3: agree = 1 needs
 *   `blocks` tables and meets many candidates; 6 blocks with agree = 3 need 20 and meet few).
 * - banding: the first bands·rows places form bands of `rows` places, and there is a table for each (index/banding.h).
 *   Every document within a distance of bands − 1 is a candidate.
 *
 * The index keeps documents only: 4 bytes each in every table, and a directory of at most 8 bytes a document. Sketches
 * stay where they are.
 */
#ifndef FP_LSH_TABLES_H
#define FP_LSH_TABLES_H

#include "base/parallel.h"

typedef enum fp_lsh_kind { FP_LSH_PIGEONHOLE, FP_LSH_BANDING } fp_lsh_kind;

enum { FP_LSH_MOST = 4096 }; /* tables of an index */

/* What is asked for, as in "pigeonhole:blocks=4" or "banding:bands=16,rows=4". */
typedef struct fp_lsh_spec {
    fp_lsh_kind kind;
    int64_t blocks, agree;     /* pigeonhole */
    int64_t bands, rows;       /* banding; both 0: chosen for the two below */
    double similarity, recall; /* documents that alike are to be candidates with that probability */
} fp_lsh_spec;

/* KIND or KIND:key=value,…; texts may come from `arena`. FP_ERROR_UNKNOWN with the nearest name, FP_ERROR_RANGE with
 * the bounds, FP_ERROR_SYNTAX. */
fp_status fp_lsh_parse(const char *text, fp_arena *arena, fp_lsh_spec *spec, fp_error *error);

/* The places of a layout: its slots, else its bits; 0 when there is no such index over it. */
size_t fp_lsh_places(const fp_layout *layout);
/* Pigeonhole with its defaults for bits, banding for slots. */
fp_status fp_lsh_default(const fp_layout *layout, fp_lsh_spec *spec, fp_error *error);

/* The pigeonhole of fewest tables that brings every document within a distance ≥ 0: ⌊distance⌋ + 1 blocks. False where
 * there is none, because the distance leaves no place to agree in or there would be more than FP_LSH_MOST tables:
 * only a full scan is sure of it. */
bool fp_lsh_within_distance(const fp_layout *layout, double distance, fp_lsh_spec *spec);

/* A specification made definite for one layout. */
typedef struct fp_lsh_form {
    fp_lsh_kind kind;
    unsigned places;
    unsigned parts;  /* blocks or bands */
    unsigned rows;   /* banding: places of a band */
    unsigned agree;  /* pigeonhole: blocks of a key; 1 for bands */
    unsigned tables; /* C(blocks, agree), or bands */
    unsigned reach;  /* every document within this distance is a candidate */
} fp_lsh_form;

/* Where no banding of the slots has the recall asked for, each slot is a band of its own, which finds the most.
 * FP_ERROR_RANGE: a layout without places, more blocks or bands·rows than places, bands without rows, agree > blocks,
 * more than FP_LSH_MOST tables. */
fp_status fp_lsh_settle(const fp_lsh_spec *spec, const fp_layout *layout, fp_lsh_form *form, fp_error *error);
/* "pigeonhole:blocks=6,agree=3", "pigeonhole:blocks=4" where agree is 1, "banding:bands=16,rows=4"; NULL when there is
 * no memory. */
const char *fp_lsh_text(const fp_lsh_form *form, fp_arena *arena);

/* P[two sketches have a key in common] when each place differs with probability `differs`, independently of the others
 * (index/banding.h). */
double fp_lsh_probability(const fp_lsh_form *form, double differs);

/* ---- The index ---- */

typedef struct fp_lsh fp_lsh; /* read-only once built; any number of threads may query it */

/* Indexes all sketches of `instance`, whose layout must be `form`'s. Keeps `instance` and the sketches' data, copies
 * nothing of them; all else lives in `arena`. The same bytes for any number of threads. FP_ERROR_RANGE for 2^32 − 1
 * documents or more, or sketches of another size than the layout's. */
fp_status fp_lsh_build(const fp_lsh_form *form, const fp_instance *instance, const fp_sketches *sketches,
                       const fp_progress *progress, fp_arena *arena, const fp_lsh **tables, fp_error *error);

const fp_lsh_form *fp_lsh_form_of(const fp_lsh *tables);
/* Bytes that the tables take, the sketches apart. */
size_t fp_lsh_bytes(const fp_lsh *tables);

/* What queries cost, added up. */
typedef struct fp_lsh_work {
    uint64_t queries;
    uint64_t lookups;    /* one a table */
    uint64_t entries;    /* documents under the keys of the query, each as often as tables bring it */
    uint64_t candidates; /* distinct documents among them */
} fp_lsh_work;

/* The distinct candidates of a sketch, a stored document's own among them: by the first table that brings them, then by
 * document. They live in `arena`; `work` (may be NULL) is added to. */
fp_status fp_lsh_candidates(const fp_lsh *tables, fp_sketch query, fp_arena *arena, const uint32_t **documents,
                            size_t *count, fp_lsh_work *work, fp_error *error);

/* Whether two sketches have a key in common: the definition of a candidate, without a look-up. */
bool fp_lsh_meet(const fp_lsh *tables, fp_sketch a, fp_sketch b);

#endif
