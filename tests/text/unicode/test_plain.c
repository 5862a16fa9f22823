/* SPDX-License-Identifier: GPL-3.0-or-later
 * Runs of plain text in blocks, where the processor has them, against what has none: normalisation against ICU's
 * NFKC_Casefold, Han folding against itself behind a line that makes it rewrite character by character, and the place
 * of a spoilt byte. tests/algorithms/kernels/test_kernels.sh runs this at every level of the processor. */
#include <unicode/unorm2.h>
#include <unicode/ustring.h>

#include "text/unicode/han.h"
#include "text/unicode/normalise.h"
#include "text/unicode/utf8.h"
#include "tests/support.h"

enum { TEXTS = 20000, MOST_PIECES = 90, ROOM = 4096 };

/* What ends a run, what is in it, and what changes length; drawn with different odds from text to text. */
static const char *const RARE[] = {"\xC3\xA9",   "Ж",      "…",       "·",      "か",      "ハ",       "한",
                                   "\U00020000", "😀",      "e\u0301", "क",      "ﬁ",       "\uF900",   "㈠",
                                   "\u200D",     "\uFEFF", "ÿ",       "\uFFFD", "\uE000",  "Ａ\u0301", "｡",
                                   "～",         "｟",     "\uD7A3",  "\u1112", "가\u11A8"},
                         *const USUAL[] = {"著", "著名", "乾", "後", "裡", "发",     "「", "」", "“",
                                           "，", "。",   "！", "Ａ", "ｚ", "\u3000", " ",  "\n", "A",
                                           "z",  "Z",    "@",  "[",  "`",  "{",      "~",  "0"};

static size_t draw_text(uint64_t number, char *text) {
    size_t used = 0, pieces = (size_t)(fp_mix(number, 0) % MOST_PIECES), rare = 2 + (size_t)(fp_mix(number, 1) % 60);
    for (size_t i = 0; i < pieces; i++) {
        uint64_t random = fp_mix(number, 2 + i), choice = random >> 32;
        const char *piece = NULL;
        if (random % rare == 0) piece = RARE[choice % (sizeof RARE / sizeof *RARE)];
        else if (random % 3 == 0) piece = USUAL[choice % (sizeof USUAL / sizeof *USUAL)];
        if (piece) used += (size_t)sprintf(text + used, "%s", piece);
        else used += fp_utf8_encode(0x4e00 + (uint32_t)(choice % 0x51a0), text + used);
    }
    return used;
}

static fp_string by_icu(fp_string text, fp_arena *arena) {
    UErrorCode status = U_ZERO_ERROR;
    UChar *units = fp_arena_raw(arena, ROOM, sizeof *units), *normal = fp_arena_raw(arena, ROOM, sizeof *normal);
    char *bytes = fp_arena_raw(arena, ROOM, 1);
    int32_t length;
    u_strFromUTF8(units, ROOM, &length, text.data, (int32_t)text.length, &status);
    length = unorm2_normalize(unorm2_getNFKCCasefoldInstance(&status), units, length, normal, ROOM, &status);
    u_strToUTF8(bytes, ROOM, &length, normal, length, &status);
    assert_true(U_SUCCESS(status));
    return (fp_string){bytes, (size_t)length};
}

static void assert_equal_text(uint64_t number, const char *what, fp_string found, fp_string expected) {
    if (!fp_string_equal(found, expected))
        fail_msg("text %u, %s: \"%.*s\", not \"%.*s\"", (unsigned)number, what, (int)found.length, found.data,
                 (int)expected.length, expected.data);
}

static void blocks_normalise_and_fold_as_characters_do(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    for (uint64_t number = 0; number < TEXTS; number++) {
        char text[ROOM + 8] = "東\n";
        fp_arena_reset(arena);
        fp_string raw = {text + 4, draw_text(number, text + 4)}, kept, folded, behind;
        /* What stands behind a text is not read. */
        memset(text + 4 + raw.length, 0x80, 4);
        ASSERT_GOOD(fp_normalise(raw, FP_HAN_KEEP, arena, &kept, &test_error));
        assert_equal_text(number, "normalised", kept, by_icu(raw, arena));
        ASSERT_GOOD(fp_normalise(raw, FP_HAN_SIMPLIFIED, arena, &folded, &test_error));
        raw = (fp_string){text, raw.length + 4};
        ASSERT_GOOD(fp_normalise(raw, FP_HAN_SIMPLIFIED, arena, &behind, &test_error));
        /* A mark that composes with nothing may stand first. */
        assert_true(behind.length >= 4 && memcmp(behind.data, "东\n", 4) == 0);
        assert_equal_text(number, "folded", folded, (fp_string){behind.data + 4, behind.length - 4});
    }
    fp_arena_free(arena);
}

static void the_first_bad_byte_is_named(void **state) {
    (void)state;
    fp_arena *arena = fp_arena_new();
    size_t refused = 0;
    for (uint64_t number = 0; number < TEXTS; number++) {
        char text[ROOM];
        fp_arena_reset(arena);
        fp_string raw = {text, draw_text(number, text)}, normal;
        if (!raw.length) continue;
        text[fp_mix(number, 1000) % raw.length] = (char)fp_mix(number, 1001);
        const unsigned char *bytes = (const unsigned char *)raw.data;
        size_t valid = fp_utf8_check(raw), at = 0;
        /* Unicode 15, table 3-7, by ICU's macro. */
        for (UChar32 code; at < raw.length;) {
            size_t next = at;
            U8_NEXT(bytes, next, raw.length, code);
            if (code < 0) break;
            at = next;
        }
        assert_int_equal(valid, at);
        fp_status status = fp_normalise(raw, FP_HAN_SIMPLIFIED, arena, &normal, &test_error);
        assert_int_equal(status, valid < raw.length ? FP_ERROR_ENCODING : FP_OK);
        if (status != FP_OK) refused++, assert_int_equal(test_error.byte, valid);
    }
    assert_true(refused > TEXTS / 4);
    fp_arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_normalise_and_fold_as_characters_do),
        cmocka_unit_test(the_first_bad_byte_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
