/* SPDX-License-Identifier: GPL-3.0-or-later
 * The tables of a store in a file, read, written and checked. */
#include <math.h>
#include <string.h>

#include "index/store/sqlite_store.h"

/* ---- Statements ---- */

#define COLUMNS "number, id, fingerprint, empty, title, url, source, time, characters, cluster, records.checksum"
#define RECORD "SELECT " COLUMNS " FROM records "
#define RECORD_WITH_TEXT "SELECT " COLUMNS ", text, texts.checksum FROM records LEFT JOIN texts USING(number) "
const char *const fp_sqlite_sql[FP_SQLITE_STATEMENTS] = {
    [FP_SQLITE_BEGIN] = "BEGIN IMMEDIATE",
    [FP_SQLITE_COMMIT] = "COMMIT",
    [FP_SQLITE_STATE] = "SELECT records, texts, matches, deleted, next FROM state",
    [FP_SQLITE_SET_STATE] = "UPDATE state SET records = ?, texts = ?, matches = ?, deleted = ?, next = ?",
    [FP_SQLITE_FACT] = "SELECT value, checksum FROM facts WHERE name = ?",
    [FP_SQLITE_SET_FACT] = "REPLACE INTO facts VALUES(?, ?, ?)",
    [FP_SQLITE_FIND] = "SELECT number FROM records WHERE id = ?",
    [FP_SQLITE_GET] = RECORD "WHERE number = ?",
    [FP_SQLITE_GET_WITH_TEXT] = RECORD_WITH_TEXT "WHERE number = ?",
    [FP_SQLITE_ADD] = "INSERT INTO records VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [FP_SQLITE_ADD_TEXT] = "INSERT INTO texts VALUES(?, ?, ?)",
    [FP_SQLITE_REMOVE] = "DELETE FROM records WHERE number = ?",
    [FP_SQLITE_REMOVE_TEXT] = "DELETE FROM texts WHERE number = ?",
    [FP_SQLITE_ADD_DELETED] = "INSERT INTO deleted VALUES(?, ?)",
    [FP_SQLITE_SET_CLUSTER] = "UPDATE records SET cluster = ?, checksum = ? WHERE number = ?",
    [FP_SQLITE_ADD_MATCH] = "INSERT OR IGNORE INTO matches VALUES(?, ?, ?, ?, ?, ?, ?)",
    [FP_SQLITE_CHANGE_MATCH] =
        "UPDATE matches SET distance = ?3, similarity = ?4, shared = ?5, passages = ?6, checksum = ?7"
        " WHERE later = ?1 AND earlier = ?2",
    [FP_SQLITE_PIECES] = "SELECT key, entries, checksum FROM tables WHERE key BETWEEN ? AND ? ORDER BY key",
    [FP_SQLITE_ADD_PIECE] = "INSERT INTO tables VALUES(?, ?, ?)",
    [FP_SQLITE_REMOVE_PIECES] = "DELETE FROM tables WHERE key BETWEEN ? AND ?",
};

static void bind_number(sqlite3_stmt *statement, int at, uint64_t number) {
    sqlite3_bind_int64(statement, at, (sqlite3_int64)number);
}

/* Empty: NULL. The text must last until the statement is reset. */
static void bind_text(sqlite3_stmt *statement, int at, fp_string text) {
    if (text.length) sqlite3_bind_text(statement, at, text.data, (int)text.length, SQLITE_STATIC);
    else sqlite3_bind_null(statement, at);
}

static uint64_t number_at(sqlite3_stmt *statement, int column) {
    return (uint64_t)sqlite3_column_int64(statement, column);
}

static fp_string bytes_at(sqlite3_stmt *statement, int column) {
    const char *data = sqlite3_column_blob(statement, column);
    return (fp_string){data, data ? (size_t)sqlite3_column_bytes(statement, column) : 0};
}

/* SQLite has NULL for NaN. */
static double real_at(sqlite3_stmt *statement, int column) {
    return sqlite3_column_type(statement, column) == SQLITE_NULL ? NAN : sqlite3_column_double(statement, column);
}

/* ---- Facts ---- */

static uint64_t owner_of(const char *name) { return fp_xxh3(name, strlen(name), 0); }

