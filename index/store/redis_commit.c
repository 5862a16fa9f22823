/* SPDX-License-Identifier: GPL-3.0-or-later
 * A transaction of Redis: all of it between MULTI and EXEC, once, whatever becomes of the connection. */
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "index/store/redis_store.h"

enum { FLUSH = 1 << 20 }; /* bytes that wait to be sent */

struct commit {
    fp_store_state *state;
    uint64_t cut; /* before */
    char bytes[FP_STORE_STATE_BYTES];
    size_t commands; /* that were sent, MULTI and EXEC included */
    size_t waiting;  /* bytes */
    bool asked;      /* EXEC was sent, at least once */
    bool done;
};

/* ---- Sending ---- */

static fp_status send_words(fp_redis *store, struct commit *commit, const fp_string *words, size_t count,
                            fp_error *error) {
    commit->commands++;
    for (size_t i = 0; i < count; i++) commit->waiting += words[i].length;
    FP_TRY(fp_redis_send(store, words, count, error));
    if (commit->waiting < FLUSH) return FP_OK;
    commit->waiting = 0;
    return fp_redis_flush(store, error);
}

#define SEND(...)                                               \
    send_words(store, commit, (const fp_string[]){__VA_ARGS__}, \
               sizeof((const fp_string[]){__VA_ARGS__}) / sizeof(fp_string), error)

static fp_status send_match(fp_redis *store, struct commit *commit, const fp_redis_change *change, fp_error *error) {
    char room[FP_REDIS_KEY], low[FP_REDIS_MATCH_BOUND], high[FP_REDIS_MATCH_BOUND];
    fp_string key = fp_redis_key(store, "matches", room), member;
    fp_redis_match_bounds(change->key, low, high);
    FP_TRY(SEND(FP_WORD("ZREMRANGEBYLEX"), key, {low, sizeof low}, {high, sizeof high}));
    char *bytes = fp_arena_raw(store->batch.arena, change->key.length + change->value.length, 1);
    if (!bytes) return fp_no_memory(error);
    memcpy(bytes, change->key.data, change->key.length);
    memcpy(bytes + change->key.length, change->value.data, change->value.length);
    member = (fp_string){bytes, change->key.length + change->value.length};
    return SEND(FP_WORD("ZADD"), key, FP_WORD("0"), member);
}

static fp_status send_numbered(fp_redis *store, struct commit *commit, char kind, const fp_redis_change *change,
                               fp_error *error) {
    char room[FP_REDIS_KEY];
    fp_string key = fp_redis_numbered(store, kind, fp_key_get(change->key.data), room);
    return change->value.data ? SEND(FP_WORD("SET"), key, change->value) : SEND(FP_WORD("DEL"), key);
}

static fp_status send_field(fp_redis *store, struct commit *commit, const char *hash, fp_string field,
                            const fp_redis_change *change, fp_error *error) {
    char room[FP_REDIS_KEY];
    fp_string key = fp_redis_key(store, hash, room);
    return change->value.data ? SEND(FP_WORD("HSET"), key, field, change->value) : SEND(FP_WORD("HDEL"), key, field);
}

static fp_status send_change(fp_redis *store, struct commit *commit, const fp_redis_change *change, fp_error *error) {
    char room[FP_REDIS_KEY];
    switch (change->table) {
    case FP_STORE_FACTS: return send_field(store, commit, "facts", change->key, change, error);
    case FP_STORE_IDS: return send_field(store, commit, "ids", change->key, change, error);
    case FP_STORE_RECORDS: return send_numbered(store, commit, 'r', change, error);
    case FP_STORE_TEXTS: return send_numbered(store, commit, 't', change, error);
    case FP_STORE_CLUSTERS:
        return send_field(store, commit, "clusters", fp_redis_decimal(fp_key_get(change->key.data), room), change,
                          error);
    case FP_STORE_DELETED: return SEND(FP_WORD("RPUSH"), fp_redis_key(store, "deleted", room), change->value);
    case FP_STORE_MATCHES: return send_match(store, commit, change, error);
    case FP_STORE_TABLES: break;
    }
    return FP_OK;
}

