/* SPDX-License-Identifier: GPL-3.0-or-later
 * Character-level corruption: replacement, insertion, deletion and exchange, regardless of meaning. */
#include <string.h>
#include <unicode/uchar.h>

#include "corpora/corruption/rewrite.h"
#include "text/segmentation/pinyin.h"
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

/* Another character of the class, sampled by its frequency in the corpus; if there is none, Han by its frequency in
 * Chinese, letters uniformly. */
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

/* Replaces each chosen character with another of its class, or inserts one before it. */
static fp_status put_others(fp_rewrite *work, bool before, fp_error *error) {
    fp_text_parts all;
    FP_TRY(fp_text_parts_characters(work->text, work->arena, &all, error));
    for (size_t i = 0; i < all.count; i++) {
        fp_letter_class of = fp_letter_class_of(all.part[i].code);
        if (!of || !fp_rewrite_chosen(work)) continue;
        size_t begin = fp_rewrite_place(work, all.part[i].text), end = begin + all.part[i].text.length;
        fp_rewrite_change_code(work, begin, before ? begin : end, other_of(work, of, all.part[i].code));
    }
    return FP_OK;
}

fp_status fp_corrupt_substitute(fp_rewrite *work, fp_error *error) { return put_others(work, false, error); }
fp_status fp_corrupt_insert(fp_rewrite *work, fp_error *error) { return put_others(work, true, error); }

/* Extra spaces and line ends, invisible characters (no-break space, zero-width space, soft hyphen, byte order mark),
 * and fragments of HTML, Markdown and escapes. */
static const char *const NOISE[] = {" ",      "  ",     "\n",     "\r\n",   "\t",    "\u3000", "\u00a0",
                                    "\u200b", "\u00ad", "\ufeff", "&nbsp;", "<br/>", "</p>",   "<b>",
                                    "&#13;",  "\\n",    "**",     "| ",     "> ",    "\u25a0"};

/* Deletes each chosen character except white space, or inserts noise before it. */
static fp_status delete_or_insert(fp_rewrite *work, bool noise, fp_error *error) {
    fp_text_parts all;
    FP_TRY(fp_text_parts_characters(work->text, work->arena, &all, error));
    for (size_t i = 0; i < all.count; i++) {
        if (fp_is_blank(all.part[i].code) || !fp_rewrite_chosen(work)) continue;
        size_t begin = fp_rewrite_place(work, all.part[i].text), end = begin + all.part[i].text.length;
        const char *put = noise ? NOISE[fp_rewrite_below(work, sizeof NOISE / sizeof *NOISE)] : "";
        fp_rewrite_change(work, begin, noise ? begin : end, fp_string_of(put));
    }
    return FP_OK;
}

fp_status fp_corrupt_delete(fp_rewrite *work, fp_error *error) { return delete_or_insert(work, false, error); }
fp_status fp_corrupt_noise(fp_rewrite *work, fp_error *error) { return delete_or_insert(work, true, error); }

