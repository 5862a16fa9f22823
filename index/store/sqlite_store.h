/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sqlite_store.h - the inside of a store in a file.
 */
#ifndef FP_SQLITE_STORE_H
#define FP_SQLITE_STORE_H

#include <sys/stat.h>

#include <sqlite3.h>

#include "index/store/store_engine.h"

typedef enum fp_sqlite_statement {
    FP_SQLITE_BEGIN,
    FP_SQLITE_COMMIT,
    FP_SQLITE_STATE,
    FP_SQLITE_SET_STATE,
    FP_SQLITE_FACT,
    FP_SQLITE_SET_FACT,
    FP_SQLITE_FIND,
    FP_SQLITE_GET,
    FP_SQLITE_GET_WITH_TEXT,
    FP_SQLITE_ADD,
    FP_SQLITE_ADD_TEXT,
    FP_SQLITE_REMOVE,
    FP_SQLITE_REMOVE_TEXT,
    FP_SQLITE_ADD_DELETED,
    FP_SQLITE_SET_CLUSTER,
    FP_SQLITE_ADD_MATCH,
    FP_SQLITE_CHANGE_MATCH,
    FP_SQLITE_PIECES,
    FP_SQLITE_ADD_PIECE,
    FP_SQLITE_REMOVE_PIECES,
    FP_SQLITE_STATEMENTS
} fp_sqlite_statement;
extern const char *const fp_sqlite_sql[FP_SQLITE_STATEMENTS];

typedef struct fp_sqlite {
    const fp_arena *like;
    fp_arena *own; /* of the paths */
    const char *path, *lock_path;
    int lock; /* of a writer; -1: none */
    sqlite3 *db;
    sqlite3_stmt *kept[FP_SQLITE_STATEMENTS];
    bool still;       /* opened as a file that nobody changes: */
    struct stat then; /* as it was when it was opened */
} fp_sqlite;

/* The path of the file, to what fp_fail said; what SQLite says of a result. */
fp_status fp_sqlite_at(const fp_sqlite *store, fp_status status, fp_error *error);
fp_status fp_sqlite_failed(const fp_sqlite *store, int result, const char *doing, fp_error *error);

/* A statement of its own, which the caller finalizes; one that is kept, which the caller resets. */
fp_status fp_sqlite_prepare(fp_sqlite *store, const char *sql, sqlite3_stmt **made, fp_error *error);
fp_status fp_sqlite_kept(fp_sqlite *store, fp_sqlite_statement which, sqlite3_stmt **statement, fp_error *error);
/* An error resets the statement. */
fp_status fp_sqlite_step(const fp_sqlite *store, sqlite3_stmt *statement, bool *row, fp_error *error);
/* One that gives no rows. */
fp_status fp_sqlite_run(const fp_sqlite *store, sqlite3_stmt *statement, fp_error *error);

fp_status fp_sqlite_state(void *opened, fp_store_state *state, fp_error *error);

/* sqlite_records.c */
fp_status fp_sqlite_fact(void *opened, const char *name, fp_arena *arena, fp_string *value, fp_error *error);
fp_status fp_sqlite_set_fact(void *opened, const char *name, fp_string value, fp_error *error);
fp_status fp_sqlite_find(void *opened, fp_string id, uint64_t *number, fp_error *error);
fp_status fp_sqlite_get(void *opened, uint64_t number, bool text, fp_arena *arena, fp_record *record, fp_error *error);
fp_status fp_sqlite_each(void *store, uint64_t from, bool text, fp_visit_record visit, void *context, fp_error *error);
fp_status fp_sqlite_each_match(void *store, uint64_t from, fp_visit_match visit, void *context, fp_error *error);
fp_status fp_sqlite_each_deleted(void *store, uint64_t from, fp_visit_number visit, void *context, fp_error *error);
fp_status fp_sqlite_add(void *opened, const fp_record *record, const uint64_t *keys, size_t key_count, uint64_t *there,
                        fp_error *error);
fp_status fp_sqlite_remove(void *store, uint64_t number, uint64_t entry, bool *found, bool *had_text, fp_error *error);
fp_status fp_sqlite_set_cluster(void *store, uint64_t number, uint64_t cluster, bool *found, fp_error *error);
fp_status fp_sqlite_put_match(void *opened, const fp_record_match *match, bool *added, fp_error *error);
fp_status fp_sqlite_each_piece(void *store, uint64_t first, uint64_t last, fp_visit_piece visit, void *context,
                               fp_error *error);
fp_status fp_sqlite_put_piece(void *store, uint64_t key, fp_string bytes, fp_error *error);
fp_status fp_sqlite_remove_pieces(void *store, uint64_t first, uint64_t last, fp_error *error);
fp_status fp_sqlite_check(void *opened, fp_store_tell *tell, fp_error *error);

#endif
