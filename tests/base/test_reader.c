/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files read byte by byte: what zlib and libzstd packed comes out again, through rooms of every size, and every prefix
 * of a packed file but those that end with a member is refused.
 */
#include <zlib.h>
#include <zstd.h>

#include "base/reader.h"

#include "tests/support.h"

static const char PATH[] = "reader_test_file";

typedef struct bytes {
    char *data;
    size_t length;
} bytes;

/* Lines of random letters: they pack, but not to nothing. */
static bytes make_text(size_t length) {
    bytes text = {malloc(length + 1), length};
    for (size_t i = 0; i < length; i++) {
        uint64_t draw = fp_mix(i, 7);
        text.data[i] = draw % 61 == 0 ? '\n' : (char)('a' + draw % 11);
    }
    return text;
}

static void append(bytes *to, const void *data, size_t length) {
    to->data = realloc(to->data, to->length + length + 1);
    memcpy(to->data + to->length, data, length);
    to->length += length;
}

static void add_gzip(bytes *to, const char *data, size_t length) {
    char out[1 << 18];
    z_stream stream = {.next_in = (unsigned char *)(uintptr_t)data,
                       .avail_in = (unsigned)length,
                       .next_out = (unsigned char *)out,
                       .avail_out = sizeof out};
    assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    append(to, out, stream.total_out);
    deflateEnd(&stream);
}

static void add_zstd(bytes *to, const char *data, size_t length) {
    char out[1 << 18];
    size_t size = ZSTD_compress(out, sizeof out, data, length, 3);
    assert_false(ZSTD_isError(size));
    append(to, out, size);
}

typedef void (*pack)(bytes *to, const char *data, size_t length);
static void add_plain(bytes *to, const char *data, size_t length) { append(to, data, length); }
static const pack PACKS[] = {add_plain, add_gzip, add_zstd};

static void save(const char *data, size_t length) {
    FILE *file = fopen(PATH, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

/* All of the file, `room` bytes at most at a time. */
static fp_status read_by(fp_reader *reader, size_t room, bytes *to) {
    char piece[70000];
    for (size_t got = 1; got;) {
        FP_TRY(fp_reader_read(reader, piece, room, &got, &test_error));
        assert_true(got <= room);
        append(to, piece, got);
    }
    return FP_OK;
}

static void check_content(fp_reader *reader, size_t room, const char *data, size_t length) {
    bytes read = {0};
    ASSERT_GOOD(read_by(reader, room, &read));
    assert_int_equal(read.length, length);
    if (length) assert_memory_equal(read.data, data, length);
    free(read.data);
}

static void every_room(void **state) {
    (void)state;
    static const size_t LENGTHS[] = {0, 1, 2, 3, 100, 65535, 65536, 65537, 200000},
                        ROOMS[] = {1, 3, 4096, 65536, 70000};
    for (size_t p = 0; p < 3; p++) {
        for (size_t l = 0; l < sizeof LENGTHS / sizeof *LENGTHS; l++) {
            size_t length = LENGTHS[l], half = length / 3;
            bytes text = make_text(length), packed = {0};
            PACKS[p](&packed, text.data, half);
            PACKS[p](&packed, text.data + half, length - half);
            save(packed.data, packed.length);
            fp_reader *reader;
            ASSERT_GOOD(fp_reader_open(PATH, NULL, &reader, &test_error));
            assert_int_equal(fp_reader_unpacks(reader), p > 0);
            for (size_t r = length > 1000 ? 2 : 0; r < sizeof ROOMS / sizeof *ROOMS; r++) {
                check_content(reader, ROOMS[r], text.data, length);
                assert_true(fp_reader_can_rewind(reader));
                ASSERT_GOOD(fp_reader_rewind(reader, &test_error));
            }
            fp_reader_close(reader);
            free(text.data);
            free(packed.data);
        }
    }
}

static void every_prefix(void **state) {
    (void)state;
    for (size_t p = 1; p < 3; p++) {
        bytes text = make_text(500), packed = {0};
        PACKS[p](&packed, text.data, 200);
        size_t member = packed.length;
        PACKS[p](&packed, text.data + 200, 300);
        append(&packed, "?", 1); /* bytes behind the end */
        for (size_t length = 4; length <= packed.length; length++) {
            bytes read = {0};
            fp_reader *reader;
            save(packed.data, length);
            ASSERT_GOOD(fp_reader_open(PATH, NULL, &reader, &test_error));
            fp_status status = read_by(reader, 64, &read);
            size_t whole = length == member ? 200 : length == packed.length - 1 ? 500 : 0;
            if (status != (whole ? FP_OK : FP_ERROR_IO))
                fail_msg("packing %zu, %zu of %zu bytes", p, length, packed.length);
            if (whole) assert_int_equal(read.length, whole);
            else assert_string_equal(test_error.file, PATH);
            fp_reader_close(reader);
            free(read.data);
        }
        free(text.data);
        free(packed.data);
    }
}

/* No byte more than the limit; the limit itself is allowed. */
static void limits(void **state) {
    (void)state;
    for (size_t p = 0; p < 3; p++) {
        bytes text = make_text(100000), packed = {0};
        fp_arena *arena = fp_arena_new();
        fp_string content;
        PACKS[p](&packed, text.data, text.length);
        save(packed.data, packed.length);
        ASSERT_GOOD(fp_read_file_within(PATH, text.length, arena, &content, &test_error));
        assert_int_equal(content.length, text.length);
        assert_memory_equal(content.data, text.data, text.length);
        assert_int_equal(content.data[content.length], 0);
        assert_int_equal(fp_read_file_within(PATH, text.length - 1, arena, &content, &test_error), FP_ERROR_RANGE);
        assert_string_equal(test_error.file, PATH);
        fp_arena_free(arena);
        free(text.data);
        free(packed.data);
    }
}

static int clean_up(void **state) {
    (void)state;
    unlink(PATH);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_room), cmocka_unit_test(every_prefix),
                                       cmocka_unit_test(limits)};
    char directory[] = "/tmp/fplab-reader-XXXXXX";
    if (!mkdtemp(directory) || chdir(directory) != 0) return 1;
    int failed = cmocka_run_group_tests(tests, NULL, clean_up);
    rmdir(directory);
    return failed;
}
