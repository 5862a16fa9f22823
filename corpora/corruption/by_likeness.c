/* SPDX-License-Identifier: GPL-3.0-or-later
 * Han characters taken for others that sound or look alike. */
#include "corpora/corruption/rewrite.h"
#include "text/segmentation/pinyin.h"
#include "text/unicode/utf8.h"

/* ---- Sound ---- */

/* Replaces characters of one word; initials[i] is that of its i-th Han character as it is read there. NULL: not known.
 */
static void take_for_homophones(fp_rewrite *work, fp_string word, const char *initials) {
    for (size_t at = 0, size, han = 0; at < word.length; at += size) {
        uint32_t code;
        size = fp_utf8_decode(word.data + at, &code);
        if (fp_letter_class_of(code) != FP_LETTER_HAN) continue;
        char initial = initials ? initials[han] : 0;
        han++;
        if (!fp_draw_homophone(code, initial, work->script, 0) || !fp_rewrite_chosen(work)) continue;
        size_t begin = fp_rewrite_place(work, word) + at;
        fp_rewrite_change_code(work, begin, begin + size,
                               fp_draw_homophone(code, initial, work->script, fp_rewrite_draw(work)));
    }
}

static size_t count_han(fp_string word) {
    size_t count = 0;
    for (size_t at = 0; at < word.length;) {
        uint32_t code;
        at += fp_utf8_decode(word.data + at, &code);
        count += fp_letter_class_of(code) == FP_LETTER_HAN;
    }
    return count;
}

/* A character without a reading leaves no initial: then it is not known whose the others are. */
static fp_status homophone(fp_rewrite *work, fp_error *error) {
    fp_tokens words = {0};
    if (!work->means->segmenter) {
        take_for_homophones(work, work->text, NULL);
        return FP_OK;
    }
    FP_TRY(fp_rewrite_cut(work, work->text, &words, error));
    for (size_t i = 0; i < words.count; i++) {
        fp_token token = words.token[i];
        fp_string word = {work->text.data + token.begin, token.end - token.begin}, initials;
        size_t han = count_han(word);
        if (!han) continue;
        fp_token whole = {0, (uint32_t)word.length};
        FP_TRY(fp_pinyin_initials(word, (fp_tokens){&whole, 1}, work->arena, &initials, error));
        take_for_homophones(work, word, initials.length == han ? initials.data : NULL);
    }
    return FP_OK;
}

/* ---- Look ---- */

static fp_status lookalike(fp_rewrite *work, fp_error *error) {
    (void)error;
    for (size_t at = 0, size; at < work->text.length; at += size) {
        uint32_t code;
        size = fp_utf8_decode(work->text.data + at, &code);
        if (!fp_draw_lookalike(code, work->script, 0) || !fp_rewrite_chosen(work)) continue;
        fp_rewrite_change_code(work, at, at + size, fp_draw_lookalike(code, work->script, fp_rewrite_draw(work)));
    }
    return FP_OK;
}

const fp_corruption_kind fp_corruption_homophone = {
    .name = "homophone",
    .label = "homophones",
    .label_zh = "同音字",
    .help = "puts a character of the same toneless pinyin in the place of one, frequent ones first, as input methods "
            "let it happen; a character of several readings is read as in its word",
    .unit = "Han characters that have a homophone in their script",
    .source = "the weights of Rime's simplified pinyin dictionary (rime-data-pinyin-simp)",
    .needs = FP_NEEDS_HAN,
    .apply = homophone,
};

const fp_corruption_kind fp_corruption_lookalike = {
    .name = "lookalike",
    .label = "look-alikes",
    .label_zh = "形近字",
    .help = "puts a character of similar shape in the place of one, frequent ones first: by Cangjie code, four corners "
            "and strokes",
    .unit = "Han characters that have a look-alike in their script",
    .source = "Unihan's kCangjie, kFourCornerCode, kTotalStrokes and kSpoofingVariant (unicode-data)",
    .needs = FP_NEEDS_HAN,
    .apply = lookalike,
};