/* In the order in which they came; behind the last one of a list, what is too long goes. */
static fp_status send_entry(fp_redis *store, struct commit *commit, uint32_t index, fp_error *error) {
    char room[FP_REDIS_KEY], last[FP_REDIS_KEY];
    const fp_redis_entry *entry = store->batch.entries + index;
    fp_string key = fp_redis_listed(store, entry->key, room);
    if (entry->goes) FP_TRY(SEND(FP_WORD("LREM"), key, FP_WORD("0"), entry->bytes));
    else FP_TRY(SEND(FP_WORD("LPUSH"), key, entry->bytes));
    if (!commit->state->list || fp_redis_batch_under(&store->batch, entry->key) != index) return FP_OK;
    return SEND(FP_WORD("LTRIM"), key, FP_WORD("0"), fp_redis_decimal(commit->state->list - 1, last));
}

static fp_status send_all(fp_redis *store, struct commit *commit, fp_error *error) {
    const fp_redis_batch *batch = &store->batch;
    char state[FP_REDIS_KEY], writer[FP_REDIS_KEY], lease[FP_REDIS_KEY];
    commit->commands = commit->waiting = 0;
    FP_TRY(SEND(FP_WORD("MULTI")));
    for (size_t i = 0; i < batch->change_count; i++)
        if (fp_redis_batch_find(batch, batch->changes[i].table, batch->changes[i].key) == batch->changes + i)
            FP_TRY(send_change(store, commit, batch->changes + i, error));
    for (size_t i = 0; i < batch->entry_count; i++) FP_TRY(send_entry(store, commit, (uint32_t)i, error));
    FP_TRY(SEND(FP_WORD("SET"), fp_redis_key(store, "state", state), {commit->bytes, sizeof commit->bytes}));
    FP_TRY(SEND(FP_WORD("SET"), fp_redis_key(store, "writer", writer), fp_string_of(store->writer), FP_WORD("PX"),
                fp_redis_decimal(FP_REDIS_LEASE * 1000, lease)));
    commit->asked = true;
    return SEND(FP_WORD("EXEC"));
}

/* ---- Answers ---- */

/* Redis does the rest of a transaction when it cannot do one command of it: another kind of value in its place. */
static fp_status all_done(fp_redis *store, const redisReply *reply, fp_error *error) {
    for (size_t i = 0; i < reply->elements; i++)
        if (reply->element[i]->type == REDIS_REPLY_ERROR) {
            fp_fail(error, FP_ERROR_SYNTAX, "damaged: Redis could do only a part of the transaction: %.200s",
                    reply->element[i]->str);
            return fp_redis_fail(store, FP_ERROR_SYNTAX, error);
        }
    return FP_OK;
}

/* The first command that is refused says why all are. */
static fp_status receive_all(fp_redis *store, struct commit *commit, fp_error *error) {
    fp_status status = FP_OK;
    fp_error later;
    redisReply *reply = NULL;
    for (size_t i = 0; i < commit->commands; i++) {
        fp_redis_most most = FP_REDIS_SHORT;
        if (i + 1 == commit->commands) most = FP_REDIS_VALUES(commit->commands);
        if (reply) freeReplyObject(reply);
        fp_status its = fp_redis_receive(store, most, &reply, status ? &later : error);
        if (!status) status = its;
        if (!store->connection) return its;
    }
    if (!status && reply->type == REDIS_REPLY_ARRAY) {
        status = all_done(store, reply, error);
        commit->done = !status;
    }
    if (reply) freeReplyObject(reply);
    return status;
}

/* ---- What stands before it ---- */

/* The lists that are added to: each once, at its last entry. */
static bool is_last(const fp_redis_batch *batch, size_t i) {
    return fp_redis_batch_under(batch, batch->entries[i].key) == i;
}

