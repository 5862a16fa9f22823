/* SPDX-License-Identifier: GPL-3.0-or-later
 * NumPy files: "\x93NUMPY", version, length of the header, the header (a Python dictionary), the numbers. */
#include "base/npy.h"

#include <math.h>
#include <string.h>

#include "base/reader.h"

/* ---- The header: a dictionary of descr, fortran_order and shape, each once, in any order ---- */

typedef struct header {
    fp_string descr, order;
    size_t shape[2], dimensions;
    bool has_shape;
} header;

static void skip_space(fp_string *text) {
    while (text->length && memchr(" \t\n", *text->data, 3)) text->data++, text->length--;
}

static bool take(fp_string *text, char wanted) {
    skip_space(text);
    if (text->length == 0 || *text->data != wanted) return false;
    text->data++, text->length--;
    return true;
}

static bool take_quoted(fp_string *text, fp_string *value) {
    char quote = take(text, '\'') ? '\'' : take(text, '"') ? '"' : 0;
    const char *end = quote ? memchr(text->data, quote, text->length) : NULL;
    if (!end) return false;
    *value = (fp_string){text->data, (size_t)(end - text->data)};
    text->length -= value->length + 1;
    text->data = end + 1;
    return true;
}

static bool take_word(fp_string *text, fp_string *word) {
    skip_space(text);
    *word = (fp_string){text->data, 0};
    while (text->length && memchr("TrueFals", *text->data, 8)) text->data++, text->length--, word->length++;
    return word->length != 0;
}

static bool take_size(fp_string *text, size_t *size) {
    size_t digits = 0;
    skip_space(text);
    for (*size = 0; text->length && *text->data >= '0' && *text->data <= '9'; digits++) {
        if (*size > (SIZE_MAX - 9) / 10) return false;
        *size = *size * 10 + (size_t)(*text->data - '0');
        text->data++, text->length--;
    }
    return digits != 0;
}

/* "(3, 4)", "(3,)", "()". */
static bool take_shape(fp_string *text, header *to) {
    if (to->has_shape || !take(text, '(')) return false;
    to->has_shape = true;
    while (!take(text, ')')) {
        size_t size;
        if (!take_size(text, &size)) return false;
        if (to->dimensions < 2) to->shape[to->dimensions] = size;
        to->dimensions++;
        if (!take(text, ',')) return take(text, ')');
    }
    return true;
}

static bool take_entry(fp_string *text, header *to) {
    fp_string key;
    if (!take_quoted(text, &key) || !take(text, ':')) return false;
    if (fp_string_equal(key, fp_string_of("shape"))) return take_shape(text, to);
    if (fp_string_equal(key, fp_string_of("fortran_order"))) return !to->order.data && take_word(text, &to->order);
    if (!fp_string_equal(key, fp_string_of("descr")) || to->descr.data) return false;
    return take_quoted(text, &to->descr);
}

static bool take_header(fp_string text, header *to) {
    *to = (header){0};
    if (!take(&text, '{')) return false;
    while (!take(&text, '}')) {
        if (!take_entry(&text, to)) return false;
        if (take(&text, ',')) continue;
        if (!take(&text, '}')) return false;
        break;
    }
    skip_space(&text);
    return text.length == 0 && to->descr.data && to->order.data && to->has_shape;
}

static fp_status check_header(fp_string text, header *found, fp_error *error) {
    /* A structured type is a list, which the parser rejects. */
    if (!take_header(text, found))
        return fp_fail(error, FP_ERROR_SYNTAX, "has no header of a plain .npy array: descr, fortran_order and shape");
    if (!fp_string_equal(found->descr, fp_string_of("<f4")))
        return fp_fail(error, FP_ERROR_SYNTAX, "the dtype is '%.*s'; vectors are '<f4' (float32, little-endian)",
                       found->descr.length < 40 ? (int)found->descr.length : 40, found->descr.data);
    if (!fp_string_equal(found->order, fp_string_of("False")))
        return fp_fail(error, FP_ERROR_SYNTAX, "fortran_order is %.*s; vectors must be in row order (False)",
                       (int)found->order.length, found->order.data);
    if (found->dimensions != 2)
        return fp_fail(error, FP_ERROR_SYNTAX, "the array has %zu dimension%s; it must have 2, a vector in each row",
                       found->dimensions, found->dimensions == 1 ? "" : "s");
    if (found->shape[0] == 0 || found->shape[1] == 0)
        return fp_fail(error, FP_ERROR_EMPTY, "the array has %zu rows of %zu columns", found->shape[0],
                       found->shape[1]);
    return FP_OK;
}

/* ---- Bytes ---- */

static fp_status cut_short(fp_error *error) { return fp_fail(error, FP_ERROR_SYNTAX, "ends before its array does"); }

