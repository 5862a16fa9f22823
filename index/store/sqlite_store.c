/* SPDX-License-Identifier: GPL-3.0-or-later
 * A store in one file: SQLite with a write-ahead log. Readers and the writer do not block each other, and a commit is
 * on disk when it returns. docs/index-format.md describes the tables. The last process that closes the file removes the
 * log (FILE-wal, FILE-shm); the next writer takes over the log of a killed process. The writer holds FILE-lock while
 * the file is open, because SQLite's own locks end with a transaction, and a writer relies on what it read before. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "index/store/sqlite_store.h"

/* ---- Tables ---- */

enum { APPLICATION = 0x66706c62 }; /* "fplb" */
_Static_assert(FP_STORE_VERSION == 2, "the version stands in SCHEMA");

static const char SCHEMA[] =
    "BEGIN IMMEDIATE;"
    "CREATE TABLE records(number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, fingerprint BLOB, empty INTEGER NOT"
    " NULL, title TEXT, url TEXT, source TEXT, time INTEGER, characters INTEGER NOT NULL, cluster INTEGER NOT NULL,"
    " checksum INTEGER NOT NULL);"
    "CREATE TABLE texts(number INTEGER PRIMARY KEY, text TEXT NOT NULL, checksum INTEGER NOT NULL);"
    "CREATE TABLE matches(later INTEGER NOT NULL, earlier INTEGER NOT NULL, distance REAL, similarity REAL, shared"
    " REAL, passages TEXT, checksum INTEGER NOT NULL, PRIMARY KEY(later, earlier)) WITHOUT ROWID;"
    "CREATE TABLE deleted(entry INTEGER PRIMARY KEY, number INTEGER NOT NULL);"
    "CREATE TABLE facts(name TEXT NOT NULL PRIMARY KEY, value, checksum INTEGER NOT NULL);"
    "CREATE TABLE tables(key INTEGER PRIMARY KEY, entries BLOB NOT NULL, checksum INTEGER NOT NULL);"
    "CREATE TABLE state(records INTEGER NOT NULL, texts INTEGER NOT NULL, matches INTEGER NOT NULL,"
    " deleted INTEGER NOT NULL, next INTEGER NOT NULL);"
    "INSERT INTO state VALUES(0, 0, 0, 0, 1);"
    "PRAGMA application_id = 0x66706c62;"
    "PRAGMA user_version = 2;"
    "COMMIT;";

/* ---- Errors ---- */

/* The reason why SQLite does not recognise the file. Collections of fplab 0.2 are LMDB files, with this magic at byte
 * 16. */
static fp_status no_store(const fp_sqlite *store, fp_error *error) {
    static const unsigned char LMDB[] = {0xde, 0xc0, 0xef, 0xbe};
    unsigned char found[sizeof LMDB] = {0};
    int file = open(store->path, O_RDONLY | O_CLOEXEC);
    bool lmdb = file >= 0 && pread(file, found, sizeof found, 16) == sizeof found && !memcmp(found, LMDB, sizeof LMDB);
    if (file >= 0) close(file);
    if (lmdb)
        return FP_SQLITE_FAIL(
            store, error, FP_ERROR_ABI,
            "made by fplab 0.2 or earlier (LMDB), which this version does not read; rebuild it from its "
            "texts by \"fplab index build\"");
    return FP_SQLITE_FAIL(store, error, FP_ERROR_SYNTAX,
                          "not a collection of fplab (`fplab index build` makes one), or its head is damaged");
}

fp_status fp_sqlite_failed(const fp_sqlite *store, int result, const char *doing, fp_error *error) {
    int number = store->db ? sqlite3_system_errno(store->db) : 0;
    const char *why = number ? strerror(number) : sqlite3_errstr(result);
    if (result == SQLITE_IOERR_NOMEM) return fp_no_memory(error);
    switch (result & 0xff) {
    case SQLITE_NOMEM: return fp_no_memory(error);
    case SQLITE_NOTADB: return no_store(store, error);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return FP_SQLITE_FAIL(store, error, FP_ERROR_IO,
                              "locked by another process, which may be sqlite3; end its transaction and try again");
    case SQLITE_READONLY:
        return FP_SQLITE_FAIL(store, error, FP_ERROR_IO, "cannot write: it or its directory is read-only");
    case SQLITE_FULL:
    case SQLITE_IOERR:
        if (result == SQLITE_IOERR_READ || result == SQLITE_IOERR_SHORT_READ)
            return FP_SQLITE_FAIL(store, error, FP_ERROR_IO, "cannot read: %s", why);
        return FP_SQLITE_FAIL(store, error, FP_ERROR_IO,
                              "cannot write: the disk, or a limit on the size of files, is full, or the disk fails");
    case SQLITE_CANTOPEN: return FP_SQLITE_FAIL(store, error, FP_ERROR_IO, "cannot %s: %s", doing, why);
    default: return FP_SQLITE_FAIL(store, error, FP_ERROR_SYNTAX, "damaged: %s", sqlite3_errmsg(store->db));
    }
}

