/* SPDX-License-Identifier: GPL-3.0-or-later
 * Records in Redis: those of the open transaction and those stored. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "index/store/redis_store.h"

/* ---- Facts and ids ---- */

static fp_status hash_value(fp_redis *store, const char *hash, fp_string field, size_t most, fp_arena *arena,
                            fp_string *value, fp_error *error) {
    FP_REDIS_REPLY(reply);
    FP_TRY(fp_redis_answered(store, FP_REDIS_VALUE(most), REDIS_REPLY_NIL, &reply, error, "HGET %s:%s %b",
                             store->address.name, hash, FP_BYTES(field)));
    fp_string found = fp_redis_string(reply);
    *value = (fp_string){found.data ? FP_NEED(fp_string_copy(arena, found), error) : NULL, found.length};
    return FP_OK;
}

static fp_status redis_fact(void *opened, const char *name, fp_arena *arena, fp_string *value, fp_error *error) {
    fp_redis *store = opened;
    const fp_string *noted = fp_redis_noted(&store->batch, FP_REDIS_FACT, fp_string_of(name));
    if (!noted) return hash_value(store, "facts", fp_string_of(name), FP_FACT_BYTES, arena, value, error);
    *value = *noted;
    return FP_OK;
}

fp_status fp_redis_find(void *opened, fp_string id, uint64_t *number, fp_error *error) {
    fp_redis *store = opened;
    const uint64_t *noted = fp_redis_noted(&store->batch, FP_REDIS_ID, id);
    fp_string value;
    *number = noted ? *noted : 0;
    if (noted) return FP_OK;
    FP_SCRATCH(arena, store->like, error);
    FP_TRY(hash_value(store, "ids", id, 0, arena, &value, error));
    return value.data && !fp_string_count(value, number) ? fp_redis_odd(store, error) : FP_OK;
}

/* ---- Rows ---- */

/* Fields of a row: the columns, then these. */
enum { CHECKSUM = FP_RECORD_COLUMNS, KEYS, TEXT, TEXT_CHECKSUM, FIELDS };
#define WITHOUT "HMGET %s:r:%" PRIu64 " id fingerprint empty title url source time characters cluster checksum keys"
#define WITH_TEXT WITHOUT " text text_checksum"

static bool parse_field(fp_string value, const fp_record_column *column, fp_record *record) {
    fp_string *string = fp_column_string(record, column);
    uint64_t number;
    if (string) return *string = value, true;
    if (column->kind == FP_COLUMN_TIME) return !value.data || fp_parse_integer(value.data, &record->time);
    if (!fp_string_count(value, &number)) return false;
    fp_column_set_number(record, column, number);
    return true;
}

/* Reads a reply to HMGET, which keeps the strings. Number 0: there is no record. */
static fp_status row_of(const fp_redis *store, const redisReply *reply, uint64_t number, fp_redis_row *row,
                        fp_error *error) {
    fp_string value[FIELDS] = {{0}};
    uint64_t sum = 0, text_sum = 0;
    size_t there = 0;
    fp_record *record = &row->record;
    *row = (fp_redis_row){.record.time = FP_TIME_NONE};
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements < TEXT || reply->elements > FIELDS)
        return fp_redis_odd(store, error);
    for (size_t i = 0; i < reply->elements; i++) {
        value[i] = fp_redis_string(reply->element[i]);
        there += value[i].data != NULL;
    }
    if (!there) return FP_OK;
    record->number = number;
    record->text = value[TEXT];
    row->keys = value[KEYS];
    bool good = row->keys.length % 8 == 0 && fp_string_count(value[CHECKSUM], &sum) &&
                (!record->text.length || fp_string_count(value[TEXT_CHECKSUM], &text_sum));
    for (size_t c = 0; c < FP_RECORD_COLUMNS; c++) good &= parse_field(value[c], fp_record_columns + c, record);
    if (!good || !record->id.length || record->id.length > FP_RECORD_ID)
        return FP_REDIS_FAIL(store, error, FP_ERROR_SYNTAX,
                             "record %" PRIu64 " is damaged: a field of it is missing, or of another type", number);
    if (sum == fp_store_sum_of_record(record) &&
        (!record->text.length || text_sum == fp_store_sum(record->text, number)))
        return FP_OK;
    return FP_REDIS_FAIL(store, error, FP_ERROR_SYNTAX, "record %" PRIu64 " is damaged: its checksum differs", number);
}

