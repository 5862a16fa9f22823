/* SPDX-License-Identifier: GPL-3.0-or-later
 * Fingerprints of a file, one a line. */
#include <string.h>

#include "base/reader.h"
#include "index/planning/key_skew.h"

enum { LONGEST_LINE = 1 << 16, DRAW = 7 };

typedef struct reading {
    const char *name;
    unsigned bits;
    size_t words;  /* of a fingerprint */
    size_t column; /* of the fingerprint; SIZE_MAX: the last one */
    size_t line;   /* number, from 1 */
    size_t seen, kept, capacity;
    uint64_t *kept_words;
    uint64_t *one; /* [words] the fingerprint of this line */
    fp_arena *arena;
} reading;

/* ---- One line ---- */

/* The field of the fingerprint; NULL data where the line has too few. */
static fp_string find_field(const reading *it, fp_string line) {
    fp_string rest = line, field = {0};
    for (size_t column = 0; fp_next_field(&rest, '\t', &field); column++)
        if (column == it->column) return field;
    return it->column == SIZE_MAX ? field : (fp_string){0};
}

/* Whether the first line names the columns, and which is the fingerprint's. */
static bool take_header(reading *it, fp_string line) {
    fp_string rest = line, field;
    for (size_t column = 0; fp_next_field(&rest, '\t', &field); column++) {
        if (!fp_string_equal(field, fp_string_of("fingerprint"))) continue;
        it->column = column;
        return true;
    }
    return false;
}

static int digit_of(char byte) {
    if (byte >= '0' && byte <= '9') return byte - '0';
    if (byte >= 'a' && byte <= 'f') return byte - 'a' + 10;
    return byte >= 'A' && byte <= 'F' ? byte - 'A' + 10 : -1;
}

static fp_status parse(const reading *it, fp_string text, fp_error *error) {
    size_t digits = (it->bits + 3) / 4;
    if (!text.data || text.length == 0) return fp_fail(error, FP_ERROR_SYNTAX, "no fingerprint");
    memset(it->one, 0, it->words * sizeof *it->one);
    for (size_t i = 0; i < text.length; i++) {
        int digit = digit_of(text.data[i]);
        if (digit < 0)
            return fp_fail(error, FP_ERROR_SYNTAX, "a fingerprint in hexadecimal was expected, not \"%.*s\"",
                           (int)(text.length < 40 ? text.length : 40), text.data);
        if (i >= digits) continue;
        size_t shift = (digits - 1 - i) * 4;
        it->one[shift / 64] |= (uint64_t)digit << shift % 64;
    }
    if (text.length != digits)
        return fp_fail(error, FP_ERROR_RANGE, "a fingerprint of %zu hexadecimal digits, where %u bits are %zu",
                       text.length, it->bits, digits);
    if (it->bits % 64 && it->one[it->words - 1] >> it->bits % 64)
        return fp_fail(error, FP_ERROR_RANGE, "a fingerprint of more than %u bits", it->bits);
    return FP_OK;
}

/* ---- Which are kept ---- */

static fp_status make_room(reading *it, fp_error *error) {
    size_t capacity = it->capacity ? it->capacity * 2 : 1024;
    uint64_t *larger = fp_arena_grow(it->arena, it->kept_words, capacity * it->words * sizeof *larger);
    if (!larger) return fp_no_memory(error);
    it->kept_words = larger;
    it->capacity = capacity;
    return FP_OK;
}

/* Each is kept with the same probability (Vitter, Random sampling with a reservoir, ACM TOMS 11(1), 1985, algorithm R).
 */
static fp_status keep(reading *it, fp_error *error) {
    size_t place = it->kept;
    if (it->kept == FP_KEY_SAMPLE_MOST) place = (size_t)(fp_mix(it->seen, DRAW) % (it->seen + 1));
    it->seen++;
    if (place >= FP_KEY_SAMPLE_MOST) return FP_OK;
    if (place == it->capacity) FP_TRY(make_room(it, error));
    memcpy(it->kept_words + place * it->words, it->one, it->words * sizeof *it->one);
    it->kept += place == it->kept;
    return FP_OK;
}

static fp_status take_line(reading *it, fp_string line, fp_error *error) {
    it->line++;
    if (it->line == 1 && take_header(it, line)) return FP_OK;
    fp_status status = parse(it, find_field(it, line), error);
    return status == FP_OK ? keep(it, error) : fp_at(error, status, it->name, it->line, SIZE_MAX);
}

/* ---- All lines ---- */

/* Takes the whole lines of buffer[0 … filled), or all at the end, and moves what is left to the front. */
static fp_status take_lines(reading *it, char *buffer, size_t *filled, bool end, fp_error *error) {
    const char *last = memrchr(buffer, '\n', *filled);
    size_t whole = end ? *filled : last ? (size_t)(last - buffer) + 1 : 0;
    fp_string rest = {buffer, whole}, line;
    while (whole && fp_next_line(&rest, &line)) FP_TRY(take_line(it, line, error));
    *filled -= whole;
    memmove(buffer, buffer + whole, *filled);
    if (*filled < LONGEST_LINE) return FP_OK;
    fp_fail(error, FP_ERROR_RANGE, "a line of more than %d bytes", LONGEST_LINE);
    return fp_at(error, FP_ERROR_RANGE, it->name, it->line + 1, SIZE_MAX);
}

static fp_status read_lines(reading *it, fp_reader *reader, fp_error *error) {
    size_t room = 2 * (size_t)LONGEST_LINE, filled = 0, got = 1;
    char *buffer = fp_arena_raw(it->arena, room, 1);
    if (!buffer) return fp_no_memory(error);
    while (got) {
        FP_TRY(fp_reader_read(reader, buffer + filled, room - filled, &got, error));
        filled += got;
        FP_TRY(take_lines(it, buffer, &filled, got == 0, error));
    }
    if (it->seen >= 2) return FP_OK;
    fp_fail(error, FP_ERROR_EMPTY, "%zu fingerprint%s: a sample needs at least two", it->seen,
            it->seen == 1 ? "" : "s");
    return fp_at(error, FP_ERROR_EMPTY, it->name, SIZE_MAX, SIZE_MAX);
}

fp_status fp_key_sample_read(const char *path, unsigned bits, fp_arena *arena, fp_key_sample *sample, fp_error *error) {
    fp_reader *reader;
    reading it = {.bits = bits, .words = (bits + 63) / 64, .column = SIZE_MAX, .arena = arena};
    it.one = fp_arena_alloc(arena, it.words, sizeof *it.one);
    if (!it.one) return fp_no_memory(error);
    FP_TRY(fp_reader_open(path, arena, &reader, error));
    it.name = fp_reader_name(reader);
    fp_status status = read_lines(&it, reader, error);
    fp_reader_close(reader);
    *sample = (fp_key_sample){bits, it.seen, it.kept, it.kept_words};
    return status;
}
