/* SPDX-License-Identifier: GPL-3.0-or-later
 * Normalised text to sentences, after GB/T 15834-2011: the marks that end a sentence (句末点号) are 。！？; what closes
 * a quotation, a bracket or a title stands at the end of what it closes (5.1), so it belongs to the sentence that ends;
 * a comma, colon, semicolon or enumeration comma (句内点号) behind them says that the sentence goes on. An ellipsis, a
 * line end, and a full stop before white space end a sentence as well. */
#include <string.h>

#include "text/features/builder.h"
#include "text/unicode/utf8.h"

static bool is_white(char byte) { return byte == ' ' || byte == '\n'; }

static bool is_ending(uint32_t code, bool semicolon) {
    return code == 0x3002 || code == '!' || code == '?' || (semicolon && code == ';');
}

/* ” ’ 」 』 ） ］ ｝ 】 》 〉 〕 〗 » ›: behind an ending mark they close. So does a dash, which begins no sentence
 * there. */
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
    if (at == end) return false;
    return *at == ',' || *at == ':' || *at == ';' || (end - at >= 3 && memcmp(at, "\u3001", 3) == 0);
}

static bool begins_word(const char *at, const char *end) {
    uint32_t code;
    if (at == end) return false;
    fp_utf8_decode(at, &code);
    return fp_is_wordy(code);
}

typedef struct scan {
    const char *at, *end;
    bool semicolon;
    bool quoted; /* an odd number of " stand before `at` in this line */
} scan;

/* Straight quotes close as well as open: " closes one that is open, and both close where no word follows. */
static bool is_straight_closing(const scan *in, const char *at, bool quoted) {
    if (*at != '"' && *at != '\'') return false;
    return (*at == '"' && quoted) || !begins_word(at + 1, in->end);
}

/* What stands behind further ending and closing marks. */
static scan behind_marks(scan in) {
    for (uint32_t code; in.at < in.end;) {
        size_t size = fp_utf8_decode(in.at, &code);
        bool straight = is_straight_closing(&in, in.at, in.quoted);
        if (!straight && !is_ending(code, in.semicolon) && !is_closing(code) && code != '.') break;
        if (code == '"') in.quoted = !in.quoted;
        in.at += size;
    }
    return in;
}

/* True when the sentence ends behind the character that was just read, and *in moves behind all that belongs to it. */
static bool ends_sentence(scan *in, const char *begin, uint32_t code) {
    if (code == '\n') {
        in->quoted = false;
        return true;
    }
    bool stop = code == '.', ellipsis = stop && in->at - begin >= 2 && in->at[-2] == '.';
    if (!stop && !is_ending(code, in->semicolon)) return false;
    if (stop && in->at < in->end && *in->at == '.') return false; /* the ellipsis goes on */
    scan behind = behind_marks(*in);
    if (goes_on(behind.at, behind.end)) return false;
    if (stop && !ellipsis && behind.at < behind.end && !is_white(*behind.at)) return false;
    *in = behind;
    return true;
}

fp_status fp_sentence_units(fp_string text, bool semicolon, fp_arena *arena, fp_builder *to, fp_error *error) {
    FP_TRY(fp_builder_open(to, text.length, text.length, arena, error));
    const char *start = text.data;
    scan in = {.at = start, .end = start + text.length, .semicolon = semicolon};
    while (in.at < in.end) {
        uint32_t code;
        in.at += fp_utf8_decode(in.at, &code);
        if (code == '"') in.quoted = !in.quoted;
        if (!ends_sentence(&in, text.data, code) && in.at < in.end) continue;
        const char *stop = in.at;
        while (start < stop && is_white(*start)) start++;
        while (stop > start && is_white(stop[-1])) stop--;
        if (fp_has_word(start, (size_t)(stop - start))) fp_builder_add(to, start, (size_t)(stop - start));
        start = in.at;
    }
    return FP_OK;
}
