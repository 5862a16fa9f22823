/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reading whole files; lines and fields of text. */
#include <errno.h>

#include "base/reader.h"

fp_status fp_file_error(fp_error *error, const char *path, const char *doing) {
    return FP_FAIL_AT(error, FP_ERROR_IO, path, "cannot %s: %s", doing, strerror(errno));
}

/* ---- Reading whole files ---- */

fp_status fp_reader_too_large(const fp_reader *reader, size_t most, fp_error *error) {
    return FP_FAIL_AT(error, FP_ERROR_RANGE, fp_reader_name(reader),
                      "holds more than %zu bytes; --max-size raises the limit", most);
}

/* Into a growing piece of the arena, of the expected size, else of doubling size; large ones grow without a copy. */
fp_status fp_read_all(fp_reader *reader, size_t most, fp_arena *arena, fp_string *content, fp_error *error) {
    enum { FIRST = 1 << 16 };
    size_t expected = fp_reader_expected(reader), used = 0;
    *content = (fp_string){"", 0};
    if (expected != SIZE_MAX && expected > most) return fp_reader_too_large(reader, most, error);
    size_t room = expected == SIZE_MAX || fp_reader_unpacks(reader) ? FIRST : expected + 1;
    char *text = FP_NEED(fp_arena_grow(arena, NULL, room), error);
    for (size_t got = 1; got; used += got) {
        if (used == room) text = FP_NEED(fp_arena_grow(arena, text, room *= 2), error);
        FP_TRY(fp_reader_read(reader, text + used, room - used, &got, error));
        if (got > most - used) return fp_reader_too_large(reader, most, error);
    }
    text = FP_NEED(fp_arena_grow(arena, text, used + 1), error);
    text[used] = '\0';
    *content = (fp_string){text, used};
    return FP_OK;
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