static fp_status sqlite_fact(void *opened, const char *name, fp_arena *arena, fp_string *value, fp_error *error) {
    fp_sqlite *store = opened;
    bool row;
    FP_SQLITE_STATEMENT(statement, store, FP_SQLITE_FACT, error);
    bind_text(statement, 1, fp_string_of(name));
    FP_TRY(fp_sqlite_step(store, statement, &row, error));
    if (!row) return FP_OK;
    fp_string bytes = bytes_at(statement, 0);
    *value = (fp_string){FP_NEED(fp_string_copy(arena, bytes), error), bytes.length};
    if (fp_store_sum(bytes, owner_of(name)) == number_at(statement, 1)) return FP_OK;
    return fp_sqlite_at(store, fp_fail(error, FP_ERROR_SYNTAX, "damaged: the checksum of its \"%s\" differs", name),
                        error);
}

/* Text, where it can be one. */
static fp_status sqlite_set_fact(void *opened, const char *name, fp_string value, fp_error *error) {
    fp_sqlite *store = opened;
    const char *data = value.length ? value.data : "";
    FP_SQLITE_STATEMENT(statement, store, FP_SQLITE_SET_FACT, error);
    bind_text(statement, 1, fp_string_of(name));
    if (memchr(data, 0, value.length)) sqlite3_bind_blob(statement, 2, data, (int)value.length, SQLITE_STATIC);
    else sqlite3_bind_text(statement, 2, data, (int)value.length, SQLITE_STATIC);
    bind_number(statement, 3, fp_store_sum(value, owner_of(name)));
    return fp_sqlite_run(store, statement, error);
}

/* ---- Reading records ---- */

static fp_status damaged(const fp_sqlite *store, uint64_t number, const char *of, fp_error *error) {
    return fp_sqlite_at(
        store,
        fp_fail(error, FP_ERROR_SYNTAX, "record %llu is damaged: %s checksum differs", (unsigned long long)number, of),
        error);
}

/* The row of RECORD or RECORD_WITH_TEXT, as long as it stands. */
static fp_status record_of(const fp_sqlite *store, sqlite3_stmt *row, bool text, fp_record *record, fp_error *error) {
    *record =
        (fp_record){.number = number_at(row, 0),
                    .id = bytes_at(row, 1),
                    .fingerprint = bytes_at(row, 2),
                    .says = !sqlite3_column_int(row, 3),
                    .title = bytes_at(row, 4),
                    .url = bytes_at(row, 5),
                    .source = bytes_at(row, 6),
                    .time = sqlite3_column_type(row, 7) == SQLITE_NULL ? FP_TIME_NONE : sqlite3_column_int64(row, 7),
                    .characters = number_at(row, 8),
                    .cluster = number_at(row, 9)};
    bool good = record->id.length && record->id.length <= FP_RECORD_ID;
    if (!good || fp_store_sum_of_record(record) != number_at(row, 10))
        return damaged(store, record->number, "its", error);
    if (!text || sqlite3_column_type(row, 11) == SQLITE_NULL) return FP_OK;
    record->text = bytes_at(row, 11);
    return fp_store_sum(record->text, record->number) == number_at(row, 12)
               ? FP_OK
               : damaged(store, record->number, "its text's", error);
}

static fp_status copy_strings(fp_record *record, fp_arena *arena, fp_error *error) {
    fp_string *const strings[] = {&record->id,  &record->fingerprint, &record->title,
                                  &record->url, &record->source,      &record->text};
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) {
        const char *copy = FP_NEED(fp_string_copy(arena, *strings[i]), error);
        strings[i]->data = copy;
    }
    return FP_OK;
}

static fp_status sqlite_get(void *opened, uint64_t number, bool text, fp_arena *arena, fp_record *record,
                            fp_error *error) {
    fp_sqlite *store = opened;
    bool row;
    FP_SQLITE_STATEMENT(statement, store, text ? FP_SQLITE_GET_WITH_TEXT : FP_SQLITE_GET, error);
    bind_number(statement, 1, number);
    FP_TRY(fp_sqlite_step(store, statement, &row, error));
    if (!row) return FP_OK;
    FP_TRY(record_of(store, statement, text, record, error));
    return copy_strings(record, arena, error);
}

