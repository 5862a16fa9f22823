/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * collection_inside.h - internals of a collection, for the files of this directory.
 */
#ifndef FP_COLLECTION_INSIDE_H
#define FP_COLLECTION_INSIDE_H

#include "index/collection/buckets.h"
#include "index/collection/collection.h"
#include "pairs/banding.h"
#include "pairs/block_design.h"

/* The kind of tables for the fingerprints of an arm. */
typedef enum fp_table_kind {
    FP_TABLES_NONE,   /* linear scan */
    FP_TABLES_BLOCKS, /* bits: fingerprints by blocks, which find everything */
    FP_TABLES_BANDS   /* slots: keys of bands, which find near sketches with a certain probability */
} fp_table_kind;

struct fp_collection {
    fp_arena *arena;
    const char *address;
    fp_records *records;
    fp_arm *arm;    /* of the stored side */
    fp_arm *asking; /* for queries: the same arm, or its form with two sides (fp_layout.stored) */
    double threshold, recall;
    bool keeps_texts;
    fp_string choice;
    /* The tables hold the records below `through` that remained after `deleted_before` entries of the deletion log. */
    fp_table_kind kind;
    fp_buckets *tables; /* NULL: no tables */
    fp_block_design design;
    fp_banding banding;
    uint64_t through, deleted_before, in_tables, table_bytes;
    fp_sketch_list recent; /* fingerprints of later records */
    fp_sketch_list read;   /* bands: fingerprints of the records below `through`, if `has_read` */
    bool has_read;
    uint64_t empty; /* empty sketches outside the tables */
    uint64_t *gone; /* one bit a number: deleted */
    size_t gone_words;
    /* For undoing a failed transaction. */
    size_t recent_before;
    bool deletes; /* it has deleted records: a rollback reads `gone` and `recent` again */
    /* Key lists. */
    fp_block_design key_design;
    uint64_t *key_masks;
};

static inline bool fp_collection_is_gone(const fp_collection *collection, uint64_t number) {
    return number / 64 < collection->gone_words && collection->gone[number / 64] >> number % 64 & 1;
}
/* As fp_visit_number. */
fp_status fp_collection_set_gone(void *collection, uint64_t number, fp_error *error);

/* Chooses the kind of tables; call before they are opened. */
void fp_collection_choose_kind(fp_collection *collection);
/* Opens the tables, if any, and reads the records that are not in them. */
fp_status fp_collection_load(fp_collection *collection, fp_error *error);
/* "blocks=4", "bands=20,rows=3"; "": no tables. NULL: out of memory. */
const char *fp_collection_design(const fp_collection *collection, fp_arena *arena);

/* Makes the index of granules, if the collection has one (source_search.c). */
fp_status fp_collection_merge_sources(fp_collection *collection, fp_error *error);
/* FP_ERROR_SYNTAX: damaged. */
fp_status fp_collection_check_sources(fp_collection *collection, fp_error *error);

/* The keys of a sketch for key lists, in `arena` (collection_search.c). */
fp_status fp_collection_keys_open(fp_collection *collection, fp_error *error);
fp_status fp_collection_keys(const fp_collection *collection, fp_sketch sketch, fp_arena *arena, const uint64_t **keys,
                             size_t *count, fp_error *error);

#endif
