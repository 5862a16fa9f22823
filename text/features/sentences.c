/* SPDX-License-Identifier: GPL-3.0-or-later
 * Sentences of normalised text, after GB/T 15834-2011. The marks that end a sentence (句末点号) are 。！？. A mark
 * after it that closes a quotation, a bracket or a title (5.1) belongs to the same sentence. If a comma, colon,
 * semicolon or enumeration comma (句内点号) follows, the sentence continues. An ellipsis, a line end, and a full stop
 * before white space also end a sentence. No sentence ends inside a title (《走吧！》), nor at the full stop of an
 * abbreviation (ABBREVIATIONS below). */
#include "text/features/sentences.h"

#include <string.h>

#include "text/features/extract.h"
#include "text/unicode/utf8.h"
#include "text/unicode/words.h"

/* Maps FF01 to FF5E to half width: tables have half-width marks, as normalised text does; raw text may have both. */
static uint32_t narrow(uint32_t code) { return code - 0xff01 <= 0xff5e - 0xff01 ? code - 0xff01 + '!' : code; }

/* One character in raw text; three full stops in normalised text. */
enum { ELLIPSIS = 0x2026 };

static bool is_white(char byte) { return byte == ' ' || byte == '\n'; }

static bool is_ending(uint32_t code, bool semicolon) {
    return code == 0x3002 || code == '!' || code == '?' || (semicolon && code == ';');
}

/* ” ’ 」 』 ） ］ ｝ 】 》 〉 〕 〗 » ›: these close after an ending mark. So does a dash, which never begins a
 * sentence there. */
static bool is_closing(uint32_t code) {
    static const uint32_t MARKS[] = {0x201d, 0x2019, 0x300d, 0x300f, ')',    ']',    '}',    0x3011,
                                     0x300b, 0x3009, 0x3015, 0x3017, 0x00bb, 0x203a, 0x2014, 0x2015};
    for (size_t i = 0; i < sizeof MARKS / sizeof *MARKS; i++) {
        if (MARKS[i] == code) return true;
    }
    return false;
}

/* , : ; 、 */
static bool goes_on(const char *at, const char *end) {
    uint32_t code;
    if (at == end) return false;
    fp_utf8_decode(at, &code);
    code = narrow(code);
    return code == ',' || code == ':' || code == ';' || code == 0x3001;
}

static bool begins_word(const char *at, const char *end) {
    uint32_t code;
    if (at == end) return false;
    fp_utf8_decode(at, &code);
    return fp_is_wordy(code);
}

/* Straight quotes both open and close: " closes an open one, and both close if no word follows. */
static bool is_straight_closing(const fp_sentence_scan *in, const char *at, bool quoted) {
    if (*at != '"' && *at != '\'') return false;
    return (*at == '"' && quoted) || !begins_word(at + 1, in->end);
}

/* Skips further ending and closing marks. */
static fp_sentence_scan behind_marks(fp_sentence_scan in) {
    for (uint32_t code; in.at < in.end;) {
        size_t size = fp_utf8_decode(in.at, &code);
        code = narrow(code);
        bool straight = is_straight_closing(&in, in.at, in.quoted);
        if (!straight && !is_ending(code, in.semicolon) && !is_closing(code) && code != '.' && code != ELLIPSIS) break;
        if (code == '"') in.quoted = !in.quoted;
        in.at += size;
    }
    return in;
}

/* ---- Places where no sentence ends ---- */

/* Characters between title marks, nested titles included; a longer 《 is not a title. */
enum { LONGEST_TITLE = 100 };

/* The change of nesting depth: 《 〈 +1, 》 〉 −1. */
static int title_step(uint32_t code) {
    return code == 0x300a || code == 0x3008 ? 1 : code == 0x300b || code == 0x3009 ? -1 : 0;
}

/* The position after the mark that closes the title opened before `at`; `at` if it is not closed in its line. */
static const char *behind_title(const char *at, const char *end) {
    const char *next = at;
    uint32_t code = 0;
    for (int depth = 1, count = 0; depth && next < end && code != '\n' && count <= LONGEST_TITLE; count++) {
        next += fp_utf8_decode(next, &code);
        depth += title_step(code);
        if (!depth) return next;
    }
    return at;
}