static fp_status sqlite_find(void *opened, fp_string id, uint64_t *number, fp_error *error) {
    fp_sqlite *store = opened;
    bool row;
    FP_SQLITE_STATEMENT(statement, store, FP_SQLITE_FIND, error);
    bind_text(statement, 1, id);
    FP_TRY(fp_sqlite_step(store, statement, &row, error));
    *number = row ? number_at(statement, 0) : 0;
    return FP_OK;
}

/* ---- All rows of a table, from a number on. A visit may read, so that the statement is its own. ---- */

typedef fp_status (*visit_row)(fp_sqlite *store, sqlite3_stmt *row, void *context, fp_error *error);

static fp_status each_row(fp_sqlite *store, const char *sql, uint64_t from, visit_row visit, void *context,
                          fp_error *error) {
    sqlite3_stmt *statement;
    bool row = true;
    FP_TRY(fp_sqlite_prepare(store, sql, &statement, error));
    bind_number(statement, 1, from);
    fp_status status = FP_OK;
    while (!status && !(status = fp_sqlite_step(store, statement, &row, error)) && row)
        status = visit(store, statement, context, error);
    sqlite3_finalize(statement);
    return status;
}

static const char RECORDS[] = RECORD "WHERE number >= ? ORDER BY number",
                  RECORDS_WITH_TEXTS[] = RECORD_WITH_TEXT "WHERE number >= ? ORDER BY number",
                  MATCHES[] = "SELECT * FROM matches WHERE later >= ? ORDER BY later, earlier",
                  DELETED[] = "SELECT entry, number FROM deleted WHERE entry >= ? ORDER BY entry";

struct visit {
    bool text;
    fp_visit_record record;
    fp_visit_match match;
    fp_visit_number number;
    void *context;
};

static fp_status visit_record(fp_sqlite *store, sqlite3_stmt *row, void *context, fp_error *error) {
    struct visit *to = context;
    fp_record record;
    FP_TRY(record_of(store, row, to->text, &record, error));
    return to->record(to->context, &record, error);
}

static fp_status sqlite_each(void *store, uint64_t from, bool text, fp_visit_record visit, void *context,
                             fp_error *error) {
    struct visit to = {.text = text, .record = visit, .context = context};
    return each_row(store, text ? RECORDS_WITH_TEXTS : RECORDS, from, visit_record, &to, error);
}

static fp_record_match match_of(sqlite3_stmt *row) {
    return (fp_record_match){number_at(row, 0), number_at(row, 1), real_at(row, 2),
                             real_at(row, 3),   real_at(row, 4),   bytes_at(row, 5)};
}

/* SQLite has NULL for NaN. */
static uint64_t sum_of_match(const fp_record_match *match) {
    const double reals[] = {match->distance, match->similarity, match->shared};
    unsigned char bits[3 * 8] = {0};
    for (size_t i = 0; i < 3; i++)
        if (!isnan(reals[i])) memcpy(bits + 8 * i, reals + i, 8);
    uint64_t sum = fp_xxh3(match->passages.data, match->passages.length, match->later << 32 | match->earlier);
    return fp_store_sum((fp_string){(const char *)bits, sizeof bits}, sum);
}

static fp_status visit_match(fp_sqlite *store, sqlite3_stmt *row, void *context, fp_error *error) {
    struct visit *to = context;
    fp_record_match match = match_of(row);
    if (sum_of_match(&match) != number_at(row, 6))
        return fp_sqlite_at(store,
                            fp_fail(error, FP_ERROR_SYNTAX,
                                    "the match of records %llu and %llu is damaged: its checksum is "
                                    "another",
                                    (unsigned long long)match.later, (unsigned long long)match.earlier),
                            error);
    return to->match(to->context, &match, error);
}

static fp_status sqlite_each_match(void *store, uint64_t from, fp_visit_match visit, void *context, fp_error *error) {
    struct visit to = {.match = visit, .context = context};
    return each_row(store, MATCHES, from, visit_match, &to, error);
}

static fp_status visit_deleted(fp_sqlite *store, sqlite3_stmt *row, void *context, fp_error *error) {
    struct visit *to = context;
    (void)store;
    return to->number(to->context, number_at(row, 1), error);
}