static fp_status copy_row(fp_redis_row *row, fp_arena *arena, fp_error *error) {
    row->keys.data = FP_NEED(fp_string_copy(arena, row->keys), error);
    return fp_store_keep_record(&row->record, arena, error);
}

/* Rows fetched in one round trip. */
enum { ROWS = 256 };
struct asked_rows {
    uint64_t from;
    size_t count;
    bool text;
    redisReply *reply[ROWS];
};

static void free_rows(struct asked_rows *asked) {
    for (size_t i = 0; i < asked->count; i++) {
        freeReplyObject(asked->reply[i]);
        asked->reply[i] = NULL;
    }
}

static fp_status ask_rows(fp_redis *store, void *context, fp_error *error) {
    struct asked_rows *asked = context;
    fp_redis_most most = FP_REDIS_VALUES(FIELDS); /* bounds all rows together */
    free_rows(asked);
    for (size_t i = 0; i < asked->count; i++)
        FP_TRY(fp_redis_send(store, error, asked->text ? WITH_TEXT : WITHOUT, store->address.name, asked->from + i));
    fp_status status = FP_OK;
    for (size_t i = 0; store->connection && i < asked->count; i++) {
        fp_status its = fp_redis_receive(store, most, asked->reply + i, status ? NULL : error);
        if (!status) status = its;
        most.bytes -= store->answer.had.bytes;
    }
    return status;
}

/* The row as the transaction has changed it. */
static fp_status noted_row(const fp_redis *store, uint64_t number, const redisReply *reply, fp_redis_row *row,
                           fp_error *error) {
    const fp_redis_row *noted = fp_redis_noted(&store->batch, FP_REDIS_ROW, fp_redis_number_key(&number));
    const uint64_t *cluster = fp_redis_noted(&store->batch, FP_REDIS_CLUSTER, fp_redis_number_key(&number));
    if (noted) *row = *noted;
    else FP_TRY(row_of(store, reply, number, row, error));
    if (cluster) row->record.cluster = *cluster;
    return FP_OK;
}

fp_status fp_redis_row_of(fp_redis *store, uint64_t number, bool text, fp_arena *arena, fp_redis_row *row,
                          fp_error *error) {
    struct asked_rows asked = {number, 1, text, {NULL}};
    fp_status status = FP_OK;
    if (!fp_redis_noted(&store->batch, FP_REDIS_ROW, fp_redis_number_key(&number)))
        status = fp_redis_try(store, ask_rows, &asked, error);
    if (!status) status = noted_row(store, number, asked.reply[0], row, error);
    if (!status && row->record.number) status = copy_row(row, arena, error);
    if (!text) row->record.text = (fp_string){0};
    free_rows(&asked);
    return status;
}

/* ---- Records ---- */

static fp_status redis_get(void *store, uint64_t number, bool text, fp_arena *arena, fp_record *record,
                           fp_error *error) {
    fp_redis_row row;
    FP_TRY(fp_redis_row_of(store, number, text, arena, &row, error));
    *record = row.record;
    return FP_OK;
}

static fp_status redis_each(void *opened, uint64_t from, bool text, fp_visit_record visit, void *context,
                            fp_error *error) {
    fp_redis *store = opened;
    fp_redis_state state;
    FP_TRY(fp_redis_state_now(store, &state, error));
    uint64_t below = state.store.count.next;
    for (size_t most = ROWS; from < below;) {
        struct asked_rows asked = {from, below - from < most ? (size_t)(below - from) : most, text, {NULL}};
        fp_status status = fp_redis_try(store, ask_rows, &asked, error);
        bool fewer = status == FP_ERROR_RANGE && asked.count > 1; /* together they exceed the limit */
        for (size_t i = 0; !status && i < asked.count; i++) {
            fp_redis_row row;
            status = row_of(store, asked.reply[i], from + i, &row, error);
            if (!status && row.record.number) status = visit(context, &row.record, error);
        }
        free_rows(&asked);
        if (fewer) most = asked.count / 2;
        else if (status) return status;
        else from += asked.count;
    }
    return FP_OK;
}

