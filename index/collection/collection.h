/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * collection.h - a searchable collection of fingerprints: a store of records (index/store) and tables that make
 * look-ups fast. In a file, tables (buckets.h) hold the fingerprints of the last merge; later ones are few and are
 * scanned in memory. In Redis, key lists replace the tables.
 *
 * Tables of bit fingerprints (blocks) find everything within the threshold. Tables of MinHash signatures (bands) hold
 * only keys: candidates are measured by their records, and a text at exactly the threshold is found with a certain
 * probability.
 *
 * A collection stores its arm, the model of the arm and the threshold, and refuses fingerprints of other arms.
 *
 * Thread-safety: one thread at a time. fp_collection_near_each and fp_collection_merge use several themselves.
 */
#ifndef FP_COLLECTION_H
#define FP_COLLECTION_H

#include "algorithms/arms/arm.h"
#include "base/parallel.h"
#include "index/collection/sketch_list.h"
#include "index/store/record_store.h"

/* Properties of a new collection. */
typedef struct fp_collection_form {
    fp_arm *arm;      /* fitted if it learns; read-only */
    double threshold; /* ≥ 0 and below the maximum distance; look-ups are fast up to it */
    double recall;    /* slots (MinHash): minimum probability that a text at exactly the threshold is found, in (0, 1];
                         1: scan all fingerprints, without tables; 0: FP_COLLECTION_RECALL */
    bool keeps_texts; /* for alignment of common passages */
    fp_string choice; /* content of the file that chose arm and threshold; empty: none */
} fp_collection_form;

#define FP_COLLECTION_RECALL 0.99

typedef struct fp_collection fp_collection;

/* Makes a collection at an address (fp_records_open) and opens it for writing. Close with fp_collection_close.
 * FP_ERROR_DUPLICATE: the address is in use; FP_ERROR_RANGE: threshold or recall out of bounds. */
fp_status fp_collection_create(const char *address, const fp_collection_form *form, fp_arena *arena,
                               fp_collection **collection, fp_error *error);
/* Opens a collection. FP_ERROR_SYNTAX: not a collection; also returns the errors of fp_records_open and fp_arm_parse.
 */
fp_status fp_collection_open(const char *address, bool writes, const fp_extensions *extensions, fp_arena *arena,
                             fp_collection **collection, fp_error *error);
void fp_collection_close(fp_collection *collection);

/* The arm that makes sketches to add and to query. For sketches of two sides (fp_layout.stored) the store holds one
 * side. */
fp_arm *fp_collection_arm(fp_collection *collection);
/* The arm of the stored side; the same arm if there is only one. */
const fp_arm *fp_collection_stored(const fp_collection *collection);
double fp_collection_threshold(const fp_collection *collection);
bool fp_collection_keeps_texts(const fp_collection *collection);
fp_string fp_collection_choice(const fp_collection *collection);
fp_records *fp_collection_records(fp_collection *collection);

/* State of the tables and counts. */
typedef struct fp_collection_state {
    fp_records_count records;
    const char *design; /* of the tables; "": no tables */
    uint64_t in_tables; /* fingerprints, including deleted ones */
    uint64_t table_bytes;
    uint64_t recent; /* fingerprints that are scanned linearly */
    uint64_t empty;  /* empty sketches, which match nothing */
    double recall;   /* fp_collection_recall at the threshold */
} fp_collection_state;
fp_status fp_collection_state_of(fp_collection *collection, fp_collection_state *state, fp_error *error);

/* ---- Looking up ---- */

/* Finds the records within a distance of a sketch of the arm, by ascending distance, then number; `most` > 0: only the
 * nearest `most`. Beyond the threshold it scans every fingerprint; for tables of bands it reads them from the store the
 * first time, outside of transactions. In `arena`. FP_ERROR_RANGE: a distance below 0, or, in Redis, beyond the
 * threshold. */
fp_status fp_collection_near(fp_collection *collection, fp_sketch query, double within, size_t most, fp_arena *arena,
                             const fp_near **found, size_t *count, fp_error *error);
/* The same for many queries: answers[query_count]. Uses several threads with tables of blocks. FP_ERROR_CANCELLED. */
typedef struct fp_nears {
    const fp_near *found;
    size_t count;
} fp_nears;
fp_status fp_collection_near_each(fp_collection *collection, const fp_sketch *queries, size_t query_count,
                                  double within, size_t most, const fp_progress *progress, fp_arena *arena,
                                  fp_nears *answers, fp_error *error);
