/* SPDX-License-Identifier: GPL-3.0-or-later
 * A store in Redis: address, state, the single writer, durability of the server, opening and closing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "index/store/redis_store.h"

/* ---- The address: redis://[[user]:password@]host[:port][/database][?name=NAME&list=N] ---- */

enum { PORT = 6379, MOST_NAME = 64, MOST_DATABASE = 1 << 20 };
static const uint64_t MOST_LIST = 1 << 30;

static fp_status wrong(fp_error *error, const char *what) {
    return fp_fail(error, FP_ERROR_SYNTAX,
                   "%s; an address is redis://[:password@]host[:port][/database][?name=NAME&list=N]", what);
}

/* Decodes %41 as A (RFC 3986, 2.1), in place. */
static fp_status decode(char *text, fp_error *error) {
    char *to = text;
    for (const char *from = text; *from; from++, to++) {
        *to = *from;
        if (*from != '%') continue;
        int high = fp_hex_digit(from[1]), low = high < 0 ? -1 : fp_hex_digit(from[2]);
        if (low < 0 || !(high | low)) return wrong(error, "% without two hexadecimal digits");
        *to = (char)(high << 4 | low);
        from += 2;
    }
    *to = '\0';
    return FP_OK;
}

static fp_status number_of(const char *text, uint64_t most, const char *what, uint64_t *value, fp_error *error) {
    int64_t parsed;
    if (!fp_parse_integer(text, &parsed) || parsed < 0 || (uint64_t)parsed > most)
        return fp_fail(error, FP_ERROR_RANGE, "%s: a whole number from 0 to %llu, not \"%.40s\"", what,
                       (unsigned long long)most, text);
    *value = (uint64_t)parsed;
    return FP_OK;
}

static fp_status parse_user(char *user, fp_redis_address *address, fp_error *error) {
    char *password = user;
    strsep(&password, ":");
    if (!password) return wrong(error, "a password has ':' before it");
    FP_TRY(decode(user, error));
    if (*user) address->user = user;
    address->password = password;
    return decode(password, error);
}

/* A host, or an IPv6 address in brackets, and its port. */
static fp_status parse_host(char *host, fp_redis_address *address, fp_error *error) {
    char *rest = host;
    if (*host == '[') {
        rest = ++host;
        strsep(&rest, "]");
        if (!rest) return wrong(error, "[ without ]");
        if (*rest && *rest != ':') return wrong(error, *host ? "unexpected text after the host" : "there is no host");
    }
    char *port = rest;
    strsep(&port, ":");
    if (!*host) return wrong(error, "there is no host");
    FP_TRY(decode(host, error));
    address->host = host;
    if (!port) return FP_OK;
    uint64_t number = 0;
    FP_TRY(number_of(port, 65535, "the port", &number, error));
    address->port = (int)number;
    return number ? FP_OK : fp_fail(error, FP_ERROR_RANGE, "the port: from 1 to 65535");
}

static fp_status parse_name(const char *name, fp_redis_address *address, fp_error *error) {
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-");
    if (name[length] || !length || length > MOST_NAME)
        return fp_fail(error, FP_ERROR_SYNTAX, "name: from 1 to %d letters, digits, '.', '-', '_', not \"%.40s\"",
                       MOST_NAME, name);
    address->name = name;
    return FP_OK;
}

static fp_status parse_options(char *rest, fp_redis_address *address, fp_error *error) {
    while (rest) {
        char *value = strsep(&rest, "&"), *name = strsep(&value, "=");
        if (!value) value = name + strlen(name);
        FP_TRY(decode(value, error));
        if (!strcmp(name, "name")) FP_TRY(parse_name(value, address, error));
        else if (!strcmp(name, "list")) FP_TRY(number_of(value, MOST_LIST, "list", &address->list, error));
        else return wrong(error, "only name and list may follow '?'");
    }
    return FP_OK;
}

/* The user ends at the last '@' before the path: a password has others as %40. */
static fp_status split(char *text, fp_redis_address *address, fp_error *error) {
    char *options = text;
    char *path = strsep(&options, "?"), *host = strsep(&path, "/"), *at = strrchr(host, '@');
    uint64_t database = 0;
    if (at) {
        *at = '\0';
        FP_TRY(parse_user(host, address, error));
        host = at + 1;
    }
    FP_TRY(parse_host(host, address, error));
    if (path && *path) FP_TRY(number_of(path, MOST_DATABASE, "the database", &database, error));
    address->database = (int)database;
    return parse_options(options, address, error);
}

