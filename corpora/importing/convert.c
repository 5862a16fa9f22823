/* SPDX-License-Identifier: GPL-3.0-or-later
 * Writes documents and pairs as rows of a table. */
#include "corpora/importing/convert.h"

#include <string.h>

#include "corpora/json_writer.h"

enum { MOST_CELLS = 8 };

typedef struct cell {
    const char *name;
    fp_string value;
    bool number;
} cell;

static const fp_string NONE = {"", 0};

/* ---- Formats ---- */

static void put_tsv(fp_converting *to, fp_string value) {
    bool changed = false;
    for (size_t i = 0; i < value.length; i++) {
        bool parts = memchr("\t\n\r", value.data[i], 3) != NULL;
        changed |= parts;
        fputc(parts ? ' ' : value.data[i], to->stream);
    }
    to->changed += changed;
}

/* Quotes where RFC 4180 requires it, and where a leading or trailing blank could be lost. */
static void put_csv(FILE *stream, fp_string value) {
    bool quoted = value.length && (value.data[0] == ' ' || value.data[value.length - 1] == ' ');
    for (size_t i = 0; i < value.length && !quoted; i++) quoted = memchr(",\"\n\r", value.data[i], 4) != NULL;
    if (!quoted) {
        fwrite(value.data, 1, value.length, stream);
        return;
    }
    fputc('"', stream);
    for (size_t i = 0; i < value.length; i++) {
        if (value.data[i] == '"') fputc('"', stream);
        fputc(value.data[i], stream);
    }
    fputc('"', stream);
}

static fp_status put_object(FILE *stream, const cell *cells, size_t count, fp_error *error) {
    fp_json_writer json = fp_json_to(stream, 0);
    json.compact = true;
    fp_json_begin_object(&json, NULL);
    for (size_t i = 0; i < count; i++) {
        if (cells[i].number) fp_json_put_written(&json, cells[i].name, cells[i].value.data);
        else fp_json_put_string(&json, cells[i].name, cells[i].value);
    }
    fp_json_end_object(&json);
    fputc('\n', stream);
    return fp_json_done(&json, error);
}

/* `head`: writes the names. */
static fp_status put_row(fp_converting *to, const cell *cells, size_t count, bool head, fp_error *error) {
    if (to->form == FP_CONVERT_JSONL) return head ? FP_OK : put_object(to->stream, cells, count, error);
    for (size_t i = 0; i < count; i++) {
        fp_string value = head ? fp_string_of(cells[i].name) : cells[i].value;
        if (i) fputc(to->form == FP_CONVERT_CSV ? ',' : '\t', to->stream);
        if (to->form == FP_CONVERT_CSV) put_csv(to->stream, value);
        else put_tsv(to, value);
    }
    fputs(to->form == FP_CONVERT_CSV ? "\r\n" : "\n", to->stream);
    return FP_OK;
}

/* ---- Documents ---- */

static fp_string field_of(const fp_corpus *corpus, const char *name, size_t document) {
    const fp_corpus_field *field = fp_corpus_field_find(corpus, name);
    return field && field->any ? field->values[field->of[document]] : NONE;
}

static fp_status put_document(fp_converting *to, size_t document, fp_string text, bool head, fp_error *error) {
    const cell cells[] = {{"id", head ? NONE : to->corpus->documents[document].id, false},
                          {"text", text, false},
                          {"lang", head ? NONE : field_of(to->corpus, "lang", document), false},
                          {"group", head ? NONE : field_of(to->corpus, "group", document), false}};
    return put_row(to, cells, sizeof cells / sizeof *cells, head, error);
}

static fp_status put_text(void *context, size_t document, fp_string text, fp_error *error) {
    return put_document(context, document, text, false, error);
}

fp_status fp_convert_documents(fp_converting *convert, fp_error *error) {
    convert->changed = 0;
    FP_TRY(put_document(convert, 0, NONE, true, error));
    return fp_corpus_read_texts(convert->corpus, put_text, convert, error);
}

/* ---- Pairs ---- */

static fp_status put_pair(fp_converting *to, const fp_string *texts, const uint32_t *place, size_t position, bool head,
                          fp_error *error) {
    cell cells[MOST_CELLS] = {0};
    size_t count = 0;
    fp_pair pair = head ? (fp_pair){0} : to->corpus->pairs[position];
    if (to->ids) {
        cells[count++] = (cell){"id_a", head ? NONE : to->corpus->documents[pair.a].id, false};
        cells[count++] = (cell){"id_b", head ? NONE : to->corpus->documents[pair.b].id, false};
    }
    cells[count++] = (cell){"text_a", head ? NONE : texts[place[pair.a]], false};
    cells[count++] = (cell){"text_b", head ? NONE : texts[place[pair.b]], false};
    cells[count++] = (cell){"label", fp_string_of(pair.label ? "1" : "0"), true};
    cells[count++] = (cell){"kind", head ? NONE : to->corpus->kinds[position], false};
    return put_row(to, cells, count, head, error);
}

fp_status fp_convert_pairs(fp_converting *convert, fp_arena *arena, fp_error *error) {
    const fp_corpus *corpus = convert->corpus;
    uint32_t *place = FP_NEED(fp_arena_alloc(arena, corpus->document_count, sizeof *place), error);
    uint32_t *wanted = FP_NEED(fp_arena_raw(arena, corpus->document_count, sizeof *wanted), error);
    fp_string *texts = FP_NEED(fp_arena_raw(arena, corpus->document_count, sizeof *texts), error);
    size_t count = 0;
    convert->changed = 0;
    if (!corpus->pair_count) {
        fp_fail(error, FP_ERROR_EMPTY, "there is no pairs.tsv; --to documents writes documents");
        return fp_at(error, FP_ERROR_EMPTY, corpus->path, SIZE_MAX, SIZE_MAX);
    }
    for (size_t i = 0; i < corpus->pair_count; i++) place[corpus->pairs[i].a] = place[corpus->pairs[i].b] = 1;
    for (size_t i = 0; i < corpus->document_count; i++) {
        if (!place[i]) continue;
        place[i] = (uint32_t)count;
        wanted[count++] = (uint32_t)i;
    }
    FP_TRY(fp_corpus_fetch(corpus, wanted, count, arena, texts, error));
    FP_TRY(put_pair(convert, texts, place, 0, true, error));
    for (size_t i = 0; i < corpus->pair_count; i++) FP_TRY(put_pair(convert, texts, place, i, false, error));
    return FP_OK;
}
