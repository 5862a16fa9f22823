/* SPDX-License-Identifier: GPL-3.0-or-later
 * What is written into a store: transactions, and what they add, delete and change. */
#include <string.h>

#include "base/bytes.h"
#include "index/store/store_engine.h"

/* ---- Transactions ---- */

fp_status fp_records_begin(fp_records *records, fp_error *error) {
    if (records->mode == FP_RECORDS_READ || records->mode == FP_RECORDS_CHECK)
        return fp_records_at(records, fp_fail(error, FP_ERROR_RANGE, "it was opened for reading"), error);
    if (records->open) return fp_records_at(records, fp_fail(error, FP_ERROR_RANGE, "a transaction is open"), error);
    FP_TRY(records->engine->begin(records->store, &records->state, error));
    records->open = true;
    records->lost = false;
    return FP_OK;
}

fp_status fp_records_commit(fp_records *records, fp_error *error) {
    if (!records->open) return fp_records_at(records, fp_fail(error, FP_ERROR_RANGE, "no transaction is open"), error);
    if (records->lost) {
        fp_records_abort(records);
        return fp_records_at(records, fp_fail(error, FP_ERROR_IO, "the transaction was lost before"), error);
    }
    records->open = false;
    return records->engine->commit(records->store, &records->state, error);
}

void fp_records_abort(fp_records *records) {
    if (records->open) records->engine->give_up(records->store);
    records->open = false;
}

static fp_status inside(const fp_records *records, fp_error *error) {
    if (!records->open) return fp_records_at(records, fp_fail(error, FP_ERROR_RANGE, "no transaction is open"), error);
    if (records->lost)
        return fp_records_at(records, fp_fail(error, FP_ERROR_IO, "the transaction was lost before"), error);
    return FP_OK;
}

/* What failed on the way loses the transaction. */
static fp_status written(fp_records *records, fp_status status) {
    if (status) records->lost = true;
    return status;
}

enum { KEY_ROOM = 1024 }; /* what is held of a key beside its entry, and of a record beside its strings */

/* Whether so much can be held until the commit: said before anything of it is written. */
static fp_status has_room(const fp_records *records, size_t bytes, fp_error *error) {
    if (!records->engine->room || bytes <= records->engine->room(records->store)) return FP_OK;
    return fp_records_at(
        records,
        fp_fail(error, FP_ERROR_RANGE, "more than %d bytes in one transaction: commit before", FP_TRANSACTION_BYTES),
        error);
}

static fp_status put(fp_records *records, fp_store_table table, fp_string key, fp_string value, fp_error *error) {
    return records->engine->put(records->store, table, key, value, error);
}

/* A number under a key. */
static fp_status put_number(fp_records *records, fp_store_table table, fp_string key, uint64_t number,
                            fp_error *error) {
    char bytes[FP_NUMBER_BYTES];
    fp_number_pack(number, key, bytes);
    return put(records, table, key, (fp_string){bytes, sizeof bytes}, error);
}

/* ---- Facts ---- */

fp_status fp_records_set_fact(fp_records *records, const char *name, fp_string value, fp_error *error) {
    FP_TRY(inside(records, error));
    if (!*name || strlen(name) > FP_RECORD_ID || value.length > FP_FACT_BYTES)
        return fp_records_at(records,
                             fp_fail(error, FP_ERROR_RANGE,
                                     "the fact \"%.40s\": from 1 to %d bytes of name, at most %d of value", name,
                                     FP_RECORD_ID, FP_FACT_BYTES),
                             error);
    FP_TRY(has_room(records, value.length + KEY_ROOM, error));
    fp_string bytes;
    fp_arena_reset(records->scratch);
    fp_status status = fp_fact_pack(fp_string_of(name), value, records->scratch, &bytes, error);
    if (!status) status = put(records, FP_STORE_FACTS, fp_string_of(name), bytes, error);
    return written(records, status);
}

/* ---- Adding ---- */

