/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reading a corpus directory: documents, groups, pairs. */
#include "corpora/read.h"

#include <string.h>

#include "base/map.h"
#include "corpora/corpus.h"
#include "text/unicode/utf8.h"

fp_status fp_corpus_bad_row(fp_corpus_reading *in, const char *path, size_t row) {
    if (in->error->code == FP_ERROR_MEMORY) return FP_ERROR_MEMORY;
    fp_at(in->error, in->error->code, path, row, in->error->byte);
    if (!in->options->skip_bad) return in->error->code;
    in->corpus->skipped++;
    if (in->options->skipped) in->options->skipped(in->options->context, in->error);
    return FP_OK;
}

/* The last component of the path. */
static const char *directory_name(const char *path, fp_arena *arena) {
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/') length--;
    const char *slash = memrchr(path, '/', length);
    size_t begin = slash ? (size_t)(slash + 1 - path) : 0;
    return fp_string_copy(arena, (fp_string){path + begin, length - begin});
}

static fp_truth truth_of(const fp_corpus *corpus) {
    return corpus->pairs ? FP_TRUTH_PAIRS : corpus->group_count ? FP_TRUTH_GROUPS : FP_TRUTH_NONE;
}

fp_status fp_corpus_read(const char *path, const fp_corpus_opening *opening, fp_arena *arena, fp_corpus *corpus,
                         fp_error *error) {
    static const fp_corpus_opening STRICT = {0};
    fp_error ignored;
    fp_corpus_reading in = {.options = opening ? opening : &STRICT,
                            .arena = arena,
                            .ids = {.like = arena},
                            .corpus = corpus,
                            .error = error ? error : &ignored};
    *corpus = (fp_corpus){.path = FP_NEED(fp_string_copy(arena, fp_string_of(path)), error),
                          .name = FP_NEED(directory_name(path, arena), error),
                          .memory = arena};
    fp_status status = fp_corpus_read_documents(&in);
    if (status == FP_OK) status = fp_corpus_read_pairs(&in);
    fp_numbering_free(&in.ids);
    corpus->truth = truth_of(corpus);
    return status;
}

/* ---- The public interface (fplab/corpus.h) ---- */

typedef struct opened {
    fp_corpus corpus; /* first, so that a pointer to it is a pointer to the whole */
    fp_arena *arena;
} opened;

/* Checks the options, and creates the arena. */
static fp_status make_opened(const fp_corpus_opening *opening, fp_corpus_opening *how, opened **made, fp_error *error) {
    fp_arena *arena;
    FP_TRY(fp_sized_copy(how, sizeof *how, opening, "fp_corpus_opening", error));
    FP_TRY(fp_arena_new_with(how->allocator, &arena, error));
    *made = fp_arena_alloc(arena, 1, sizeof **made);
    if (*made) return (*made)->arena = arena, FP_OK;
    fp_arena_free(arena);
    return fp_no_memory(error);
}

static fp_status hand_over(opened *made, fp_status status, fp_corpus **corpus) {
    *corpus = status == FP_OK ? &made->corpus : NULL;
    if (status != FP_OK) fp_arena_free(made->arena);
    return status;
}

void fp_corpus_close(fp_corpus *corpus) {
    if (corpus) fp_arena_free(((opened *)corpus)->arena);
}

fp_status fp_corpus_open(const char *path, const fp_corpus_opening *opening, fp_corpus **corpus, fp_error *error) {
    fp_corpus_opening how;
    opened *made;
    *corpus = NULL;
    FP_TRY(make_opened(opening, &how, &made, error));
    return hand_over(made, fp_corpus_read(path, &how, made->arena, &made->corpus, error), corpus);
}

/* ---- Corpora in memory ---- */

/* Called before any allocation, since a number may be far too large by mistake. */
static fp_status check_pairs(size_t document_count, const fp_pair *pairs, size_t count, fp_error *error) {
    if (document_count >= UINT32_MAX) return fp_fail(error, FP_ERROR_RANGE, "more than %u documents", UINT32_MAX - 1);
    for (size_t i = 0; i < count; i++) {
        fp_pair pair = pairs[i];
        const char *wrong = pair.a >= document_count || pair.b >= document_count ? "a document that does not exist"
                            : pair.a == pair.b                                   ? "a document paired with itself"
                            : pair.label > 1                                     ? "a label that is neither 0 nor 1"
                                                                                 : NULL;
        if (wrong)
            return fp_fail(error, FP_ERROR_RANGE, "pair %zu (%u, %u, %u) has %s", i, pair.a, pair.b, pair.label, wrong);
    }
    return FP_OK;
}

