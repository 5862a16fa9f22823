/* SPDX-License-Identifier: GPL-3.0-or-later
 * A Redis transaction: commands queue in memory and are sent between MULTI and EXEC, and take effect once, also when
 * the connection breaks. */
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "index/store/redis_store.h"

/* ---- The queue ---- */

enum { FIRST = 256 };

fp_status fp_redis_batch_begin(fp_redis_batch *batch, const fp_arena *like, fp_error *error) {
    *batch = (fp_redis_batch){.arena = FP_NEED(fp_arena_new_like(like), error)};
    fp_status status = fp_map_open(&batch->noted, FIRST, batch->arena, error);
    if (!status) status = fp_map_open(&batch->by_key, FIRST, batch->arena, error);
    if (status) fp_redis_batch_end(batch);
    return status;
}

void fp_redis_batch_end(fp_redis_batch *batch) {
    fp_arena_free(batch->arena);
    batch->arena = NULL;
}

/* Puts a value into a map of at most `count` keys, and grows the map before it is more than half full. */
static fp_status put(fp_map *map, uint64_t key, size_t value, size_t count, fp_arena *arena, fp_error *error) {
    if (2 * (count + 1) > map->mask + 1) {
        fp_map larger;
        FP_TRY(fp_map_open(&larger, map->mask + 1, arena, error));
        for (size_t i = 0; i <= map->mask; i++)
            if (map->value[i] != FP_MAP_NONE) fp_map_put(&larger, map->key[i], map->value[i]);
        *map = larger;
    }
    fp_map_put(map, key, (uint32_t)value);
    return FP_OK;
}

/* Copies a command of hiredis to the arena and frees it. */
static fp_status keep_command(fp_redis_batch *batch, fp_redis_command command, fp_error *error) {
    fp_status status = FP_ROOM(batch->arena, batch->commands, batch->command_count, batch->command_room, error);
    const char *kept = status ? NULL : fp_string_copy(batch->arena, (fp_string){command.bytes, command.length});
    redisFreeCommand(command.bytes);
    if (!kept) return fp_no_memory(error);
    batch->commands[batch->command_count++] = (fp_string){kept, command.length};
    return FP_OK;
}

fp_status fp_redis_queue(fp_redis_batch *batch, fp_error *error, const char *format, ...) {
    fp_redis_command command;
    va_list values;
    va_start(values, format);
    fp_status status = fp_redis_write(&command, format, values, error);
    va_end(values);
    return status ? status : keep_command(batch, command, error);
}

fp_status fp_redis_queue_words(fp_redis_batch *batch, const char **words, const size_t *lengths, size_t count,
                               fp_error *error) {
    char *made;
    long long length = redisFormatCommandArgv(&made, (int)count, words, lengths);
    return length < 0 ? fp_no_memory(error) : keep_command(batch, (fp_redis_command){made, (size_t)length}, error);
}

/* Keys with equal hashes count as equal: probability 2^-64 for each pair of a transaction. */
static uint64_t hash(fp_redis_kind kind, fp_string key) { return fp_xxh3(key.data, key.length, kind); }

fp_status fp_redis_note(fp_redis_batch *batch, fp_redis_kind kind, fp_string key, const void *value, size_t size,
                        fp_error *error) {
    FP_TRY(FP_ROOM(batch->arena, batch->notes, batch->note_count, batch->note_room, error));
    void *copy = FP_NEED(fp_arena_alloc(batch->arena, 1, size), error);
    memcpy(copy, value, size);
    FP_TRY(put(&batch->noted, hash(kind, key), batch->note_count, batch->note_count, batch->arena, error));
    batch->notes[batch->note_count++] = copy;
    return FP_OK;
}

const void *fp_redis_noted(const fp_redis_batch *batch, fp_redis_kind kind, fp_string key) {
    if (!batch->arena) return NULL;
    uint32_t at = fp_map_get(&batch->noted, hash(kind, key));
    return at == FP_MAP_NONE ? NULL : batch->notes[at];
}

