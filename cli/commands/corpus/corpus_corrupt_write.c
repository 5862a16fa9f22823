/* SPDX-License-Identifier: GPL-3.0-or-later
 * The files of a corpus of corrupted copies. */
#include <string.h>

#include "cli/commands/corpus/corrupting.h"
#include "corpora/json_writer.h"
#include "text/unicode/utf8.h"

/* Documents go through threads a block at a time; what they become is written in their order. */
enum { BLOCK = 64 };

typedef struct writing {
    fp_corrupting *with;
    FILE *documents, *pairs;
    size_t first;           /* document of the block */
    fp_corrupted *made;     /* [BLOCK · cells · copies] */
    fp_corrupted *template; /* [BLOCK] */
    fp_arena *kept[BLOCK];
    fp_corruption facts_changed;
} writing;

/* ---- A document ---- */

static fp_string field_of(const fp_corrupting *with, const char *name, size_t document) {
    const fp_corpus_field *field = fp_corpus_field_find(&with->corpus, name);
    return field && field->any ? field->values[field->of[document]] : (fp_string){"", 0};
}

/* All that hang together are one group, which bears the name of the first one's, or its id. */
static fp_string group_of(const fp_corrupting *with, size_t document) {
    uint32_t first = with->first_of_unit[with->copies.units.of[document]];
    fp_string group = field_of(with, "group", first);
    return group.length ? group : with->corpus.documents[first].id;
}

static fp_json_writer begin_line(const writing *to, const char *id, size_t document, fp_string text) {
    fp_json_writer json = fp_json_to(to->documents, 0);
    json.compact = true;
    fp_json_begin_object(&json, NULL);
    fp_json_put_text(&json, "id", id);
    fp_json_put_string(&json, "text", text);
    fp_json_put_string(&json, "group", group_of(to->with, document));
    fp_string language = field_of(to->with, "lang", document);
    if (language.length) fp_json_put_string(&json, "lang", language);
    return json;
}

static fp_status end_line(writing *to, fp_json_writer *json, fp_error *error) {
    fp_json_end_object(json);
    fputc('\n', to->documents);
    to->with->documents++;
    return fp_json_done(json, error);
}

/* Place in characters of the text before, what stood there, what stands there now. */
static void put_edits(fp_json_writer *json, const fp_corruption_step *step) {
    size_t place = 0, at = 0;
    fp_json_begin_array(json, "edits");
    for (size_t i = 0; i < step->edit_count; i++) {
        fp_corruption_edit edit = step->edits[i];
        place += fp_utf8_count((fp_string){step->before.data + at, edit.begin - at});
        at = edit.begin;
        fp_json_begin_array(json, NULL);
        fp_json_put_count(json, NULL, place);
        fp_json_put_string(json, NULL, (fp_string){step->before.data + edit.begin, edit.end - edit.begin});
        fp_json_put_string(json, NULL, (fp_string){step->after.data + edit.to_begin, edit.to_end - edit.to_begin});
        fp_json_end_array(json);
    }
    fp_json_end_array(json);
}

static void put_step(fp_json_writer *json, const fp_corruption_step *step, bool edits) {
    if (step->sites) fp_json_put_real(json, "measured", (double)step->changes / (double)step->sites);
    else fp_json_put_null(json, "measured");
    fp_json_put_count(json, "changes", step->changes);
    fp_json_put_count(json, "sites", step->sites);
    if (edits) put_edits(json, step);
}

static void put_steps(fp_json_writer *json, const fp_corrupted *made, bool edits) {
    if (made->step_count == 1) {
        put_step(json, made->steps, edits);
        return;
    }
    fp_json_begin_array(json, "steps");
    for (size_t i = 0; i < made->step_count; i++) {
        fp_json_begin_object(json, NULL);
        fp_json_put_text(json, "kind", made->steps[i].kind->name);
        put_step(json, &made->steps[i], edits);
        fp_json_end_object(json);
    }
    fp_json_end_array(json);
}

static fp_status put_copy(writing *to, const char *id, size_t document, const fp_copy_cell *cell, uint64_t copy,
                          const fp_corrupted *made, fp_error *error) {
    fp_corrupting *with = to->with;
    fp_json_writer json = begin_line(to, id, document, made->text);
    fp_json_put_string(&json, "of", with->corpus.documents[document].id);
    fp_json_put_text(&json, "kind", cell->kind);
    fp_json_put_real(&json, "rate", cell->rate);
    fp_json_put_count(&json, "copy", copy + 1);
    put_steps(&json, made, with->chosen->edits);
    return end_line(to, &json, error);
}

/* ---- Pairs ---- */