/* Sorts found[count] by the distance of a query to the stored sides (fp_arm_query_distances), then by number, and
 * writes these distances to distance[count]. `arm` has two sides (fp_arm_with_sides) and made the query. */
fp_status fp_collection_rank(fp_collection *collection, const fp_arm *arm, fp_sketch query, fp_near *found,
                             size_t count, double *distance, fp_error *error);
/* P[a fingerprint at that distance is found]: 1 if certain, less with tables of bands (pairs/banding.h). */
double fp_collection_recall(const fp_collection *collection, double within);

/* ---- Writing ---- */

/* A transaction: all changes between begin and commit are stored, or none. */
fp_status fp_collection_begin(fp_collection *collection, fp_error *error);
fp_status fp_collection_commit(fp_collection *collection, fp_error *error);
void fp_collection_abort(fp_collection *collection);
/* Commits if `status` is FP_OK; else rolls back and returns `status`. */
fp_status fp_collection_end(fp_collection *collection, fp_status status, fp_error *error);
/* Adds a record with its sketch, which later look-ups find, and sets its number. */
fp_status fp_collection_add(fp_collection *collection, fp_record *record, fp_sketch sketch, fp_error *error);
/* Compares a record with the stored one of the same id. Texts are the same if fingerprint, emptiness, number of
 * characters and, if texts are kept, the text are equal. */
typedef enum fp_existing { FP_EXISTING_NONE, FP_EXISTING_SAME, FP_EXISTING_OTHER } fp_existing;
fp_status fp_collection_existing(fp_collection *collection, const fp_record *record, fp_sketch sketch,
                                 fp_existing *existing, fp_error *error);
/* FP_ERROR_UNKNOWN: no such id. */
fp_status fp_collection_delete(fp_collection *collection, fp_string id, fp_error *error);

/* The name of a record's cluster: the number of its oldest record. */
fp_status fp_collection_cluster_of(fp_collection *collection, uint64_t number, uint64_t *cluster, fp_error *error);
/* Joins two clusters under the older name. */
fp_status fp_collection_join_clusters(fp_collection *collection, uint64_t a, uint64_t b, fp_error *error);

/* Updates the clusters: joins every record added since the last time to all older ones within the threshold and, if
 * `window` > 0 (milliseconds), within that time. Call outside of a transaction. After an error, finished parts stay.
 * *joined: how many times two clusters became one. */
fp_status fp_collection_cluster(fp_collection *collection, int64_t window, const fp_progress *progress,
                                uint64_t *joined, fp_error *error);

/* Lists the clusters of at least two records, the largest first, then by number; in `arena`. */
typedef struct fp_collection_cluster_size {
    uint32_t number; /* its name: the number of its oldest record, which may be deleted */
    uint32_t size;   /* records not deleted */
} fp_collection_cluster_size;
fp_status fp_collection_clusters(fp_collection *collection, fp_arena *arena, fp_collection_cluster_size **list,
                                 size_t *count, fp_error *error);

/* Copies all records and matches of `from` into `to`, in one transaction, with new numbers in the same order and with
 * their clusters. FP_ERROR_UNKNOWN: another arm, model or threshold. FP_ERROR_DUPLICATE: an id exists. After an error
 * nothing was copied. */
fp_status fp_collection_take(fp_collection *to, fp_collection *from, uint64_t *taken, fp_error *error);

/* Makes the tables anew from all records. No effect for Redis and for arms without tables. Call outside of a
 * transaction. */
fp_status fp_collection_merge(fp_collection *collection, const fp_progress *progress, fp_error *error);
/* Whether so many records were added since the last merge that another one pays off. */
bool fp_collection_wants_merge(const fp_collection *collection);

/* Checks a store, which may be damaged, with fp_records_check, before it is opened as a collection. */
fp_status fp_collection_check_store(const char *address, void (*problem)(void *context, const char *problem),
                                    void *context, uint64_t *problems, fp_error *error);
/* Checks the tables of an intact store against its records. */
fp_status fp_collection_check(fp_collection *collection, void (*problem)(void *context, const char *problem),
                              void *context, uint64_t *problems, fp_error *error);

#endif
