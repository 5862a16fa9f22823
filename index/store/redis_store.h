/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * redis_store.h - internals of a store in Redis. All keys begin with NAME: (fplab:):
 *
 *     NAME:state       the state of the store, changed by commits only
 *     NAME:writer      the writer: "process 12 on host", a space, a mark; expires after a minute
 *     NAME:facts       hash, by name
 *     NAME:ids         hash, id → number
 *     NAME:r:NUMBER    a record: a hash with a field for each column of a file, the text, and the keys (8 bytes each)
 *     NAME:deleted     list of numbers, in order
 *     NAME:matches     sorted set, all scores 0: "later earlier distance similarity shared passages", numbers of 10
 *                      digits
 *     NAME:k:KEY       list of the records with a key (16 hexadecimal digits), newest first: number (4 bytes, highest
 *                      first), then the fingerprint
 *
 * A transaction is kept in memory. Its commit sends all of it between MULTI and EXEC, on condition (WATCH) that
 * NAME:state is unchanged since the beginning. If the reply to EXEC is lost, NAME:state shows whether it was executed,
 * so a commit can be sent again and takes effect once.
 */
#ifndef FP_REDIS_STORE_H
#define FP_REDIS_STORE_H

#include <inttypes.h>
#include <stdarg.h>

#include <hiredis.h>

#include "base/map.h"
#include "index/store/store_engine.h"

typedef struct fp_redis_address {
    bool tls;
    const char *host, *user, *password; /* NULL: none */
    int port, database;
    const char *name;  /* letters, digits, '.', '-', '_' */
    uint64_t list;     /* 0: unlimited */
    const char *shown; /* without user and password */
} fp_redis_address;
/* FP_ERROR_SYNTAX, FP_ERROR_RANGE; FP_ERROR_UNKNOWN: this build of hiredis has no TLS. */
fp_status fp_redis_address_parse(const char *text, fp_arena *arena, fp_redis_address *address, fp_error *error);

/* ---- State, as text: "fplab", the version, the members below, and a mark that is random for each commit ---- */

enum { FP_REDIS_STATE = 256 };
typedef struct fp_redis_state {
    fp_store_state store;
    uint64_t list; /* maximum length of a key list; 0: unlimited */
    uint64_t mark;
    char text[FP_REDIS_STATE]; /* as stored in Redis */
} fp_redis_state;

/* ---- The open transaction (redis_transaction.c) ---- */

/* Changes that reads inside the transaction must see. */
typedef enum fp_redis_kind {
    FP_REDIS_FACT,    /* name → fp_string */
    FP_REDIS_ID,      /* id → uint64_t number; 0: deleted */
    FP_REDIS_ROW,     /* number → fp_redis_row; number 0: deleted */
    FP_REDIS_CLUSTER, /* number → uint64_t */
    FP_REDIS_MATCH    /* "later earlier " → anything */
} fp_redis_kind;

typedef struct fp_redis_entry {
    uint64_t key;
    uint64_t number;
    fp_string bytes; /* of the list */
    bool goes;
    uint32_t next; /* the previous entry under that key; FP_MAP_NONE: none */
} fp_redis_entry;

typedef struct fp_redis_batch {
    fp_arena *arena;     /* NULL: no transaction is open */
    fp_string *commands; /* in wire format */
    size_t command_count, command_room;
    const void **notes;
    size_t note_count, note_room;
    fp_map noted; /* kind and key → its last note */
    fp_redis_entry *entries;
    size_t entry_count, entry_room;
    fp_map by_key; /* key → its last entry */
    fp_redis_state before; /* the state at the beginning */
} fp_redis_batch;
fp_status fp_redis_batch_begin(fp_redis_batch *batch, const fp_arena *like, fp_error *error);
void fp_redis_batch_end(fp_redis_batch *batch);
/* Queues a command for the commit: formatted as by fp_redis_send, or from words, which are copied. */
fp_status fp_redis_queue(fp_redis_batch *batch, fp_error *error, const char *format, ...);
fp_status fp_redis_queue_words(fp_redis_batch *batch, const char **words, const size_t *lengths, size_t count,
                               fp_error *error);
