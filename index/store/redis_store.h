/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * redis_store.h - the inside of a store in Redis.
 *
 * Keys, all of which begin with NAME: (fplab:):
 *
 *     NAME:state       what the store says of itself; every commit changes it, and only commits do
 *     NAME:writer      who writes: "process 12 on host", a space, a mark; ends by itself after a minute
 *     NAME:facts       hash, by name
 *     NAME:ids         hash, id → number
 *     NAME:r:NUMBER    a record: a hash with a field for each column of a file, the text, and the keys (8 bytes each)
 *     NAME:deleted     list of numbers, in order
 *     NAME:matches     sorted set of scores 0: "later earlier distance similarity shared passages", with 10 digits of
 *                      each number
 *     NAME:k:KEY       list of the records under a key (16 hexadecimal digits), the newest first: number (4 bytes, the
 *                      highest first), then the fingerprint
 *
 * A transaction is held in memory until its commit, which sends all of it between MULTI and EXEC, where NAME:state is
 * as it was when the transaction began (WATCH). What NAME:state is tells whether an EXEC whose answer did not come was
 * executed: a commit can be sent again, and is there once.
 */
#ifndef FP_REDIS_STORE_H
#define FP_REDIS_STORE_H

#include <inttypes.h>
#include <stdarg.h>

#include <hiredis.h>

#include "base/map.h"
#include "index/store/store_engine.h"

/* ---- Addresses ---- */

typedef struct fp_redis_address {
    bool tls;
    const char *host, *user, *password; /* user, password: NULL where none is said */
    int port, database;
    const char *name;  /* letters, digits, '.', '-', '_' */
    uint64_t list;     /* 0: lists of any length */
    const char *shown; /* without user and password */
} fp_redis_address;
/* FP_ERROR_SYNTAX, FP_ERROR_RANGE; FP_ERROR_UNKNOWN: TLS, which hiredis has not here. */
fp_status fp_redis_address_parse(const char *text, fp_arena *arena, fp_redis_address *address, fp_error *error);

/* ---- The state, as text: "fplab", the version, its members and the mark, which is drawn anew for each commit ---- */

enum { FP_REDIS_STATE = 256 };
typedef struct fp_redis_state {
    fp_store_state store;
    uint64_t list; /* the most entries of a key list; 0: any number */
    uint64_t mark;
    char text[FP_REDIS_STATE]; /* as it is in Redis */
} fp_redis_state;

/* ---- What a transaction holds (redis_transaction.c) ---- */

/* What reading has to know of the commands that wait. */
typedef enum fp_redis_kind {
    FP_REDIS_FACT,    /* name → fp_string */
    FP_REDIS_ID,      /* id → uint64_t number; 0: it was deleted */
    FP_REDIS_ROW,     /* number → fp_redis_row; its number is 0: it was deleted */
    FP_REDIS_CLUSTER, /* number → uint64_t */
    FP_REDIS_MATCH    /* "later earlier " → anything */
} fp_redis_kind;

typedef struct fp_redis_entry {
    uint64_t key;
    uint64_t number;
    fp_string bytes; /* of the list */
    bool goes;
    uint32_t next; /* the entry before under that key, FP_MAP_NONE: none */
} fp_redis_entry;

typedef struct fp_redis_batch {
    fp_arena *arena;     /* NULL: no transaction is open */
    fp_string *commands; /* as they are sent */
    size_t command_count, command_room;
    const void **notes;
    size_t note_count, note_room;
    fp_map noted; /* kind and key → the last note */
    fp_redis_entry *entries;
    size_t entry_count, entry_room;
    fp_map by_key; /* key → its last entry */
    size_t bytes;
    fp_redis_state before; /* the state that it begins with */
} fp_redis_batch;
fp_status fp_redis_batch_begin(fp_redis_batch *batch, const fp_arena *like, fp_error *error);
void fp_redis_batch_end(fp_redis_batch *batch);
/* A command of the commit: its words as of fp_redis_send; or as they are, copied. */
fp_status fp_redis_queue(fp_redis_batch *batch, fp_error *error, const char *format, ...);
fp_status fp_redis_queue_words(fp_redis_batch *batch, const char **words, const size_t *lengths, size_t count,
                               fp_error *error);
