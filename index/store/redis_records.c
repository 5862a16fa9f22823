/* SPDX-License-Identifier: GPL-3.0-or-later
 * Records in Redis: what a transaction holds of them so far, and what Redis has. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "index/store/redis_store.h"

/* ---- Facts and ids ---- */

static fp_status hash_value(fp_redis *store, const char *hash, fp_string field, size_t most, fp_arena *arena,
                            fp_string *value, fp_error *error) {
    char room[FP_REDIS_KEY];
    FP_REDIS_REPLY(reply);
    FP_TRY(FP_REDIS_ANSWER_TO(store, FP_REDIS_VALUE(most), REDIS_REPLY_NIL, &reply, error, FP_WORD("HGET"),
                              fp_redis_key(store, hash, room), field));
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

/* A number in decimal, and nothing behind it. */
static bool parse(fp_string text, uint64_t *number) {
    char *end;
    if (!text.length || *text.data < '0' || *text.data > '9') return false;
    errno = 0;
    *number = strtoull(text.data, &end, 10); /* what hiredis gives ends with a NUL */
    return !errno && end == text.data + text.length;
}

fp_status fp_redis_find(void *opened, fp_string id, uint64_t *number, fp_error *error) {
    fp_redis *store = opened;
    const uint64_t *noted = fp_redis_noted(&store->batch, FP_REDIS_ID, id);
    fp_string value;
    *number = noted ? *noted : 0;
    if (noted) return FP_OK;
    FP_SCRATCH(arena, store->like, error);
    FP_TRY(hash_value(store, "ids", id, 0, arena, &value, error));
    return value.data && !parse(value, number) ? fp_redis_odd(store, error) : FP_OK;
}

/* ---- Rows ---- */

enum field {
    ID,
    FINGERPRINT,
    EMPTY,
    TITLE,
    URL,
    SOURCE,
    TIME,
    CHARACTERS,
    CLUSTER,
    CHECKSUM,
    KEYS,
    TEXT,
    TEXT_CHECKSUM,
    FIELDS
};
static const char *const FIELD[FIELDS] = {"id",     "fingerprint", "empty",        "title",   "url",
                                          "source", "time",        "characters",   "cluster", "checksum",
                                          "keys",   "text",        "text_checksum"};

static fp_status damaged(const fp_redis *store, uint64_t number, fp_error *error) {
    fp_fail(error, FP_ERROR_SYNTAX, "record %" PRIu64 " is damaged: a field of it is missing, or of another type",
            number);
    return fp_redis_fail(store, FP_ERROR_SYNTAX, error);
}

/* An answer to HMGET; the strings are the answer's. Its number is 0: there is no record. */
static fp_status row_of(const fp_redis *store, const redisReply *reply, uint64_t number, fp_redis_row *row,
                        fp_error *error) {
    fp_string value[FIELDS] = {{0}};
    uint64_t empty = 0, time = 0, sum = 0, text_sum = 0;
    size_t there = 0;
    *row = (fp_redis_row){.record.time = FP_TIME_NONE};
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements < TEXT || reply->elements > FIELDS)
        return fp_redis_odd(store, error);
    for (size_t i = 0; i < reply->elements; i++) {
        value[i] = fp_redis_string(reply->element[i]);
        there += value[i].data != NULL;
    }
    if (!there) return FP_OK;
    fp_record *record = &row->record;
    *record = (fp_record){.number = number,
                          .id = value[ID],
                          .fingerprint = value[FINGERPRINT],
                          .title = value[TITLE],
                          .url = value[URL],
                          .source = value[SOURCE],
                          .time = FP_TIME_NONE,
                          .text = value[TEXT]};
    row->keys = value[KEYS];
    bool good = record->id.length && record->id.length <= FP_RECORD_ID && row->keys.length % 8 == 0 &&
                parse(value[EMPTY], &empty) && parse(value[CHARACTERS], &record->characters) &&
                parse(value[CLUSTER], &record->cluster) && parse(value[CHECKSUM], &sum) &&
                (!value[TEXT].length || parse(value[TEXT_CHECKSUM], &text_sum));
    bool before = value[TIME].length && *value[TIME].data == '-'; /* 1970 */
    if (before) value[TIME] = (fp_string){value[TIME].data + 1, value[TIME].length - 1};
    if (good && value[TIME].data) good = parse(value[TIME], &time);
    if (!good) return damaged(store, number, error);
    record->says = !empty;
    if (value[TIME].data) record->time = (int64_t)(before ? -time : time);
    if (sum == fp_store_sum_of_record(record) &&
        (!record->text.length || text_sum == fp_store_sum(record->text, number)))
        return FP_OK;
    fp_fail(error, FP_ERROR_SYNTAX, "record %" PRIu64 " is damaged: its checksum differs", number);
    return fp_redis_fail(store, FP_ERROR_SYNTAX, error);
}

