/* SPDX-License-Identifier: GPL-3.0-or-later
 * The views. */
#include "text/features/text_views.h"

#include <stdlib.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include "base/bytes.h"
#include "text/features/sentences.h"
#include "text/segmentation/jieba.h"
#include "text/unicode/han_digits.h"
#include "text/unicode/utf8.h"
#include "text/unicode/words.h"

extern const fp_segmenter fp_segmenter_jieba;

struct fp_views {
    const fp_jieba *jieba;
};

fp_status fp_views_open(fp_arena *arena, const fp_views **views, fp_error *error) {
    const fp_segment_options options = {.hmm = true, .userdict = "none"};
    const void *state;
    fp_views *made = fp_arena_alloc(arena, 1, sizeof *made);
    if (!made) return fp_no_memory(error);
    FP_TRY(fp_segmenter_jieba.open(&options, arena, &state, error));
    made->jieba = state;
    *views = made;
    return FP_OK;
}

/* ---- What is seen ---- */

size_t fp_visible_characters(fp_string text) {
    size_t count = 0;
    for (const char *at = text.data, *end = at + text.length; at < end;) {
        uint32_t code;
        at += fp_utf8_decode(at, &code);
        count += !u_isUWhiteSpace((UChar32)code);
    }
    return count;
}

/* Things in the order of the text. */
typedef struct looking {
    uint64_t *hash;
    size_t count;
    size_t characters;
} looking;

static bool open_looking(looking *at, size_t most, fp_arena *arena) {
    *at = (looking){.hash = fp_arena_raw(arena, most, sizeof *at->hash)};
    return at->hash != NULL;
}

static void see(looking *at, const char *begin, const char *end) {
    at->hash[at->count++] = fp_xxh3(begin, (size_t)(end - begin), 0);
    at->characters += fp_utf8_count((fp_string){begin, (size_t)(end - begin)});
}

static fp_status gather(looking *at, fp_arena *arena, fp_sight *sight, fp_error *error) {
    fp_seen *seen = fp_arena_raw(arena, at->count, sizeof *seen);
    if (!seen) return fp_no_memory(error);
    *sight = (fp_sight){.seen = seen, .characters = at->characters};
    if (at->count) qsort(at->hash, at->count, sizeof *at->hash, fp_ascending_u64);
    for (size_t i = 0; i < at->count; i++) {
        if (i && at->hash[i] == at->hash[i - 1]) seen[sight->count - 1].count++;
        else seen[sight->count++] = (fp_seen){at->hash[i], 1};
    }
    return FP_OK;
}

double fp_sight_distance(fp_sight a, fp_sight b) {
    uint64_t common = 0, sum = 0;
    for (size_t i = 0; i < a.count; i++) sum += a.seen[i].count;
    for (size_t i = 0; i < b.count; i++) sum += b.seen[i].count;
    for (size_t i = 0, k = 0; i < a.count && k < b.count;) {
        if (a.seen[i].hash != b.seen[k].hash) {
            if (a.seen[i].hash < b.seen[k].hash) i++;
            else k++;
            continue;
        }
        uint32_t one = a.seen[i++].count, other = b.seen[k++].count;
        common += one < other ? one : other;
    }
    return a.count && b.count ? 1 - (double)common / (double)(sum - common) : 1;
}

/* ---- Classes of characters ---- */

static bool is_digit(uint32_t code) { return u_isdigit((UChar32)code); }
static bool is_punctuation(uint32_t code) { return u_ispunct((UChar32)code); }
static bool is_latin(uint32_t code) {
    UErrorCode failed = U_ZERO_ERROR;
    return u_isalpha((UChar32)code) && uscript_getScript((UChar32)code, &failed) == USCRIPT_LATIN;
}

/* Maximal runs of a class of `shortest` characters or more, or with `shortest` = 0 its characters one by one. */
static void see_runs(looking *at, fp_string text, bool (*is_of)(uint32_t code), size_t shortest) {
    const char *end = text.data + text.length, *begin = text.data;
    size_t length = 0;
    for (const char *next = text.data; next < end;) {
        uint32_t code;
        const char *here = next;
        next += fp_utf8_decode(here, &code);
        bool is = is_of(code);
        if (is && !length++) begin = here;
        if (length && (!shortest || !is || next == end) && length >= shortest) see(at, begin, is ? next : here);
        if (!shortest || !is) length = 0;
    }
}

static fp_status see_class(fp_string text, bool (*is_of)(uint32_t code), bool runs, fp_arena *arena, fp_sight *sight,
                           fp_error *error) {
    looking at;
    if (!open_looking(&at, text.length, arena)) return fp_no_memory(error);
    see_runs(&at, text, is_of, runs);
    return gather(&at, arena, sight, error);
}

/* Of Chinese digits two or more: 一 alone is a word. */
static fp_status see_digits(const fp_views *views, fp_string text, fp_arena *arena, fp_sight *sight, fp_error *error) {
    (void)views;
    looking at;
    if (!open_looking(&at, text.length, arena)) return fp_no_memory(error);
    see_runs(&at, text, is_digit, 1);
    see_runs(&at, text, fp_is_han_digit, 2);
    return gather(&at, arena, sight, error);
}

static fp_status see_latin(const fp_views *views, fp_string text, fp_arena *arena, fp_sight *sight, fp_error *error) {
    (void)views;
    return see_class(text, is_latin, true, arena, sight, error);
}

