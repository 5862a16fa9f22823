/* SPDX-License-Identifier: GPL-3.0-or-later
 * Checks the arguments of calls to a store of either kind, and counts records. */
#include "index/store/record_store.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "index/store/store_engine.h"

struct fp_records {
    const fp_store_engine *engine;
    void *store;
    const fp_arena *like;
    fp_records_mode mode;
    bool open;            /* a transaction is open */
    bool lost;            /* the transaction is lost: only a rollback is possible */
    fp_store_state state; /* in the open transaction */
};

/* ---- Opening and closing ---- */

static bool is_file(const char *address) {
    fp_string text = fp_string_of(address);
    return !fp_string_begins(text, fp_string_of("redis://")) && !fp_string_begins(text, fp_string_of("rediss://"));
}

fp_status fp_records_open(const char *address, fp_records_mode mode, const fp_arena *like, fp_records **records,
                          fp_error *error) {
    *records = NULL;
    fp_records *made = FP_NEED(fp_memory_take(like, 1, sizeof *made), error);
    bool file = is_file(address);
    *made = (fp_records){.engine = file ? &fp_sqlite_engine : &fp_redis_engine, .like = like, .mode = mode};
    fp_status status = fp_library_load(file ? FP_SQLITE : FP_HIREDIS, error);
    if (!status) status = made->engine->open(address, mode, like, &made->store, error);
    if (status) fp_memory_release(like, made);
    else *records = made;
    return status;
}

void fp_records_close(fp_records *records) {
    if (!records) return;
    fp_records_rollback(records);
    records->engine->close(records->store);
    fp_memory_release(records->like, records);
}

const char *fp_records_caution(const fp_records *records) {
    return records->engine->caution ? records->engine->caution(records->store) : NULL;
}

/* ---- Errors ---- */

/* Fails with the address of the store; printf-style. */
#define FAIL(records, error, code, ...) FP_FAIL_AT(error, code, (records)->engine->name((records)->store), __VA_ARGS__)

static fp_status outside(const fp_records *records, fp_error *error) {
    return records->open ? FAIL(records, error, FP_ERROR_RANGE, "a transaction is open") : FP_OK;
}

static fp_status inside(const fp_records *records, fp_error *error) {
    if (!records->open) return FAIL(records, error, FP_ERROR_RANGE, "no transaction is open");
    return records->lost ? FAIL(records, error, FP_ERROR_IO, "the transaction was lost before") : FP_OK;
}

/* A failed write loses the transaction. */
static fp_status written(fp_records *records, fp_status status) {
    records->lost |= status != FP_OK;
    return status;
}

static fp_status no_record(const fp_records *records, uint64_t number, fp_error *error) {
    return FAIL(records, error, FP_ERROR_UNKNOWN, "it has no record %" PRIu64, number);
}

/* ---- Reading ---- */

fp_status fp_records_counted(fp_records *records, fp_records_count *count, fp_error *error) {
    fp_store_state state = records->state;
    if (!records->open) FP_TRY(records->engine->state(records->store, &state, error));
    *count = state.count;
    return FP_OK;
}

fp_status fp_records_fact(fp_records *records, const char *name, fp_arena *arena, fp_string *value, fp_error *error) {
    *value = (fp_string){0};
    return records->engine->fact(records->store, name, arena, value, error);
}

fp_status fp_records_get(fp_records *records, uint64_t number, bool text, fp_arena *arena, fp_record *record,
                         fp_error *error) {
    record->number = 0;
    if (number && number <= UINT32_MAX)
        FP_TRY(records->engine->get(records->store, number, text, arena, record, error));
    return record->number ? FP_OK : no_record(records, number, error);
}

fp_status fp_records_find(fp_records *records, fp_string id, uint64_t *number, fp_error *error) {
    *number = 0;
    if (!id.length || id.length > FP_RECORD_ID) return FP_OK;
    return records->engine->find(records->store, id, number, error);
}

fp_status fp_records_each(fp_records *records, uint64_t from, bool text, fp_visit_record visit, void *context,
                          fp_error *error) {
    FP_TRY(outside(records, error));
    return records->engine->each(records->store, from, text, visit, context, error);
}

fp_status fp_records_each_match(fp_records *records, uint64_t from, fp_visit_match visit, void *context,
                                fp_error *error) {
    FP_TRY(outside(records, error));
    return from > UINT32_MAX ? FP_OK : records->engine->each_match(records->store, from, visit, context, error);
}

fp_status fp_records_each_deleted(fp_records *records, uint64_t from, fp_visit_number visit, void *context,
                                  fp_error *error) {
    FP_TRY(outside(records, error));
    return from > UINT32_MAX ? FP_OK : records->engine->each_deleted(records->store, from, visit, context, error);
}

