/* SPDX-License-Identifier: GPL-3.0-or-later
 * The file of a store: made whole, locked by one writer, mapped. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "index/store/lmdb_store.h"

/* ---- One writer ---- */

/* The process that holds the record lock on the file, 0: nobody does, or this one. */
static long holder(int file) {
    struct flock asked = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(file, F_GETLK, &asked) || asked.l_type == F_UNLCK ? 0 : asked.l_pid;
}

static fp_status refuse(const fp_lmdb *store, int file, fp_error *error) {
    long process = holder(file);
    if (process > 0) fp_fail(error, FP_ERROR_IO, "process %ld is writing to it; one writer at a time", process);
    else
        fp_fail(
            error, FP_ERROR_IO,
            "another process, or this one, is writing to it, or reads it without the right to write; one writer at a time");
    return fp_at(error, FP_ERROR_IO, store->path, SIZE_MAX, SIZE_MAX);
}

/* What LMDB's first page holds behind its head of 16 bytes, in the order of this machine: LMDB looks, too, but has made
 * its lock file then. */
static bool is_lmdb(int file) {
    static const uint32_t MAGIC = 0xBEEFC0DE;
    uint32_t found;
    return pread(file, &found, sizeof found, 16) == sizeof found && found == MAGIC;
}

static fp_status look(const fp_lmdb *store, fp_error *error) {
    struct stat status;
    if (fstat(store->lock, &status)) return fp_file_error(error, store->path, "open");
    const char *wrong = !S_ISREG(status.st_mode) ? "it is no file"
                        : !status.st_size        ? "it is empty, and no store"
                        : !is_lmdb(store->lock)  ? "it is no store of records, or its head is damaged"
                                                 : NULL;
    if (!wrong) return FP_OK;
    fp_fail(error, FP_ERROR_SYNTAX, "%s", wrong);
    return fp_at(error, FP_ERROR_SYNTAX, store->path, SIZE_MAX, SIZE_MAX);
}

/* The file is flock's, which the kernel ends with the process, whatever ends that; a record lock beside it says which
 * process it is. LMDB's own locks are on the file beside it. */
fp_status fp_lmdb_lock(fp_lmdb *store, fp_records_mode mode, fp_error *error) {
    bool writes = mode == FP_RECORDS_WRITE || mode == FP_RECORDS_CREATE;
    store->lock = open(store->path, (writes ? O_RDWR : O_RDONLY) | O_CLOEXEC);
    if (store->lock < 0) return fp_file_error(error, store->path, "open");
    FP_TRY(look(store, error));
    if (!writes) return FP_OK;
    if (flock(store->lock, LOCK_EX | LOCK_NB))
        return errno == EWOULDBLOCK ? refuse(store, store->lock, error) : fp_file_error(error, store->path, "lock");
    return FP_OK;
}

/* When LMDB has opened the file for the last time: the record lock goes with the first of a process's descriptors of
 * the file that is closed. */
static void tell_holder(const fp_lmdb *store) {
    struct flock mine = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    fcntl(store->lock, F_SETLK, &mine);
}

void fp_lmdb_unlock(fp_lmdb *store) {
    if (store->lock >= 0) close(store->lock);
    store->lock = -1;
}

/* ---- The map ---- */

/* A place for the file to grow into: addresses, no memory and no disk. Less where a process may not have so many. */
static const size_t MOST_MAP = sizeof(size_t) > 4 ? (size_t)1 << 40 : (size_t)1 << 30;
static const size_t LEAST_MAP = (size_t)1 << 24;
enum { READERS = 500 };

static int environment_of(fp_lmdb *store, const char *path, unsigned flags, size_t map) {
    int result = mdb_env_create(&store->environment);
    if (result) {
        store->environment = NULL;
        return result;
    }
    result = mdb_env_set_mapsize(store->environment, map);
    if (!result) result = mdb_env_set_maxdbs(store->environment, FP_LMDB_TABLES);
    if (!result) result = mdb_env_set_maxreaders(store->environment, READERS);
    if (!result) result = mdb_env_open(store->environment, path, flags | MDB_NOSUBDIR | MDB_NOTLS, 0666);
    if (!result) return 0;
    mdb_env_close(store->environment);
    store->environment = NULL;
    return result;
}

fp_status fp_lmdb_environment(fp_lmdb *store, const char *path, unsigned flags, fp_error *error) {
    size_t map = MOST_MAP;
    int result = environment_of(store, path, flags, map);
    while (result == ENOMEM && (map /= 2) >= LEAST_MAP) result = environment_of(store, path, flags, map);
    if (!result && map < MOST_MAP) { /* half of what there is: the process needs addresses, too */
        mdb_env_close(store->environment);
        result = environment_of(store, path, flags, map / 2);
    }
    /* A reader who may not write LMDB's lock file keeps writers off itself. */
    if (result == EACCES && flags & MDB_RDONLY && !flock(store->lock, LOCK_SH | LOCK_NB))
        result = environment_of(store, path, flags | MDB_NOLOCK, map);
    if (!result && !(flags & (MDB_RDONLY | MDB_NOLOCK))) tell_holder(store);
    return fp_lmdb_failed(store, result, "open", error);
}

