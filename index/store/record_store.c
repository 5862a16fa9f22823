/* SPDX-License-Identifier: GPL-3.0-or-later
 * Records in a store of any kind: what is written where, and in which order it is refused. */
#include "index/store/record_store.h"

#include <stdlib.h>
#include <string.h>

#include "index/store/store_engine.h"

/* ---- The kinds of addresses ---- */

static bool begins(const char *text, const char *with) { return !strncmp(text, with, strlen(with)); }

bool fp_records_address_is_file(const char *address) {
    return !begins(address, "redis://") && !begins(address, "rediss://");
}

/* ---- A store ---- */

fp_status fp_records_open(const char *address, fp_records_mode mode, const fp_arena *like, fp_records **records,
                          fp_error *error) {
    *records = NULL;
    fp_records *made = fp_memory_take(like, 1, sizeof *made);
    if (!made) return fp_no_memory(error);
    *made = (fp_records){
        .engine = fp_records_address_is_file(address) ? &fp_lmdb_engine : &fp_redis_engine, .like = like, .mode = mode};
    made->scratch = fp_arena_new_like(like);
    fp_status status = made->scratch ? made->engine->open(address, mode, like, &made->store, &made->state, error)
                                     : fp_no_memory(error);
    if (status) fp_records_close(made);
    else *records = made;
    return status;
}

void fp_records_close(fp_records *records) {
    if (!records) return;
    fp_records_abort(records);
    if (records->store) records->engine->close(records->store);
    fp_arena_free(records->scratch);
    fp_memory_release(records->like, records);
}

const char *fp_records_caution(const fp_records *records) {
    return records->engine->caution ? records->engine->caution(records->store) : NULL;
}

fp_status fp_records_at(const fp_records *records, fp_status status, fp_error *error) {
    return status ? fp_at(error, status, records->engine->name(records->store), SIZE_MAX, SIZE_MAX) : FP_OK;
}

static fp_status outside(const fp_records *records, fp_error *error) {
    return records->open ? fp_records_at(records, fp_fail(error, FP_ERROR_RANGE, "a transaction is open"), error)
                         : FP_OK;
}

/* ---- Reading ---- */

static fp_status state_now(fp_records *records, fp_store_state *state, fp_error *error) {
    if (records->open) {
        *state = records->state;
        return FP_OK;
    }
    return records->engine->state(records->store, state, error);
}

fp_status fp_records_counted(fp_records *records, fp_records_count *count, fp_error *error) {
    fp_store_state state;
    FP_TRY(state_now(records, &state, error));
    *count = state.count;
    return FP_OK;
}

fp_status fp_records_fact(fp_records *records, const char *name, fp_arena *arena, fp_string *value, fp_error *error) {
    fp_string bytes;
    *value = (fp_string){0};
    FP_TRY(records->engine->get(records->store, FP_STORE_FACTS, fp_string_of(name), arena, &bytes, error));
    if (!bytes.data || !fp_fact_unpack(fp_string_of(name), bytes, value, error)) return FP_OK;
    return fp_records_at(
        records, fp_fail(error, FP_ERROR_SYNTAX, "damaged: the checksum of its \"%s\" is another", name), error);
}

static fp_status damaged_record(uint64_t number, fp_error *error) {
    return fp_fail(error, FP_ERROR_SYNTAX, "record %llu is damaged: its checksum is another",
                   (unsigned long long)number);
}

fp_status fp_record_of_values(uint64_t number, const fp_string *values, bool text_asked, fp_arena *arena,
                              fp_record *record, fp_record_rest *rest, fp_error *error) {
    char key[FP_KEY_BYTES];
    fp_key_put(number, key);
    if (fp_record_unpack(values[0], number, record, rest, error)) return damaged_record(number, error);
    record->cluster = number;
    if (values[1].data && fp_number_unpack(values[1], (fp_string){key, sizeof key}, &record->cluster, error))
        return damaged_record(number, error);
    if (!text_asked || !rest->text_kept) return FP_OK;
    if (!values[2].data)
        return fp_fail(error, FP_ERROR_SYNTAX, "record %llu is damaged: its text is missing",
                       (unsigned long long)number);
    fp_status status = fp_record_text_unpack(values[2], number, arena, &record->text, error);
    return status == FP_ERROR_SYNTAX ? damaged_record(number, error) : status;
}

static const fp_store_table OF_RECORD[FP_STORE_BESIDE] = {FP_STORE_RECORDS, FP_STORE_CLUSTERS, FP_STORE_TEXTS};

/* The strings of a record for good. */
static fp_status keep(fp_record *record, fp_arena *arena, fp_error *error) {
    fp_string *const strings[] = {&record->id, &record->fingerprint, &record->title, &record->url, &record->source};
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) {
        const char *copy = fp_string_copy(arena, *strings[i]);
        if (!copy) return fp_no_memory(error);
        strings[i]->data = copy;
    }
    return FP_OK;
}

struct wanted {
    bool text, found;
    fp_arena *arena;
    fp_record *record;
};

static fp_status take_record(void *context, uint64_t number, const fp_string *values, fp_error *error) {
    struct wanted *wanted = context;
    fp_record_rest rest;
    FP_TRY(fp_record_of_values(number, values, wanted->text, wanted->arena, wanted->record, &rest, error));
    wanted->found = true;
    return keep(wanted->record, wanted->arena, error);
}

fp_status fp_records_get(fp_records *records, uint64_t number, bool text, fp_arena *arena, fp_record *record,
                         fp_error *error) {
    struct wanted wanted = {text, false, arena, record};
    if (number && number <= UINT32_MAX)
        FP_TRY(fp_records_at(records,
                             records->engine->each_number(records->store, OF_RECORD, text ? 3 : 2, number, number + 1,
                                                          take_record, &wanted, error),
                             error));
    if (wanted.found) return FP_OK;
    return fp_records_at(records, fp_fail(error, FP_ERROR_UNKNOWN, "it has no record %llu", (unsigned long long)number),
                         error);
}