/* `value`, of `size` bytes, is copied; what it leads to lives in the arena of the batch. */
fp_status fp_redis_note(fp_redis_batch *batch, fp_redis_kind kind, fp_string key, const void *value, size_t size,
                        fp_error *error);
/* The last note, or NULL. */
const void *fp_redis_noted(const fp_redis_batch *batch, fp_redis_kind kind, fp_string key);
static inline fp_string fp_redis_number_key(const uint64_t *number) {
    return (fp_string){(const char *)number, sizeof *number};
}
/* Entries of lists: `goes` takes one out. */
fp_status fp_redis_list(fp_redis_batch *batch, uint64_t key, uint64_t number, fp_string fingerprint, bool goes,
                        fp_error *error);
/* The last entry under the key, FP_MAP_NONE: none. */
uint32_t fp_redis_listed_under(const fp_redis_batch *batch, uint64_t key);

/* A number as four bytes, the highest first. */
enum { FP_REDIS_NUMBER = 4 };
static inline uint64_t fp_redis_number_of(const char *bytes) {
    uint64_t number = 0;
    for (int i = 0; i < FP_REDIS_NUMBER; i++) number = number << 8 | (unsigned char)bytes[i];
    return number;
}

/* ---- A store ---- */

/* The most that an answer may be, since what was asked for is known: elements of arrays, those of inner ones included,
 * and bytes of strings. */
typedef struct fp_redis_most {
    size_t elements, bytes;
} fp_redis_most;

/* The answer that is being read. */
typedef struct fp_redis_answer {
    const redisReplyObjectFunctions *build; /* of hiredis, behind those that count */
    redisReplyObjectFunctions counting;
    fp_redis_most most, had;
    bool excess;
} fp_redis_answer;

typedef struct fp_redis {
    const fp_arena *like;
    fp_arena *own; /* as long as the store */
    fp_redis_address address;
    redisContext *connection; /* NULL: lost */
    fp_redis_answer answer;
    int patience;       /* seconds for an answer */
    int tries;          /* of connections; 1 until the store is open */
    bool refused;       /* what failed last is Redis's answer: another connection would not help */
    const char *writer; /* what NAME:writer says while this one writes; NULL: it reads */
    const char *caution;
    char committed[FP_REDIS_STATE]; /* the state of the last commit of this writer; empty: none */
    fp_redis_batch batch;
} fp_redis;

/* ---- The connection (redis_connection.c) ---- */

/* Seconds: of connecting and each answer until the store is open; of each answer from then on, and one more for each
 * MiB of it (a command may wait for the disk of the server). */
enum { FP_REDIS_CONNECT = 5, FP_REDIS_ANSWER = 30, FP_REDIS_LEASE = 60 };

/* Connects, says the password and the database, and asks whether it is Redis. */
fp_status fp_redis_connect(fp_redis *store, fp_error *error);
void fp_redis_disconnect(fp_redis *store);
/* What failed, at the address; printf-style. */
#define FP_REDIS_FAIL(store, error, code, ...) FP_FAIL_AT(error, code, (store)->address.shown, __VA_ARGS__)

/* Into the pipeline: a command, whose words are separated by spaces in the format of hiredis (%s, %b with FP_BYTES,
 * numbers as of printf). Nothing need be waited for; what waits is sent when it is long. A failure ends the connection.
 */
fp_status fp_redis_send(fp_redis *store, fp_error *error, const char *format, ...);
fp_status fp_redis_send_written(fp_redis *store, const char *command, size_t length, fp_error *error);
#define FP_BYTES(string) (string).data, (string).length
/* The command as it is sent; the caller ends it with redisFreeCommand. */
typedef struct fp_redis_command {
    char *bytes;
    size_t length;
} fp_redis_command;
fp_status fp_redis_write(fp_redis_command *command, const char *format, va_list values, fp_error *error);
/* An answer of one short value. */
#define FP_REDIS_SHORT ((fp_redis_most){16, (size_t)1 << 16})
/* A value of at most `bytes`, and what is packed around it. */
#define FP_REDIS_VALUE(bytes) ((fp_redis_most){16, (size_t)(bytes) + ((size_t)1 << 20)})
/* So many values; together they have no more bytes than a transaction. */
#define FP_REDIS_VALUES(count) ((fp_redis_most){(count), FP_TRANSACTION_BYTES})
/* SCAN and HSCAN answer with more than COUNT where Redis holds a table in one piece. */
#define FP_REDIS_SCANNED(count) FP_REDIS_VALUES((size_t)128 * (count))
/* The entries of a list of any length: the most that are read at once. */
#define FP_REDIS_ENTRIES FP_REDIS_VALUES((size_t)1 << 22)

