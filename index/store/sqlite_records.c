/* SPDX-License-Identifier: GPL-3.0-or-later
 * The tables of a store in a file: reading, writing, checking. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "index/store/sqlite_store.h"

/* ---- Statements ---- */

#define COLUMNS "number, id, fingerprint, empty, title, url, source, time, characters, cluster, records.checksum"
#define RECORD "SELECT " COLUMNS " FROM records "
#define RECORD_WITH_TEXT "SELECT " COLUMNS ", text, texts.checksum FROM records LEFT JOIN texts USING(number) "
static const char GET[] = RECORD "WHERE number = ?", GET_WITH_TEXT[] = RECORD_WITH_TEXT "WHERE number = ?";

/* data NULL: SQL NULL. The string must last until the statement is reset. */
static void bind_string(sqlite3_stmt *statement, int at, fp_string string, bool bytes) {
    if (bytes) sqlite3_bind_blob(statement, at, string.data, (int)string.length, SQLITE_STATIC);
    else sqlite3_bind_text(statement, at, string.data, (int)string.length, SQLITE_STATIC);
}

static fp_string null_if_empty(fp_string string) { return string.length ? string : (fp_string){0}; }

/* Binds a value for each letter of `kinds`: n uint64_t, r double (NaN: NULL), t and b fp_string as text (empty: NULL)
 * and as bytes. */
static void bind_values(sqlite3_stmt *statement, const char *kinds, va_list values) {
    for (int at = 1; kinds[at - 1]; at++) switch (kinds[at - 1]) {
        case 'n': sqlite3_bind_int64(statement, at, (sqlite3_int64)va_arg(values, uint64_t)); break;
        case 'r': sqlite3_bind_double(statement, at, va_arg(values, double)); break;
        case 't': bind_string(statement, at, null_if_empty(va_arg(values, fp_string)), false); break;
        case 'b': bind_string(statement, at, va_arg(values, fp_string), true); break;
        }
}

static void bind(sqlite3_stmt *statement, const char *kinds, ...) {
    va_list values;
    va_start(values, kinds);
    bind_values(statement, kinds, values);
    va_end(values);
}

/* Runs a statement with values as for bind_values. *changed (may be NULL): whether a row changed. */
static fp_status change(fp_sqlite *store, bool *changed, fp_error *error, const char *sql, const char *kinds, ...) {
    va_list values;
    FP_SQLITE_STATEMENT(statement, store, sql, error);
    va_start(values, kinds);
    bind_values(statement, kinds, values);
    va_end(values);
    FP_TRY(fp_sqlite_run(store, statement, error));
    if (changed) *changed = sqlite3_changes(store->db);
    return FP_OK;
}

static uint64_t number_at(sqlite3_stmt *statement, int column) {
    return (uint64_t)sqlite3_column_int64(statement, column);
}

static fp_string bytes_at(sqlite3_stmt *statement, int column) {
    const char *data = sqlite3_column_blob(statement, column);
    return (fp_string){data, data ? (size_t)sqlite3_column_bytes(statement, column) : 0};
}

/* NULL: NaN, which SQLite cannot store. */
static double real_at(sqlite3_stmt *statement, int column) {
    return sqlite3_column_type(statement, column) == SQLITE_NULL ? NAN : sqlite3_column_double(statement, column);
}

/* ---- Facts ---- */

static uint64_t owner_of(const char *name) { return fp_xxh3(name, strlen(name), 0); }

static fp_status sqlite_fact(void *opened, const char *name, fp_arena *arena, fp_string *value, fp_error *error) {
    fp_sqlite *store = opened;
    FP_SQLITE_STATEMENT(statement, store, "SELECT value, checksum FROM facts WHERE name = ?", error);
    bind(statement, "t", fp_string_of(name));
    if (!FP_SQLITE_NEXT(store, statement, error)) return FP_OK;
    fp_string bytes = bytes_at(statement, 0);
    *value = (fp_string){FP_NEED(fp_string_copy(arena, bytes), error), bytes.length};
    if (fp_store_sum(bytes, owner_of(name)) == number_at(statement, 1)) return FP_OK;
    return FP_SQLITE_FAIL(store, error, FP_ERROR_SYNTAX, "damaged: the checksum of its \"%s\" differs", name);
}

