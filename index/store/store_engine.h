/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * store_engine.h - the interface of SQLite and Redis stores: atomic transactions, one writer at a time. record_store.c
 * checks arguments and counts records.
 */
#ifndef FP_STORE_ENGINE_H
#define FP_STORE_ENGINE_H

#include "index/store/record_store.h"

/* Version of the documented tables, in a file and in Redis. */
enum { FP_STORE_VERSION = 2 };

/* State of a store, written by every commit. */
typedef struct fp_store_state {
    fp_records_count count;
    uint64_t texts; /* records that have a text */
} fp_store_state;

typedef struct fp_store_report {
    void (*problem)(void *context, const char *problem); /* may be NULL */
    void *context;
    uint64_t problems;
} fp_store_report;

/* A check of a store of any kind. */
typedef struct fp_store_check {
    fp_store_report *report;
    fp_store_state state; /* as stored */
    fp_arena *arena;
    unsigned char *there; /* [state.count.next] whether the record of a number exists, was deleted */
    uint64_t records, texts, deleted, matches;
} fp_store_check;

/* Inside a transaction, functions read its changes. `each`, `each_match`, `each_deleted` and `check` are not called
 * inside one. Fingerprints are aligned to 8 bytes. Errors name the address. */
typedef struct fp_store_engine {
    fp_status (*open)(const char *address, fp_records_mode mode, const fp_arena *like, void **store, fp_error *error);
    void (*close)(void *store);
    const char *(*caution)(const void *store); /* NULL: no cautions */
    const char *(*name)(const void *store);    /* the address in messages */

    fp_status (*state)(void *store, fp_store_state *state, fp_error *error); /* of the last commit */
    fp_status (*begin)(void *store, fp_store_state *state, fp_error *error);
    /* Ends the transaction, also on failure. */
    fp_status (*commit)(void *store, fp_store_state *state, fp_error *error);
    void (*rollback)(void *store);

    /* value->data NULL: no such fact. */
    fp_status (*fact)(void *store, const char *name, fp_arena *arena, fp_string *value, fp_error *error);
    fp_status (*set_fact)(void *store, const char *name, fp_string value, fp_error *error);

    /* *number 0: no such record. */
    fp_status (*find)(void *store, fp_string id, uint64_t *number, fp_error *error);
    /* record->number 0: no such record. */
    fp_status (*get)(void *store, uint64_t number, bool text, fp_arena *arena, fp_record *record, fp_error *error);
    fp_status (*each)(void *store, uint64_t from, bool text, fp_visit_record visit, void *context, fp_error *error);
    fp_status (*each_match)(void *store, uint64_t from, fp_visit_match visit, void *context, fp_error *error);
    fp_status (*each_deleted)(void *store, uint64_t from, fp_visit_number visit, void *context, fp_error *error);

    /* *there: the number of the record with that id; 0: the record was added. */
    fp_status (*add)(void *store, const fp_record *record, const uint64_t *keys, size_t key_count, uint64_t *there,
                     fp_error *error);
    /* `entry`: its index in the deletion log. */
    fp_status (*remove)(void *store, uint64_t number, uint64_t entry, bool *found, bool *had_text, fp_error *error);
    fp_status (*set_cluster)(void *store, uint64_t number, uint64_t cluster, bool *found, fp_error *error);
    /* *added: false if it replaced a match. */
    fp_status (*put_match)(void *store, const fp_record_match *match, bool *added, fp_error *error);

    /* By ascending number, each once. NULL: no key lists. */
    fp_status (*near)(void *store, const uint64_t *keys, size_t key_count, fp_arena *arena, const fp_listed **found,
                      size_t *count, fp_error *error);

    /* Pieces of tables; NULL: not supported. */
    fp_status (*each_piece)(void *store, uint64_t first, uint64_t last, fp_visit_piece visit, void *context,
                            fp_error *error);
    fp_status (*put_piece)(void *store, uint64_t key, fp_string bytes, fp_error *error);
    fp_status (*remove_pieces)(void *store, uint64_t first, uint64_t last, fp_error *error);

    /* Reports damage to check->report, and each record, deletion and match to the functions below. */
    fp_status (*check)(void *store, fp_store_check *check, fp_error *error);
} fp_store_engine;

extern const fp_store_engine fp_sqlite_engine;
extern const fp_store_engine fp_redis_engine;

/* ---- Columns of a record: the same names and order in both stores ---- */

typedef enum fp_column_kind {
    FP_COLUMN_TEXT,
    FP_COLUMN_BYTES,
    FP_COLUMN_NUMBER,
    FP_COLUMN_FLAG,
    FP_COLUMN_TIME /* missing: FP_TIME_NONE */
} fp_column_kind;

typedef struct fp_record_column {
    const char *name;
    fp_column_kind kind;
    size_t offset; /* in fp_record: an fp_string for texts and bytes, a bool for flags, else 64 bits */
} fp_record_column;

/* All but the number, the checksum and the text. */
enum { FP_RECORD_COLUMNS = 9 };
extern const fp_record_column fp_record_columns[FP_RECORD_COLUMNS];

/* The string at a column; NULL: the column is a number. */
fp_string *fp_column_string(fp_record *record, const fp_record_column *column);
uint64_t fp_column_number(const fp_record *record, const fp_record_column *column);
void fp_column_set_number(fp_record *record, const fp_record_column *column, uint64_t number);

/* Copies the strings of a record to `arena`. */
fp_status fp_store_keep_record(fp_record *record, fp_arena *arena, fp_error *error);

/* Checksums of 32 bits, because neither SQLite's pages nor Redis's values have any: the low half of XXH3-64, seeded
 * with the owner of the bytes. For a record it is a chain over its strings in order of the columns, then over its
 * numbers, 8 bytes each. The first sum is seeded with the record's number, each next with the sum before. */
uint64_t fp_store_sum(fp_string bytes, uint64_t owner);
uint64_t fp_store_sum_of_record(const fp_record *record);

/* Reports one problem, printf-style. */
void fp_store_problem(fp_store_report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Reports damage (FP_ERROR_SYNTAX, described by `why`) as a problem and returns FP_OK; returns other errors. */
fp_status fp_store_pass(fp_store_report *report, fp_status status, const fp_error *why, fp_error *error);

/* ---- Parts of a check that are the same for every store ---- */

/* Needs the number, id, cluster and text of the record. */
void fp_store_check_record(fp_store_check *check, const fp_record *record);
/* As fp_visit_number and fp_visit_match. */
fp_status fp_store_check_deleted(void *check, uint64_t number, fp_error *error);
fp_status fp_store_check_match(void *check, const fp_record_match *match, fp_error *error);

#endif
