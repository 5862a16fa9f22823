/* SPDX-License-Identifier: GPL-3.0-or-later
 * Key lists in Redis: look-up in one round trip, and checks of lists against records. */
#include <stdlib.h>
#include <string.h>

#include "index/store/redis_store.h"

/* ---- Near ---- */

struct near {
    const uint64_t *keys;
    size_t key_count;
    fp_arena *arena;
    fp_listed *found;
    size_t count, room;
};

/* Whether the transaction has deleted the record. */
static bool is_gone(const fp_redis *store, uint64_t number) {
    const fp_redis_row *row = fp_redis_noted(&store->batch, FP_REDIS_ROW, fp_redis_number_key(&number));
    return row && !row->record.number;
}

static fp_status take_entry(const fp_redis *store, struct near *near, fp_string entry, fp_error *error) {
    if (entry.length < FP_REDIS_NUMBER) return fp_redis_odd(store, error);
    uint64_t number = fp_redis_number_of(entry.data);
    if (is_gone(store, number)) return FP_OK;
    fp_string fingerprint = {entry.data + FP_REDIS_NUMBER, entry.length - FP_REDIS_NUMBER};
    fingerprint.data = FP_NEED(fp_string_copy(near->arena, fingerprint), error);
    FP_TRY(FP_ROOM(near->arena, near->found, near->count, near->room, error));
    near->found[near->count++] = (fp_listed){number, fingerprint};
    return FP_OK;
}

static fp_status take_list(const fp_redis *store, struct near *near, const redisReply *reply, fp_error *error) {
    if (reply->type != REDIS_REPLY_ARRAY) return fp_redis_odd(store, error);
    for (size_t i = 0; i < reply->elements; i++)
        FP_TRY(take_entry(store, near, fp_redis_string(reply->element[i]), error));
    return FP_OK;
}

static fp_status ask_lists(fp_redis *store, void *context, fp_error *error) {
    struct near *near = context;
    near->count = 0;
    for (size_t i = 0; i < near->key_count; i++)
        FP_TRY(fp_redis_send(store, error, "LRANGE " FP_REDIS_LIST " 0 -1", store->address.name, near->keys[i]));
    fp_status status = FP_OK;
    for (size_t i = 0; store->connection && i < near->key_count; i++) {
        FP_REDIS_REPLY(reply);
        fp_status its = fp_redis_receive(store, FP_REDIS_ENTRIES, &reply, error);
        if (!its) its = take_list(store, near, reply, error);
        if (!status) status = its;
    }
    return status;
}

/* Adds the entries that the transaction holds under the keys. */
static fp_status take_pending(const fp_redis *store, struct near *near, fp_error *error) {
    const fp_redis_batch *batch = &store->batch;
    for (size_t i = 0; i < near->key_count; i++)
        for (uint32_t at = fp_redis_listed_under(batch, near->keys[i]); at != FP_MAP_NONE; at = batch->entries[at].next)
            if (!batch->entries[at].goes) FP_TRY(take_entry(store, near, batch->entries[at].bytes, error));
    return FP_OK;
}

FP_COMPARES(by_number, fp_listed, FP_ORDER(a->number, b->number));

fp_status fp_redis_near(void *opened, const uint64_t *keys, size_t key_count, fp_arena *arena, const fp_listed **found,
                        size_t *count, fp_error *error) {
    fp_redis *store = opened;
    struct near near = {.keys = keys, .key_count = key_count, .arena = arena};
    FP_TRY(fp_redis_try(store, ask_lists, &near, error));
    FP_TRY(take_pending(store, &near, error));
    if (near.count) qsort(near.found, near.count, sizeof *near.found, by_number);
    *count = 0;
    for (size_t i = 0; i < near.count; i++)
        if (!i || near.found[i].number != near.found[*count - 1].number) near.found[(*count)++] = near.found[i];
    *found = near.found;
    return FP_OK;
}

/* ---- Checking: every entry must belong to a record with that key and fingerprint, and there must be as many entries
 * as keys of records, except for those cut ---- */

struct check {
    fp_redis *store;
    fp_store_check *all;
    fp_arena *arena; /* for one record */
    uint64_t keys, entries;
};

/* Checks the record of a number, and that its id leads to it. */
static fp_status check_row(struct check *check, uint64_t number, fp_error *error) {
    fp_redis_row row = {.record.number = 0};
    fp_error why = {0};
    uint64_t led = 0;
    fp_arena_reset(check->arena);
    fp_status status = fp_redis_row_of(check->store, number, true, check->arena, &row, &why);
    if (status) row.record = (fp_record){.number = number, .cluster = number};
    FP_TRY(fp_store_pass(check->all->report, status, &why, error));
    if (!row.record.number) return FP_OK;
    fp_store_check_record(check->all, &row.record);
    check->keys += row.keys.length / 8;
    if (!row.record.id.length) return FP_OK;
    FP_TRY(fp_redis_find(check->store, row.record.id, &led, error));
    if (led != number)
        fp_store_problem(check->all->report, "record %llu: its id \"%.*s\" does not lead to it",
                         (unsigned long long)number, (int)row.record.id.length, row.record.id.data);
    return FP_OK;
}

