/* SPDX-License-Identifier: GPL-3.0-or-later
 * Lines in batches. */
#include "cli/lines.h"

#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "text/unicode/encoding.h"
#include "text/unicode/utf8.h"

enum { BATCH = 1 << 20 };

/* ---- Text into lines ---- */

static fp_status add_line(fp_lines *lines, fp_string line, fp_error *error) {
    if (lines->count == lines->capacity) {
        size_t capacity = lines->capacity ? lines->capacity * 2 : 1024;
        fp_string *larger = FP_NEED(realloc(lines->text, capacity * sizeof *larger), error);
        lines->text = larger;
        lines->capacity = capacity;
    }
    lines->text[lines->count++] = line;
    return FP_OK;
}

/* Stores the state after this batch, at the next line. */
static void fail_behind(fp_lines *lines, fp_status status, size_t byte) {
    lines->failure = status;
    if (status != FP_ERROR_MEMORY) fp_at(&lines->error, status, lines->name, lines->first + lines->count, byte);
}

static fp_status refuse_long(fp_lines *lines) {
    fail_behind(lines,
                fp_fail(&lines->error, FP_ERROR_RANGE, "a line of more than %zu bytes; --max-size raises the limit",
                        lines->longest),
                SIZE_MAX);
    return FP_OK;
}

static fp_status refuse_bytes(fp_lines *lines, fp_string block, size_t at) {
    const char *mark = lines->offset + at == 0 ? fp_byte_order_mark(block) : NULL;
    if (mark)
        fp_fail(&lines->error, FP_ERROR_ENCODING, "invalid UTF-8: the byte-order mark is that of %s; add --encoding",
                mark);
    else fp_fail(&lines->error, FP_ERROR_ENCODING, "invalid UTF-8");
    fail_behind(lines, FP_ERROR_ENCODING, lines->offset + at);
    return FP_OK;
}

/* Whole lines, up to the first that is too long, or not UTF-8 if that is checked here. */
static fp_status split(fp_lines *lines, fp_string block, fp_error *error) {
    fp_string rest = block, line;
    size_t valid = lines->unchecked ? block.length : fp_utf8_check(block);
    lines->offset += lines->block.length;
    lines->block = block;
    while (fp_next_line(&rest, &line)) {
        if (lines->reader && line.length > lines->longest) return refuse_long(lines);
        if ((size_t)(line.data - block.data) + line.length > valid) return refuse_bytes(lines, block, valid);
        FP_TRY(add_line(lines, line, error));
    }
    return FP_OK;
}

/* ---- From memory ---- */

static fp_status next_of_content(fp_lines *lines, fp_error *error) {
    size_t length = lines->rest.length;
    if (length > BATCH) {
        const char *end = memchr(lines->rest.data + BATCH, '\n', length - BATCH);
        if (end) length = (size_t)(end - lines->rest.data) + 1;
    }
    fp_string block = {lines->rest.data, length};
    lines->rest.data += length;
    lines->rest.length -= length;
    return split(lines, block, error);
}

/* ---- From a file ---- */

/* The length of the whole lines that the buffer holds. */
static size_t whole_lines(const fp_lines *lines, size_t from) {
    const char *data = lines->buffer + lines->begin;
    const char *end = memrchr(data + from, '\n', lines->filled - lines->begin - from);
    return end ? (size_t)(end - data) + 1 : 0;
}

static fp_status grow(fp_lines *lines, fp_error *error) {
    size_t room = lines->room ? lines->room * 2 : 2 * (size_t)BATCH;
    char *larger = FP_NEED(realloc(lines->buffer, room), error);
    lines->buffer = larger;
    lines->room = room;
    return FP_OK;
}

static fp_status take_block(fp_lines *lines, size_t length, fp_error *error) {
    fp_string block = {lines->buffer + lines->begin, length};
    lines->begin += length;
    return split(lines, block, error);
}

/* Reads until there is a line; of a file that does not make wait, until there is a batch. */
static fp_status next_of_file(fp_lines *lines, fp_error *error) {
    bool fast = fp_reader_can_rewind(lines->reader);
    if (lines->begin) memmove(lines->buffer, lines->buffer + lines->begin, lines->filled - lines->begin);
    lines->filled -= lines->begin;
    lines->begin = 0;
    for (size_t whole = 0;;) {
        if (whole && (!fast || lines->filled >= BATCH)) return take_block(lines, whole, error);
        if (lines->filled - whole > lines->longest) {
            return whole ? take_block(lines, whole, error) : refuse_long(lines);
        }
        if (lines->filled == lines->room) FP_TRY(grow(lines, error));
        size_t got, before = lines->filled;
        fp_status status =
            fp_reader_read(lines->reader, lines->buffer + before, lines->room - before, &got, &lines->error);
        if (status == FP_OK && got == 0) return take_block(lines, lines->filled, error);
        if (status != FP_OK) {
            if (whole) FP_TRY(take_block(lines, whole, error));
            if (lines->failure == FP_OK) fail_behind(lines, status, SIZE_MAX);
            return FP_OK;
        }
        lines->filled += got;
        size_t more = whole_lines(lines, before);
        if (more) whole = more;
    }
}