fp_status fp_redis_list(fp_redis_batch *batch, uint64_t key, uint64_t number, fp_string fingerprint, bool goes,
                        fp_error *error) {
    FP_TRY(FP_ROOM(batch->arena, batch->entries, batch->entry_count, batch->entry_room, error));
    char *bytes = FP_NEED(fp_arena_raw(batch->arena, FP_REDIS_NUMBER + fingerprint.length, 1), error);
    for (int i = 0; i < FP_REDIS_NUMBER; i++) bytes[i] = (char)(number >> 8 * (FP_REDIS_NUMBER - 1 - i) & 0xff);
    if (fingerprint.length) memcpy(bytes + FP_REDIS_NUMBER, fingerprint.data, fingerprint.length);
    batch->entries[batch->entry_count] = (fp_redis_entry){
        key, number, {bytes, FP_REDIS_NUMBER + fingerprint.length}, goes, fp_redis_listed_under(batch, key)};
    FP_TRY(put(&batch->by_key, key, batch->entry_count, batch->entry_count, batch->arena, error));
    batch->entry_count++;
    return FP_OK;
}

uint32_t fp_redis_listed_under(const fp_redis_batch *batch, uint64_t key) {
    return batch->arena ? fp_map_get(&batch->by_key, key) : FP_MAP_NONE;
}

struct commit {
    fp_redis_state after;
    size_t commands; /* sent, with MULTI and EXEC */
    bool asked;      /* EXEC was sent at least once */
    bool done;
};

/* ---- Sending ---- */

#define SEND(...) (commit->commands++, fp_redis_send(store, error, __VA_ARGS__))

/* Sends list changes in order; after the last change of a bounded list, LTRIM. */
static fp_status send_entry(fp_redis *store, struct commit *commit, uint32_t index, fp_error *error) {
    const fp_redis_entry *entry = store->batch.entries + index;
    const char *name = store->address.name;
    if (entry->goes) FP_TRY(SEND("LREM " FP_REDIS_LIST " 0 %b", name, entry->key, FP_BYTES(entry->bytes)));
    else FP_TRY(SEND("LPUSH " FP_REDIS_LIST " %b", name, entry->key, FP_BYTES(entry->bytes)));
    if (!commit->after.list || fp_redis_listed_under(&store->batch, entry->key) != index) return FP_OK;
    return SEND("LTRIM " FP_REDIS_LIST " 0 %" PRIu64, name, entry->key, commit->after.list - 1);
}

static fp_status send_all(fp_redis *store, struct commit *commit, fp_error *error) {
    const fp_redis_batch *batch = &store->batch;
    commit->commands = batch->command_count;
    FP_TRY(SEND("MULTI"));
    for (size_t i = 0; i < batch->command_count; i++)
        FP_TRY(fp_redis_send_written(store, FP_BYTES(batch->commands[i]), error));
    for (size_t i = 0; i < batch->entry_count; i++) FP_TRY(send_entry(store, commit, (uint32_t)i, error));
    FP_TRY(SEND("SET %s:state %s", store->address.name, commit->after.text));
    FP_TRY(SEND("SET %s:writer %s EX %d", store->address.name, store->writer, FP_REDIS_LEASE));
    commit->asked = true;
    return SEND("EXEC");
}

/* ---- Replies ---- */

/* Redis executes the rest of a transaction if one command fails, for example on a value of another type. */
static fp_status all_done(fp_redis *store, const redisReply *reply, fp_error *error) {
    for (size_t i = 0; i < reply->elements; i++)
        if (reply->element[i]->type == REDIS_REPLY_ERROR)
            return FP_REDIS_FAIL(store, error, FP_ERROR_SYNTAX,
                                 "damaged: Redis could do only a part of the transaction: %.200s",
                                 reply->element[i]->str);
    return FP_OK;
}

/* The error of the first refused command explains the others. */
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

/* ---- State before the commit ---- */

/* Whether this is the last entry of its list. */
static bool is_last(const fp_redis_batch *batch, size_t i) {
    return fp_redis_listed_under(batch, batch->entries[i].key) == i;
}

