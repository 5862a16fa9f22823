/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * containment.h - finds the texts of a collection whose features X contain at least a share t of the features Q of a
 * query, |Q∩X|/|Q| ≥ t. Candidates come from an LSH Ensemble (pairs/ensemble.h) over the stored signatures and are
 * verified exactly with the texts that the collection keeps: no result is below t.
 *
 * The ensemble is built in memory: opening reads all signatures. A signature does not contain the number of features
 * of its text: fp_containment_keep_sizes stores these numbers, and opening counts the features of texts added since.
 */
#ifndef FP_CONTAINMENT_SEARCH_H
#define FP_CONTAINMENT_SEARCH_H

#include "index/collection/collection.h"
#include "pairs/ensemble.h"

typedef struct fp_containment_spec {
    double least;       /* the share, in (0, 1] */
    int64_t partitions; /* of the ensemble */
    double recall;      /* P[a text that has that share is found], at least; in (0, 1) */
} fp_containment_spec;
/* "0.8", "0.8:partitions=32,recall=0.99". FP_ERROR_SYNTAX, FP_ERROR_RANGE, FP_ERROR_UNKNOWN. */
fp_status fp_containment_parse(const char *text, fp_arena *arena, fp_containment_spec *spec, fp_error *error);

/* One thread at a time. */
typedef struct fp_containment_search {
    fp_collection *of;
    fp_containment_spec spec;
    fp_arm *exact;
    fp_sketch_list all;
    fp_sketches sketches;
    fp_ensemble *ensemble;
    uint64_t *sizes; /* [size_count] features by the number of the record; 0: no record */
    fp_sketch *sets; /* [sketches.count] of `exact`, in `read`, once they were compared */
    fp_arena *arena, *scratch, *read;
    size_t size_count, sized;      /* sized: texts whose features were counted */
    size_t asked, empty, compared; /* texts; those without features; stored texts that they were compared with */
    size_t scanned, candidates;    /* as in fp_ensemble_answer */
    double recall;                 /* minimum over the answers */
} fp_containment_search;

/* FP_ERROR_UNKNOWN: an arm other than minhash with 2 bits a slot or more; FP_ERROR_EMPTY: texts are not kept. The
 * caller closes the search with fp_containment_close, also after an error; it accepts a zeroed struct. */
fp_status fp_containment_open(fp_collection *collection, const fp_containment_spec *spec, fp_containment_search *search,
                              fp_error *error);
void fp_containment_close(fp_containment_search *search);

typedef struct fp_container {
    uint64_t number;     /* of the record */
    size_t shared, size; /* |Q∩X| and |X| */
} fp_container;
/* The texts that contain the share of a text, the most first, then by number, in `arena`; *size: |Q|. */
fp_status fp_containers_of(fp_containment_search *search, fp_string text, fp_arena *arena,
                           const fp_container **containers, size_t *count, size_t *size, fp_error *error);

/* Stores the sizes of all records as the fact "sizes"; stores nothing if fp_containment_open would refuse the
 * collection. Call outside of a transaction. */
fp_status fp_containment_keep_sizes(fp_collection *collection, fp_error *error);

#endif