/* ---- Statements ---- */

fp_status fp_sqlite_prepare(fp_sqlite *store, const char *sql, sqlite3_stmt **made, fp_error *error) {
    int result = sqlite3_prepare_v3(store->db, sql, -1, SQLITE_PREPARE_PERSISTENT, made, NULL);
    return result ? fp_sqlite_failed(store, result, "read", error) : FP_OK;
}

fp_status fp_sqlite_keep(fp_sqlite *store, const char *sql, sqlite3_stmt **statement, fp_error *error) {
    size_t at = 0;
    while (at < store->kept_count && store->kept[at].sql != sql) at++;
    if (at == store->kept_count) {
        FP_TRY(FP_ROOM(store->own, store->kept, at, store->kept_room, error));
        store->kept[at] = (fp_sqlite_kept){.sql = sql};
        FP_TRY(fp_sqlite_prepare(store, sql, &store->kept[at].statement, error));
        store->kept_count++;
    }
    *statement = store->kept[at].statement;
    return FP_OK;
}

/* Whether a file opened as immutable has changed. */
static bool has_changed(const fp_sqlite *store) {
    const struct stat *then = &store->then;
    struct stat now;
    return store->still && (stat(store->path, &now) || now.st_size != then->st_size ||
                            now.st_mtim.tv_sec != then->st_mtim.tv_sec || now.st_mtim.tv_nsec != then->st_mtim.tv_nsec);
}

fp_status fp_sqlite_step(const fp_sqlite *store, sqlite3_stmt *statement, bool *row, fp_error *error) {
    int result = sqlite3_step(statement);
    fp_status status = FP_OK;
    *row = result == SQLITE_ROW;
    if (!*row && result != SQLITE_DONE) status = fp_sqlite_failed(store, result, "open", error);
    else if (has_changed(store))
        status = FP_SQLITE_FAIL(store, error, FP_ERROR_IO, "it was written to while it was read; open it again");
    if (status) sqlite3_reset(statement);
    return status;
}

fp_status fp_sqlite_run(const fp_sqlite *store, sqlite3_stmt *statement, fp_error *error) {
    bool row;
    FP_TRY(fp_sqlite_step(store, statement, &row, error));
    sqlite3_reset(statement);
    return FP_OK;
}

static fp_status execute(const fp_sqlite *store, const char *sql, const char *doing, fp_error *error) {
    int result = sqlite3_exec(store->db, sql, NULL, NULL, NULL);
    return result ? fp_sqlite_failed(store, result, doing, error) : FP_OK;
}

/* ---- State and transactions ---- */

fp_status fp_sqlite_state(void *opened, fp_store_state *state, fp_error *error) {
    fp_sqlite *store = opened;
    bool row;
    FP_SQLITE_STATEMENT(statement, store, "SELECT records, texts, matches, deleted, next FROM state", error);
    FP_TRY(fp_sqlite_step(store, statement, &row, error));
    *state = (fp_store_state){.count = {.records = (uint64_t)sqlite3_column_int64(statement, 0),
                                        .matches = (uint64_t)sqlite3_column_int64(statement, 2),
                                        .deleted = (uint64_t)sqlite3_column_int64(statement, 3),
                                        .next = (uint64_t)sqlite3_column_int64(statement, 4)},
                              .texts = (uint64_t)sqlite3_column_int64(statement, 1)};
    return row ? FP_OK : FP_SQLITE_FAIL(store, error, FP_ERROR_SYNTAX, "damaged: its state is missing");
}

void fp_sqlite_rollback(void *opened) {
    fp_sqlite *store = opened;
    if (!sqlite3_get_autocommit(store->db)) sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
}

fp_status fp_sqlite_begin(void *opened, fp_store_state *state, fp_error *error) {
    fp_sqlite *store = opened;
    FP_SQLITE_STATEMENT(statement, store, "BEGIN IMMEDIATE", error);
    FP_TRY(fp_sqlite_run(store, statement, error));
    fp_status status = fp_sqlite_state(store, state, error);
    if (status) fp_sqlite_rollback(store);
    return status;
}

