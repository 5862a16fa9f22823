/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reading a corpus directory: documents, groups, pairs. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <nettle/sha2.h>

#include "base/map.h"
#include "corpora/corpus.h"
#include "corpora/json.h"
#include "text/utf8.h"

/* What is being built, with the options that decide what a bad row does. */
typedef struct reader {
    const fp_corpus_options *options;
    fp_arena *arena;
    fp_corpus *corpus;
    fp_map ids;
    fp_error *error;
} reader;

static fp_status bad_row(reader *in, const char *path, size_t line) {
    fp_at(in->error, path, line, in->error->byte);
    if (!in->options->skip_bad || in->error->code == FP_ERROR_MEMORY) return in->error->code;
    in->corpus->skipped++;
    if (in->options->skipped) in->options->skipped(in->options->context, in->error);
    return FP_OK;
}

static void sha256_hex(fp_string content, char hex[65]) {
    struct sha256_ctx context;
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_init(&context);
    sha256_update(&context, content.length, (const uint8_t *)content.data);
    sha256_digest(&context, sizeof digest, digest);
    for (size_t i = 0; i < sizeof digest; i++) snprintf(hex + 2 * i, 3, "%02x", digest[i]);
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

static fp_status parse_document(reader *in, fp_string line, size_t line_offset, fp_corpus_document *document) {
    size_t valid = fp_utf8_check(line);
    if (valid < line.length) {
        fp_fail(in->error, FP_ERROR_ENCODING, "invalid UTF-8");
        in->error->byte = line_offset + valid;
        return FP_ERROR_ENCODING;
    }
    json_object *object;
    FP_TRY(fp_json_parse(line, &object, in->error));
    json_object *text = NULL;
    fp_status status = FP_OK;
    document->json = line;
    if (!json_object_is_type(object, json_type_object)) {
        status = fp_fail(in->error, FP_ERROR_SYNTAX, "a document is a JSON object");
    } else if (!json_object_object_get_ex(object, "text", &text)) {
        status = fp_fail(in->error, FP_ERROR_SYNTAX, "the document has no \"text\"");
    } else {
        status = fp_json_string(object, "id", in->arena, &document->id, in->error);
        if (status == FP_OK) status = fp_json_string(object, "text", in->arena, &document->text, in->error);
        if (status == FP_OK) status = fp_json_string(object, "lang", in->arena, &document->language, in->error);
        if (status == FP_OK) status = fp_json_string(object, "group", in->arena, &document->group, in->error);
        if (status == FP_OK && document->id.length == 0)
            status = fp_fail(in->error, FP_ERROR_SYNTAX, "the document has no \"id\"");
        if (status == FP_OK && memchr(document->id.data, '\t', document->id.length))
            status = fp_fail(in->error, FP_ERROR_SYNTAX, "the id holds a tab");
    }
    json_object_put(object);
    return status;
}

static fp_status add_document(reader *in, fp_corpus_document *to, uint32_t position) {
    uint64_t key = fp_xxh3(to->id.data, to->id.length, 0);
    if (fp_map_get(&in->ids, key) != FP_MAP_NONE)
        return fp_fail(in->error, FP_ERROR_DUPLICATE, "the id %.*s stands twice", (int)to->id.length, to->id.data);
    fp_map_put(&in->ids, key, position);
    return FP_OK;
}

static fp_status read_documents(reader *in) {
    fp_corpus *corpus = in->corpus;
    const char *path = documents_path(corpus->path, in->arena);
    if (!path) return fp_no_memory(in->error);
    fp_string content;
    FP_TRY(fp_read_file(path, in->arena, &content, in->error));
    sha256_hex(content, corpus->documents_sha256);
    size_t lines = count_lines(content);
    fp_corpus_document *documents = fp_arena_alloc(in->arena, lines, sizeof *documents);
    if (!documents) return fp_no_memory(in->error);
    FP_TRY(fp_map_open(&in->ids, lines, in->arena, in->error));
    fp_string rest = content, line;
    for (size_t row = 1; fp_next_line(&rest, &line); row++) {
        if (line.length == 0) continue;
        fp_corpus_document *document = documents + corpus->document_count;
        fp_status status = parse_document(in, line, (size_t)(line.data - content.data), document);
        if (status == FP_OK) status = add_document(in, document, (uint32_t)corpus->document_count);
        if (status == FP_OK) corpus->document_count++;
        else FP_TRY(bad_row(in, path, row));
    }
    corpus->documents = documents;
    if (corpus->document_count) return FP_OK;
    fp_fail(in->error, FP_ERROR_EMPTY, "the corpus has no documents");
    return fp_at(in->error, path, SIZE_MAX, SIZE_MAX);
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
    *position = fp_map_get(&in->ids, fp_xxh3(id.data, id.length, 0));
    if (*position != FP_MAP_NONE) return FP_OK;
    return fp_fail(in->error, FP_ERROR_UNKNOWN, "a pair names the unknown id %.*s", (int)id.length, id.data);
}

static fp_status parse_pair(reader *in, fp_string line, fp_pair *pair, fp_string *kind) {
    fp_string field[4] = {{"", 0}, {"", 0}, {"", 0}, {"", 0}}, rest = line;
    size_t count = 0;
    while (count < 4 && fp_next_field(&rest, '\t', &field[count])) count++;
    if (count < 3 || rest.data)
        return fp_fail(in->error, FP_ERROR_SYNTAX,
                       "expected id_a, id_b, label and an optional kind, separated by tabs");
    FP_TRY(find_id(in, field[0], &pair->a));
    FP_TRY(find_id(in, field[1], &pair->b));
    if (pair->a == pair->b) return fp_fail(in->error, FP_ERROR_SYNTAX, "a document is paired with itself");
    if (field[2].length != 1 || (*field[2].data != '0' && *field[2].data != '1'))
        return fp_fail(in->error, FP_ERROR_RANGE, "the label \"%.*s\" is neither 0 nor 1", (int)field[2].length,
                       field[2].data);
    pair->label = *field[2].data == '1';
    *kind = field[3];
    return FP_OK;
}

static fp_status read_pairs(reader *in) {
    fp_corpus *corpus = in->corpus;
    const char *path = fp_format(in->arena, "%s/pairs.tsv", corpus->path);
    if (!path) return fp_no_memory(in->error);
    if (access(path, F_OK) != 0) return FP_OK;
    fp_string content, line;
    FP_TRY(fp_read_file(path, in->arena, &content, in->error));
    sha256_hex(content, corpus->pairs_sha256);
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
        if (status == FP_OK) status = parse_pair(in, line, pairs + corpus->pair_count, kinds + corpus->pair_count);
        if (status == FP_OK) corpus->pair_count++;
        else FP_TRY(bad_row(in, path, row));
    }
    corpus->pairs = pairs;
    corpus->kinds = kinds;
    if (corpus->pair_count) return FP_OK;
    fp_fail(in->error, FP_ERROR_EMPTY, "the file has no pairs");
    return fp_at(in->error, path, SIZE_MAX, SIZE_MAX);
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
    FP_TRY(read_documents(&in));
    FP_TRY(number_groups(&in));
    FP_TRY(read_pairs(&in));
    corpus->truth = corpus->pairs ? FP_TRUTH_PAIRS : corpus->group_count ? FP_TRUTH_GROUPS : FP_TRUTH_NONE;
    return FP_OK;
}

fp_status fp_corpus_field(const fp_corpus_document *document, const char *name, fp_arena *arena, fp_string *value,
                          fp_error *error) {
    json_object *object, *member = NULL;
    *value = (fp_string){"", 0};
    FP_TRY(fp_json_parse(document->json, &object, error));
    if (json_object_object_get_ex(object, name, &member) && member) {
        char *copy = fp_string_copy(arena, fp_string_of(json_object_get_string(member)));
        if (copy) *value = fp_string_of(copy);
        else fp_no_memory(error);
        json_object_put(object);
        return copy ? FP_OK : FP_ERROR_MEMORY;
    }
    json_object_put(object);
    return FP_OK;
}