bool fp_records_have_keys(const fp_records *records) { return records->engine->near; }

fp_status fp_records_near(fp_records *records, const uint64_t *keys, size_t key_count, fp_arena *arena,
                          const fp_listed **found, size_t *count, fp_error *error) {
    if (!fp_records_have_keys(records))
        return FAIL(records, error, FP_ERROR_UNKNOWN, "a store in a file keeps no key lists");
    return records->engine->near(records->store, keys, key_count, arena, found, count, error);
}

/* ---- Transactions ---- */

fp_status fp_records_begin(fp_records *records, fp_error *error) {
    if (records->mode == FP_RECORDS_READ) return FAIL(records, error, FP_ERROR_RANGE, "it was opened for reading");
    FP_TRY(outside(records, error));
    FP_TRY(records->engine->begin(records->store, &records->state, error));
    records->open = true;
    records->lost = false;
    return FP_OK;
}

fp_status fp_records_commit(fp_records *records, fp_error *error) {
    fp_status status = inside(records, error);
    if (status) fp_records_rollback(records);
    FP_TRY(status);
    records->open = false;
    return records->engine->commit(records->store, &records->state, error);
}

fp_status fp_records_end(fp_records *records, fp_status status, fp_error *error) {
    if (status == FP_OK) return fp_records_commit(records, error);
    fp_records_rollback(records);
    return status;
}

void fp_records_rollback(fp_records *records) {
    if (records->open) records->engine->rollback(records->store);
    records->open = false;
}

/* ---- Writing ---- */

fp_status fp_records_set_fact(fp_records *records, const char *name, fp_string value, fp_error *error) {
    FP_TRY(inside(records, error));
    if (!*name || strlen(name) > FP_RECORD_ID || value.length > FP_FACT_BYTES)
        return FAIL(records, error, FP_ERROR_RANGE,
                    "the fact \"%.40s\": from 1 to %d bytes of name, at most %d of value", name, FP_RECORD_ID,
                    FP_FACT_BYTES);
    return written(records, records->engine->set_fact(records->store, name, value, error));
}

static fp_status check_record(const fp_records *records, const fp_record *record, fp_error *error) {
    const fp_string id = record->id,
                    strings[] = {record->fingerprint, record->title, record->url, record->source, record->text};
    if (!id.length || id.length > FP_RECORD_ID)
        return FAIL(records, error, FP_ERROR_RANGE, "an id has from 1 to %d bytes, \"%.40s\" has %zu", FP_RECORD_ID,
                    id.length ? id.data : "", id.length);
    size_t left = FP_RECORD_BYTES;
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) {
        if (strings[i].length > left)
            return FAIL(records, error, FP_ERROR_RANGE, "record \"%.*s\" has more than %d bytes", (int)id.length,
                        id.data, FP_RECORD_BYTES);
        left -= strings[i].length;
    }
    if (records->state.count.next > UINT32_MAX - 1)
        return FAIL(records, error, FP_ERROR_RANGE, "it has given all numbers below 2^32");
    if (record->cluster > records->state.count.next)
        return FAIL(records, error, FP_ERROR_RANGE, "record \"%.*s\": cluster %" PRIu64 " is no older record",
                    (int)id.length, id.data, record->cluster);
    return FP_OK;
}

fp_status fp_records_add(fp_records *records, fp_record *record, const uint64_t *keys, size_t key_count,
                         fp_error *error) {
    uint64_t there;
    FP_TRY(inside(records, error));
    FP_TRY(check_record(records, record, error));
    fp_record added = *record;
    added.number = records->state.count.next;
    if (!added.cluster) added.cluster = added.number;
    FP_TRY(written(records, records->engine->add(records->store, &added, keys, key_count, &there, error)));
    if (there)
        return FAIL(records, error, FP_ERROR_DUPLICATE, "the id \"%.*s\" is there, as record %" PRIu64,
                    (int)record->id.length, record->id.data, there);
    *record = added;
    records->state.count.next++;
    records->state.count.records++;
    records->state.texts += record->text.length > 0;
    return FP_OK;
}

fp_status fp_records_delete(fp_records *records, uint64_t number, fp_error *error) {
    bool found = false, had_text = false;
    FP_TRY(inside(records, error));
    if (number && number <= UINT32_MAX)
        FP_TRY(written(records, records->engine->remove(records->store, number, records->state.count.deleted, &found,
                                                        &had_text, error)));
    if (!found) return no_record(records, number, error);
    records->state.count.deleted++;
    records->state.count.records--;
    records->state.texts -= had_text;
    return FP_OK;
}

