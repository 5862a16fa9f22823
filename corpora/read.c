/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reading a corpus directory: documents, groups, pairs. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/map.h"
#include "corpora/corpus.h"
#include "corpora/json.h"
#include "text/unicode/utf8.h"

/* What is being built, with the options that decide what a bad row does. */
typedef struct reader {
    const fp_corpus_options *options;
    fp_arena *arena;
    fp_arena *row; /* one document's JSON */
    fp_corpus *corpus;
    fp_map ids;
    fp_error *error;
} reader;

static fp_status bad_row(reader *in, const char *path, size_t line) {
    if (in->error->code == FP_ERROR_MEMORY) return FP_ERROR_MEMORY;
    fp_at(in->error, in->error->code, path, line, in->error->byte);
    if (!in->options->skip_bad) return in->error->code;
    in->corpus->skipped++;
    if (in->options->skipped) in->options->skipped(in->options->context, in->error);
    return FP_OK;
}

static fp_status read_whole(reader *in, const char *path, fp_string *content) {
    size_t most = in->options->most_bytes ? in->options->most_bytes : FP_MOST_BYTES;
    return fp_read_file_within(path, most, in->arena, content, in->error);
}

static size_t count_lines(fp_string content) {
    size_t lines = 1;
    for (const char *at = content.data, *end = at + content.length; (at = memchr(at, '\n', (size_t)(end - at))); at++)
        lines++;
    return lines;
}

/* ---- Documents ---- */

/* The first of docs.jsonl, docs.jsonl.gz and docs.jsonl.zst that is there; docs.jsonl when none is. */
static const char *documents_path(const char *directory, fp_arena *arena) {
    static const char *const ENDINGS[] = {"", ".gz", ".zst"};
    for (size_t i = 0; i < 3; i++) {
        const char *path = fp_format(arena, "%s/docs.jsonl%s", directory, ENDINGS[i]);
        if (!path || access(path, F_OK) == 0) return path;
    }
    return fp_format(arena, "%s/docs.jsonl", directory);
}

/* An error about a value: its place becomes the value's. */
static fp_status wrong(reader *in, const fp_json *value, fp_status code) {
    in->error->byte = value->byte;
    return code;
}

/* Ids are columns of tables. */
static fp_status check_id(reader *in, fp_string id) {
    static const struct {
        char sign;
        const char *name;
    } NEVER[] = {{'\t', "a tab"}, {'\n', "a line end"}, {'\r', "a carriage return"}, {'\0', "a NUL"}};
    for (size_t i = 0; i < sizeof NEVER / sizeof *NEVER; i++)
        if (memchr(id.data, NEVER[i].sign, id.length))
            return fp_fail(in->error, FP_ERROR_SYNTAX, "the id holds %s", NEVER[i].name);
    return FP_OK;
}

static fp_status take_id(reader *in, const fp_json *object, fp_corpus_document *document) {
    const fp_json *member = fp_json_member(object, "id");
    FP_TRY(fp_json_string(object, "id", in->arena, &document->id, in->error));
    if (document->id.length == 0)
        return wrong(in, member ? member : object, fp_fail(in->error, FP_ERROR_SYNTAX, "the document has no \"id\""));
    if (check_id(in, document->id) != FP_OK) return wrong(in, member, in->error->code);
    if (fp_map_get(&in->ids, fp_xxh3(document->id.data, document->id.length, 0)) == FP_MAP_NONE) return FP_OK;
    return wrong(in, member,
                 fp_fail(in->error, FP_ERROR_DUPLICATE, "the id %.*s stands twice", (int)document->id.length,
                         document->id.data));
}

static fp_status take_document(reader *in, const fp_json *object, fp_corpus_document *document) {
    if (object->type != FP_JSON_OBJECT)
        return wrong(in, object, fp_fail(in->error, FP_ERROR_SYNTAX, "a document is a JSON object"));
    const fp_json *text = fp_json_member(object, "text");
    if (!text) return wrong(in, object, fp_fail(in->error, FP_ERROR_SYNTAX, "the document has no \"text\""));
    if (text->type == FP_JSON_NULL)
        return wrong(in, text, fp_fail(in->error, FP_ERROR_SYNTAX, "\"text\" is null, not a string"));
    FP_TRY(take_id(in, object, document));
    FP_TRY(fp_json_string(object, "text", in->arena, &document->text, in->error));
    FP_TRY(fp_json_string(object, "lang", in->arena, &document->language, in->error));
    return fp_json_string(object, "group", in->arena, &document->group, in->error);
}