static fp_status see_punctuation(const fp_views *views, fp_string text, fp_arena *arena, fp_sight *sight,
                                 fp_error *error) {
    (void)views;
    return see_class(text, is_punctuation, false, arena, sight, error);
}

/* ---- Names ---- */

/* The commonest of China, simplified. */
static const char SURNAMES[] =
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕"
    "丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦傅方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武"
    "戴莫孔向汤萧";

enum { SHORTEST_NAME = 2, LONGEST_NAME = 3, OFTEN = 100 };

static bool is_surname(uint32_t code) {
    for (const char *at = SURNAMES; *at;) {
        uint32_t surname;
        at += fp_utf8_decode(at, &surname);
        if (surname == code) return true;
    }
    return false;
}

static bool is_name(const fp_jieba *jieba, fp_string word) {
    uint32_t symbols[LONGEST_NAME], code;
    size_t count = 0;
    uint64_t frequency = 0;
    for (const char *at = word.data, *end = at + word.length; at < end; count++) {
        at += fp_utf8_decode(at, &code);
        if (count == LONGEST_NAME || !u_hasBinaryProperty((UChar32)code, UCHAR_IDEOGRAPHIC)) return false;
        if (count == 0 && !is_surname(code)) return false;
        symbols[count] = fp_jieba_symbol(jieba, code);
    }
    if (count < SHORTEST_NAME) return false;
    return !fp_jieba_frequency(jieba, symbols, count, &frequency) || frequency <= OFTEN;
}

static fp_status see_names(const fp_views *views, fp_string text, fp_arena *arena, fp_sight *sight, fp_error *error) {
    looking at;
    fp_tokens tokens;
    FP_TRY(fp_segmenter_jieba.cut(views->jieba, text, arena, &tokens, error));
    if (!open_looking(&at, tokens.count, arena)) return fp_no_memory(error);
    for (size_t i = 0; i < tokens.count; i++) {
        const char *begin = text.data + tokens.token[i].begin, *end = text.data + tokens.token[i].end;
        if (is_name(views->jieba, (fp_string){begin, (size_t)(end - begin)})) see(&at, begin, end);
    }
    return gather(&at, arena, sight, error);
}

/* ---- Length and places ---- */

static fp_status see_length(const fp_views *views, fp_string text, fp_arena *arena, fp_sight *sight, fp_error *error) {
    (void)views;
    fp_seen *seen = fp_arena_raw(arena, 1, sizeof *seen);
    if (!seen) return fp_no_memory(error);
    *seen = (fp_seen){0, (uint32_t)fp_utf8_count(text)};
    *sight = (fp_sight){.seen = seen, .count = seen->count > 0};
    return FP_OK;
}

/* Every two characters after each other. */
static fp_status see_characters(fp_string text, fp_arena *arena, fp_sight *sight, fp_error *error) {
    looking at;
    const char *end = text.data + text.length;
    if (!open_looking(&at, text.length, arena)) return fp_no_memory(error);
    for (const char *here = text.data; here < end; here += fp_utf8_size(*here)) {
        const char *second = here + fp_utf8_size(*here);
        if (second < end) see(&at, here, second + fp_utf8_size(*second));
    }
    at.characters = fp_visible_characters(text);
    return gather(&at, arena, sight, error);
}

/* The first or the last of several. */
static fp_status see_sentence(fp_string text, bool last, fp_arena *arena, fp_sight *sight, fp_error *error) {
    fp_sentence_scan scan = fp_sentence_scan_of(text, false);
    fp_string sentence, chosen = {"", 0};
    size_t count = 0;
    while (fp_sentence_next(&scan, &sentence)) {
        if (!fp_has_word(sentence.data, sentence.length)) continue;
        if (count++ == 0 || last) chosen = sentence;
    }
    return see_characters(count > 1 ? chosen : (fp_string){"", 0}, arena, sight, error);
}

static fp_status see_first(const fp_views *views, fp_string text, fp_arena *arena, fp_sight *sight, fp_error *error) {
    (void)views;
    return see_sentence(text, false, arena, sight, error);
}

static fp_status see_last(const fp_views *views, fp_string text, fp_arena *arena, fp_sight *sight, fp_error *error) {
    (void)views;
    return see_sentence(text, true, arena, sight, error);
}

static fp_status see_title(const fp_views *views, fp_string text, fp_arena *arena, fp_sight *sight, fp_error *error) {
    (void)views;
    fp_string line, first = {"", 0};
    size_t count = 0;
    while (fp_next_line(&text, &line)) {
        if (!fp_has_word(line.data, line.length)) continue;
        if (count++ == 0) first = line;
    }
    return see_characters(count > 1 ? first : (fp_string){"", 0}, arena, sight, error);
}

const fp_text_view fp_text_views[FP_VIEWS] = {
    {"digits", "runs of decimal digits, and of two or more Chinese ones", see_digits},
    {"latin words", "words of Latin letters", see_latin},
    {"punctuation", "signs of punctuation", see_punctuation},
    {"names", "surname and one or two characters", see_names},
    {"length", "the number of characters", see_length},
    {"first sentence", "of texts of two sentences or more", see_first},
    {"last sentence", "of texts of two sentences or more", see_last},
    {"title line", "the first of two lines or more", see_title},
};
