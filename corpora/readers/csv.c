/* SPDX-License-Identifier: GPL-3.0-or-later
 * CSV records and fields. Splitting into records and into fields uses the same rule: a quotation mark counts only at
 * the start of a field. */
#include "corpora/readers/csv.h"

#include <string.h>

/* ---- Records ---- */

/* The position after the closing mark of the quoted field that begins at `at`; NULL if it is not closed. */
static const char *close_quote(const char *at, const char *end) {
    for (at++; at < end && (at = memchr(at, '"', (size_t)(end - at))); at += 2)
        if (at + 1 == end || at[1] != '"') return at + 1;
    return NULL;
}

/* The position after the line end of the record that begins at `record`; NULL if it has none. *open: because a quote is
 * not closed. */
static const char *record_end(char separator, const char *record, const char *end, bool *open) {
    *open = false;
    const char *line = memchr(record, '\n', (size_t)(end - record)), *at = record;
    while (line && (at = memchr(at, '"', (size_t)(line - at)))) {
        if (at > record && at[-1] != separator) {
            at++;
            continue;
        }
        at = close_quote(at, end);
        if (at && at > line) line = memchr(at, '\n', (size_t)(end - at));
        *open = !at;
        if (!at) return NULL;
    }
    return line ? line + 1 : NULL;
}

static size_t whole(char separator, fp_string bytes) {
    const char *at = bytes.data, *end = at + bytes.length;
    bool open;
    for (const char *next; at < end && (next = record_end(separator, at, end, &open));) at = next;
    return (size_t)(at - bytes.data);
}

/* Only the last block of a file has records without an end. */
static bool next(char separator, fp_string *rest, fp_string *record, size_t *rows) {
    if (rest->length == 0) return false;
    bool open;
    const char *end = rest->data + rest->length, *behind = record_end(separator, rest->data, end, &open);
    /* If a quote is not closed before the end of the file, only its line is bad, not the rest of the file. */
    const char *line = open ? memchr(rest->data, '\n', rest->length) : NULL;
    if (line) behind = line + 1;
    *record = (fp_string){rest->data, (size_t)((behind ? behind - 1 : end) - rest->data)};
    *rows = 1;
    for (const char *at = record->data; (at = memchr(at, '\n', (size_t)(record->data + record->length - at))); at++)
        ++*rows;
    *rest = (fp_string){behind ? behind : end, behind ? (size_t)(end - behind) : 0};
    if (record->length && record->data[record->length - 1] == '\r') record->length--;
    return true;
}

fp_record_cut fp_csv_cut(fp_csv csv) { return csv.quotes ? (fp_record_cut){whole, next, csv.separator} : fp_line_cut; }

/* ---- Fields ---- */

/* The characters between two quotation marks; copied if marks are doubled. */
static fp_status unquote(fp_string inside, fp_arena *kept, fp_string *field, fp_error *error) {
    *field = inside;
    if (!memchr(inside.data, '"', inside.length)) return FP_OK;
    char *copy = FP_NEED(fp_arena_raw(kept, inside.length, 1), error), *to = copy;
    for (size_t i = 0; i < inside.length; i++) {
        *to++ = inside.data[i];
        if (inside.data[i] == '"') i++;
    }
    *field = (fp_string){copy, (size_t)(to - copy)};
    return FP_OK;
}

static fp_status take_quoted(fp_csv csv, fp_string record, const char **at, fp_arena *kept, fp_string *field,
                             fp_error *error) {
    const char *begin = *at, *end = record.data + record.length, *closed = close_quote(begin, end);
    if (!closed)
        return fp_at_byte(error, fp_fail(error, FP_ERROR_SYNTAX, "a quote that is not closed"),
                          (size_t)(begin - record.data));
    if (closed < end && *closed != csv.separator)
        return fp_at_byte(error, fp_fail(error, FP_ERROR_SYNTAX, "characters after a closing quote"),
                          (size_t)(closed - record.data));
    *at = closed;
    return unquote((fp_string){begin + 1, (size_t)(closed - begin - 2)}, kept, field, error);
}

static size_t count_most(fp_csv csv, fp_string record) {
    size_t most = 1;
    for (size_t i = 0; i < record.length; i++) most += record.data[i] == csv.separator;
    return most;
}

fp_status fp_csv_fields(fp_csv csv, fp_string record, fp_arena *kept, const fp_string **fields, size_t *count,
                        fp_error *error) {
    const char *at = record.data, *end = at + record.length;
    fp_string *made = FP_NEED(fp_arena_raw(kept, count_most(csv, record), sizeof *made), error);
    *fields = made;
    for (*count = 0;; at++) {
        fp_string *field = made + (*count)++;
        if (csv.quotes && at < end && *at == '"') {
            FP_TRY(take_quoted(csv, record, &at, kept, field, error));
        } else {
            const char *separator = memchr(at, csv.separator, (size_t)(end - at));
            *field = (fp_string){at, (size_t)((separator ? separator : end) - at)};
            at += field->length;
        }
        if (at == end) return FP_OK;
    }
}