/* Stores a value without NUL bytes as text. */
static fp_status sqlite_set_fact(void *opened, const char *name, fp_string value, fp_error *error) {
    fp_sqlite *store = opened;
    if (!value.length) value.data = "";
    FP_SQLITE_STATEMENT(statement, store, "REPLACE INTO facts VALUES(?1, ?3, ?2)", error);
    bind(statement, "tn", fp_string_of(name), fp_store_sum(value, owner_of(name)));
    bind_string(statement, 3, value, memchr(value.data, 0, value.length));
    return fp_sqlite_run(store, statement, error);
}

/* ---- Reading records ---- */

static fp_status damaged(const fp_sqlite *store, uint64_t number, const char *of, fp_error *error) {
    return FP_SQLITE_FAIL(store, error, FP_ERROR_SYNTAX, "record %" PRIu64 " is damaged: %s checksum differs", number,
                          of);
}

/* Decodes a row of RECORD or RECORD_WITH_TEXT; strings are valid until the next step. */
static fp_status record_of(const fp_sqlite *store, sqlite3_stmt *row, bool text, fp_record *record, fp_error *error) {
    *record = (fp_record){.number = number_at(row, 0), .time = FP_TIME_NONE};
    for (int c = 0; c < FP_RECORD_COLUMNS; c++) {
        const fp_record_column *column = fp_record_columns + c;
        fp_string *string = fp_column_string(record, column);
        bool missing = column->kind == FP_COLUMN_TIME && sqlite3_column_type(row, c + 1) == SQLITE_NULL;
        if (string) *string = bytes_at(row, c + 1);
        else if (!missing) fp_column_set_number(record, column, number_at(row, c + 1));
    }
    bool good = record->id.length && record->id.length <= FP_RECORD_ID;
    if (!good || fp_store_sum_of_record(record) != number_at(row, 10))
        return damaged(store, record->number, "its", error);
    if (!text || sqlite3_column_type(row, 11) == SQLITE_NULL) return FP_OK;
    record->text = bytes_at(row, 11);
    return fp_store_sum(record->text, record->number) == number_at(row, 12)
               ? FP_OK
               : damaged(store, record->number, "its text's", error);
}

static fp_status sqlite_get(void *opened, uint64_t number, bool text, fp_arena *arena, fp_record *record,
                            fp_error *error) {
    fp_sqlite *store = opened;
    FP_SQLITE_STATEMENT(statement, store, text ? GET_WITH_TEXT : GET, error);
    bind(statement, "n", number);
    if (!FP_SQLITE_NEXT(store, statement, error)) return FP_OK;
    FP_TRY(record_of(store, statement, text, record, error));
    return fp_store_keep_record(record, arena, error);
}

static fp_status sqlite_find(void *opened, fp_string id, uint64_t *number, fp_error *error) {
    fp_sqlite *store = opened;
    FP_SQLITE_STATEMENT(statement, store, "SELECT number FROM records WHERE id = ?", error);
    bind(statement, "t", id);
    *number = FP_SQLITE_NEXT(store, statement, error) ? number_at(statement, 0) : 0;
    return FP_OK;
}

/* ---- All rows of a table from a number on ---- */

static const char RECORDS[] = RECORD "WHERE number >= ? ORDER BY number",
                  RECORDS_WITH_TEXTS[] = RECORD_WITH_TEXT "WHERE number >= ? ORDER BY number",
                  MATCHES[] = "SELECT * FROM matches WHERE later >= ? ORDER BY later, earlier",
                  DELETED[] = "SELECT entry, number FROM deleted WHERE entry >= ? ORDER BY entry";

static fp_status sqlite_each(void *opened, uint64_t from, bool text, fp_visit_record visit, void *context,
                             fp_error *error) {
    fp_sqlite *store = opened;
    fp_record record;
    FP_SCRATCH(scratch, store->like, error);
    FP_SQLITE_OWN_STATEMENT(row, store, text ? RECORDS_WITH_TEXTS : RECORDS, error);
    bind(row, "n", from);
    while (FP_SQLITE_NEXT(store, row, error)) {
        FP_TRY(record_of(store, row, text, &record, error));
        fp_arena_reset(scratch);
        record.fingerprint.data = FP_NEED(fp_string_copy(scratch, record.fingerprint), error);
        FP_TRY(visit(context, &record, error));
    }
    return FP_OK;
}