static fp_status ask_before(fp_redis *store, const struct commit *commit, fp_error *error) {
    char room[FP_REDIS_KEY];
    const fp_redis_batch *batch = &store->batch;
    fp_string state = fp_redis_key(store, "state", room);
    FP_TRY(fp_redis_send(store, (fp_string[]){FP_WORD("WATCH"), state}, 2, error));
    FP_TRY(fp_redis_send(store, (fp_string[]){FP_WORD("GET"), state}, 2, error));
    for (size_t i = 0; commit->state->list && i < batch->entry_count; i++)
        if (is_last(batch, i))
            FP_TRY(fp_redis_send(
                store, (fp_string[]){FP_WORD("LLEN"), fp_redis_listed(store, batch->entries[i].key, room)}, 2, error));
    return FP_OK;
}

/* How many entries LTRIM will cut of a list of that length; where records are deleted in the same transaction, at
 * most so many. */
static uint64_t will_be_cut(const fp_redis *store, const struct commit *commit, size_t last, uint64_t length) {
    for (uint32_t at = (uint32_t)last; at != FP_MAP_NONE; at = store->batch.entries[at].next)
        length += !store->batch.entries[at].goes;
    return length > commit->state->list ? length - commit->state->list : 0;
}

static fp_status receive_before(fp_redis *store, struct commit *commit, redisReply **state, fp_error *error) {
    redisReply *reply;
    FP_TRY(fp_redis_receive(store, FP_REDIS_SHORT, &reply, error));
    freeReplyObject(reply);
    FP_TRY(fp_redis_receive(store, FP_REDIS_SHORT, state, error));
    commit->state->count.cut = commit->cut;
    for (size_t i = 0; commit->state->list && i < store->batch.entry_count; i++)
        if (is_last(&store->batch, i)) {
            FP_TRY(fp_redis_receive(store, FP_REDIS_SHORT, &reply, error));
            if (reply->type == REDIS_REPLY_INTEGER)
                commit->state->count.cut += will_be_cut(store, commit, i, (uint64_t)reply->integer);
            freeReplyObject(reply);
        }
    return FP_OK;
}

static bool is_mine(fp_string bytes, const struct commit *commit) {
    fp_store_state there;
    return bytes.data && !fp_state_unpack(bytes, &there, NULL) && there.mark == commit->state->mark;
}

static fp_status changed(fp_redis *store, fp_error *error) {
    store->refused = true;
    fp_fail(error, FP_ERROR_IO, "another process wrote to it meanwhile; nothing of the transaction is there");
    return fp_redis_fail(store, FP_ERROR_IO, error);
}

/* ---- One attempt ---- */

static fp_status attempt(fp_redis *store, void *context, fp_error *error) {
    struct commit *commit = context;
    redisReply *state = NULL;
    FP_TRY(ask_before(store, commit, error));
    fp_status status = receive_before(store, commit, &state, error);
    fp_string there = state ? fp_redis_string(state) : (fp_string){0};
    bool same = there.length == FP_STORE_STATE_BYTES && !memcmp(there.data, store->batch.before, there.length);
    if (!status) commit->done = is_mine(there, commit);
    if (state) freeReplyObject(state);
    if (status || commit->done) return status;
    if (!same) return changed(store, error);
    fp_state_pack(commit->state, commit->bytes);
    FP_TRY(send_all(store, commit, error));
    FP_TRY(receive_all(store, commit, error));
    if (commit->done) return FP_OK;
    /* NAME:state was touched in between: by another, or by an EXEC of ours that had been on its way. */
    fp_redis_disconnect(store);
    return changed(store, error), store->refused = false, FP_ERROR_IO;
}

fp_status fp_redis_commit(void *opened, fp_store_state *state, fp_error *error) {
    fp_redis *store = opened;
    fp_error why = {0};
    struct commit commit = {.state = state, .cut = state->count.cut};
    if (getrandom(&state->mark, sizeof state->mark, 0) != sizeof state->mark) state->mark++;
    fp_status status = fp_redis_try(store, attempt, &commit, &why);
    fp_redis_batch_end(&store->batch);
    if (!status) {
        store->known = true;
        memcpy(store->state, commit.bytes, sizeof store->state);
        return FP_OK;
    }
    bool unknown = status == FP_ERROR_IO && commit.asked && !store->connection;
    fp_fail(error, status, "%.300s%s", why.message,
            unknown ? "; it is not known whether all of the transaction is there, or nothing of it" : "");
    return fp_redis_fail(store, status, error);
}
