/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * record_store.h - where the records of a collection live: in one file (SQLite), or in Redis. A collection
 * (index/collection) is a store, which alone is durable, and tables that are made from it (a file) or key lists inside
 * it (Redis).
 *
 * What is added, deleted and changed between fp_records_begin and fp_records_commit is there whole after the commit, or
 * not at all, whatever dies meanwhile. There is one writer at a time: a second is refused when it opens. A reader
 * sees the state of a commit: of a file the one that was the last when it opened it.
 *
 * Thread-safety: a store is used by one thread at a time, and a transaction ends in the thread that began it. A process
 * opens a file once at a time.
 */
#ifndef FP_RECORD_STORE_H
#define FP_RECORD_STORE_H

#include "base/base.h"
#include "base/time_text.h"

/* The most bytes of an id and of the name of a fact, of the other strings of a record together, and of a value of a
 * fact. */
enum { FP_RECORD_ID = 480, FP_RECORD_BYTES = 64 << 20, FP_FACT_BYTES = 128 << 20 };

/* One text. Strings hold any bytes; empty: none. */
typedef struct fp_record {
    uint64_t number;       /* from 1, ascending in the order of adding, never used again; below 2^32 */
    fp_string id;          /* unique, from 1 to FP_RECORD_ID bytes */
    fp_string fingerprint; /* the bytes of the sketch */
    bool empty;            /* an empty sketch, which matches nothing */
    fp_string title, url, source;
    int64_t time;        /* milliseconds since 1970-01-01T00:00Z, or FP_TIME_NONE */
    uint64_t cluster;    /* the number of an older record of its cluster, or its own: a tree whose roots name clusters.
                            fp_records_add takes 0 for its own, which the caller cannot know */
    uint64_t characters; /* of the text */
    fp_string text;      /* empty where texts are not kept */
} fp_record;

/* One found match, stored: `later` is a duplicate of `earlier`. */
typedef struct fp_record_match {
    uint64_t later, earlier;     /* numbers of records */
    double distance, similarity; /* of the arm; similarity NaN where it has none */
    double shared;      /* share of the later text's characters that stand in common passages; NaN: not aligned */
    fp_string passages; /* "from-to=from-to,…" of characters, later and earlier; empty: not aligned */
} fp_record_match;

typedef struct fp_records fp_records;
typedef enum fp_records_mode { FP_RECORDS_READ, FP_RECORDS_WRITE, FP_RECORDS_CREATE } fp_records_mode;

/* `address` is a file, or redis://[:password@]host[:port][/db][?name=NAME&list=N]: NAME (fplab) begins its keys,
 * N is the most entries of a list (0: any number; said when the store is made). rediss:// is Redis over TLS, where
 * hiredis has it. CREATE makes the store, for writing. The caller ends it with fp_records_close, which takes NULL; a
 * transaction that is open then is given up.
 *
 * FP_ERROR_IO: there is none, or it cannot be reached, or another process writes to it: the error names the address,
 * without a password, and the process. FP_ERROR_DUPLICATE: CREATE, and it is there. FP_ERROR_ABI: made by another
 * version. FP_ERROR_SYNTAX: an address or a file that is none, or damaged. FP_ERROR_MEMORY. */
fp_status fp_records_open(const char *address, fp_records_mode mode, const fp_arena *like, fp_records **records,
                          fp_error *error);
void fp_records_close(fp_records *records);
/* What the user must be told of the store, in one sentence, or NULL: that this Redis may lose what was committed.
 * Lives as long as the store. */
const char *fp_records_caution(const fp_records *records);

/* ---- Facts: what the store knows of itself ("arm", "model", "threshold", …) ---- */

/* In `arena`, with a NUL behind it; data NULL: there is no such fact. */
fp_status fp_records_fact(fp_records *records, const char *name, fp_arena *arena, fp_string *value, fp_error *error);
/* Inside a transaction. An empty value is one. */
fp_status fp_records_set_fact(fp_records *records, const char *name, fp_string value, fp_error *error);

/* ---- Reading: inside a transaction what it holds so far, else what was committed. What a checksum contradicts is
 * FP_ERROR_SYNTAX, and the error says which record; Redis gone, after bounded retries, is FP_ERROR_IO. ---- */

typedef struct fp_records_count {
    uint64_t records; /* that are there */
    uint64_t deleted; /* entries of the deletion log */
    uint64_t next;    /* the number that the next one gets */
    uint64_t matches;
    uint64_t cut; /* entries that were cut from full lists */
} fp_records_count;
fp_status fp_records_counted(fp_records *records, fp_records_count *count, fp_error *error);

/* FP_ERROR_UNKNOWN: there is none. The record lives in `arena`. `text`: with its text. */
fp_status fp_records_get(fp_records *records, uint64_t number, bool text, fp_arena *arena, fp_record *record,
                         fp_error *error);
/* *number 0: there is none. */
fp_status fp_records_find(fp_records *records, fp_string id, uint64_t *number, fp_error *error);

/* All from a number on, ascending, without texts unless asked for; what `visit` is given lasts until it returns. Stops
 * at the first status that is not FP_OK, and returns it. `visit` may read, and must not begin. These three and
 * fp_records_check tell what was committed, and are refused inside a transaction (FP_ERROR_RANGE). */
