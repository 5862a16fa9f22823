/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lmdb_store.h - the inside of a store in a file: LMDB's environment, its tables and transactions.
 */
#ifndef FP_LMDB_STORE_H
#define FP_LMDB_STORE_H

#include <lmdb.h>

#include "index/store/lmdb_pages.h"

enum { FP_LMDB_TABLES = FP_STORE_TABLES + 1, FP_LMDB_STATE = FP_STORE_TABLES }; /* one table more: of the state */

typedef struct fp_lmdb {
    const fp_arena *like;
    char *path;
    int lock; /* the file, which a writer holds; −1: none */
    MDB_env *environment;
    MDB_dbi table[FP_LMDB_TABLES];
    MDB_txn *write;      /* the open transaction, or NULL */
    MDB_txn *read;       /* kept for the next reading, reset; or NULL */
    int reading;         /* how many readings use it */
    bool damaged;        /* LMDB must not read it */
    fp_lmdb_pages pages; /* bytes not NULL: reading is with care */
} fp_lmdb;

extern const char *const FP_LMDB_TABLE_NAMES[FP_LMDB_TABLES];

/* The status and the message of what LMDB returned: 0 is FP_OK. */
fp_status fp_lmdb_failed(const fp_lmdb *store, int result, const char *doing, fp_error *error);

/* The transaction to read in: the open one, or one that sees the last commit. Readings may stand in one another. */
fp_status fp_lmdb_read(fp_lmdb *store, MDB_txn **transaction, fp_error *error);
void fp_lmdb_read_end(fp_lmdb *store);

/* As the engine's functions (lmdb_reading.c). */
fp_status fp_lmdb_get(void *opened, fp_store_table table, fp_string key, fp_arena *arena, fp_string *value,
                      fp_error *error);
fp_status fp_lmdb_each(void *opened, fp_store_table table, fp_string from, fp_visit_value visit, void *context,
                       fp_error *error);
fp_status fp_lmdb_each_number(void *opened, const fp_store_table *tables, size_t count, uint64_t from, uint64_t below,
                              fp_visit_numbered visit, void *context, fp_error *error);

/* ---- The file (lmdb_file.c) ---- */

/* Opens the file and takes the writer's place in it where `mode` is for writing. */
fp_status fp_lmdb_lock(fp_lmdb *store, fp_records_mode mode, fp_error *error);
void fp_lmdb_unlock(fp_lmdb *store);
/* LMDB over the file at `path`, with the largest map that there is room for. */
fp_status fp_lmdb_environment(fp_lmdb *store, const char *path, unsigned flags, fp_error *error);
/* A new file of one commit, under its name only when that is complete. */
fp_status fp_lmdb_create(fp_lmdb *store, const fp_store_state *state, fp_error *error);
/* The tables; `flags` MDB_CREATE makes them. */
fp_status fp_lmdb_tables(fp_lmdb *store, MDB_txn *transaction, unsigned flags, fp_error *error);

/* ---- Reading with care (lmdb_careful.c) ---- */

/* From here to the end what is read is what LMDB's last commit left, page by page; damage goes to `tell` (NULL: it is
 * passed over). */
fp_status fp_lmdb_careful_begin(fp_lmdb *store, fp_store_tell *tell, fp_error *error);
void fp_lmdb_careful_end(void *opened);
/* FP_ERROR_SYNTAX: a head is damaged, which LMDB must not see; and, once LMDB has opened it, its pages are. */
fp_status fp_lmdb_look_at_heads(fp_lmdb *store, fp_error *error);
fp_status fp_lmdb_look(fp_lmdb *store, fp_error *error);
fp_status fp_lmdb_check(void *opened, const fp_store_state *state, fp_store_tell *tell, fp_error *error);
/* As the engine's functions. A value that is got lies in the file. */
fp_string fp_lmdb_careful_get(const fp_lmdb *store, int table, fp_string key);
fp_status fp_lmdb_careful_each(const fp_lmdb *store, int table, fp_string from, fp_visit_value visit, void *context,
                               fp_error *error);
fp_status fp_lmdb_careful_numbers(const fp_lmdb *store, const fp_store_table *tables, size_t count, uint64_t from,
                                  uint64_t below, fp_visit_numbered visit, void *context, fp_error *error);

static inline MDB_val fp_lmdb_value(fp_string bytes) {
    union {
        const char *in;
        void *out; /* LMDB does not write to what it is given */
    } data = {bytes.data};
    return (MDB_val){bytes.length, data.out};
}
static inline fp_string fp_lmdb_string(MDB_val value) { return (fp_string){value.mv_data, value.mv_size}; }

#endif
