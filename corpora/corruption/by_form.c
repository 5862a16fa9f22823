/* SPDX-License-Identifier: GPL-3.0-or-later
 * How text is set: width, marks, and what formats leave behind. */
#include <string.h>

#include "corpora/corruption/rewrite.h"
#include "corpora/corruption/text_parts.h"
#include "text/unicode/utf8.h"

/* ---- Width ---- */

/* The same character in the other width; 0 where there is none. */
static uint32_t other_width(uint32_t code) {
    static const uint32_t PAIRS[][2] = {{' ', 0x3000},    {0x3002, 0xff61}, {0x300c, 0xff62},
                                        {0x300d, 0xff63}, {0x3001, 0xff64}, {0xa2, 0xffe0},
                                        {0xa3, 0xffe1},   {0xa5, 0xffe5},   {0x20a9, 0xffe6}};
    if (code - '!' <= '~' - '!') return code - '!' + 0xff01;
    if (code - 0xff01 <= 0xff5e - 0xff01) return code - 0xff01 + '!';
    for (size_t i = 0; i < sizeof PAIRS / sizeof *PAIRS; i++) {
        if (PAIRS[i][0] == code) return PAIRS[i][1];
        if (PAIRS[i][1] == code) return PAIRS[i][0];
    }
    return 0;
}

static fp_status width(fp_rewrite *work, fp_error *error) {
    (void)error;
    for (size_t at = 0, size; at < work->text.length; at += size) {
        uint32_t code;
        size = fp_utf8_decode(work->text.data + at, &code);
        uint32_t other = other_width(code);
        if (other && fp_rewrite_chosen(work)) fp_rewrite_change_code(work, at, at + size, other);
    }
    return FP_OK;
}

/* ---- Marks ---- */

/* A mark, and what is written instead, separated by spaces; every mark is left out as well. Common slips and habits:
 * half-width marks, marks of the same rank (GB/T 15834-2011, section 4), quotation marks of the other script. */
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

/* The one of `count` words that stands at `place`, and how many there are. */
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

static fp_status punctuation(fp_rewrite *work, fp_error *error) {
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

/* ---- What formats leave behind ---- */

/* Spaces and line ends where none were, characters that nobody sees (no-break space, zero-width space, soft hyphen,
 * byte order mark), and remains of HTML, Markdown and escapes. */
static const char *const NOISE[] = {" ",      "  ",     "\n",     "\r\n",   "\t",    "\u3000", "\u00a0",
                                    "\u200b", "\u00ad", "\ufeff", "&nbsp;", "<br/>", "</p>",   "<b>",
                                    "&#13;",  "\\n",    "**",     "| ",     "> ",    "\u25a0"};

static fp_status noise(fp_rewrite *work, fp_error *error) {
    fp_text_parts all;
    FP_TRY(fp_text_parts_characters(work->text, work->arena, &all, error));
    for (size_t i = 0; i < all.count; i++) {
        if (fp_is_blank(all.part[i].code) || !fp_rewrite_chosen(work)) continue;
        size_t begin = fp_rewrite_place(work, all.part[i].text);
        const char *put = NOISE[fp_rewrite_below(work, sizeof NOISE / sizeof *NOISE)];
        fp_rewrite_change(work, begin, begin, fp_string_of(put));
    }
    return FP_OK;
}

const fp_corruption_kind fp_corruption_width = {
    .name = "width",
    .label = "width",
    .label_zh = "全角半角互换",
    .help = "writes half-width characters full-width, and the other way round",
    .unit = "characters that have a form of the other width",
    .source = "Unicode's block of half- and full-width forms",
    .apply = width,
};

const fp_corruption_kind fp_corruption_punctuation = {
    .name = "punctuation",
    .label = "punctuation",
    .label_zh = "改动标点",
    .help = "leaves a mark out, or puts another one in its place: its half-width form, one of its rank, one of another "
            "script",
    .unit = "punctuation marks but those between digits",
    .source = "a table of this project (corpora/corruption/by_form.c)",
    .apply = punctuation,
};

const fp_corruption_kind fp_corruption_noise = {
    .name = "noise",
    .label = "format noise",
    .label_zh = "格式噪声",
    .help = "puts remains of formats before a character: spaces, line ends, invisible characters, tags, escapes",
    .unit = "characters but white space, before which something may be put",
    .source = "a list of this project (corpora/corruption/by_form.c)",
    .apply = noise,
};