static fp_status sqlite_each_deleted(void *store, uint64_t from, fp_visit_number visit, void *context,
                                     fp_error *error) {
    struct visit to = {.number = visit, .context = context};
    return each_row(store, DELETED, from, visit_deleted, &to, error);
}

/* ---- Writing records ---- */

static fp_status add_text(fp_sqlite *store, const fp_record *record, fp_error *error) {
    FP_SQLITE_STATEMENT(statement, store, FP_SQLITE_ADD_TEXT, error);
    bind_number(statement, 1, record->number);
    bind_text(statement, 2, record->text);
    bind_number(statement, 3, fp_store_sum(record->text, record->number));
    return fp_sqlite_run(store, statement, error);
}

static fp_status sqlite_add(void *opened, const fp_record *record, const uint64_t *keys, size_t key_count,
                            uint64_t *there, fp_error *error) {
    fp_sqlite *store = opened;
    (void)keys, (void)key_count;
    *there = 0;
    FP_SQLITE_STATEMENT(add, store, FP_SQLITE_ADD, error);
    bind_number(add, 1, record->number);
    bind_text(add, 2, record->id);
    if (record->fingerprint.length)
        sqlite3_bind_blob(add, 3, record->fingerprint.data, (int)record->fingerprint.length, SQLITE_STATIC);
    else sqlite3_bind_null(add, 3);
    bind_number(add, 4, !record->says);
    bind_text(add, 5, record->title);
    bind_text(add, 6, record->url);
    bind_text(add, 7, record->source);
    if (record->time == FP_TIME_NONE) sqlite3_bind_null(add, 8);
    else sqlite3_bind_int64(add, 8, record->time);
    bind_number(add, 9, record->characters);
    bind_number(add, 10, record->cluster);
    bind_number(add, 11, fp_store_sum_of_record(record));
    int result = sqlite3_step(add);
    fp_status status = FP_OK;
    if (result == SQLITE_CONSTRAINT_UNIQUE) status = sqlite_find(store, record->id, there, error);
    else if (result != SQLITE_DONE) status = fp_sqlite_failed(store, result, "write", error);
    return status || *there || !record->text.length ? status : add_text(store, record, error);
}

/* A statement with up to two numbers; *changed: whether there was a row to change. */
static fp_status change(fp_sqlite *store, fp_sqlite_statement which, uint64_t first, uint64_t second, bool *changed,
                        fp_error *error) {
    FP_SQLITE_STATEMENT(statement, store, which, error);
    bind_number(statement, 1, first);
    if (sqlite3_bind_parameter_count(statement) > 1) bind_number(statement, 2, second);
    FP_TRY(fp_sqlite_run(store, statement, error));
    *changed = sqlite3_changes(store->db);
    return FP_OK;
}

static fp_status sqlite_remove(void *store, uint64_t number, uint64_t entry, bool *found, bool *had_text,
                               fp_error *error) {
    bool added;
    FP_TRY(change(store, FP_SQLITE_REMOVE, number, 0, found, error));
    if (!*found) return FP_OK;
    FP_TRY(change(store, FP_SQLITE_REMOVE_TEXT, number, 0, had_text, error));
    return change(store, FP_SQLITE_ADD_DELETED, entry, number, &added, error);
}

static fp_status sqlite_set_cluster(void *opened, uint64_t number, uint64_t cluster, bool *found, fp_error *error) {
    fp_sqlite *store = opened;
    fp_record record;
    FP_SQLITE_STATEMENT(get, store, FP_SQLITE_GET, error);
    FP_SQLITE_STATEMENT(set, store, FP_SQLITE_SET_CLUSTER, error);
    bind_number(get, 1, number);
    FP_TRY(fp_sqlite_step(store, get, found, error));
    if (!*found) return FP_OK;
    FP_TRY(record_of(store, get, false, &record, error));
    record.cluster = cluster;
    bind_number(set, 1, cluster);
    bind_number(set, 2, fp_store_sum_of_record(&record));
    bind_number(set, 3, number);
    sqlite3_reset(get);
    return fp_sqlite_run(store, set, error);
}

