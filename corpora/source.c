/* SPDX-License-Identifier: GPL-3.0-or-later
 * The texts of a corpus in batches: from memory, or parsed again from the lines of the file. */
#include <stdlib.h>

#include "corpora/corpus.h"
#include "corpora/line_blocks.h"
#include "corpora/row.h"

static fp_status changed(const fp_corpus *corpus, size_t row, fp_error *error) {
    fp_fail(error, FP_ERROR_IO, "the file has changed since the corpus was read");
    return fp_at(error, FP_ERROR_IO, corpus->file.path, row, SIZE_MAX);
}

/* ---- From memory ---- */

enum { BATCH = 1024 };

typedef struct memory {
    const fp_corpus *corpus;
    size_t next;
    fp_string ids[BATCH];
} memory;

static fp_status next_in_memory(void *context, fp_text_batch *batch, fp_error *error) {
    (void)error;
    memory *at = context;
    size_t left = at->corpus->document_count - at->next, count = left < BATCH ? left : BATCH;
    for (size_t i = 0; i < count; i++) at->ids[i] = at->corpus->documents[at->next + i].id;
    *batch = (fp_text_batch){.first = at->next, .count = count, .text = at->corpus->texts + at->next, .id = at->ids};
    at->next += count;
    return FP_OK;
}

static fp_status memory_again(void *context, fp_error *error) {
    (void)error;
    ((memory *)context)->next = 0;
    return FP_OK;
}

static fp_status open_memory(const fp_corpus *corpus, fp_arena *arena, fp_text_source *source, fp_error *error) {
    memory *at = FP_NEED(fp_arena_alloc(arena, 1, sizeof *at), error);
    at->corpus = corpus;
    source->context = at;
    source->next = next_in_memory;
    source->rewind = memory_again;
    return FP_OK;
}

/* ---- From the file ---- */

/* A requested line and its text. */
typedef struct wanted {
    const fp_line *line;
    size_t document; /* number in the corpus */
    fp_string text;
} wanted;

typedef struct pass {
    const fp_corpus *corpus;
    fp_line_blocks *blocks; /* NULL before the first batch */
    size_t position;        /* position of the next line among the documents of the file */
    size_t left_out;        /* number of skipped rows passed so far */
    size_t handed;          /* documents of the corpus returned so far */
    bool ended;
    wanted *lines;
    fp_string *texts, *ids; /* of the batch */
    size_t room;            /* of each */
} pass;

static fp_status make_room(pass *in, size_t room, fp_error *error) {
    if (room <= in->room) return FP_OK;
    in->lines = FP_NEED(fp_memory_resize(in->corpus->memory, in->lines, room * sizeof *in->lines), error);
    in->texts = FP_NEED(fp_memory_resize(in->corpus->memory, in->texts, room * sizeof *in->texts), error);
    in->ids = FP_NEED(fp_memory_resize(in->corpus->memory, in->ids, room * sizeof *in->ids), error);
    in->room = room;
    return FP_OK;
}

/* A line that does not parse, or holds another document, shows that the file has changed. */
static fp_status parse_line(void *context, size_t index, fp_arena *scratch, fp_arena *kept, fp_error *error) {
    const pass *in = context;
    wanted *to = in->lines + index;
    fp_corpus_row row;
    fp_status status = fp_corpus_row_parse(to->line->text, FP_CORPUS_ROW_FORM(NULL), scratch, kept, &row, error);
    if (status == FP_ERROR_MEMORY) return status;
    const fp_corpus_document *document = in->corpus->documents + to->document;
    if (status != FP_OK || row.characters != document->characters || !fp_string_equal(row.id, document->id))
        return changed(in->corpus, to->line->row, error);
    to->text = row.text;
    return FP_OK;
}

/* The lines of a block that are documents of the corpus, in order. */
static size_t choose(pass *in, const fp_line *lines, size_t count) {
    const fp_corpus *corpus = in->corpus;
    const fp_corpus_file *file = &corpus->file;
    size_t chosen = 0;
    for (size_t i = 0; i < count; i++) {
        if (in->left_out < file->left_out_count && file->left_out[in->left_out] == lines[i].row) {
            in->left_out++;
            continue;
        }
        size_t next = in->handed + chosen, position = in->position++;
        if (next == corpus->document_count || (corpus->origin && corpus->origin[next] != position)) continue;
        in->lines[chosen++] = (wanted){.line = lines + i, .document = next};
    }
    return chosen;
}

/* Checks at the end that the file is the one that the corpus was read from. */
static fp_status check_whole(pass *in, fp_error *error) {
    fp_file_sum sum = fp_line_blocks_sum(in->blocks);
    in->ended = true;
    if (sum.bytes == in->corpus->file.bytes && sum.hash == in->corpus->file.hash) return FP_OK;
    return changed(in->corpus, SIZE_MAX, error);
}

