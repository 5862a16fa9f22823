/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * collection_inside.h - the inside of a collection, for the files of this room.
 */
#ifndef FP_COLLECTION_INSIDE_H
#define FP_COLLECTION_INSIDE_H

#include "index/collection/buckets.h"
#include "index/collection/collection.h"
#include "pairs/banding.h"
#include "pairs/block_design.h"

/* Which tables the fingerprints of an arm have. */
typedef enum fp_table_kind {
    FP_TABLES_NONE,   /* every fingerprint is looked at */
    FP_TABLES_BLOCKS, /* bits: the fingerprints, by blocks of them, which miss nothing */
    FP_TABLES_BANDS   /* slots: the keys of bands, which find what is near with a probability */
} fp_table_kind;

struct fp_collection {
    fp_arena *arena;
    const char *address;
    fp_records *records;
    fp_arm *arm;    /* of what is stored */
    fp_arm *asking; /* of queries: the same, or its form with two sides (fp_layout.stored) */
    double threshold, recall;
    bool keeps_texts;
    fp_string choice;
    /* Tables of records below `through`, as they were after `deleted_before` entries of the deletion log. */
    fp_table_kind kind;
    fp_buckets *tables; /* NULL: there are none */
    fp_block_design design;
    fp_banding banding;
    uint64_t through, deleted_before, in_tables, table_bytes;
    fp_sketch_list recent; /* the others */
    fp_sketch_list read;   /* bands: the fingerprints of the records below `through`, once they were read */
    bool has_read;
    uint64_t empty; /* records that say nothing, as far as they were seen: those that are not in tables */
    uint64_t *gone; /* a bit a number: deleted */
    size_t gone_words;
    /* The transaction: what must be taken back when it fails. */
    size_t recent_before;
    bool deletes; /* it has deleted: `gone` and `recent` are read anew when it fails */
    /* Key lists. */
    fp_block_design key_design;
    uint64_t *key_masks;
};

static inline bool fp_collection_is_gone(const fp_collection *collection, uint64_t number) {
    return number / 64 < collection->gone_words && collection->gone[number / 64] >> number % 64 & 1;
}
/* As fp_visit_number. */
fp_status fp_collection_set_gone(void *collection, uint64_t number, fp_error *error);

/* The kind of its tables, which has to be known before they are opened. */
void fp_collection_choose_kind(fp_collection *collection);
/* Opens what tables there are, and reads the records that are not in them. */
fp_status fp_collection_load(fp_collection *collection, fp_error *error);
/* "blocks=4", "bands=20,rows=3"; "" where there are none. NULL when there is no memory. */
const char *fp_collection_design(const fp_collection *collection, fp_arena *arena);

/* Makes the index of granules, where there is one (source_search.c). */
fp_status fp_collection_merge_sources(fp_collection *collection, fp_error *error);
/* FP_ERROR_SYNTAX says what is wrong with it. */
fp_status fp_collection_check_sources(fp_collection *collection, fp_error *error);

/* The keys under which a sketch is found in the lists of a store, in `arena` (collection_search.c). */
fp_status fp_collection_keys_open(fp_collection *collection, fp_error *error);
fp_status fp_collection_keys(const fp_collection *collection, fp_sketch sketch, fp_arena *arena, const uint64_t **keys,
                             size_t *count, fp_error *error);

#endif