/* English abbreviations that are always followed by something, so that their full stop ends no sentence. Abbreviations
 * that may end a sentence (etc. Inc. p.m. U.S.) and those that are also words (no.) are excluded. */
static const char *const ABBREVIATIONS[] = {
    "mr", "mrs", "ms", "messrs", "dr",  "prof", "rev", "hon", "gen", "col", "capt", "lt",  "sgt",  "sen", "gov",
    "st", "mt",  "vs", "cf",     "viz", "eg",   "e.g", "ie",  "i.e", "fig", "figs", "vol", "vols", "pp",  "approx"};

/* Sets bit 5: upper case becomes lower, and a full stop stays. */
static char lower(char byte) { return (char)(byte | 32); }

static bool is_of_word(char byte) { return byte == '.' || (unsigned char)(lower(byte) - 'a') < 26; }

/* Whether the full stop before `at` ends an abbreviation. */
static bool is_abbreviated(const fp_sentence_scan *in) {
    const char *stop = in->at - 1, *from = stop;
    while (from > in->begin && is_of_word(from[-1])) from--;
    for (size_t i = 0; i < sizeof ABBREVIATIONS / sizeof *ABBREVIATIONS; i++) {
        size_t length = strlen(ABBREVIATIONS[i]), same = 0;
        while (same < length && from + same < stop && lower(from[same]) == ABBREVIATIONS[i][same]) same++;
        if (same == length && from + same == stop) return true;
    }
    return false;
}

/* ---- Sentence ends ---- */

/* Whether the sentence ends after the character just read; if so, *in moves past all marks that belong to it. */
static bool ends_sentence(fp_sentence_scan *in, uint32_t code) {
    if (code == '\n') {
        in->quoted = false;
        return true;
    }
    bool mark = code == ELLIPSIS, stop = mark || code == '.',
         ellipsis = mark || (stop && in->at - in->begin >= 2 && in->at[-2] == '.');
    if (!stop && !is_ending(code, in->semicolon)) return false;
    if (stop && in->at < in->end && *in->at == '.') return false; /* the ellipsis continues */
    fp_sentence_scan behind = behind_marks(*in);
    if (goes_on(behind.at, behind.end)) return false;
    if (stop && !ellipsis && behind.at < behind.end && !is_white(*behind.at)) return false;
    if (stop && !ellipsis && behind.at < behind.end && behind.at == in->at && is_abbreviated(in)) return false;
    *in = behind;
    return true;
}

bool fp_sentence_next(fp_sentence_scan *scan, fp_string *sentence) {
    const char *start = scan->at;
    bool ended = false;
    while (scan->at < scan->end && !ended) {
        uint32_t code;
        scan->at += fp_utf8_decode(scan->at, &code);
        if (code == '"') scan->quoted = !scan->quoted;
        if (scan->at > scan->titled && title_step(code) > 0) scan->titled = behind_title(scan->at, scan->end);
        ended = scan->at > scan->titled && ends_sentence(scan, narrow(code));
    }
    *sentence = (fp_string){start, (size_t)(scan->at - start)};
    return scan->at > start;
}

fp_status fp_sentence_units(fp_string text, bool semicolon, fp_arena *arena, fp_builder *to, fp_error *error) {
    FP_TRY(fp_builder_open(to, text.length, text.length, arena, error));
    fp_sentence_scan scan = fp_sentence_scan_of(text, semicolon);
    for (fp_string sentence; fp_sentence_next(&scan, &sentence);) {
        const char *start = sentence.data, *stop = start + sentence.length;
        while (start < stop && is_white(*start)) start++;
        while (stop > start && is_white(stop[-1])) stop--;
        if (fp_has_word(start, (size_t)(stop - start))) fp_builder_add(to, start, (size_t)(stop - start));
    }
    return FP_OK;
}