/* A pair must not be repeated, even with another label. */
static fp_status check_stated(const fp_pair *pairs, size_t count, const fp_arena *like, fp_error *error) {
    fp_map stated = {0};
    FP_SCRATCH(scratch, like, error);
    FP_TRY(fp_map_open(&stated, count, scratch, error));
    for (size_t i = 0; i < count; i++) {
        uint32_t before = fp_map_take(&stated, fp_pair_key(pairs[i].a, pairs[i].b), (uint32_t)i);
        if (before != FP_MAP_NONE)
            return fp_fail(error, FP_ERROR_DUPLICATE, "pair %zu (%u, %u, %u) %s pair %u", i, pairs[i].a, pairs[i].b,
                           pairs[i].label, pairs[i].label == pairs[before].label ? "repeats" : "contradicts", before);
    }
    return FP_OK;
}

static fp_status check_column(const fp_text_column *column, const char *what, size_t count, fp_error *error) {
    if (!column || column->count == count) return FP_OK;
    return fp_fail(error, FP_ERROR_RANGE, "there are %zu %s for %zu rows", column->count, what, count);
}

/* The value at position i; checks that it is UTF-8. */
static fp_status text_at(const fp_text_column *column, const char *what, size_t i, fp_string *text, fp_error *error) {
    int64_t begin = column->offset[i], end = column->offset[i + 1];
    if (begin < 0 || end < begin)
        return fp_fail(error, FP_ERROR_RANGE, "%s %zu is from byte %lld to %lld: offsets ascend from 0", what, i,
                       (long long)begin, (long long)end);
    *text = (fp_string){column->data + begin, (size_t)(end - begin)};
    size_t good = fp_utf8_check(*text);
    if (good == text->length) return FP_OK;
    return fp_at_byte(error, fp_fail(error, FP_ERROR_ENCODING, "%s %zu: invalid UTF-8", what, i), good);
}

static fp_status copy_at(const fp_text_column *column, const char *what, size_t i, fp_arena *arena, fp_string *text,
                         fp_error *error) {
    fp_string from;
    FP_TRY(text_at(column, what, i, &from, error));
    *text = (fp_string){FP_NEED(fp_string_copy(arena, from), error), from.length};
    return FP_OK;
}

/* of[column->count]: the number of each value among the distinct ones, from 0; UINT32_MAX for empty values if
 * `empty_is_none`. */
static fp_status number_column(const fp_text_column *column, const char *what, bool empty_is_none, fp_arena *arena,
                               uint32_t *of, size_t *count, fp_string **values, fp_error *error) {
    fp_numbering seen FP_CLOSED_BY(fp_numbering_free) = {.like = arena};
    fp_string *list = values ? FP_NEED(fp_arena_alloc(arena, column->count, sizeof *list), error) : NULL;
    for (size_t i = 0; i < column->count; i++) {
        fp_string text;
        bool fresh = false;
        FP_TRY(text_at(column, what, i, &text, error));
        of[i] = UINT32_MAX;
        if (empty_is_none && !text.length) continue;
        FP_TRY(fp_numbering_of(&seen, text, of + i, &fresh, error));
        if (fresh && list) FP_TRY(copy_at(column, what, i, arena, list + of[i], error));
    }
    *count = seen.count;
    if (values) *values = list;
    return FP_OK;
}

static fp_status add_documents(const fp_corpus_columns *from, size_t count, opened *made, fp_numbering *ids,
                               fp_error *error) {
    fp_corpus_document *documents = FP_NEED(fp_arena_alloc(made->arena, count, sizeof *documents), error);
    fp_string *texts = from->texts ? FP_NEED(fp_arena_raw(made->arena, count, sizeof *texts), error) : NULL;
    for (size_t i = 0; i < count; i++) {
        uint32_t number;
        bool fresh;
        fp_string *id = &documents[i].id;
        if (texts) {
            FP_TRY(copy_at(from->texts, "text", i, made->arena, texts + i, error));
            documents[i].characters = fp_utf8_count(texts[i]);
        }
        if (!from->ids) {
            *id = fp_string_of(FP_NEED(fp_format(made->arena, "%zu", i), error));
            continue;
        }
        FP_TRY(copy_at(from->ids, "id", i, made->arena, id, error));
        if (!id->length) return fp_fail(error, FP_ERROR_RANGE, "id %zu is empty", i);
        FP_TRY(fp_numbering_of(ids, *id, &number, &fresh, error));
        if (!fresh)
            return fp_fail(error, FP_ERROR_DUPLICATE, "the id %.80s of text %zu is that of text %u", id->data, i,
                           number);
    }
    made->corpus.documents = documents;
    made->corpus.texts = texts;
    return FP_OK;
}

static fp_status add_fields(const fp_corpus_columns *from, size_t count, opened *made, fp_error *error) {
    fp_corpus_field *fields = FP_NEED(fp_arena_alloc(made->arena, from->field_count, sizeof *fields), error);
    for (size_t f = 0; f < from->field_count; f++) {
        uint32_t *of = FP_NEED(fp_arena_raw(made->arena, count, sizeof *of), error);
        fp_string *values;
        fields[f].name = FP_NEED(fp_string_copy(made->arena, fp_string_of(from->field_names[f])), error);
        FP_TRY(check_column(from->fields + f, "values of a field", count, error));
        FP_TRY(
            number_column(from->fields + f, "value", false, made->arena, of, &fields[f].value_count, &values, error));
        for (size_t v = 0; v < fields[f].value_count; v++) fields[f].any |= values[v].length > 0;
        fields[f].values = values;
        fields[f].of = of;
    }
    made->corpus.fields = fields;
    made->corpus.field_count = from->field_count;
    return FP_OK;
}