/* ---- Lists and sorted sets, in pieces ---- */

enum { PIECE = 1000 };

fp_status fp_redis_each_deleted(void *opened, uint64_t from, fp_visit_number visit, void *context, fp_error *error) {
    fp_redis *store = opened;
    for (size_t got = PIECE; got == PIECE; from += got) {
        FP_REDIS_REPLY(piece);
        FP_TRY(fp_redis_answered(store, FP_REDIS_VALUES(PIECE), REDIS_REPLY_ARRAY, &piece, error,
                                 "LRANGE %s:deleted %" PRIu64 " %" PRIu64, store->address.name, from,
                                 from + PIECE - 1));
        got = piece->elements;
        for (size_t i = 0; i < got; i++) {
            uint64_t number = 0;
            if (!fp_string_count(fp_redis_string(piece->element[i]), &number)) number = 0;
            FP_TRY(visit(context, number, error));
        }
    }
    return FP_OK;
}

/* ---- Matches: "later earlier distance similarity shared passages" ---- */

enum { MATCH_KEY = 10 + 1 + 10 + 1 };

static void match_key(uint64_t later, uint64_t earlier, char key[MATCH_KEY + 1]) {
    snprintf(key, MATCH_KEY + 1, "%010u %010u ", (unsigned)later, (unsigned)earlier);
}

static bool parse_match(fp_string member, fp_record_match *match) {
    char *at;
    if (!member.data) return false;
    match->later = strtoull(member.data, &at, 10);
    match->earlier = strtoull(at, &at, 10);
    match->distance = strtod(at, &at);
    match->similarity = strtod(at, &at);
    match->shared = strtod(at, &at);
    if (*at != ' ') return false;
    match->passages = fp_string_of(at + 1);
    return true;
}

fp_status fp_redis_each_match(void *opened, uint64_t from, fp_visit_match visit, void *context, fp_error *error) {
    fp_redis *store = opened;
    char low[2 + MATCH_KEY] = "[";
    match_key(from, 0, low + 1);
    for (size_t got = PIECE; got == PIECE;) {
        FP_REDIS_REPLY(piece);
        FP_TRY(fp_redis_answered(store, FP_REDIS_VALUES(PIECE), REDIS_REPLY_ARRAY, &piece, error,
                                 "ZRANGEBYLEX %s:matches %s + LIMIT 0 %d", store->address.name, low, PIECE));
        got = piece->elements;
        for (size_t i = 0; i < got; i++) {
            fp_record_match match;
            if (!parse_match(fp_redis_string(piece->element[i]), &match)) return fp_redis_odd(store, error);
            FP_TRY(visit(context, &match, error));
            match_key(match.later, match.earlier + 1, low + 1); /* where the next piece begins */
        }
    }
    return FP_OK;
}

/* ---- Writing into the transaction ---- */

/* Queues a command on a key of the store; the name of the store is the first value. */
#define QUEUE(format, ...) fp_redis_queue(&store->batch, error, format, store->address.name, __VA_ARGS__)

static fp_status redis_set_fact(void *opened, const char *name, fp_string value, fp_error *error) {
    fp_redis *store = opened;
    fp_string kept = {FP_NEED(fp_string_copy(store->batch.arena, value), error), value.length};
    FP_TRY(QUEUE("HSET %s:facts %s %b", name, FP_BYTES(value)));
    return fp_redis_note(&store->batch, FP_REDIS_FACT, fp_string_of(name), &kept, sizeof kept, error);
}

static fp_status pack_keys(const uint64_t *keys, size_t count, fp_arena *arena, fp_string *packed, fp_error *error) {
    unsigned char *bytes = FP_NEED(fp_arena_raw(arena, 8 * count, 1), error);
    for (size_t i = 0; i < count; i++) fp_bytes_put(keys[i], bytes + 8 * i);
    *packed = (fp_string){(const char *)bytes, 8 * count};
    return FP_OK;
}