static fp_status check_record(const fp_records *records, const fp_record *record, size_t key_count, fp_error *error) {
    if (!record->id.length || record->id.length > FP_RECORD_ID)
        return fp_records_at(records,
                             fp_fail(error, FP_ERROR_RANGE, "an id has from 1 to %d bytes, \"%.40s\" has %zu",
                                     FP_RECORD_ID, record->id.length ? record->id.data : "", record->id.length),
                             error);
    const fp_string strings[] = {record->fingerprint, record->title, record->url, record->source, record->text};
    size_t left = FP_RECORD_BYTES;
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) {
        if (strings[i].length > left)
            return fp_records_at(records,
                                 fp_fail(error, FP_ERROR_RANGE, "record \"%.*s\" has more than %d bytes",
                                         (int)record->id.length, record->id.data, FP_RECORD_BYTES),
                                 error);
        left -= strings[i].length;
    }
    FP_TRY(has_room(records, FP_RECORD_BYTES - left + key_count * (KEY_ROOM + record->fingerprint.length) + KEY_ROOM,
                    error));
    if (records->state.count.next > UINT32_MAX - 1)
        return fp_records_at(records, fp_fail(error, FP_ERROR_RANGE, "it has given all numbers below 2^32"), error);
    if (record->cluster > records->state.count.next)
        return fp_records_at(records,
                             fp_fail(error, FP_ERROR_RANGE, "record \"%.*s\": cluster %llu is no older record",
                                     (int)record->id.length, record->id.data, (unsigned long long)record->cluster),
                             error);
    return FP_OK;
}

static fp_status write_record(fp_records *records, const fp_record *record, const uint64_t *keys, size_t key_count,
                              fp_error *error) {
    char key_bytes[FP_KEY_BYTES];
    fp_key_put(record->number, key_bytes);
    fp_string key = {key_bytes, sizeof key_bytes}, bytes;
    bool lists = fp_records_have_keys(records);
    fp_arena_reset(records->scratch);
    FP_TRY(fp_record_pack(record, keys, lists ? key_count : 0, records->scratch, &bytes, error));
    FP_TRY(put(records, FP_STORE_RECORDS, key, bytes, error));
    FP_TRY(put_number(records, FP_STORE_IDS, record->id, record->number, error));
    if (record->cluster != record->number) FP_TRY(put_number(records, FP_STORE_CLUSTERS, key, record->cluster, error));
    if (record->text.length) {
        FP_TRY(fp_record_text_pack(record->text, record->number, records->scratch, &bytes, error));
        FP_TRY(put(records, FP_STORE_TEXTS, key, bytes, error));
    }
    for (size_t i = 0; lists && i < key_count; i++)
        FP_TRY(records->engine->list(records->store, keys[i], record->number, record->fingerprint, error));
    return FP_OK;
}

fp_status fp_records_add(fp_records *records, fp_record *record, const uint64_t *keys, size_t key_count,
                         fp_error *error) {
    uint64_t there;
    FP_TRY(inside(records, error));
    FP_TRY(check_record(records, record, key_count, error));
    FP_TRY(written(records, fp_records_find(records, record->id, &there, error)));
    if (there)
        return fp_records_at(records,
                             fp_fail(error, FP_ERROR_DUPLICATE, "the id \"%.*s\" is there, as record %llu",
                                     (int)record->id.length, record->id.data, (unsigned long long)there),
                             error);
    record->number = records->state.count.next;
    if (!record->cluster) record->cluster = record->number;
    FP_TRY(written(records, write_record(records, record, keys, key_count, error)));
    records->state.count.next++;
    records->state.count.records++;
    records->state.texts += record->text.length > 0;
    return FP_OK;
}

/* ---- Deleting and changing ---- */

/* What the record of that number has, in scratch. FP_ERROR_UNKNOWN: there is none. */
static fp_status stored(fp_records *records, uint64_t number, fp_string key, fp_record *record, fp_record_rest *rest,
                        fp_error *error) {
    fp_string bytes = {0};
    fp_arena_reset(records->scratch);
    if (number && number <= UINT32_MAX)
        FP_TRY(written(records,
                       records->engine->get(records->store, FP_STORE_RECORDS, key, records->scratch, &bytes, error)));
    if (!bytes.data)
        return fp_records_at(
            records, fp_fail(error, FP_ERROR_UNKNOWN, "it has no record %llu", (unsigned long long)number), error);
    if (fp_record_unpack(bytes, number, record, rest, error))
        return written(records,
                       fp_records_at(records,
                                     fp_fail(error, FP_ERROR_SYNTAX, "record %llu is damaged: its checksum is another",
                                             (unsigned long long)number),
                                     error));
    return FP_OK;
}

