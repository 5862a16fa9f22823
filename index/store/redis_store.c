/* SPDX-License-Identifier: GPL-3.0-or-later
 * A store in Redis: opening, its state, and what it can do. */
#include <string.h>

#include "index/store/redis_store.h"

/* ---- The state ---- */

struct asked_state {
    bool there;
    char bytes[FP_STORE_STATE_BYTES];
    fp_store_state *state;
};

static fp_status ask_state(fp_redis *store, void *context, fp_error *error) {
    struct asked_state *asked = context;
    char room[FP_REDIS_KEY];
    redisReply *reply;
    FP_TRY(fp_redis_ask(store, (fp_string[]){FP_WORD("GET"), fp_redis_key(store, "state", room)}, 2, &reply, error));
    fp_string bytes = fp_redis_string(reply);
    asked->there = bytes.data;
    fp_status status = FP_OK;
    if (bytes.data && (status = fp_state_unpack(bytes, asked->state, error))) fp_redis_fail(store, status, error);
    else if (bytes.data) memcpy(asked->bytes, bytes.data, sizeof asked->bytes);
    freeReplyObject(reply);
    return status;
}

static fp_status there_is_none(const fp_redis *store, fp_error *error) {
    fp_fail(error, FP_ERROR_IO, store->tries > 1 ? "it holds the store no more" : "it holds no store of that name");
    return fp_redis_fail(store, FP_ERROR_IO, error);
}

static fp_status redis_state(void *opened, fp_store_state *state, fp_error *error) {
    fp_redis *store = opened;
    struct asked_state asked = {.state = state};
    FP_TRY(fp_redis_try(store, ask_state, &asked, error));
    return asked.there ? FP_OK : there_is_none(store, error);
}

/* What this writer committed last must be what Redis holds. */
static fp_status redis_begin(void *opened, fp_store_state *state, fp_error *error) {
    fp_redis *store = opened;
    struct asked_state asked = {.state = state};
    FP_TRY(fp_redis_hold(store, error));
    FP_TRY(fp_redis_try(store, ask_state, &asked, error));
    if (!asked.there) return there_is_none(store, error);
    if (store->known && memcmp(asked.bytes, store->state, sizeof store->state) != 0) {
        fp_fail(error, FP_ERROR_IO,
                "it is not what was committed last: another process wrote to it, or Redis died and lost what it had "
                "acknowledged");
        return fp_redis_fail(store, FP_ERROR_IO, error);
    }
    FP_TRY(fp_redis_batch_begin(&store->batch, store->like, error));
    memcpy(store->batch.before, asked.bytes, sizeof asked.bytes);
    return FP_OK;
}

static void redis_give_up(void *opened) { fp_redis_batch_end(&((fp_redis *)opened)->batch); }

/* ---- Opening and closing ---- */

static void redis_close(void *opened) {
    fp_redis *store = opened;
    fp_redis_batch_end(&store->batch);
    fp_redis_leave(store);
    fp_redis_disconnect(store);
    fp_arena_free(store->own);
    fp_memory_release(store->like, store);
}

static const char *redis_name(const void *store) { return ((const fp_redis *)store)->address.shown; }
static const char *redis_caution(const void *store) { return ((const fp_redis *)store)->caution; }

static fp_status make(fp_redis *store, fp_error *error) {
    fp_store_state first = {.count.next = 1, .list = store->address.list};
    char bytes[FP_STORE_STATE_BYTES], room[FP_REDIS_KEY];
    redisReply *reply;
    fp_state_pack(&first, bytes);
    const fp_string words[] = {
        FP_WORD("SET"), fp_redis_key(store, "state", room), {bytes, sizeof bytes}, FP_WORD("NX")};
    FP_TRY(fp_redis_ask(store, words, sizeof words / sizeof *words, &reply, error));
    bool set = reply->type == REDIS_REPLY_STATUS;
    freeReplyObject(reply);
    if (set) return FP_OK;
    fp_fail(error, FP_ERROR_DUPLICATE, "it is there already");
    return fp_redis_fail(store, FP_ERROR_DUPLICATE, error);
}

static fp_status open_store(fp_redis *store, const char *address, fp_records_mode mode, fp_store_state *state,
                            fp_error *error) {
    store->own = fp_arena_new_like(store->like);
    if (!store->own) return fp_no_memory(error);
    FP_TRY(fp_redis_address_parse(address, store->own, &store->address, error));
    FP_TRY(fp_redis_connect(store, error));
    if (mode == FP_RECORDS_WRITE || mode == FP_RECORDS_CREATE) {
        FP_TRY(fp_redis_look(store, error));
        FP_TRY(fp_redis_take(store, error));
    }
    if (mode == FP_RECORDS_CREATE) FP_TRY(make(store, error));
    FP_TRY(redis_state(store, state, error));
    store->tries = FP_REDIS_TRIES;
    return FP_OK;
}

static fp_status redis_open(const char *address, fp_records_mode mode, const fp_arena *like, void **opened,
                            fp_store_state *state, fp_error *error) {
    fp_redis *store = fp_memory_take(like, 1, sizeof *store);
    if (!store) return fp_no_memory(error);
    *store = (fp_redis){.like = like, .tries = 1};
    fp_status status = open_store(store, address, mode, state, error);
    if (status) redis_close(store);
    else *opened = store;
    return status;
}

/* ---- Writing ---- */

static fp_status redis_put(void *opened, fp_store_table table, fp_string key, fp_string value, fp_error *error) {
    return fp_redis_batch_change(&((fp_redis *)opened)->batch, table, key, value, error);
}

static fp_status redis_drop(void *opened, fp_store_table table, fp_string key, fp_error *error) {
    return fp_redis_batch_change(&((fp_redis *)opened)->batch, table, key, (fp_string){0}, error);
}

static size_t redis_room(const void *opened) {
    size_t held = ((const fp_redis *)opened)->batch.bytes;
    return held < FP_TRANSACTION_BYTES ? FP_TRANSACTION_BYTES - held : 0;
}

const fp_store_engine fp_redis_engine = {
    .open = redis_open,
    .close = redis_close,
    .caution = redis_caution,
    .name = redis_name,
    .state = redis_state,
    .begin = redis_begin,
    .commit = fp_redis_commit,
    .give_up = redis_give_up,
    .room = redis_room,
    .get = fp_redis_get,
    .put = redis_put,
    .drop = redis_drop,
    .each = fp_redis_each,
    .each_number = fp_redis_each_number,
    .list = fp_redis_list,
    .unlist = fp_redis_unlist,
    .near = fp_redis_near,
    .check = fp_redis_check,
};
