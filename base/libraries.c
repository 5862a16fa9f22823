/* SPDX-License-Identifier: GPL-3.0-or-later
 * Libraries loaded at first use. Compiled twice: the archive and the program link SQLite and hiredis, so nothing is
 * loaded. In libfplab.so (FP_FILE_sqlite3, FP_FILE_hiredis: the file names that the linker finds) this file defines
 * each function that fplab uses as a hidden symbol that calls the loaded function. */
#include <dlfcn.h>
#include <pthread.h>

#include "base/base.h"

fp_status fp_library_open(const char *file, const fp_library_function *functions, fp_error *error) {
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!library) return fp_fail(error, FP_ERROR_UNKNOWN, "the library %s is missing", file);
    for (; functions->name; functions++) {
        void *address = dlsym(library, functions->name);
        if (!address)
            return fp_fail(error, FP_ERROR_ABI, "the library %s lacks the function %s", file, functions->name);
        memcpy(functions->place, &address, sizeof address); /* the way POSIX recommends to store a function address */
    }
    return FP_OK;
}

#ifndef FP_FILE_sqlite3

fp_status fp_library_load(fp_library library, fp_error *error) { return (void)library, (void)error, FP_OK; }

#else

#include <hiredis.h>
#include <sqlite3.h>
#include <stdarg.h>

typedef __typeof__(redisFormatCommandArgv(NULL, 0, NULL, NULL)) format_length; /* which differs between versions */

/* F(return, type, name, parameters, arguments); the first is empty for a void type. */
#define SQLITE(F)                                                                                                      \
    F(return, int, sqlite3_bind_blob, (sqlite3_stmt * a, int b, const void *c, int d, void (*e)(void *)),              \
            (a, b, c, d, e))                                                                                           \
    F(return, int, sqlite3_bind_double, (sqlite3_stmt * a, int b, double c), (a, b, c))                                \
    F(return, int, sqlite3_bind_int64, (sqlite3_stmt * a, int b, sqlite3_int64 c), (a, b, c))                          \
    F(return, int, sqlite3_bind_null, (sqlite3_stmt * a, int b), (a, b))                                               \
    F(return, int, sqlite3_bind_parameter_count, (sqlite3_stmt * a), (a))                                              \
    F(return, int, sqlite3_bind_text, (sqlite3_stmt * a, int b, const char *c, int d, void (*e)(void *)),              \
            (a, b, c, d, e))                                                                                           \
    F(return, int, sqlite3_busy_timeout, (sqlite3 * a, int b), (a, b))                                                 \
    F(return, int, sqlite3_changes, (sqlite3 * a), (a))                                                                \
    F(return, int, sqlite3_close, (sqlite3 * a), (a))                                                                  \
    F(return, const void *, sqlite3_column_blob, (sqlite3_stmt * a, int b), (a, b))                                    \
    F(return, int, sqlite3_column_bytes, (sqlite3_stmt * a, int b), (a, b))                                            \
    F(return, double, sqlite3_column_double, (sqlite3_stmt * a, int b), (a, b))                                        \
    F(return, int, sqlite3_column_int, (sqlite3_stmt * a, int b), (a, b))                                              \
    F(return, sqlite3_int64, sqlite3_column_int64, (sqlite3_stmt * a, int b), (a, b))                                  \
    F(return, const unsigned char *, sqlite3_column_text, (sqlite3_stmt * a, int b), (a, b))                           \
    F(return, int, sqlite3_column_type, (sqlite3_stmt * a, int b), (a, b))                                             \
    F(return, int, sqlite3_errcode, (sqlite3 * a), (a))                                                                \
    F(return, const char *, sqlite3_errmsg, (sqlite3 * a), (a))                                                        \
    F(return, const char *, sqlite3_errstr, (int a), (a))                                                              \
    F(return, int, sqlite3_exec,                                                                                       \
            (sqlite3 * a, const char *b, int (*c)(void *, int, char **, char **), void *d, char **e), (a, b, c, d, e)) \
    F(return, int, sqlite3_extended_result_codes, (sqlite3 * a, int b), (a, b))                                        \
    F(return, int, sqlite3_finalize, (sqlite3_stmt * a), (a))                                                          \
    F(, void, sqlite3_free, (void *a), (a))                                                                            \
    F(return, int, sqlite3_get_autocommit, (sqlite3 * a), (a))                                                         \
    F(return, int, sqlite3_limit, (sqlite3 * a, int b, int c), (a, b, c))                                              \
    F(return, int, sqlite3_open_v2, (const char *a, sqlite3 **b, int c, const char *d), (a, b, c, d))                  \
    F(return, int, sqlite3_prepare_v3,                                                                                 \
            (sqlite3 * a, const char *b, int c, unsigned d, sqlite3_stmt **e, const char **f), (a, b, c, d, e, f))     \
    F(return, int, sqlite3_reset, (sqlite3_stmt * a), (a))                                                             \
    F(return, unsigned char *, sqlite3_serialize, (sqlite3 * a, const char *b, sqlite3_int64 *c, unsigned d),          \
            (a, b, c, d))                                                                                              \
    F(return, int, sqlite3_step, (sqlite3_stmt * a), (a))                                                              \
    F(return, int, sqlite3_system_errno, (sqlite3 * a), (a))