static void put_pair(writing *to, fp_string a, const char *b, bool label, const char *kind) {
    fprintf(to->pairs, "%.*s\t%s\t%d\t%s\n", (int)a.length, a.data, b, label, kind);
    *(label ? &to->with->positives : &to->with->negatives) += 1;
}

/* Documents of other groups beside the copy, each once. */
static void put_negatives(writing *to, size_t document, uint64_t number, const char *id) {
    fp_corrupting *with = to->with;
    enum { MOST = 100 };
    uint32_t seen[MOST];
    size_t count = 0;
    for (uint64_t i = 0; i < (uint64_t)with->chosen->negatives; i++) {
        uint32_t other = fp_copies_other(&with->copies, document, (number + 1) << 32 | i);
        bool again = other == UINT32_MAX;
        for (size_t k = 0; k < count && !again; k++) again = seen[k] == other;
        if (again) continue;
        seen[count++] = other;
        put_pair(to, with->corpus.documents[other].id, id, false, "random");
    }
}

/* ---- A block ---- */

static fp_status make_copies(void *context, size_t index, fp_arena *arena, fp_error *error) {
    writing *to = context;
    const fp_copies *copies = &to->with->copies;
    size_t times = (size_t)to->with->chosen->copies, document = to->first + index;
    fp_arena *kept = to->kept[index];
    (void)arena;
    fp_arena_reset(kept);
    fp_corrupted *made = to->made + index * copies->cell_count * times;
    for (size_t c = 0; c < copies->cell_count; c++)
        for (size_t n = 0; n < times; n++) FP_TRY(fp_copies_make(copies, document, c, n, kept, made++, error));
    if (!to->with->template) return FP_OK;
    fp_corruption_text of = {.id = copies->corpus->documents[document].id, .text = copies->texts[document]};
    return fp_corrupt(&to->facts_changed, 1, &copies->means, &of, kept, &to->template[index], error);
}

static void count_steps(fp_corrupting *with, size_t cell, const fp_corrupted *made) {
    for (size_t i = 0; i < made->step_count; i++) {
        with->sites[cell] += made->steps[i].sites;
        with->changes[cell] += made->steps[i].changes;
    }
}

static fp_status write_document(writing *to, size_t index, fp_error *error) {
    fp_corrupting *with = to->with;
    size_t document = to->first + index, times = (size_t)with->chosen->copies;
    const fp_corrupted *made = to->made + index * with->copies.cell_count * times;
    fp_arena *names = to->kept[index];
    fp_string id = with->corpus.documents[document].id;
    fp_json_writer json = begin_line(to, fp_string_copy(names, id), document, with->copies.texts[document]);
    FP_TRY(end_line(to, &json, error));
    for (size_t c = 0; c < with->copies.cell_count; c++) {
        const fp_copy_cell *cell = &with->copies.cells[c];
        for (size_t n = 0; n < times; n++, made++) {
            const char *name = times == 1 ? fp_format(names, "%.*s~%s", (int)id.length, id.data, cell->name)
                                          : fp_format(names, "%.*s~%s~%zu", (int)id.length, id.data, cell->name, n + 1);
            if (!name) return fp_no_memory(error);
            FP_TRY(put_copy(to, name, document, cell, n, made, error));
            put_pair(to, id, name, true, cell->name);
            put_negatives(to, document, c * times + n, name);
            count_steps(with, c, made);
        }
    }
    if (!with->template || !to->template[index].steps[0].changes) return FP_OK;
    const fp_copy_cell other = {to->facts_changed, "template", 1, "template"};
    const char *name = fp_format(names, "%.*s~template", (int)id.length, id.data);
    if (!name) return fp_no_memory(error);
    FP_TRY(put_copy(to, name, document, &other, 0, &to->template[index], error));
    put_pair(to, id, name, false, "template");
    return FP_OK;
}

static fp_status write_blocks(writing *to, const fp_arenas *arenas, fp_error *error) {
    fp_corrupting *with = to->with;
    fp_progress progress = fp_cli_progress(), silent = fp_progress_silent(&progress);
    size_t count = with->corpus.document_count;
    for (to->first = 0; to->first < count; to->first += BLOCK) {
        size_t size = count - to->first < BLOCK ? count - to->first : BLOCK;
        FP_TRY(fp_parallel(size, arenas, true, make_copies, to, "copies", &silent, error));
        for (size_t i = 0; i < size; i++) FP_TRY(write_document(to, i, error));
        if (progress.report) progress.report(progress.context, "copies", to->first + size, count);
    }
    fp_cli_progress_end();
    for (size_t l = 0; l < with->hard_count; l++)
        for (size_t i = 0; i < with->hard[l].count; i++) {
            fp_hard_pair pair = with->hard[l].pairs[i];
            const char *b = fp_string_copy(with->arena, with->corpus.documents[pair.b].id);
            if (!b) return fp_no_memory(error);
            put_pair(to, with->corpus.documents[pair.a].id, b, false, with->hard[l].kind);
        }
    return FP_OK;
}

