/* SPDX-License-Identifier: GPL-3.0-or-later
 * What a store in Redis is asked for: one value, all of a table, records by their numbers. */
#include <string.h>

#include "index/store/redis_store.h"

/* ---- One value ---- */

struct asked_value {
    const fp_string *words;
    size_t count;
    fp_redis_most most;
    fp_arena *arena;
    fp_string value;
};

/* A string, or the first of an array of them; of a match, which lies behind its key, what follows that. */
static fp_status ask_value(fp_redis *store, void *context, fp_error *error) {
    struct asked_value *asked = context;
    redisReply *reply;
    asked->value = (fp_string){0};
    FP_TRY(fp_redis_send(store, asked->words, asked->count, error));
    FP_TRY(fp_redis_receive(store, asked->most, &reply, error));
    fp_string found = {0};
    if (reply->type == REDIS_REPLY_ARRAY && reply->elements) found = fp_redis_string(reply->element[0]);
    else found = fp_redis_string(reply);
    if (found.data && reply->type == REDIS_REPLY_ARRAY && found.length >= 2 * FP_KEY_BYTES)
        found = (fp_string){found.data + 2 * FP_KEY_BYTES, found.length - 2 * FP_KEY_BYTES};
    const char *copy = found.data ? fp_string_copy(asked->arena, found) : NULL;
    if (copy) asked->value = (fp_string){copy, found.length};
    fp_status status = found.data && !copy ? fp_no_memory(error) : FP_OK;
    freeReplyObject(reply);
    return status;
}

static fp_status get_match(fp_redis *store, fp_string key, struct asked_value *asked, fp_error *error) {
    char room[FP_REDIS_KEY], low[FP_REDIS_MATCH_BOUND], high[FP_REDIS_MATCH_BOUND];
    fp_redis_match_bounds(key, low, high);
    const fp_string words[] = {
        FP_WORD("ZRANGEBYLEX"), fp_redis_key(store, "matches", room), {low, sizeof low}, {high, sizeof high}};
    asked->words = words;
    asked->count = sizeof words / sizeof *words;
    return fp_redis_try(store, ask_value, asked, error);
}

fp_status fp_redis_get(void *opened, fp_store_table table, fp_string key, fp_arena *arena, fp_string *value,
                       fp_error *error) {
    fp_redis *store = opened;
    struct asked_value asked = {.most = FP_REDIS_VALUE(FP_RECORD_BYTES), .arena = arena};
    char room[FP_REDIS_KEY];
    fp_status status;
    const fp_redis_change *change = fp_redis_batch_find(&store->batch, table, key);
    *value = change ? change->value : (fp_string){0};
    if (change) return FP_OK;
    if (table == FP_STORE_MATCHES) status = get_match(store, key, &asked, error);
    else if (table == FP_STORE_RECORDS) {
        asked.words = (fp_string[]){FP_WORD("GET"), fp_redis_numbered(store, 'r', fp_key_get(key.data), room)};
        asked.count = 2;
        status = fp_redis_try(store, ask_value, &asked, error);
    } else {
        const char *hash = table == FP_STORE_FACTS ? "facts" : "ids";
        asked.most = table == FP_STORE_FACTS ? FP_REDIS_VALUE(FP_FACT_BYTES) : FP_REDIS_SHORT;
        asked.words = (fp_string[]){FP_WORD("HGET"), fp_redis_key(store, hash, room), key};
        asked.count = 3;
        status = fp_redis_try(store, ask_value, &asked, error);
    }
    *value = asked.value;
    return status;
}

/* ---- All of a table, in pieces ---- */

enum { PIECE = 1000 };

static fp_status ask_piece(fp_redis *store, void *context, fp_error *error) {
    struct fp_redis_asked *asked = context;
    FP_TRY(fp_redis_ask_again(store, asked, error));
    if (asked->reply->type == REDIS_REPLY_ARRAY) return FP_OK;
    freeReplyObject(asked->reply);
    asked->reply = NULL;
    return fp_redis_odd(store, error);
}

static fp_status tell_deleted(uint64_t from, const redisReply *reply, fp_visit_value visit, void *context,
                              fp_error *error) {
    char key[FP_KEY_BYTES];
    for (size_t i = 0; i < reply->elements; i++) {
        fp_key_put(from + i, key);
        FP_TRY(visit(context, (fp_string){key, sizeof key}, fp_redis_string(reply->element[i]), error));
    }
    return FP_OK;
}

