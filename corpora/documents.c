/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reading docs.jsonl: threads parse lines, which are then added in order. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "corpora/line_blocks.h"
#include "corpora/read.h"
#include "corpora/row.h"

typedef struct parsed {
    fp_corpus_row row;
    bool good;
} parsed;

/* A field during reading: maps values to numbers. */
typedef struct column {
    fp_numbering seen;
    fp_string *values;
    size_t value_room;
    uint32_t *of;
    bool any;
} column;

/* Arrays that grow with the documents are outside the arena, and are copied there once. */
typedef struct growing {
    fp_corpus_reading *in;
    const char *path;
    fp_line_blocks *blocks;
    const fp_line *lines; /* of the current block */
    parsed *rows;         /* [row_room] of the current block */
    size_t row_room;
    fp_arena *kept, *scratch; /* for a bad line, which is parsed again to get its error */
    size_t count, room;       /* documents */
    fp_corpus_document *documents;
    uint32_t *group;
    fp_string *texts; /* NULL if the file can be read again */
    fp_numbering groups;
    column *columns;
    size_t column_count;
    size_t *left_out, left_out_count, left_out_room;
    char *free; /* where the next short text is stored */
    size_t free_bytes;
} growing;

/* ---- Room ---- */

static fp_status make_document_room(growing *to) {
    size_t room = to->room ? 2 * to->room : 1024;
    FP_TRY(fp_memory_sized(to->in->arena, &to->documents, room, sizeof *to->documents, to->in->error));
    FP_TRY(fp_memory_sized(to->in->arena, &to->group, room, sizeof *to->group, to->in->error));
    if (to->texts || !fp_line_blocks_can_rewind(to->blocks))
        FP_TRY(fp_memory_sized(to->in->arena, &to->texts, room, sizeof *to->texts, to->in->error));
    for (size_t f = 0; f < to->column_count; f++)
        FP_TRY(fp_memory_sized(to->in->arena, &to->columns[f].of, room, sizeof *to->columns[f].of, to->in->error));
    to->room = room;
    return FP_OK;
}

/* Short texts are packed together, without the padding of arena allocations. */
static fp_status keep_text(growing *to, fp_string text, fp_string *kept) {
    enum { PIECE = 1 << 16 };
    size_t bytes = text.length + 1;
    if (bytes > to->free_bytes) {
        size_t taken = bytes > PIECE / 16 ? bytes : PIECE;
        char *piece = fp_arena_raw(to->in->arena, taken, 1);
        if (!piece) return fp_no_memory(to->in->error);
        if (taken == PIECE) {
            to->free = piece;
            to->free_bytes = PIECE;
        } else {
            memcpy(piece, text.data, text.length);
            piece[text.length] = '\0';
            *kept = (fp_string){piece, text.length};
            return FP_OK;
        }
    }
    memcpy(to->free, text.data, text.length);
    to->free[text.length] = '\0';
    *kept = (fp_string){to->free, text.length};
    to->free += bytes;
    to->free_bytes -= bytes;
    return FP_OK;
}

/* ---- Adding documents ---- */

static fp_status take_group(growing *to, fp_string name, uint32_t *group) {
    bool fresh;
    *group = UINT32_MAX;
    return name.length ? fp_numbering_of(&to->groups, name, group, &fresh, to->in->error) : FP_OK;
}

static fp_status take_value(growing *to, column *field, fp_string value) {
    uint32_t number;
    bool fresh;
    FP_TRY(fp_numbering_of(&field->seen, value, &number, &fresh, to->in->error));
    FP_TRY(FP_MEMORY_ROOM(to->in->arena, field->values, number, field->value_room, to->in->error));
    if (fresh) FP_TRY(keep_text(to, value, field->values + number));
    field->of[to->count] = number;
    field->any |= value.length > 0;
    return FP_OK;
}

