/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reading docs.jsonl: threads parse lines, which are then added in order. */
#include "base/reader.h"
#include "corpora/line_blocks.h"
#include "corpora/read.h"

typedef struct parsed {
    fp_corpus_row row;
    bool good;
} parsed;

/* A field during reading: maps values to numbers. */
typedef struct column {
    fp_numbering seen;
    fp_string *values; /* [seen.count] */
    size_t value_room;
    uint32_t *of; /* [documents] */
    bool any;
} column;

typedef struct growing {
    fp_corpus_reading *in;
    const char *path;
    fp_line_blocks *blocks;
    const fp_line *lines; /* of the current block */
    parsed *rows;         /* [row_room] of the current block */
    size_t row_room;
    fp_arena *temporary;
    fp_arena *scratch;  /* for a bad line, which is parsed again to get its error */
    size_t count, room; /* documents */
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

/* Grows a list of the documents; all have the same room. */
static fp_status grow_list(const growing *to, void *list, size_t size) {
    size_t room = to->room;
    return fp_arena_room(to->in->arena, list, &room, to->count, size, to->in->error);
}

static fp_status make_room(growing *to) {
    FP_TRY(grow_list(to, &to->documents, sizeof *to->documents));
    if (!fp_line_blocks_can_rewind(to->blocks)) FP_TRY(grow_list(to, &to->texts, sizeof *to->texts));
    for (size_t f = 0; f < to->column_count; f++) FP_TRY(grow_list(to, &to->columns[f].of, sizeof *to->columns[f].of));
    return FP_ROOM(to->in->arena, to->group, to->count, to->room, to->in->error);
}

/* Short texts are packed together, without the padding of arena allocations. */
static fp_status keep_text(growing *to, fp_string text, fp_string *kept) {
    enum { PIECE = 1 << 16 };
    size_t bytes = text.length + 1;
    if (bytes > PIECE / 16) {
        *kept = (fp_string){FP_NEED(fp_string_copy(to->in->arena, text), to->in->error), text.length};
        return FP_OK;
    }
    if (bytes > to->free_bytes) {
        to->free = FP_NEED(fp_arena_raw(to->in->arena, PIECE, 1), to->in->error);
        to->free_bytes = PIECE;
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
    FP_TRY(FP_ROOM(to->in->arena, field->values, number, field->value_room, to->in->error));
    if (fresh) FP_TRY(keep_text(to, value, field->values + number));
    field->of[to->count] = number;
    field->any |= value.length > 0;
    return FP_OK;
}

static fp_status take_row(growing *to, const fp_corpus_row *row) {
    uint32_t number;
    bool fresh;
    if (to->count == to->room) FP_TRY(make_room(to));
    FP_TRY(fp_numbering_of(&to->in->ids, row->id, &number, &fresh, to->in->error));
    to->documents[to->count].characters = row->characters;
    FP_TRY(keep_text(to, row->id, &to->documents[to->count].id));
    if (to->texts) FP_TRY(keep_text(to, row->text, to->texts + to->count));
    FP_TRY(take_group(to, row->group, to->group + to->count));
    for (size_t f = 0; f < to->column_count; f++) FP_TRY(take_value(to, to->columns + f, row->values[f]));
    to->count++;
    return FP_OK;
}

/* Reports a line that cannot be added: a duplicate id takes precedence over errors found after it. */
static fp_status refuse(growing *to, const fp_line *line, const fp_corpus_row *row) {
    fp_corpus_row again;
    fp_error *error = to->in->error;
    if (row->id.length && fp_numbering_find(&to->in->ids, row->id) != FP_MAP_NONE) {
        fp_fail(error, FP_ERROR_DUPLICATE, "duplicate id %.*s", (int)row->id.length, row->id.data);
        error->byte = row->id_byte;
    } else {
        fp_arena_reset(to->scratch);
        fp_corpus_row_parse(line->text, FP_CORPUS_ROW_FORM(NULL), to->scratch, to->scratch, &again, error);
    }
    if (error->byte != SIZE_MAX) error->byte += line->byte;
    FP_TRY(fp_corpus_bad_row(to->in, to->path, line->row));
    FP_TRY(FP_ROOM(to->in->arena, to->left_out, to->left_out_count, to->left_out_room, to->in->error));
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
    FP_TRY(FP_ROOM(to->temporary, to->rows, count, to->row_room, to->in->error));
    FP_TRY(fp_line_blocks_work(to->blocks, count, parse_line, to, &done, to->in->error));
    for (size_t i = 0; i < count; i++) {
        const fp_corpus_row *row = &to->rows[i].row;
        bool taken = to->rows[i].good && fp_numbering_find(&to->in->ids, row->id) == FP_MAP_NONE;
        FP_TRY(taken ? take_row(to, row) : refuse(to, to->lines + i, row));
    }
    return FP_OK;
}

/* ---- The whole file ---- */

static fp_status finish_fields(growing *to) {
    fp_arena *arena = to->in->arena;
    fp_corpus_field *fields = FP_NEED(fp_arena_raw(arena, to->column_count, sizeof *fields), to->in->error);
    for (size_t f = 0; f < to->column_count; f++) {
        const column *from = to->columns + f;
        const char *name = fp_string_copy(arena, fp_string_of(to->in->options->fields[f]));
        fields[f] = (fp_corpus_field){.name = FP_NEED(name, to->in->error),
                                      .any = from->any,
                                      .value_count = from->seen.count,
                                      .values = from->values,
                                      .of = from->of};
    }
    to->in->corpus->fields = fields;
    to->in->corpus->field_count = to->column_count;
    return FP_OK;
}

static fp_status finish(growing *to) {
    fp_corpus *corpus = to->in->corpus;
    fp_file_sum sum = fp_line_blocks_sum(to->blocks);
    fp_line_blocks_sha256(to->blocks, corpus->documents_sha256);
    if (to->count == 0) return FP_FAIL_AT(to->in->error, FP_ERROR_EMPTY, to->path, "the corpus has no documents");
    corpus->document_count = to->count;
    corpus->documents = to->documents;
    corpus->group = to->group;
    corpus->group_count = to->groups.count;
    corpus->texts = to->texts;
    corpus->file = (fp_corpus_file){.path = to->path,
                                    .bytes = sum.bytes,
                                    .hash = sum.hash,
                                    .left_out_count = to->left_out_count,
                                    .left_out = to->left_out,
                                    .threads = to->in->options->progress ? to->in->options->progress->threads : 0};
    return finish_fields(to);
}

static fp_status read_blocks(growing *to) {
    const fp_corpus_opening *options = to->in->options;
    fp_error *error = to->in->error;
    const fp_line_options how = {.most = fp_corpus_most_bytes(options), .sha256 = true, .progress = options->progress};
    FP_TRY(fp_line_blocks_open(to->path, &how, to->in->arena, &to->blocks, error));
    for (size_t count = 1; count;) {
        FP_TRY(fp_line_blocks_next(to->blocks, &to->lines, &count, error));
        if (count) FP_TRY(take_block(to, count));
    }
    return finish(to);
}

const char *fp_corpus_documents_path(const char *directory, fp_arena *arena) {
    const char *path = fp_format(arena, "%s/docs.jsonl", directory);
    return path ? fp_packed_path(path, arena) : NULL;
}

fp_status fp_corpus_read_documents(fp_corpus_reading *in) {
    FP_SCRATCH(temporary, in->arena, in->error);
    FP_SCRATCH(scratch, in->arena, in->error);
    growing to = {.in = in,
                  .path = FP_NEED(fp_corpus_documents_path(in->corpus->path, in->arena), in->error),
                  .groups = {.like = in->arena},
                  .temporary = temporary,
                  .scratch = scratch};
    while (in->options->fields && in->options->fields[to.column_count]) to.column_count++;
    to.columns = FP_NEED(fp_arena_alloc(temporary, to.column_count, sizeof *to.columns), in->error);
    for (size_t f = 0; f < to.column_count; f++) to.columns[f].seen.like = in->arena;
    fp_status status = read_blocks(&to);
    fp_line_blocks_close(to.blocks);
    fp_numbering_free(&to.groups);
    for (size_t f = 0; f < to.column_count; f++) fp_numbering_free(&to.columns[f].seen);
    return status;
}