static fp_status commit(fp_sqlite *store, const fp_store_state *state, fp_error *error) {
    const uint64_t values[] = {state->count.records, state->texts, state->count.matches, state->count.deleted,
                               state->count.next};
    FP_SQLITE_STATEMENT(set, store, "UPDATE state SET records = ?, texts = ?, matches = ?, deleted = ?, next = ?",
                        error);
    FP_SQLITE_STATEMENT(end, store, "COMMIT", error);
    for (int i = 0; i < 5; i++) sqlite3_bind_int64(set, i + 1, (sqlite3_int64)values[i]);
    FP_TRY(fp_sqlite_run(store, set, error));
    return fp_sqlite_run(store, end, error);
}

fp_status fp_sqlite_commit(void *opened, fp_store_state *state, fp_error *error) {
    fp_status status = commit(opened, state, error);
    if (status) fp_sqlite_rollback(opened);
    return status;
}

/* ---- One writer ---- */

static fp_status refuse(const fp_sqlite *store, int file, fp_error *error) {
    char process[16] = "";
    if (pread(file, process, sizeof process - 1, 0) <= 0) snprintf(process, sizeof process, "?");
    return FP_SQLITE_FAIL(store, error, FP_ERROR_IO, "process %s is writing to it; one writer at a time", process);
}

/* The lock ends with the process. A writer that closes unlinks the file, so a lock on the unlinked file does not count.
 */
