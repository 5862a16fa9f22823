/* SPDX-License-Identifier: GPL-3.0-or-later
 * Conversion between simplified and traditional Chinese, piece by piece. */
#include "text/unicode/conversion.h"

#include <pthread.h>
#include <string.h>

#include "text/unicode/utf8.h"

/* OpenCC's dictionaries by their names, in the order of conversion.mk. */
typedef enum dictionary {
    ST_PHRASES,
    ST_CHARACTERS,
    TW_PHRASES,
    TW_VARIANTS,
    HK_VARIANTS,
    TW_PHRASES_REV,
    TW_VARIANTS_REV_PHRASES,
    TW_VARIANTS_REV,
    TS_PHRASES,
    TS_CHARACTERS,
    DICTIONARIES
} dictionary;

/* Dictionaries in order of precedence. */
typedef struct step {
    size_t count;
    dictionary dictionaries[3];
} step;

static const struct {
    dictionary phrases; /* for splitting the text */
    size_t count;
    step steps[3];
} CONVERSIONS[] = {
    [FP_TO_TRADITIONAL] = {ST_PHRASES, 1, {{2, {ST_PHRASES, ST_CHARACTERS}}}},
    [FP_TO_TAIWAN] = {ST_PHRASES, 3, {{2, {ST_PHRASES, ST_CHARACTERS}}, {1, {TW_PHRASES}}, {1, {TW_VARIANTS}}}},
    [FP_TO_HONG_KONG] = {ST_PHRASES, 2, {{2, {ST_PHRASES, ST_CHARACTERS}}, {1, {HK_VARIANTS}}}},
    [FP_TO_SIMPLIFIED] = {TS_PHRASES,
                          2,
                          {{3, {TW_PHRASES_REV, TW_VARIANTS_REV_PHRASES, TW_VARIANTS_REV}},
                           {2, {TS_PHRASES, TS_CHARACTERS}}}},
};

/* Lines "dictionary word TAB replacement" in byte order; the dictionary is a letter, a for the first. */
extern const char fp_table_conversion[], fp_table_conversion_end[];

/* ---- The longest word at the beginning of a text ---- */

/* Lines of words whose first two bytes are the same: bytes `begin` … `end` of the table; none if both are 0. */
typedef struct lines {
    uint32_t begin, end;
} lines;
static lines lines_of[DICTIONARIES][256][64];
static pthread_once_t found = PTHREAD_ONCE_INIT;

/* `word` is valid UTF-8, and a character of one byte has no second one. */
static lines *lines_with(size_t of, const char *word) {
    unsigned char first = (unsigned char)*word;
    return &lines_of[of][first][first < 0x80 ? 0 : word[1] & 0x3f];
}

static void find_lines(void) {
    for (const char *line = fp_table_conversion, *next; line < fp_table_conversion_end; line = next) {
        lines *with = lines_with((size_t)(*line - 'a'), line + 1);
        next = (const char *)rawmemchr(line, '\n') + 1;
        if (!with->end) with->begin = (uint32_t)(line - fp_table_conversion);
        with->end = (uint32_t)(next - fp_table_conversion);
    }
}

/* The word in the line that holds byte `at` of the lines. */
static fp_string word_at(lines in, size_t at) {
    const char *begin = fp_table_conversion + in.begin, *before = memrchr(begin, '\n', at),
               *word = (before ? before + 1 : begin) + 1;
    return (fp_string){word, (size_t)((const char *)rawmemchr(word, '\t') - word)};
}

/* The longest word of the dictionary at the beginning of the text; its length in bytes, or 0. The last word that is not
 * behind the text in byte order begins with each word that the text begins with. So if it is none of them, they are at
 * most as long as what it has in common with the text. */
static size_t longest(fp_string text, dictionary of, fp_string *becomes) {
    size_t least = fp_utf8_size(*text.data), common;
    pthread_once(&found, find_lines);
    const lines in = *lines_with(of, text.data);
    for (; text.length >= least; text.length = common) {
        size_t behind = FP_FIRST(i, in.end - in.begin, fp_string_compare(word_at(in, i), text) > 0);
        if (!behind) return 0;
        fp_string word = word_at(in, behind - 1);
        for (common = 0; common < text.length && common < word.length; common++)
            if (text.data[common] != word.data[common]) break;
        becomes->data = word.data + word.length + 1;
        becomes->length = (size_t)((const char *)rawmemchr(becomes->data, '\n') - becomes->data);
        if (common == word.length) return common;
    }
    return 0;
}

typedef struct list {
    fp_conversion_piece *pieces;
    size_t count;
} list;

/* ---- One step ---- */

/* The rest of a segment after the previous step: pieces with consecutive results. */
typedef struct segment {
    const fp_conversion_piece *piece, *end;
    fp_string text; /* the joined results */
} segment;

