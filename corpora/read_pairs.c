/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reading pairs.tsv. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/map.h"
#include "corpora/read.h"
#include "corpora/row.h"
#include "text/unicode/utf8.h"

typedef struct reader {
    fp_corpus_reading *in;
    const char *path;
    fp_string content;
    size_t valid;    /* offset of the next byte that is not UTF-8 */
    fp_pair *pairs;  /* [lines of the file] those of the corpus */
    fp_string *kind; /* [lines of the file] */
    fp_map stated;
    size_t *row;         /* row number of each pair */
    size_t *contradicts; /* the first row with the other label; 0: none */
    fp_numbering kinds;
    fp_string *distinct; /* [kinds.count] each kind, stored once */
    size_t distinct_room;
} reader;

static size_t count_lines(fp_string content) {
    size_t lines = 1;
    for (const char *at = content.data, *end = at + content.length; (at = memchr(at, '\n', (size_t)(end - at))); at++)
        lines++;
    return lines;
}

/* ---- One row ---- */

/* Reports invalid UTF-8 as an error of its line. */
static fp_status check_line(reader *from, fp_string line) {
    fp_string content = from->content;
    size_t end = (size_t)(line.data + line.length - content.data);
    if (from->valid >= content.length || from->valid >= end) return FP_OK;
    fp_at_byte(from->in->error, fp_fail(from->in->error, FP_ERROR_ENCODING, "invalid UTF-8"), from->valid);
    from->valid = end + fp_utf8_check((fp_string){content.data + end, content.length - end});
    return FP_ERROR_ENCODING;
}

static fp_status find_id(const fp_corpus_reading *in, fp_string id, uint32_t *position) {
    FP_TRY(fp_corpus_id_check(id, in->error));
    *position = fp_numbering_find(&in->ids, id);
    if (*position != FP_MAP_NONE) return FP_OK;
    return fp_fail(in->error, FP_ERROR_UNKNOWN, "a pair names the unknown id %.*s", (int)id.length, id.data);
}

/* After a failure *place is the bad field. */
static fp_status parse_fields(const fp_corpus_reading *in, const fp_string field[4], fp_pair *pair,
                              const char **place) {
    fp_string label = field[2];
    *place = field[0].data;
    FP_TRY(find_id(in, field[0], &pair->a));
    *place = field[1].data;
    FP_TRY(find_id(in, field[1], &pair->b));
    if (pair->a == pair->b) return fp_fail(in->error, FP_ERROR_SYNTAX, "a document is paired with itself");
    *place = label.data;
    pair->label = label.length == 1 && *label.data == '1';
    if (pair->label || (label.length == 1 && *label.data == '0')) return FP_OK;
    return fp_fail(in->error, FP_ERROR_RANGE, "the label \"%.*s\" is neither 0 nor 1", (int)label.length, label.data);
}

static fp_status parse_pair(const reader *from, fp_string line, fp_pair *pair, fp_string *kind) {
    fp_error *error = from->in->error;
    fp_string field[4] = {{"", 0}, {"", 0}, {"", 0}, {"", 0}}, rest = line;
    const char *place = line.data, *start = from->content.data;
    size_t count = 0;
    fp_status status;
    while (count < 4 && fp_next_field(&rest, '\t', &field[count])) count++;
    if (line.data == start && fp_string_begins(line, fp_string_of(FP_BYTE_ORDER_MARK)))
        status = fp_fail(error, FP_ERROR_SYNTAX, "a byte order mark (EF BB BF) precedes the first id");
    else if (count < 3 || rest.data)
        status = fp_fail(error, FP_ERROR_SYNTAX, "expected id_a, id_b, label and an optional kind, separated by tabs");
    else status = parse_fields(from->in, field, pair, &place);
    *kind = field[3];
    return status == FP_OK ? FP_OK : fp_at_byte(error, status, (size_t)(place - start));
}

static fp_status contradicted(const reader *from, fp_pair pair, size_t row) {
    fp_string a = from->in->corpus->documents[pair.a].id, b = from->in->corpus->documents[pair.b].id;
    return fp_fail(from->in->error, FP_ERROR_DUPLICATE, "the label of %.*s, %.*s is %d, and in line %zu %d",
                   (int)a.length, a.data, (int)b.length, b.data, pair.label, row, !pair.label);
}

