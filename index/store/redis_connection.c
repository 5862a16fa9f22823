/* SPDX-License-Identifier: GPL-3.0-or-later
 * A connection to Redis: bounded waiting, bounded retries, errors in words. */
#include <errno.h>
#include <inttypes.h>
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

fp_status fp_redis_fail(const fp_redis *store, fp_status status, fp_error *error) {
    return fp_at(error, status, store->address.shown, SIZE_MAX, SIZE_MAX);
}

void fp_redis_disconnect(fp_redis *store) {
    if (store->connection) redisFree(store->connection);
    store->connection = NULL;
}

/* What is wrong with the connection, which ends. */
static fp_status broken(fp_redis *store, fp_error *error) {
    const redisContext *from = store->connection;
    int code = from->err;
    if (code == REDIS_ERR_OOM) fp_no_memory(error);
    else if (code == REDIS_ERR_IO && (errno == EAGAIN || errno == ETIMEDOUT))
        fp_fail(error, FP_ERROR_IO, "it does not answer");
    else if (code == REDIS_ERR_PROTOCOL) fp_fail(error, FP_ERROR_IO, "what answers is not Redis");
    else if (code == REDIS_ERR_EOF) fp_fail(error, FP_ERROR_IO, "the connection was closed");
    else fp_fail(error, FP_ERROR_IO, "cannot reach Redis: %s", from->errstr);
    fp_redis_disconnect(store);
    return code == REDIS_ERR_OOM ? FP_ERROR_MEMORY : fp_redis_fail(store, FP_ERROR_IO, error);
}

static bool begins(const char *text, const char *with) { return !strncmp(text, with, strlen(with)); }

/* An answer that is an error. */
static fp_status refused(fp_redis *store, const char *said, fp_error *error) {
    if (begins(said, "OOM") || begins(said, "EXECABORT")) fp_fail(error, FP_ERROR_IO, "Redis is full (maxmemory)");
    else if (begins(said, "NOAUTH")) fp_fail(error, FP_ERROR_IO, "Redis wants a password (redis://:password@…)");
    else if (begins(said, "WRONGPASS") || begins(said, "ERR invalid password"))
        fp_fail(error, FP_ERROR_IO, "Redis refuses the password");
    else if (begins(said, "MISCONF"))
        fp_fail(error, FP_ERROR_IO, "Redis cannot write its data to the disk, and refuses writes");
    else fp_fail(error, FP_ERROR_IO, "Redis refuses: %.200s", said);
    store->refused = !begins(said, "LOADING"); /* a server that still reads its data is as one that is not there yet */
    if (!store->refused) fp_redis_disconnect(store);
    return fp_redis_fail(store, FP_ERROR_IO, error);
}

fp_status fp_redis_odd(const fp_redis *store, fp_error *error) {
    fp_fail(error, FP_ERROR_SYNTAX, "damaged: a key of it is of another type, or its values are");
    return fp_redis_fail(store, FP_ERROR_SYNTAX, error);
}

/* ---- Commands. A connection that the server has closed raises SIGPIPE in hiredis, which ends the process: it waits,
 * and is taken away before it comes. ---- */

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

enum { FEW_WORDS = 8 };

fp_status fp_redis_send(fp_redis *store, const fp_string *words, size_t count, fp_error *error) {
    const char *few[FEW_WORDS], **data = few;
    size_t few_lengths[FEW_WORDS] = {0}, *lengths = few_lengths;
    if (count > FEW_WORDS) {
        data = fp_memory_take(store->like, count, sizeof *data);
        lengths = fp_memory_take(store->like, count, sizeof *lengths);
    }
    bool good = data && lengths;
    for (size_t i = 0; good && i < count; i++) {
        data[i] = words[i].length ? words[i].data : "";
        lengths[i] = words[i].length;
    }
    bool sent = good && redisAppendCommandArgv(store->connection, (int)count, data, lengths) == REDIS_OK;
    if (count > FEW_WORDS) {
        fp_memory_release(store->like, (void *)data);
        fp_memory_release(store->like, lengths);
    }
    if (sent) return FP_OK;
    fp_redis_disconnect(store);
    return fp_no_memory(error);
}

/* ---- Answers are counted while they are read: hiredis holds all of one, and believes the sizes that it says ---- */

static bool exceeds(fp_redis_answer *answer, size_t elements, size_t bytes) {
    if (elements > answer->most.elements - answer->had.elements || bytes > answer->most.bytes - answer->had.bytes)
        return answer->excess = true;
    answer->had.elements += elements;
    answer->had.bytes += bytes;
    return false;
}

/* NULL ends the reading of the answer. */
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

/* What is left of the time for so many bytes, that began at `start`. */
static double time_left(const fp_redis *store, double start, size_t bytes) {
    return store->patience + (double)(bytes >> 20) - (seconds() - start);
}

