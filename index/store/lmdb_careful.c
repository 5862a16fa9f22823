/* SPDX-License-Identifier: GPL-3.0-or-later
 * A store in a file, read page by page without LMDB, which would end the process on a damaged page. */
#include <string.h>
#include <sys/stat.h>

#include "index/store/lmdb_store.h"

/* ---- Beginning and ending ---- */

/* A place among LMDB's readers, so that no writer takes the pages of that commit; where LMDB cannot even open the file
 * there can be no writer either. */
fp_status fp_lmdb_careful_begin(fp_lmdb *store, fp_store_tell *tell, fp_error *error) {
    MDB_txn *transaction;
    fp_status status = FP_ERROR_IO;
    for (int try = 0; status == FP_ERROR_IO && try < 100; try++) { /* a writer may commit twice in between */
        if (!store->environment) status = fp_lmdb_pages_open(store->lock, 0, &store->pages, error);
        else {
            FP_TRY(fp_lmdb_read(store, &transaction, error));
            status = fp_lmdb_pages_open(store->lock, mdb_txn_id(transaction), &store->pages, error);
            if (status) fp_lmdb_read_end(store);
        }
    }
    if (status) return fp_at(error, status, store->path, SIZE_MAX, SIZE_MAX);
    store->pages.tell = tell;
    return FP_OK;
}

void fp_lmdb_careful_end(void *opened) {
    fp_lmdb *store = opened;
    if (!store->pages.bytes || store->damaged) return;
    fp_lmdb_pages_close(&store->pages);
    if (store->environment) fp_lmdb_read_end(store);
}

/* ---- Looking at the pages ---- */

struct first {
    char words[256];
};

static void keep_first(void *context, const char *problem) {
    struct first *first = context;
    if (!*first->words) snprintf(first->words, sizeof first->words, "%s", problem);
}

fp_status fp_lmdb_look_at_heads(fp_lmdb *store, fp_error *error) {
    fp_lmdb_pages pages;
    fp_status status = fp_lmdb_pages_open(store->lock, 0, &pages, error);
    if (status == FP_OK && !fp_lmdb_pages_heads(&pages))
        status = fp_fail(error, FP_ERROR_SYNTAX, "it is no store of records, or its head is damaged");
    fp_lmdb_pages_close(&pages);
    return status ? fp_at(error, status, store->path, SIZE_MAX, SIZE_MAX) : FP_OK;
}

fp_status fp_lmdb_look(fp_lmdb *store, fp_error *error) {
    struct stat status;
    struct first first = {""};
    fp_store_tell tell = {keep_first, &first, 0};
    if (fstat(store->lock, &status)) return fp_file_error(error, store->path, "open");
    if (status.st_size > FP_RECORDS_LOOK) return FP_OK;
    FP_TRY(fp_lmdb_careful_begin(store, &tell, error));
    fp_status walked = fp_lmdb_pages_walk(&store->pages, store->like, error);
    fp_lmdb_careful_end(store);
    if (walked || !tell.problems) return walked;
    fp_fail(error, FP_ERROR_SYNTAX, "%s", first.words);
    return fp_at(error, FP_ERROR_SYNTAX, store->path, SIZE_MAX, SIZE_MAX);
}

/* What is read after the walk is not told again. */
fp_status fp_lmdb_check(void *opened, const fp_store_state *state, fp_store_tell *tell, fp_error *error) {
    fp_lmdb *store = opened;
    (void)state;
    if (!store->pages.bytes) FP_TRY(fp_lmdb_careful_begin(store, tell, error));
    store->pages.tell = tell;
    fp_status status = fp_lmdb_pages_walk(&store->pages, store->like, error);
    store->pages.tell = NULL;
    return status;
}

/* ---- Reading ---- */

static bool tree_of(const fp_lmdb *store, int table, fp_lmdb_tree *tree) {
    return fp_lmdb_pages_table(&store->pages, FP_LMDB_TABLE_NAMES[table], tree);
}

fp_string fp_lmdb_careful_get(const fp_lmdb *store, int table, fp_string key) {
    fp_lmdb_tree tree;
    fp_lmdb_cursor cursor;
    bool found = tree_of(store, table, &tree) && fp_lmdb_cursor_seek(&cursor, &store->pages, &tree, key) &&
                 fp_string_equal(cursor.key, key);
    return found ? cursor.value : (fp_string){0};
}

fp_status fp_lmdb_careful_each(const fp_lmdb *store, int table, fp_string from, fp_visit_value visit, void *context,
                               fp_error *error) {
    fp_lmdb_tree tree;
    fp_lmdb_cursor cursor;
    if (!tree_of(store, table, &tree)) return FP_OK;
    for (bool there = fp_lmdb_cursor_seek(&cursor, &store->pages, &tree, from); there;
         there = fp_lmdb_cursor_next(&cursor))
        FP_TRY(visit(context, cursor.key, cursor.value, error));
    return FP_OK;
}

typedef struct beside {
    fp_lmdb_cursor cursor;
    bool there;
} beside;

static uint64_t number_of(const beside *at) {
    if (!at->there) return UINT64_MAX;
    return at->cursor.key.length == FP_KEY_BYTES ? fp_key_get(at->cursor.key.data) : 0;
}

fp_status fp_lmdb_careful_numbers(const fp_lmdb *store, const fp_store_table *tables, size_t count, uint64_t from,
                                  uint64_t below, fp_visit_numbered visit, void *context, fp_error *error) {
    beside at[FP_STORE_BESIDE] = {{.there = false}};
    char key[FP_KEY_BYTES];
    fp_key_put(from, key);
    for (size_t i = 0; i < count; i++) {
        fp_lmdb_tree tree;
        at[i].there = tree_of(store, (int)tables[i], &tree) &&
                      fp_lmdb_cursor_seek(&at[i].cursor, &store->pages, &tree, (fp_string){key, sizeof key});
    }
    for (; at->there && number_of(at) < below; at->there = fp_lmdb_cursor_next(&at->cursor)) {
        fp_string values[FP_STORE_BESIDE] = {at->cursor.value};
        for (size_t i = 1; i < count; i++) {
            while (number_of(at + i) < number_of(at)) at[i].there = fp_lmdb_cursor_next(&at[i].cursor);
            if (number_of(at + i) == number_of(at)) values[i] = at[i].cursor.value;
        }
        FP_TRY(visit(context, number_of(at), values, error));
    }
    return FP_OK;
}
