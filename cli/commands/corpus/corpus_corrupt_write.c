/* SPDX-License-Identifier: GPL-3.0-or-later
 * The files of a corpus of corrupted copies. */
#include "cli/commands/corpus/corpus_corrupt_write.h"

#include "corpora/importing/corpus_writer.h"
#include "corpora/json_writer.h"
#include "text/unicode/utf8.h"

/* Texts are read a batch after the other, and go through threads a block at a time; what they become is written in
 * their order. Texts that copies take from are read for so many documents at once as have about so many characters to
 * take: a pass over the file each time. */
enum { BLOCK = 64, MOST_TAKEN = 16000000 };

/* What copies of the documents `first` to `end` take from. */
typedef struct taken {
    size_t first, end;
    fp_string *texts; /* [end − first][copies][FP_COPY_DONORS] */
    fp_arena *arena;
} taken;

typedef struct writing {
    fp_corrupting *with;
    fp_corpus_writer *writer;
    size_t first;           /* document of the block */
    const fp_string *texts; /* of the block */
    taken taken;
    fp_corrupted *made;     /* [BLOCK · cells · copies] */
    fp_corrupted *template; /* [BLOCK] */
    fp_arena *kept[BLOCK];
    fp_corruption facts_changed;
} writing;

/* ---- Description of a corrupted copy in docs.jsonl ---- */

typedef struct written_copy {
    fp_string of;
    const fp_copy_cell *cell;
    uint64_t number;
    const fp_corrupted *made;
    bool edits; /* report each one */
} written_copy;

/* Position in characters of the text before, old text, new text. */
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

/* Its members beside id, text and group. */
static void put_copy_members(const void *context, fp_json_writer *json) {
    const written_copy *copy = context;
    fp_json_put_string(json, "of", copy->of);
    fp_json_put_text(json, "kind", copy->cell->kind);
    fp_json_put_real(json, "rate", copy->cell->rate);
    fp_json_put_count(json, "copy", copy->number + 1);
    put_steps(json, copy->made, copy->edits);
}

/* ---- A document ---- */

static fp_string field_of(const fp_corrupting *with, const char *name, size_t document) {
    const fp_corpus_field *field = fp_corpus_field_find(&with->corpus, name);
    return field && field->any ? field->values[field->of[document]] : (fp_string){"", 0};
}

/* Connected documents are one group, which bears the name of the first one's, or its id. */
static fp_string group_of(const fp_corrupting *with, size_t document) {
    uint32_t first = with->first_of_unit[with->copies.units.of[document]];
    fp_string group = field_of(with, "group", first);
    return group.length ? group : with->corpus.documents[first].id;
}

static fp_status put_document(writing *to, fp_string id, size_t document, fp_string text, const written_copy *copy,
                              fp_error *error) {
    to->with->documents++;
    return fp_corpus_writer_document(to->writer,
                                     &(fp_corpus_written){.id = id,
                                                          .text = text,
                                                          .group = group_of(to->with, document),
                                                          .language = field_of(to->with, "lang", document),
                                                          .more = copy ? put_copy_members : NULL,
                                                          .context = copy},
                                     error);
}

static fp_status put_copy(writing *to, const char *id, size_t document, const fp_copy_cell *cell, uint64_t number,
                          const fp_corrupted *made, fp_error *error) {
    const written_copy of = {to->with->corpus.documents[document].id, cell, number, made, to->with->chosen->edits};
    return put_document(to, fp_string_of(id), document, made->text, &of, error);
}

/* ---- Pairs ---- */

static fp_status put_pair(writing *to, fp_string a, fp_string b, bool label, const char *kind, fp_error *error) {
    *(label ? &to->with->positives : &to->with->negatives) += 1;
    return fp_corpus_writer_pair(to->writer, a, b, label, fp_string_of(kind), error);
}

/* Documents of other groups beside the copy, each once. */
static fp_status put_negatives(writing *to, size_t document, uint64_t number, const char *id, fp_error *error) {
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
        FP_TRY(put_pair(to, with->corpus.documents[other].id, fp_string_of(id), false, "random", error));
    }
    return FP_OK;
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
    fp_copied_text copy = {.document = document, .text = to->texts[index]};
    for (size_t c = 0; c < copies->cell_count; c++)
        for (copy.copy = 0; copy.copy < times; copy.copy++) {
            if (copies->takes)
                copy.donors = to->taken.texts + ((document - to->taken.first) * times + copy.copy) * FP_COPY_DONORS;
            FP_TRY(fp_copies_make(copies, &copy, c, kept, made++, error));
        }
    if (!to->with->template) return FP_OK;
    fp_corruption_text of = {.id = copies->corpus->documents[document].id, .text = to->texts[index]};
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
    FP_TRY(put_document(to, id, document, to->texts[index], NULL, error));
    for (size_t c = 0; c < with->copies.cell_count; c++) {
        const fp_copy_cell *cell = &with->copies.cells[c];
        for (size_t n = 0; n < times; n++, made++) {
            const char *name = times == 1 ? fp_format(names, "%.*s~%s", (int)id.length, id.data, cell->name)
                                          : fp_format(names, "%.*s~%s~%zu", (int)id.length, id.data, cell->name, n + 1);
            FP_TRY(put_copy(to, name, document, cell, n, made, error));
            FP_TRY(put_pair(to, id, fp_string_of(name), true, cell->name, error));
            FP_TRY(put_negatives(to, document, c * times + n, name, error));
            count_steps(with, c, made);
        }
    }
    if (!with->template || !to->template[index].steps[0].changes) return FP_OK;
    const fp_copy_cell other = {to->facts_changed, "template", 1, "template"};
    const char *name = fp_format(names, "%.*s~template", (int)id.length, id.data);
    FP_TRY(put_copy(to, name, document, &other, 0, &to->template[index], error));
    return put_pair(to, id, fp_string_of(name), false, "template", error);
}

