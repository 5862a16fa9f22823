/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text made visible: every code point against Unicode's own properties, as ICU has them, and every byte that is not
 * UTF-8.
 */
#include <unicode/uchar.h>

#include "text/unicode/utf8.h"
#include "text/unicode/visible.h"

#include "tests/support.h"

static const char *shown(const char *text, fp_arena *arena) {
    fp_string made = fp_visible(fp_string_of(text), arena);
    assert_non_null(made.data);
    assert_true(fp_utf8_check(made) == made.length);
    return fp_string_copy(arena, made);
}

/* Cc, and Bidi_Control: what Unicode itself names. */
static void code_points(void **state) {
    (void)state;
    for (uint32_t code = 1; code < 0x110000; code++) {
        if (code >= 0xd800 && code < 0xe000) continue;
        bool command =
            u_charType((UChar32)code) == U_CONTROL_CHAR || u_hasBinaryProperty((UChar32)code, UCHAR_BIDI_CONTROL);
        if (fp_is_control(code) != command) fail_msg("U+%04X", (unsigned)code);
        char plain[8], bytes[FP_VISIBLE_MOST];
        size_t taken, length = fp_utf8_encode(code, plain);
        size_t size = fp_visible_next((fp_string){plain, length}, &taken, bytes);
        assert_true(size > 0 && size < FP_VISIBLE_MOST && taken == length);
        if (!command) assert_true(size == length && memcmp(bytes, plain, size) == 0);
        for (size_t i = 0; command && i < size; i++) assert_true(bytes[i] >= ' ' && bytes[i] < 0x7f);
    }
}

static void texts(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    assert_string_equal(shown("\033[31mred\a", arena), "\\x1b[31mred\\x07");
    assert_string_equal(shown("a\tb\r\n", arena), "a\\tb\\r\\n");
    assert_string_equal(shown("\302\233"
                              "31m\342\200\256txt\342\201\251",
                              arena),
                        "\\u009b31m\\u202etxt\\u2069");
    assert_string_equal(shown("\377\344\275中\300\200\355\240\200é", arena),
                        "\\xff\\xe4\\xbd中\\xc0\\x80\\xed\\xa0\\x80é");
    fp_string plain = fp_string_of("中文 text – “quoted”");
    assert_ptr_equal(fp_visible(plain, arena).data, plain.data);
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(code_points), cmocka_unit_test(texts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