/* ---- A new one ---- */

const char *const FP_LMDB_TABLE_NAMES[FP_LMDB_TABLES] = {"facts",    "ids",     "records", "texts",
                                                         "clusters", "deleted", "matches", "state"};

fp_status fp_lmdb_tables(fp_lmdb *store, MDB_txn *transaction, unsigned flags, fp_error *error) {
    for (int i = 0; i < FP_LMDB_TABLES; i++) {
        int result = mdb_dbi_open(transaction, FP_LMDB_TABLE_NAMES[i], flags, &store->table[i]);
        if (result == MDB_NOTFOUND || result == MDB_INCOMPATIBLE) {
            fp_fail(error, FP_ERROR_SYNTAX, "it is no store of records: it has no table \"%s\"",
                    FP_LMDB_TABLE_NAMES[i]);
            return fp_at(error, FP_ERROR_SYNTAX, store->path, SIZE_MAX, SIZE_MAX);
        }
        FP_TRY(fp_lmdb_failed(store, result, "open", error));
    }
    return FP_OK;
}

static fp_status first_commit(fp_lmdb *store, const fp_store_state *state, fp_error *error) {
    MDB_txn *transaction;
    char bytes[FP_STORE_STATE_BYTES];
    fp_state_pack(state, bytes);
    FP_TRY(fp_lmdb_failed(store, mdb_txn_begin(store->environment, NULL, 0, &transaction), "make", error));
    fp_status status = fp_lmdb_tables(store, transaction, MDB_CREATE, error);
    if (status) {
        mdb_txn_abort(transaction);
        return status;
    }
    MDB_val key = fp_lmdb_value(fp_string_of("state")), value = {sizeof bytes, bytes};
    int result = mdb_put(transaction, store->table[FP_LMDB_STATE], &key, &value, 0);
    if (result) mdb_txn_abort(transaction);
    else result = mdb_txn_commit(transaction);
    return fp_lmdb_failed(store, result, "make", error);
}

/* In a file of its own, which nobody else knows: LMDB needs no lock there. */
static fp_status make_beside(fp_lmdb *store, const char *beside, const fp_store_state *state, fp_error *error) {
    unlink(beside); /* of a process of this number that is gone */
    int file = open(beside, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file < 0) return fp_file_error(error, store->path, "make");
    flock(file, LOCK_EX | LOCK_NB); /* so that nobody sweeps it away */
    fp_status status = fp_lmdb_environment(store, beside, MDB_NOLOCK, error);
    if (!status) status = first_commit(store, state, error);
    if (store->environment) mdb_env_close(store->environment);
    store->environment = NULL;
    close(file);
    return status;
}

/* A second name of the file, which must be free; where there are no second names, its only one. */
static int place(const char *beside, const char *path) {
    if (!link(beside, path)) return 0;
    if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS && errno != EMLINK) return -1;
    if (!access(path, F_OK)) return errno = EEXIST, -1;
    return rename(beside, path);
}

/* The directory of a file, so that its name is on the disk, too. */
static bool synchronise_beside(const char *path, fp_arena *arena) {
    char *copy = fp_string_copy(arena, fp_string_of(path));
    return !copy ? (errno = ENOMEM, false) : fp_synchronise_directory(dirname(copy));
}

static fp_status is_there(const fp_lmdb *store, fp_error *error) {
    fp_fail(error, FP_ERROR_DUPLICATE, "it is there already");
    return fp_at(error, FP_ERROR_DUPLICATE, store->path, SIZE_MAX, SIZE_MAX);
}

fp_status fp_lmdb_create(fp_lmdb *store, const fp_store_state *state, fp_error *error) {
    if (!access(store->path, F_OK)) return is_there(store, error);
    fp_output_sweep(store->path);
    fp_arena *arena = fp_arena_new_like(store->like);
    const char *beside = arena ? fp_format(arena, "%s.part%ld", store->path, (long)getpid()) : NULL;
    fp_status status = beside ? make_beside(store, beside, state, error) : fp_no_memory(error);
    if (!status && place(beside, store->path))
        status = errno == EEXIST ? is_there(store, error) : fp_file_error(error, store->path, "make");
    if (beside) unlink(beside);
    if (!status && !synchronise_beside(store->path, arena)) status = fp_file_error(error, store->path, "make");
    fp_arena_free(arena);
    return status;
}