/* ---- Either ---- */

/* Reads the next batch; count is 0 only at the end. Invalidates the previous batch. */
static fp_status read_batch(fp_lines *lines, fp_error *error) {
    lines->first = lines->first ? lines->first + lines->count : 1;
    lines->count = 0;
    if (lines->first == 1) lines->rest = lines->content;
    if (lines->failure == FP_OK) FP_TRY((lines->reader ? next_of_file : next_of_content)(lines, error));
    if (lines->count || lines->failure == FP_OK) return FP_OK;
    if (error) *error = lines->error;
    return lines->failure;
}

static fp_status next_batch(void *context, fp_text_batch *batch, fp_error *error) {
    fp_lines *lines = context;
    FP_TRY(read_batch(lines, error));
    *batch = (fp_text_batch){.first = lines->first - 1, .count = lines->count, .text = lines->text};
    return FP_OK;
}

static fp_status start_again(void *context, fp_error *error) {
    fp_lines *lines = context;
    lines->first = lines->count = lines->begin = lines->filled = lines->offset = 0;
    lines->block.length = 0;
    lines->failure = FP_OK;
    return lines->reader ? fp_reader_rewind(lines->reader, error) : FP_OK;
}

/* What can be read again is, as the texts may have been copied and a later batch be here. */
fp_status fp_lines_refuse(fp_lines *lines, fp_error *error) {
    bool again = !lines->reader || fp_reader_can_rewind(lines->reader);
    lines->unchecked = false;
    lines->count = 0;
    if (!again) {
        fp_string block = lines->block;
        lines->block.length = 0;
        FP_TRY(split(lines, block, error));
    } else {
        FP_TRY(start_again(lines, error));
        do FP_TRY(read_batch(lines, error));
        while (lines->count && lines->failure == FP_OK);
    }
    if (lines->failure == FP_ERROR_ENCODING) *error = lines->error;
    return FP_ERROR_ENCODING;
}

fp_text_source fp_lines_source(fp_lines *lines) {
    bool again = !lines->reader || fp_reader_can_rewind(lines->reader);
    return (fp_text_source){.context = lines,
                            .count = SIZE_MAX,
                            .name = lines->name,
                            .slow = again && lines->reader,
                            .next = next_batch,
                            .rewind = again ? start_again : NULL};
}

void fp_lines_close(fp_lines *lines) {
    free(lines->text);
    free(lines->buffer);
}

/* ---- Pairs ---- */

static bool is_header(const fp_string *field) {
    double distance;
    if (field[2].length && fp_score_number(field[2], "", &distance, NULL) == FP_OK) return false;
    return (fp_string_equal(field[0], fp_string_of("a")) && fp_string_equal(field[1], fp_string_of("b"))) ||
           (fp_string_equal(field[0], fp_string_of("id_a")) && fp_string_equal(field[1], fp_string_of("id_b")));
}

static fp_status take_pair_row(fp_string text, size_t line, fp_score_take take, void *context, const char **place,
                               fp_error *error) {
    fp_string field[3] = {{"", 0}, {"", 0}, {"", 0}}, rest = text;
    size_t count = 0;
    *place = text.data;
    while (count < 3 && fp_next_field(&rest, '\t', &field[count])) count++;
    if (count < 2 || !field[0].length || !field[1].length)
        return fp_fail(error, FP_ERROR_SYNTAX, "expected id_a and id_b, separated by a tab");
    if (line == 1 && is_header(field)) return FP_OK;
    fp_score_row row = {field[0], field[1], field[2], line};
    return take(context, &row, place, error);
}

fp_status fp_cli_pair_rows(const char *path, fp_score_take take, void *context, fp_arena *arena, fp_error *error) {
    fp_string content, rest, text;
    bool pipe = strcmp(path, "-") == 0;
    FP_TRY(fp_read_file_within(pipe ? "/dev/stdin" : path, fp_cli_most_bytes(), arena, &content, error));
    if (pipe) path = "standard input";
    rest = content;
    for (size_t line = 1; fp_next_line(&rest, &text); line++) {
        const char *place;
        if (text.length == 0) continue;
        fp_status status = take_pair_row(text, line, take, context, &place, error);
        if (status != FP_OK) return fp_at(error, status, path, line, (size_t)(place - content.data));
    }
    return FP_OK;
}