/* The next document of the corpus. Errors have their byte in the line. */
static fp_status add_document(reader *in, fp_string line, fp_corpus_document *document) {
    const fp_json *object;
    fp_arena_reset(in->row);
    FP_TRY(fp_json_parse(line, in->row, &object, in->error));
    FP_TRY(take_document(in, object, document));
    document->json = line;
    fp_map_put(&in->ids, fp_xxh3(document->id.data, document->id.length, 0), (uint32_t)in->corpus->document_count++);
    return FP_OK;
}

static fp_status read_documents(reader *in) {
    fp_corpus *corpus = in->corpus;
    const char *path = documents_path(corpus->path, in->arena);
    if (!path) return fp_no_memory(in->error);
    fp_string content;
    FP_TRY(read_whole(in, path, &content));
    fp_sha256_hex(content, corpus->documents_sha256);
    size_t lines = count_lines(content);
    fp_corpus_document *documents = fp_arena_alloc(in->arena, lines, sizeof *documents);
    if (!documents) return fp_no_memory(in->error);
    FP_TRY(fp_map_open(&in->ids, lines, in->arena, in->error));
    fp_string rest = content, line;
    for (size_t row = 1; fp_next_line(&rest, &line); row++) {
        if (line.length == 0) continue;
        if (add_document(in, line, documents + corpus->document_count) == FP_OK) continue;
        if (in->error->byte != SIZE_MAX) in->error->byte += (size_t)(line.data - content.data);
        FP_TRY(bad_row(in, path, row));
    }
    corpus->documents = documents;
    if (corpus->document_count) return FP_OK;
    fp_fail(in->error, FP_ERROR_EMPTY, "the corpus has no documents");
    return fp_at(in->error, FP_ERROR_EMPTY, path, SIZE_MAX, SIZE_MAX);
}

/* ---- Groups ---- */

static fp_status number_groups(reader *in) {
    fp_corpus *corpus = in->corpus;
    fp_map seen;
    FP_TRY(fp_map_open(&seen, corpus->document_count, in->arena, in->error));
    uint32_t *group = fp_arena_raw(in->arena, corpus->document_count, sizeof *group);
    if (!group) return fp_no_memory(in->error);
    for (size_t i = 0; i < corpus->document_count; i++) {
        fp_string name = corpus->documents[i].group;
        group[i] = UINT32_MAX;
        if (name.length == 0) continue;
        uint64_t key = fp_xxh3(name.data, name.length, 0);
        if (fp_map_get(&seen, key) == FP_MAP_NONE) fp_map_put(&seen, key, (uint32_t)corpus->group_count++);
        group[i] = fp_map_get(&seen, key);
    }
    corpus->group = group;
    return FP_OK;
}

/* ---- Pairs ---- */

static fp_status find_id(reader *in, fp_string id, uint32_t *position) {
    FP_TRY(check_id(in, id));
    *position = fp_map_get(&in->ids, fp_xxh3(id.data, id.length, 0));
    if (*position != FP_MAP_NONE) return FP_OK;
    return fp_fail(in->error, FP_ERROR_UNKNOWN, "a pair names the unknown id %.*s", (int)id.length, id.data);
}

static fp_status parse_label(reader *in, fp_string text, fp_pair *pair) {
    if (text.length != 1 || (*text.data != '0' && *text.data != '1'))
        return fp_fail(in->error, FP_ERROR_RANGE, "the label \"%.*s\" is neither 0 nor 1", (int)text.length, text.data);
    pair->label = *text.data == '1';
    return FP_OK;
}

/* *place is the field that is wrong. */
static fp_status parse_fields(reader *in, const fp_string field[4], fp_pair *pair, const char **place) {
    *place = field[0].data;
    FP_TRY(find_id(in, field[0], &pair->a));
    *place = field[1].data;
    FP_TRY(find_id(in, field[1], &pair->b));
    if (pair->a == pair->b) return fp_fail(in->error, FP_ERROR_SYNTAX, "a document is paired with itself");
    *place = field[2].data;
    return parse_label(in, field[2], pair);
}

