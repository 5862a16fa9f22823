/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * store_engine.h - what a kind of store must be able to do: keep values under keys in a few tables, change them in
 * transactions that are there whole or not at all, with one writer at a time. What a record is, and what belongs to
 * what, is told once, in record_store.c and record_check.c.
 */
#ifndef FP_STORE_ENGINE_H
#define FP_STORE_ENGINE_H

#include "index/store/record_bytes.h"

typedef enum fp_store_table {
    FP_STORE_FACTS,    /* by name */
    FP_STORE_IDS,      /* id → number */
    FP_STORE_RECORDS,  /* by number, as the three that follow; put in ascending order */
    FP_STORE_TEXTS,    /* put in ascending order */
    FP_STORE_CLUSTERS, /* of those whose cluster is not their own */
    FP_STORE_DELETED,  /* by place in the log, put in ascending order → number */
    FP_STORE_MATCHES,  /* by later and earlier number */
    FP_STORE_TABLES
} fp_store_table;

/* What is given lasts until the visit returns. */
typedef fp_status (*fp_visit_value)(void *context, fp_string key, fp_string value, fp_error *error);
/* values[i] is what the table i of those that were asked for has under the number, data NULL: nothing. */
typedef fp_status (*fp_visit_numbered)(void *context, uint64_t number, const fp_string *values, fp_error *error);
enum { FP_STORE_BESIDE = 3 }; /* the most tables that are visited side by side */

typedef struct fp_store_tell {
    void (*tell)(void *context, const char *problem);
    void *context;
    uint64_t problems;
} fp_store_tell;

/* Errors name the address. Reading functions see what the open transaction holds, but for `each`, `entries` and
 * `check`, which are not called inside one. */
typedef struct fp_store_engine {
    /* Gives the state: of the last commit, or when a store is made its first one, whose `list` an address may say. */
    fp_status (*open)(const char *address, fp_records_mode mode, const fp_arena *like, void **store,
                      fp_store_state *state, fp_error *error);
    void (*close)(void *store);
    const char *(*caution)(const void *store); /* NULL: never any */
    const char *(*name)(const void *store);    /* the address in messages */

    fp_status (*state)(void *store, fp_store_state *state, fp_error *error); /* of the last commit */
    fp_status (*begin)(void *store, fp_store_state *state, fp_error *error);
    fp_status (*commit)(void *store, fp_store_state *state, fp_error *error); /* ends it, whatever it returns */
    void (*give_up)(void *store);
    size_t (*room)(const void *store); /* bytes that the transaction may still hold; NULL: any */

    /* Of facts, ids, records and matches. */
    fp_status (*get)(void *store, fp_store_table table, fp_string key, fp_arena *arena, fp_string *value,
                     fp_error *error);
    fp_status (*put)(void *store, fp_store_table table, fp_string key, fp_string value, fp_error *error);
    fp_status (*drop)(void *store, fp_store_table table, fp_string key, fp_error *error);
    /* From a key on, ascending; of ids and facts all, in any order. */
    fp_status (*each)(void *store, fp_store_table table, fp_string from, fp_visit_value visit, void *context,
                      fp_error *error);
    /* Numbers from ≤ n < below that the first of `count` tables has, ascending. */
    fp_status (*each_number)(void *store, const fp_store_table *tables, size_t count, uint64_t from, uint64_t below,
                             fp_visit_numbered visit, void *context, fp_error *error);

    /* Key lists; NULL: it keeps none. */
    fp_status (*list)(void *store, uint64_t key, uint64_t number, fp_string fingerprint, fp_error *error);
    fp_status (*unlist)(void *store, uint64_t key, uint64_t number, fp_string fingerprint, fp_error *error);
    fp_status (*near)(void *store, const uint64_t *keys, size_t key_count, fp_arena *arena, const uint64_t **numbers,
                      fp_string **fingerprints, size_t *count, fp_error *error);

    /* What only this kind can be damaged in. What is read between it and `checked` (NULL: nothing to do) is read with
     * care: damage is told, and passed over. */
    void (*checked)(void *store);
    fp_status (*check)(void *store, const fp_store_state *state, fp_store_tell *tell, fp_error *error);
} fp_store_engine;

extern const fp_store_engine fp_lmdb_engine;
extern const fp_store_engine fp_redis_engine;

struct fp_records {
    const fp_store_engine *engine;
    void *store;
    const fp_arena *like;
    fp_arena *scratch; /* of one call */
    fp_records_mode mode;
    bool open;            /* a transaction is */
    bool lost;            /* and can only be given up */
    fp_store_state state; /* of the transaction */
};

/* Adds the address to an error, where there is one. */
fp_status fp_records_at(const fp_records *records, fp_status status, fp_error *error);
/* One problem, printf-style. */
void fp_store_problem(fp_store_tell *tell, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The values of a record as a record: values as of RECORDS, CLUSTERS, and TEXTS where text_asked. */
fp_status fp_record_of_values(uint64_t number, const fp_string *values, bool text_asked, fp_arena *arena,
                              fp_record *record, fp_record_rest *rest, fp_error *error);

#endif
