/* SPDX-License-Identifier: GPL-3.0-or-later
 * Characters, sentences and clauses of a text that is not normalised. */
#include "corpora/corruption/text_parts.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include "text/features/sentences.h"
#include "text/unicode/utf8.h"
#include "text/unicode/words.h"

bool fp_is_blank(uint32_t code) { return u_isUWhiteSpace((UChar32)code) || code == 0xfeff || code == 0x200b; }

/* ---- Characters ---- */

static int break_class(uint32_t code) {
    bool plain = code - 0x20 < 0x7f - 0x20 || code - 0x3400 < 0x9fff - 0x3400;
    return plain ? U_GCB_OTHER : u_getIntPropertyValue((UChar32)code, UCHAR_GRAPHEME_CLUSTER_BREAK);
}

/* The context before a possible border. */
typedef struct left_side {
    int last;
    size_t flags; /* regional indicators at the end, directly in sequence */
    bool picture; /* the end is a pictograph with its extenders */
    bool joined;  /* the same, followed by a joiner */
} left_side;

static left_side after(left_side left, uint32_t code, int class) {
    bool picture = u_hasBinaryProperty((UChar32)code, UCHAR_EXTENDED_PICTOGRAPHIC);
    return (left_side){
        .last = class,
        .flags = class == U_GCB_REGIONAL_INDICATOR ? left.flags + 1 : 0,
        .picture = picture || (left.picture && class == U_GCB_EXTEND),
        .joined = left.picture && class == U_GCB_ZWJ,
    };
}

/* GB6 to GB8. */
static bool is_syllable(int before, int class) {
    if (before == U_GCB_L) return class == U_GCB_L || class == U_GCB_V || class == U_GCB_LV || class == U_GCB_LVT;
    if (before == U_GCB_LV || before == U_GCB_V) return class == U_GCB_V || class == U_GCB_T;
    return (before == U_GCB_LVT || before == U_GCB_T) && class == U_GCB_T;
}

static bool belongs(left_side left, uint32_t code, int class) {
    if (left.last == U_GCB_CR) return class == U_GCB_LF;
    if (left.last == U_GCB_LF || left.last == U_GCB_CONTROL) return false;
    if (class == U_GCB_CONTROL || class == U_GCB_CR || class == U_GCB_LF) return false;
    if (is_syllable(left.last, class)) return true;
    if (class == U_GCB_EXTEND || class == U_GCB_ZWJ || class == U_GCB_SPACING_MARK || left.last == U_GCB_PREPEND)
        return true;
    if (left.joined && u_hasBinaryProperty((UChar32)code, UCHAR_EXTENDED_PICTOGRAPHIC)) return true;
    return class == U_GCB_REGIONAL_INDICATOR && left.flags % 2 == 1;
}

size_t fp_character_size(fp_string text) {
    uint32_t code;
    size_t at = fp_utf8_decode(text.data, &code), size;
    left_side left = after((left_side){0}, code, break_class(code));
    for (; at < text.length; at += size) {
        size = fp_utf8_decode(text.data + at, &code);
        int class = break_class(code);
        if (!belongs(left, code, class)) break;
        left = after(left, code, class);
    }
    return at;
}

/* ---- Lists ---- */

static fp_status open_list(fp_string text, fp_arena *arena, fp_text_parts *made, fp_error *error) {
    *made = (fp_text_parts){FP_NEED(fp_arena_raw(arena, fp_utf8_count(text) + 1, sizeof *made->part), error), 0};
    return FP_OK;
}

static void add(fp_text_parts *to, fp_string part, size_t within) {
    uint32_t code;
    fp_utf8_decode(part.data, &code);
    to->part[to->count++] = (fp_text_part){part, code, within};
}

fp_status fp_text_parts_characters(fp_string text, fp_arena *arena, fp_text_parts *units, fp_error *error) {
    FP_TRY(open_list(text, arena, units, error));
    for (size_t at = 0; at < text.length;) {
        fp_string rest = {text.data + at, text.length - at};
        size_t size = fp_character_size(rest);
        add(units, (fp_string){rest.data, size}, 0);
        at += size;
    }
    return FP_OK;
}

/* ---- Sentences ---- */

static fp_string trim(fp_string text, bool (*drops)(uint32_t code)) {
    size_t begin = text.length, end = 0;
    for (size_t at = 0; at < text.length;) {
        uint32_t code;
        size_t size = fp_utf8_decode(text.data + at, &code);
        if (!drops(code)) {
            if (begin > at) begin = at;
            end = at + size;
        }
        at += size;
    }
    return end ? (fp_string){text.data + begin, end - begin} : (fp_string){text.data, 0};
}

fp_status fp_text_parts_sentences(fp_string text, fp_arena *arena, fp_text_parts *units, fp_error *error) {
    FP_TRY(open_list(text, arena, units, error));
    fp_sentence_scan scan = fp_sentence_scan_of(text, false);
    size_t lines = 0;
    for (fp_string sentence; fp_sentence_next(&scan, &sentence);) {
        fp_string part = trim(sentence, fp_is_blank);
        if (fp_has_word(part.data, part.length)) add(units, part, lines);
        lines += sentence.data[sentence.length - 1] == '\n';
    }
    return FP_OK;
}

/* ---- Clauses ---- */

