/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reading pairs.tsv. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/map.h"
#include "corpora/read.h"
#include "corpora/row.h"
#include "text/unicode/utf8.h"

static size_t count_lines(fp_string content) {
    size_t lines = 1;
    for (const char *at = content.data, *end = at + content.length; (at = memchr(at, '\n', (size_t)(end - at))); at++)
        lines++;
    return lines;
}

static fp_status find_id(fp_corpus_reading *in, fp_string id, uint32_t *position) {
    FP_TRY(fp_corpus_id_check(id, in->error));
    *position = fp_numbering_find(&in->ids, id);
    if (*position != FP_MAP_NONE) return FP_OK;
    return fp_fail(in->error, FP_ERROR_UNKNOWN, "a pair names the unknown id %.*s", (int)id.length, id.data);
}

static fp_status parse_label(fp_corpus_reading *in, fp_string text, fp_pair *pair) {
    if (text.length != 1 || (*text.data != '0' && *text.data != '1'))
        return fp_fail(in->error, FP_ERROR_RANGE, "the label \"%.*s\" is neither 0 nor 1", (int)text.length, text.data);
    pair->label = *text.data == '1';
    return FP_OK;
}

/* *place is the bad field. */
static fp_status parse_fields(fp_corpus_reading *in, const fp_string field[4], fp_pair *pair, const char **place) {
    *place = field[0].data;
    FP_TRY(find_id(in, field[0], &pair->a));
    *place = field[1].data;
    FP_TRY(find_id(in, field[1], &pair->b));
    if (pair->a == pair->b) return fp_fail(in->error, FP_ERROR_SYNTAX, "a document is paired with itself");
    *place = field[2].data;
    return parse_label(in, field[2], pair);
}

/* `start` is the beginning of the file; errors have their byte relative to it. */
static fp_status parse_pair(fp_corpus_reading *in, const char *start, fp_string line, fp_pair *pair, fp_string *kind) {
    fp_string field[4] = {{"", 0}, {"", 0}, {"", 0}, {"", 0}}, rest = line;
    const char *place = line.data;
    size_t count = 0;
    fp_status status;
    while (count < 4 && fp_next_field(&rest, '\t', &field[count])) count++;
    if (line.data == start && fp_string_begins(line, fp_string_of(FP_BYTE_ORDER_MARK)))
        status = fp_fail(in->error, FP_ERROR_SYNTAX, "a byte order mark (EF BB BF) precedes the first id");
    else if (count < 3 || rest.data)
        status =
            fp_fail(in->error, FP_ERROR_SYNTAX, "expected id_a, id_b, label and an optional kind, separated by tabs");
    else status = parse_fields(in, field, pair, &place);
    *kind = field[3];
    if (status != FP_OK) in->error->byte = (size_t)(place - start);
    return status;
}

/* Distinct kinds, each stored once. */
typedef struct kinds {
    fp_numbering seen;
    fp_string *distinct;
    size_t room;
} kinds;

static fp_status keep_kind(kinds *to, fp_string kind, fp_arena *arena, fp_string *kept, fp_error *error) {
    uint32_t number;
    bool fresh;
    *kept = (fp_string){"", 0};
    if (kind.length == 0) return FP_OK;
    FP_TRY(fp_numbering_of(&to->seen, kind, &number, &fresh, error));
    FP_TRY(FP_ROOM(arena, to->distinct, number, to->room, error));
    if (fresh) to->distinct[number] = (fp_string){FP_NEED(fp_string_copy(arena, kind), error), kind.length};
    *kept = to->distinct[number];
    return FP_OK;
}

/* Reports invalid UTF-8 as an error of its line; *valid is the offset of the next invalid byte. */
static fp_status check_line(fp_corpus_reading *in, fp_string content, fp_string line, size_t *valid) {
    size_t end = (size_t)(line.data + line.length - content.data);
    if (*valid >= content.length || *valid >= end) return FP_OK;
    fp_at_byte(in->error, fp_fail(in->error, FP_ERROR_ENCODING, "invalid UTF-8"), *valid);
    *valid = end + fp_utf8_check((fp_string){content.data + end, content.length - end});
    return FP_ERROR_ENCODING;
}

/* State of the rows read so far. */
typedef struct rows {
    fp_map stated;
    size_t *row;         /* row number of each pair */
    size_t *contradicts; /* the first row with the other label; 0: none */
} rows;

static fp_status open_rows(rows *to, size_t most, fp_arena *scratch, fp_error *error) {
    to->row = FP_NEED(fp_arena_raw(scratch, most, sizeof *to->row), error);
    to->contradicts = FP_NEED(fp_arena_alloc(scratch, most, sizeof *to->contradicts), error);
    return fp_map_open(&to->stated, most, scratch, error);
}