/* Sets in->lines to the requested lines of the next block; opens the file for the first one. */
static fp_status next_lines(pass *in, size_t *chosen, fp_error *error) {
    const fp_progress quiet = {.threads = in->corpus->file.threads};
    const fp_line_options how = {.most = SIZE_MAX, .progress = &quiet};
    const fp_line *lines;
    size_t count;
    if (!in->blocks) FP_TRY(fp_line_blocks_open(in->corpus->file.path, &how, in->corpus->memory, &in->blocks, error));
    FP_TRY(fp_line_blocks_next(in->blocks, &lines, &count, error));
    FP_TRY(make_room(in, count, error));
    if (count == 0) FP_TRY(check_whole(in, error));
    *chosen = choose(in, lines, count);
    return FP_OK;
}

static fp_status next_batch(void *context, fp_text_batch *batch, fp_error *error) {
    pass *in = context;
    size_t chosen = 0, done;
    while (chosen == 0 && !in->ended) {
        FP_TRY(next_lines(in, &chosen, error));
        FP_TRY(fp_line_blocks_work(in->blocks, chosen, parse_line, in, &done, error));
    }
    for (size_t i = 0; i < chosen; i++) {
        in->texts[i] = in->lines[i].text;
        in->ids[i] = in->corpus->documents[in->handed + i].id;
    }
    *batch = (fp_text_batch){.first = in->handed, .count = chosen, .text = in->texts, .id = in->ids};
    in->handed += chosen;
    return FP_OK;
}

static fp_status start_again(void *context, fp_error *error) {
    pass *in = context;
    in->position = in->left_out = in->handed = 0;
    in->ended = false;
    return in->blocks ? fp_line_blocks_rewind(in->blocks, error) : FP_OK;
}

static void close_pass(void *context) {
    pass *in = context;
    fp_line_blocks_close(in->blocks);
    fp_memory_release(in->corpus->memory, in->lines);
    fp_memory_release(in->corpus->memory, in->texts);
    fp_memory_release(in->corpus->memory, in->ids);
    *in = (pass){.corpus = in->corpus};
}

fp_status fp_corpus_source(const fp_corpus *corpus, fp_arena *arena, fp_text_source *source, fp_error *error) {
    *source = (fp_text_source){.count = corpus->document_count, .name = corpus->path};
    if (corpus->texts) return open_memory(corpus, arena, source, error);
    pass *in = FP_NEED(fp_arena_alloc(arena, 1, sizeof *in), error);
    in->corpus = corpus;
    source->context = in;
    source->next = next_batch;
    source->rewind = start_again;
    source->close = close_pass;
    source->slow = true;
    return FP_OK;
}

/* ---- Reading all lines, all texts ---- */

static fp_status visit_lines(pass *in, fp_corpus_line_visit *visit, void *context, fp_error *error) {
    while (!in->ended) {
        size_t chosen;
        FP_TRY(next_lines(in, &chosen, error));
        for (size_t i = 0; i < chosen; i++) FP_TRY(visit(context, in->handed++, in->lines[i].line->text, error));
    }
    return FP_OK;
}

fp_status fp_corpus_each_line(const fp_corpus *corpus, fp_corpus_line_visit *visit, void *context, fp_error *error) {
    pass in = {.corpus = corpus};
    if (corpus->texts)
        return FP_FAIL_AT(error, FP_ERROR_IO, corpus->path, "the documents cannot be read a second time");
    fp_status status = visit_lines(&in, visit, context, error);
    close_pass(&in);
    return status;
}

fp_status fp_corpus_read_batches(const fp_corpus *corpus, fp_visit_batch visit, void *context, fp_error *error) {
    fp_text_batch batch = {.count = 1};
    if (!fp_corpus_has_texts(corpus))
        return fp_fail(error, FP_ERROR_EMPTY, "%s has pairs alone, and no texts", corpus->name);
    FP_SCRATCH(arena, corpus->memory, error);
    fp_text_source source FP_CLOSED_BY(fp_text_source_close) = {0};
    FP_TRY(fp_corpus_source(corpus, arena, &source, error));
    while (batch.count) {
        FP_TRY(source.next(source.context, &batch, error));
        if (batch.count) FP_TRY(visit(context, &batch, error));
    }
    return FP_OK;
}

typedef fp_status visit_text(void *context, size_t document, fp_string text, fp_error *error);
typedef struct visiting {
    visit_text *visit;
    void *context;
} visiting;

static fp_status visit_texts(void *context, const fp_text_batch *batch, fp_error *error) {
    const visiting *with = context;
    for (size_t i = 0; i < batch->count; i++)
        FP_TRY(with->visit(with->context, batch->first + i, batch->text[i], error));
    return FP_OK;
}

fp_status fp_corpus_read_texts(const fp_corpus *corpus, visit_text *visit, void *context, fp_error *error) {
    visiting with = {visit, context};
    return fp_corpus_read_batches(corpus, visit_texts, &with, error);
}