static fp_status put_match(fp_sqlite *store, fp_sqlite_statement which, const fp_record_match *match, fp_error *error) {
    FP_SQLITE_STATEMENT(statement, store, which, error);
    bind_number(statement, 1, match->later);
    bind_number(statement, 2, match->earlier);
    sqlite3_bind_double(statement, 3, match->distance);
    sqlite3_bind_double(statement, 4, match->similarity);
    sqlite3_bind_double(statement, 5, match->shared);
    bind_text(statement, 6, match->passages);
    bind_number(statement, 7, sum_of_match(match));
    return fp_sqlite_run(store, statement, error);
}

static fp_status sqlite_put_match(void *opened, const fp_record_match *match, bool *added, fp_error *error) {
    fp_sqlite *store = opened;
    FP_TRY(put_match(store, FP_SQLITE_ADD_MATCH, match, error));
    *added = sqlite3_changes(store->db);
    return *added ? FP_OK : put_match(store, FP_SQLITE_CHANGE_MATCH, match, error);
}

/* ---- Pieces of tables ---- */

static fp_status sqlite_each_piece(void *opened, uint64_t first, uint64_t last, fp_visit_piece visit, void *context,
                                   fp_error *error) {
    fp_sqlite *store = opened;
    bool there;
    FP_SQLITE_STATEMENT(row, store, FP_SQLITE_PIECES, error);
    bind_number(row, 1, first);
    bind_number(row, 2, last);
    for (;;) {
        FP_TRY(fp_sqlite_step(store, row, &there, error));
        if (!there) return FP_OK;
        uint64_t key = number_at(row, 0);
        fp_string bytes = bytes_at(row, 1);
        if (fp_store_sum(bytes, key) != number_at(row, 2))
            return fp_sqlite_at(store,
                                fp_fail(error, FP_ERROR_SYNTAX,
                                        "row %llu of its tables is damaged: its checksum differs; `fplab index "
                                        "merge` makes the tables again",
                                        (unsigned long long)key),
                                error);
        FP_TRY(visit(context, key, bytes, error));
    }
}

static fp_status sqlite_put_piece(void *opened, uint64_t key, fp_string bytes, fp_error *error) {
    fp_sqlite *store = opened;
    FP_SQLITE_STATEMENT(statement, store, FP_SQLITE_ADD_PIECE, error);
    bind_number(statement, 1, key);
    sqlite3_bind_blob(statement, 2, bytes.data, (int)bytes.length, SQLITE_STATIC);
    bind_number(statement, 3, fp_store_sum(bytes, key));
    return fp_sqlite_run(store, statement, error);
}

static fp_status sqlite_remove_pieces(void *store, uint64_t first, uint64_t last, fp_error *error) {
    bool removed;
    return change(store, FP_SQLITE_REMOVE_PIECES, first, last, &removed, error);
}

/* ---- Checking ---- */

/* What SQLite says of its pages and of the index of ids: lines behind a title in stars. */
static fp_status check_pages(fp_sqlite *store, sqlite3_stmt *row, void *context, fp_error *error) {
    fp_string rest = bytes_at(row, 0), line;
    (void)store, (void)error;
    while (fp_next_line(&rest, &line))
        if (!fp_string_equal(line, fp_string_of("ok")) && !fp_string_begins(line, fp_string_of("***")))
            fp_store_problem(context, "damaged: %.*s", (int)line.length, line.data);
    return FP_OK;
}

struct check {
    fp_store_check all;
    uint64_t last; /* the number of the last row that was read */
};

static fp_status check_record(fp_sqlite *store, sqlite3_stmt *row, void *context, fp_error *error) {
    struct check *check = context;
    fp_record record;
    fp_error why = {0};
    fp_status status = record_of(store, row, true, &record, &why);
    record.text.length += sqlite3_column_type(row, 11) != SQLITE_NULL;
    fp_store_check_record(&check->all, &record);
    check->last = record.number;
    return fp_store_pass(check->all.tell, status, &why, error);
}

