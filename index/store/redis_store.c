/* SPDX-License-Identifier: GPL-3.0-or-later
 * A store in Redis: its state, one writer at a time, whether this Redis keeps what it is given, opening and closing. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "index/store/redis_store.h"

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
    fp_status status = FP_ERROR_ABI;
    if (fp_string_begins(text, fp_string_of("fplabrec")))
        fp_fail(error, status,
                "made by fplab 0.2 or earlier, whose records this one does not read; build it anew from its texts "
                "under another name");
    else if (members > 0 && version != FP_STORE_VERSION)
        fp_fail(error, status, "made by another version of fplab: its format is %d, this one reads %d", version,
                FP_STORE_VERSION);
    else status = fp_fail(error, FP_ERROR_SYNTAX, "it is no collection of fplab, or its state is damaged");
    return fp_redis_fail(store, status, error);
}

fp_status fp_redis_state_now(fp_redis *store, fp_redis_state *state, fp_error *error) {
    char room[FP_REDIS_KEY];
    FP_REDIS_REPLY(reply);
    FP_TRY(FP_REDIS_ANSWER_TO(store, FP_REDIS_SHORT, REDIS_REPLY_NIL, &reply, error, FP_WORD("GET"),
                              fp_redis_key(store, "state", room)));
    fp_string text = fp_redis_string(reply);
    if (text.data) return fp_redis_state_parse(store, text, state, error);
    fp_fail(error, FP_ERROR_IO,
            store->tries > 1 ? "it does not hold the store any more" : "it has no store of that name");
    return fp_redis_fail(store, FP_ERROR_IO, error);
}

/* ---- The writer's place: NAME:writer. It ends by itself, so that a writer that died in another place is in nobody's
 * way for long; that two writers never mix is the matter of NAME:state. ---- */

enum { HOST = 128 };

static fp_status name_writer(fp_redis *store, fp_error *error) {
    char host[HOST] = "?";
    uint64_t mark;
    if (gethostname(host, sizeof host - 1)) snprintf(host, sizeof host, "?");
    if (getrandom(&mark, sizeof mark, 0) != sizeof mark) mark = (uint64_t)(uintptr_t)store;
    store->writer = fp_format(store->own, "process %ld on %s %016llx", (long)getpid(), host, (unsigned long long)mark);
    return store->writer ? FP_OK : fp_no_memory(error);
}

/* SET NAME:writer … PX …; with a word more, such as NX. */
static fp_status set_writer(fp_redis *store, const char *more, bool *set, fp_error *error) {
    char room[FP_REDIS_KEY], lease[FP_REDIS_KEY];
    FP_REDIS_REPLY(reply);
    const fp_string words[] = {FP_WORD("SET"),
                               fp_redis_key(store, "writer", room),
                               fp_string_of(store->writer),
                               fp_string_of("PX"),
                               fp_redis_decimal(FP_REDIS_LEASE * 1000, lease),
                               fp_string_of(more)};
    FP_TRY(fp_redis_ask(store, words, *more ? 6 : 5, &reply, error));
    *set = reply->type == REDIS_REPLY_STATUS;
    return FP_OK;
}

/* A process of this machine that is gone. */
static bool is_gone(const char *writer) {
    char host[HOST] = "?", its_host[HOST];
    long process;
    return sscanf(writer, "process %ld on %127s", &process, its_host) == 2 && !gethostname(host, sizeof host - 1) &&
           !strcmp(host, its_host) && fp_process_is_gone(process);
}

static fp_status refuse(const fp_redis *store, const char *writer, fp_error *error) {
    const char *mark = strrchr(writer, ' ');
    fp_fail(error, FP_ERROR_IO, "%.*s is writing to it, or was less than %d seconds ago; one writer at a time",
            mark ? (int)(mark - writer) : 0, writer, FP_REDIS_LEASE);
    return fp_redis_fail(store, FP_ERROR_IO, error);
}

/* Who writes: mine, nobody (where *writer is NULL), or another. The reply holds the name. */
static fp_status who_writes(fp_redis *store, redisReply **reply, const char **writer, fp_error *error) {
    char room[FP_REDIS_KEY];
    FP_TRY(fp_redis_ask(store, (fp_string[]){FP_WORD("GET"), fp_redis_key(store, "writer", room)}, 2, reply, error));
    *writer = (*reply)->type == REDIS_REPLY_STRING ? (*reply)->str : NULL;
    return FP_OK;
}

static fp_status take(fp_redis *store, void *context, fp_error *error) {
    (void)context;
    bool set;
    FP_TRY(set_writer(store, "NX", &set, error));
    if (set) return FP_OK;
    FP_REDIS_REPLY(reply);
    const char *writer;
    FP_TRY(who_writes(store, &reply, &writer, error));
    if (writer && strcmp(writer, store->writer) != 0 && !is_gone(writer)) return refuse(store, writer, error);
    return set_writer(store, "", &set, error);
}

