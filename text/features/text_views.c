/* SPDX-License-Identifier: GPL-3.0-or-later
 * Views and form of a text. */
#include "text/features/text_views.h"

#include <stdlib.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include "text/features/sentences.h"
#include "text/segmentation/jieba.h"
#include "text/unicode/han_digits.h"
#include "text/unicode/utf8.h"
#include "text/unicode/words.h"

extern const fp_segmenter fp_segmenter_jieba;

fp_status fp_views_open(fp_arena *arena, const fp_views **views, fp_error *error) {
    const fp_segment_options options = {.hmm = true, .userdict = "none"};
    const void *state;
    FP_TRY(fp_segmenter_jieba.open(&options, arena, &state, error));
    *views = state;
    return FP_OK;
}

/* ---- Sights ---- */

size_t fp_visible_characters(fp_string text) {
    size_t count = 0;
    for (const char *at = text.data, *end = at + text.length; at < end;) {
        uint32_t code;
        at += fp_utf8_decode(at, &code);
        count += !u_isUWhiteSpace((UChar32)code);
    }
    return count;
}

/* Hashes of the seen items, in text order. */
typedef struct looking {
    uint64_t *hash;
    size_t count;
    size_t characters;
} looking;

static fp_status open_looking(looking *at, size_t most, fp_arena *arena, fp_error *error) {
    *at = (looking){.hash = FP_NEED(fp_arena_raw(arena, most, sizeof *at->hash), error)};
    return FP_OK;
}

static void see(looking *at, const char *begin, const char *end) {
    at->hash[at->count++] = fp_xxh3(begin, (size_t)(end - begin), 0);
    at->characters += fp_utf8_count((fp_string){begin, (size_t)(end - begin)});
}

static fp_status gather(looking *at, fp_arena *arena, fp_sight *sight, fp_error *error) {
    fp_seen *seen = FP_NEED(fp_arena_raw(arena, at->count, sizeof *seen), error);
    *sight = (fp_sight){.seen = seen, .characters = at->characters};
    if (at->count) qsort(at->hash, at->count, sizeof *at->hash, fp_ascending_u64);
    for (size_t i = 0; i < at->count; i++) {
        if (i && at->hash[i] == at->hash[i - 1]) seen[sight->count - 1].count++;
        else seen[sight->count++] = (fp_seen){at->hash[i], 1};
    }
    return FP_OK;
}

