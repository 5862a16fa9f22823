/* SPDX-License-Identifier: GPL-3.0-or-later
 * DuckDB through its C API, loaded on demand. */
#include "corpora/readers/duckdb.h"

#include <string.h>

/* Copied from duckdb.h; DuckDB's C API is stable. */
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

/* The library stays loaded: its threads may still be ending after the last connection is closed. */
static fp_status load(duckdb *made, fp_error *error) {
    const fp_library_function functions[] = {{"duckdb_open", &made->open},
                                             {"duckdb_connect", &made->connect},
                                             {"duckdb_query", &made->query},
                                             {"duckdb_result_error", &made->result_error},
                                             {"duckdb_destroy_result", &made->destroy_result},
                                             {"duckdb_disconnect", &made->disconnect},
                                             {"duckdb_close", &made->close},
                                             {0}};
    fp_status status = fp_library_open("libduckdb.so", functions, error);
    if (status == FP_ERROR_ABI)
        return fp_fail(error, FP_ERROR_UNKNOWN, "libduckdb.so lacks functions of DuckDB's C API");
    if (status)
        fp_fail(
            error, status,
            "DuckDB's library, libduckdb.so, is not where the system looks for libraries (LD_LIBRARY_PATH names more places)");
    return status;
}

/* An SQL string literal. */
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

/* Only the first line of DuckDB's message is the error; the rest is advice. */
static fp_status run(const duckdb *with, void *connection, const char *sql, fp_error *error) {
    duckdb_result result = {0};
    fp_status status = FP_OK;
    if (with->query(connection, sql, &result)) {
        const char *known = with->result_error(&result), *why = known ? known : "the query failed";
        status = fp_fail(error, FP_ERROR_SYNTAX, "DuckDB: %.*s", (int)strcspn(why, "\n"), why);
    }
    with->destroy_result(&result);
    return status;
}

/* LOAD does not install or download an extension. */
static fp_status load_extension(const duckdb *with, void *connection, const char *name, fp_arena *arena,
                                fp_error *error) {
    const char *sql = FP_NEED(fp_format(arena, "LOAD %s", name), error);
    if (run(with, connection, sql, NULL) == FP_OK) return FP_OK;
    return fp_fail(
        error, FP_ERROR_UNKNOWN,
        "Arrow is read by DuckDB's extension %s, which is not installed: INSTALL %s FROM community in DuckDB, "
        "or write the table as Parquet",
        name, name);
}

static fp_status write_rows(const duckdb *with, void *connection, const fp_duckdb_query *query, const char *path,
                            fp_arena *arena, fp_error *error) {
    size_t length = strlen(query->sql);
    while (length && strchr("; \t\n", query->sql[length - 1])) length--;
    const char *place = FP_NEED(quoted(path, arena), error);
    const char *copy = fp_format(arena, "COPY (%.*s) TO %s (FORMAT json)", (int)length, query->sql, place);
    FP_NEED(copy, error);
    if (query->extension) FP_TRY(load_extension(with, connection, query->extension, arena, error));
    return run(with, connection, copy, error);
}

fp_status fp_duckdb_write(const fp_duckdb_query *query, const char *path, fp_arena *arena, fp_error *error) {
    duckdb with = {0};
    void *database = NULL, *connection = NULL;
    FP_TRY(load(&with, error));
    if (with.open(NULL, &database) != 0 || with.connect(database, &connection) != 0) {
        if (database) with.close(&database);
        return fp_fail(error, FP_ERROR_UNKNOWN, "DuckDB does not open a database in memory");
    }
    fp_status status = write_rows(&with, connection, query, path, arena, error);
    with.disconnect(&connection);
    with.close(&database);
    return status;
}

fp_status fp_duckdb_query_of(const char *path, fp_arena *arena, fp_duckdb_query *query, fp_error *error) {
    static const struct {
        const char *ending, *function, *extension;
    } FORMS[] = {{".parquet", "read_parquet", NULL},
                 {".arrow", "read_arrow", "nanoarrow"},
                 {".arrows", "read_arrow", "nanoarrow"},
                 {".feather", "read_arrow", "nanoarrow"},
                 {".ipc", "read_arrow", "nanoarrow"}};
    *query = (fp_duckdb_query){0};
    for (size_t i = 0; i < sizeof FORMS / sizeof *FORMS; i++) {
        if (!fp_string_ends(fp_string_of(path), fp_string_of(FORMS[i].ending))) continue;
        const char *place = FP_NEED(quoted(path, arena), error);
        query->sql = FP_NEED(fp_format(arena, "SELECT * FROM %s(%s)", FORMS[i].function, place), error);
        query->extension = FORMS[i].extension;
        return FP_OK;
    }
    return FP_OK;
}
