/* SPDX-License-Identifier: GPL-3.0-or-later
 * A store in Redis: opening, its state, and what it can do. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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
    redisReply *reply;
    FP_TRY(FP_REDIS_ANSWER_TO(store, FP_REDIS_SHORT, REDIS_REPLY_NIL, &reply, error, FP_WORD("GET"),
                              fp_redis_key(store, "state", room)));
    fp_string text = fp_redis_string(reply);
    fp_status status = text.data ? fp_redis_state_parse(store, text, state, error) : FP_ERROR_IO;
    if (!text.data) {
        fp_fail(error, FP_ERROR_IO, store->tries > 1 ? "it holds the store no more" : "it holds no store of that name");
        fp_redis_fail(store, FP_ERROR_IO, error);
    }
    freeReplyObject(reply);
    return status;
}

/* What this writer committed last must be what Redis holds. */
fp_status fp_redis_begin(void *opened, fp_store_state *state, fp_error *error) {
    fp_redis *store = opened;
    fp_redis_state now;
    FP_TRY(fp_redis_hold(store, error));
    FP_TRY(fp_redis_state_now(store, &now, error));
    if (*store->committed && strcmp(store->committed, now.text) != 0) {
        fp_fail(error, FP_ERROR_IO,
                "it is not what was committed last: another process wrote to it, or Redis died and lost what it had "
                "acknowledged");
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
    fp_redis_leave(store);
    fp_redis_disconnect(store);
    fp_arena_free(store->own);
    fp_memory_release(store->like, store);
}

static fp_status make(fp_redis *store, fp_error *error) {
    fp_redis_state first = {.store.count.next = 1, .list = store->address.list};
    char room[FP_REDIS_KEY];
    redisReply *reply;
    fp_redis_state_write(&first);
    const fp_string words[] = {FP_WORD("SET"), fp_redis_key(store, "state", room), fp_string_of(first.text),
                               FP_WORD("NX")};
    FP_TRY(fp_redis_ask(store, words, sizeof words / sizeof *words, &reply, error));
    bool set = reply->type == REDIS_REPLY_STATUS;
    freeReplyObject(reply);
    if (set) return FP_OK;
    fp_fail(error, FP_ERROR_DUPLICATE, "it is there already");
    return fp_redis_fail(store, FP_ERROR_DUPLICATE, error);
}

static fp_status open_store(fp_redis *store, const char *address, fp_records_mode mode, fp_error *error) {
    fp_redis_state state;
    store->own = fp_arena_new_like(store->like);
    if (!store->own) return fp_no_memory(error);
    FP_TRY(fp_redis_address_parse(address, store->own, &store->address, error));
    FP_TRY(fp_redis_connect(store, error));
    if (mode == FP_RECORDS_WRITE || mode == FP_RECORDS_CREATE) {
        FP_TRY(fp_redis_look(store, error));
        FP_TRY(fp_redis_take(store, error));
    }
    if (mode == FP_RECORDS_CREATE) FP_TRY(make(store, error));
    FP_TRY(fp_redis_state_now(store, &state, error));
    store->tries = FP_REDIS_TRIES;
    return FP_OK;
}

fp_status fp_redis_open(const char *address, fp_records_mode mode, const fp_arena *like, void **opened,
                        fp_error *error) {
    fp_redis *store = fp_memory_take(like, 1, sizeof *store);
    if (!store) return fp_no_memory(error);
    *store = (fp_redis){.like = like, .tries = 1};
    fp_status status = open_store(store, address, mode, error);
    if (status) fp_redis_close(store);
    else *opened = store;
    return status;
}