typedef fp_status (*fp_visit_record)(void *context, const fp_record *record, fp_error *error);
fp_status fp_records_each(fp_records *records, uint64_t from, bool text, fp_visit_record visit, void *context,
                          fp_error *error);
/* By ascending later, then earlier number. A match stays when its records are deleted. */
typedef fp_status (*fp_visit_match)(void *context, const fp_record_match *match, fp_error *error);
fp_status fp_records_each_match(fp_records *records, uint64_t from_later, fp_visit_match visit, void *context,
                                fp_error *error);
/* The numbers that were deleted since entry `from` (from 0) of the deletion log, in order: so that tables made before
 * know what is gone. */
typedef fp_status (*fp_visit_number)(void *context, uint64_t number, fp_error *error);
fp_status fp_records_each_deleted(fp_records *records, uint64_t from, fp_visit_number visit, void *context,
                                  fp_error *error);

/* ---- Writing ----
 *
 * After any error of fp_records_begin, fp_records_commit or a function of this part other than FP_ERROR_DUPLICATE,
 * FP_ERROR_RANGE and FP_ERROR_UNKNOWN the transaction is lost whole: no more can be written in it, and it can only be
 * given up. A full disk, and a full Redis, are FP_ERROR_IO. Where the answer of Redis to a commit does not come within
 * bounded retries, the error says that it is not known whether all of the transaction is there, or nothing. */

fp_status fp_records_begin(fp_records *records, fp_error *error);
/* Ends the transaction, whatever it returns. */
fp_status fp_records_commit(fp_records *records, fp_error *error);
/* Commits what went well; where `status` says that it did not, gives it up, and returns that. */
fp_status fp_records_end(fp_records *records, fp_status status, fp_error *error);
/* Nothing where none is open. */
void fp_records_rollback(fp_records *records);

/* Adds; record->number is set. `keys` [key_count] are those under which fp_records_near finds it, where the store keeps
 * key lists. FP_ERROR_DUPLICATE: the id is there (the error says under which number); FP_ERROR_RANGE: an id that is
 * empty or too long, strings too long, more than 2^32 − 2 numbers, a cluster that is no older record; for Redis, more
 * than can be sent at once (FP_TRANSACTION_BYTES: commit before). */
fp_status fp_records_add(fp_records *records, fp_record *record, const uint64_t *keys, size_t key_count,
                         fp_error *error);
enum { FP_TRANSACTION_BYTES = 256 << 20 };
/* FP_ERROR_UNKNOWN: there is none. The id is free again, the number is not. */
fp_status fp_records_delete(fp_records *records, uint64_t number, fp_error *error);
/* `cluster` is `number` or an older number; that record may have been deleted. */
fp_status fp_records_set_cluster(fp_records *records, uint64_t number, uint64_t cluster, fp_error *error);
/* A match of the same two records takes the place of the one that is there. FP_ERROR_RANGE: earlier ≥ later, a number
 * that was never given. */
fp_status fp_records_add_match(fp_records *records, const fp_record_match *match, fp_error *error);

/* ---- Key lists: where the store keeps them (Redis) ---- */

bool fp_records_have_keys(const fp_records *records);
/* Every record under one of the keys, each once, by ascending number, with its fingerprint, in `arena`: one round
 * trip. Lists may be bounded: then the newest are kept, and fp_records_count.cut says how many entries are lost.
 * FP_ERROR_UNKNOWN: the store keeps no lists. */
fp_status fp_records_near(fp_records *records, const uint64_t *keys, size_t key_count, fp_arena *arena,
                          const uint64_t **numbers, const fp_string **fingerprints, size_t *count, fp_error *error);

/* ---- Pieces of tables that are made of the records: where the store is a file. A reader sees those of the commit that
 * it sees. FP_ERROR_UNKNOWN: the store keeps none. ---- */

/* Those with keys from `first` to `last`, ascending; also inside of a transaction. `visit` must not read pieces; bytes
 * last until it returns, and are not aligned. FP_ERROR_SYNTAX: damaged. */
typedef fp_status (*fp_visit_piece)(void *context, uint64_t key, fp_string bytes, fp_error *error);
fp_status fp_records_each_piece(fp_records *records, uint64_t first, uint64_t last, fp_visit_piece visit, void *context,
                                fp_error *error);
/* Inside a transaction: removes those with keys from `first` to `last`; adds one, with a key below 2^63 that is not
 * there, and at most FP_RECORD_BYTES. */
fp_status fp_records_remove_pieces(fp_records *records, uint64_t first, uint64_t last, fp_error *error);
fp_status fp_records_put_piece(fp_records *records, uint64_t key, fp_string bytes, fp_error *error);

/* Checks all that the store holds: checksums, ids and numbers that belong together, counts, and of a file its pages.
 * Tells each problem in a sentence; *problems of them. FP_OK where it could look at all, however damaged that is. */
fp_status fp_records_check(fp_records *records, void (*tell)(void *context, const char *problem), void *context,
                           uint64_t *problems, fp_error *error);

#endif