/* Copies `value` of `size` bytes. What it points to must live in the arena of the batch. */
fp_status fp_redis_note(fp_redis_batch *batch, fp_redis_kind kind, fp_string key, const void *value, size_t size,
                        fp_error *error);
/* The last note; NULL: none. */
const void *fp_redis_noted(const fp_redis_batch *batch, fp_redis_kind kind, fp_string key);
static inline fp_string fp_redis_number_key(const uint64_t *number) {
    return (fp_string){(const char *)number, sizeof *number};
}
/* Adds an entry to a list, or removes it if `goes`. */
fp_status fp_redis_list(fp_redis_batch *batch, uint64_t key, uint64_t number, fp_string fingerprint, bool goes,
                        fp_error *error);
/* The last entry under the key; FP_MAP_NONE: none. */
uint32_t fp_redis_listed_under(const fp_redis_batch *batch, uint64_t key);

/* Decodes four bytes, highest first. */
enum { FP_REDIS_NUMBER = 4 };
static inline uint64_t fp_redis_number_of(const char *bytes) {
    uint64_t number = 0;
    for (int i = 0; i < FP_REDIS_NUMBER; i++) number = number << 8 | (unsigned char)bytes[i];
    return number;
}

/* ---- A store ---- */

/* Limits of the reply to a command: elements of all arrays, nested ones included, and bytes of strings. */
typedef struct fp_redis_most {
    size_t elements, bytes;
} fp_redis_most;

/* The reply being read. */
typedef struct fp_redis_answer {
    const redisReplyObjectFunctions *build; /* hiredis's functions, which the counting ones call */
    redisReplyObjectFunctions counting;
    fp_redis_most most, had;
    bool excess;
} fp_redis_answer;

typedef struct fp_redis {
    const fp_arena *like;
    fp_arena *own; /* lives as long as the store */
    fp_redis_address address;
    redisContext *connection; /* NULL: not connected */
    fp_redis_answer answer;
    int patience;       /* seconds to wait for a reply */
    int tries;          /* connection attempts; 1 until the store is open */
    bool refused;       /* the last failure is a reply of Redis: a new connection would not help */
    const char *writer; /* value of NAME:writer; NULL: opened for reading */
    const char *caution;
    char committed[FP_REDIS_STATE]; /* state of the last commit of this writer; empty: none */
    fp_redis_batch batch;
} fp_redis;

/* ---- The connection (redis_connection.c) ---- */

/* Seconds: for connecting, and for each reply until the store is open; later for each reply, plus one for each MiB of
 * it (a command may wait for the server's disk). */
enum { FP_REDIS_CONNECT = 5, FP_REDIS_ANSWER = 30, FP_REDIS_LEASE = 60 };

/* Connects, authenticates, selects the database, and checks that Redis answers. */
fp_status fp_redis_connect(fp_redis *store, fp_error *error);
void fp_redis_disconnect(fp_redis *store);
/* Fails with the address; printf-style. */
#define FP_REDIS_FAIL(store, error, code, ...) FP_FAIL_AT(error, code, (store)->address.shown, __VA_ARGS__)

/* Adds a command to the pipeline. Words are separated by spaces in the format, as in hiredis (%s, %b with FP_BYTES,
 * numbers as in printf). Does not wait for replies; sends a long buffer. Closes the connection on failure. */
