/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * table_kind.h - the kinds of tables that stand beside a store, a row each: blocks of bit fingerprints, which miss
 * nothing, and bands of slots, which find what is near with a probability. What is common to them is in
 * collection_tables.c.
 */
#ifndef FP_TABLE_KIND_H
#define FP_TABLE_KIND_H

#include "index/collection/collection_inside.h"
#include "pairs/tables/section_file.h"

/* What the tables have for a query; several threads call it at once, once a query, and may add to the list. */
typedef fp_status (*fp_take_nears)(void *context, size_t query, fp_near_list *list, fp_error *error);
typedef void (*fp_tell_problem)(void *context, const char *problem);

/* `tables` is what `open` gave. */
struct fp_table_kind {
    const char *name; /* as the store says it */
    /* Whether there are such tables for the arm, the threshold and the recall of a collection. */
    bool (*fits)(const fp_collection *of);
    /* A file of all that is in the list. */
    fp_status (*write)(const fp_collection *of, const fp_sketch_list *list, const char *path,
                       const fp_progress *progress, fp_error *error);
    fp_status (*open)(const char *path, const fp_arena *like, void **tables, fp_error *error);
    void (*close)(void *tables);
    uint64_t (*sum)(const void *tables); /* fp_section_file_sum */
    size_t (*count)(const void *tables); /* fingerprints */
    size_t (*bytes)(const void *tables);
    const char *(*design)(const void *tables, fp_arena *arena);
    /* P[what is at that distance, up to the threshold, is found]. */
    double (*recall)(const fp_collection *of, double distance);
    /* Adds those within a distance, which is up to the threshold; what was deleted is left out. */
    fp_status (*near)(fp_collection *in, fp_sketch query, double within, fp_near_list *list, fp_error *error);
    /* The same of many queries; NULL: one after the other. */
    fp_status (*near_each)(const fp_collection *in, const fp_sketch *queries, size_t query_count, double within,
                           fp_take_nears take, void *context, const fp_arenas *arenas, fp_error *error);
    /* The same within any distance, by a look at all that they hold. */
    fp_status (*scan)(fp_collection *in, fp_sketch query, double within, fp_near_list *list, fp_error *error);
    /* Tells damaged checksums. */
    fp_status (*verify)(const fp_collection *in, fp_tell_problem tell, void *context, uint64_t *problems,
                        const fp_progress *progress, fp_error *error);
    /* What `wrong` needs, in `arena`. */
    fp_status (*list)(const fp_collection *in, fp_arena *arena, void **listed, fp_error *error);
    /* What is wrong with a record in the tables, which must hold it: "is missing in the tables"; NULL: nothing. */
    const char *(*wrong)(const fp_collection *in, const void *listed, const fp_record *record);
};

extern const fp_table_kind fp_table_blocks, fp_table_bands;

/* Each damaged part of a file of sections, in a line that ends with `so`: "its index is made again by a merge". */
fp_status fp_collection_verify_file(const fp_section_file *file, const char *so, fp_tell_problem tell, void *context,
                                    uint64_t *problems, const fp_progress *progress, fp_error *error);

#endif