/* Behind a page that cannot be read, number by number. */
static fp_status check_records(fp_sqlite *store, struct check *check, fp_error *error) {
    fp_error why = {0};
    fp_status status = each_row(store, RECORDS_WITH_TEXTS, 0, check_record, check, &why);
    if (status == FP_OK || status != FP_ERROR_SYNTAX) return fp_store_pass(check->all.tell, status, &why, error);
    for (uint64_t number = check->last + 1; number < check->all.said.count.next; number++) {
        bool row;
        FP_SQLITE_STATEMENT(statement, store, FP_SQLITE_GET_WITH_TEXT, error);
        bind_number(statement, 1, number);
        status = fp_sqlite_step(store, statement, &row, &why);
        if (!status && row) status = check_record(store, statement, check, &why);
        if (status != FP_ERROR_SYNTAX) FP_TRY(fp_store_pass(check->all.tell, status, &why, error));
    }
    return FP_OK;
}

static fp_status count_match(void *context, const fp_record_match *match, fp_error *error) {
    (void)context, (void)match, (void)error;
    return FP_OK;
}

static fp_status check_match(fp_sqlite *store, sqlite3_stmt *row, void *context, fp_error *error) {
    struct check *check = context;
    fp_record_match match = match_of(row);
    fp_error why = {0};
    fp_store_check_match(&check->all, &match);
    return fp_store_pass(check->all.tell, visit_match(store, row, &(struct visit){.match = count_match}, &why), &why,
                         error);
}

static fp_status check_deleted(fp_sqlite *store, sqlite3_stmt *row, void *context, fp_error *error) {
    struct check *check = context;
    (void)store, (void)error;
    fp_store_check_deleted(&check->all, number_at(row, 1));
    return FP_OK;
}

static fp_status check_fact(fp_sqlite *store, sqlite3_stmt *row, void *context, fp_error *error) {
    struct check *check = context;
    const char *name = (const char *)sqlite3_column_text(row, 0);
    (void)store, (void)error;
    if (!name || fp_store_sum(bytes_at(row, 1), owner_of(name)) != number_at(row, 2))
        fp_store_problem(check->all.tell, "damaged: the checksum of its \"%s\" differs", name ? name : "");
    return FP_OK;
}

static fp_status sqlite_check(void *opened, fp_store_tell *tell, fp_error *error) {
    static const struct {
        const char *sql;
        visit_row visit;
    } TABLES[] = {{MATCHES, check_match},
                  {DELETED, check_deleted},
                  {"SELECT name, value, checksum FROM facts WHERE rowid >= ?", check_fact}};
    fp_sqlite *store = opened;
    fp_store_state said;
    struct check check = {.last = 0};
    fp_error why = {0};
    FP_TRY(fp_sqlite_state(store, &said, error));
    FP_TRY(
        fp_store_pass(tell, each_row(store, "PRAGMA integrity_check(100)", 0, check_pages, tell, &why), &why, error));
    fp_status status = fp_store_check_begin(&check.all, &said, tell, store->like, error);
    if (!status) status = check_records(store, &check, error);
    for (size_t i = 0; !status && i < sizeof TABLES / sizeof *TABLES; i++)
        status = fp_store_pass(tell, each_row(store, TABLES[i].sql, 0, TABLES[i].visit, &check, &why), &why, error);
    fp_store_check_end(&check.all, store->like);
    return status;
}

static const char *sqlite_name(const void *store) { return ((const fp_sqlite *)store)->path; }

const fp_store_engine fp_sqlite_engine = {
    .open = fp_sqlite_open,
    .close = fp_sqlite_close,
    .name = sqlite_name,
    .state = fp_sqlite_state,
    .begin = fp_sqlite_begin,
    .commit = fp_sqlite_commit,
    .rollback = fp_sqlite_rollback,
    .fact = sqlite_fact,
    .set_fact = sqlite_set_fact,
    .find = sqlite_find,
    .get = sqlite_get,
    .each = sqlite_each,
    .each_match = sqlite_each_match,
    .each_deleted = sqlite_each_deleted,
    .add = sqlite_add,
    .remove = sqlite_remove,
    .set_cluster = sqlite_set_cluster,
    .put_match = sqlite_put_match,
    .each_piece = sqlite_each_piece,
    .put_piece = sqlite_put_piece,
    .remove_pieces = sqlite_remove_pieces,
    .check = sqlite_check,
};