static fp_status each_deleted(fp_redis *store, uint64_t from, fp_visit_value visit, void *context, fp_error *error) {
    char room[FP_REDIS_KEY], first[FP_REDIS_KEY], last[FP_REDIS_KEY];
    for (size_t got = PIECE; got == PIECE; from += got) {
        const fp_string words[] = {FP_WORD("LRANGE"), fp_redis_key(store, "deleted", room),
                                   fp_redis_decimal(from, first), fp_redis_decimal(from + PIECE - 1, last)};
        struct fp_redis_asked piece = {words, sizeof words / sizeof *words, FP_REDIS_VALUES(PIECE), NULL};
        FP_TRY(fp_redis_try(store, ask_piece, &piece, error));
        got = piece.reply->elements;
        fp_status status = tell_deleted(from, piece.reply, visit, context, error);
        freeReplyObject(piece.reply);
        FP_TRY(status);
    }
    return FP_OK;
}

/* The key of the last one stays in `low`, behind which the next piece begins. */
static fp_status tell_matches(const fp_redis *store, const redisReply *reply, char low[FP_REDIS_MATCH_BOUND],
                              fp_visit_value visit, void *context, fp_error *error) {
    for (size_t i = 0; i < reply->elements; i++) {
        fp_string member = fp_redis_string(reply->element[i]);
        if (member.length < 2 * FP_KEY_BYTES) return fp_redis_odd(store, error);
        fp_string key = {member.data, 2 * FP_KEY_BYTES};
        memcpy(low + 1, key.data, key.length);
        FP_TRY(visit(context, key, (fp_string){member.data + key.length, member.length - key.length}, error));
    }
    return FP_OK;
}

static fp_status each_match(fp_redis *store, fp_string from, fp_visit_value visit, void *context, fp_error *error) {
    char room[FP_REDIS_KEY], most[FP_REDIS_KEY], low[FP_REDIS_MATCH_BOUND] = "[", high[FP_REDIS_MATCH_BOUND];
    if (from.length == 2 * FP_KEY_BYTES) memcpy(low + 1, from.data, from.length);
    for (size_t got = PIECE; got == PIECE;) {
        const fp_string words[] = {FP_WORD("ZRANGEBYLEX"),
                                   fp_redis_key(store, "matches", room),
                                   {low, sizeof low},
                                   FP_WORD("+"),
                                   FP_WORD("LIMIT"),
                                   FP_WORD("0"),
                                   fp_redis_decimal(PIECE, most)};
        struct fp_redis_asked piece = {words, sizeof words / sizeof *words, FP_REDIS_VALUES(PIECE), NULL};
        FP_TRY(fp_redis_try(store, ask_piece, &piece, error));
        got = piece.reply->elements;
        fp_status status = tell_matches(store, piece.reply, low, visit, context, error);
        freeReplyObject(piece.reply);
        FP_TRY(status);
        fp_redis_match_bounds((fp_string){low + 1, 2 * FP_KEY_BYTES}, low, high);
        memcpy(low + 1, high + 1, 2 * FP_KEY_BYTES);
    }
    return FP_OK;
}

/* All pairs of a hash. */
static fp_status each_pair(fp_redis *store, const char *hash, fp_visit_value visit, void *context, fp_error *error) {
    char room[FP_REDIS_KEY], cursor[FP_REDIS_KEY] = "0", most[FP_REDIS_KEY];
    do {
        const fp_string words[] = {FP_WORD("HSCAN"), fp_redis_key(store, hash, room), fp_string_of(cursor),
                                   FP_WORD("COUNT"), fp_redis_decimal(PIECE, most)};
        struct fp_redis_asked piece = {words, sizeof words / sizeof *words, FP_REDIS_SCANNED(PIECE), NULL};
        FP_TRY(fp_redis_try(store, ask_piece, &piece, error));
        redisReply *const *part = piece.reply->element;
        fp_string next = piece.reply->elements == 2 ? fp_redis_string(part[0]) : (fp_string){0};
        fp_status status = FP_OK;
        if (!next.data || next.length >= sizeof cursor || part[1]->type != REDIS_REPLY_ARRAY)
            status = fp_redis_odd(store, error);
        else memcpy(cursor, next.data, next.length + 1);
        for (size_t i = 0; !status && i + 1 < part[1]->elements; i += 2)
            status =
                visit(context, fp_redis_string(part[1]->element[i]), fp_redis_string(part[1]->element[i + 1]), error);
        freeReplyObject(piece.reply);
        FP_TRY(status);
    } while (strcmp(cursor, "0") != 0);
    return FP_OK;
}