/* NaN counts as 0, because SQLite stores NULL. */
static uint64_t sum_of_match(const fp_record_match *match) {
    const double reals[] = {match->distance, match->similarity, match->shared};
    unsigned char bits[3 * 8] = {0};
    for (size_t i = 0; i < 3; i++)
        if (!isnan(reals[i])) memcpy(bits + 8 * i, reals + i, 8);
    uint64_t sum = fp_xxh3(match->passages.data, match->passages.length, match->later << 32 | match->earlier);
    return fp_store_sum((fp_string){(const char *)bits, sizeof bits}, sum);
}

static fp_status match_of(const fp_sqlite *store, sqlite3_stmt *row, fp_record_match *match, fp_error *error) {
    *match = (fp_record_match){number_at(row, 0), number_at(row, 1), real_at(row, 2),
                               real_at(row, 3),   real_at(row, 4),   bytes_at(row, 5)};
    if (sum_of_match(match) == number_at(row, 6)) return FP_OK;
    return FP_SQLITE_FAIL(store, error, FP_ERROR_SYNTAX,
                          "the match of records %" PRIu64 " and %" PRIu64 " is damaged: its checksum differs",
                          match->later, match->earlier);
}

static fp_status sqlite_each_match(void *opened, uint64_t from, fp_visit_match visit, void *context, fp_error *error) {
    fp_sqlite *store = opened;
    fp_record_match match;
    FP_SQLITE_OWN_STATEMENT(row, store, MATCHES, error);
    bind(row, "n", from);
    while (FP_SQLITE_NEXT(store, row, error)) {
        FP_TRY(match_of(store, row, &match, error));
        FP_TRY(visit(context, &match, error));
    }
    return FP_OK;
}

static fp_status sqlite_each_deleted(void *opened, uint64_t from, fp_visit_number visit, void *context,
                                     fp_error *error) {
    fp_sqlite *store = opened;
    FP_SQLITE_OWN_STATEMENT(row, store, DELETED, error);
    bind(row, "n", from);
    while (FP_SQLITE_NEXT(store, row, error)) FP_TRY(visit(context, number_at(row, 1), error));
    return FP_OK;
}

/* ---- Writing records ---- */

static fp_status add_text(fp_sqlite *store, const fp_record *record, fp_error *error) {
    return change(store, NULL, error, "INSERT INTO texts VALUES(?, ?, ?)", "ntn", record->number, record->text,
                  fp_store_sum(record->text, record->number));
}

static void bind_record(sqlite3_stmt *statement, fp_record record) {
    sqlite3_bind_int64(statement, 1, (sqlite3_int64)record.number);
    for (int c = 0; c < FP_RECORD_COLUMNS; c++) {
        const fp_record_column *column = fp_record_columns + c;
        const fp_string *string = fp_column_string(&record, column);
        if (string) bind_string(statement, c + 2, null_if_empty(*string), column->kind == FP_COLUMN_BYTES);
        else if (column->kind == FP_COLUMN_TIME && record.time == FP_TIME_NONE) sqlite3_bind_null(statement, c + 2);
        else sqlite3_bind_int64(statement, c + 2, (sqlite3_int64)fp_column_number(&record, column));
    }
    sqlite3_bind_int64(statement, FP_RECORD_COLUMNS + 2, (sqlite3_int64)fp_store_sum_of_record(&record));
}

static fp_status sqlite_add(void *opened, const fp_record *record, const uint64_t *keys, size_t key_count,
                            uint64_t *there, fp_error *error) {
    fp_sqlite *store = opened;
    (void)keys, (void)key_count;
    *there = 0;
    FP_SQLITE_STATEMENT(add, store, "INSERT INTO records VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", error);
    bind_record(add, *record);
    int result = sqlite3_step(add);
    fp_status status = FP_OK;
    if (result == SQLITE_CONSTRAINT_UNIQUE) status = sqlite_find(store, record->id, there, error);
    else if (result != SQLITE_DONE) status = fp_sqlite_failed(store, result, "write", error);
    return status || *there || !record->text.length ? status : add_text(store, record, error);
}