fp_status fp_records_set_cluster(fp_records *records, uint64_t number, uint64_t cluster, fp_error *error) {
    bool found = false;
    FP_TRY(inside(records, error));
    if (!cluster || cluster > number)
        return FAIL(records, error, FP_ERROR_RANGE, "record %" PRIu64 ": cluster %" PRIu64 " is no older record",
                    number, cluster);
    if (number <= UINT32_MAX)
        FP_TRY(written(records, records->engine->set_cluster(records->store, number, cluster, &found, error)));
    return found ? FP_OK : no_record(records, number, error);
}

fp_status fp_records_add_match(fp_records *records, const fp_record_match *match, fp_error *error) {
    bool added = false;
    FP_TRY(inside(records, error));
    if (!match->earlier || match->earlier >= match->later || match->later >= records->state.count.next ||
        match->passages.length > FP_RECORD_BYTES)
        return FAIL(records, error, FP_ERROR_RANGE,
                    "no match of records %" PRIu64 " and %" PRIu64 ": the later one comes second, and both are known",
                    match->later, match->earlier);
    FP_TRY(written(records, records->engine->put_match(records->store, match, &added, error)));
    records->state.count.matches += added;
    return FP_OK;
}

/* ---- Pieces of tables ---- */

static fp_status keep_pieces(const fp_records *records, fp_error *error) {
    if (records->engine->put_piece) return FP_OK;
    return FAIL(records, error, FP_ERROR_UNKNOWN, "a store of key lists keeps no tables");
}

fp_status fp_records_each_piece(fp_records *records, uint64_t first, uint64_t last, fp_visit_piece visit, void *context,
                                fp_error *error) {
    FP_TRY(keep_pieces(records, error));
    return records->engine->each_piece(records->store, first, last, visit, context, error);
}

fp_status fp_records_remove_pieces(fp_records *records, uint64_t first, uint64_t last, fp_error *error) {
    FP_TRY(keep_pieces(records, error));
    FP_TRY(inside(records, error));
    return written(records, records->engine->remove_pieces(records->store, first, last, error));
}

fp_status fp_records_put_piece(fp_records *records, uint64_t key, fp_string bytes, fp_error *error) {
    FP_TRY(keep_pieces(records, error));
    FP_TRY(inside(records, error));
    return written(records, records->engine->put_piece(records->store, key, bytes, error));
}

/* ---- Columns ---- */

const fp_record_column fp_record_columns[FP_RECORD_COLUMNS] = {
    {"id", FP_COLUMN_TEXT, offsetof(fp_record, id)},
    {"fingerprint", FP_COLUMN_BYTES, offsetof(fp_record, fingerprint)},
    {"empty", FP_COLUMN_FLAG, offsetof(fp_record, empty)},
    {"title", FP_COLUMN_TEXT, offsetof(fp_record, title)},
    {"url", FP_COLUMN_TEXT, offsetof(fp_record, url)},
    {"source", FP_COLUMN_TEXT, offsetof(fp_record, source)},
    {"time", FP_COLUMN_TIME, offsetof(fp_record, time)},
    {"characters", FP_COLUMN_NUMBER, offsetof(fp_record, characters)},
    {"cluster", FP_COLUMN_NUMBER, offsetof(fp_record, cluster)},
};

fp_string *fp_column_string(fp_record *record, const fp_record_column *column) {
    bool is_string = column->kind == FP_COLUMN_TEXT || column->kind == FP_COLUMN_BYTES;
    return is_string ? (fp_string *)(void *)((char *)record + column->offset) : NULL;
}

uint64_t fp_column_number(const fp_record *record, const fp_record_column *column) {
    const void *at = (const char *)record + column->offset;
    return column->kind == FP_COLUMN_FLAG ? *(const bool *)at : *(const uint64_t *)at;
}

void fp_column_set_number(fp_record *record, const fp_record_column *column, uint64_t number) {
    void *at = (char *)record + column->offset;
    if (column->kind == FP_COLUMN_FLAG) *(bool *)at = number;
    else *(uint64_t *)at = number;
}

fp_status fp_store_keep_record(fp_record *record, fp_arena *arena, fp_error *error) {
    for (size_t c = 0; c < FP_RECORD_COLUMNS; c++) {
        fp_string *string = fp_column_string(record, fp_record_columns + c);
        if (string) string->data = FP_NEED(fp_string_copy(arena, *string), error);
    }
    record->text.data = FP_NEED(fp_string_copy(arena, record->text), error);
    return FP_OK;
}

uint64_t fp_store_sum(fp_string bytes, uint64_t owner) { return fp_xxh3(bytes.data, bytes.length, owner) & UINT32_MAX; }