static int too_late(redisContext *connection) {
    errno = ETIMEDOUT;
    connection->err = REDIS_ERR_IO;
    return REDIS_ERR;
}

/* All that waits to be sent. */
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

/* A wait ends when the time for the whole answer does. */
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

/* The next answer; *got NULL where it fails. What is in the buffer belongs to it until it is complete. */
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
    fp_fail(error, FP_ERROR_RANGE,
            "an answer of over %zu elements or %zu bytes, more than what was asked for can have: it is damaged, or "
            "is no store of fplab",
            most->elements, most->bytes);
    fp_redis_disconnect(store);
    return fp_redis_fail(store, FP_ERROR_RANGE, error);
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

fp_status fp_redis_ask(fp_redis *store, const fp_string *words, size_t count, redisReply **reply, fp_error *error) {
    *reply = NULL;
    FP_TRY(fp_redis_send(store, words, count, error));
    return fp_redis_receive(store, FP_REDIS_SHORT, reply, error);
}

fp_status fp_redis_flush(fp_redis *store, fp_error *error) {
    silence kept;
    silence_begin(&kept);
    int result = write_out(store);
    silence_end(&kept);
    return result == REDIS_OK ? FP_OK : broken(store, error);
}

/* ---- Connecting ---- */

/* The certificates that the system trusts; hiredis looks at who signed the server's, not at the name in it. */
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
    return good ? FP_OK : fp_redis_fail(store, FP_ERROR_IO, error);
}
#else
static fp_status encrypt(fp_redis *store, fp_error *error) {
    (void)store; /* fp_redis_address_parse has refused */
    return fp_fail(error, FP_ERROR_UNKNOWN, "hiredis has no TLS here");
}
#endif

/* One command of a new connection, whose answer says no more than that it went well. */
static fp_status say(fp_redis *store, const fp_string *words, size_t count, fp_error *error) {
    FP_REDIS_REPLY(reply);
    FP_TRY(fp_redis_ask(store, words, count, &reply, error));
    if (reply->type == REDIS_REPLY_STATUS) return FP_OK;
    store->refused = true;
    fp_fail(error, FP_ERROR_IO, "what answers is not Redis");
    return fp_redis_fail(store, FP_ERROR_IO, error);
}

static fp_status introduce(fp_redis *store, fp_error *error) {
    const fp_redis_address *to = &store->address;
    char decimal[FP_REDIS_KEY];
    if (to->password && to->user)
        FP_TRY(say(store, (fp_string[]){fp_string_of("AUTH"), fp_string_of(to->user), fp_string_of(to->password)}, 3,
                   error));
    else if (to->password)
        FP_TRY(say(store, (fp_string[]){fp_string_of("AUTH"), fp_string_of(to->password)}, 2, error));
    FP_TRY(
        say(store, (fp_string[]){fp_string_of("SELECT"), fp_redis_decimal((uint64_t)to->database, decimal)}, 2, error));
    return say(store, (fp_string[]){fp_string_of("PING")}, 1, error);
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
    if (status) fp_redis_disconnect(store);
    else redisSetTimeout(store->connection, ANSWER);
    store->patience = FP_REDIS_ANSWER;
    return status;
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
    const fp_string *words;
    size_t count;
    fp_redis_most most;
    redisReply *reply;
};

static fp_status ask(fp_redis *store, void *context, fp_error *error) {
    struct asked *asked = context;
    FP_TRY(fp_redis_send(store, asked->words, asked->count, error));
    return fp_redis_receive(store, asked->most, &asked->reply, error);
}

fp_status fp_redis_answered(fp_redis *store, const fp_string *words, size_t count, fp_redis_most most, int type,
                            redisReply **reply, fp_error *error) {
    struct asked asked = {words, count, most, NULL};
    FP_TRY(fp_redis_try(store, ask, &asked, error));
    if (type == REDIS_REPLY_NIL || asked.reply->type == type) return *reply = asked.reply, FP_OK;
    freeReplyObject(asked.reply);
    return fp_redis_odd(store, error);
}

/* ---- Names of keys ---- */

fp_string fp_redis_key(const fp_redis *store, const char *kind, char *room) {
    return (fp_string){room, (size_t)snprintf(room, FP_REDIS_KEY, "%s:%s", store->address.name, kind)};
}

fp_string fp_redis_numbered(const fp_redis *store, char kind, uint64_t number, char *room) {
    return (fp_string){room, (size_t)snprintf(room, FP_REDIS_KEY, "%s:%c:%" PRIu64, store->address.name, kind, number)};
}

fp_string fp_redis_listed(const fp_redis *store, uint64_t key, char *room) {
    return (fp_string){room, (size_t)snprintf(room, FP_REDIS_KEY, "%s:k:%016" PRIx64, store->address.name, key)};
}

fp_string fp_redis_decimal(uint64_t number, char *room) {
    return (fp_string){room, (size_t)snprintf(room, FP_REDIS_KEY, "%" PRIu64, number)};
}