static fp_status write_all(writing *to, fp_error *error) {
    fp_corrupting *with = to->with;
    size_t copies = with->copies.cell_count * (size_t)with->chosen->copies;
    fp_arenas arenas;
    fp_progress progress = fp_cli_progress();
    to->made = fp_arena_alloc(with->arena, BLOCK * copies, sizeof *to->made);
    to->template = fp_arena_alloc(with->arena, BLOCK, sizeof *to->template);
    fp_status status = fp_corruption_parse(fp_string_of("digits"), &to->facts_changed, error);
    if (status == FP_OK && (!to->made || !to->template)) status = fp_no_memory(error);
    for (size_t i = 0; i < BLOCK && status == FP_OK; i++)
        if (!(to->kept[i] = fp_arena_new())) status = fp_no_memory(error);
    if (status == FP_OK) status = fp_arenas_open(&arenas, &progress, with->arena, error);
    if (status == FP_OK) {
        status = write_blocks(to, &arenas, error);
        fp_arenas_free(&arenas);
    }
    for (size_t i = 0; i < BLOCK; i++) fp_arena_free(to->kept[i]);
    return status;
}

/* ---- Files ---- */

static fp_status write_manifest(const fp_corrupting *with, const char *place, fp_error *error) {
    fp_corpus made;
    const char *path = fp_format(with->arena, "%s/MANIFEST.json", place);
    const char *source = fp_format(with->arena, "documents of %s (sha256 %s) and corrupted copies of them, by fplab %s",
                                   with->corpus.name, with->corpus.documents_sha256, fp_version());
    fp_manifest_check of;
    fp_output output;
    if (!path) return fp_no_memory(error);
    FP_TRY(fp_corpus_read(place, NULL, with->arena, &made, error));
    FP_TRY(fp_manifest_compare(&with->corpus, with->arena, &of, error));
    FP_TRY(fp_output_open(&output, path, error));
    fp_json_writer json = fp_json_to(output.stream, 0);
    fp_json_begin_object(&json, NULL);
    fp_json_put_text(&json, "name", fp_format(with->arena, "%s, corrupted", with->corpus.name));
    if (of.present && of.language.length) fp_json_put_string(&json, "language", of.language);
    fp_json_put_text(&json, "source", source);
    if (of.present && of.licence.length) fp_json_put_string(&json, "licence", of.licence);
    fp_json_begin_object(&json, "counts");
    fp_json_put_count(&json, "documents", made.document_count);
    fp_json_put_count(&json, "groups", made.group_count);
    fp_json_put_count(&json, "pairs", made.pair_count);
    fp_json_put_count(&json, "positives", with->positives);
    fp_json_end_object(&json);
    fp_json_begin_object(&json, "sha256");
    fp_json_put_text(&json, "docs.jsonl", made.documents_sha256);
    fp_json_put_text(&json, "pairs.tsv", made.pairs_sha256);
    fp_json_end_object(&json);
    fp_json_end_object(&json);
    fputc('\n', output.stream);
    fp_status status = fp_json_done(&json, error);
    if (status == FP_OK) return fp_output_close(&output, error);
    fp_output_discard(&output);
    return status;
}

fp_status fp_corrupting_write(fp_corrupting *with, const char *place, fp_error *error) {
    const char *documents = fp_format(with->arena, "%s/docs.jsonl", place),
               *pairs = fp_format(with->arena, "%s/pairs.tsv", place);
    fp_output to_documents, to_pairs;
    if (!documents || !pairs) return fp_no_memory(error);
    FP_TRY(fp_output_open(&to_documents, documents, error));
    fp_status status = fp_output_open(&to_pairs, pairs, error);
    if (status != FP_OK) {
        fp_output_discard(&to_documents);
        return status;
    }
    writing to = {.with = with, .documents = to_documents.stream, .pairs = to_pairs.stream};
    status = write_all(&to, error);
    if (status != FP_OK) {
        fp_output_discard(&to_documents);
        fp_output_discard(&to_pairs);
        return status;
    }
    status = fp_output_close(&to_documents, error);
    if (status != FP_OK) {
        fp_output_discard(&to_pairs);
        return status;
    }
    FP_TRY(fp_output_close(&to_pairs, error));
    return write_manifest(with, place, error);
}
