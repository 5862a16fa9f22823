/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * band_tables.h - MinHash LSH (Broder 1997; Indyk, Motwani, STOC 1998): which documents may be similar to a query, by
 * bands of slots, in memory or in one file that is mapped into it.
 *
 * The first bands·rows slots of a sketch form bands of `rows` slots. The key of a band is XXH3-64 of its slots, each as
 * eight bytes with the lowest first, with the number of the band as seed; there is a table for each band, of all
 * documents by ascending key, then number. A document that has the key of the query in some band is a candidate: with
 * probability 1 − (1 − s^r)^b where slots agree with probability s (pairs/banding.h). Bands that differ have one key by
 * chance with 2^-64.
 *
 * A document takes 12 bytes in a table, and the directory of a table at most 1 more. The file is told in
 * docs/index-format.md.
 */
#ifndef FP_BAND_TABLES_H
#define FP_BAND_TABLES_H

#include "base/parallel.h"
#include "pairs/banding.h"
#include "pairs/tables/section_file.h"

enum { FP_BANDS_MOST = 4096 };

/* The bands and rows with which pairs of a layout's sketches at `similarity` (Jaccard) are candidates with probability
 * `recall`, and the fewest pairs below are; where no banding of its slots reaches that, each slot is a band.
 * FP_ERROR_RANGE: a layout without slots, similarity or recall not between 0 and 1. */
fp_status fp_band_choose(const fp_layout *layout, double similarity, double recall, fp_banding *banding,
                         fp_error *error);

/* keys[bands] of a sketch. */
void fp_band_keys(const fp_layout *layout, fp_banding banding, const void *sketch, uint64_t *keys);

/* ---- Making, opening, closing ---- */

typedef struct fp_band_tables fp_band_tables; /* read-only; any number of threads may query it */

/* In memory, which comes from where `like` has its own. Documents are the numbers of their sketches, ascending, each
 * once (NULL: 0, 1, …); nothing of them is kept. The same bytes for any number of threads. FP_ERROR_RANGE: a layout
 * without slots, a banding that takes more slots than there are or more than FP_BANDS_MOST bands, sketches of another
 * size, 2^32 − 1 documents or more. */
fp_status fp_band_tables_build(const fp_layout *layout, fp_banding banding, const fp_sketches *sketches,
                               const uint32_t *numbers, const fp_progress *progress, const fp_arena *like,
                               fp_band_tables **tables, fp_error *error);
/* Into a file that appears whole or not at all. */
fp_status fp_band_tables_write(const fp_band_tables *tables, const char *path, const fp_arena *like, fp_error *error);
/* At once: header and directory of sections are checked, nothing else is read. FP_ERROR_IO; FP_ERROR_ABI: another
 * version or order of bytes; FP_ERROR_SYNTAX: no such file, damaged, cut off. Each names the file. */
fp_status fp_band_tables_open(const char *path, const fp_arena *like, fp_band_tables **tables, fp_error *error);
void fp_band_tables_close(fp_band_tables *tables); /* takes NULL */

/* What is in it. `slots` of `slot_bits` bits are those of the layout it was made of, which must be the query's. */
typedef struct fp_band_form {
    fp_banding banding;
    size_t slots, slot_bits, count; /* documents */
    uint64_t end;                   /* every document's number is below it */
} fp_band_form;
fp_band_form fp_band_tables_form(const fp_band_tables *tables);
/* Of all tables, with their directories. */
size_t fp_band_tables_bytes(const fp_band_tables *tables);
/* The file, for fp_section_file_verify; NULL in memory. */
const fp_section_file *fp_band_tables_file(const fp_band_tables *tables);

/* The recall to expect at a Jaccard similarity: the S-curve of the bands, of slots that also agree by chance where few
 * bits of them are kept. */
double fp_band_tables_recall(const fp_band_tables *tables, double jaccard);

/* ---- Queries ---- */

/* What queries cost, added up. */
typedef struct fp_band_work {
    uint64_t queries;
    uint64_t lookups;    /* one a band */
    uint64_t entries;    /* documents under the keys, each as often as bands bring it */
    uint64_t candidates; /* distinct ones */
} fp_band_work;

/* The distinct candidates of a sketch, ascending, a stored document's own among them, in `arena`; `work` (may be NULL)
 * is added to. FP_ERROR_RANGE: a layout with other slots; FP_ERROR_SYNTAX: the file is damaged where it was read. */
fp_status fp_band_candidates(const fp_band_tables *tables, const fp_layout *layout, fp_sketch query, fp_arena *arena,
                             const uint32_t **documents, size_t *count, fp_band_work *work, fp_error *error);

/* Whether a document is under the keys of a sketch in every band. */
bool fp_band_tables_hold(const fp_band_tables *tables, const fp_layout *layout, fp_sketch sketch, uint32_t document);

/* ---- All pairs ---- */

typedef struct fp_band_pair {
    uint32_t a, b; /* a < b */
} fp_band_pair;

/* Several threads call it at once; `pairs` is gone afterwards. A failure ends the search. */
typedef fp_status (*fp_tell_band_pairs)(void *context, const fp_band_pair *pairs, size_t count, fp_error *error);

/* All pairs of documents with a key in common, each once, told in the first band that brings it: in batches of no
 * particular order, with 8 bytes of memory a document and band, and about 20 a document and thread. *candidates (may be
 * NULL) is how many were told. The arenas are reset. Errors as of fp_band_tables_build, and those of `tell`. */
fp_status fp_band_pairs(const fp_layout *layout, fp_banding banding, const fp_sketches *sketches,
                        fp_tell_band_pairs tell, void *context, const fp_arenas *arenas, const fp_progress *progress,
                        uint64_t *candidates, fp_error *error);

/* ---- what the files of band tables share: one table, and how documents are sorted for it. ---- */

/* Documents by ascending key, then number; those whose key begins with the `prefix` bits g are from directory[g] to
 * directory[g + 1] − 1. */
typedef struct fp_band_table {
    const uint32_t *directory; /* [2^prefix + 1] */
    const uint64_t *keys;      /* [count] */
    const uint32_t *documents; /* [count] */
    atomic_uchar *right[3];    /* of the three in a file (fp_section_touch) */
} fp_band_table;

struct fp_band_tables {
    const fp_arena *like;
    fp_arena *arena; /* of all that is here, this struct apart */
    fp_band_form form;
    unsigned prefix;
    fp_band_table *tables; /* [bands] */
    fp_section_file *file; /* NULL in memory */
};

typedef struct fp_band_entry {
    uint64_t key;
    uint32_t document;
} fp_band_entry;

/* The bits of the groups of a directory: the most with count/4 groups at most. */
unsigned fp_band_prefix(size_t count);

/* keys[count·bands] of all sketches, document after document, over threads. FP_ERROR_MEMORY. */
fp_status fp_band_keys_each(const fp_layout *layout, fp_banding banding, const fp_sketches *sketches, uint64_t *keys,
                            const fp_arenas *arenas, const fp_progress *progress, fp_error *error);

/* Sorts documents 0 … count − 1, of which i has the key keys[i·stride], into entries[count], and fills
 * directory[2^prefix
 * + 1]. */
void fp_band_sort(const uint64_t *keys, size_t stride, size_t count, unsigned prefix, fp_band_entry *entries,
                  uint32_t *directory);

/* FP_ERROR_RANGE as fp_band_tables_build says. */
fp_status fp_band_check(const fp_layout *layout, fp_banding banding, const fp_sketches *sketches, fp_error *error);

#endif