static fp_status ask_before(fp_redis *store, const struct commit *commit, fp_error *error) {
    const fp_redis_batch *batch = &store->batch;
    const char *name = store->address.name;
    FP_TRY(fp_redis_send(store, error, "WATCH %s:state", name));
    FP_TRY(fp_redis_send(store, error, "GET %s:state", name));
    for (size_t i = 0; commit->after.list && i < batch->entry_count; i++)
        if (is_last(batch, i)) FP_TRY(fp_redis_send(store, error, "LLEN " FP_REDIS_LIST, name, batch->entries[i].key));
    return FP_OK;
}

/* Upper bound of the entries that LTRIM will cut of a list of that length; exact if the transaction deletes nothing. */
static uint64_t will_be_cut(const fp_redis *store, const struct commit *commit, size_t last, uint64_t length) {
    for (uint32_t at = (uint32_t)last; at != FP_MAP_NONE; at = store->batch.entries[at].next)
        length += !store->batch.entries[at].goes;
    return length > commit->after.list ? length - commit->after.list : 0;
}

static fp_status receive_before(fp_redis *store, struct commit *commit, redisReply **state, fp_error *error) {
    FP_REDIS_REPLY(first);
    FP_TRY(fp_redis_receive(store, FP_REDIS_SHORT, &first, error));
    FP_TRY(fp_redis_receive(store, FP_REDIS_SHORT, state, error));
    commit->after.store.count.cut = store->batch.before.store.count.cut;
    for (size_t i = 0; commit->after.list && i < store->batch.entry_count; i++)
        if (is_last(&store->batch, i)) {
            FP_REDIS_REPLY(reply);
            FP_TRY(fp_redis_receive(store, FP_REDIS_SHORT, &reply, error));
            if (reply->type == REDIS_REPLY_INTEGER)
                commit->after.store.count.cut += will_be_cut(store, commit, i, (uint64_t)reply->integer);
        }
    return FP_OK;
}

static fp_status changed(fp_redis *store, fp_error *error) {
    store->refused = true;
    return FP_REDIS_FAIL(store, error, FP_ERROR_IO,
                         "another process wrote to it meanwhile; nothing of the transaction was written");
}

/* ---- One attempt ---- */

static fp_status attempt(fp_redis *store, void *context, fp_error *error) {
    struct commit *commit = context;
    FP_REDIS_REPLY(reply);
    fp_redis_state there = {.mark = 0};
    FP_TRY(ask_before(store, commit, error));
    FP_TRY(receive_before(store, commit, &reply, error));
    if (reply->type == REDIS_REPLY_STRING) FP_TRY(fp_redis_state_parse(store, fp_redis_string(reply), &there, error));
    commit->done = there.mark == commit->after.mark;
    if (commit->done) return FP_OK;
    if (strcmp(there.text, store->batch.before.text) != 0) return changed(store, error);
    fp_redis_state_write(&commit->after);
    FP_TRY(send_all(store, commit, error));
    FP_TRY(receive_all(store, commit, error));
    if (commit->done) return FP_OK;
    /* NAME:state has changed meanwhile: by another writer, or by an earlier EXEC of this one that was still on its way.
     */
    fp_redis_disconnect(store);
    return changed(store, error), store->refused = false, FP_ERROR_IO;
}

fp_status fp_redis_commit(void *opened, fp_store_state *state, fp_error *error) {
    fp_redis *store = opened;
    fp_error why = {0};
    struct commit commit = {.after = store->batch.before};
    uint64_t *mark = &commit.after.mark;
    commit.after.store = *state;
    if (getrandom(mark, sizeof *mark, 0) != sizeof *mark) ++*mark;
    fp_status status = fp_redis_try(store, attempt, &commit, &why);
    fp_redis_batch_end(&store->batch);
    if (!status) {
        memcpy(store->committed, commit.after.text, sizeof store->committed);
        return FP_OK;
    }
    bool unknown = status == FP_ERROR_IO && commit.asked && !store->connection;
    return FP_REDIS_FAIL(store, error, status, "%.300s%s", why.message,
                         unknown ? "; it is unknown whether the transaction was written completely or not at all" : "");
}