/* Checks that the pair at position `at` is new. */
static fp_status check_row(reader *from, size_t at, size_t row, fp_string line) {
    fp_pair pair = from->pairs[at];
    uint32_t before = fp_map_take(&from->stated, fp_pair_key(pair.a, pair.b), (uint32_t)at);
    from->row[at] = row;
    if (before == FP_MAP_NONE) return FP_OK;
    if (pair.label != from->pairs[before].label) {
        if (from->contradicts[before] == 0) from->contradicts[before] = row;
        contradicted(from, pair, from->row[before]);
    } else {
        fp_string a = from->in->corpus->documents[pair.a].id, b = from->in->corpus->documents[pair.b].id;
        fp_fail(from->in->error, FP_ERROR_DUPLICATE, "duplicate pair %.*s, %.*s; it is also in line %zu", (int)a.length,
                a.data, (int)b.length, b.data, from->row[before]);
    }
    return fp_at_byte(from->in->error, FP_ERROR_DUPLICATE, (size_t)(line.data - from->content.data));
}

static fp_status keep_kind(reader *to, fp_string kind, fp_string *kept) {
    fp_corpus_reading *in = to->in;
    uint32_t number;
    bool fresh;
    *kept = (fp_string){"", 0};
    if (kind.length == 0) return FP_OK;
    FP_TRY(fp_numbering_of(&to->kinds, kind, &number, &fresh, in->error));
    FP_TRY(FP_ROOM(in->arena, to->distinct, number, to->distinct_room, in->error));
    if (fresh) to->distinct[number] = (fp_string){FP_NEED(fp_string_copy(in->arena, kind), in->error), kind.length};
    *kept = to->distinct[number];
    return FP_OK;
}

/* ---- All rows ---- */

/* Contradictory rows are all dropped, since none is more trustworthy than the others. */
static fp_status drop_contradicted(reader *from) {
    size_t kept = 0;
    for (size_t i = 0; i < from->in->corpus->pair_count; i++) {
        if (from->contradicts[i]) {
            contradicted(from, from->pairs[i], from->contradicts[i]);
            FP_TRY(fp_corpus_bad_row(from->in, from->path, from->row[i]));
            continue;
        }
        from->pairs[kept] = from->pairs[i];
        from->kind[kept++] = from->kind[i];
    }
    from->in->corpus->pair_count = kept;
    return FP_OK;
}

static fp_status take_lines(reader *from, fp_arena *scratch) {
    fp_corpus_reading *in = from->in;
    fp_corpus *corpus = in->corpus;
    size_t lines = count_lines(from->content), row = 1;
    corpus->pairs = from->pairs = FP_NEED(fp_arena_alloc(in->arena, lines, sizeof *from->pairs), in->error);
    corpus->kinds = from->kind = FP_NEED(fp_arena_alloc(in->arena, lines, sizeof *from->kind), in->error);
    from->row = FP_NEED(fp_arena_raw(scratch, lines, sizeof *from->row), in->error);
    from->contradicts = FP_NEED(fp_arena_alloc(scratch, lines, sizeof *from->contradicts), in->error);
    FP_TRY(fp_map_open(&from->stated, lines, scratch, in->error));
    from->valid = fp_utf8_check(from->content);
    for (fp_string rest = from->content, line, kind; fp_next_line(&rest, &line); row++) {
        if (line.length == 0) continue;
        size_t at = corpus->pair_count;
        fp_status status = check_line(from, line);
        if (status == FP_OK) status = parse_pair(from, line, from->pairs + at, &kind);
        if (status == FP_OK) status = check_row(from, at, row, line);
        if (status == FP_OK) status = keep_kind(from, kind, from->kind + at);
        if (status == FP_OK) corpus->pair_count++;
        else FP_TRY(fp_corpus_bad_row(in, from->path, row));
    }
    FP_TRY(drop_contradicted(from));
    return corpus->pair_count ? FP_OK : FP_FAIL_AT(in->error, FP_ERROR_EMPTY, from->path, "the file has no pairs");
}

fp_status fp_corpus_read_pairs(fp_corpus_reading *in) {
    reader from = {.in = in,
                   .path = FP_NEED(fp_format(in->arena, "%s/pairs.tsv", in->corpus->path), in->error),
                   .kinds = {.like = in->arena}};
    if (access(from.path, F_OK) != 0) return FP_OK;
    FP_SCRATCH(file, in->arena, in->error);
    FP_TRY(fp_read_file_within(from.path, fp_corpus_most_bytes(in->options), file, &from.content, in->error));
    fp_sha256_hex(from.content, in->corpus->pairs_sha256);
    fp_status status = take_lines(&from, file);
    fp_numbering_free(&from.kinds);
    return status;
}
