/* SPDX-License-Identifier: GPL-3.0-or-later
 * Merging corpora: finds equal documents and clashing names, and writes the result. */
#include "corpora/importing/import.h"

#include <string.h>

#include "base/map.h"
#include "corpora/json.h"
#include "corpora/row.h"

/* First occurrence of an id or a group. */
typedef struct first {
    uint32_t corpus;
    uint32_t group; /* for a document: its group's number; FP_MAP_NONE for none */
    uint64_t text;  /* for a document: XXH3-64 of its text */
} first;

typedef struct member {
    struct merging *in;
    const fp_corpus *corpus;
    const fp_corpus_field *groups;
    uint64_t *texts;        /* [documents] XXH3-64 */
    uint32_t *number;       /* [documents] number of the document in the result */
    bool *same, *renamed;   /* [documents] */
    bool *group_renamed;    /* [group values] */
    uint32_t *group_number; /* [group values] */
} member;

typedef struct merging {
    const fp_merge *merge;
    member *members; /* [merge->count] */
    fp_numbering ids, groups;
    first *documents, *group_first;
    uint32_t count; /* documents in the result */
    fp_corpus_writer *writer;
    fp_arena *arena, *scratch;
    fp_merged *made;
} merging;

/* ---- Opening ---- */

static fp_status hash_text(void *context, size_t document, fp_string text, fp_error *error) {
    member *of = context;
    (void)error;
    of->texts[document] = fp_xxh3(text.data, text.length, 0);
    return FP_OK;
}

static fp_status open_member(merging *in, const fp_corpus *corpus, member *of, fp_error *error) {
    size_t documents = corpus->document_count;
    const fp_corpus_field *groups = fp_corpus_field_find(corpus, "group");
    *of = (member){
        .in = in,
        .corpus = corpus,
        .groups = groups,
        .texts = FP_NEED(fp_arena_raw(in->arena, documents, sizeof *of->texts), error),
        .number = FP_NEED(fp_arena_raw(in->arena, documents, sizeof *of->number), error),
        .same = FP_NEED(fp_arena_alloc(in->arena, documents, sizeof *of->same), error),
        .renamed = FP_NEED(fp_arena_alloc(in->arena, documents, sizeof *of->renamed), error),
        .group_renamed = FP_NEED(fp_arena_alloc(in->arena, groups->value_count, sizeof *of->group_renamed), error),
        .group_number = FP_NEED(fp_arena_raw(in->arena, groups->value_count, sizeof *of->group_number), error)};
    return fp_corpus_read_texts(of->corpus, hash_text, of, error);
}

/* ---- Clashes ---- */

static fp_status clash(const merging *in, const char *what, fp_string name, size_t corpus, size_t before,
                       fp_error *error) {
    const fp_corpus *corpora = in->merge->corpora;
    return fp_fail(error, FP_ERROR_DUPLICATE,
                   "the %s %.*s means one thing in %s and another in %s; --prefix keeps them apart", what,
                   (int)(name.length < 200 ? name.length : 200), name.data, corpora[before].path, corpora[corpus].path);
}

static uint32_t group_of(const member *of, size_t document) {
    uint32_t value = of->groups->of[document];
    return of->groups->any && of->groups->values[value].length ? of->group_number[value] : FP_MAP_NONE;
}

static fp_status number_groups(merging *in, member *of, fp_error *error) {
    for (size_t v = 0; of->groups->any && v < of->groups->value_count; v++) {
        bool fresh;
        FP_TRY(fp_numbering_of(&in->groups, of->groups->values[v], &of->group_number[v], &fresh, error));
        if (fresh) in->group_first[of->group_number[v]] = (first){.corpus = (uint32_t)(of - in->members)};
    }
    return FP_OK;
}

static fp_status number_documents(merging *in, member *of, fp_error *error) {
    uint32_t corpus = (uint32_t)(of - in->members);
    for (size_t i = 0; i < of->corpus->document_count; i++) {
        fp_string id = of->corpus->documents[i].id;
        bool fresh;
        uint32_t number, group = group_of(of, i);
        FP_TRY(fp_numbering_of(&in->ids, id, &number, &fresh, error));
        const first *before = &in->documents[number];
        if (!fresh && before->text == of->texts[i] && before->group == group) {
            of->same[i] = true;
            of->number[i] = number;
            in->made->same++;
            continue;
        }
        if (!fresh && !in->merge->prefix) return clash(in, "id", id, corpus, before->corpus, error);
        of->number[i] = in->count++;
        of->renamed[i] = !fresh;
        in->made->renamed += !fresh;
        if (fresh) in->documents[number] = (first){corpus, group, of->texts[i]};
    }
    return FP_OK;
}

