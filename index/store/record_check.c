/* SPDX-License-Identifier: GPL-3.0-or-later
 * Whether what a store holds agrees with itself. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "index/store/store_engine.h"

void fp_store_problem(fp_store_tell *tell, const char *format, ...) {
    char words[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(words, sizeof words, format, list);
    va_end(list);
    tell->problems++;
    if (tell->tell) tell->tell(tell->context, words);
}

struct check {
    fp_records *records;
    fp_store_state state;
    fp_store_tell tell;
    fp_arena *arena;       /* of one record */
    unsigned char *there;  /* [next] FOUND, GONE, LED by number */
    uint64_t found, texts; /* records, and those that say that they have one */
    uint64_t entries;      /* of the table that is looked at */
};
enum { FOUND = 1, GONE = 2, LED = 4 };

/* ---- Records, and the ids that lead to them ---- */

static fp_status check_id(struct check *check, const fp_record *record, fp_error *error) {
    fp_string bytes;
    uint64_t number = 0;
    FP_TRY(check->records->engine->get(check->records->store, FP_STORE_IDS, record->id, check->arena, &bytes, error));
    if (bytes.data && fp_number_unpack(bytes, record->id, &number, NULL)) bytes.data = NULL;
    if (!bytes.data || number != record->number)
        fp_store_problem(&check->tell, "record %llu: its id \"%.*s\" does not lead to it",
                         (unsigned long long)record->number, (int)record->id.length, record->id.data);
    return FP_OK;
}

static fp_status check_record(void *context, uint64_t number, const fp_string *values, fp_error *error) {
    struct check *check = context;
    fp_record record = {0};
    fp_record_rest rest = {0};
    fp_error damage;
    fp_arena_reset(check->arena);
    if (number && number < check->state.count.next) check->there[number] |= FOUND;
    else fp_store_problem(&check->tell, "record %llu: no such number was given yet", (unsigned long long)number);
    fp_status status = fp_record_of_values(number, values, true, check->arena, &record, &rest, &damage);
    if (status == FP_ERROR_MEMORY) return fp_no_memory(error);
    check->found++;
    check->texts += rest.text_kept;
    if (status && record.id.length)
        fp_store_problem(&check->tell, "%s (id \"%.*s\")", damage.message, (int)record.id.length, record.id.data);
    else if (status) fp_store_problem(&check->tell, "%s", damage.message);
    if (!status && (!record.cluster || record.cluster > number))
        fp_store_problem(&check->tell, "record %llu: its cluster %llu is no older record", (unsigned long long)number,
                         (unsigned long long)record.cluster);
    return record.id.length ? check_id(check, &record, error) : FP_OK;
}

static fp_status check_records(struct check *check, fp_error *error) {
    static const fp_store_table TABLES[] = {FP_STORE_RECORDS, FP_STORE_CLUSTERS, FP_STORE_TEXTS};
    return check->records->engine->each_number(check->records->store, TABLES, 3, 0, UINT64_MAX, check_record, check,
                                               error);
}

/* An id that leads to no record, or to one of another id. */
static fp_status check_number(void *context, fp_string key, fp_string value, fp_error *error) {
    struct check *check = context;
    uint64_t number;
    (void)error;
    if (fp_number_unpack(value, key, &number, NULL))
        fp_store_problem(&check->tell, "id \"%.*s\": its number is damaged", (int)key.length, key.data);
    else if (number >= check->state.count.next || !(check->there[number] & FOUND))
        fp_store_problem(&check->tell, "id \"%.*s\" leads to record %llu, which is not there", (int)key.length,
                         key.data, (unsigned long long)number);
    else {
        check->entries += !(check->there[number] & LED); /* Redis may tell one twice */
        check->there[number] |= LED;
    }
    return FP_OK;
}

/* ---- What was deleted, and what is missing ---- */

static fp_status check_deleted(void *context, fp_string key, fp_string value, fp_error *error) {
    struct check *check = context;
    uint64_t number, place = key.length == FP_KEY_BYTES ? fp_key_get(key.data) : UINT64_MAX;
    (void)error;
    if (place != check->entries++ || fp_number_unpack(value, key, &number, NULL) || !number ||
        number >= check->state.count.next || check->there[number] & GONE)
        fp_store_problem(&check->tell, "the deletion log is damaged at entry %llu",
                         (unsigned long long)check->entries - 1);
    else check->there[number] |= GONE;
    return FP_OK;
}