/* Takes the pieces of the next `length` bytes of the results as one piece, or more bytes if a piece ends later. */
static fp_conversion_piece take(segment *from, size_t length, size_t *taken) {
    fp_conversion_piece made = {.from = {from->piece->from.data, 0}};
    *taken = 0;
    do {
        made.from.length += from->piece->from.length;
        *taken += from->piece->to.length;
        from->piece++;
    } while (*taken < length && from->piece < from->end);
    return made;
}

/* The joined results of all pieces. */
static fp_status join(const list *from, fp_arena *arena, fp_string *text, fp_error *error) {
    size_t length = 0;
    for (size_t i = 0; i < from->count; i++) length += from->pieces[i].to.length;
    char *to = FP_NEED(fp_arena_raw(arena, length + 1, 1), error);
    *text = (fp_string){to, length};
    for (size_t i = 0; i < from->count; i++) to = mempcpy(to, from->pieces[i].to.data, from->pieces[i].to.length);
    return FP_OK;
}

/* The replacement of the next match of a segment, or of its next character, in *becomes; returns the matched bytes. */
static size_t match(const step *by, fp_string text, fp_string *becomes) {
    for (size_t i = 0; i < by->count; i++) {
        size_t length = longest(text, by->dictionaries[i], becomes);
        if (length) return length;
    }
    *becomes = (fp_string){text.data, fp_utf8_size(*text.data)};
    return becomes->length;
}

/* Matches may cross the borders of the previous step's pieces, and pieces those of matches: overlapping ones are
 * merged, and their results joined. */
static fp_status convert_segment(const step *by, segment from, fp_arena *arena, list *to, fp_error *error) {
    while (from.piece < from.end) {
        size_t piece_bytes, used = 0;
        if (!from.text.length) { /* a piece with an empty result stays separate */
            to->pieces[to->count++] = *from.piece++;
            continue;
        }
        fp_string becomes;
        used = match(by, from.text, &becomes);
        fp_conversion_piece made = take(&from, used, &piece_bytes);
        made.to = becomes;
        while (used != piece_bytes) {
            fp_string more, rest = {from.text.data + used, from.text.length - used};
            if (used > piece_bytes) {
                size_t taken;
                made.from.length += take(&from, used - piece_bytes, &taken).from.length;
                piece_bytes += taken;
                continue;
            }
            used += match(by, rest, &more);
            char *joined = FP_NEED(fp_arena_raw(arena, made.to.length + more.length + 1, 1), error);
            memcpy(mempcpy(joined, made.to.data, made.to.length), more.data, more.length);
            made.to = (fp_string){joined, made.to.length + more.length};
        }
        to->pieces[to->count++] = made;
        from.text = (fp_string){from.text.data + used, from.text.length - used};
    }
    return FP_OK;
}

/* ---- A text ---- */

/* The end of the next segment: a phrase, or all characters up to the next phrase. */
static size_t segment_end(fp_string text, size_t begin, dictionary phrases) {
    fp_string becomes;
    size_t at = begin;
    while (at < text.length) {
        size_t length = longest((fp_string){text.data + at, text.length - at}, phrases, &becomes);
        if (length && at == begin) return at + length;
        if (length) break;
        at += fp_utf8_size(text.data[at]);
    }
    return at;
}

/* Appends the pieces of one segment. */
static fp_status convert_one(fp_string text, fp_conversion conversion, fp_arena *arena, list *to, fp_error *error) {
    list before = {.pieces = FP_NEED(fp_arena_raw(arena, text.length, sizeof *before.pieces), error)},
         after = {.pieces = FP_NEED(fp_arena_raw(arena, text.length, sizeof *after.pieces), error)};
    for (size_t at = 0; at < text.length;) {
        size_t size = fp_utf8_size(text.data[at]);
        fp_string character = {text.data + at, size};
        before.pieces[before.count++] = (fp_conversion_piece){character, character};
        at += size;
    }
    for (size_t s = 0; s < CONVERSIONS[conversion].count; s++) {
        segment from = {before.pieces, before.pieces + before.count, text};
        if (s) FP_TRY(join(&before, arena, &from.text, error));
        after.count = 0;
        FP_TRY(convert_segment(&CONVERSIONS[conversion].steps[s], from, arena, &after, error));
        list swapped = before;
        before = after;
        after = swapped;
    }
    memcpy(to->pieces + to->count, before.pieces, before.count * sizeof *before.pieces);
    to->count += before.count;
    return FP_OK;
}

fp_status fp_convert(fp_string text, fp_conversion conversion, fp_arena *arena, const fp_conversion_piece **pieces,
                     size_t *count, fp_error *error) {
    list made = {.pieces = FP_NEED(fp_arena_raw(arena, text.length + 1, sizeof *made.pieces), error)};
    for (size_t at = 0; at < text.length;) {
        size_t end = segment_end(text, at, CONVERSIONS[conversion].phrases);
        FP_TRY(convert_one((fp_string){text.data + at, end - at}, conversion, arena, &made, error));
        at = end;
    }
    *pieces = made.pieces;
    *count = made.count;
    return FP_OK;
}
