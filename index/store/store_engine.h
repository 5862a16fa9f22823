/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * store_engine.h - what a kind of store can do: keep records in transactions that are there whole or not at all, with
 * one writer at a time. record_store.c checks what it is given, and counts.
 */
#ifndef FP_STORE_ENGINE_H
#define FP_STORE_ENGINE_H

#include "index/store/record_store.h"

/* Of the documented tables, in a file and in Redis. */
enum { FP_STORE_VERSION = 2 };

/* What a store says of itself; every commit writes it. */
typedef struct fp_store_state {
    fp_records_count count;
    uint64_t texts; /* records that have one */
} fp_store_state;

typedef struct fp_store_report {
    void (*tell)(void *context, const char *problem);
    void *context;
    uint64_t problems;
} fp_store_report;

/* What is read inside a transaction is what it holds so far. `each`, `each_match`, `each_deleted` and `check` are not
 * called inside one. Fingerprints are aligned to 8: they are read as numbers. Errors name the address. */
typedef struct fp_store_engine {
    fp_status (*open)(const char *address, fp_records_mode mode, const fp_arena *like, void **store, fp_error *error);
    void (*close)(void *store);
    const char *(*caution)(const void *store); /* NULL: never any */
    const char *(*name)(const void *store);    /* the address in messages */

    fp_status (*state)(void *store, fp_store_state *state, fp_error *error); /* of the last commit */
    fp_status (*begin)(void *store, fp_store_state *state, fp_error *error);
    fp_status (*commit)(void *store, fp_store_state *state, fp_error *error); /* ends it, whatever it returns */
    void (*rollback)(void *store);
    size_t (*room)(const void *store); /* bytes that the transaction may still hold; NULL: any */

    /* value->data NULL: there is none. */
    fp_status (*fact)(void *store, const char *name, fp_arena *arena, fp_string *value, fp_error *error);
    fp_status (*set_fact)(void *store, const char *name, fp_string value, fp_error *error);

    /* *number 0: there is none. */
    fp_status (*find)(void *store, fp_string id, uint64_t *number, fp_error *error);
    /* record->number 0: there is none. */
    fp_status (*get)(void *store, uint64_t number, bool text, fp_arena *arena, fp_record *record, fp_error *error);
    fp_status (*each)(void *store, uint64_t from, bool text, fp_visit_record visit, void *context, fp_error *error);
    fp_status (*each_match)(void *store, uint64_t from, fp_visit_match visit, void *context, fp_error *error);
    fp_status (*each_deleted)(void *store, uint64_t from, fp_visit_number visit, void *context, fp_error *error);

    /* *there: the number of the record that has the id, 0: it was added. */
    fp_status (*add)(void *store, const fp_record *record, const uint64_t *keys, size_t key_count, uint64_t *there,
                     fp_error *error);
    /* `entry`: its place in the deletion log. *found, *had_text. */
    fp_status (*remove)(void *store, uint64_t number, uint64_t entry, bool *found, bool *had_text, fp_error *error);
    fp_status (*set_cluster)(void *store, uint64_t number, uint64_t cluster, bool *found, fp_error *error);
    /* *added: there was none of these two. */
    fp_status (*put_match)(void *store, const fp_record_match *match, bool *added, fp_error *error);

    /* By ascending number, each once. NULL: it keeps no key lists. */
    fp_status (*near)(void *store, const uint64_t *keys, size_t key_count, fp_arena *arena, const uint64_t **numbers,
                      const fp_string **fingerprints, size_t *count, fp_error *error);

    /* Pieces of tables; NULL: it keeps none. */
    fp_status (*each_piece)(void *store, uint64_t first, uint64_t last, fp_visit_piece visit, void *context,
                            fp_error *error);
    fp_status (*put_piece)(void *store, uint64_t key, fp_string bytes, fp_error *error);
    fp_status (*remove_pieces)(void *store, uint64_t first, uint64_t last, fp_error *error);

    fp_status (*check)(void *store, fp_store_report *tell, fp_error *error);
} fp_store_engine;

extern const fp_store_engine fp_sqlite_engine;
extern const fp_store_engine fp_redis_engine;

/* The strings of a record as copies in `arena`. */
fp_status fp_store_keep_record(fp_record *record, fp_arena *arena, fp_error *error);

/* Checksums of 32 bits, since neither pages of SQLite nor values of Redis have one: the low half of XXH3-64, seeded
 * with what the bytes belong to; of a record a chain over id, fingerprint, title, url, source, and four numbers of 8
 * bytes (empty, time, characters, cluster), whose first is seeded with the number and each next with the one before. */
uint64_t fp_store_sum(fp_string bytes, uint64_t owner);
uint64_t fp_store_sum_of_record(const fp_record *record);

/* One problem, printf-style. */
void fp_store_problem(fp_store_report *tell, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Damage that reading met, and `why` says, becomes a problem; other errors stay. */
fp_status fp_store_pass(fp_store_report *tell, fp_status status, const fp_error *why, fp_error *error);

/* ---- What a check asks of every kind of store ---- */

typedef struct fp_store_check {
    fp_store_report *tell;
    fp_store_state said;
    unsigned char *there; /* [next] whether the record of a number is there, was deleted */
    uint64_t records, texts, deleted, matches;
} fp_store_check;
fp_status fp_store_check_begin(fp_store_check *check, const fp_store_state *said, fp_store_report *tell,
                               fp_arena *arena, fp_error *error);
/* The record says which number it has, its id, its cluster and its text. */
void fp_store_check_record(fp_store_check *check, const fp_record *record);
void fp_store_check_deleted(fp_store_check *check, uint64_t number);
void fp_store_check_match(fp_store_check *check, const fp_record_match *match);
/* Tells of what is missing, and of counts that are others. */
void fp_store_check_end(fp_store_check *check);

#endif