/* Skips both characters of an exchanged pair. */
fp_status fp_corrupt_transpose(fp_rewrite *work, fp_error *error) {
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

/* Replaces each chosen code point that has a replacement. `other` returns 0 if there is none. With `draw` false it may
 * return any non-zero value. */
static fp_status replace_codes(fp_rewrite *work, uint32_t (*other)(fp_rewrite *work, uint32_t code, bool draw)) {
    for (size_t at = 0, size; at < work->text.length; at += size) {
        uint32_t code;
        size = fp_utf8_decode(work->text.data + at, &code);
        if (other(work, code, false) && fp_rewrite_chosen(work))
            fp_rewrite_change_code(work, at, at + size, other(work, code, true));
    }
    return FP_OK;
}

static uint32_t digit_for(fp_rewrite *work, uint32_t code, bool draw) {
    if (!draw) return fp_letter_class_of(code) == FP_LETTER_DIGIT;
    return other_digit(work, code);
}

fp_status fp_corrupt_digits(fp_rewrite *work, fp_error *error) { return (void)error, replace_codes(work, digit_for); }

/* ---- Han characters confused with others that sound alike ---- */

/* Replaces characters of one word; initials[i] is the pinyin initial of its i-th Han character in this word. NULL:
 * unknown. */
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

/* A character without a reading gives no initial; the initials cannot then be matched to the characters. */
fp_status fp_corrupt_homophone(fp_rewrite *work, fp_error *error) {
    fp_tokens words = {0};
    if (!work->means->segmenter) {
        take_for_homophones(work, work->text, NULL);
        return FP_OK;
    }
    FP_TRY(fp_rewrite_cut(work, &words, error));
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

/* ---- … that look alike ---- */

static uint32_t lookalike_for(fp_rewrite *work, uint32_t code, bool draw) {
    return fp_draw_lookalike(code, work->script, draw ? fp_rewrite_draw(work) : 0);
}

fp_status fp_corrupt_lookalike(fp_rewrite *work, fp_error *error) {
    return (void)error, replace_codes(work, lookalike_for);
}

/* ---- Width ---- */

/* The same character in the other width; 0 if there is none. */
static uint32_t other_width(fp_rewrite *work, uint32_t code, bool draw) {
    static const uint32_t PAIRS[][2] = {{' ', 0x3000},    {0x3002, 0xff61}, {0x300c, 0xff62},
                                        {0x300d, 0xff63}, {0x3001, 0xff64}, {0xa2, 0xffe0},
                                        {0xa3, 0xffe1},   {0xa5, 0xffe5},   {0x20a9, 0xffe6}};
    (void)work, (void)draw;
    if (code - '!' <= '~' - '!') return code - '!' + 0xff01;
    if (code - 0xff01 <= 0xff5e - 0xff01) return code - 0xff01 + '!';
    for (size_t i = 0; i < sizeof PAIRS / sizeof *PAIRS; i++) {
        if (PAIRS[i][0] == code) return PAIRS[i][1];
        if (PAIRS[i][1] == code) return PAIRS[i][0];
    }
    return 0;
}

fp_status fp_corrupt_width(fp_rewrite *work, fp_error *error) { return (void)error, replace_codes(work, other_width); }

/* ---- Punctuation ---- */

/* A mark and its replacements, separated by spaces; any mark may also be deleted. Common slips and habits: half-width
 * marks, marks of the same rank (GB/T 15834-2011, section 4), quotation marks of the other script. */
static const struct {
    const char *mark, *instead;
} MARKS[] = {
    {"，", ", 、 ； 。"}, {"。", ". ， ； ！"}, {"、", "， , ·"},    {"；", "; ， 。"},   {"：", ": ， ——"},
    {"？", "? 。 ！"},    {"！", "! 。 ！！"},  {"“", "\" 「 『 ‘"}, {"”", "\" 」 』 ’"}, {"‘", "' 『 “"},
    {"’", "' 』 ”"},      {"「", "“ 『"},       {"」", "” 』"},      {"『", "‘ 「"},      {"』", "’ 」"},
    {"（", "( 【 ["},     {"）", ") 】 ]"},     {"《", "〈 <"},      {"》", "〉 >"},      {"…", "... 。"},
    {"—", "- ―"},         {"·", "・ •"},        {",", "， ;"},       {".", "。 ,"},       {";", "； ,"},
    {":", "： -"},        {"?", "？ ."},        {"!", "！ ."},       {"(", "（ ["},       {")", "） ]"},
    {"\"", "“ ” '"},      {"'", "’ \""},
};

/* The word at `place`, and the number of words. */
static size_t word_at(const char *words, size_t place, fp_string *word) {
    size_t count = 0;
    for (fp_string rest = fp_string_of(words), next; fp_next_field(&rest, ' ', &next); count++)
        if (count == place) *word = next;
    return count;
}

static const char *instead_of(fp_string mark) {
    for (size_t i = 0; i < sizeof MARKS / sizeof *MARKS; i++)
        if (fp_string_equal(mark, fp_string_of(MARKS[i].mark))) return MARKS[i].instead;
    return NULL;
}

static bool is_digit_at(fp_string text, size_t at) { return at < text.length && (unsigned)(text.data[at] - '0') < 10; }

fp_status fp_corrupt_punctuation(fp_rewrite *work, fp_error *error) {
    (void)error;
    for (size_t at = 0, size; at < work->text.length; at += size) {
        size = fp_utf8_size(work->text.data[at]);
        const char *instead = instead_of((fp_string){work->text.data + at, size});
        bool in_number = at && is_digit_at(work->text, at - 1) && is_digit_at(work->text, at + size);
        if (!instead || in_number || !fp_rewrite_chosen(work)) continue;
        fp_string to = {"", 0};
        size_t count = word_at(instead, SIZE_MAX, &to);
        word_at(instead, fp_rewrite_below(work, count + 1), &to);
        fp_rewrite_change(work, at, at + size, to);
    }
    return FP_OK;
}