static fp_status sqlite_remove(void *store, uint64_t number, uint64_t entry, bool *found, bool *had_text,
                               fp_error *error) {
    FP_TRY(change(store, found, error, "DELETE FROM records WHERE number = ?", "n", number));
    if (!*found) return FP_OK;
    FP_TRY(change(store, had_text, error, "DELETE FROM texts WHERE number = ?", "n", number));
    return change(store, NULL, error, "INSERT INTO deleted VALUES(?, ?)", "nn", entry, number);
}

static fp_status sqlite_set_cluster(void *opened, uint64_t number, uint64_t cluster, bool *found, fp_error *error) {
    fp_sqlite *store = opened;
    fp_record record;
    FP_SQLITE_STATEMENT(get, store, GET, error);
    bind(get, "n", number);
    *found = FP_SQLITE_NEXT(store, get, error);
    if (!*found) return FP_OK;
    FP_TRY(record_of(store, get, false, &record, error));
    record.cluster = cluster;
    uint64_t sum = fp_store_sum_of_record(&record);
    sqlite3_reset(get);
    return change(store, NULL, error, "UPDATE records SET cluster = ?, checksum = ? WHERE number = ?", "nnn", cluster,
                  sum, number);
}

static fp_status write_match(void *store, const char *sql, const fp_record_match *match, bool *changed,
                             fp_error *error) {
    return change(store, changed, error, sql, "nnrrrtn", match->later, match->earlier, match->distance,
                  match->similarity, match->shared, match->passages, sum_of_match(match));
}

static fp_status sqlite_put_match(void *store, const fp_record_match *match, bool *added, fp_error *error) {
    bool changed;
    FP_TRY(write_match(store, "INSERT OR IGNORE INTO matches VALUES(?, ?, ?, ?, ?, ?, ?)", match, added, error));
    if (*added) return FP_OK;
    return write_match(store,
                       "UPDATE matches SET distance = ?3, similarity = ?4, shared = ?5, passages = ?6, checksum = ?7"
                       " WHERE later = ?1 AND earlier = ?2",
                       match, &changed, error);
}

/* ---- Pieces of tables ---- */

static fp_status sqlite_each_piece(void *opened, uint64_t first, uint64_t last, fp_visit_piece visit, void *context,
                                   fp_error *error) {
    fp_sqlite *store = opened;
    FP_SQLITE_STATEMENT(row, store, "SELECT key, entries, checksum FROM tables WHERE key BETWEEN ? AND ? ORDER BY key",
                        error);
    bind(row, "nn", first, last);
    while (FP_SQLITE_NEXT(store, row, error)) {
        uint64_t key = number_at(row, 0);
        fp_string bytes = bytes_at(row, 1);
        if (fp_store_sum(bytes, key) != number_at(row, 2))
            return FP_SQLITE_FAIL(store, error, FP_ERROR_SYNTAX,
                                  "row %" PRIu64 " of its tables is damaged: its checksum differs; `fplab index "
                                  "merge` makes the tables again",
                                  key);
        FP_TRY(visit(context, key, bytes, error));
    }
    return FP_OK;
}

static fp_status sqlite_put_piece(void *store, uint64_t key, fp_string bytes, fp_error *error) {
    return change(store, NULL, error, "INSERT INTO tables VALUES(?, ?, ?)", "nbn", key, bytes,
                  fp_store_sum(bytes, key));
}

static fp_status sqlite_remove_pieces(void *store, uint64_t first, uint64_t last, fp_error *error) {
    return change(store, NULL, error, "DELETE FROM tables WHERE key BETWEEN ? AND ?", "nn", first, last);
}

/* ---- Checking ---- */

