/* SPDX-License-Identifier: GPL-3.0-or-later
 * Lines in blocks. A block ends at the end of its last complete line; the rest goes to the next block. */
#include "corpora/line_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "base/reader.h"
#include "text/unicode/encoding.h"

enum { ROOM = 1 << 20 };

typedef struct block {
    char *bytes;
    size_t room, filled;
    size_t whole; /* bytes in complete lines */
    size_t lost;  /* dropped bytes of a too long line before them */
} block;

/* ---- Lines ---- */

static size_t whole_lines(char separator, fp_string bytes) {
    (void)separator;
    const char *end = memrchr(bytes.data, '\n', bytes.length);
    return end ? (size_t)(end + 1 - bytes.data) : 0;
}

static bool next_line(char separator, fp_string *rest, fp_string *line, size_t *rows) {
    (void)separator;
    *rows = 1;
    return fp_next_line(rest, line);
}

const fp_record_cut fp_line_cut = {whole_lines, next_line, 0};

struct fp_line_blocks {
    fp_line_options how;
    const fp_arena *like; /* memory source */
    fp_reader *reader;
    fp_decoder *decoder; /* from the first block on; NULL: no conversion */
    fp_arena *arena;
    fp_batch *batch;
    fp_progress progress;
    size_t expected; /* bytes; SIZE_MAX: unknown */
    bool waits;      /* reading may block, as with a pipe */
    block blocks[2];
    size_t current;   /* the block whose lines are returned; the other is read ahead */
    bool ahead;       /* it is read ahead */
    bool ended;       /* end of the file */
    bool again;       /* the current block is returned again */
    fp_status status; /* of reading ahead */
    fp_error error;
    fp_status failed; /* reading failed after complete lines that were returned; FP_OK: not failed */
    fp_error failure;
    fp_line *lines;
    size_t line_count, line_room;
    size_t row, byte; /* position after the returned lines */
    size_t bytes;     /* read */
    fp_xxh3_sum *hash;
    fp_sha256 *sha256; /* NULL: not computed */
};

/* ---- Opening ---- */

static fp_status open_all(fp_line_blocks *made, const char *path, fp_error *error) {
    FP_TRY(fp_reader_open(path, made->like, &made->reader, error));
    made->expected = made->how.encoding ? SIZE_MAX : fp_reader_expected(made->reader);
    made->waits = !fp_reader_can_rewind(made->reader);
    made->arena = FP_NEED(fp_arena_new_like(made->like), error);
    made->hash = FP_NEED(fp_xxh3_begin(made->arena), error);
    if (made->how.sha256) made->sha256 = FP_NEED(fp_sha256_begin(made->arena), error);
    return fp_batch_open(made->how.progress, made->arena, &made->batch, error);
}

fp_status fp_line_blocks_open(const char *path, const fp_line_options *options, const fp_arena *like,
                              fp_line_blocks **blocks, fp_error *error) {
    fp_line_blocks *made = *blocks = FP_NEED(fp_memory_take(like, 1, sizeof *made), error);
    made->how = *options;
    made->like = like;
    if (!made->how.cut.whole) made->how.cut = fp_line_cut;
    if (options->progress) made->progress = *options->progress;
    if (options->progress) made->how.progress = &made->progress;
    fp_status status = open_all(made, path, error);
    if (status == FP_OK) return FP_OK;
    fp_line_blocks_close(made);
    *blocks = NULL;
    return status;
}

void fp_line_blocks_close(fp_line_blocks *blocks) {
    if (!blocks) return;
    fp_batch_close(blocks->batch);
    fp_decoder_close(blocks->decoder);
    fp_reader_close(blocks->reader);
    fp_arena_free(blocks->arena);
    for (size_t i = 0; i < 2; i++) fp_memory_release(blocks->like, blocks->blocks[i].bytes);
    fp_memory_release(blocks->like, blocks->lines);
    fp_memory_release(blocks->like, blocks);
}

const char *fp_line_blocks_encoding(const fp_line_blocks *blocks, bool *converted) {
    *converted = blocks->decoder && fp_decoder_converts(blocks->decoder);
    return blocks->decoder ? fp_decoder_name(blocks->decoder) : NULL;
}