fp_status fp_redis_send(fp_redis *store, fp_error *error, const char *format, ...);
fp_status fp_redis_send_written(fp_redis *store, const char *command, size_t length, fp_error *error);
#define FP_BYTES(string) (string).data, (string).length
/* A command in wire format; free with redisFreeCommand. */
typedef struct fp_redis_command {
    char *bytes;
    size_t length;
} fp_redis_command;
fp_status fp_redis_write(fp_redis_command *command, const char *format, va_list values, fp_error *error);
/* For a reply of one short value. */
#define FP_REDIS_SHORT ((fp_redis_most){16, (size_t)1 << 16})
/* For a value of at most `bytes`, with overhead. */
#define FP_REDIS_VALUE(bytes) ((fp_redis_most){16, (size_t)(bytes) + ((size_t)1 << 20)})
/* For so many values, together at most 256 MiB. */
#define FP_REDIS_VALUES(count) ((fp_redis_most){(count), (size_t)256 << 20})
/* SCAN and HSCAN return more than COUNT if Redis stores a table in one piece. */
#define FP_REDIS_SCANNED(count) FP_REDIS_VALUES((size_t)128 * (count))
/* For the entries of a list of any length: the most that are read at once. */
#define FP_REDIS_ENTRIES FP_REDIS_VALUES((size_t)1 << 22)

/* Counts replies of a new connection from now on. */
void fp_redis_count_answers(fp_redis *store);
/* A reply that is freed when its block ends. */
static inline void fp_redis_free(redisReply **reply) { freeReplyObject(*reply); }
#define FP_REDIS_REPLY(name) redisReply *name FP_CLOSED_BY(fp_redis_free) = NULL
/* Receives the next reply; free with freeReplyObject, which accepts NULL. FP_ERROR_IO: an error reply, or the
 * connection failed and is closed; *reply is NULL. FP_ERROR_RANGE: the reply exceeds `most`; the connection is closed.
 */
fp_status fp_redis_receive(fp_redis *store, fp_redis_most most, redisReply **reply, fp_error *error);
/* Sends one command and receives its short reply. */
fp_status fp_redis_ask(fp_redis *store, redisReply **reply, fp_error *error, const char *format, ...);

/* Runs `work` on a connection and, if that fails, again on a new one: up to FP_REDIS_TRIES times in about eight
 * seconds, and not after FP_REDIS_ANSWER seconds. */
typedef fp_status (*fp_redis_work)(fp_redis *store, void *context, fp_error *error);
enum { FP_REDIS_TRIES = 9 };
fp_status fp_redis_try(fp_redis *store, fp_redis_work work, void *context, fp_error *error);

static inline fp_string fp_redis_string(const redisReply *reply) {
    return reply->type == REDIS_REPLY_STRING ? (fp_string){reply->str, reply->len} : (fp_string){0};
}
/* Reports a reply of a wrong type. */
fp_status fp_redis_odd(const fp_redis *store, fp_error *error);

/* Format of NAME:k:KEY; values: the name and the key. */
#define FP_REDIS_LIST "%s:k:%016" PRIx64

/* Sends a command, again like fp_redis_try, and waits for the reply, which the caller frees. `type` is the expected
 * type (REDIS_REPLY_NIL: any). FP_ERROR_SYNTAX: another type. */
fp_status fp_redis_answered(fp_redis *store, fp_redis_most most, int type, redisReply **reply, fp_error *error,
                            const char *format, ...);

/* ---- Functions of the engine ---- */

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
/* The row in the transaction, else in Redis; number 0: no such record. */
fp_status fp_redis_row_of(fp_redis *store, uint64_t number, bool text, fp_arena *arena, fp_redis_row *row,
                          fp_error *error);
fp_status fp_redis_find(void *opened, fp_string id, uint64_t *number, fp_error *error);
fp_status fp_redis_each_match(void *opened, uint64_t from, fp_visit_match visit, void *context, fp_error *error);
fp_status fp_redis_each_deleted(void *opened, uint64_t from, fp_visit_number visit, void *context, fp_error *error);
/* redis_transaction.c */
fp_status fp_redis_commit(void *opened, fp_store_state *state, fp_error *error);
/* redis_lists.c */
fp_status fp_redis_near(void *opened, const uint64_t *keys, size_t key_count, fp_arena *arena, const fp_listed **found,
                        size_t *count, fp_error *error);
fp_status fp_redis_check(void *opened, fp_store_check *check, fp_error *error);

#endif