static fp_status take_writer(fp_redis *store, fp_error *error) {
    FP_TRY(name_writer(store, error));
    fp_status status = fp_redis_try(store, take, NULL, error);
    if (status) store->writer = NULL;
    return status;
}

static fp_status hold_writer(fp_redis *store, fp_error *error) { return fp_redis_try(store, take, NULL, error); }

static void leave_writer(fp_redis *store) {
    FP_REDIS_REPLY(reply);
    FP_REDIS_REPLY(deleted);
    const char *writer;
    char room[FP_REDIS_KEY];
    if (!store->writer || !store->connection || who_writes(store, &reply, &writer, NULL)) return;
    if (writer && !strcmp(writer, store->writer))
        fp_redis_ask(store, (fp_string[]){fp_string_of("DEL"), fp_redis_key(store, "writer", room)}, 2, &deleted, NULL);
}

/* ---- What this Redis keeps ---- */

/* "name:value" of a section of INFO as what is behind the colon; empty: it does not say. */
static fp_string info_of(const redisReply *reply, const char *name) {
    fp_string rest = fp_redis_string(reply), line, field;
    while (rest.data && fp_next_line(&rest, &line))
        if (fp_next_field(&line, ':', &field) && fp_string_equal(field, fp_string_of(name))) return line;
    return (fp_string){0};
}

static bool says(fp_string value, const char *what) { return fp_string_equal(value, fp_string_of(what)); }

/* NULL where this user may not ask. */
static fp_status inform(fp_redis *store, const char *section, redisReply **reply, fp_error *error) {
    fp_status status = fp_redis_ask(store, (fp_string[]){fp_string_of("INFO"), fp_string_of(section)}, 2, reply, error);
    return store->connection ? FP_OK : status;
}

static fp_status look_at_memory(fp_redis *store, fp_error *error) {
    FP_REDIS_REPLY(reply);
    FP_TRY(inform(store, "memory", &reply, error));
    if (!reply) return FP_OK;
    fp_string limit = info_of(reply, "maxmemory"), policy = info_of(reply, "maxmemory_policy");
    if (!limit.length || says(limit, "0") || !policy.length || says(policy, "noeviction")) return FP_OK;
    fp_fail(
        error, FP_ERROR_IO,
        "this Redis forgets keys when it is full (maxmemory-policy %.*s), and records with them; set it to noeviction",
        (int)policy.length, policy.data);
    return fp_redis_fail(store, FP_ERROR_IO, error);
}

/* Whether every commit is carried to the disk, or this user may not ask. */
static fp_status look_at_log(fp_redis *store, bool *always, fp_error *error) {
    FP_REDIS_REPLY(reply);
    *always = true;
    fp_status status =
        fp_redis_ask(store, (fp_string[]){fp_string_of("CONFIG"), fp_string_of("GET"), fp_string_of("appendfsync")}, 3,
                     &reply, error);
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

static fp_status look_at_redis(fp_redis *store, fp_error *error) { return fp_redis_try(store, look, NULL, error); }

/* ---- Transactions ---- */

/* What this writer committed last must be what Redis holds. */
fp_status fp_redis_begin(void *opened, fp_store_state *state, fp_error *error) {
    fp_redis *store = opened;
    fp_redis_state now;
    FP_TRY(hold_writer(store, error));
    FP_TRY(fp_redis_state_now(store, &now, error));
    if (*store->committed && strcmp(store->committed, now.text) != 0) {
        fp_fail(error, FP_ERROR_IO,
                "the data is not that of the last commit: another process wrote to it, or Redis crashed and lost "
                "acknowledged writes");
        return fp_redis_fail(store, FP_ERROR_IO, error);
    }
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
    char room[FP_REDIS_KEY];
    FP_REDIS_REPLY(reply);
    fp_redis_state_write(&first);
    const fp_string words[] = {FP_WORD("SET"), fp_redis_key(store, "state", room), fp_string_of(first.text),
                               FP_WORD("NX")};
    FP_TRY(fp_redis_ask(store, words, sizeof words / sizeof *words, &reply, error));
    if (reply->type == REDIS_REPLY_STATUS) return FP_OK;
    fp_fail(error, FP_ERROR_DUPLICATE, "it is there already; `fplab index add` adds to it");
    return fp_redis_fail(store, FP_ERROR_DUPLICATE, error);
}

static fp_status open_store(fp_redis *store, const char *address, fp_records_mode mode, fp_error *error) {
    fp_redis_state state;
    store->own = FP_NEED(fp_arena_new_like(store->like), error);
    FP_TRY(fp_redis_address_parse(address, store->own, &store->address, error));
    FP_TRY(fp_redis_connect(store, error));
    if (mode == FP_RECORDS_WRITE || mode == FP_RECORDS_CREATE) {
        FP_TRY(look_at_redis(store, error));
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
