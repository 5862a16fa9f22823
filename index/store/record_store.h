/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * record_store.h - the records of a collection, stored in one file (SQLite) or in Redis. A collection
 * (index/collection) consists of a store, which alone is durable, and of tables derived from it (file) or key lists
 * inside it (Redis).
 *
 * All changes between fp_records_begin and fp_records_commit are stored, or none, also after a crash. There is one
 * writer at a time; opening a second fails. A reader sees a committed state; of a file, the last one when it was
 * opened.
 *
 * Thread-safety: one thread at a time uses a store, and ends the transactions that it began. A process opens a file at
 * most once at a time.
 */
#ifndef FP_RECORD_STORE_H
#define FP_RECORD_STORE_H

#include "base/base.h"
#include "base/time_text.h"

/* Maximum bytes of an id or of the name of a fact, of the other strings of a record together, and of a fact's value. */
enum { FP_RECORD_ID = 480, FP_RECORD_BYTES = 64 << 20, FP_FACT_BYTES = 128 << 20 };

/* One text. Strings hold any bytes; empty: no value. */
typedef struct fp_record {
    uint64_t number;       /* from 1, ascending in order of addition, never reused, below 2^32 */
    fp_string id;          /* unique, 1 to FP_RECORD_ID bytes */
    fp_string fingerprint; /* the bytes of the sketch */
    bool empty;            /* an empty sketch, which matches nothing */
    fp_string title, url, source;
    int64_t time;        /* milliseconds since 1970-01-01T00:00Z, or FP_TIME_NONE */
    uint64_t cluster;    /* the number of an older record of the same cluster, or the record's own: a tree whose roots
                            name clusters. fp_records_add takes 0 for the own number, which the caller cannot know */
    uint64_t characters; /* of the text */
    fp_string text;      /* empty if texts are not kept */
} fp_record;

/* One stored match: `later` is a duplicate of `earlier`. */
typedef struct fp_record_match {
    uint64_t later, earlier;     /* numbers of records */
    double distance, similarity; /* of the arm; similarity NaN: undefined */
    double shared;               /* share of the later text's characters in common passages; NaN: not aligned */
    fp_string passages; /* "from-to=from-to,…": character ranges in the later and the earlier text; empty: not aligned
                         */
} fp_record_match;

typedef struct fp_records fp_records;
typedef enum fp_records_mode { FP_RECORDS_READ, FP_RECORDS_WRITE, FP_RECORDS_CREATE } fp_records_mode;

/* Opens `address`: a file, or redis://[:password@]host[:port][/db][?name=NAME&list=N]. NAME (default fplab) is the
 * prefix of all keys. N is the maximum length of a key list (0: unlimited); it takes effect when the store is made.
 * rediss:// is Redis over TLS, if hiredis supports it. CREATE makes the store and opens it for writing. Close with
 * fp_records_close, which accepts NULL and rolls back an open transaction. FP_ERROR_IO: missing, not reachable, or
 * another process writes to it; the error names the address, without a password, and the process. FP_ERROR_DUPLICATE:
 * CREATE, and it exists. FP_ERROR_ABI: made by another version. FP_ERROR_SYNTAX: an invalid address, no store, or
 * damaged. FP_ERROR_MEMORY. */
fp_status fp_records_open(const char *address, fp_records_mode mode, const fp_arena *like, fp_records **records,
                          fp_error *error);
void fp_records_close(fp_records *records);
/* One sentence that users should read: this Redis may lose committed data. NULL: no caution. Valid as long as the
 * store. */
const char *fp_records_caution(const fp_records *records);

/* ---- Facts: named values about the collection ("arm", "model", "threshold", …) ---- */

/* The value is in `arena`, followed by a NUL; data NULL: no such fact. */
fp_status fp_records_fact(fp_records *records, const char *name, fp_arena *arena, fp_string *value, fp_error *error);
/* Inside a transaction. An empty value counts as a value. */
fp_status fp_records_set_fact(fp_records *records, const char *name, fp_string value, fp_error *error);

/* ---- Reading: sees the open transaction, else the last commit. FP_ERROR_SYNTAX: a checksum differs; the error names
 * the record. FP_ERROR_IO: Redis is lost, after bounded retries. ---- */

typedef struct fp_records_count {
    uint64_t records; /* stored, not deleted */
    uint64_t deleted; /* entries of the deletion log */
    uint64_t next;    /* the next number to be given */
    uint64_t matches;
    uint64_t cut; /* entries cut from full lists */
} fp_records_count;
fp_status fp_records_counted(fp_records *records, fp_records_count *count, fp_error *error);

/* The record lives in `arena`; `text`: include its text. FP_ERROR_UNKNOWN: no such record. */
fp_status fp_records_get(fp_records *records, uint64_t number, bool text, fp_arena *arena, fp_record *record,
                         fp_error *error);
/* *number 0: no such record. */
fp_status fp_records_find(fp_records *records, fp_string id, uint64_t *number, fp_error *error);