/* Reads what copies of the next documents take, from the one at the beginning of a block on. */
static fp_status take(writing *to, fp_error *error) {
    const fp_corrupting *with = to->with;
    const fp_corpus *corpus = &with->corpus;
    size_t times = (size_t)with->chosen->copies, row = times * FP_COPY_DONORS, characters = 0, end = to->first;
    fp_arena_reset(to->taken.arena);
    uint32_t *from = NULL;
    for (size_t room = 0; end < corpus->document_count && (end < to->first + BLOCK || characters < MOST_TAKEN); end++) {
        if (end - to->first == room) {
            room = 2 * room + BLOCK;
            uint32_t *larger = fp_arena_grow(to->taken.arena, from, room * row * sizeof *larger);
            from = larger;
        }
        for (size_t i = 0; i < row; i++) {
            uint32_t donor = fp_copies_donor(&with->copies, end, i / FP_COPY_DONORS, i % FP_COPY_DONORS);
            from[(end - to->first) * row + i] = donor;
            characters += corpus->documents[donor].characters;
        }
    }
    size_t count = (end - to->first) * row;
    to->taken.first = to->first;
    to->taken.end = end;
    to->taken.texts = fp_arena_raw(to->taken.arena, count, sizeof *to->taken.texts);
    return fp_corpus_fetch(corpus, from, count, to->taken.arena, to->taken.texts, error);
}

static fp_status write_batch(writing *to, const fp_text_batch *batch, const fp_arenas *arenas, fp_error *error) {
    fp_corrupting *with = to->with;
    fp_progress progress = fp_cli_progress(), quiet = fp_progress_quiet(&progress);
    for (size_t done = 0, size; done < batch->count; done += size) {
        size = batch->count - done < BLOCK ? batch->count - done : BLOCK;
        to->first = batch->first + done;
        to->texts = batch->text + done;
        if (with->copies.takes && to->first + size > to->taken.end) FP_TRY(take(to, error));
        FP_TRY(fp_parallel(size, arenas, true, make_copies, to, "copies", &quiet, error));
        for (size_t i = 0; i < size; i++) FP_TRY(write_document(to, i, error));
        if (progress.report) progress.report(progress.context, "copies", to->first + size, with->corpus.document_count);
    }
    return FP_OK;
}

static fp_status write_texts(writing *to, const fp_arenas *arenas, fp_error *error) {
    fp_text_source source;
    fp_text_batch batch = {.count = 1};
    fp_status status = fp_corpus_source(&to->with->corpus, to->with->arena, &source, error);
    while (status == FP_OK && batch.count) {
        status = source.next(source.context, &batch, error);
        if (status == FP_OK) status = write_batch(to, &batch, arenas, error);
    }
    fp_text_source_close(&source);
    fp_cli_progress_end();
    return status;
}

static fp_status write_blocks(writing *to, const fp_arenas *arenas, fp_error *error) {
    fp_corrupting *with = to->with;
    FP_TRY(write_texts(to, arenas, error));
    for (size_t l = 0; l < with->hard_count; l++)
        for (size_t i = 0; i < with->hard[l].count; i++) {
            fp_hard_pair pair = with->hard[l].pairs[i];
            FP_TRY(put_pair(to, with->corpus.documents[pair.a].id, with->corpus.documents[pair.b].id, false,
                            with->hard[l].kind, error));
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
    to->taken.arena = fp_cli_arena();
    for (size_t i = 0; i < BLOCK; i++) to->kept[i] = fp_cli_arena();
    if (status == FP_OK) status = fp_arenas_open(&arenas, &progress, with->arena, error);
    if (status == FP_OK) {
        status = write_blocks(to, &arenas, error);
        fp_arenas_free(&arenas);
    }
    for (size_t i = 0; i < BLOCK; i++) fp_arena_free(to->kept[i]);
    fp_arena_free(to->taken.arena);
    return status;
}

/* ---- The corpus ---- */

/* From the manifest of the documents, and a description of the changes. */
static fp_status finish(const fp_corrupting *with, fp_corpus_writer *writer, fp_error *error) {
    fp_manifest_check of;
    FP_TRY(fp_manifest_compare(&with->corpus, with->arena, &of, error));
    fp_corpus_described described = {
        .name = fp_format(with->arena, "%s, corrupted", with->corpus.name),
        .source = fp_format(with->arena, "documents of %s (sha256 %s) and corrupted copies of them, by fplab %s",
                            with->corpus.name, with->corpus.documents_sha256, fp_version())};
    described.language = of.language;
    described.licence = of.licence;
    return fp_corpus_writer_finish(writer, &described, error);
}

fp_status fp_corrupting_write(fp_corrupting *with, const char *place, fp_error *error) {
    writing to = {.with = with};
    FP_TRY(fp_corpus_writer_open(place, with->arena, &to.writer, error));
    fp_status status = write_all(&to, error);
    if (status == FP_OK) status = finish(with, to.writer, error);
    fp_corpus_writer_discard(to.writer);
    return status;
}