/* Errors have their byte in the file, which begins at `start`. */
static fp_status parse_pair(reader *in, const char *start, fp_string line, fp_pair *pair, fp_string *kind) {
    fp_string field[4] = {{"", 0}, {"", 0}, {"", 0}, {"", 0}}, rest = line;
    const char *place = line.data;
    size_t count = 0;
    fp_status status;
    while (count < 4 && fp_next_field(&rest, '\t', &field[count])) count++;
    if (line.data == start && line.length >= 3 && memcmp(start, "\xef\xbb\xbf", 3) == 0)
        status = fp_fail(in->error, FP_ERROR_SYNTAX, "a byte order mark (EF BB BF) stands before the first id");
    else if (count < 3 || rest.data)
        status =
            fp_fail(in->error, FP_ERROR_SYNTAX, "expected id_a, id_b, label and an optional kind, separated by tabs");
    else status = parse_fields(in, field, pair, &place);
    *kind = field[3];
    if (status != FP_OK) in->error->byte = (size_t)(place - start);
    return status;
}

static fp_status read_pairs(reader *in) {
    fp_corpus *corpus = in->corpus;
    const char *path = fp_format(in->arena, "%s/pairs.tsv", corpus->path);
    if (!path) return fp_no_memory(in->error);
    if (access(path, F_OK) != 0) return FP_OK;
    fp_string content, line;
    FP_TRY(read_whole(in, path, &content));
    fp_sha256_hex(content, corpus->pairs_sha256);
    size_t lines = count_lines(content);
    fp_pair *pairs = fp_arena_alloc(in->arena, lines, sizeof *pairs);
    fp_string *kinds = fp_arena_alloc(in->arena, lines, sizeof *kinds);
    if (!pairs || !kinds) return fp_no_memory(in->error);
    size_t valid = fp_utf8_check(content);
    size_t row = 1;
    for (fp_string rest = content; fp_next_line(&rest, &line); row++) {
        if (line.length == 0) continue;
        fp_status status = FP_OK;
        if (valid < content.length && content.data + valid < line.data + line.length) {
            status = fp_fail(in->error, FP_ERROR_ENCODING, "invalid UTF-8");
            in->error->byte = valid;
            size_t further = (size_t)(line.data + line.length - content.data);
            valid = further + fp_utf8_check((fp_string){content.data + further, content.length - further});
        }
        size_t at = corpus->pair_count;
        if (status == FP_OK) status = parse_pair(in, content.data, line, pairs + at, kinds + at);
        if (status == FP_OK) corpus->pair_count++;
        else FP_TRY(bad_row(in, path, row));
    }
    corpus->pairs = pairs;
    corpus->kinds = kinds;
    if (corpus->pair_count) return FP_OK;
    fp_fail(in->error, FP_ERROR_EMPTY, "the file has no pairs");
    return fp_at(in->error, FP_ERROR_EMPTY, path, SIZE_MAX, SIZE_MAX);
}

/* ---- All ---- */

/* The last component of the path. */
static const char *directory_name(const char *path, fp_arena *arena) {
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') length--;
    size_t begin = length;
    while (begin > 0 && path[begin - 1] != '/') begin--;
    return fp_string_copy(arena, (fp_string){path + begin, length - begin});
}

fp_status fp_corpus_read(const char *path, const fp_corpus_options *options, fp_arena *arena, fp_corpus *corpus,
                         fp_error *error) {
    static const fp_corpus_options STRICT = {0};
    fp_error ignored;
    reader in = {
        .options = options ? options : &STRICT, .arena = arena, .corpus = corpus, .error = error ? error : &ignored};
    *corpus = (fp_corpus){.path = fp_string_copy(arena, fp_string_of(path)), .name = directory_name(path, arena)};
    if (!corpus->path || !corpus->name) return fp_no_memory(error);
    in.row = fp_arena_new();
    fp_status status = in.row ? read_documents(&in) : fp_no_memory(error);
    fp_arena_free(in.row);
    FP_TRY(status);
    FP_TRY(number_groups(&in));
    FP_TRY(read_pairs(&in));
    corpus->truth = corpus->pairs ? FP_TRUTH_PAIRS : corpus->group_count ? FP_TRUTH_GROUPS : FP_TRUTH_NONE;
    return FP_OK;
}

fp_status fp_corpus_field(const fp_corpus_document *document, const char *name, fp_arena *arena, fp_string *value,
                          fp_error *error) {
    fp_arena *row = fp_arena_new();
    const fp_json *object;
    *value = (fp_string){"", 0};
    fp_status status = row ? fp_json_parse(document->json, row, &object, error) : fp_no_memory(error);
    const fp_json *member = status == FP_OK ? fp_json_member(object, name) : NULL;
    if (member && member->type != FP_JSON_NULL) {
        const char *copy = fp_string_copy(arena, member->text);
        *value = (fp_string){copy, member->text.length};
        if (!copy) status = fp_no_memory(error);
    }
    fp_arena_free(row);
    return status;
}
