/* SPDX-License-Identifier: GPL-3.0-or-later
 * A connection to Redis: bounded waiting, bounded retries, readable errors. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "index/store/redis_store.h"
#ifdef FP_REDIS_TLS
#include <hiredis_ssl.h>
#endif
#include <sds.h>

/* ---- Errors ---- */

void fp_redis_disconnect(fp_redis *store) {
    if (store->connection) redisFree(store->connection);
    store->connection = NULL;
}

/* Reports the failure of the connection and closes it. */
static fp_status broken(fp_redis *store, fp_error *error) {
    const redisContext *from = store->connection;
    fp_status status = FP_ERROR_IO;
    bool late = errno == EAGAIN || errno == ETIMEDOUT;
    if (from->err == REDIS_ERR_OOM) status = fp_no_memory(error);
    else if (from->err == REDIS_ERR_IO && late) FP_REDIS_FAIL(store, error, status, "it does not answer");
    else if (from->err == REDIS_ERR_PROTOCOL)
        FP_REDIS_FAIL(store, error, status, "the server that answers is not Redis");
    else if (from->err == REDIS_ERR_EOF) FP_REDIS_FAIL(store, error, status, "the connection was closed");
    else FP_REDIS_FAIL(store, error, status, "cannot reach Redis: %s", from->errstr);
    fp_redis_disconnect(store);
    return status;
}

static bool begins(const char *text, const char *with) { return !strncmp(text, with, strlen(with)); }

/* Reports an error reply. */
static fp_status refused(fp_redis *store, const char *said, fp_error *error) {
    static const struct {
        const char *begins, *means;
    } KNOWN[] = {{"OOM", "Redis is full (maxmemory)"},
                 {"EXECABORT", "Redis is full (maxmemory)"},
                 {"NOAUTH", "Redis needs a password (redis://:password@…)"},
                 {"WRONGPASS", "Redis refuses the password"},
                 {"ERR invalid password", "Redis refuses the password"},
                 {"MISCONF", "Redis cannot write its data to the disk, and refuses writes"}};
    store->refused = !begins(said, "LOADING"); /* a server that is still loading its data counts as unreachable */
    if (!store->refused) fp_redis_disconnect(store);
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
        if (begins(said, KNOWN[i].begins)) return FP_REDIS_FAIL(store, error, FP_ERROR_IO, "%s", KNOWN[i].means);
    return FP_REDIS_FAIL(store, error, FP_ERROR_IO, "Redis reports an error: %.200s", said);
}

fp_status fp_redis_odd(const fp_redis *store, fp_error *error) {
    return FP_REDIS_FAIL(store, error, FP_ERROR_SYNTAX, "damaged: a key of it is of another type, or its values are");
}

/* ---- SIGPIPE: hiredis raises it when the server has closed the connection. It is blocked meanwhile, and removed
 * before it is delivered. ---- */

typedef struct silence {
    sigset_t before;
    bool pending;
} silence;

static void silence_begin(silence *kept) {
    sigset_t pipe, pending;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    kept->pending = !sigpending(&pending) && sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe, &kept->before);
}

static void silence_end(const silence *kept) {
    static const struct timespec AT_ONCE = {0, 0};
    int code = errno;
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    if (!kept->pending)
        while (sigtimedwait(&pipe, NULL, &AT_ONCE) < 0 && errno == EINTR) continue;
    pthread_sigmask(SIG_SETMASK, &kept->before, NULL);
    errno = code;
}

/* ---- Size limits: hiredis keeps a whole reply in memory and trusts the sizes in it, so replies are counted while read
 * ---- */

static bool exceeds(fp_redis_answer *answer, size_t elements, size_t bytes) {
    if (elements > answer->most.elements - answer->had.elements || bytes > answer->most.bytes - answer->had.bytes)
        return answer->excess = true;
    answer->had.elements += elements;
    answer->had.bytes += bytes;
    return false;
}

/* NULL makes hiredis stop reading the reply. */
static void *count_string(const redisReadTask *task, char *text, size_t length) {
    fp_redis_answer *answer = task->privdata;
    return exceeds(answer, 0, length) ? NULL : answer->build->createString(task, text, length);
}

#if HIREDIS_MAJOR > 0
typedef size_t element_count;
#else
typedef int element_count;
#endif

static void *count_array(const redisReadTask *task, element_count elements) {
    fp_redis_answer *answer = task->privdata;
    return exceeds(answer, (size_t)elements, 0) ? NULL : answer->build->createArray(task, elements);
}

