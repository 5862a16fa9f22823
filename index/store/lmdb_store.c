/* SPDX-License-Identifier: GPL-3.0-or-later
 * A store in one file: LMDB, whose commits are on the disk, or not at all. Opening, its state, and writing. */
#include "index/store/lmdb_store.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

/* ---- Errors ---- */

static fp_status status_of(int result) {
    switch (result) {
    case ENOMEM: return FP_ERROR_MEMORY;
    case MDB_VERSION_MISMATCH: return FP_ERROR_ABI;
    case MDB_PAGE_NOTFOUND:
    case MDB_CORRUPTED:
    case MDB_INVALID:
    case MDB_PANIC:
    case MDB_BAD_VALSIZE:
    case MDB_INCOMPATIBLE:
    case MDB_KEYEXIST:
    case MDB_NOTFOUND:
    case MDB_CURSOR_FULL:
    case MDB_PAGE_FULL: return FP_ERROR_SYNTAX;
    default: return FP_ERROR_IO;
    }
}

static const char *words_of(int result) {
    switch (result) {
    case MDB_INVALID: return "it is no store of records, or its head is damaged";
    case MDB_VERSION_MISMATCH: return "its pages are of another version of LMDB";
    case EIO: return "cannot write all: the disk, or a limit on the size of files, is full, or the disk fails";
    case MDB_MAP_FULL: return "full: this process may not use more addresses (ulimit -v)";
    case MDB_MAP_RESIZED: return "larger than the addresses that this process may use (ulimit -v)";
    case MDB_READERS_FULL: return "too many processes read it";
    case MDB_TXN_FULL: return "too much for one transaction";
    default: return NULL;
    }
}

fp_status fp_lmdb_failed(const fp_lmdb *store, int result, const char *doing, fp_error *error) {
    if (!result) return FP_OK;
    fp_status status = status_of(result);
    if (status == FP_ERROR_MEMORY) return fp_no_memory(error);
    if (words_of(result)) fp_fail(error, status, "%s", words_of(result));
    else if (status == FP_ERROR_SYNTAX) fp_fail(error, status, "damaged: %s", mdb_strerror(result));
    else fp_fail(error, status, "cannot %s: %s", doing, mdb_strerror(result));
    return fp_at(error, status, store->path, SIZE_MAX, SIZE_MAX);
}

/* ---- Opening and closing ---- */

static void lmdb_close(void *opened) {
    fp_lmdb *store = opened;
    if (store->write) mdb_txn_abort(store->write);
    fp_lmdb_pages_close(&store->pages);
    if (store->read) mdb_txn_abort(store->read);
    if (store->environment) mdb_env_close(store->environment);
    fp_lmdb_unlock(store);
    fp_memory_release(store->like, store->path);
    fp_memory_release(store->like, store);
}

static const char *lmdb_name(const void *store) { return ((const fp_lmdb *)store)->path; }

/* The tables, whose handles last when the transaction that opened them is committed. */
static fp_status open_tables(fp_lmdb *store, fp_error *error) {
    MDB_txn *transaction;
    FP_TRY(fp_lmdb_failed(store, mdb_txn_begin(store->environment, NULL, MDB_RDONLY, &transaction), "read", error));
    fp_status status = fp_lmdb_tables(store, transaction, 0, error);
    if (!status) return fp_lmdb_failed(store, mdb_txn_commit(transaction), "read", error);
    mdb_txn_abort(transaction);
    return status;
}

static fp_status lost_state(const fp_lmdb *store, fp_error *error) {
    const fp_lmdb_pages *pages = &store->pages;
    if (pages->bytes && pages->last >= pages->length / pages->page)
        return fp_fail(error, FP_ERROR_SYNTAX, "damaged: the file is cut short: it has %zu bytes of %llu",
                       pages->length, (unsigned long long)(pages->last + 1) * pages->page);
    return fp_fail(error, FP_ERROR_SYNTAX, "damaged: the page of its state, and all with it");
}

static fp_status unpack_state(const fp_lmdb *store, fp_string bytes, fp_store_state *state, fp_error *error) {
    fp_status status = bytes.data ? fp_state_unpack(bytes, state, error) : lost_state(store, error);
    return status ? fp_at(error, status, store->path, SIZE_MAX, SIZE_MAX) : FP_OK;
}

static fp_status lmdb_state(void *opened, fp_store_state *state, fp_error *error) {
    fp_lmdb *store = opened;
    MDB_txn *transaction;
    fp_string name = fp_string_of("state");
    if (store->pages.bytes) return unpack_state(store, fp_lmdb_careful_get(store, FP_LMDB_STATE, name), state, error);
    FP_TRY(fp_lmdb_read(store, &transaction, error));
    MDB_val key = fp_lmdb_value(name), value;
    int result = mdb_get(transaction, store->table[FP_LMDB_STATE], &key, &value);
    fp_status status = fp_lmdb_failed(store, result, "read", error);
    if (!status) status = unpack_state(store, fp_lmdb_string(value), state, error);
    fp_lmdb_read_end(store);
    return status;
}