static fp_status take_lock(fp_sqlite *store, const char *doing, fp_error *error) {
    struct stat mine, there;
    for (;;) {
        int file = open(store->lock_path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (file < 0) return fp_file_error(error, store->path, doing);
        if (flock(file, LOCK_EX | LOCK_NB)) {
            fp_status status =
                errno == EWOULDBLOCK ? refuse(store, file, error) : fp_file_error(error, store->path, "lock");
            close(file);
            return status;
        }
        if (!fstat(file, &mine) && !stat(store->lock_path, &there) && mine.st_ino == there.st_ino) {
            store->lock = file;
            break;
        }
        close(file);
    }
    if (!ftruncate(store->lock, 0)) dprintf(store->lock, "%ld", (long)getpid());
    return FP_OK;
}

/* ---- Opening and closing ---- */

void fp_sqlite_close(void *opened) {
    fp_sqlite *store = opened;
    for (size_t i = 0; i < store->kept_count; i++) sqlite3_finalize(store->kept[i].statement);
    sqlite3_close(store->db);
    if (store->lock >= 0) {
        unlink(store->lock_path);
        close(store->lock);
    }
    fp_arena_free(store->own);
    fp_memory_release(store->like, store);
}

/* "file:" and the path, with ? # % written as %3f %23 %25 (https://sqlite.org/uri.html). */
static const char *address_of(const fp_sqlite *store, const char *more) {
    size_t length = strlen(store->path);
    char *made = fp_arena_raw(store->own, 3 * length + 64, 1), *to = made;
    if (!made) return NULL;
    to += sprintf(to, *store->path == '/' ? "file://" : "file:");
    for (const char *from = store->path; *from; from++)
        if (strchr("?#%", *from)) to += sprintf(to, "%%%02x", (unsigned)*from);
        else *to++ = *from;
    sprintf(to, "%s", more);
    return made;
}

static fp_status connect(fp_sqlite *store, const char *more, fp_error *error) {
    enum { WAIT = 5000 }; /* milliseconds to wait for other programs */
    const char *address = FP_NEED(address_of(store, more), error);
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
    int result = sqlite3_open_v2(address, &store->db, flags, NULL);
    if (result) return fp_sqlite_failed(store, result, "open", error);
    sqlite3_extended_result_codes(store->db, 1);
    sqlite3_busy_timeout(store->db, WAIT);
    /* The file may be malicious. */
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
    sqlite3_limit(store->db, SQLITE_LIMIT_LENGTH, FP_FACT_BYTES + FP_RECORD_BYTES);
    return execute(store, "PRAGMA cell_size_check = ON; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536", "open",
                   error);
}

static fp_status pragma(fp_sqlite *store, const char *sql, int64_t *value, fp_error *error) {
    bool row;
    FP_SQLITE_OWN_STATEMENT(statement, store, sql, error);
    FP_TRY(fp_sqlite_step(store, statement, &row, error));
    *value = sqlite3_column_int64(statement, 0);
    return FP_OK;
}

/* A reader cannot make a log in a read-only directory. If there is no log, nobody writes, and the file is complete. */
static fp_status open_still(fp_sqlite *store, fp_error *error) {
    struct stat log;
    const char *path = FP_NEED(fp_format(store->own, "%s-wal", store->path), error);
    if (!stat(path, &log) && log.st_size)
        return FP_SQLITE_FAIL(
            store, error, FP_ERROR_IO,
            "its last commits are in %s, and its directory is read-only; copy both files to where fplab may write",
            path);
    sqlite3_close(store->db);
    store->db = NULL;
    store->still = !stat(store->path, &store->then);
    return connect(store, "?immutable=1", error);
}

static fp_status open_there(fp_sqlite *store, bool writes, fp_error *error) {
    fp_status status = connect(store, "", error);
    int result = status && store->db ? sqlite3_errcode(store->db) & 0xff : SQLITE_OK;
    bool no_log = result == SQLITE_CANTOPEN || result == SQLITE_READONLY;
    return no_log && !writes ? open_still(store, error) : status;
}

static fp_status check_version(fp_sqlite *store, fp_error *error) {
    int64_t application, version;
    FP_TRY(pragma(store, "PRAGMA application_id", &application, error));
    FP_TRY(pragma(store, "PRAGMA user_version", &version, error));
    if (application == APPLICATION && version == FP_STORE_VERSION) return FP_OK;
    if (application != APPLICATION)
        return FP_SQLITE_FAIL(store, error, FP_ERROR_SYNTAX,
                              "an SQLite file of another program, not a collection of fplab");
    return FP_SQLITE_FAIL(
        store, error, FP_ERROR_ABI,
        "made by another version of fplab: its format is %lld, this one reads %d; use that version, or "
        "rebuild it from its texts by \"fplab index build\"",
        (long long)version, FP_STORE_VERSION);
}

static fp_status write_whole(const fp_sqlite *store, const unsigned char *bytes, size_t length, fp_error *error) {
    fp_output output;
    FP_TRY(fp_output_open(&output, store->path, error));
    fwrite(bytes, 1, length, output.stream);
    return fp_output_close(&output, error);
}

/* Makes the file in memory first, so that it is complete under its name. Removes logs of an earlier file of that name,
 * which SQLite would apply. */
static fp_status make(fp_sqlite *store, fp_error *error) {
    static const char *const LOGS[] = {"wal", "shm", "journal"};
    sqlite3_int64 length = 0;
    for (size_t i = 0; i < sizeof LOGS / sizeof *LOGS; i++) {
        const char *log = FP_NEED(fp_format(store->own, "%s-%s", store->path, LOGS[i]), error);
        unlink(log);
    }
    int result = sqlite3_open_v2(":memory:", &store->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    fp_status status = result ? fp_sqlite_failed(store, result, "make", error) : execute(store, SCHEMA, "make", error);
    unsigned char *bytes = status ? NULL : sqlite3_serialize(store->db, "main", &length, 0);
    if (bytes) status = write_whole(store, bytes, (size_t)length, error);
    else if (!status) status = fp_no_memory(error);
    sqlite3_free(bytes);
    sqlite3_close(store->db);
    store->db = NULL;
    return status;
}

static fp_status open_file(fp_sqlite *store, fp_records_mode mode, fp_error *error) {
    bool writes = mode == FP_RECORDS_WRITE || mode == FP_RECORDS_CREATE, there;
    struct stat status;
    if (writes) FP_TRY(take_lock(store, mode == FP_RECORDS_CREATE ? "make" : "open", error));
    there = !stat(store->path, &status);
    if (mode == FP_RECORDS_CREATE) {
        if (there)
            return FP_SQLITE_FAIL(store, error, FP_ERROR_DUPLICATE, "already exists; `fplab index add` adds to it");
        FP_TRY(make(store, error));
    } else if (!there) return fp_file_error(error, store->path, "open");
    else if (!S_ISREG(status.st_mode) || !status.st_size)
        return FP_SQLITE_FAIL(store, error, FP_ERROR_SYNTAX, "it is %s, not a collection of fplab",
                              status.st_size ? "no file" : "empty");
    FP_TRY(open_there(store, writes, error));
    FP_TRY(check_version(store, error));
    return execute(store,
                   writes ? "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 16384"
                          : "PRAGMA query_only = ON; BEGIN",
                   "open", error);
}

fp_status fp_sqlite_open(const char *address, fp_records_mode mode, const fp_arena *like, void **opened,
                         fp_error *error) {
    fp_store_state state;
    fp_sqlite *store = FP_NEED(fp_memory_take(like, 1, sizeof *store), error);
    *store = (fp_sqlite){.like = like, .lock = -1, .own = fp_arena_new_like(like)};
    if (store->own) {
        store->path = fp_string_copy(store->own, fp_string_of(address));
        store->lock_path = fp_format(store->own, "%s-lock", address);
    }
    fp_status status = store->path && store->lock_path ? open_file(store, mode, error) : fp_no_memory(error);
    if (!status) status = fp_sqlite_state(store, &state, error);
    if (status) fp_sqlite_close(store);
    else *opened = store;
    return status;
}