void fp_redis_count_answers(fp_redis *store) {
    redisReader *reader = store->connection->reader;
    fp_redis_answer *answer = &store->answer;
    answer->build = reader->fn;
    answer->counting = *answer->build;
    answer->counting.createString = count_string;
    answer->counting.createArray = count_array;
    reader->fn = &answer->counting;
    reader->privdata = answer;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Remaining time for `bytes` bytes since `start`. */
static double time_left(const fp_redis *store, double start, size_t bytes) {
    return store->patience + (double)(bytes >> 20) - (seconds() - start);
}

static int too_late(redisContext *connection) {
    errno = ETIMEDOUT;
    connection->err = REDIS_ERR_IO;
    return REDIS_ERR;
}

static int write_out(fp_redis *store) {
    redisContext *connection = store->connection;
    size_t waiting = sdslen(connection->obuf);
    double start = waiting ? seconds() : 0;
    int done = waiting == 0, result = REDIS_OK;
    while (result == REDIS_OK && !done) {
        result = redisBufferWrite(connection, &done);
        if (result == REDIS_OK && !done && time_left(store, start, waiting) < 0) result = too_late(connection);
    }
    return result;
}

/* Waits for more, at most until the time for the whole reply ends. */
static int read_in(fp_redis *store, double start) {
    redisContext *connection = store->connection;
    double left = time_left(store, start, store->answer.had.bytes + connection->reader->len);
    if (left <= 0) return too_late(connection);
    if (left < store->patience - 1) {
        long whole = (long)left;
        redisSetTimeout(connection, (struct timeval){whole, (long)((left - (double)whole) * 999999) + 1});
    }
    return redisBufferRead(connection);
}

/* Reads the next reply; *got NULL on failure. Until the reply is complete, the whole buffer belongs to it. */
static int read_answer(fp_redis *store, void **got) {
    redisContext *connection = store->connection;
    redisReader *reader = connection->reader;
    double start = 0;
    for (;;) {
        if (redisReaderGetReply(reader, got) != REDIS_OK) {
            connection->err = reader->err;
            return REDIS_ERR;
        }
        if (*got) break;
        if (reader->len - reader->pos > store->answer.most.bytes - store->answer.had.bytes + FP_REDIS_SHORT.bytes) {
            store->answer.excess = true;
            return REDIS_ERR;
        }
        if (start == 0) start = seconds();
        if (write_out(store) != REDIS_OK || read_in(store, start) != REDIS_OK) return REDIS_ERR;
    }
    if (start > 0 && seconds() - start > 1) redisSetTimeout(connection, (struct timeval){store->patience, 0});
    return REDIS_OK;
}

static fp_status too_much(fp_redis *store, fp_error *error) {
    const fp_redis_most *most = &store->answer.most;
    fp_redis_disconnect(store);
    return FP_REDIS_FAIL(store, error, FP_ERROR_RANGE,
                         "an answer of over %zu elements or %zu bytes, more than what was asked for can have: it is "
                         "damaged, or not a store of fplab",
                         most->elements, most->bytes);
}

fp_status fp_redis_receive(fp_redis *store, fp_redis_most most, redisReply **reply, fp_error *error) {
    silence kept;
    void *got = NULL;
    *reply = NULL;
    store->answer.most = most;
    store->answer.had = (fp_redis_most){0};
    store->answer.excess = false;
    silence_begin(&kept);
    int result = read_answer(store, &got);
    silence_end(&kept);
    if (store->answer.excess) return too_much(store, error);
    if (result != REDIS_OK) return broken(store, error);
    *reply = got;
    if ((*reply)->type != REDIS_REPLY_ERROR) return FP_OK;
    fp_status status = refused(store, (*reply)->str, error);
    freeReplyObject(*reply);
    *reply = NULL;
    return status;
}

/* ---- Commands ---- */

fp_status fp_redis_write(fp_redis_command *command, const char *format, va_list values, fp_error *error) {
    int length = redisvFormatCommand(&command->bytes, format, values);
    command->length = (size_t)length;
    return length < 0 ? fp_no_memory(error) : FP_OK;
}

/* Sends the buffer without waiting for replies. */
static fp_status flush(fp_redis *store, fp_error *error) {
    silence kept;
    silence_begin(&kept);
    int result = write_out(store);
    silence_end(&kept);
    return result == REDIS_OK ? FP_OK : broken(store, error);
}

fp_status fp_redis_send_written(fp_redis *store, const char *command, size_t length, fp_error *error) {
    enum { MUCH = 1 << 20 };
    if (redisAppendFormattedCommand(store->connection, command, length) == REDIS_OK)
        return sdslen(store->connection->obuf) < MUCH ? FP_OK : flush(store, error);
    fp_redis_disconnect(store);
    return fp_no_memory(error);
}

static fp_status send_values(fp_redis *store, const char *format, va_list values, fp_error *error) {
    fp_redis_command command;
    FP_TRY(fp_redis_write(&command, format, values, error));
    fp_status status = fp_redis_send_written(store, command.bytes, command.length, error);
    redisFreeCommand(command.bytes);
    return status;
}

fp_status fp_redis_send(fp_redis *store, fp_error *error, const char *format, ...) {
    va_list values;
    va_start(values, format);
    fp_status status = send_values(store, format, values, error);
    va_end(values);
    return status;
}

fp_status fp_redis_ask(fp_redis *store, redisReply **reply, fp_error *error, const char *format, ...) {
    va_list values;
    *reply = NULL;
    va_start(values, format);
    fp_status status = send_values(store, format, values, error);
    va_end(values);
    return status ? status : fp_redis_receive(store, FP_REDIS_SHORT, reply, error);
}

/* ---- Connecting ---- */

/* Trusts the certificates of the system. hiredis checks who signed the server's certificate, not the name in it. */
#ifdef FP_REDIS_TLS
static fp_status encrypt(fp_redis *store, fp_error *error) {
    static const char TRUSTED[] = "/etc/ssl/certs";
    redisSSLContextError code = REDIS_SSL_CTX_NONE;
    redisInitOpenSSL();
    redisSSLContext *tls = redisCreateSSLContext(NULL, TRUSTED, NULL, NULL, store->address.host, &code);
    bool good = tls && redisInitiateSSLWithContext(store->connection, tls) == REDIS_OK;
    if (!good)
        fp_fail(error, FP_ERROR_IO, "TLS fails: %s", tls ? store->connection->errstr : redisSSLContextGetError(code));
    if (tls) redisFreeSSLContext(tls);
    return good ? FP_OK : fp_at(error, FP_ERROR_IO, store->address.shown, SIZE_MAX, SIZE_MAX);
}
#else
static fp_status encrypt(fp_redis *store, fp_error *error) {
    (void)store; /* fp_redis_address_parse refuses TLS */
    return fp_fail(error, FP_ERROR_UNKNOWN, "hiredis has no TLS here");
}
#endif

/* Sends one command that must be answered by a status. */
static fp_status say(fp_redis *store, fp_error *error, const char *format, const char *first, const char *second) {
    FP_REDIS_REPLY(reply);
    FP_TRY(fp_redis_ask(store, &reply, error, format, first, second));
    if (reply->type == REDIS_REPLY_STATUS) return FP_OK;
    store->refused = true;
    return FP_REDIS_FAIL(store, error, FP_ERROR_IO, "the server that answers is not Redis");
}

static fp_status introduce(fp_redis *store, fp_error *error) {
    const fp_redis_address *to = &store->address;
    char database[16];
    snprintf(database, sizeof database, "%d", to->database);
    if (to->password && to->user) FP_TRY(say(store, error, "AUTH %s %s", to->user, to->password));
    else if (to->password) FP_TRY(say(store, error, "AUTH %s", to->password, NULL));
    FP_TRY(say(store, error, "SELECT %s", database, NULL));
    return say(store, error, "PING", NULL, NULL);
}

fp_status fp_redis_connect(fp_redis *store, fp_error *error) {
    static const struct timeval CONNECT = {FP_REDIS_CONNECT, 0}, ANSWER = {FP_REDIS_ANSWER, 0};
    store->connection = FP_NEED(redisConnectWithTimeout(store->address.host, store->address.port, CONNECT), error);
    if (store->connection->err) return broken(store, error);
    redisSetTimeout(store->connection, CONNECT);
    store->patience = FP_REDIS_CONNECT;
    fp_redis_count_answers(store);
    redisEnableKeepAlive(store->connection);
    fp_status status = store->address.tls ? encrypt(store, error) : FP_OK;
    if (!status) status = introduce(store, error);
    if (status) return fp_redis_disconnect(store), status;
    redisSetTimeout(store->connection, ANSWER);
    store->patience = FP_REDIS_ANSWER;
    return FP_OK;
}

fp_status fp_redis_try(fp_redis *store, fp_redis_work work, void *context, fp_error *error) {
    double start = seconds();
    for (int try = 1;; try++) {
        store->refused = false;
        fp_status status = store->connection ? FP_OK : fp_redis_connect(store, error);
        if (!status) status = work(store, context, error);
        if (status != FP_ERROR_IO || store->connection || store->refused || try >= store->tries) return status;
        if (seconds() - start > FP_REDIS_ANSWER) return status;
        long wait = try < 5 ? 50L << try:
            1500; /* milliseconds */
        nanosleep(&(struct timespec){wait / 1000, wait % 1000 * 1000000}, NULL);
    }
}

struct asked {
    fp_redis_command command;
    fp_redis_most most;
    redisReply *reply;
};

static fp_status ask(fp_redis *store, void *context, fp_error *error) {
    struct asked *asked = context;
    FP_TRY(fp_redis_send_written(store, asked->command.bytes, asked->command.length, error));
    return fp_redis_receive(store, asked->most, &asked->reply, error);
}

fp_status fp_redis_answered(fp_redis *store, fp_redis_most most, int type, redisReply **reply, fp_error *error,
                            const char *format, ...) {
    struct asked asked = {.most = most};
    va_list values;
    va_start(values, format);
    fp_status status = fp_redis_write(&asked.command, format, values, error);
    va_end(values);
    FP_TRY(status);
    status = fp_redis_try(store, ask, &asked, error);
    redisFreeCommand(asked.command.bytes);
    FP_TRY(status);
    if (type == REDIS_REPLY_NIL || asked.reply->type == type) return *reply = asked.reply, FP_OK;
    freeReplyObject(asked.reply);
    return fp_redis_odd(store, error);
}