static fp_status copy_row(fp_redis_row *row, fp_arena *arena, fp_error *error) {
    fp_record *record = &row->record;
    fp_string *const strings[] = {&record->id,     &record->fingerprint, &record->title, &record->url,
                                  &record->source, &record->text,        &row->keys};
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) {
        const char *copy = FP_NEED(fp_string_copy(arena, *strings[i]), error);
        strings[i]->data = copy;
    }
    return FP_OK;
}

/* Several in one round trip. */
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
    size_t fields = asked->text ? FIELDS : TEXT;
    fp_redis_most most = FP_REDIS_VALUES(FIELDS); /* all of them together have no more bytes */
    free_rows(asked);
    for (size_t i = 0; i < asked->count; i++) {
        char room[FP_REDIS_KEY];
        fp_string words[2 + FIELDS] = {FP_WORD("HMGET"), fp_redis_numbered(store, 'r', asked->from + i, room)};
        for (size_t f = 0; f < fields; f++) words[2 + f] = fp_string_of(FIELD[f]);
        FP_TRY(fp_redis_send(store, words, 2 + fields, error));
    }
    fp_status status = FP_OK;
    for (size_t i = 0; store->connection && i < asked->count; i++) {
        fp_status its = fp_redis_receive(store, most, asked->reply + i, status ? NULL : error);
        if (!status) status = its;
        most.bytes -= store->answer.had.bytes;
    }
    return status;
}

/* With what the transaction says of it. */
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
        bool fewer = status == FP_ERROR_RANGE && asked.count > 1; /* together they are too long */
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

/* ---- All of a list and of a sorted set, in pieces ---- */

enum { PIECE = 1000 };