static fp_status take_row(growing *to, const fp_corpus_row *row) {
    uint32_t number;
    bool fresh;
    if (to->count == to->room) FP_TRY(make_document_room(to));
    FP_TRY(fp_numbering_of(&to->in->ids, row->id, &number, &fresh, to->in->error));
    to->documents[to->count].characters = row->characters;
    FP_TRY(keep_text(to, row->id, &to->documents[to->count].id));
    if (to->texts) FP_TRY(keep_text(to, row->text, to->texts + to->count));
    FP_TRY(take_group(to, row->group, to->group + to->count));
    for (size_t f = 0; f < to->column_count; f++) FP_TRY(take_value(to, to->columns + f, row->values[f]));
    to->count++;
    return FP_OK;
}

/* Reports a line that cannot be added: a duplicate id takes precedence over errors later in the line. */
static fp_status refuse(growing *to, const fp_line *line, const fp_corpus_row *row) {
    fp_corpus_row again;
    fp_error *error = to->in->error;
    if (row->id.length && fp_numbering_find(&to->in->ids, row->id) != FP_MAP_NONE) {
        fp_fail(error, FP_ERROR_DUPLICATE, "duplicate id %.*s", (int)row->id.length, row->id.data);
        error->byte = row->id_byte;
    } else {
        fp_arena_reset(to->scratch);
        fp_arena_reset(to->kept);
        fp_corpus_row_parse(line->text, FP_CORPUS_ROW_FORM(NULL), to->scratch, to->kept, &again, error);
    }
    if (error->byte != SIZE_MAX) error->byte += line->byte;
    FP_TRY(fp_corpus_bad_row(to->in, to->path, line->row));
    FP_TRY(FP_MEMORY_ROOM(to->in->arena, to->left_out, to->left_out_count, to->left_out_room, to->in->error));
    to->left_out[to->left_out_count++] = line->row;
    return FP_OK;
}

/* ---- Blocks ---- */

static fp_status parse_line(void *context, size_t index, fp_arena *scratch, fp_arena *kept, fp_error *error) {
    growing *to = context;
    parsed *out = to->rows + index;
    fp_status status = fp_corpus_row_parse(to->lines[index].text, FP_CORPUS_ROW_FORM(to->in->options->fields), scratch,
                                           kept, &out->row, error);
    out->good = status == FP_OK;
    return status == FP_ERROR_MEMORY ? status : FP_OK;
}

static fp_status take_block(growing *to, size_t count) {
    size_t done;
    if (count > to->row_room) {
        FP_TRY(fp_memory_sized(to->in->arena, &to->rows, count, sizeof *to->rows, to->in->error));
        to->row_room = count;
    }
    FP_TRY(fp_line_blocks_work(to->blocks, count, parse_line, to, &done, to->in->error));
    for (size_t i = 0; i < count; i++) {
        const fp_corpus_row *row = &to->rows[i].row;
        bool taken = to->rows[i].good && fp_numbering_find(&to->in->ids, row->id) == FP_MAP_NONE;
        FP_TRY(taken ? take_row(to, row) : refuse(to, to->lines + i, row));
    }
    return FP_OK;
}

/* ---- The whole file ---- */

static fp_status copy_out(growing *to, const void *from, size_t count, size_t size, void *out) {
    void *made = fp_arena_raw(to->in->arena, count, size);
    if (!made) return fp_no_memory(to->in->error);
    if (count) memcpy(made, from, count * size);
    memcpy(out, &made, sizeof made);
    return FP_OK;
}

static fp_status finish_fields(growing *to) {
    fp_corpus_field *fields = fp_arena_alloc(to->in->arena, to->column_count, sizeof *fields);
    if (!fields) return fp_no_memory(to->in->error);
    for (size_t f = 0; f < to->column_count; f++) {
        const column *from = to->columns + f;
        fields[f] = (fp_corpus_field){.name = fp_string_copy(to->in->arena, fp_string_of(to->in->options->fields[f])),
                                      .any = from->any,
                                      .value_count = from->seen.count};
        if (!fields[f].name) return fp_no_memory(to->in->error);
        FP_TRY(copy_out(to, from->values, from->seen.count, sizeof *from->values, &fields[f].values));
        FP_TRY(copy_out(to, from->of, to->count, sizeof *from->of, &fields[f].of));
    }
    to->in->corpus->fields = fields;
    to->in->corpus->field_count = to->column_count;
    return FP_OK;
}