uint64_t fp_store_sum_of_record(const fp_record *record) {
    fp_record of = *record;
    unsigned char numbers[8 * FP_RECORD_COLUMNS];
    uint64_t sum = record->number;
    size_t length = 0;
    for (size_t c = 0; c < FP_RECORD_COLUMNS; c++) {
        const fp_string *string = fp_column_string(&of, fp_record_columns + c);
        if (string) sum = fp_xxh3(string->data, string->length, sum);
        else fp_bytes_put(fp_column_number(&of, fp_record_columns + c), numbers + length), length += 8;
    }
    return fp_store_sum((fp_string){(const char *)numbers, length}, sum);
}

/* ---- Checking ---- */

void fp_store_problem(fp_store_report *report, const char *format, ...) {
    char words[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(words, sizeof words, format, list);
    va_end(list);
    report->problems++;
    if (report->problem) report->problem(report->context, words);
}

fp_status fp_store_pass(fp_store_report *report, fp_status status, const fp_error *why, fp_error *error) {
    if (status == FP_ERROR_SYNTAX) fp_store_problem(report, "%s", why->message);
    else if (status && error) *error = *why;
    return status == FP_ERROR_SYNTAX ? FP_OK : status;
}

enum { FOUND = 1, GONE = 2 };

static fp_status begin_check(fp_store_check *check, fp_error *error) {
    if (check->state.count.next > UINT32_MAX) {
        fp_store_problem(check->report, "its next number is damaged");
        check->state.count.next = 1;
    }
    check->there = FP_NEED(fp_arena_alloc(check->arena, (size_t)check->state.count.next, 1), error);
    return FP_OK;
}

void fp_store_check_record(fp_store_check *check, const fp_record *record) {
    uint64_t number = record->number;
    check->records++;
    check->texts += record->text.length > 0;
    if (number && number < check->state.count.next) check->there[number] |= FOUND;
    else fp_store_problem(check->report, "record %" PRIu64 ": no such number was given yet", number);
    if (!record->cluster || record->cluster > number)
        fp_store_problem(check->report, "record %" PRIu64 ": its cluster %" PRIu64 " is no older record", number,
                         record->cluster);
}

fp_status fp_store_check_deleted(void *context, uint64_t number, fp_error *error) {
    fp_store_check *check = context;
    (void)error;
    if (number && number < check->state.count.next && !(check->there[number] & GONE)) check->there[number] |= GONE;
    else fp_store_problem(check->report, "the deletion log is damaged at entry %" PRIu64, check->deleted);
    check->deleted++;
    return FP_OK;
}

fp_status fp_store_check_match(void *context, const fp_record_match *match, fp_error *error) {
    fp_store_check *check = context;
    (void)error;
    check->matches++;
    if (!match->earlier || match->earlier >= match->later || match->later >= check->state.count.next)
        fp_store_problem(check->report, "the match of records %" PRIu64 " and %" PRIu64 " is damaged", match->later,
                         match->earlier);
    return FP_OK;
}

/* Reports numbers that were given and are neither stored nor deleted, or both. */
static void check_missing(fp_store_check *check) {
    for (uint64_t number = 1; number < check->state.count.next; number++) {
        uint64_t from = number;
        if (check->there[number] == (FOUND | GONE))
            fp_store_problem(check->report, "record %" PRIu64 " is there, and was deleted", number);
        while (number < check->state.count.next && !check->there[number]) number++;
        if (number == from + 1) fp_store_problem(check->report, "record %" PRIu64 " is missing", from);
        else if (number > from)
            fp_store_problem(check->report, "records %" PRIu64 " to %" PRIu64 " are missing", from, number - 1);
    }
}

static void compare(fp_store_check *check, uint64_t got, uint64_t stated, const char *what) {
    if (got != stated)
        fp_store_problem(check->report, "it has %" PRIu64 " %s, and its count is %" PRIu64, got, what, stated);
}

static fp_status check_all(fp_records *records, fp_store_check *check, fp_error *error) {
    const fp_records_count *stated = &check->state.count;
    FP_TRY(records->engine->state(records->store, &check->state, error));
    FP_TRY(begin_check(check, error));
    FP_TRY(records->engine->check(records->store, check, error));
    check_missing(check);
    compare(check, check->records, stated->records, "records");
    compare(check, check->texts, check->state.texts, "texts");
    compare(check, check->deleted, stated->deleted, "deletions");
    compare(check, check->matches, stated->matches, "matches");
    return FP_OK;
}

fp_status fp_records_check(fp_records *records, void (*problem)(void *context, const char *problem), void *context,
                           uint64_t *problems, fp_error *error) {
    fp_store_report to = {.problem = problem, .context = context};
    *problems = 0;
    FP_TRY(outside(records, error));
    FP_SCRATCH(arena, records->like, error);
    fp_store_check check = {.report = &to, .arena = arena};
    fp_status status = check_all(records, &check, error);
    *problems = to.problems;
    return status;
}
