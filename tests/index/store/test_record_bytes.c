/* SPDX-License-Identifier: GPL-3.0-or-later
 * Records as bytes: those that docs/index-format.md says, written out by hand; every change of a byte, every prefix and
 * every other place is refused; bodies at random under a right checksum are read without leaving them. */
#include "index/store/record_bytes.h"
#include "tests/support.h"

static fp_arena *arena;

static fp_record example(void) {
    return (fp_record){.number = 7,
                       .id = fp_string_of("a1"),
                       .fingerprint = {"\1\2\3", 3},
                       .says = true,
                       .title = fp_string_of("T"),
                       .source = fp_string_of("xyz"),
                       .time = 258,
                       .characters = 300,
                       .text = fp_string_of("t")};
}

static void bytes_as_documented(void **state) {
    (void)state;
    static const char BODY[] = "\x07"                                 /* says, a time, a text */
                               "\x02\x01\0\0\0\0\0\0"                 /* 258 */
                               "\xac\x02"                             /* 300 */
                               "\x01\xef\xcd\xab\x89\x67\x45\x23\x01" /* one key */
                               "\x02"
                               "a1"
                               "\x03\x01\x02\x03"
                               "\x01T"
                               "\0" /* no url */
                               "\x03xyz";
    fp_record record = example();
    fp_string bytes;
    uint64_t key = 0x0123456789abcdef;
    ASSERT_GOOD(fp_record_pack(&record, &key, 1, arena, &bytes, &test_error));
    assert_int_equal(bytes.length, 4 + sizeof BODY - 1);
    assert_memory_equal(bytes.data + 4, BODY, sizeof BODY - 1);
    uint64_t sum = fp_xxh3(BODY, sizeof BODY - 1, fp_mix(7, 1));
    for (int i = 0; i < 4; i++) assert_int_equal((unsigned char)bytes.data[i], sum >> 8 * i & 0xff);
    char number[4];
    fp_key_put(0x01020304, number);
    assert_memory_equal(number, "\1\2\3\4", 4);
    assert_int_equal(fp_key_get(number), 0x01020304);
}

static fp_status read_record(fp_string bytes, uint64_t number) {
    fp_record got;
    fp_record_rest rest;
    /* Of its own size, so that a look behind the end is seen. */
    char *copy = malloc(bytes.length ? bytes.length : 1);
    assert_non_null(copy);
    memcpy(copy, bytes.data, bytes.length);
    fp_status status = fp_record_unpack((fp_string){copy, bytes.length}, number, &got, &rest, NULL);
    free(copy);
    return status;
}

static void changes_are_seen(void **state) {
    (void)state;
    fp_record record = example();
    fp_string bytes;
    ASSERT_GOOD(fp_record_pack(&record, NULL, 0, arena, &bytes, &test_error));
    assert_int_equal(read_record(bytes, 7), FP_OK);
    assert_int_equal(read_record(bytes, 8), FP_ERROR_SYNTAX);
    char *changed = fp_string_copy(arena, bytes);
    for (size_t i = 0; i < bytes.length; i++) {
        assert_int_equal(read_record((fp_string){bytes.data, i}, 7), FP_ERROR_SYNTAX);
        for (int bit = 0; bit < 8; bit++) {
            changed[i] = (char)(bytes.data[i] ^ 1 << bit);
            assert_int_equal(read_record((fp_string){changed, bytes.length}, 7), FP_ERROR_SYNTAX);
        }
        changed[i] = bytes.data[i];
    }
}

/* Lengths that run over the end, too: what a program of another mind could have written. */
static void bodies_at_random(void **state) {
    (void)state;
    size_t good = 0;
    for (uint64_t i = 0; i < 200000; i++) {
        char bytes[40];
        size_t length = 5 + fp_mix(i, 0) % 36;
        for (size_t at = 4; at < length; at++) {
            uint64_t draw = fp_mix(i, at);
            bytes[at] = (char)(draw & 1 ? draw >> 8 & 3 : draw >> 8); /* many small lengths */
        }
        uint64_t sum = fp_xxh3(bytes + 4, length - 4, fp_mix(9, 1));
        for (int b = 0; b < 4; b++) bytes[b] = (char)(sum >> 8 * b & 0xff);
        fp_status status = read_record((fp_string){bytes, length}, 9);
        assert_true(status == FP_OK || status == FP_ERROR_SYNTAX);
        good += status == FP_OK;
    }
    assert_true(good > 0);
}

static void texts(void **state) {
    (void)state;
    char random[1000], even[1000];
    memset(even, 'e', sizeof even);
    for (size_t i = 0; i < sizeof random; i++) random[i] = (char)fp_mix(i, 1);
    const fp_string made[] = {{even, sizeof even}, {random, sizeof random}, {"t", 1}, {"", 0}};
    for (size_t i = 0; i < 4; i++) {
        fp_string bytes, text;
        ASSERT_GOOD(fp_record_text_pack(made[i], 3, arena, &bytes, &test_error));
        assert_true(bytes.length <= made[i].length + 4 + 1 + 2);
        ASSERT_GOOD(fp_record_text_unpack(bytes, 3, arena, &text, &test_error));
        assert_true(fp_string_equal(text, made[i]));
        assert_int_equal(fp_record_text_unpack(bytes, 4, arena, &text, NULL), FP_ERROR_SYNTAX);
        if (!i) assert_true(bytes.length < 100);
    }
}

static int begin(void **state) {
    (void)state;
    arena = fp_arena_new();
    return arena ? 0 : -1;
}

static int end(void **state) {
    (void)state;
    fp_arena_free(arena);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(bytes_as_documented), cmocka_unit_test(changes_are_seen),
                                       cmocka_unit_test(bodies_at_random), cmocka_unit_test(texts)};
    return cmocka_run_group_tests(tests, begin, end);
}