static fp_status finish(growing *to) {
    fp_corpus *corpus = to->in->corpus;
    fp_file_sum sum = fp_line_blocks_sum(to->blocks);
    fp_line_blocks_sha256(to->blocks, corpus->documents_sha256);
    if (to->count == 0) {
        fp_fail(to->in->error, FP_ERROR_EMPTY, "the corpus has no documents");
        return fp_at(to->in->error, FP_ERROR_EMPTY, to->path, SIZE_MAX, SIZE_MAX);
    }
    corpus->document_count = to->count;
    corpus->group_count = to->groups.count;
    corpus->file = (fp_corpus_file){to->path, sum.bytes,
                                    sum.hash, to->left_out_count,
                                    NULL,     to->in->options->progress ? to->in->options->progress->threads : 0};
    FP_TRY(copy_out(to, to->documents, to->count, sizeof *to->documents, &corpus->documents));
    FP_TRY(copy_out(to, to->group, to->count, sizeof *to->group, &corpus->group));
    if (to->texts) FP_TRY(copy_out(to, to->texts, to->count, sizeof *to->texts, &corpus->texts));
    FP_TRY(copy_out(to, to->left_out, to->left_out_count, sizeof *to->left_out, &corpus->file.left_out));
    return finish_fields(to);
}

static fp_status read_blocks(growing *to) {
    fp_error *error = to->in->error;
    size_t count = 1;
    while (to->in->options->fields && to->in->options->fields[to->column_count]) to->column_count++;
    to->columns = FP_NEED(fp_memory_take(to->in->arena, to->column_count + 1, sizeof *to->columns), error);
    to->kept = FP_NEED(fp_arena_new_like(to->in->arena), error);
    to->scratch = FP_NEED(fp_arena_new_like(to->in->arena), error);
    to->groups.like = to->in->arena;
    for (size_t f = 0; f < to->column_count; f++) to->columns[f].seen.like = to->in->arena;
    FP_TRY(fp_line_blocks_open(to->path, to->in->arena, fp_corpus_most_bytes(to->in->options), true,
                               to->in->options->progress, &to->blocks, error));
    while (count) {
        FP_TRY(fp_line_blocks_next(to->blocks, &to->lines, &count, error));
        if (count) FP_TRY(take_block(to, count));
    }
    return finish(to);
}

static void let_go(growing *to) {
    fp_line_blocks_close(to->blocks);
    fp_numbering_free(&to->groups);
    for (size_t f = 0; to->columns && f < to->column_count; f++) {
        fp_numbering_free(&to->columns[f].seen);
        fp_memory_release(to->in->arena, to->columns[f].values);
        fp_memory_release(to->in->arena, to->columns[f].of);
    }
    fp_arena_free(to->kept);
    fp_arena_free(to->scratch);
    void *each[] = {to->rows, to->documents, to->group, to->texts, to->columns, to->left_out};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++) fp_memory_release(to->in->arena, each[i]);
}

const char *fp_corpus_documents_path(const char *directory, fp_arena *arena) {
    static const char *const ENDINGS[] = {"", ".gz", ".zst"};
    for (size_t i = 0; i < 3; i++) {
        const char *path = fp_format(arena, "%s/docs.jsonl%s", directory, ENDINGS[i]);
        if (!path || access(path, F_OK) == 0) return path;
    }
    return fp_format(arena, "%s/docs.jsonl", directory);
}

fp_status fp_corpus_read_documents(fp_corpus_reading *in) {
    growing to = {.in = in, .path = FP_NEED(fp_corpus_documents_path(in->corpus->path, in->arena), in->error)};
    fp_status status = read_blocks(&to);
    let_go(&to);
    return status;
}
