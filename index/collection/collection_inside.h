/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * collection_inside.h - the inside of a collection, for the files of this room.
 */
#ifndef FP_COLLECTION_INSIDE_H
#define FP_COLLECTION_INSIDE_H

#include "pairs/tables/block_design.h"
#include "index/collection/collection.h"

typedef struct fp_table_kind fp_table_kind; /* table_kind.h */

struct fp_collection {
    fp_arena *arena;
    const char *address;
    fp_records *records;
    fp_arm *arm;
    double threshold, recall;
    bool keeps_texts;
    fp_string choice;
    const char *caution;
    /* Tables of records below `through`, as they were after `deleted_before` entries of the deletion log. */
    const fp_table_kind *kind; /* NULL: there are no tables of such fingerprints */
    void *tables;              /* NULL: none */
    uint64_t through, deleted_before;
    fp_sketch_list recent; /* the others */
    fp_sketch_list read;   /* bands: the fingerprints of the records below `through`, once they were read */
    bool has_read;
    uint64_t silent; /* records that say nothing, as far as they were seen: those that are not in tables */
    uint64_t *gone;  /* a bit a number: deleted */
    size_t gone_words;
    /* The transaction: what must be taken back when it fails. */
    size_t recent_before;
    bool deletes; /* it has deleted: `gone` and `recent` are read anew when it fails */
    /* Key lists. */
    fp_block_design key_design;
    uint64_t *key_masks;
};

#define FP_COLLECTION_FACT_TABLES "tables"

static inline bool fp_collection_is_gone(const fp_collection *collection, uint64_t number) {
    return number / 64 < collection->gone_words && collection->gone[number / 64] >> number % 64 & 1;
}
fp_status fp_collection_set_gone(fp_collection *collection, uint64_t number, fp_error *error);

/* The kind of its tables, which has to be known before they are opened. */
void fp_collection_choose_kind(fp_collection *collection);
void fp_collection_close_tables(fp_collection *collection);
/* Opens what tables there are, and reads the records that are not in them (collection_tables.c). */
fp_status fp_collection_load(fp_collection *collection, fp_error *error);

/* Makes the index of granules, where there is one (source_search.c). */
fp_status fp_collection_merge_sources(fp_collection *collection, fp_error *error);
/* Tells what is wrong with it. */
fp_status fp_collection_check_sources(const fp_collection *collection, void (*tell)(void *context, const char *problem),
                                      void *context, uint64_t *problems, const fp_progress *progress, fp_error *error);

/* The keys under which a sketch is found in the lists of a store, in `arena` (collection_keys.c). */
fp_status fp_collection_keys_open(fp_collection *collection, fp_error *error);
fp_status fp_collection_keys(const fp_collection *collection, fp_sketch sketch, fp_arena *arena, const uint64_t **keys,
                             size_t *count, fp_error *error);

#endif