/* Checks that a pair is new. `at` is its position. */
static fp_status check_row(fp_corpus_reading *in, rows *so_far, size_t at, size_t row, size_t byte) {
    const fp_pair *pairs = in->corpus->pairs, pair = pairs[at];
    uint32_t before = fp_map_take(&so_far->stated, fp_pair_key(pair.a, pair.b), (uint32_t)at);
    so_far->row[at] = row;
    if (before == FP_MAP_NONE) return FP_OK;
    fp_string a = in->corpus->documents[pair.a].id, b = in->corpus->documents[pair.b].id;
    if (pair.label == pairs[before].label) {
        fp_fail(in->error, FP_ERROR_DUPLICATE, "duplicate pair %.*s, %.*s: it is in line %zu, too", (int)a.length,
                a.data, (int)b.length, b.data, so_far->row[before]);
    } else {
        if (so_far->contradicts[before] == 0) so_far->contradicts[before] = row;
        fp_fail(in->error, FP_ERROR_DUPLICATE, "the label of %.*s, %.*s is %d, and in line %zu %d", (int)a.length,
                a.data, (int)b.length, b.data, pair.label, so_far->row[before], pairs[before].label);
    }
    return fp_at_byte(in->error, FP_ERROR_DUPLICATE, byte);
}

/* Contradictory rows are all dropped, since none is more trustworthy than the others. */
static fp_status leave_contradicted(fp_corpus_reading *in, const char *path, const rows *read, fp_pair *pairs,
                                    fp_string *kind) {
    size_t kept = 0;
    for (size_t i = 0; i < in->corpus->pair_count; i++) {
        if (read->contradicts[i] == 0) {
            pairs[kept] = pairs[i];
            kind[kept++] = kind[i];
            continue;
        }
        fp_string a = in->corpus->documents[pairs[i].a].id, b = in->corpus->documents[pairs[i].b].id;
        fp_fail(in->error, FP_ERROR_DUPLICATE, "the label of %.*s, %.*s is %d, and in line %zu %d", (int)a.length,
                a.data, (int)b.length, b.data, pairs[i].label, read->contradicts[i], !pairs[i].label);
        FP_TRY(fp_corpus_bad_row(in, path, read->row[i]));
    }
    in->corpus->pair_count = kept;
    return FP_OK;
}

static fp_status take_lines(fp_corpus_reading *in, const char *path, fp_string content, kinds *kept,
                            fp_arena *scratch) {
    fp_corpus *corpus = in->corpus;
    size_t lines = count_lines(content), valid = fp_utf8_check(content), row = 1;
    fp_pair *pairs = FP_NEED(fp_arena_alloc(in->arena, lines, sizeof *pairs), in->error);
    fp_string *kind = FP_NEED(fp_arena_alloc(in->arena, lines, sizeof *kind), in->error), found, line;
    rows read = {0};
    FP_TRY(open_rows(&read, lines, scratch, in->error));
    corpus->pairs = pairs;
    corpus->kinds = kind;
    for (fp_string rest = content; fp_next_line(&rest, &line); row++) {
        if (line.length == 0) continue;
        size_t at = corpus->pair_count;
        fp_status status = check_line(in, content, line, &valid);
        if (status == FP_OK) status = parse_pair(in, content.data, line, pairs + at, &found);
        if (status == FP_OK) status = check_row(in, &read, at, row, (size_t)(line.data - content.data));
        if (status == FP_OK) status = keep_kind(kept, found, in->arena, kind + at, in->error);
        if (status == FP_OK) corpus->pair_count++;
        else FP_TRY(fp_corpus_bad_row(in, path, row));
    }
    FP_TRY(leave_contradicted(in, path, &read, pairs, kind));
    return corpus->pair_count ? FP_OK : FP_FAIL_AT(in->error, FP_ERROR_EMPTY, path, "the file has no pairs");
}

fp_status fp_corpus_read_pairs(fp_corpus_reading *in) {
    const char *path = FP_NEED(fp_format(in->arena, "%s/pairs.tsv", in->corpus->path), in->error);
    if (access(path, F_OK) != 0) return FP_OK;
    FP_SCRATCH(file, in->arena, in->error);
    fp_string content;
    kinds kept = {.seen = {.like = in->arena}};
    FP_TRY(fp_read_file_within(path, fp_corpus_most_bytes(in->options), file, &content, in->error));
    fp_sha256_hex(content, in->corpus->pairs_sha256);
    fp_status status = take_lines(in, path, content, &kept, file);
    fp_numbering_free(&kept.seen);
    return status;
}