fp_status fp_redis_each_deleted(void *opened, uint64_t from, fp_visit_number visit, void *context, fp_error *error) {
    fp_redis *store = opened;
    char room[FP_REDIS_KEY], first[FP_REDIS_KEY], last[FP_REDIS_KEY];
    for (size_t got = PIECE; got == PIECE; from += got) {
        FP_REDIS_REPLY(piece);
        FP_TRY(FP_REDIS_ANSWER_TO(store, FP_REDIS_VALUES(PIECE), REDIS_REPLY_ARRAY, &piece, error, FP_WORD("LRANGE"),
                                  fp_redis_key(store, "deleted", room), fp_redis_decimal(from, first),
                                  fp_redis_decimal(from + PIECE - 1, last)));
        got = piece->elements;
        for (size_t i = 0; i < got; i++) {
            uint64_t number = 0;
            if (!parse(fp_redis_string(piece->element[i]), &number)) number = 0;
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
    char room[FP_REDIS_KEY], most[FP_REDIS_KEY], low[2 + MATCH_KEY] = "[";
    match_key(from, 0, low + 1);
    for (size_t got = PIECE; got == PIECE;) {
        FP_REDIS_REPLY(piece);
        FP_TRY(FP_REDIS_ANSWER_TO(store, FP_REDIS_VALUES(PIECE), REDIS_REPLY_ARRAY, &piece, error,
                                  FP_WORD("ZRANGEBYLEX"), fp_redis_key(store, "matches", room), fp_string_of(low),
                                  FP_WORD("+"), FP_WORD("LIMIT"), FP_WORD("0"), fp_redis_decimal(PIECE, most)));
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

/* ---- Writing: into the transaction ---- */

#define QUEUE(...)                                                  \
    fp_redis_queue(&store->batch, (const fp_string[]){__VA_ARGS__}, \
                   sizeof((const fp_string[]){__VA_ARGS__}) / sizeof(fp_string), error)

static fp_status redis_set_fact(void *opened, const char *name, fp_string value, fp_error *error) {
    fp_redis *store = opened;
    char room[FP_REDIS_KEY];
    fp_string kept = {fp_string_copy(store->batch.arena, value), value.length};
    if (!kept.data) return fp_no_memory(error);
    FP_TRY(QUEUE(FP_WORD("HSET"), fp_redis_key(store, "facts", room), fp_string_of(name), value));
    return fp_redis_note(&store->batch, FP_REDIS_FACT, fp_string_of(name), &kept, sizeof kept, error);
}

static fp_status pack_keys(const uint64_t *keys, size_t count, fp_arena *arena, fp_string *packed, fp_error *error) {
    unsigned char *bytes = FP_NEED(fp_arena_raw(arena, 8 * count, 1), error);
    for (size_t i = 0; i < count; i++) fp_bytes_put(keys[i], bytes + 8 * i);
    *packed = (fp_string){(const char *)bytes, 8 * count};
    return FP_OK;
}

/* Fields that have no value are left out. */
static fp_status queue_row(fp_redis *store, const fp_redis_row *row, fp_error *error) {
    const fp_record *record = &row->record;
    char room[FP_REDIS_KEY], time[FP_REDIS_KEY] = "", characters[FP_REDIS_KEY], cluster[FP_REDIS_KEY];
    char sum[FP_REDIS_KEY], text_sum[FP_REDIS_KEY];
    bool text = record->text.length;
    if (record->time != FP_TIME_NONE) snprintf(time, sizeof time, "%" PRId64, record->time);
    const fp_string value[FIELDS] = {record->id,
                                     record->fingerprint,
                                     record->says ? FP_WORD("0") : FP_WORD("1"),
                                     record->title,
                                     record->url,
                                     record->source,
                                     fp_string_of(time),
                                     fp_redis_decimal(record->characters, characters),
                                     fp_redis_decimal(record->cluster, cluster),
                                     fp_redis_decimal(fp_store_sum_of_record(record), sum),
                                     row->keys,
                                     record->text,
                                     text ? fp_redis_decimal(fp_store_sum(record->text, record->number), text_sum)
                                          : (fp_string){0}};
    fp_string words[2 + 2 * FIELDS] = {FP_WORD("HSET"), fp_redis_numbered(store, 'r', record->number, room)};
    size_t count = 2;
    for (size_t i = 0; i < FIELDS; i++) {
        if (!value[i].length) continue;
        words[count++] = fp_string_of(FIELD[i]);
        words[count++] = value[i];
    }
    return fp_redis_queue(&store->batch, words, count, error);
}

static fp_status queue_id(fp_redis *store, fp_string id, uint64_t number, fp_error *error) {
    char room[FP_REDIS_KEY], decimal[FP_REDIS_KEY];
    fp_string ids = fp_redis_key(store, "ids", room);
    if (number) FP_TRY(QUEUE(FP_WORD("HSET"), ids, id, fp_redis_decimal(number, decimal)));
    else FP_TRY(QUEUE(FP_WORD("HDEL"), ids, id));
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
    char room[FP_REDIS_KEY], decimal[FP_REDIS_KEY];
    for (size_t at = 0; at < row->keys.length; at += 8)
        FP_TRY(fp_redis_list(&store->batch, fp_bytes_get(row->keys.data + at), record->number, record->fingerprint,
                             true, error));
    FP_TRY(QUEUE(FP_WORD("DEL"), fp_redis_numbered(store, 'r', record->number, room)));
    FP_TRY(QUEUE(FP_WORD("RPUSH"), fp_redis_key(store, "deleted", room), fp_redis_decimal(record->number, decimal)));
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
    char room[FP_REDIS_KEY], decimal[FP_REDIS_KEY], sum[FP_REDIS_KEY];
    fp_redis_row row;
    FP_SCRATCH(arena, store->like, error);
    FP_TRY(fp_redis_row_of(store, number, false, arena, &row, error));
    *found = row.record.number != 0;
    if (!*found) return FP_OK;
    row.record.cluster = cluster;
    fp_redis_decimal(fp_store_sum_of_record(&row.record), sum);
    FP_TRY(QUEUE(FP_WORD("HSET"), fp_redis_numbered(store, 'r', number, room), FP_WORD("cluster"),
                 fp_redis_decimal(cluster, decimal), FP_WORD("checksum"), fp_string_of(sum)));
    return fp_redis_note(&store->batch, FP_REDIS_CLUSTER, fp_redis_number_key(&number), &cluster, sizeof cluster,
                         error);
}

static fp_status redis_put_match(void *opened, const fp_record_match *match, bool *added, fp_error *error) {
    fp_redis *store = opened;
    char room[FP_REDIS_KEY], low[2 + MATCH_KEY] = "[", high[2 + MATCH_KEY] = "(";
    match_key(match->later, match->earlier, low + 1);
    match_key(match->later, match->earlier, high + 1);
    high[MATCH_KEY]++; /* behind all that begin with the key and its space */
    fp_string set = fp_redis_key(store, "matches", room), key = {low + 1, MATCH_KEY};
    bool there = fp_redis_noted(&store->batch, FP_REDIS_MATCH, key);
    if (!there) {
        FP_REDIS_REPLY(reply);
        FP_TRY(FP_REDIS_ANSWER_TO(store, FP_REDIS_SHORT, REDIS_REPLY_INTEGER, &reply, error, FP_WORD("ZLEXCOUNT"), set,
                                  fp_string_of(low), fp_string_of(high)));
        there = reply->integer > 0;
    }
    const char *member =
        fp_format(store->batch.arena, "%s%.17g %.17g %.17g %.*s", low + 1, match->distance, match->similarity,
                  match->shared, (int)match->passages.length, match->passages.length ? match->passages.data : "");
    if (!member) return fp_no_memory(error);
    if (there) FP_TRY(QUEUE(FP_WORD("ZREMRANGEBYLEX"), set, fp_string_of(low), fp_string_of(high)));
    FP_TRY(QUEUE(FP_WORD("ZADD"), set, FP_WORD("0"), fp_string_of(member)));
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

static size_t redis_room(const void *opened) {
    size_t held = ((const fp_redis *)opened)->batch.bytes;
    return held < FP_TRANSACTION_BYTES ? FP_TRANSACTION_BYTES - held : 0;
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
    .room = redis_room,
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