fp_status fp_records_find(fp_records *records, fp_string id, uint64_t *number, fp_error *error) {
    fp_string bytes;
    *number = 0;
    if (!id.length || id.length > FP_RECORD_ID) return FP_OK;
    fp_arena_reset(records->scratch);
    FP_TRY(records->engine->get(records->store, FP_STORE_IDS, id, records->scratch, &bytes, error));
    if (!bytes.data || !fp_number_unpack(bytes, id, number, error)) return FP_OK;
    return fp_records_at(records,
                         fp_fail(error, FP_ERROR_SYNTAX,
                                 "damaged: the checksum of the number of id \"%.*s\" is another", (int)id.length,
                                 id.data),
                         error);
}

/* ---- All of them ---- */

struct each_record {
    fp_records *records;
    bool text;
    fp_arena *arena; /* of one record */
    fp_visit_record visit;
    void *context;
};

/* Fingerprints are read as numbers: aligned to 8, wherever the store has them. */
static fp_status align(fp_string *bytes, fp_arena *arena, fp_error *error) {
    if ((uintptr_t)bytes->data % sizeof(uint64_t) == 0 || bytes->length == 0) return FP_OK;
    char *copy = fp_arena_raw(arena, bytes->length, 1);
    if (!copy) return fp_no_memory(error);
    memcpy(copy, bytes->data, bytes->length);
    bytes->data = copy;
    return FP_OK;
}

static fp_status tell_record(void *context, uint64_t number, const fp_string *values, fp_error *error) {
    struct each_record *each = context;
    fp_record record;
    fp_record_rest rest;
    fp_arena_reset(each->arena);
    FP_TRY(fp_records_at(each->records,
                         fp_record_of_values(number, values, each->text, each->arena, &record, &rest, error), error));
    FP_TRY(align(&record.fingerprint, each->arena, error));
    return each->visit(each->context, &record, error);
}

fp_status fp_records_each(fp_records *records, uint64_t from, bool text, fp_visit_record visit, void *context,
                          fp_error *error) {
    FP_TRY(outside(records, error));
    fp_store_state state;
    FP_TRY(state_now(records, &state, error));
    struct each_record each = {records, text, fp_arena_new_like(records->like), visit, context};
    if (!each.arena) return fp_no_memory(error);
    fp_status status = records->engine->each_number(records->store, OF_RECORD, text ? 3 : 2, from, state.count.next,
                                                    tell_record, &each, error);
    fp_arena_free(each.arena);
    return status;
}

struct each_match {
    fp_records *records;
    fp_visit_match visit;
    void *context;
};

static fp_status tell_match(void *context, fp_string key, fp_string value, fp_error *error) {
    struct each_match *each = context;
    fp_record_match match = {0};
    if (key.length == 2 * FP_KEY_BYTES) {
        match.later = fp_key_get(key.data);
        match.earlier = fp_key_get(key.data + FP_KEY_BYTES);
    }
    if (fp_match_unpack(value, &match, error))
        return fp_records_at(each->records,
                             fp_fail(error, FP_ERROR_SYNTAX,
                                     "the match of records %llu and %llu is damaged: its checksum is another",
                                     (unsigned long long)match.later, (unsigned long long)match.earlier),
                             error);
    return each->visit(each->context, &match, error);
}

fp_status fp_records_each_match(fp_records *records, uint64_t from, fp_visit_match visit, void *context,
                                fp_error *error) {
    FP_TRY(outside(records, error));
    if (from > UINT32_MAX) return FP_OK;
    char key[2 * FP_KEY_BYTES] = {0};
    fp_key_put(from, key);
    struct each_match each = {records, visit, context};
    return records->engine->each(records->store, FP_STORE_MATCHES, (fp_string){key, sizeof key}, tell_match, &each,
                                 error);
}

struct each_number {
    fp_records *records;
    fp_visit_number visit;
    void *context;
};

static fp_status tell_number(void *context, fp_string key, fp_string value, fp_error *error) {
    struct each_number *each = context;
    uint64_t number;
    if (fp_number_unpack(value, key, &number, error))
        return fp_records_at(each->records,
                             fp_fail(error, FP_ERROR_SYNTAX, "its deletion log is damaged: a checksum is another"),
                             error);
    return each->visit(each->context, number, error);
}

fp_status fp_records_each_deleted(fp_records *records, uint64_t from, fp_visit_number visit, void *context,
                                  fp_error *error) {
    FP_TRY(outside(records, error));
    if (from > UINT32_MAX) return FP_OK;
    char key[FP_KEY_BYTES];
    fp_key_put(from, key);
    struct each_number each = {records, visit, context};
    return records->engine->each(records->store, FP_STORE_DELETED, (fp_string){key, sizeof key}, tell_number, &each,
                                 error);
}

/* ---- Key lists ---- */

bool fp_records_have_keys(const fp_records *records) { return records->engine->list; }

fp_status fp_records_near(fp_records *records, const uint64_t *keys, size_t key_count, fp_arena *arena,
                          const uint64_t **numbers, const fp_string **fingerprints, size_t *count, fp_error *error) {
    if (!fp_records_have_keys(records))
        return fp_records_at(records, fp_fail(error, FP_ERROR_UNKNOWN, "a store in a file keeps no key lists"), error);
    fp_string *found;
    FP_TRY(records->engine->near(records->store, keys, key_count, arena, numbers, &found, count, error));
    for (size_t i = 0; i < *count; i++) FP_TRY(align(found + i, arena, error));
    *fingerprints = found;
    return FP_OK;
}
