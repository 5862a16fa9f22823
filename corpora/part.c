/* SPDX-License-Identifier: GPL-3.0-or-later
 * A subset of a corpus: as a corpus, or its texts. */
#include <stdlib.h>
#include <string.h>

#include "corpora/corpus.h"

const fp_corpus_field *fp_corpus_field_find(const fp_corpus *corpus, const char *name) {
    for (size_t f = 0; f < corpus->field_count; f++)
        if (strcmp(corpus->fields[f].name, name) == 0) return corpus->fields + f;
    return NULL;
}

/* ---- Parts ---- */

static fp_status part_fields(const fp_corpus *corpus, const uint32_t *documents, size_t count, fp_arena *arena,
                             fp_corpus *part, fp_error *error) {
    fp_corpus_field *fields = FP_NEED(fp_arena_alloc(arena, corpus->field_count, sizeof *fields), error);
    for (size_t f = 0; f < corpus->field_count; f++) {
        uint32_t *of = FP_NEED(fp_arena_raw(arena, count, sizeof *of), error);
        for (size_t i = 0; i < count; i++) of[i] = corpus->fields[f].of[documents[i]];
        fields[f] = corpus->fields[f];
        fields[f].of = of;
    }
    part->fields = fields;
    return FP_OK;
}

/* The part's texts are in memory, or in the file at other positions. */
static fp_status part_texts(const fp_corpus *corpus, const uint32_t *documents, size_t count, fp_arena *arena,
                            fp_corpus *part, fp_error *error) {
    if (corpus->texts) {
        fp_string *texts = FP_NEED(fp_arena_raw(arena, count, sizeof *texts), error);
        for (size_t i = 0; i < count; i++) texts[i] = corpus->texts[documents[i]];
        part->texts = texts;
        return FP_OK;
    }
    uint32_t *origin = FP_NEED(fp_arena_raw(arena, count, sizeof *origin), error);
    for (size_t i = 0; i < count; i++) origin[i] = corpus->origin ? corpus->origin[documents[i]] : documents[i];
    part->origin = origin;
    return FP_OK;
}

fp_status fp_corpus_part(const fp_corpus *corpus, const uint32_t *documents, size_t count, fp_arena *arena,
                         fp_corpus *part, fp_error *error) {
    fp_corpus_document *chosen = FP_NEED(fp_arena_raw(arena, count, sizeof *chosen), error);
    uint32_t *group = corpus->group ? FP_NEED(fp_arena_raw(arena, count, sizeof *group), error) : NULL;
    for (size_t i = 0; i < count; i++) {
        chosen[i] = corpus->documents[documents[i]];
        if (group) group[i] = corpus->group[documents[i]];
    }
    *part = *corpus;
    part->document_count = count;
    part->documents = chosen;
    part->group = group;
    part->pair_count = 0;
    part->pairs = NULL;
    part->kinds = NULL;
    FP_TRY(part_fields(corpus, documents, count, arena, part, error));
    return part_texts(corpus, documents, count, arena, part, error);
}

/* ---- Texts ---- */

typedef struct copying {
    fp_string *texts;
    fp_arena *arena;
} copying;

static fp_status copy_text(void *context, size_t document, fp_string text, fp_error *error) {
    const copying *to = context;
    to->texts[document] = (fp_string){FP_NEED(fp_string_copy(to->arena, text), error), text.length};
    return FP_OK;
}

static fp_status read_texts(const fp_corpus *corpus, fp_arena *arena, fp_string *texts, fp_error *error) {
    return fp_corpus_read_texts(corpus, copy_text, &(copying){texts, arena}, error);
}

static fp_status fetch_from_file(const fp_corpus *corpus, const uint32_t *documents, size_t count, fp_arena *arena,
                                 fp_arena *scratch, fp_string *texts, fp_error *error) {
    uint32_t *sorted = FP_NEED(fp_arena_raw(scratch, count, sizeof *sorted), error);
    fp_string *found = FP_NEED(fp_arena_raw(scratch, count, sizeof *found), error);
    size_t distinct = 0;
    fp_corpus part;
    memcpy(sorted, documents, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, fp_ascending_u32);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || sorted[i] != sorted[distinct - 1]) sorted[distinct++] = sorted[i];
    FP_TRY(fp_corpus_part(corpus, sorted, distinct, scratch, &part, error));
    FP_TRY(read_texts(&part, arena, found, error));
    for (size_t i = 0; i < count; i++) {
        const uint32_t *place = bsearch(documents + i, sorted, distinct, sizeof *sorted, fp_ascending_u32);
        texts[i] = found[place - sorted];
    }
    return FP_OK;
}

fp_status fp_corpus_fetch(const fp_corpus *corpus, const uint32_t *documents, size_t count, fp_arena *arena,
                          fp_string *texts, fp_error *error) {
    if (count == 0) return FP_OK;
    for (size_t i = 0; corpus->texts && i < count; i++) texts[i] = corpus->texts[documents ? documents[i] : i];
    if (corpus->texts) return FP_OK;
    if (!documents) return read_texts(corpus, arena, texts, error);
    FP_SCRATCH(scratch, arena, error);
    return fetch_from_file(corpus, documents, count, arena, scratch, texts, error);
}