fp_status fp_redis_address_parse(const char *text, fp_arena *arena, fp_redis_address *address, fp_error *error) {
    bool tls = !strncmp(text, "rediss:", 7);
    *address = (fp_redis_address){.tls = tls, .port = PORT, .name = "fplab"};
#ifndef FP_REDIS_TLS
    if (tls)
        return fp_fail(error, FP_ERROR_UNKNOWN, "rediss:// needs hiredis with TLS, which this build does not have");
#endif
    const char *place = strstr(text, "://");
    if (!place) return wrong(error, "it begins with redis:// or rediss://");
    char *copy = FP_NEED(fp_string_copy(arena, fp_string_of(place + 3)), error);
    FP_TRY(split(copy, address, error));
    bool colon = strchr(address->host, ':');
    address->shown = fp_format(arena, "redis%s://%s%s%s:%d/%d?name=%s", tls ? "s" : "", colon ? "[" : "", address->host,
                               colon ? "]" : "", address->port, address->database, address->name);
    return address->shown ? FP_OK : fp_no_memory(error);
}

/* ---- The state ---- */

#define STATE "fplab %d %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIx64
#define SCANNED_STATE \
    "fplab %d %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNx64

void fp_redis_state_write(fp_redis_state *state) {
    const fp_records_count *count = &state->store.count;
    snprintf(state->text, sizeof state->text, STATE, FP_STORE_VERSION, count->records, state->store.texts,
             count->matches, count->deleted, count->next, count->cut, state->list, state->mark);
}

fp_status fp_redis_state_parse(const fp_redis *store, fp_string text, fp_redis_state *state, fp_error *error) {
    fp_records_count *count = &state->store.count;
    int version = 0, members = 0;
    snprintf(state->text, sizeof state->text, "%.*s", (int)(text.length < FP_REDIS_STATE ? text.length : 0), text.data);
    members = sscanf(state->text, SCANNED_STATE, &version, &count->records, &state->store.texts, &count->matches,
                     &count->deleted, &count->next, &count->cut, &state->list, &state->mark);
    if (members == 9 && version == FP_STORE_VERSION) return FP_OK;
    if (fp_string_begins(text, fp_string_of("fplabrec")))
        return FP_REDIS_FAIL(store, error, FP_ERROR_ABI,
                             "made by fplab 0.2 or earlier, whose records this version does not read; rebuild it from "
                             "its texts under another name");
    if (members > 0 && version != FP_STORE_VERSION)
        return FP_REDIS_FAIL(store, error, FP_ERROR_ABI,
                             "made by another version of fplab: its format is %d, this one reads %d", version,
                             FP_STORE_VERSION);
    return FP_REDIS_FAIL(store, error, FP_ERROR_SYNTAX, "not a collection of fplab, or its state is damaged");
}

fp_status fp_redis_state_now(fp_redis *store, fp_redis_state *state, fp_error *error) {
    FP_REDIS_REPLY(reply);
    FP_TRY(
        fp_redis_answered(store, FP_REDIS_SHORT, REDIS_REPLY_NIL, &reply, error, "GET %s:state", store->address.name));
    fp_string text = fp_redis_string(reply);
    if (text.data) return fp_redis_state_parse(store, text, state, error);
    return FP_REDIS_FAIL(store, error, FP_ERROR_IO,
                         store->tries > 1 ? "the store no longer exists" : "it has no store of that name");
}

/* ---- The writer's key, NAME:writer. It expires, so that a writer that died on another machine does not block others
 * for long. NAME:state ensures that two writers never mix. ---- */

enum { HOST = 128 };

static fp_status name_writer(fp_redis *store, fp_error *error) {
    char host[HOST] = "?";
    uint64_t mark;
    if (gethostname(host, sizeof host - 1)) snprintf(host, sizeof host, "?");
    if (getrandom(&mark, sizeof mark, 0) != sizeof mark) mark = (uint64_t)(uintptr_t)store;
    store->writer = fp_format(store->own, "process %ld on %s %016llx", (long)getpid(), host, (unsigned long long)mark);
    return store->writer ? FP_OK : fp_no_memory(error);
}

