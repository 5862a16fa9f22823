/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * collection.h - fingerprints to look others up among: a store of records (index/store), and what is made of them to be
 * fast. A file has tables (buckets.h) of the fingerprints that were there when they were last merged; those that came
 * since are few, lie in memory, and are all looked at. In Redis the lists of keys stand for the tables.
 *
 * Tables of bit fingerprints (blocks) miss nothing within the threshold. Those of MinHash signatures (bands) hold keys
 * alone: candidates are measured by their records, and what is right at the threshold is found with a probability.
 *
 * A collection knows its arm, what that has learned, and its threshold, and takes no fingerprint of another.
 *
 * Thread-safety: one thread at a time, but for fp_collection_near on a file of bit fingerprints, which several may call
 * while nothing is written.
 */
#ifndef FP_COLLECTION_H
#define FP_COLLECTION_H

#include "algorithms/arms/arm.h"
#include "base/parallel.h"
#include "index/collection/sketch_list.h"
#include "index/store/record_store.h"

/* What a new collection is to be. */
typedef struct fp_collection_form {
    fp_arm *arm;      /* has learned what it must; only read, and told by fp_collection_arm */
    double threshold; /* ≥ 0, below the largest distance: up to it look-ups are fast */
    double recall;    /* slots (MinHash): the least probability that a text at exactly the threshold is found, in
                         (0, 1]; 1: all fingerprints are looked at, without tables; 0: FP_COLLECTION_RECALL */
    bool keeps_texts; /* so that common passages can be told */
    fp_string choice; /* the bytes of the file that chose arm and threshold; empty: none */
} fp_collection_form;

#define FP_COLLECTION_RECALL 0.99

typedef struct fp_collection fp_collection;

/* Makes it at an address (fp_records_open), and opens it for writing; FP_ERROR_DUPLICATE where something is there.
 * Lives until fp_collection_close. */
fp_status fp_collection_create(const char *address, const fp_collection_form *form, fp_arena *arena,
                               fp_collection **collection, fp_error *error);
/* Opens one. FP_ERROR_SYNTAX for a store that is no collection, and what fp_records_open and fp_arm_parse say. */
fp_status fp_collection_open(const char *address, bool writes, const fp_extensions *extensions, fp_arena *arena,
                             fp_collection **collection, fp_error *error);
void fp_collection_close(fp_collection *collection);

/* Its arm, which makes what is added and asked: sketches of two sides (fp_layout.stored) have one in the store. */
fp_arm *fp_collection_arm(fp_collection *collection);
/* The arm of that side, or the same where there is no other. */
const fp_arm *fp_collection_stored(const fp_collection *collection);
double fp_collection_threshold(const fp_collection *collection);
bool fp_collection_keeps_texts(const fp_collection *collection);
fp_string fp_collection_choice(const fp_collection *collection);
fp_records *fp_collection_records(fp_collection *collection);

/* How look-ups go. */
typedef struct fp_collection_state {
    fp_records_count records;
    const char *design; /* of the tables; "" where there are none */
    uint64_t in_tables; /* fingerprints, deleted ones too */
    uint64_t table_bytes;
    uint64_t recent; /* fingerprints that are scanned linearly */
    uint64_t empty;  /* empty sketches, which match nothing */
    double recall;   /* fp_collection_recall at the threshold */
} fp_collection_state;
fp_status fp_collection_state_of(fp_collection *collection, fp_collection_state *state, fp_error *error);

/* ---- Looking up ---- */

/* The records within a distance of a sketch of its arm, by ascending distance, then number; `most` > 0: the nearest so
 * many of them. Beyond the threshold every fingerprint is looked at, which tables of bands read from the store
 * the first time, outside of transactions; in Redis FP_ERROR_RANGE. In `arena`. */
fp_status fp_collection_near(fp_collection *collection, fp_sketch query, double within, size_t most, fp_arena *arena,
                             const fp_near **found, size_t *count, fp_error *error);
/* The same of many queries at once, over threads where tables of blocks stand for them: answers[count]. */
typedef struct fp_nears {
    const fp_near *found;
    size_t count;
} fp_nears;
fp_status fp_collection_near_each(fp_collection *collection, const fp_sketch *queries, size_t query_count,
                                  double within, size_t most, const fp_progress *progress, fp_arena *arena,
                                  fp_nears *answers, fp_error *error);