bool fp_line_blocks_can_rewind(const fp_line_blocks *blocks) { return fp_reader_can_rewind(blocks->reader); }

fp_status fp_line_blocks_rewind(fp_line_blocks *blocks, fp_error *error) {
    for (size_t i = 0; i < 2; i++)
        blocks->blocks[i] = (block){.bytes = blocks->blocks[i].bytes, .room = blocks->blocks[i].room};
    blocks->ahead = blocks->ended = blocks->again = false;
    blocks->failed = FP_OK;
    blocks->row = blocks->byte = blocks->bytes = 0;
    fp_xxh3_again(blocks->hash);
    fp_decoder_close(blocks->decoder);
    blocks->decoder = NULL;
    return fp_reader_rewind(blocks->reader, error);
}

/* ---- Reading ---- */

static fp_status make_room(const fp_line_blocks *in, block *to, size_t room, fp_error *error) {
    if (to->room >= room) return FP_OK;
    to->bytes = FP_NEED(fp_memory_resize(in->like, to->bytes, room), error);
    to->room = room;
    return FP_OK;
}

static fp_status read_bytes(fp_line_blocks *in, char *to, size_t room, size_t *got, fp_error *error) {
    if (!in->how.encoding) return fp_reader_read(in->reader, to, room, got, error);
    if (!in->decoder) FP_TRY(fp_decoder_open(in->reader, in->how.encoding, in->like, &in->decoder, error));
    return fp_decoder_read(in->decoder, to, room, got, error);
}

/* Fills the block up to its capacity or the end of the file. If reading may block, returns after the first bytes. */
static fp_status fill(fp_line_blocks *in, block *to, fp_error *error) {
    size_t got = 1;
    while (got && to->filled < to->room) {
        FP_TRY(read_bytes(in, to->bytes + to->filled, to->room - to->filled, &got, error));
        to->filled += got;
        in->bytes += got;
        if (!in->how.bounds_lines && in->bytes > in->how.most)
            return fp_reader_too_large(in->reader, in->how.most, error);
        if (in->waits && got) return FP_OK;
    }
    in->ended = got == 0;
    return FP_OK;
}

fp_status fp_line_too_long(const fp_line_blocks *in, size_t row, fp_error *error) {
    fp_fail(error, FP_ERROR_RANGE, "a line of more than %zu bytes; --max-size raises the limit", in->how.most);
    return fp_at(error, FP_ERROR_RANGE, fp_reader_name(in->reader), row, SIZE_MAX);
}

/* Drops a line up to its end, or the end of the file. The block then represents only that line, plus the beginning of
 * the next one. */
static fp_status lose_line(fp_line_blocks *in, block *to, fp_error *error) {
    for (const char *end = NULL; !end;) {
        end = to->filled ? memchr(to->bytes, '\n', to->filled) : NULL;
        size_t lost = end ? (size_t)(end + 1 - to->bytes) : to->filled;
        to->lost += lost;
        to->filled -= lost;
        memmove(to->bytes, to->bytes + lost, to->filled);
        if (end || in->ended) return FP_OK;
        FP_TRY(fill(in, to, error));
    }
    return FP_OK;
}

static size_t whole_of(const fp_line_blocks *in, const block *of) {
    return in->how.cut.whole(in->how.cut.separator, (fp_string){of->bytes, of->filled});
}

