/* SPDX-License-Identifier: GPL-3.0-or-later
 * Characters replaced, added, left out and exchanged without regard to what they say. */
#include <unicode/uchar.h>

#include "corpora/corruption/rewrite.h"
#include "corpora/corruption/text_parts.h"
#include "text/unicode/utf8.h"
#include "text/unicode/words.h"

static fp_string alphabet(fp_letter_class of) {
    return fp_string_of(of == FP_LETTER_UPPER ? "ABCDEFGHIJKLMNOPQRSTUVWXYZ" : "abcdefghijklmnopqrstuvwxyz");
}

/* Another digit of the same script. */
static uint32_t other_digit(fp_rewrite *work, uint32_t code) {
    uint32_t value = (uint32_t)u_charDigitValue((UChar32)code), other = (uint32_t)fp_rewrite_below(work, 9);
    return code - value + other + (other >= value);
}

/* Another character of the class: as often as it stands in the corpus; without one, Han as in Chinese, letters evenly.
 */
static uint32_t other_of(fp_rewrite *work, fp_letter_class of, uint32_t code) {
    uint32_t drawn = 0;
    if (of == FP_LETTER_DIGIT) return other_digit(work, code);
    if (work->means->counts) drawn = fp_character_counts_draw(work->means->counts, of, code, fp_rewrite_draw(work));
    if (drawn) return drawn;
    if (of == FP_LETTER_HAN) return fp_draw_character(code, work->script, fp_rewrite_draw(work));
    fp_string letters = alphabet(of);
    size_t i = fp_rewrite_below(work, 25);
    return (uint32_t)letters.data[i] < code ? (uint32_t)letters.data[i] : (uint32_t)letters.data[i + 1];
}

static fp_status substitute(fp_rewrite *work, fp_error *error) {
    fp_text_parts all;
    FP_TRY(fp_text_parts_characters(work->text, work->arena, &all, error));
    for (size_t i = 0; i < all.count; i++) {
        fp_letter_class of = fp_letter_class_of(all.part[i].code);
        if (!of || !fp_rewrite_chosen(work)) continue;
        size_t begin = fp_rewrite_place(work, all.part[i].text);
        fp_rewrite_change_code(work, begin, begin + all.part[i].text.length, other_of(work, of, all.part[i].code));
    }
    return FP_OK;
}

static fp_status insert(fp_rewrite *work, fp_error *error) {
    fp_text_parts all;
    FP_TRY(fp_text_parts_characters(work->text, work->arena, &all, error));
    for (size_t i = 0; i < all.count; i++) {
        fp_letter_class of = fp_letter_class_of(all.part[i].code);
        if (!of || !fp_rewrite_chosen(work)) continue;
        size_t begin = fp_rewrite_place(work, all.part[i].text);
        fp_rewrite_change_code(work, begin, begin, other_of(work, of, all.part[i].code));
    }
    return FP_OK;
}

static fp_status delete_some(fp_rewrite *work, fp_error *error) {
    fp_text_parts all;
    FP_TRY(fp_text_parts_characters(work->text, work->arena, &all, error));
    for (size_t i = 0; i < all.count; i++) {
        if (fp_is_blank(all.part[i].code) || !fp_rewrite_chosen(work)) continue;
        size_t begin = fp_rewrite_place(work, all.part[i].text);
        fp_rewrite_change(work, begin, begin + all.part[i].text.length, (fp_string){"", 0});
    }
    return FP_OK;
}

/* An exchanged pair is passed over whole. */
static fp_status transpose(fp_rewrite *work, fp_error *error) {
    fp_text_parts all;
    FP_TRY(fp_text_parts_characters(work->text, work->arena, &all, error));
    for (size_t i = 0; i + 1 < all.count; i++) {
        fp_string one = all.part[i].text, next = all.part[i + 1].text;
        if (!fp_is_wordy(all.part[i].code) || !fp_is_wordy(all.part[i + 1].code) || fp_string_equal(one, next))
            continue;
        if (!fp_rewrite_chosen(work)) continue;
        fp_rewrite_swap(work, one, next);
        i++;
    }
    return FP_OK;
}

static fp_status digits(fp_rewrite *work, fp_error *error) {
    (void)error;
    for (size_t at = 0, size; at < work->text.length; at += size) {
        uint32_t code;
        size = fp_utf8_decode(work->text.data + at, &code);
        if (fp_letter_class_of(code) != FP_LETTER_DIGIT || !fp_rewrite_chosen(work)) continue;
        fp_rewrite_change_code(work, at, at + size, other_digit(work, code));
    }
    return FP_OK;
}

#define FREQUENCIES                                                                                                \
    "how often characters stand in the corpus itself; where it has no other one, the word frequencies of jieba's " \
    "dictionary (python3-jieba)"

const fp_corruption_kind fp_corruption_substitute = {
    .name = "substitute",
    .label = "substituted",
    .label_zh = "替换字符",
    .help = "puts another character in the place of one: Han for Han, letter for letter, digit for digit",
    .unit = "Han characters, Latin letters and digits",
    .source = FREQUENCIES,
    .apply = substitute,
};

const fp_corruption_kind fp_corruption_insert = {
    .name = "insert",
    .label = "inserted",
    .label_zh = "插入字符",
    .help = "puts a character before one, of the same class",
    .unit = "Han characters, Latin letters and digits, before which one may be put",
    .source = FREQUENCIES,
    .apply = insert,
};

const fp_corruption_kind fp_corruption_delete = {
    .name = "delete",
    .label = "deleted",
    .label_zh = "删除字符",
    .help = "leaves characters out",
    .unit = "characters but white space",
    .apply = delete_some,
};

const fp_corruption_kind fp_corruption_transpose = {
    .name = "transpose",
    .label = "transposed",
    .label_zh = "相邻字符对调",
    .help = "exchanges two neighbouring letters, digits or Han characters",
    .unit = "neighbouring pairs that differ, from left to right, each character in one exchange at most",
    .apply = transpose,
};

const fp_corruption_kind fp_corruption_digits = {
    .name = "digits",
    .label = "digits changed",
    .label_zh = "改动数字",
    .help = "puts another digit in the place of one",
    .unit = "decimal digits",
    .apply = digits,
};
