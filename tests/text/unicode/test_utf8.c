/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * UTF-8 against ICU's macros (an independent implementation of Unicode's table 3-7): every sequence of up to three
 * bytes, the edges of every four-byte row, and one broken byte at each place of texts of every length up to 40, so that
 * each short cut meets it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unicode/utf8.h>

#include "text/unicode/utf8.h"

/* The offset of the first byte that ICU does not accept. */
static size_t icu_check(const char *text, size_t length) {
    const uint8_t *byte = (const uint8_t *)text;
    for (size_t at = 0, start = 0; at < length; start = at) {
        UChar32 code;
        U8_NEXT(byte, at, length, code);
        if (code < 0) return start;
    }
    return length;
}

static void check(const char *text, size_t length) {
    size_t mine = fp_utf8_check((fp_string){text, length}), theirs = icu_check(text, length);
    if (mine == theirs) return;
    print_error("at %zu of %zu, ICU %zu:", mine, length, theirs);
    for (size_t i = 0; i < length; i++) print_error(" %02x", (unsigned char)text[i]);
    fail_msg("different offsets");
}

static void every_short_sequence(void **state) {
    (void)state;
    char text[3];
    for (unsigned value = 0; value < 1u << 24; value++) {
        for (size_t i = 0; i < 3; i++) text[i] = (char)(value >> (16 - 8 * i));
        check(text, 3);
        if (!(value & 0xff)) check(text, 2);
        if (!(value & 0xffff)) check(text, 1);
    }
}

static void edges_of_four_bytes(void **state) {
    (void)state;
    static const unsigned char EDGES[] = {0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff};
    enum { COUNT = sizeof EDGES };
    for (unsigned lead = 0xe0; lead < 0x100; lead++) {
        for (size_t i = 0; i < COUNT * COUNT * COUNT; i++) {
            char text[4] = {(char)lead, (char)EDGES[i % COUNT], (char)EDGES[i / COUNT % COUNT],
                            (char)EDGES[i / COUNT / COUNT]};
            check(text, 4);
        }
    }
}

/* Cuts and breaks of texts that take the short cuts; each text ends where its allocation ends, so that a sanitizer sees
 * a read beyond it. */
static void broken_at_each_place(void **state) {
    (void)state;
    static const char *const PARTS[] = {"中",           "a", "\xed\x9f\xbf", "\xf0\x9f\x98\x80",
                                        "\xe0\xa0\x80", "é", "\xee\x80\x80", "word and ",
                                        "中文文本去重"};
    static const unsigned char BREAKS[] = {0x80, 0xc0, 0xe0, 0xed, 0xf4, 0xff, 0x41, 0x00};
    enum { COUNT = sizeof PARTS / sizeof *PARTS };
    for (size_t first = 0; first < COUNT * COUNT; first++) {
        char whole[256];
        size_t length = 0;
        for (size_t k = 0; length < 40; k++) {
            const char *part = PARTS[k % 2 ? first / COUNT : first % COUNT];
            memcpy(whole + length, part, strlen(part));
            length += strlen(part);
        }
        for (size_t cut = 0; cut <= length; cut++) {
            char *text = malloc(cut ? cut : 1);
            memcpy(text, whole, cut);
            check(text, cut);
            for (size_t at = 0; at < cut; at++) {
                for (size_t b = 0; b < sizeof BREAKS; b++) {
                    text[at] = (char)BREAKS[b];
                    check(text, cut);
                }
                text[at] = whole[at];
            }
            free(text);
        }
    }
}

static void every_scalar_value(void **state) {
    (void)state;
    size_t count = 0, length = 0;
    char *all = malloc(0x110000 * 4);
    for (uint32_t code = 0; code < 0x110000; code++) {
        if (code >= 0xd800 && code < 0xe000) continue;
        char mine[4];
        uint8_t theirs[4];
        size_t expected = 0;
        U8_APPEND_UNSAFE(theirs, expected, code);
        size_t size = fp_utf8_encode(code, mine);
        assert_int_equal(size, expected);
        assert_memory_equal(mine, theirs, size);
        uint32_t back;
        assert_int_equal(fp_utf8_decode(mine, &back), size);
        assert_int_equal(back, code);
        assert_int_equal(fp_utf8_size(mine[0]), size);
        memcpy(all + length, mine, size);
        length += size;
        count++;
    }
    assert_int_equal(fp_utf8_check((fp_string){all, length}), length);
    assert_int_equal(fp_utf8_count((fp_string){all, length}), count);
    free(all);
}

static void nothing(void **state) {
    (void)state;
    assert_int_equal(fp_utf8_check((fp_string){NULL, 0}), 0);
    assert_int_equal(fp_utf8_count((fp_string){NULL, 0}), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_short_sequence), cmocka_unit_test(edges_of_four_bytes),
                                       cmocka_unit_test(broken_at_each_place), cmocka_unit_test(every_scalar_value),
                                       cmocka_unit_test(nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