/* Starts with the incomplete line of the previous block. A line longer than the capacity doubles it. */
static fp_status read_block(fp_line_blocks *in, const block *before, block *to, fp_error *error) {
    size_t left = before->filled - before->whole;
    if (in->failed != FP_OK) {
        if (error) *error = in->failure;
        return in->failed;
    }
    if (!in->how.bounds_lines && in->expected != SIZE_MAX && in->expected > in->how.most)
        return fp_reader_too_large(in->reader, in->how.most, error);
    FP_TRY(make_room(in, to, left < ROOM ? ROOM : 2 * left, error));
    if (left) memcpy(to->bytes, before->bytes + before->whole, left);
    to->filled = left;
    /* After a dropped line the rest may contain several complete lines. */
    to->whole = left && before->lost ? whole_of(in, to) : 0;
    to->lost = 0;
    while (!in->ended && to->whole == 0) {
        if (in->how.bounds_lines && to->filled > in->how.most)
            return in->how.skips ? lose_line(in, to, error) : fp_line_too_long(in, in->row + 1, error);
        if (to->filled == to->room) FP_TRY(make_room(in, to, 2 * to->room, error));
        fp_status status = fill(in, to, error);
        to->whole = whole_of(in, to);
        if (status != FP_OK && to->whole == 0) return status;
        in->failed = status;
        if (status != FP_OK && error) in->failure = *error;
    }
    if (in->ended) to->whole = to->filled;
    fp_xxh3_add(in->hash, (fp_string){to->bytes, to->whole});
    if (in->sha256) fp_sha256_add(in->sha256, (fp_string){to->bytes, to->whole});
    return FP_OK;
}

/* Keeps a failure until the lines before it are returned. */
static void read_ahead(void *context) {
    fp_line_blocks *in = context;
    in->status = read_block(in, in->blocks + in->current, in->blocks + !in->current, &in->error);
    in->ahead = true;
}

/* ---- Lines ---- */

static fp_status cut(fp_line_blocks *in, const block *from, fp_error *error) {
    fp_string rest = {from->bytes, from->whole}, line;
    size_t rows, *count = &in->line_count;
    if (from->lost) {
        FP_TRY(FP_MEMORY_ROOM(in->like, in->lines, 0, in->line_room, error));
        in->lines[(*count)++] = (fp_line){.text = {"", 0}, .row = ++in->row, .byte = in->byte, .too_long = true};
        in->byte += from->lost;
    }
    while (in->how.cut.next(in->how.cut.separator, &rest, &line, &rows)) {
        size_t row = in->row + 1;
        in->row += rows;
        if (line.length == 0 && !in->how.empty) continue;
        FP_TRY(FP_MEMORY_ROOM(in->like, in->lines, *count, in->line_room, error));
        in->lines[(*count)++] = (fp_line){line, row, in->byte + (size_t)(line.data - from->bytes), false};
    }
    in->byte += from->whole;
    if (in->progress.report && in->expected != SIZE_MAX)
        in->progress.report(in->progress.context, "documents", in->byte, in->expected);
    return FP_OK;
}

/* Makes the next block the current one. */
static void advance(fp_line_blocks *blocks) {
    blocks->line_count = 0;
    while (blocks->line_count == 0) {
        if (!blocks->ahead) {
            const block *last = blocks->blocks + blocks->current;
            if (blocks->ended && last->whole == last->filled) break; /* and nothing remains after a dropped line */
            read_ahead(blocks);
        }
        blocks->ahead = false;
        blocks->current = !blocks->current;
        if (blocks->status == FP_OK) blocks->status = cut(blocks, blocks->blocks + blocks->current, &blocks->error);
        if (blocks->status != FP_OK) break;
    }
}

fp_status fp_line_blocks_next(fp_line_blocks *blocks, const fp_line **lines, size_t *count, fp_error *error) {
    if (!blocks->again) advance(blocks);
    blocks->again = false;
    *lines = blocks->lines;
    *count = blocks->line_count;
    if (blocks->status != FP_OK && error) *error = blocks->error;
    return blocks->status;
}

void fp_line_blocks_again(fp_line_blocks *blocks) { blocks->again = true; }

fp_status fp_line_blocks_work(fp_line_blocks *blocks, size_t count, fp_batch_work work, void *context, size_t *done,
                              fp_error *error) {
    bool ahead = !blocks->ended && !blocks->ahead && !blocks->waits;
    const fp_beside beside = {read_ahead, blocks};
    return fp_batch_run(blocks->batch, count, work, context, ahead ? &beside : NULL, done, error);
}

/* ---- Sums ---- */

fp_file_sum fp_line_blocks_sum(const fp_line_blocks *blocks) {
    return (fp_file_sum){blocks->bytes, fp_xxh3_end(blocks->hash)};
}

void fp_line_blocks_sha256(fp_line_blocks *blocks, char hex[65]) { fp_sha256_end(blocks->sha256, hex); }