/* *set: the key was free, or was taken over. */
static fp_status set_writer(fp_redis *store, bool take_over, bool *set, fp_error *error) {
    FP_REDIS_REPLY(reply);
    FP_TRY(fp_redis_ask(store, &reply, error, take_over ? "SET %s:writer %s EX %d" : "SET %s:writer %s EX %d NX",
                        store->address.name, store->writer, FP_REDIS_LEASE));
    *set = reply->type == REDIS_REPLY_STATUS;
    return FP_OK;
}

/* Whether the writer is a dead process of this machine. */
static bool is_gone(const char *writer) {
    char host[HOST] = "?", its_host[HOST];
    long process;
    return sscanf(writer, "process %ld on %127s", &process, its_host) == 2 && !gethostname(host, sizeof host - 1) &&
           !strcmp(host, its_host) && fp_process_is_gone(process);
}

static fp_status refuse(const fp_redis *store, const char *writer, fp_error *error) {
    const char *mark = strrchr(writer, ' ');
    return FP_REDIS_FAIL(store, error, FP_ERROR_IO,
                         "%.*s is writing to it, or was less than %d seconds ago; one writer at a time",
                         mark ? (int)(mark - writer) : 0, writer, FP_REDIS_LEASE);
}

/* *writer: the current writer, which the reply holds; NULL: nobody. */
static fp_status who_writes(fp_redis *store, redisReply **reply, const char **writer, fp_error *error) {
    FP_TRY(fp_redis_ask(store, reply, error, "GET %s:writer", store->address.name));
    *writer = (*reply)->type == REDIS_REPLY_STRING ? (*reply)->str : NULL;
    return FP_OK;
}

static fp_status take(fp_redis *store, void *context, fp_error *error) {
    (void)context;
    bool set;
    FP_TRY(set_writer(store, false, &set, error));
    if (set) return FP_OK;
    FP_REDIS_REPLY(reply);
    const char *writer;
    FP_TRY(who_writes(store, &reply, &writer, error));
    if (writer && strcmp(writer, store->writer) != 0 && !is_gone(writer)) return refuse(store, writer, error);
    return set_writer(store, true, &set, error);
}

static fp_status take_writer(fp_redis *store, fp_error *error) {
    FP_TRY(name_writer(store, error));
    fp_status status = fp_redis_try(store, take, NULL, error);
    if (status) store->writer = NULL;
    return status;
}

static void leave_writer(fp_redis *store) {
    FP_REDIS_REPLY(reply);
    FP_REDIS_REPLY(deleted);
    const char *writer;
    if (!store->writer || !store->connection || who_writes(store, &reply, &writer, NULL)) return;
    if (writer && !strcmp(writer, store->writer))
        fp_redis_ask(store, &deleted, NULL, "DEL %s:writer", store->address.name);
}

/* ---- Durability of the server ---- */

/* The value of "name:value" in a section of INFO; empty: missing. */
static fp_string info_of(const redisReply *reply, const char *name) {
    fp_string rest = fp_redis_string(reply), line, field;
    while (rest.data && fp_next_line(&rest, &line))
        if (fp_next_field(&line, ':', &field) && fp_string_equal(field, fp_string_of(name))) return line;
    return (fp_string){0};
}

static bool says(fp_string value, const char *what) { return fp_string_equal(value, fp_string_of(what)); }

/* *reply NULL: the user has no permission to ask. */
static fp_status inform(fp_redis *store, const char *section, redisReply **reply, fp_error *error) {
    fp_status status = fp_redis_ask(store, reply, error, "INFO %s", section);
    return store->connection ? FP_OK : status;
}

static fp_status look_at_memory(fp_redis *store, fp_error *error) {
    FP_REDIS_REPLY(reply);
    FP_TRY(inform(store, "memory", &reply, error));
    if (!reply) return FP_OK;
    fp_string limit = info_of(reply, "maxmemory"), policy = info_of(reply, "maxmemory_policy");
    if (!limit.length || says(limit, "0") || !policy.length || says(policy, "noeviction")) return FP_OK;
    return FP_REDIS_FAIL(
        store, error, FP_ERROR_IO,
        "this Redis forgets keys when it is full (maxmemory-policy %.*s), and records with them; set it to noeviction",
        (int)policy.length, policy.data);
}