/* LMDB only keeps writers off, where it can. */
static fp_status open_with_care(fp_lmdb *store, fp_store_state *state, fp_error *error) {
    fp_status status = fp_lmdb_look_at_heads(store, error);
    if (!status) status = fp_lmdb_environment(store, store->path, MDB_RDONLY, error);
    if (status && status != FP_ERROR_SYNTAX) return status;
    FP_TRY(fp_lmdb_careful_begin(store, NULL, error));
    store->damaged = true;
    return lmdb_state(store, state, error);
}

static fp_status open_file(fp_lmdb *store, fp_records_mode mode, fp_store_state *state, fp_error *error) {
    bool writes = mode == FP_RECORDS_WRITE || mode == FP_RECORDS_CREATE;
    if (mode == FP_RECORDS_CREATE) FP_TRY(fp_lmdb_create(store, &(fp_store_state){.count.next = 1}, error));
    FP_TRY(fp_lmdb_lock(store, mode, error));
    if (mode == FP_RECORDS_CHECK) return open_with_care(store, state, error);
    FP_TRY(fp_lmdb_look_at_heads(store, error));
    FP_TRY(fp_lmdb_environment(store, store->path, writes ? 0 : MDB_RDONLY, error));
    if (writes) mdb_reader_check(store->environment, NULL); /* places of processes that are gone */
    FP_TRY(fp_lmdb_look(store, error));
    FP_TRY(open_tables(store, error));
    return lmdb_state(store, state, error);
}

static fp_status lmdb_open(const char *address, fp_records_mode mode, const fp_arena *like, void **opened,
                           fp_store_state *state, fp_error *error) {
    fp_lmdb *store = fp_memory_take(like, 1, sizeof *store);
    if (!store) return fp_no_memory(error);
    *store = (fp_lmdb){.like = like, .lock = -1, .path = fp_memory_take(like, strlen(address) + 1, 1)};
    fp_status status = FP_OK;
    if (!store->path) status = fp_no_memory(error);
    else {
        memcpy(store->path, address, strlen(address) + 1);
        status = open_file(store, mode, state, error);
    }
    if (status) lmdb_close(store);
    else *opened = store;
    return status;
}

/* ---- Writing ---- */

static fp_status lmdb_begin(void *opened, fp_store_state *state, fp_error *error) {
    fp_lmdb *store = opened;
    if (store->reading) {
        fp_fail(error, FP_ERROR_RANGE, "it is being read");
        return fp_at(error, FP_ERROR_RANGE, store->path, SIZE_MAX, SIZE_MAX);
    }
    FP_TRY(fp_lmdb_failed(store, mdb_txn_begin(store->environment, NULL, 0, &store->write), "write", error));
    fp_status status = lmdb_state(store, state, error);
    if (status) {
        mdb_txn_abort(store->write);
        store->write = NULL;
    }
    return status;
}

static void lmdb_give_up(void *opened) {
    fp_lmdb *store = opened;
    mdb_txn_abort(store->write);
    store->write = NULL;
}

/* Its keys ascend: pages are filled whole. */
static bool ascends(fp_store_table table) {
    return table == FP_STORE_RECORDS || table == FP_STORE_TEXTS || table == FP_STORE_DELETED;
}

static fp_status lmdb_put(void *opened, fp_store_table table, fp_string key, fp_string value, fp_error *error) {
    fp_lmdb *store = opened;
    MDB_val place = fp_lmdb_value(key), bytes = fp_lmdb_value(value);
    int result = mdb_put(store->write, store->table[table], &place, &bytes, ascends(table) ? MDB_APPEND : 0);
    return fp_lmdb_failed(store, result, "write", error);
}

static fp_status lmdb_drop(void *opened, fp_store_table table, fp_string key, fp_error *error) {
    fp_lmdb *store = opened;
    MDB_val place = fp_lmdb_value(key);
    int result = mdb_del(store->write, store->table[table], &place, NULL);
    return result == MDB_NOTFOUND ? FP_OK : fp_lmdb_failed(store, result, "write", error);
}

static fp_status lmdb_commit(void *opened, fp_store_state *state, fp_error *error) {
    fp_lmdb *store = opened;
    char bytes[FP_STORE_STATE_BYTES];
    if (getrandom(&state->mark, sizeof state->mark, 0) != sizeof state->mark) state->mark++;
    fp_state_pack(state, bytes);
    MDB_val key = fp_lmdb_value(fp_string_of("state")), value = {sizeof bytes, bytes};
    int result = mdb_put(store->write, store->table[FP_LMDB_STATE], &key, &value, 0);
    if (result) mdb_txn_abort(store->write);
    else result = mdb_txn_commit(store->write);
    store->write = NULL;
    return fp_lmdb_failed(store, result, "write", error);
}

const fp_store_engine fp_lmdb_engine = {
    .open = lmdb_open,
    .close = lmdb_close,
    .name = lmdb_name,
    .state = lmdb_state,
    .begin = lmdb_begin,
    .commit = lmdb_commit,
    .give_up = lmdb_give_up,
    .get = fp_lmdb_get,
    .put = lmdb_put,
    .drop = lmdb_drop,
    .each = fp_lmdb_each,
    .each_number = fp_lmdb_each_number,
    .check = fp_lmdb_check,
    .checked = fp_lmdb_careful_end,
};
