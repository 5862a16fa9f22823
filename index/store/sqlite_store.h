/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sqlite_store.h - internals of a store in a file.
 */
#ifndef FP_SQLITE_STORE_H
#define FP_SQLITE_STORE_H

#include <sys/stat.h>

#include <sqlite3.h>

#include "index/store/store_engine.h"

/* A prepared statement, kept as long as the store. */
typedef struct fp_sqlite_kept {
    const char *sql;
    sqlite3_stmt *statement;
} fp_sqlite_kept;

typedef struct fp_sqlite {
    const fp_arena *like;
    fp_arena *own; /* for the paths and the list of statements */
    const char *path, *lock_path;
    int lock; /* held by a writer; -1: none */
    sqlite3 *db;
    fp_sqlite_kept *kept; /* grows in `own` */
    size_t kept_count, kept_room;
    bool still;       /* opened as immutable */
    struct stat then; /* its state when opened */
} fp_sqlite;

/* Fails with the path, printf-style; fp_sqlite_failed explains a result of SQLite. */
#define FP_SQLITE_FAIL(store, error, code, ...) FP_FAIL_AT(error, code, (store)->path, __VA_ARGS__)
fp_status fp_sqlite_failed(const fp_sqlite *store, int result, const char *doing, fp_error *error);

/* Two kinds of statements. An own statement is finalized when its block ends, so visitors of its rows may run others. A
 * kept one is found by the address of its SQL, a constant, and reset when its block ends. */
fp_status fp_sqlite_prepare(fp_sqlite *store, const char *sql, sqlite3_stmt **made, fp_error *error);
static inline void fp_sqlite_finalize(sqlite3_stmt **statement) { sqlite3_finalize(*statement); }
#define FP_SQLITE_OWN_STATEMENT(name, store, sql, error)        \
    sqlite3_stmt *name FP_CLOSED_BY(fp_sqlite_finalize) = NULL; \
    FP_TRY(fp_sqlite_prepare(store, sql, &name, error))
fp_status fp_sqlite_keep(fp_sqlite *store, const char *sql, sqlite3_stmt **statement, fp_error *error);
static inline void fp_sqlite_reset(sqlite3_stmt **statement) { sqlite3_reset(*statement); }
#define FP_SQLITE_STATEMENT(name, store, sql, error)         \
    sqlite3_stmt *name FP_CLOSED_BY(fp_sqlite_reset) = NULL; \
    FP_TRY(fp_sqlite_keep(store, sql, &name, error))
/* Whether there is another row; returns from the calling function on failure. */
#define FP_SQLITE_NEXT(store, statement, error)                    \
    __extension__({                                                \
        bool fp_row_;                                              \
        FP_TRY(fp_sqlite_step(store, statement, &fp_row_, error)); \
        fp_row_;                                                   \
    })
/* Resets the statement on failure. */
fp_status fp_sqlite_step(const fp_sqlite *store, sqlite3_stmt *statement, bool *row, fp_error *error);
/* Runs a statement that returns no rows. */
fp_status fp_sqlite_run(const fp_sqlite *store, sqlite3_stmt *statement, fp_error *error);

fp_status fp_sqlite_open(const char *address, fp_records_mode mode, const fp_arena *like, void **opened,
                         fp_error *error);
void fp_sqlite_close(void *opened);
fp_status fp_sqlite_state(void *opened, fp_store_state *state, fp_error *error);
fp_status fp_sqlite_begin(void *opened, fp_store_state *state, fp_error *error);
fp_status fp_sqlite_commit(void *opened, fp_store_state *state, fp_error *error);
void fp_sqlite_rollback(void *opened);

#endif