static fp_status read_bytes(fp_reader *reader, void *to, size_t count, fp_error *error) {
    char *at = to;
    for (size_t got; count; at += got, count -= got) {
        FP_TRY(fp_reader_read(reader, at, count, &got, error));
        if (got == 0) return cut_short(error);
    }
    return FP_OK;
}

/* *begin: offset of the numbers. */
static fp_status read_header(fp_reader *reader, fp_arena *arena, header *found, size_t *begin, fp_error *error) {
    enum { MOST_HEADER = 1 << 16 };
    unsigned char head[8], bytes[4] = {0};
    FP_TRY(read_bytes(reader, head, sizeof head, error));
    if (memcmp(head, "\x93NUMPY", 6) != 0)
        return fp_fail(error, FP_ERROR_SYNTAX, "is not a .npy file: it does not begin with \\x93NUMPY");
    if (head[6] < 1 || head[6] > 3 || head[7] != 0)
        return fp_fail(error, FP_ERROR_SYNTAX, "is of version %u.%u of the .npy format; versions 1.0 to 3.0 are read",
                       head[6], head[7]);
    size_t width = head[6] == 1 ? 2 : 4;
    FP_TRY(read_bytes(reader, bytes, width, error));
    size_t length = (size_t)bytes[0] | (size_t)bytes[1] << 8 | (size_t)bytes[2] << 16 | (size_t)bytes[3] << 24;
    if (length > MOST_HEADER) return fp_fail(error, FP_ERROR_SYNTAX, "has a .npy header of %zu bytes", length);
    char *text = FP_NEED(fp_arena_raw(arena, length + 1, 1), error);
    FP_TRY(read_bytes(reader, text, length, error));
    *begin = sizeof head + width + length;
    return check_header((fp_string){text, length}, found, error);
}

/* Reads in pieces of growing size, so that a false shape allocates no memory. */
static fp_status read_values(fp_reader *reader, size_t bytes, fp_arena *arena, void **values, fp_error *error) {
    enum { FIRST = 1 << 20 };
    bool sized = fp_reader_expected(reader) != SIZE_MAX && !fp_reader_unpacks(reader);
    size_t room = sized || bytes < FIRST ? bytes : FIRST, got;
    char *to = NULL, more;
    for (size_t used = 0; used < bytes; used = room, room = bytes / 2 < room ? bytes : room * 2) {
        char *grown = FP_NEED(fp_arena_grow(arena, to, room), error);
        to = grown;
        FP_TRY(read_bytes(reader, to + used, room - used, error));
        if (room == bytes) break;
    }
    FP_TRY(fp_reader_read(reader, &more, 1, &got, error));
    if (got) return fp_fail(error, FP_ERROR_SYNTAX, "has bytes after its array");
    *values = to;
    return FP_OK;
}

/* ---- The matrix ---- */

static void to_host_order(float *values, size_t count) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (size_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, values + i, sizeof word);
        word = __builtin_bswap32(word);
        memcpy(values + i, &word, sizeof word);
    }
#else
    (void)values;
    (void)count;
#endif
}

static fp_status check_values(const fp_npy *matrix, fp_error *error) {
    for (size_t i = 0; i < matrix->rows * matrix->columns; i++)
        if (!isfinite(matrix->values[i]))
            return fp_fail(error, FP_ERROR_RANGE, "row %zu, column %zu is %s", i / matrix->columns + 1,
                           i % matrix->columns + 1, isnan(matrix->values[i]) ? "NaN" : "infinite");
    return FP_OK;
}

static fp_status read_matrix(fp_reader *reader, fp_arena *arena, fp_npy *matrix, fp_error *error) {
    header found;
    size_t begin = 0, most = FP_MOST_BYTES / sizeof(float);
    void *values = NULL;
    FP_TRY(read_header(reader, arena, &found, &begin, error));
    if (found.shape[0] > most / found.shape[1]) return fp_reader_too_large(reader, FP_MOST_BYTES, error);
    size_t bytes = found.shape[0] * found.shape[1] * sizeof(float), expected = fp_reader_expected(reader);
    if (!fp_reader_unpacks(reader) && expected != SIZE_MAX && expected < begin + bytes) return cut_short(error);
    FP_TRY(read_values(reader, bytes, arena, &values, error));
    *matrix = (fp_npy){found.shape[0], found.shape[1], values};
    to_host_order(matrix->values, matrix->rows * matrix->columns);
    return check_values(matrix, error);
}

fp_status fp_npy_read(const char *path, fp_arena *arena, fp_npy *matrix, fp_error *error) {
    fp_reader *reader;
    FP_TRY(fp_reader_open(path, arena, &reader, error));
    fp_status status = read_matrix(reader, arena, matrix, error);
    fp_reader_close(reader);
    bool named = status == FP_OK || status == FP_ERROR_IO || status == FP_ERROR_MEMORY;
    return named ? status : fp_at(error, status, path, SIZE_MAX, SIZE_MAX);
}