/* White space and punctuation marks, except brackets, quotation marks and symbols. */
static bool is_clause_edge(uint32_t code) {
    return fp_is_blank(code) || (u_charType((UChar32)code) == U_OTHER_PUNCTUATION && code != '"' && code != '\'' &&
                                 code != '%' && code != '&' && code != '@' && code != '#' && code != '*');
}

/* ， 、 ； ： and their half-width forms, but not in 1,000 or 12:30. */
static bool ends_clause(fp_string text, size_t at, size_t size, uint32_t code) {
    if (code == 0xff0c || code == 0x3001 || code == 0xff1b || code == 0xff1a) return true;
    if (code != ',' && code != ';' && code != ':') return false;
    size_t next = at + size;
    return next == text.length || !u_isdigit((UChar32)(unsigned char)text.data[next]);
}

static void add_clauses(fp_text_parts *to, fp_string sentence, size_t within) {
    for (size_t begin = 0, at = 0; at < sentence.length;) {
        uint32_t code;
        size_t size = fp_utf8_decode(sentence.data + at, &code);
        bool ends = ends_clause(sentence, at, size, code) || at + size == sentence.length;
        at += size;
        if (!ends) continue;
        fp_string part = trim((fp_string){sentence.data + begin, at - begin}, is_clause_edge);
        if (part.length) add(to, part, within);
        begin = at;
    }
}

fp_status fp_text_parts_clauses(fp_string text, fp_arena *arena, fp_text_parts *units, fp_error *error) {
    FP_TRY(open_list(text, arena, units, error));
    fp_sentence_scan scan = fp_sentence_scan_of(text, false);
    size_t sentences = 0;
    for (fp_string sentence; fp_sentence_next(&scan, &sentence); sentences++) add_clauses(units, sentence, sentences);
    return FP_OK;
}

/* ---- Sampling from the characters of a corpus ---- */

enum { CODES = 0x110000 };

fp_letter_class fp_letter_class_of(uint32_t code) {
    UErrorCode status = U_ZERO_ERROR;
    if (code - 0x4e00 < 0x9fff - 0x4e00) return FP_LETTER_HAN;
    if (u_isdigit((UChar32)code)) return FP_LETTER_DIGIT;
    if (code < 0x80) return u_isupper((UChar32)code) ? FP_LETTER_UPPER : u_islower((UChar32)code) ? FP_LETTER_LOWER : 0;
    if (!u_isalpha((UChar32)code)) return FP_LETTER_NONE;
    UScriptCode script = uscript_getScript((UChar32)code, &status);
    if (script == USCRIPT_HAN) return FP_LETTER_HAN;
    if (script != USCRIPT_LATIN) return FP_LETTER_NONE;
    return u_isupper((UChar32)code) ? FP_LETTER_UPPER : FP_LETTER_LOWER;
}

void fp_character_tally(fp_string text, uint32_t *times) {
    for (size_t at = 0; at < text.length;) {
        uint32_t code;
        at += fp_utf8_decode(text.data + at, &code);
        fp_letter_class of = fp_letter_class_of(code);
        bool counted = of == FP_LETTER_HAN || (of > FP_LETTER_DIGIT && code < 0x80);
        times[code] += counted && times[code] < UINT32_MAX;
    }
}

fp_status fp_character_counts_make(const uint32_t *times, fp_arena *arena, fp_character_counts *counts,
                                   fp_error *error) {
    size_t count = 0;
    for (size_t code = 0; code < CODES; code++) count += times[code] > 0;
    uint32_t *codes = FP_NEED(fp_arena_raw(arena, count + 1, sizeof *codes), error);
    uint64_t *upto = FP_NEED(fp_arena_raw(arena, count + 1, sizeof *upto), error);
    *counts = (fp_character_counts){count, codes, upto};
    *upto = 0;
    for (uint32_t code = 0; code < CODES; code++) {
        if (!times[code]) continue;
        *codes++ = code;
        upto[1] = *upto + times[code];
        upto++;
    }
    return FP_OK;
}

/* The first position whose code is at least `code`. */
static size_t place_of(const fp_character_counts *counts, uint32_t code) {
    return FP_FIRST(i, counts->count, counts->code[i] >= code);
}

uint32_t fp_character_counts_draw(const fp_character_counts *counts, fp_letter_class of, uint32_t code,
                                  uint64_t random) {
    static const struct {
        uint32_t from, to;
    } RANGE[] = {
        [FP_LETTER_UPPER] = {'A', 'Z' + 1}, [FP_LETTER_LOWER] = {'a', 'z' + 1}, [FP_LETTER_HAN] = {0x80, CODES}};
    size_t first = place_of(counts, RANGE[of].from), end = place_of(counts, RANGE[of].to), own = place_of(counts, code);
    uint64_t before = counts->upto[first], total = counts->upto[end] - before, skipped = 0, skip_at = UINT64_MAX;
    if (own >= first && own < end && counts->code[own] == code) {
        skipped = counts->upto[own + 1] - counts->upto[own];
        skip_at = counts->upto[own] - before;
    }
    if (total == skipped) return 0;
    uint64_t left = random % (total - skipped); /* totals are far below 2⁶⁴ */
    if (left >= skip_at) left += skipped;
    return counts->code[FP_FIRST(i, end, counts->upto[i + 1] > before + left)];
}