#define HIREDIS(F)                                                                                                     \
    F(, void, freeReplyObject, (void *a), (a))                                                                         \
    F(return, int, redisAppendFormattedCommand, (redisContext * a, const char *b, size_t c), (a, b, c))                \
    F(return, int, redisBufferRead, (redisContext * a), (a))                                                           \
    F(return, int, redisBufferWrite, (redisContext * a, int *b), (a, b))                                               \
    F(return, redisContext *, redisConnectWithTimeout, (const char *a, int b, const struct timeval c), (a, b, c))      \
    F(return, int, redisEnableKeepAlive, (redisContext * a), (a))                                                      \
    F(return, format_length, redisFormatCommandArgv, (char **a, int b, const char **c, const size_t *d), (a, b, c, d)) \
    F(, void, redisFree, (redisContext * a), (a))                                                                      \
    F(, void, redisFreeCommand, (char *a), (a))                                                                        \
    F(return, int, redisReaderGetReply, (redisReader * a, void **b), (a, b))                                           \
    F(return, int, redisSetTimeout, (redisContext * a, const struct timeval b), (a, b))                                \
    F(return, int, redisvFormatCommand, (char **a, const char *b, va_list c), (a, b, c))

#define CALL(back, type, name, parameters, arguments) \
    static type(*found_##name) parameters;            \
    type name parameters { back found_##name arguments; }
#define FUNCTION(back, type, name, parameters, arguments) {#name, &found_##name},

/* sqlite3_db_config is variadic; fplab always passes a switch and a pointer for its state. */
SQLITE(CALL) HIREDIS(CALL) static int (*found_sqlite3_db_config)(sqlite3 *, int, ...);
int sqlite3_db_config(sqlite3 *database, int option, ...) {
    va_list rest;
    va_start(rest, option);
    int value = va_arg(rest, int), *now = va_arg(rest, int *);
    va_end(rest);
    return found_sqlite3_db_config(database, option, value, now);
}

/* In the order of fp_library. */
static const struct {
    const char *file, *wanted_by, *package;
    const fp_library_function *functions;
} LIBRARIES[] = {
    {FP_FILE_sqlite3, "a collection in a file", "libsqlite3-0",
     (fp_library_function[]){SQLITE(FUNCTION){"sqlite3_db_config", &found_sqlite3_db_config}, {0}}},
    {FP_FILE_hiredis, "a collection in Redis", "libhiredis0.14", (fp_library_function[]){HIREDIS(FUNCTION){0}}},
};

fp_status fp_library_load(fp_library library, fp_error *error) {
    static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
    static bool loaded[sizeof LIBRARIES / sizeof *LIBRARIES];
    pthread_mutex_lock(&one);
    fp_status status =
        loaded[library] ? FP_OK : fp_library_open(LIBRARIES[library].file, LIBRARIES[library].functions, error);
    loaded[library] = status == FP_OK;
    pthread_mutex_unlock(&one);
    if (status != FP_ERROR_UNKNOWN) return status;
    return fp_fail(error, status,
                   "%s needs the library %s, which cannot be loaded; install it (Debian 12: apt-get install %s)",
                   LIBRARIES[library].wanted_by, LIBRARIES[library].file, LIBRARIES[library].package);
}

#endif