/* A group name of an earlier corpus means the same group if the two share a document in it; otherwise it clashes. */
static fp_status find_groups(merging *in, member *of, fp_error *error) {
    uint32_t corpus = (uint32_t)(of - in->members);
    bool *shared = FP_NEED(fp_arena_alloc(in->arena, of->groups->value_count, sizeof *shared), error);
    for (size_t i = 0; i < of->corpus->document_count; i++) shared[of->groups->of[i]] |= of->same[i];
    for (size_t v = 0; of->groups->any && v < of->groups->value_count; v++) {
        uint32_t before = in->group_first[of->group_number[v]].corpus;
        if (before == corpus || shared[v] || !of->groups->values[v].length) continue;
        if (!in->merge->prefix) return clash(in, "group", of->groups->values[v], corpus, before, error);
        of->group_renamed[v] = true;
        in->made->groups_renamed++;
    }
    return FP_OK;
}

/* ---- Writing ---- */

/* Prefixes "NAME:", or "NAME-2:" if an earlier corpus has the same name. Lives until the scratch arena is reset. */
static fp_status prefix_name(merging *in, const member *of, fp_string *name, fp_error *error) {
    size_t alike = 1;
    for (const member *other = in->members; other < of; other++)
        alike += strcmp(other->corpus->name, of->corpus->name) == 0;
    const char *number = FP_NEED(alike > 1 ? fp_format(in->scratch, "-%zu", alike) : "", error);
    const char *made = fp_format(in->scratch, "%s%s:%.*s", of->corpus->name, number, (int)name->length, name->data);
    *name = fp_string_of(FP_NEED(made, error));
    return FP_OK;
}

typedef struct parsed {
    const fp_json *object;
    fp_arena *scratch;
} parsed;

/* Writes the members that the writer does not handle. */
static void put_others(const void *context, fp_json_writer *json) {
    static const char *const KNOWN[] = {"id", "text", "group", "lang"};
    const parsed *from = context;
    for (const fp_json *value = from->object->first; value; value = value->next) {
        bool known = false;
        for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
            known |= fp_string_equal(value->name, fp_string_of(KNOWN[i]));
        if (known) continue;
        const char *name = fp_string_copy(from->scratch, value->name);
        if (value->type == FP_JSON_STRING) fp_json_put_string(json, name, value->text);
        else fp_json_put_written(json, name, fp_string_copy(from->scratch, value->text));
    }
}

static fp_string string_of(const fp_json *object, const char *name) {
    const fp_json *value = fp_json_member(object, name);
    return value && value->type == FP_JSON_STRING ? value->text : (fp_string){"", 0};
}

static bool is_group_renamed(const member *of, size_t document) {
    return of->groups->any && of->group_renamed[of->groups->of[document]];
}

/* Writes the same object with a new id or group. */
static fp_status write_renamed(merging *in, const member *of, size_t document, fp_string line, fp_error *error) {
    parsed from = {.scratch = in->scratch};
    fp_arena_reset(in->scratch);
    FP_TRY(fp_json_parse(line, in->scratch, &from.object, error));
    fp_corpus_written renamed = {.id = string_of(from.object, "id"),
                                 .text = string_of(from.object, "text"),
                                 .group = string_of(from.object, "group"),
                                 .language = string_of(from.object, "lang"),
                                 .more = put_others,
                                 .context = &from};
    if (of->renamed[document]) FP_TRY(prefix_name(in, of, &renamed.id, error));
    if (is_group_renamed(of, document)) FP_TRY(prefix_name(in, of, &renamed.group, error));
    return fp_corpus_writer_document(in->writer, &renamed, error);
}

static fp_status write_line(void *context, size_t document, fp_string line, fp_error *error) {
    const member *of = context;
    if (of->same[document]) return FP_OK;
    of->in->made->documents++;
    if (of->renamed[document] || is_group_renamed(of, document))
        return write_renamed(of->in, of, document, line, error);
    return fp_corpus_writer_line(of->in->writer, line, error);
}

