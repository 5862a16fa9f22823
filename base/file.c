/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reading whole files, their lines and fields. */
#include "base/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/reader.h"

fp_status fp_file_error(fp_error *error, const char *path, const char *doing) {
    fp_fail(error, FP_ERROR_IO, "cannot %s: %s", doing, strerror(errno));
    return fp_at(error, FP_ERROR_IO, path, SIZE_MAX, SIZE_MAX);
}

/* ---- Reading whole files ---- */

/* Holds what did not fit into the first buffer: pieces of doubling size, so that bytes are copied only once. */
typedef struct piece {
    struct piece *next;
    size_t used, room;
    char bytes[];
} piece;

static piece *new_piece(const fp_arena *like, size_t room) {
    piece *made = fp_memory_resize(like, NULL, sizeof *made + room);
    if (made) *made = (piece){.room = room};
    return made;
}

static void free_pieces(const fp_arena *like, piece *first) {
    while (first) {
        piece *next = first->next;
        fp_memory_release(like, first);
        first = next;
    }
}

fp_status fp_reader_too_large(const fp_reader *reader, size_t most, fp_error *error) {
    fp_fail(error, FP_ERROR_RANGE, "holds more than %zu bytes, the most that is read (--max-size)", most);
    return fp_at(error, FP_ERROR_RANGE, fp_reader_name(reader), SIZE_MAX, SIZE_MAX);
}

static fp_status read_pieces(fp_reader *reader, size_t most, size_t room, const fp_arena *like, piece **first,
                             size_t *total, fp_error *error) {
    enum { LARGEST = 1 << 26 };
    piece **end = first, *last = NULL;
    *total = 0;
    for (size_t got = 1; got;) {
        if (!last || last->used == last->room) {
            if (last) room = last->room < LARGEST / 2 ? last->room * 2 : LARGEST;
            last = *end = new_piece(like, room);
            if (!last) return fp_no_memory(error);
            end = &last->next;
        }
        FP_TRY(fp_reader_read(reader, last->bytes + last->used, last->room - last->used, &got, error));
        last->used += got;
        if (got > most - *total) return fp_reader_too_large(reader, most, error);
        *total += got;
    }
    return FP_OK;
}

/* Joins `front` and the pieces into one text in the arena; each piece is freed as soon as it is copied. */
static fp_status join_pieces(fp_string front, piece **first, size_t total, fp_arena *arena, fp_string *content,
                             fp_error *error) {
    size_t at = front.length, length = front.length + total;
    char *text = length < SIZE_MAX ? fp_arena_raw(arena, length + 1, 1) : NULL;
    if (!text) return fp_no_memory(error);
    if (at) memcpy(text, front.data, at);
    while (*first) {
        piece *done = *first;
        memcpy(text + at, done->bytes, done->used);
        at += done->used;
        *first = done->next;
        fp_memory_release(arena, done);
    }
    text[length] = '\0';
    *content = (fp_string){text, length};
    return FP_OK;
}

/* Reads a file of known size straight into the arena, up to that size. *ended: the file ends there. */
static fp_status read_sized(fp_reader *reader, size_t size, fp_arena *arena, fp_string *content, bool *ended,
                            fp_error *error) {
    char *text = FP_NEED(fp_arena_raw(arena, size + 1, 1), error);
    size_t used = 0, got = 1;
    while (used <= size && got) {
        FP_TRY(fp_reader_read(reader, text + used, size + 1 - used, &got, error));
        used += got;
    }
    *ended = got == 0;
    if (*ended) text[used] = '\0';
    *content = (fp_string){text, used};
    return FP_OK;
}

fp_status fp_read_all(fp_reader *reader, size_t most, fp_arena *arena, fp_string *content, fp_error *error) {
    enum { FIRST = 1 << 16 };
    size_t expected = fp_reader_expected(reader), total;
    bool ended = false;
    piece *first = NULL;
    *content = (fp_string){"", 0};
    if (expected != SIZE_MAX && expected > most) return fp_reader_too_large(reader, most, error);
    if (expected < SIZE_MAX - 1 && !fp_reader_unpacks(reader)) {
        FP_TRY(read_sized(reader, expected, arena, content, &ended, error));
        if (content->length > most) return fp_reader_too_large(reader, most, error);
    }
    if (ended) return FP_OK;
    fp_status status = read_pieces(reader, most - content->length, FIRST, arena, &first, &total, error);
    if (status == FP_OK) status = join_pieces(*content, &first, total, arena, content, error);
    free_pieces(arena, first);
    return status;
}

fp_status fp_read_file_within(const char *path, size_t most, fp_arena *arena, fp_string *content, fp_error *error) {
    fp_reader *reader;
    FP_TRY(fp_reader_open(path, arena, &reader, error));
    fp_status status = fp_read_all(reader, most, arena, content, error);
    fp_reader_close(reader);
    return status;
}

fp_status fp_read_file(const char *path, fp_arena *arena, fp_string *content, fp_error *error) {
    return fp_read_file_within(path, FP_MOST_BYTES, arena, content, error);
}

bool fp_next_line(fp_string *rest, fp_string *line) {
    if (rest->length == 0) return false;
    const char *end = memchr(rest->data, '\n', rest->length);
    size_t length = end ? (size_t)(end - rest->data) : rest->length;
    *line = (fp_string){rest->data, length};
    size_t taken = end ? length + 1 : length;
    rest->data += taken;
    rest->length -= taken;
    if (line->length && line->data[line->length - 1] == '\r') line->length--;
    return true;
}

bool fp_next_field(fp_string *rest, char separator, fp_string *field) {
    if (!rest->data) return false;
    const char *end = rest->length ? memchr(rest->data, separator, rest->length) : NULL;
    size_t length = end ? (size_t)(end - rest->data) : rest->length;
    *field = (fp_string){rest->data, length};
    if (end) *rest = (fp_string){end + 1, rest->length - length - 1};
    else *rest = (fp_string){NULL, 0};
    return true;
}