/* From now on answers of the connection, which was just made, are counted. */
void fp_redis_count_answers(fp_redis *store);
/* An answer, freed when its block is left. */
static inline void fp_redis_free(redisReply **reply) { freeReplyObject(*reply); }
#define FP_REDIS_REPLY(name) redisReply *name __attribute__((cleanup(fp_redis_free))) = NULL
/* The next answer; the caller frees it with freeReplyObject, which takes NULL. An answer that is an error is one
 * (FP_ERROR_IO), and leaves *reply NULL; so does a connection that fails, which ends. FP_ERROR_RANGE: the answer is
 * more than `most`; the connection ends. */
fp_status fp_redis_receive(fp_redis *store, fp_redis_most most, redisReply **reply, fp_error *error);
/* One command and its answer, which is short. */
fp_status fp_redis_ask(fp_redis *store, redisReply **reply, fp_error *error, const char *format, ...);

/* Runs `work` on a connection; where that fails, anew on another: up to FP_REDIS_TRIES times in about eight seconds,
 * and not after FP_REDIS_ANSWER seconds. */
typedef fp_status (*fp_redis_work)(fp_redis *store, void *context, fp_error *error);
enum { FP_REDIS_TRIES = 9 };
fp_status fp_redis_try(fp_redis *store, fp_redis_work work, void *context, fp_error *error);

static inline fp_string fp_redis_string(const redisReply *reply) {
    return reply->type == REDIS_REPLY_STRING ? (fp_string){reply->str, reply->len} : (fp_string){0};
}
/* An answer of another type than it must have. */
fp_status fp_redis_odd(const fp_redis *store, fp_error *error);

/* NAME:k:KEY, with the name and the key as its values. */
#define FP_REDIS_LIST "%s:k:%016" PRIx64

/* Sends a command, again like fp_redis_try, and waits for the reply, which the caller frees. `type` is the expected
 * type (REDIS_REPLY_NIL: any). FP_ERROR_SYNTAX: another type. */
fp_status fp_redis_answered(fp_redis *store, fp_redis_most most, int type, redisReply **reply, fp_error *error,
                            const char *format, ...);

/* ---- The rest of the engine ---- */

/* redis_store.c */
fp_status fp_redis_state_now(fp_redis *store, fp_redis_state *state, fp_error *error);
fp_status fp_redis_state_parse(const fp_redis *store, fp_string text, fp_redis_state *state, fp_error *error);
void fp_redis_state_write(fp_redis_state *state);
fp_status fp_redis_open(const char *address, fp_records_mode mode, const fp_arena *like, void **opened,
                        fp_error *error);
void fp_redis_close(void *opened);
fp_status fp_redis_begin(void *opened, fp_store_state *state, fp_error *error);

/* redis_records.c */
typedef struct fp_redis_row {
    fp_record record;
    fp_string keys; /* 8 bytes each */
} fp_redis_row;
/* What the transaction holds, else what Redis has; its number is 0: there is none. */
fp_status fp_redis_row_of(fp_redis *store, uint64_t number, bool text, fp_arena *arena, fp_redis_row *row,
                          fp_error *error);
fp_status fp_redis_find(void *opened, fp_string id, uint64_t *number, fp_error *error);
fp_status fp_redis_each_match(void *opened, uint64_t from, fp_visit_match visit, void *context, fp_error *error);
fp_status fp_redis_each_deleted(void *opened, uint64_t from, fp_visit_number visit, void *context, fp_error *error);
/* redis_transaction.c */
fp_status fp_redis_commit(void *opened, fp_store_state *state, fp_error *error);
/* redis_lists.c */
fp_status fp_redis_near(void *opened, const uint64_t *keys, size_t key_count, fp_arena *arena, const uint64_t **numbers,
                        const fp_string **fingerprints, size_t *count, fp_error *error);
fp_status fp_redis_check(void *opened, fp_store_report *tell, fp_error *error);

#endif
