/* SPDX-License-Identifier: GPL-3.0-or-later
 * Writes documents and pairs as rows of a table. */
#include "corpora/importing/import.h"

#include <string.h>

#include "corpora/json_writer.h"

static const char *const DOCUMENT[] = {"id", "text", "lang", "group"};
static const char *const PAIR[] = {"id_a", "id_b", "text_a", "text_b", "label", "kind"};
enum { DOCUMENT_CELLS = sizeof DOCUMENT / sizeof *DOCUMENT, PAIR_CELLS = sizeof PAIR / sizeof *PAIR, PAIR_IDS = 2 };

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

static fp_status put_object(FILE *stream, const char *const *names, const fp_string *cells, size_t count,
                            fp_error *error) {
    fp_json_writer json = fp_json_to(stream, 0);
    json.compact = true;
    fp_json_begin_object(&json, NULL);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], "label") == 0) fp_json_put_written(&json, names[i], cells[i].data);
        else fp_json_put_string(&json, names[i], cells[i]);
    }
    fp_json_end_object(&json);
    fputc('\n', stream);
    return fp_json_done(&json, error);
}

/* `cells` NULL: writes the names. */
static fp_status put_row(fp_converting *to, const char *const *names, const fp_string *cells, size_t count,
                         fp_error *error) {
    if (to->form == FP_CONVERT_JSONL) return cells ? put_object(to->stream, names, cells, count, error) : FP_OK;
    for (size_t i = 0; i < count; i++) {
        fp_string value = cells ? cells[i] : fp_string_of(names[i]);
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
    return field && field->any ? field->values[field->of[document]] : (fp_string){"", 0};
}

static fp_status put_text(void *context, size_t document, fp_string text, fp_error *error) {
    fp_converting *to = context;
    const fp_string cells[DOCUMENT_CELLS] = {to->corpus->documents[document].id, text,
                                             field_of(to->corpus, "lang", document),
                                             field_of(to->corpus, "group", document)};
    return put_row(to, DOCUMENT, cells, DOCUMENT_CELLS, error);
}

fp_status fp_convert_documents(fp_converting *convert, fp_error *error) {
    convert->changed = 0;
    FP_TRY(put_row(convert, DOCUMENT, NULL, DOCUMENT_CELLS, error));
    return fp_corpus_read_texts(convert->corpus, put_text, convert, error);
}

/* ---- Pairs ---- */

fp_status fp_convert_pairs(fp_converting *convert, fp_arena *arena, fp_error *error) {
    const fp_corpus *corpus = convert->corpus;
    uint32_t *place = FP_NEED(fp_arena_alloc(arena, corpus->document_count, sizeof *place), error);
    uint32_t *wanted = FP_NEED(fp_arena_raw(arena, corpus->document_count, sizeof *wanted), error);
    fp_string *texts = FP_NEED(fp_arena_raw(arena, corpus->document_count, sizeof *texts), error);
    size_t count = 0;
    convert->changed = 0;
    if (!corpus->pair_count)
        return FP_FAIL_AT(error, FP_ERROR_EMPTY, corpus->path,
                          "there is no pairs.tsv; --to documents writes documents");
    for (size_t i = 0; i < corpus->pair_count; i++) place[corpus->pairs[i].a] = place[corpus->pairs[i].b] = 1;
    for (size_t i = 0; i < corpus->document_count; i++) {
        if (!place[i]) continue;
        place[i] = (uint32_t)count;
        wanted[count++] = (uint32_t)i;
    }
    FP_TRY(fp_corpus_fetch(corpus, wanted, count, arena, texts, error));
    size_t first = convert->ids ? 0 : PAIR_IDS;
    FP_TRY(put_row(convert, PAIR + first, NULL, PAIR_CELLS - first, error));
    for (size_t i = 0; i < corpus->pair_count; i++) {
        fp_pair pair = corpus->pairs[i];
        const fp_string cells[PAIR_CELLS] = {
            corpus->documents[pair.a].id, corpus->documents[pair.b].id,         texts[place[pair.a]],
            texts[place[pair.b]],         fp_string_of(pair.label ? "1" : "0"), corpus->kinds[i]};
        FP_TRY(put_row(convert, PAIR + first, cells + first, PAIR_CELLS - first, error));
    }
    return FP_OK;
}