/* *always: every commit is synced to disk, or the user has no permission to ask. */
static fp_status look_at_log(fp_redis *store, bool *always, fp_error *error) {
    FP_REDIS_REPLY(reply);
    *always = true;
    fp_status status = fp_redis_ask(store, &reply, error, "CONFIG GET appendfsync");
    if (status) return store->connection ? FP_OK : status;
    if (reply->type == REDIS_REPLY_ARRAY && reply->elements == 2)
        *always = says(fp_redis_string(reply->element[1]), "always");
    return FP_OK;
}

static fp_status look(fp_redis *store, void *context, fp_error *error) {
    (void)context;
    FP_REDIS_REPLY(reply);
    bool always;
    FP_TRY(look_at_memory(store, error));
    FP_TRY(inform(store, "persistence", &reply, error));
    FP_TRY(look_at_log(store, &always, error));
    if (reply && says(info_of(reply, "aof_enabled"), "0"))
        store->caution =
            "This Redis keeps no log (appendonly no): when it dies, what was added since its last snapshot "
            "is lost.";
    else if (!always)
        store->caution =
            "This Redis writes its log to the disk once a second (appendfsync): when its machine dies, what "
            "was added last is lost.";
    return FP_OK;
}

/* ---- Transactions ---- */

/* Redis must still hold the last commit of this writer. */
fp_status fp_redis_begin(void *opened, fp_store_state *state, fp_error *error) {
    fp_redis *store = opened;
    fp_redis_state now;
    FP_TRY(fp_redis_try(store, take, NULL, error));
    FP_TRY(fp_redis_state_now(store, &now, error));
    if (*store->committed && strcmp(store->committed, now.text) != 0)
        return FP_REDIS_FAIL(
            store, error, FP_ERROR_IO,
            "the data is not that of the last commit: another process wrote to it, or Redis crashed and lost "
            "acknowledged writes");
    FP_TRY(fp_redis_batch_begin(&store->batch, store->like, error));
    store->batch.before = now;
    *state = now.store;
    return FP_OK;
}

/* ---- Opening and closing ---- */

void fp_redis_close(void *opened) {
    fp_redis *store = opened;
    fp_redis_batch_end(&store->batch);
    leave_writer(store);
    fp_redis_disconnect(store);
    fp_arena_free(store->own);
    fp_memory_release(store->like, store);
}

static fp_status make(fp_redis *store, fp_error *error) {
    fp_redis_state first = {.store.count.next = 1, .list = store->address.list};
    FP_REDIS_REPLY(reply);
    fp_redis_state_write(&first);
    FP_TRY(fp_redis_ask(store, &reply, error, "SET %s:state %s NX", store->address.name, first.text));
    if (reply->type == REDIS_REPLY_STATUS) return FP_OK;
    return FP_REDIS_FAIL(store, error, FP_ERROR_DUPLICATE, "already exists; `fplab index add` adds to it");
}

static fp_status open_store(fp_redis *store, const char *address, fp_records_mode mode, fp_error *error) {
    fp_redis_state state;
    store->own = FP_NEED(fp_arena_new_like(store->like), error);
    FP_TRY(fp_redis_address_parse(address, store->own, &store->address, error));
    FP_TRY(fp_redis_connect(store, error));
    if (mode == FP_RECORDS_WRITE || mode == FP_RECORDS_CREATE) {
        FP_TRY(fp_redis_try(store, look, NULL, error));
        FP_TRY(take_writer(store, error));
    }
    if (mode == FP_RECORDS_CREATE) FP_TRY(make(store, error));
    FP_TRY(fp_redis_state_now(store, &state, error));
    store->tries = FP_REDIS_TRIES;
    return FP_OK;
}

fp_status fp_redis_open(const char *address, fp_records_mode mode, const fp_arena *like, void **opened,
                        fp_error *error) {
    fp_redis *store = FP_NEED(fp_memory_take(like, 1, sizeof *store), error);
    *store = (fp_redis){.like = like, .tries = 1};
    fp_status status = open_store(store, address, mode, error);
    if (status) fp_redis_close(store);
    else *opened = store;
    return status;
}