/* A number as text, or no text for a missing time. */
static fp_string write_number(char room[24], fp_column_kind kind, uint64_t number) {
    bool time = kind == FP_COLUMN_TIME;
    if (time && (int64_t)number == FP_TIME_NONE) return (fp_string){0};
    int length = time ? snprintf(room, 24, "%" PRId64, (int64_t)number) : snprintf(room, 24, "%" PRIu64, number);
    return (fp_string){room, (size_t)length};
}

/* Omits fields without a value. */
static fp_status queue_row(fp_redis *store, const fp_redis_row *row, fp_error *error) {
    static const char *const MORE[] = {"checksum", "keys", "text", "text_checksum"};
    fp_record record = row->record;
    char key[128], number[FIELDS][24];
    fp_string value[FIELDS] = {[KEYS] = row->keys, [TEXT] = record.text};
    for (size_t c = 0; c < FP_RECORD_COLUMNS; c++) {
        const fp_record_column *column = fp_record_columns + c;
        const fp_string *string = fp_column_string(&record, column);
        value[c] = string ? *string : write_number(number[c], column->kind, fp_column_number(&record, column));
    }
    value[CHECKSUM] = write_number(number[CHECKSUM], FP_COLUMN_NUMBER, fp_store_sum_of_record(&record));
    if (record.text.length)
        value[TEXT_CHECKSUM] =
            write_number(number[TEXT_CHECKSUM], FP_COLUMN_NUMBER, fp_store_sum(record.text, record.number));
    int length = snprintf(key, sizeof key, "%s:r:%" PRIu64, store->address.name, record.number);
    const char *words[2 + 2 * FIELDS] = {"HSET", key};
    size_t lengths[2 + 2 * FIELDS] = {4, (size_t)length}, count = 2;
    for (size_t i = 0; i < FIELDS; i++) {
        if (!value[i].length) continue;
        words[count] = i < FP_RECORD_COLUMNS ? fp_record_columns[i].name : MORE[i - FP_RECORD_COLUMNS];
        lengths[count] = strlen(words[count]);
        words[++count] = value[i].data;
        lengths[count++] = value[i].length;
    }
    return fp_redis_queue_words(&store->batch, words, lengths, count, error);
}

static fp_status queue_id(fp_redis *store, fp_string id, uint64_t number, fp_error *error) {
    if (number) FP_TRY(QUEUE("HSET %s:ids %b %" PRIu64, FP_BYTES(id), number));
    else FP_TRY(QUEUE("HDEL %s:ids %b", FP_BYTES(id)));
    return fp_redis_note(&store->batch, FP_REDIS_ID, id, &number, sizeof number, error);
}

static fp_status redis_add(void *opened, const fp_record *record, const uint64_t *keys, size_t key_count,
                           uint64_t *there, fp_error *error) {
    fp_redis *store = opened;
    fp_redis_row row = {.record = *record};
    FP_TRY(fp_redis_find(store, record->id, there, error));
    if (*there) return FP_OK;
    FP_TRY(pack_keys(keys, key_count, store->batch.arena, &row.keys, error));
    FP_TRY(copy_row(&row, store->batch.arena, error));
    FP_TRY(queue_row(store, &row, error));
    FP_TRY(fp_redis_note(&store->batch, FP_REDIS_ROW, fp_redis_number_key(&record->number), &row, sizeof row, error));
    for (size_t i = 0; i < key_count; i++)
        FP_TRY(fp_redis_list(&store->batch, keys[i], record->number, record->fingerprint, false, error));
    return queue_id(store, record->id, record->number, error);
}

static fp_status remove_row(fp_redis *store, const fp_redis_row *row, fp_error *error) {
    static const fp_redis_row GONE;
    const fp_record *record = &row->record;
    for (size_t at = 0; at < row->keys.length; at += 8)
        FP_TRY(fp_redis_list(&store->batch, fp_bytes_get(row->keys.data + at), record->number, record->fingerprint,
                             true, error));
    FP_TRY(QUEUE("DEL %s:r:%" PRIu64, record->number));
    FP_TRY(QUEUE("RPUSH %s:deleted %" PRIu64, record->number));
    FP_TRY(fp_redis_note(&store->batch, FP_REDIS_ROW, fp_redis_number_key(&record->number), &GONE, sizeof GONE, error));
    return queue_id(store, record->id, 0, error);
}