static fp_status add_pairs(const fp_corpus_columns *from, opened *made, fp_error *error) {
    size_t count = from->pair_count;
    fp_pair *copies = FP_NEED(fp_arena_raw(made->arena, count, sizeof *copies), error);
    fp_string *kinds = FP_NEED(fp_arena_alloc(made->arena, count, sizeof *kinds), error);
    FP_TRY(check_stated(from->pairs, count, made->arena, error));
    FP_TRY(check_column(from->kinds, "kinds", count, error));
    for (size_t i = 0; i < count; i++) {
        copies[i] = from->pairs[i];
        kinds[i] = fp_string_of("");
        if (from->kinds) FP_TRY(copy_at(from->kinds, "kind", i, made->arena, kinds + i, error));
    }
    made->corpus.pairs = copies;
    made->corpus.kinds = kinds;
    made->corpus.pair_count = count;
    return FP_OK;
}

static fp_status fill(const fp_corpus_columns *from, size_t count, opened *made, fp_error *error) {
    fp_corpus *corpus = &made->corpus;
    fp_numbering ids = {.like = made->arena};
    FP_TRY(check_column(from->ids, "ids", count, error));
    FP_TRY(check_column(from->groups, "groups", count, error));
    *corpus = (fp_corpus){.path = "",
                          .name = FP_NEED(fp_string_copy(made->arena, fp_string_of(from->name)), error),
                          .document_count = count,
                          .memory = made->arena};
    uint32_t *group = FP_NEED(fp_arena_raw(made->arena, count, sizeof *group), error);
    for (size_t i = 0; i < count; i++) group[i] = UINT32_MAX;
    corpus->group = group;
    fp_status status = add_documents(from, count, made, &ids, error);
    fp_numbering_free(&ids);
    FP_TRY(status);
    if (from->groups)
        FP_TRY(number_column(from->groups, "group", true, made->arena, group, &corpus->group_count, NULL, error));
    FP_TRY(add_fields(from, count, made, error));
    if (from->pair_count) FP_TRY(add_pairs(from, made, error));
    corpus->truth = truth_of(corpus);
    return FP_OK;
}

fp_status fp_corpus_of_columns(const fp_corpus_columns *columns, const fp_corpus_opening *opening, fp_corpus **corpus,
                               fp_error *error) {
    fp_corpus_opening how;
    fp_corpus_columns own;
    opened *made;
    *corpus = NULL;
    FP_TRY(fp_sized_copy(&own, sizeof own, columns, "fp_corpus_columns", error));
    if (!own.texts || !own.texts->count) return fp_fail(error, FP_ERROR_EMPTY, "the corpus has no document");
    if (!own.name || !*own.name) return fp_fail(error, FP_ERROR_RANGE, "the corpus has no name");
    FP_TRY(check_pairs(own.texts->count, own.pairs, own.pair_count, error));
    FP_TRY(make_opened(opening, &how, &made, error));
    return hand_over(made, fill(&own, own.texts->count, made, error), corpus);
}

fp_status fp_corpus_of_pairs(const char *name, size_t document_count, const fp_pair *pairs, size_t pair_count,
                             const fp_corpus_opening *opening, fp_corpus **corpus, fp_error *error) {
    const fp_corpus_columns from = {.name = name, .pairs = pairs, .pair_count = pair_count};
    fp_corpus_opening how;
    opened *made;
    *corpus = NULL;
    if (!pair_count) return fp_fail(error, FP_ERROR_EMPTY, "there are no pairs");
    FP_TRY(check_pairs(document_count, pairs, pair_count, error));
    FP_TRY(make_opened(opening, &how, &made, error));
    return hand_over(made, fill(&from, document_count, made, error), corpus);
}

/* ---- Accessors ---- */

const char *fp_corpus_name(const fp_corpus *corpus) { return corpus->name; }
size_t fp_corpus_document_count(const fp_corpus *corpus) { return corpus->document_count; }
size_t fp_corpus_skipped(const fp_corpus *corpus) { return corpus->skipped; }
fp_string fp_corpus_id(const fp_corpus *corpus, size_t document) { return corpus->documents[document].id; }
fp_truth fp_corpus_truth(const fp_corpus *corpus) { return corpus->truth; }
uint32_t fp_corpus_group(const fp_corpus *corpus, size_t document) { return corpus->group[document]; }

const fp_pair *fp_corpus_pairs(const fp_corpus *corpus, size_t *count) {
    *count = corpus->pair_count;
    return corpus->pairs;
}