static fp_status drop_record(fp_records *records, const fp_record *record, fp_string key, fp_record_rest rest,
                             fp_error *error) {
    const fp_store_engine *engine = records->engine;
    for (size_t at_key = 0; engine->unlist && at_key < rest.keys.length; at_key += 8)
        FP_TRY(engine->unlist(records->store, fp_bytes_get(rest.keys.data + at_key), record->number,
                              record->fingerprint, error));
    FP_TRY(engine->drop(records->store, FP_STORE_IDS, record->id, error));
    FP_TRY(engine->drop(records->store, FP_STORE_CLUSTERS, key, error));
    if (rest.text_kept) FP_TRY(engine->drop(records->store, FP_STORE_TEXTS, key, error));
    FP_TRY(engine->drop(records->store, FP_STORE_RECORDS, key, error));
    char place[FP_KEY_BYTES];
    fp_key_put(records->state.count.deleted, place);
    return put_number(records, FP_STORE_DELETED, (fp_string){place, sizeof place}, record->number, error);
}

fp_status fp_records_delete(fp_records *records, uint64_t number, fp_error *error) {
    char key_bytes[FP_KEY_BYTES];
    fp_key_put(number, key_bytes);
    fp_string key = {key_bytes, sizeof key_bytes};
    fp_record record;
    fp_record_rest rest;
    FP_TRY(inside(records, error));
    FP_TRY(stored(records, number, key, &record, &rest, error));
    FP_TRY(written(records, drop_record(records, &record, key, rest, error)));
    records->state.count.deleted++;
    records->state.count.records--;
    records->state.texts -= rest.text_kept;
    return FP_OK;
}

fp_status fp_records_set_cluster(fp_records *records, uint64_t number, uint64_t cluster, fp_error *error) {
    char key_bytes[FP_KEY_BYTES];
    fp_key_put(number, key_bytes);
    fp_string key = {key_bytes, sizeof key_bytes};
    fp_record record;
    fp_record_rest rest;
    FP_TRY(inside(records, error));
    FP_TRY(stored(records, number, key, &record, &rest, error));
    if (!cluster || cluster > number)
        return fp_records_at(records,
                             fp_fail(error, FP_ERROR_RANGE, "record %llu: cluster %llu is no older record",
                                     (unsigned long long)number, (unsigned long long)cluster),
                             error);
    return written(records, cluster == number ? records->engine->drop(records->store, FP_STORE_CLUSTERS, key, error)
                                              : put_number(records, FP_STORE_CLUSTERS, key, cluster, error));
}

fp_status fp_records_add_match(fp_records *records, const fp_record_match *match, fp_error *error) {
    FP_TRY(inside(records, error));
    if (!match->earlier || match->earlier >= match->later || match->later >= records->state.count.next ||
        match->passages.length > FP_RECORD_BYTES)
        return fp_records_at(
            records,
            fp_fail(error, FP_ERROR_RANGE,
                    "no match of records %llu and %llu: the later one comes second, and both are known",
                    (unsigned long long)match->later, (unsigned long long)match->earlier),
            error);
    char key_bytes[2 * FP_KEY_BYTES];
    fp_key_put(match->later, key_bytes);
    fp_key_put(match->earlier, key_bytes + FP_KEY_BYTES);
    fp_string key = {key_bytes, sizeof key_bytes}, bytes, there;
    fp_arena_reset(records->scratch);
    fp_status status = records->engine->get(records->store, FP_STORE_MATCHES, key, records->scratch, &there, error);
    if (!status) status = fp_match_pack(match, records->scratch, &bytes, error);
    if (!status) status = put(records, FP_STORE_MATCHES, key, bytes, error);
    FP_TRY(written(records, status));
    records->state.count.matches += !there.data;
    return FP_OK;
}