/* Of what was found, the distances of a query to the stored sides (fp_arm_query_distances), in distance[count]; both
 * are put in ascending order of these, then by number. `arm`: with two sides (fp_arm_with_sides); the query is its
 * sketch. */
fp_status fp_collection_rank(fp_collection *collection, const fp_arm *arm, fp_sketch query, fp_near *found,
                             size_t count, double *distance, fp_error *error);
/* P[a fingerprint at that distance is found]: 1 where that is sure, below it with tables of bands (pairs/banding.h). */
double fp_collection_recall(const fp_collection *collection, double within);

/* ---- Writing ---- */

/* One transaction: what is added between begin and commit is there whole, or not at all. */
fp_status fp_collection_begin(fp_collection *collection, fp_error *error);
fp_status fp_collection_commit(fp_collection *collection, fp_error *error);
void fp_collection_abort(fp_collection *collection);
/* Commits what went well; where `status` says that it did not, aborts, and returns that. */
fp_status fp_collection_end(fp_collection *collection, fp_status status, fp_error *error);
/* Adds a record with its sketch, found from now on. Its number is set. */
fp_status fp_collection_add(fp_collection *collection, fp_record *record, fp_sketch sketch, fp_error *error);
/* What it has under the id of a record. The text is the same when the fingerprint is, whether it says anything, the
 * number of characters, and, where texts are kept, the text. */
typedef enum fp_existing { FP_EXISTING_NONE, FP_EXISTING_SAME, FP_EXISTING_OTHER } fp_existing;
fp_status fp_collection_existing(fp_collection *collection, const fp_record *record, fp_sketch sketch,
                                 fp_existing *existing, fp_error *error);
/* FP_ERROR_UNKNOWN: there is no such id. */
fp_status fp_collection_delete(fp_collection *collection, fp_string id, fp_error *error);

/* The oldest record of the cluster that a record is in: its name. */
fp_status fp_collection_cluster_of(fp_collection *collection, uint64_t number, uint64_t *cluster, fp_error *error);
/* Makes two clusters one; the older name stays. */
fp_status fp_collection_join_clusters(fp_collection *collection, uint64_t a, uint64_t b, fp_error *error);

/* Brings the clusters up to date: every record that was added since the last time is joined to all older ones within
 * the threshold, and, with `window` > 0 (milliseconds), as close in time. Outside of a transaction; what it has done
 * stays when it fails. *joined: how many times two clusters became one. */
fp_status fp_collection_cluster(fp_collection *collection, int64_t window, const fp_progress *progress,
                                uint64_t *joined, fp_error *error);

/* The clusters of two records and more, the largest first, then by number; in `arena`. */
typedef struct fp_collection_cluster_size {
    uint32_t number; /* its name: that of its oldest record, which may have been deleted */
    uint32_t size;   /* records that are there */
} fp_collection_cluster_size;
fp_status fp_collection_clusters(fp_collection *collection, fp_arena *arena, fp_collection_cluster_size **list,
                                 size_t *count, fp_error *error);

/* Collections of one arm that were built apart become one: copies all records and matches of `from` into `to`, in one
 * transaction: with new numbers, in their order, and the clusters that they have. FP_ERROR_UNKNOWN: another arm, model
 * or threshold; FP_ERROR_DUPLICATE: an id that is there. After an error nothing was copied. */
fp_status fp_collection_take(fp_collection *to, fp_collection *from, uint64_t *taken, fp_error *error);

/* Makes the tables of all that is there. Not for Redis, nor for arms that have no tables: then nothing is done. Outside
 * of a transaction. */
fp_status fp_collection_merge(fp_collection *collection, const fp_progress *progress, fp_error *error);
/* Whether so many have come since the last merge that it is time. */
bool fp_collection_wants_merge(const fp_collection *collection);

/* Checks the store at an address, which may be damaged, as fp_records_check does: before it is opened as a collection.
 */
fp_status fp_collection_check_store(const char *address, void (*tell)(void *context, const char *problem),
                                    void *context, uint64_t *problems, fp_error *error);
/* Checks what is made of a store that is whole: its tables against its records. */
fp_status fp_collection_check(fp_collection *collection, void (*tell)(void *context, const char *problem),
                              void *context, uint64_t *problems, fp_error *error);

#endif