static bool has_key(fp_string keys, uint64_t key) {
    for (size_t i = 0; i < keys.length; i += 8)
        if (fp_bytes_get(keys.data + i) == key) return true;
    return false;
}

static fp_status check_entry(struct check *check, uint64_t key, fp_string entry, fp_error *error) {
    fp_redis_row row = {.record.number = 0};
    uint64_t number = entry.length < FP_REDIS_NUMBER ? 0 : fp_redis_number_of(entry.data);
    check->entries++;
    fp_arena_reset(check->arena);
    fp_status status = number ? fp_redis_row_of(check->store, number, false, check->arena, &row, error) : FP_OK;
    if (status && status != FP_ERROR_SYNTAX) return status;
    fp_string fingerprint = {entry.data + FP_REDIS_NUMBER, entry.length - FP_REDIS_NUMBER};
    if (status || !row.record.number || !has_key(row.keys, key) ||
        !fp_string_equal(row.record.fingerprint, fingerprint))
        fp_store_problem(check->all->report, "the list of key %016llx has an entry that no record %llu has",
                         (unsigned long long)key, (unsigned long long)number);
    return FP_OK;
}

static fp_status check_list(struct check *check, fp_string name, fp_error *error) {
    uint64_t key = name.length > 16 ? strtoull(name.data + name.length - 16, NULL, 16) : 0;
    FP_REDIS_REPLY(list);
    FP_TRY(fp_redis_answered(check->store, FP_REDIS_ENTRIES, REDIS_REPLY_ARRAY, &list, error, "LRANGE %b 0 -1",
                             FP_BYTES(name)));
    for (size_t i = 0; i < list->elements; i++)
        FP_TRY(check_entry(check, key, fp_redis_string(list->element[i]), error));
    return FP_OK;
}

/* SCAN may return a key twice while Redis shrinks its table. The check then counts too many entries. */
static fp_status check_lists(struct check *check, fp_error *error) {
    char cursor[128] = "0";
    do {
        FP_REDIS_REPLY(reply);
        FP_TRY(fp_redis_answered(check->store, FP_REDIS_SCANNED(1000), REDIS_REPLY_ARRAY, &reply, error,
                                 "SCAN %s MATCH %s:k:* COUNT 1000", cursor, check->store->address.name));
        fp_string next = reply->elements == 2 ? fp_redis_string(reply->element[0]) : (fp_string){0};
        const redisReply *names = next.data ? reply->element[1] : NULL;
        if (!names || names->type != REDIS_REPLY_ARRAY || next.length >= sizeof cursor)
            return fp_redis_odd(check->store, error);
        memcpy(cursor, next.data, next.length + 1);
        for (size_t i = 0; i < names->elements; i++)
            FP_TRY(check_list(check, fp_redis_string(names->element[i]), error));
    } while (strcmp(cursor, "0") != 0);
    return FP_OK;
}

static fp_status check_id_count(struct check *check, fp_error *error) {
    FP_REDIS_REPLY(reply);
    FP_TRY(fp_redis_answered(check->store, FP_REDIS_SHORT, REDIS_REPLY_INTEGER, &reply, error, "HLEN %s:ids",
                             check->store->address.name));
    uint64_t ids = (uint64_t)reply->integer;
    if (ids != check->all->records)
        fp_store_problem(check->all->report, "it holds %llu ids and %llu records", (unsigned long long)ids,
                         (unsigned long long)check->all->records);
    return FP_OK;
}

fp_status fp_redis_check(void *opened, fp_store_check *all, fp_error *error) {
    fp_redis *store = opened;
    FP_SCRATCH(arena, store->like, error);
    struct check check = {.store = store, .all = all, .arena = arena};
    for (uint64_t number = 1; number < all->state.count.next; number++) FP_TRY(check_row(&check, number, error));
    FP_TRY(check_id_count(&check, error));
    FP_TRY(fp_redis_each_match(store, 0, fp_store_check_match, all, error));
    FP_TRY(fp_redis_each_deleted(store, 0, fp_store_check_deleted, all, error));
    FP_TRY(check_lists(&check, error));
    if (check.entries > check.keys || (!all->state.count.cut && check.entries < check.keys))
        fp_store_problem(all->report, "the lists of keys have %" PRIu64 " entries, and records have %" PRIu64 " keys",
                         check.entries, check.keys);
    return FP_OK;
}