/* ---- Pairs ---- */

static fp_status written_id(merging *in, const member *of, uint32_t document, fp_string *id, fp_error *error) {
    *id = of->corpus->documents[document].id;
    return of->renamed[document] ? prefix_name(in, of, id, error) : FP_OK;
}

static fp_status write_pair(merging *in, const member *of, size_t position, fp_map *stated, uint8_t *labels,
                            fp_error *error) {
    fp_pair pair = of->corpus->pairs[position];
    fp_merged *made = in->made;
    fp_pair whole = {of->number[pair.a], of->number[pair.b], pair.label};
    fp_string a, b;
    uint32_t before = fp_map_take(stated, fp_pair_key(whole.a, whole.b), (uint32_t)made->pairs);
    fp_arena_reset(in->scratch);
    FP_TRY(written_id(in, of, pair.a, &a, error));
    FP_TRY(written_id(in, of, pair.b, &b, error));
    if (before != FP_MAP_NONE) {
        bool same = labels[before] == pair.label;
        *(same ? &made->repeated : &made->conflicts) += 1;
        if (!same && in->merge->conflict)
            in->merge->conflict(in->merge->context, a, b, labels[before], of->corpus->path);
        return FP_OK;
    }
    labels[made->pairs++] = pair.label;
    made->positives += pair.label;
    return fp_corpus_writer_pair(in->writer, a, b, pair.label, of->corpus->kinds[position], error);
}

static fp_status write_pairs(merging *in, fp_error *error) {
    size_t most = 0;
    fp_map stated;
    for (size_t c = 0; c < in->merge->count; c++) most += in->merge->corpora[c].pair_count;
    uint8_t *labels = FP_NEED(fp_arena_raw(in->arena, most, 1), error);
    FP_TRY(fp_map_open(&stated, most, in->arena, error));
    for (size_t c = 0; c < in->merge->count; c++)
        for (size_t i = 0; i < in->merge->corpora[c].pair_count; i++)
            FP_TRY(write_pair(in, &in->members[c], i, &stated, labels, error));
    return FP_OK;
}

/* ---- The whole merge ---- */

static fp_status open_merge(merging *in, fp_error *error) {
    const fp_merge *merge = in->merge;
    size_t documents = 0, groups = 0;
    in->members = FP_NEED(fp_arena_alloc(in->arena, merge->count, sizeof *in->members), error);
    for (size_t c = 0; c < merge->count; c++) {
        FP_TRY(open_member(in, &merge->corpora[c], &in->members[c], error));
        documents += merge->corpora[c].document_count;
        groups += in->members[c].groups->value_count;
    }
    if (documents >= UINT32_MAX) return fp_fail(error, FP_ERROR_RANGE, "more than %u documents", UINT32_MAX - 1);
    in->documents = FP_NEED(fp_arena_raw(in->arena, documents, sizeof *in->documents), error);
    in->group_first = FP_NEED(fp_arena_raw(in->arena, groups, sizeof *in->group_first), error);
    return FP_OK;
}

static fp_status run(merging *in, fp_error *error) {
    FP_TRY(open_merge(in, error));
    for (size_t c = 0; c < in->merge->count; c++) {
        FP_TRY(number_groups(in, &in->members[c], error));
        FP_TRY(number_documents(in, &in->members[c], error));
        FP_TRY(find_groups(in, &in->members[c], error));
    }
    for (size_t c = 0; c < in->merge->count; c++)
        FP_TRY(fp_corpus_each_line(in->members[c].corpus, write_line, &in->members[c], error));
    return write_pairs(in, error);
}

fp_status fp_merge_run(const fp_merge *merge, fp_corpus_writer *writer, fp_arena *arena, fp_merged *made,
                       fp_error *error) {
    FP_SCRATCH(scratch, arena, error);
    merging in = {.merge = merge,
                  .ids = {.like = arena},
                  .groups = {.like = arena},
                  .writer = writer,
                  .arena = arena,
                  .scratch = scratch,
                  .made = made};
    *made = (fp_merged){0};
    fp_status status = run(&in, error);
    fp_numbering_free(&in.ids);
    fp_numbering_free(&in.groups);
    return status;
}
