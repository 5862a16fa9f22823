/* SPDX-License-Identifier: GPL-3.0-or-later
 * Reads the fingerprints of a file, one a line. */
#include "index/fingerprint_lines.h"

#include <string.h>

#include "base/reader.h"

enum { LONGEST_LINE = 1 << 16 };

typedef struct reading {
    const fp_fingerprint_lines *how;
    const char *name;
    unsigned bits;
    size_t words;  /* of a fingerprint */
    size_t column; /* of the fingerprint; SIZE_MAX: the last one */
    size_t line;   /* number, from 1 */
    uint64_t *one; /* [words] the fingerprint of this line */
    fp_arena *arena;
} reading;

/* ---- One line ---- */

/* The field of the fingerprint; data NULL: too few fields. *id: the first field, unless it is the fingerprint. */
static fp_string find_field(const reading *it, fp_string line, fp_string *id) {
    fp_string rest = line, field = {0};
    size_t column = 0;
    *id = (fp_string){"", 0};
    while (column <= it->column && fp_next_field(&rest, '\t', &field)) {
        if (column++ == 0) *id = field;
    }
    if (column <= 1) *id = (fp_string){"", 0};
    return it->column == SIZE_MAX || column == it->column + 1 ? field : (fp_string){0};
}

/* Whether the first line is a header; if so, sets the column of the fingerprint. */
static bool take_header(reading *it, fp_string line) {
    fp_string rest = line, field;
    for (size_t column = 0; fp_next_field(&rest, '\t', &field); column++) {
        if (!fp_string_equal(field, fp_string_of("fingerprint"))) continue;
        it->column = column;
        return true;
    }
    return false;
}

static fp_status parse(const reading *it, fp_string text, fp_error *error) {
    size_t digits = (it->bits + 3) / 4;
    if (!text.data || text.length == 0) return fp_fail(error, FP_ERROR_SYNTAX, "no fingerprint");
    memset(it->one, 0, it->words * sizeof *it->one);
    for (size_t i = 0; i < text.length; i++) {
        int digit = fp_hex_digit(text.data[i]);
        if (digit < 0)
            return fp_fail(error, FP_ERROR_SYNTAX, "a fingerprint in hexadecimal was expected, not \"%.*s\"",
                           (int)(text.length < 40 ? text.length : 40), text.data);
        if (i >= digits) continue;
        size_t shift = (digits - 1 - i) * 4;
        it->one[shift / 64] |= (uint64_t)digit << shift % 64;
    }
    if (text.length != digits)
        return fp_fail(error, FP_ERROR_RANGE, "a fingerprint of %zu hexadecimal digits; %u bits have %zu", text.length,
                       it->bits, digits);
    if (it->bits % 64 && it->one[it->words - 1] >> it->bits % 64)
        return fp_fail(error, FP_ERROR_RANGE, "a fingerprint of more than %u bits", it->bits);
    return FP_OK;
}

static fp_status take_line(reading *it, fp_string line, fp_error *error) {
    fp_fingerprint_line taken = {.words = it->one, .file = it->name, .line = ++it->line};
    fp_error why = {.line = SIZE_MAX, .byte = SIZE_MAX};
    if (it->line == 1 && take_header(it, line)) return FP_OK;
    fp_status status = parse(it, find_field(it, line, &taken.id), &why);
    if (status == FP_OK) return it->how->take(it->how->context, &taken, error);
    fp_at(&why, status, it->name, it->line, SIZE_MAX);
    if (it->how->leave_out && it->how->leave_out(it->how->context, &why)) return FP_OK;
    if (error) *error = why;
    return status;
}

/* ---- All lines ---- */

/* Takes the complete lines of buffer[0 … filled), or all at the end; moves the rest to the front. */
static fp_status take_lines(reading *it, char *buffer, size_t *filled, bool end, fp_error *error) {
    const char *last = memrchr(buffer, '\n', *filled);
    size_t whole = end ? *filled : last ? (size_t)(last - buffer) + 1 : 0;
    fp_string rest = {buffer, whole}, line;
    while (whole && fp_next_line(&rest, &line)) FP_TRY(take_line(it, line, error));
    *filled -= whole;
    memmove(buffer, buffer + whole, *filled);
    if (*filled < LONGEST_LINE) return FP_OK;
    return fp_at(error, fp_fail(error, FP_ERROR_RANGE, "a line of more than %d bytes", LONGEST_LINE), it->name,
                 it->line + 1, SIZE_MAX);
}

static fp_status read_lines(reading *it, fp_reader *reader, fp_error *error) {
    size_t room = 2 * (size_t)LONGEST_LINE, filled = 0, got = 1;
    char *buffer = FP_NEED(fp_arena_raw(it->arena, room, 1), error);
    it->one = FP_NEED(fp_arena_alloc(it->arena, it->words, sizeof *it->one), error);
    while (got) {
        FP_TRY(fp_reader_read(reader, buffer + filled, room - filled, &got, error));
        filled += got;
        FP_TRY(take_lines(it, buffer, &filled, got == 0, error));
        if (it->how->pause) FP_TRY(it->how->pause(it->how->context, error));
    }
    return FP_OK;
}

fp_status fp_fingerprint_lines_read(const char *path, const fp_fingerprint_lines *how, const fp_arena *like,
                                    fp_error *error) {
    fp_reader *reader;
    FP_SCRATCH(arena, like, error);
    FP_TRY(fp_reader_open(path, arena, &reader, error));
    reading it = {.how = how,
                  .bits = how->bits,
                  .words = (how->bits + 63) / 64,
                  .column = SIZE_MAX,
                  .name = fp_reader_name(reader),
                  .arena = arena};
    fp_status status = read_lines(&it, reader, error);
    fp_reader_close(reader);
    return status;
}
