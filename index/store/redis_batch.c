/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a transaction in Redis holds until its commit: changes in order, the last one of each key, entries of lists. */
#include <string.h>

#include "index/store/redis_store.h"

enum { FIRST = 256 };

fp_status fp_redis_batch_begin(fp_redis_batch *batch, const fp_arena *like, fp_error *error) {
    *batch = (fp_redis_batch){.arena = fp_arena_new_like(like)};
    if (!batch->arena) return fp_no_memory(error);
    fp_status status = fp_map_open(&batch->latest, FIRST, batch->arena, error);
    if (!status) status = fp_map_open(&batch->by_key, FIRST, batch->arena, error);
    if (status) fp_redis_batch_end(batch);
    return status;
}

void fp_redis_batch_end(fp_redis_batch *batch) {
    fp_arena_free(batch->arena);
    batch->arena = NULL;
}

/* Room for one item more. */
static fp_status grow(fp_arena *arena, void **items, size_t size, size_t count, size_t *room, fp_error *error) {
    if (count < *room) return FP_OK;
    size_t wanted = *room ? *room * 2 : FIRST;
    void *grown = fp_arena_grow(arena, *items, wanted * size);
    if (!grown) return fp_no_memory(error);
    *items = grown;
    *room = wanted;
    return FP_OK;
}

/* Puts into a map of at most `count` keys, which grows before it is more than half full. */
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

/* Two keys of one hash would be one: 2^-64 for each pair of a transaction. */
static uint64_t hash(fp_store_table table, fp_string key) { return fp_xxh3(key.data, key.length, table); }

static fp_status copy(fp_redis_batch *batch, fp_string *text, fp_error *error) {
    if (!text->data) return FP_OK;
    const char *copied = fp_string_copy(batch->arena, *text);
    if (!copied) return fp_no_memory(error);
    text->data = copied;
    batch->bytes += text->length;
    return FP_OK;
}

fp_status fp_redis_batch_change(fp_redis_batch *batch, fp_store_table table, fp_string key, fp_string value,
                                fp_error *error) {
    void *items = batch->changes;
    FP_TRY(grow(batch->arena, &items, sizeof *batch->changes, batch->change_count, &batch->change_room, error));
    batch->changes = items;
    FP_TRY(copy(batch, &key, error));
    FP_TRY(copy(batch, &value, error));
    FP_TRY(put(&batch->latest, hash(table, key), batch->change_count, batch->change_count, batch->arena, error));
    batch->changes[batch->change_count++] = (fp_redis_change){table, key, value};
    return FP_OK;
}

const fp_redis_change *fp_redis_batch_find(const fp_redis_batch *batch, fp_store_table table, fp_string key) {
    if (!batch->arena) return NULL;
    uint32_t at = fp_map_get(&batch->latest, hash(table, key));
    return at == FP_MAP_NONE ? NULL : batch->changes + at;
}

fp_status fp_redis_batch_entry(fp_redis_batch *batch, uint64_t key, uint64_t number, fp_string fingerprint, bool goes,
                               fp_error *error) {
    void *items = batch->entries;
    FP_TRY(grow(batch->arena, &items, sizeof *batch->entries, batch->entry_count, &batch->entry_room, error));
    batch->entries = items;
    char *bytes = fp_arena_raw(batch->arena, FP_KEY_BYTES + fingerprint.length, 1);
    if (!bytes) return fp_no_memory(error);
    fp_key_put(number, bytes);
    if (fingerprint.length) memcpy(bytes + FP_KEY_BYTES, fingerprint.data, fingerprint.length);
    batch->bytes += FP_REDIS_KEY + fingerprint.length;
    batch->entries[batch->entry_count] = (fp_redis_entry){
        key, number, {bytes, FP_KEY_BYTES + fingerprint.length}, goes, fp_redis_batch_under(batch, key)};
    FP_TRY(put(&batch->by_key, key, batch->entry_count, batch->entry_count, batch->arena, error));
    batch->entry_count++;
    return FP_OK;
}

uint32_t fp_redis_batch_under(const fp_redis_batch *batch, uint64_t key) {
    return batch->arena ? fp_map_get(&batch->by_key, key) : FP_MAP_NONE;
}
