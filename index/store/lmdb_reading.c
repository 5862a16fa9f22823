/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a store in a file is asked for: one value, all of a table, several tables side by side. */
#include "index/store/lmdb_store.h"

/* ---- Reading ---- */

fp_status fp_lmdb_read(fp_lmdb *store, MDB_txn **transaction, fp_error *error) {
    int result = 0;
    *transaction = store->write;
    if (store->write) return FP_OK;
    if (!store->reading)
        result = store->read ? mdb_txn_renew(store->read)
                             : mdb_txn_begin(store->environment, NULL, MDB_RDONLY, &store->read);
    if (result && store->read) mdb_txn_abort(store->read);
    if (result) store->read = NULL;
    FP_TRY(fp_lmdb_failed(store, result, "read", error));
    store->reading++;
    *transaction = store->read;
    return FP_OK;
}

void fp_lmdb_read_end(fp_lmdb *store) {
    if (store->write) return;
    if (!--store->reading) mdb_txn_reset(store->read);
}

static fp_status copy(fp_string found, fp_arena *arena, fp_string *value, fp_error *error) {
    if (!found.data) return FP_OK;
    const char *copied = fp_string_copy(arena, found);
    if (!copied) return fp_no_memory(error);
    *value = (fp_string){copied, found.length};
    return FP_OK;
}

fp_status fp_lmdb_get(void *opened, fp_store_table table, fp_string key, fp_arena *arena, fp_string *value,
                      fp_error *error) {
    fp_lmdb *store = opened;
    MDB_txn *transaction;
    MDB_val place = fp_lmdb_value(key), found;
    *value = (fp_string){0};
    if (store->pages.bytes) return copy(fp_lmdb_careful_get(store, (int)table, key), arena, value, error);
    FP_TRY(fp_lmdb_read(store, &transaction, error));
    int result = mdb_get(transaction, store->table[table], &place, &found);
    fp_status status = result == MDB_NOTFOUND ? FP_OK : fp_lmdb_failed(store, result, "read", error);
    if (!result) status = copy(fp_lmdb_string(found), arena, value, error);
    fp_lmdb_read_end(store);
    return status;
}

static fp_status walk(fp_lmdb *store, MDB_cursor *cursor, fp_string from, fp_visit_value visit, void *context,
                      fp_error *error) {
    MDB_val key = fp_lmdb_value(from), value;
    int result = mdb_cursor_get(cursor, &key, &value, from.length ? MDB_SET_RANGE : MDB_FIRST);
    for (; !result; result = mdb_cursor_get(cursor, &key, &value, MDB_NEXT))
        FP_TRY(visit(context, fp_lmdb_string(key), fp_lmdb_string(value), error));
    return result == MDB_NOTFOUND ? FP_OK : fp_lmdb_failed(store, result, "read", error);
}

fp_status fp_lmdb_each(void *opened, fp_store_table table, fp_string from, fp_visit_value visit, void *context,
                       fp_error *error) {
    fp_lmdb *store = opened;
    MDB_txn *transaction;
    MDB_cursor *cursor;
    if (store->pages.bytes) return fp_lmdb_careful_each(store, (int)table, from, visit, context, error);
    FP_TRY(fp_lmdb_read(store, &transaction, error));
    fp_status status = fp_lmdb_failed(store, mdb_cursor_open(transaction, store->table[table], &cursor), "read", error);
    if (!status) {
        status = walk(store, cursor, from, visit, context, error);
        mdb_cursor_close(cursor);
    }
    fp_lmdb_read_end(store);
    return status;
}

/* ---- Several tables side by side ---- */

typedef struct beside {
    MDB_cursor *cursor;
    uint64_t number; /* where it stands; UINT64_MAX: behind the end */
    MDB_val value;
} beside;

/* To the first number from `from` on, or to the next. */
static int move(beside *at, uint64_t from, MDB_cursor_op way) {
    char bytes[FP_KEY_BYTES];
    fp_key_put(from, bytes);
    MDB_val key = {sizeof bytes, bytes};
    int result = mdb_cursor_get(at->cursor, &key, &at->value, way);
    if (!result && key.mv_size != FP_KEY_BYTES) return MDB_CORRUPTED;
    at->number = result ? UINT64_MAX : fp_key_get(key.mv_data);
    return result == MDB_NOTFOUND ? 0 : result;
}

static fp_status side_by_side(fp_lmdb *store, beside *at, size_t count, uint64_t from, uint64_t below,
                              fp_visit_numbered visit, void *context, fp_error *error) {
    int result = 0;
    for (size_t i = 0; !result && i < count; i++) result = move(at + i, from, MDB_SET_RANGE);
    while (!result && at->number < below) {
        fp_string values[FP_STORE_BESIDE] = {{0}};
        for (size_t i = 0; i < count; i++) {
            if (at[i].number < at->number) result = move(at + i, at->number, MDB_SET_RANGE);
            if (result) break;
            if (at[i].number == at->number) values[i] = fp_lmdb_string(at[i].value);
        }
        if (result) break;
        FP_TRY(visit(context, at->number, values, error));
        result = at->number < UINT32_MAX ? move(at, 0, MDB_NEXT) : (at->number = UINT64_MAX, 0);
    }
    return fp_lmdb_failed(store, result, "read", error);
}

fp_status fp_lmdb_each_number(void *opened, const fp_store_table *tables, size_t count, uint64_t from, uint64_t below,
                              fp_visit_numbered visit, void *context, fp_error *error) {
    fp_lmdb *store = opened;
    MDB_txn *transaction;
    beside at[FP_STORE_BESIDE] = {{0}};
    if (from > UINT32_MAX) return FP_OK;
    if (store->pages.bytes) return fp_lmdb_careful_numbers(store, tables, count, from, below, visit, context, error);
    FP_TRY(fp_lmdb_read(store, &transaction, error));
    fp_status status = FP_OK;
    for (size_t i = 0; !status && i < count; i++)
        status =
            fp_lmdb_failed(store, mdb_cursor_open(transaction, store->table[tables[i]], &at[i].cursor), "read", error);
    if (!status) status = side_by_side(store, at, count, from, below, visit, context, error);
    for (size_t i = 0; i < count; i++)
        if (at[i].cursor) mdb_cursor_close(at[i].cursor);
    fp_lmdb_read_end(store);
    return status;
}