/* Reports the errors that SQLite finds in pages and in the index of ids; headings begin with stars. */
static fp_status check_pages(fp_sqlite *store, fp_store_check *check, fp_error *error) {
    FP_SQLITE_OWN_STATEMENT(row, store, "PRAGMA integrity_check(100)", error);
    while (FP_SQLITE_NEXT(store, row, error)) {
        fp_string rest = bytes_at(row, 0), line;
        while (fp_next_line(&rest, &line))
            if (!fp_string_equal(line, fp_string_of("ok")) && !fp_string_begins(line, fp_string_of("***")))
                fp_store_problem(check->report, "damaged: %.*s", (int)line.length, line.data);
    }
    return FP_OK;
}

static fp_status check_record(fp_sqlite *store, sqlite3_stmt *row, fp_store_check *check, uint64_t *last,
                              fp_error *error) {
    fp_record record;
    fp_error why = {0};
    fp_status status = record_of(store, row, true, &record, &why);
    record.text.length += sqlite3_column_type(row, 11) != SQLITE_NULL;
    fp_store_check_record(check, &record);
    *last = record.number;
    return fp_store_pass(check->report, status, &why, error);
}

/* Checks in order, up to a page that cannot be read. */
static fp_status check_in_order(fp_sqlite *store, fp_store_check *check, uint64_t *last, fp_error *error) {
    FP_SQLITE_OWN_STATEMENT(row, store, RECORDS_WITH_TEXTS, error);
    bind(row, "n", UINT64_C(0));
    while (FP_SQLITE_NEXT(store, row, error)) FP_TRY(check_record(store, row, check, last, error));
    return FP_OK;
}

/* After such a page, continues number by number. */
static fp_status check_records(fp_sqlite *store, fp_store_check *check, fp_error *error) {
    uint64_t last = 0;
    fp_error why = {0};
    fp_status status = check_in_order(store, check, &last, error);
    for (uint64_t number = last + 1; status == FP_ERROR_SYNTAX && number < check->state.count.next; number++) {
        bool row;
        FP_SQLITE_STATEMENT(statement, store, GET_WITH_TEXT, error);
        bind(statement, "n", number);
        fp_status its = fp_sqlite_step(store, statement, &row, &why);
        if (!its && row) its = check_record(store, statement, check, &last, &why);
        if (its != FP_ERROR_SYNTAX) FP_TRY(fp_store_pass(check->report, its, &why, error));
    }
    return status == FP_ERROR_SYNTAX ? FP_OK : status;
}

static fp_status check_matches(fp_sqlite *store, fp_store_check *check, fp_error *error) {
    fp_record_match match;
    FP_SQLITE_OWN_STATEMENT(row, store, MATCHES, error);
    bind(row, "n", UINT64_C(0));
    while (FP_SQLITE_NEXT(store, row, error)) {
        fp_error why = {0};
        fp_status status = match_of(store, row, &match, &why);
        fp_store_check_match(check, &match, NULL);
        FP_TRY(fp_store_pass(check->report, status, &why, error));
    }
    return FP_OK;
}

static fp_status check_deleted(fp_sqlite *store, fp_store_check *check, fp_error *error) {
    return sqlite_each_deleted(store, 0, fp_store_check_deleted, check, error);
}

static fp_status check_facts(fp_sqlite *store, fp_store_check *check, fp_error *error) {
    FP_SQLITE_OWN_STATEMENT(row, store, "SELECT name, value, checksum FROM facts", error);
    while (FP_SQLITE_NEXT(store, row, error)) {
        const char *name = (const char *)sqlite3_column_text(row, 0);
        if (!name || fp_store_sum(bytes_at(row, 1), owner_of(name)) != number_at(row, 2))
            fp_store_problem(check->report, "damaged: the checksum of its \"%s\" differs", name ? name : "");
    }
    return FP_OK;
}

static fp_status sqlite_check(void *store, fp_store_check *check, fp_error *error) {
    static fp_status (*const CHECKS[])(fp_sqlite * store, fp_store_check * check, fp_error * error) = {
        check_pages, check_records, check_matches, check_deleted, check_facts};
    fp_error why = {0};
    for (size_t i = 0; i < sizeof CHECKS / sizeof *CHECKS; i++)
        FP_TRY(fp_store_pass(check->report, CHECKS[i](store, check, &why), &why, error));
    return FP_OK;
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