static fp_status redis_remove(void *opened, uint64_t number, uint64_t entry, bool *found, bool *had_text,
                              fp_error *error) {
    fp_redis *store = opened;
    fp_redis_row row;
    FP_SCRATCH(arena, store->like, error);
    (void)entry;
    FP_TRY(fp_redis_row_of(store, number, true, arena, &row, error));
    *found = row.record.number != 0;
    *had_text = *found && row.record.text.length;
    return *found ? remove_row(store, &row, error) : FP_OK;
}

static fp_status redis_set_cluster(void *opened, uint64_t number, uint64_t cluster, bool *found, fp_error *error) {
    fp_redis *store = opened;
    fp_redis_row row;
    FP_SCRATCH(arena, store->like, error);
    FP_TRY(fp_redis_row_of(store, number, false, arena, &row, error));
    *found = row.record.number != 0;
    if (!*found) return FP_OK;
    row.record.cluster = cluster;
    FP_TRY(QUEUE("HSET %s:r:%" PRIu64 " cluster %" PRIu64 " checksum %" PRIu64, number, cluster,
                 fp_store_sum_of_record(&row.record)));
    return fp_redis_note(&store->batch, FP_REDIS_CLUSTER, fp_redis_number_key(&number), &cluster, sizeof cluster,
                         error);
}

static fp_status redis_put_match(void *opened, const fp_record_match *match, bool *added, fp_error *error) {
    fp_redis *store = opened;
    char low[2 + MATCH_KEY] = "[", high[2 + MATCH_KEY] = "(";
    match_key(match->later, match->earlier, low + 1);
    match_key(match->later, match->earlier, high + 1);
    high[MATCH_KEY]++; /* after every member that begins with the key */
    fp_string key = {low + 1, MATCH_KEY};
    bool there = fp_redis_noted(&store->batch, FP_REDIS_MATCH, key);
    if (!there) {
        FP_REDIS_REPLY(reply);
        FP_TRY(fp_redis_answered(store, FP_REDIS_SHORT, REDIS_REPLY_INTEGER, &reply, error,
                                 "ZLEXCOUNT %s:matches %s %s", store->address.name, low, high));
        there = reply->integer > 0;
    }
    char measured[128];
    snprintf(measured, sizeof measured, "%.17g %.17g %.17g ", match->distance, match->similarity, match->shared);
    if (there) FP_TRY(QUEUE("ZREMRANGEBYLEX %s:matches %s %s", low, high));
    FP_TRY(QUEUE("ZADD %s:matches 0 %s%s%b", low + 1, measured, FP_BYTES(match->passages)));
    *added = !there;
    return fp_redis_note(&store->batch, FP_REDIS_MATCH, key, "", 1, error);
}

/* ---- The engine ---- */

static const char *redis_name(const void *store) { return ((const fp_redis *)store)->address.shown; }
static const char *redis_caution(const void *store) { return ((const fp_redis *)store)->caution; }
static void redis_rollback(void *opened) { fp_redis_batch_end(&((fp_redis *)opened)->batch); }

static fp_status redis_state(void *store, fp_store_state *state, fp_error *error) {
    fp_redis_state now;
    FP_TRY(fp_redis_state_now(store, &now, error));
    *state = now.store;
    return FP_OK;
}

const fp_store_engine fp_redis_engine = {
    .open = fp_redis_open,
    .close = fp_redis_close,
    .caution = redis_caution,
    .name = redis_name,
    .state = redis_state,
    .begin = fp_redis_begin,
    .commit = fp_redis_commit,
    .rollback = redis_rollback,
    .fact = redis_fact,
    .set_fact = redis_set_fact,
    .find = fp_redis_find,
    .get = redis_get,
    .each = redis_each,
    .each_match = fp_redis_each_match,
    .each_deleted = fp_redis_each_deleted,
    .add = redis_add,
    .remove = redis_remove,
    .set_cluster = redis_set_cluster,
    .put_match = redis_put_match,
    .near = fp_redis_near,
    .check = fp_redis_check,
};
