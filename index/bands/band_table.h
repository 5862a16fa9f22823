/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * band_table.h - what the files of band tables share: one table, and how documents are sorted for it.
 */
#ifndef FP_BAND_TABLE_H
#define FP_BAND_TABLE_H

#include "index/bands/band_tables.h"

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