/* Visits all records from a number on, ascending; with texts if `text`. The arguments of `visit` are valid until it
 * returns. Stops at the first status that is not FP_OK, and returns it. `visit` may read but not begin a transaction.
 * These three functions and fp_records_check see the last commit. FP_ERROR_RANGE: a transaction is open. */
typedef fp_status (*fp_visit_record)(void *context, const fp_record *record, fp_error *error);
fp_status fp_records_each(fp_records *records, uint64_t from, bool text, fp_visit_record visit, void *context,
                          fp_error *error);
/* In ascending order of later, then earlier number. Matches of deleted records stay. */
typedef fp_status (*fp_visit_match)(void *context, const fp_record_match *match, fp_error *error);
fp_status fp_records_each_match(fp_records *records, uint64_t from_later, fp_visit_match visit, void *context,
                                fp_error *error);
/* Visits the numbers deleted since entry `from` (from 0) of the deletion log, in order, so that older tables can be
 * updated. */
typedef fp_status (*fp_visit_number)(void *context, uint64_t number, fp_error *error);
fp_status fp_records_each_deleted(fp_records *records, uint64_t from, fp_visit_number visit, void *context,
                                  fp_error *error);

/* ---- Writing ---- */

/* FP_ERROR_DUPLICATE, FP_ERROR_RANGE and FP_ERROR_UNKNOWN leave the transaction usable. Any other error here, in
 * fp_records_begin or in fp_records_commit loses the whole transaction: only a rollback is possible. A full disk or a
 * full Redis is FP_ERROR_IO. If Redis does not answer a commit within bounded retries, it is unknown whether the
 * transaction is stored as a whole or not at all; the error says so. */

fp_status fp_records_begin(fp_records *records, fp_error *error);
/* Ends the transaction, also on failure. */
fp_status fp_records_commit(fp_records *records, fp_error *error);
/* Commits if `status` is FP_OK; else rolls back and returns `status`. */
fp_status fp_records_end(fp_records *records, fp_status status, fp_error *error);
/* No effect if no transaction is open. */
void fp_records_rollback(fp_records *records);

/* Adds a record and sets its number. fp_records_near finds it under keys[key_count], if the store has key lists.
 * FP_ERROR_DUPLICATE: the id exists (the error gives its number). FP_ERROR_RANGE: an empty or too long id, too long
 * strings, more than 2^32 − 2 numbers, a cluster that is not an older record. */
fp_status fp_records_add(fp_records *records, fp_record *record, const uint64_t *keys, size_t key_count,
                         fp_error *error);
/* FP_ERROR_UNKNOWN: no such record. The id becomes free again, the number does not. */
fp_status fp_records_delete(fp_records *records, uint64_t number, fp_error *error);
/* `cluster` is `number` or an older one, whose record may be deleted. */
fp_status fp_records_set_cluster(fp_records *records, uint64_t number, uint64_t cluster, fp_error *error);
/* Replaces a match of the same two records. FP_ERROR_RANGE: earlier ≥ later, or a number that was never given. */
fp_status fp_records_add_match(fp_records *records, const fp_record_match *match, fp_error *error);

/* ---- Key lists (Redis only) ---- */

bool fp_records_have_keys(const fp_records *records);
typedef struct fp_listed {
    uint64_t number;
    fp_string fingerprint;
} fp_listed;
/* Finds the records under any of the keys, each once, by ascending number, in `arena`; one round trip. Bounded lists
 * keep the newest entries; fp_records_count.cut counts the others. FP_ERROR_UNKNOWN: no key lists. */
fp_status fp_records_near(fp_records *records, const uint64_t *keys, size_t key_count, fp_arena *arena,
                          const fp_listed **found, size_t *count, fp_error *error);

/* ---- Pieces of derived tables (files only). A reader sees those of its commit. FP_ERROR_UNKNOWN: the store keeps
 * none. ---- */

/* Visits the keys from `first` to `last`, ascending; also inside a transaction. `visit` must not read pieces; the bytes
 * are valid until it returns, and not aligned. FP_ERROR_SYNTAX: damaged. */
typedef fp_status (*fp_visit_piece)(void *context, uint64_t key, fp_string bytes, fp_error *error);
fp_status fp_records_each_piece(fp_records *records, uint64_t first, uint64_t last, fp_visit_piece visit, void *context,
                                fp_error *error);
/* Inside a transaction: removes the keys from `first` to `last`; adds one of at most FP_RECORD_BYTES, with a new key
 * below 2^63. */
fp_status fp_records_remove_pieces(fp_records *records, uint64_t first, uint64_t last, fp_error *error);
fp_status fp_records_put_piece(fp_records *records, uint64_t key, fp_string bytes, fp_error *error);

/* Checks everything in the store: checksums, ids and their numbers, counts, and the pages of a file. `problem` receives
 * a sentence for each problem; *problems counts them. FP_OK if the check could run, even if there are problems. */
fp_status fp_records_check(fp_records *records, void (*problem)(void *context, const char *problem), void *context,
                           uint64_t *problems, fp_error *error);

#endif