fp_sight fp_sight_copy(fp_sight sight, fp_arena *arena) {
    fp_seen *own = fp_arena_raw(arena, sight.count, sizeof *own);
    for (size_t i = 0; own && i < sight.count; i++) own[i] = sight.seen[i];
    return (fp_sight){own, sight.count, sight.characters};
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

/* Maximal runs of at least `shortest` characters of a class, or with `shortest` = 0 its individual characters. */
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

/* ---- Names ---- */

/* The most common surnames of China, simplified. */
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

static fp_status see_names(looking *at, const fp_jieba *jieba, fp_string text, fp_arena *arena, fp_error *error) {
    fp_tokens tokens;
    FP_TRY(fp_segmenter_jieba.cut(jieba, text, arena, &tokens, error));
    for (size_t i = 0; i < tokens.count; i++) {
        const char *begin = text.data + tokens.token[i].begin, *end = text.data + tokens.token[i].end;
        if (is_name(jieba, (fp_string){begin, (size_t)(end - begin)})) see(at, begin, end);
    }
    return FP_OK;
}

/* ---- Length and positions ---- */

static fp_status see_length(fp_string text, fp_arena *arena, fp_sight *sight, fp_error *error) {
    fp_seen *seen = FP_NEED(fp_arena_raw(arena, 1, sizeof *seen), error);
    *seen = (fp_seen){0, (uint32_t)fp_utf8_count(text)};
    *sight = (fp_sight){.seen = seen, .count = seen->count > 0};
    return FP_OK;
}

static void see_bigrams(looking *at, fp_string text) {
    const char *end = text.data + text.length;
    for (const char *here = text.data; here < end; here += fp_utf8_size(*here)) {
        const char *second = here + fp_utf8_size(*here);
        if (second < end) see(at, here, second + fp_utf8_size(*second));
    }
    at->characters = fp_visible_characters(text);
}

/* The first or the last sentence with a word; empty if there are not at least two. */
static fp_string sentence_of(fp_string text, bool last) {
    fp_sentence_scan scan = fp_sentence_scan_of(text, false);
    fp_string sentence, chosen = {"", 0};
    size_t count = 0;
    while (fp_sentence_next(&scan, &sentence)) {
        if (!fp_has_word(sentence.data, sentence.length)) continue;
        if (count++ == 0 || last) chosen = sentence;
    }
    return count > 1 ? chosen : (fp_string){"", 0};
}

/* The first line with a word; empty if there are not at least two. */
static fp_string title_of(fp_string text) {
    fp_string line, first = {"", 0};
    size_t count = 0;
    while (fp_next_line(&text, &line)) {
        if (!fp_has_word(line.data, line.length)) continue;
        if (count++ == 0) first = line;
    }
    return count > 1 ? first : (fp_string){"", 0};
}

/* ---- Views ---- */

const fp_text_view fp_text_views[FP_VIEWS] = {
    [FP_VIEW_DIGITS] = {"digits", "runs of decimal digits, and of two or more Chinese ones"},
    [FP_VIEW_LATIN] = {"latin words", "words of Latin letters"},
    [FP_VIEW_PUNCTUATION] = {"punctuation", "signs of punctuation"},
    [FP_VIEW_NAMES] = {"names", "surname and one or two characters"},
    [FP_VIEW_LENGTH] = {"length", "the number of characters"},
    [FP_VIEW_FIRST] = {"first sentence", "of texts of two sentences or more"},
    [FP_VIEW_LAST] = {"last sentence", "of texts of two sentences or more"},
    [FP_VIEW_TITLE] = {"title line", "the first of two lines or more"},
};

fp_status fp_text_view_look(const fp_views *views, size_t view, fp_string text, fp_arena *arena, fp_sight *sight,
                            fp_error *error) {
    looking at;
    FP_TRY(open_looking(&at, text.length, arena, error));
    switch (view) {
    case FP_VIEW_DIGITS: /* Chinese digits count only in runs of two or more: 一 alone is a word */
        see_runs(&at, text, is_digit, 1);
        see_runs(&at, text, fp_is_han_digit, 2);
        break;
    case FP_VIEW_LATIN: see_runs(&at, text, is_latin, 1); break;
    case FP_VIEW_PUNCTUATION: see_runs(&at, text, is_punctuation, 0); break;
    case FP_VIEW_NAMES: FP_TRY(see_names(&at, views, text, arena, error)); break;
    case FP_VIEW_LENGTH: return see_length(text, arena, sight, error);
    case FP_VIEW_FIRST: see_bigrams(&at, sentence_of(text, false)); break;
    case FP_VIEW_LAST: see_bigrams(&at, sentence_of(text, true)); break;
    case FP_VIEW_TITLE: see_bigrams(&at, title_of(text)); break;
    }
    return gather(&at, arena, sight, error);
}

/* ---- Form ---- */

const char *const fp_form_counts[FP_FORM_COUNTS] = {"characters", "sentences", "lines", "trailing white space"};
const char *const fp_form_sights[FP_FORM_SIGHTS] = {"first 10 characters", "last 10 characters",
                                                    "short lines and brackets", "marks"};

static bool is_mark(uint32_t code) {
    return !u_isUWhiteSpace((UChar32)code) && !u_isalnum((UChar32)code) &&
           !(U_GET_GC_MASK((UChar32)code) & U_GC_M_MASK);
}

/* Counts white space before line ends, and all white space at the end of the text. */
static double trailing_space(fp_string raw) {
    size_t lines = 0, run = 0, ends = 0;
    for (const char *at = raw.data, *end = at + raw.length; at < end;) {
        uint32_t code;
        at += fp_utf8_decode(at, &code);
        if (code == '\n') lines += run, run = 0, ends++;
        else if (!u_isUWhiteSpace((UChar32)code)) run = ends = 0;
        else run += code != '\r';
    }
    return (double)(lines + run + ends);
}

/* Copies the text without white space; returns the offsets of its *count characters. */
static size_t *without_space(fp_string text, fp_arena *arena, fp_string *visible, size_t *count) {
    char *to = fp_arena_raw(arena, text.length + 1, 1);
    size_t *begins = fp_arena_raw(arena, text.length + 1, sizeof *begins), length = 0;
    *count = 0;
    if (!to || !begins) return NULL;
    for (const char *at = text.data, *end = at + text.length; at < end;) {
        uint32_t code;
        size_t size = fp_utf8_decode(at, &code);
        if (!u_isUWhiteSpace((UChar32)code)) {
            begins[(*count)++] = length;
            for (size_t i = 0; i < size; i++) to[length++] = at[i];
        }
        at += size;
    }
    begins[*count] = length;
    *visible = (fp_string){to, length};
    return begins;
}

static void see_insert(looking *at, const char *begin, const char *end) {
    size_t characters = fp_visible_characters((fp_string){begin, (size_t)(end - begin)});
    if (!characters || characters > FP_FORM_INSERT) return;
    see(at, begin, end);
}

/* Normalised text has only ASCII round brackets. */
static void see_inserts(looking *at, fp_string text) {
    const char *open = NULL, *end = text.data + text.length;
    fp_string rest = text, line, held = {NULL, 0};
    for (size_t count = 0; fp_next_line(&rest, &line);) {
        if (!fp_has_word(line.data, line.length)) continue;
        if (count++ > 1) see_insert(at, held.data, held.data + held.length);
        held = line;
    }
    for (const char *here = text.data; here < end;) {
        uint32_t code;
        const char *next = here + fp_utf8_decode(here, &code);
        if (code == '(' || code == '[' || code == 0x3010 || code == 0x3014) open = next;
        else if (open && (code == ')' || code == ']' || code == 0x3011 || code == 0x3015))
            see_insert(at, open, here), open = NULL;
        here = next;
    }
}

static void see_capitals(looking *at, fp_string raw) {
    bool fresh = true; /* at the beginning of a sentence */
    for (const char *here = raw.data, *end = here + raw.length; here < end;) {
        uint32_t code, next;
        const char *begin = here, *behind = here + fp_utf8_decode(here, &code);
        if (is_latin(code)) {
            while (behind < end && (fp_utf8_decode(behind, &next), is_latin(next))) behind += fp_utf8_size(*behind);
            if (!fresh && u_isupper((UChar32)code)) see(at, begin, behind);
            fresh = false;
        } else if (code == '.' || code == '!' || code == '?' || code == '\n') fresh = true;
        here = behind;
    }
}

static void count_parts(fp_string text, double *sentences, double *lines) {
    fp_sentence_scan scan = fp_sentence_scan_of(text, false);
    fp_string part;
    while (fp_sentence_next(&scan, &part)) *sentences += fp_has_word(part.data, part.length);
    while (fp_next_line(&text, &part)) *lines += fp_has_word(part.data, part.length);
}

fp_status fp_text_form_of(fp_string raw, fp_string text, fp_arena *arena, fp_text_form *form, fp_error *error) {
    fp_string visible;
    size_t count, *begins = FP_NEED(without_space(text, arena, &visible, &count), error);
    size_t end = count < FP_FORM_END ? count : FP_FORM_END, tail = begins[count - end];
    *form = (fp_text_form){.counts = {[0] = (double)count, [3] = trailing_space(raw)}};
    count_parts(text, &form->counts[1], &form->counts[2]);
    enum { HEAD, TAIL, INSERTS, MARKS };
    looking at[FP_FORM_SIGHTS], capitals;
    for (size_t i = 0; i < FP_FORM_SIGHTS; i++) FP_TRY(open_looking(at + i, text.length, arena, error));
    see_bigrams(at + HEAD, (fp_string){visible.data, begins[end]});
    see_bigrams(at + TAIL, (fp_string){visible.data + tail, visible.length - tail});
    see_inserts(at + INSERTS, text);
    see_runs(at + MARKS, text, is_mark, 0);
    form->characters = at[HEAD].characters + at[TAIL].characters + at[INSERTS].characters;
    for (size_t i = 0; i < FP_FORM_SIGHTS; i++) FP_TRY(gather(at + i, arena, form->sights + i, error));
    FP_TRY(open_looking(&capitals, raw.length, arena, error));
    see_capitals(&capitals, raw);
    return gather(&capitals, arena, &form->capitals, error);
}