fp_status fp_redis_each(void *opened, fp_store_table table, fp_string from, fp_visit_value visit, void *context,
                        fp_error *error) {
    fp_redis *store = opened;
    if (table == FP_STORE_DELETED)
        return each_deleted(store, from.length ? fp_key_get(from.data) : 0, visit, context, error);
    if (table == FP_STORE_MATCHES) return each_match(store, from, visit, context, error);
    return each_pair(store, table == FP_STORE_FACTS ? "facts" : "ids", visit, context, error);
}

/* ---- By number ---- */

enum { NUMBERS = 256 };

struct asked_numbers {
    const fp_store_table *tables;
    size_t count;
    uint64_t from;
    size_t numbers;
    redisReply *reply[FP_STORE_BESIDE];
};

static void free_numbers(struct asked_numbers *asked) {
    for (size_t i = 0; i < asked->count; i++) {
        if (asked->reply[i]) freeReplyObject(asked->reply[i]);
        asked->reply[i] = NULL;
    }
}

/* MGET of keys, or HMGET of a hash. */
static fp_status send_numbers(fp_redis *store, fp_store_table table, uint64_t from, size_t numbers, fp_error *error) {
    fp_string words[2 + NUMBERS];
    char room[1 + NUMBERS][FP_REDIS_KEY];
    size_t count = 0;
    bool hash = table == FP_STORE_CLUSTERS;
    words[count++] = hash ? FP_WORD("HMGET") : FP_WORD("MGET");
    if (hash) words[count++] = fp_redis_key(store, "clusters", room[NUMBERS]);
    for (size_t i = 0; i < numbers; i++)
        words[count++] = hash ? fp_redis_decimal(from + i, room[i])
                              : fp_redis_numbered(store, table == FP_STORE_TEXTS ? 't' : 'r', from + i, room[i]);
    return fp_redis_send(store, words, count, error);
}

/* All tables in one round trip. */
static fp_status ask_numbers(fp_redis *store, void *context, fp_error *error) {
    struct asked_numbers *asked = context;
    free_numbers(asked);
    for (size_t i = 0; i < asked->count; i++)
        FP_TRY(send_numbers(store, asked->tables[i], asked->from, asked->numbers, error));
    fp_status status = FP_OK;
    for (size_t i = 0; store->connection && i < asked->count; i++) {
        fp_status its = fp_redis_receive(store, FP_REDIS_VALUES(asked->numbers), asked->reply + i, error);
        if (!its && (asked->reply[i]->type != REDIS_REPLY_ARRAY || asked->reply[i]->elements != asked->numbers))
            its = fp_redis_odd(store, error);
        if (!status) status = its;
    }
    return status;
}

static fp_status tell_numbers(fp_redis *store, const struct asked_numbers *asked, fp_visit_numbered visit,
                              void *context, fp_error *error) {
    for (size_t n = 0; n < asked->numbers; n++) {
        fp_string values[FP_STORE_BESIDE] = {{0}};
        char key[FP_KEY_BYTES];
        fp_key_put(asked->from + n, key);
        for (size_t i = 0; i < asked->count; i++) {
            const fp_redis_change *change =
                fp_redis_batch_find(&store->batch, asked->tables[i], (fp_string){key, sizeof key});
            values[i] = change ? change->value : fp_redis_string(asked->reply[i]->element[n]);
        }
        if (values[0].data) FP_TRY(visit(context, asked->from + n, values, error));
    }
    return FP_OK;
}

fp_status fp_redis_each_number(void *opened, const fp_store_table *tables, size_t count, uint64_t from, uint64_t below,
                               fp_visit_numbered visit, void *context, fp_error *error) {
    fp_redis *store = opened;
    fp_store_state state;
    if (below == UINT64_MAX) {
        FP_TRY(fp_redis_engine.state(store, &state, error));
        below = state.count.next;
    }
    for (size_t most = NUMBERS; from < below;) {
        struct asked_numbers asked = {tables, count, from, below - from < most ? (size_t)(below - from) : most, {NULL}};
        fp_status status = fp_redis_try(store, ask_numbers, &asked, error);
        bool fewer = status == FP_ERROR_RANGE && asked.numbers > 1; /* their texts together are too long */
        if (!status) status = tell_numbers(store, &asked, visit, context, error);
        free_numbers(&asked);
        if (fewer) most = asked.numbers / 2;
        else if (status) return status;
        else from += asked.numbers;
    }
    return FP_OK;
}