/* Every number that was given is there or was deleted. */
static void check_missing(struct check *check) {
    for (uint64_t number = 1; number < check->state.count.next; number++) {
        uint64_t from = number;
        if ((check->there[number] & (FOUND | GONE)) == (FOUND | GONE))
            fp_store_problem(&check->tell, "record %llu is there, and was deleted", (unsigned long long)number);
        while (number < check->state.count.next && !(check->there[number] & (FOUND | GONE))) number++;
        if (number == from + 1) fp_store_problem(&check->tell, "record %llu is missing", (unsigned long long)from);
        else if (number > from)
            fp_store_problem(&check->tell, "records %llu to %llu are missing", (unsigned long long)from,
                             (unsigned long long)number - 1);
    }
}

/* ---- The rest ---- */

static fp_status check_match(void *context, fp_string key, fp_string value, fp_error *error) {
    struct check *check = context;
    fp_record_match match = {0};
    (void)error;
    check->entries++;
    if (key.length == 2 * FP_KEY_BYTES) {
        match.later = fp_key_get(key.data);
        match.earlier = fp_key_get(key.data + FP_KEY_BYTES);
    }
    if (fp_match_unpack(value, &match, NULL) || !match.earlier || match.earlier >= match.later ||
        match.later >= check->state.count.next)
        fp_store_problem(&check->tell, "the match of records %llu and %llu is damaged", (unsigned long long)match.later,
                         (unsigned long long)match.earlier);
    return FP_OK;
}

static fp_status check_fact(void *context, fp_string key, fp_string value, fp_error *error) {
    struct check *check = context;
    fp_string fact;
    (void)error;
    check->entries++;
    if (fp_fact_unpack(key, value, &fact, NULL))
        fp_store_problem(&check->tell, "what it knows of itself is damaged: \"%.*s\"", (int)key.length, key.data);
    return FP_OK;
}

static fp_status check_table(struct check *check, fp_store_table table, fp_visit_value visit, fp_error *error) {
    check->entries = 0;
    return check->records->engine->each(check->records->store, table, (fp_string){0}, visit, check, error);
}

static void compare(struct check *check, uint64_t got, uint64_t said, const char *what) {
    if (got != said)
        fp_store_problem(&check->tell, "it holds %llu %s, and says %llu", (unsigned long long)got, what,
                         (unsigned long long)said);
}

static fp_status check_all(struct check *check, fp_error *error) {
    const fp_records_count *count = &check->state.count;
    if (check->records->engine->check)
        FP_TRY(check->records->engine->check(check->records->store, &check->state, &check->tell, error));
    FP_TRY(check_records(check, error));
    FP_TRY(check_table(check, FP_STORE_IDS, check_number, error));
    compare(check, check->entries, count->records, "ids");
    FP_TRY(check_table(check, FP_STORE_DELETED, check_deleted, error));
    compare(check, check->entries, count->deleted, "deletions");
    check_missing(check);
    compare(check, check->found, count->records, "records");
    compare(check, check->texts, check->state.texts, "texts");
    FP_TRY(check_table(check, FP_STORE_MATCHES, check_match, error));
    compare(check, check->entries, count->matches, "matches");
    return check_table(check, FP_STORE_FACTS, check_fact, error);
}

fp_status fp_records_check(fp_records *records, void (*tell)(void *context, const char *problem), void *context,
                           uint64_t *problems, fp_error *error) {
    struct check check = {.records = records, .tell = {.tell = tell, .context = context}};
    *problems = 0;
    if (records->open) return fp_records_at(records, fp_fail(error, FP_ERROR_RANGE, "a transaction is open"), error);
    FP_TRY(records->engine->state(records->store, &check.state, error));
    check.arena = fp_arena_new_like(records->like);
    check.there = fp_memory_take(records->like, (size_t)check.state.count.next, 1);
    fp_status status = check.arena && check.there ? check_all(&check, error) : fp_no_memory(error);
    if (records->engine->checked) records->engine->checked(records->store);
    fp_memory_release(records->like, check.there);
    fp_arena_free(check.arena);
    *problems = check.tell.problems;
    return status;
}
