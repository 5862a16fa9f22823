/* SPDX-License-Identifier: GPL-3.0-or-later
 * DuckDB through its C API, loaded when it is wanted. */
#include "corpora/readers/duckdb.h"

#include <dlfcn.h>
#include <string.h>

/* As duckdb.h declares them, whose C API is stable. */
typedef struct duckdb_result {
    uint64_t columns, rows, changed;
    void *column;
    char *error;
    void *internal;
} duckdb_result;

typedef struct duckdb {
    int (*open)(const char *path, void **database);
    int (*connect)(void *database, void **connection);
    int (*query)(void *connection, const char *sql, duckdb_result *result);
    const char *(*result_error)(duckdb_result *result);
    void (*destroy_result)(duckdb_result *result);
    void (*disconnect)(void **connection);
    void (*close)(void **database);
} duckdb;

/* POSIX has a function's address stored through a pointer to an object. */
static bool find(void *library, const char *name, void *place) {
    void *address = dlsym(library, name);
    memcpy(place, &address, sizeof address);
    return address != NULL;
}

/* The library stays loaded: threads of it may still end when its last connection is closed. */
static fp_status load(duckdb *made, fp_error *error) {
    void *library = dlopen("libduckdb.so", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return fp_fail(error, FP_ERROR_UNKNOWN,
                       "DuckDB's library, libduckdb.so, is not where the system looks for libraries (LD_LIBRARY_PATH "
                       "names more places)");
    bool whole = find(library, "duckdb_open", &made->open) && find(library, "duckdb_connect", &made->connect) &&
                 find(library, "duckdb_query", &made->query) &&
                 find(library, "duckdb_result_error", &made->result_error) &&
                 find(library, "duckdb_destroy_result", &made->destroy_result) &&
                 find(library, "duckdb_disconnect", &made->disconnect) && find(library, "duckdb_close", &made->close);
    return whole ? FP_OK : fp_fail(error, FP_ERROR_UNKNOWN, "libduckdb.so lacks functions of DuckDB's C API");
}

/* A string of SQL. */
static const char *quoted(const char *text, fp_arena *arena) {
    size_t length = strlen(text);
    char *made = fp_arena_raw(arena, 2 * length + 3, 1), *to = made;
    if (!made) return NULL;
    *to++ = '\'';
    for (; *text; text++) {
        if (*text == '\'') *to++ = '\'';
        *to++ = *text;
    }
    memcpy(to, "'", 2);
    return made;
}

/* The first line says what is wrong; the rest is advice. */
static fp_status run(const duckdb *with, void *connection, const char *sql, fp_error *error) {
    duckdb_result result = {0};
    int failed = with->query(connection, sql, &result);
    const char *why = failed ? with->result_error(&result) : NULL;
    fp_status status = FP_OK;
    if (failed)
        status = fp_fail(error, FP_ERROR_SYNTAX, "DuckDB: %.*s", (int)strcspn(why ? why : "the query failed", "\n"),
                         why ? why : "the query failed");
    with->destroy_result(&result);
    return status;
}

fp_status fp_duckdb_write(const char *sql, const char *path, fp_arena *arena, fp_error *error) {
    size_t length = strlen(sql);
    while (length && strchr("; \t\n", sql[length - 1])) length--;
    const char *place = quoted(path, arena);
    const char *copy = place ? fp_format(arena, "COPY (%.*s) TO %s (FORMAT json)", (int)length, sql, place) : NULL;
    duckdb with = {0};
    void *database = NULL, *connection = NULL;
    if (!copy) return fp_no_memory(error);
    FP_TRY(load(&with, error));
    if (with.open(NULL, &database) != 0 || with.connect(database, &connection) != 0) {
        if (database) with.close(&database);
        return fp_fail(error, FP_ERROR_UNKNOWN, "DuckDB does not open a database in memory");
    }
    fp_status status = run(&with, connection, copy, error);
    with.disconnect(&connection);
    with.close(&database);
    return status;
}

const char *fp_duckdb_query_of(const char *path, fp_arena *arena, bool *failed) {
    size_t length = strlen(path), ending = strlen(".parquet");
    *failed = false;
    if (length <= ending || strcmp(path + length - ending, ".parquet") != 0) return NULL;
    const char *place = quoted(path, arena),
               *sql = place ? fp_format(arena, "SELECT * FROM read_parquet(%s)", place) : NULL;
    *failed = !sql;
    return sql;
}
