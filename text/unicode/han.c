/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Han folding. A character whose change does not depend on its neighbours is replaced through one table; the few that
 * occur in phrases, or become longer, have an entry. Nothing is copied before the first change.
 */
#include <string.h>

#include "text/unicode/blocks.h"
#include "text/unicode/han.h"
#include "text/unicode/han_table.h"
#include "text/unicode/plain.h"
#include "text/unicode/utf8_fast.h"

extern const fp_han_table fp_table_han;

/* The inverse of the least share of foreign letters in a foreign line. In Japanese prose more than half of the letters
 * are kana (99.7% of the lines of Debian's manpages-ja pass), in Korean with Chinese characters a quarter or more are
 * hangul, and a Chinese sentence with a Japanese word has fewer. */
enum { FOREIGN_SHARE = 4 };

/* Rounds of folding until a line is stable. OpenCC's dictionaries need two on random mixtures; the bound protects
 * against cycles in dictionaries. */
enum { MOST_ROUNDS = 8 };

static const fp_han_entry *entry_of(uint32_t code) {
    unsigned number = FP_CODE_VALUE(&fp_table_han, code);
    return number ? &fp_table_han.entry[number - 1] : NULL;
}

/* Its replacement does not depend on context. */
static bool is_plain(uint32_t code) { return code < 0x10000 && fp_table_han.basic[code]; }

uint32_t fp_han_fold_code(uint32_t code) {
    const fp_han_entry *entry = entry_of(code);
    if (entry && entry->changes) fp_utf8_decode(entry->to, &code);
    return code;
}

/* ---- Japanese and Korean ---- */

static bool within(uint32_t code, uint32_t first, uint32_t last) { return code - first <= last - first; }

static bool is_han(uint32_t code) {
    return within(code, 0x4e00, 0x9fff) || within(code, 0x3400, 0x4dbf) || within(code, 0x20000, 0x3ffff) ||
           code == 0x3005 || code == 0x3007 || within(code, 0xf900, 0xfaff);
}

/* Letters only: the middle dot and the long mark also occur in Chinese names. */
static bool is_foreign(uint32_t code) {
    if (within(code, 0x3041, 0x30ff))
        return !within(code, 0x3097, 0x309c) && code != 0x30a0 && code != 0x30fb && code != 0x30fc;
    return within(code, 0xac00, 0xd7ff) || within(code, 0x1100, 0x11ff) || within(code, 0x3131, 0x318e) ||
           within(code, 0x31f0, 0x31ff) || within(code, 0xa960, 0xa97c) || within(code, 0x1aff0, 0x1b16f);
}

/* Whether a line counts as Japanese or Korean by the rule of fp_han_fold. */
static bool is_foreign_line(fp_string line) {
    size_t han = 0, foreign = 0;
    for (size_t at = 0; at < line.length;) {
        uint32_t code;
        at += fp_utf8_decode(line.data + at, &code);
        if (is_han(code)) han++;
        else if (is_foreign(code)) foreign++;
    }
    return foreign && foreign * (FOREIGN_SHARE - 1) >= han;
}

/* ---- The result ---- */

typedef struct work {
    fp_string from;
    size_t at;               /* `from` is folded up to here */
    char *to;                /* NULL until something changes: the result so far equals `from` */
    size_t used;             /* bytes in `to`; equals `at` while it is NULL */
    size_t next_run;         /* the next run of unchanged blocks begins at this byte of `from` or later */
    size_t room;             /* of `to`: enough for the rest of `from` at its largest growth, from three bytes to
                                four */
    bool changed, sensitive; /* in the current line: something changed; something could change again */
    fp_arena *arena;
} work;

/* Makes room for `used` bytes and the rest of `from`; keeps the first `kept` bytes, of `to` or else of `from`. */
static fp_status make_room(work *w, size_t kept, size_t used, fp_error *error) {
    size_t left = w->from.length - w->at;
    if (used > SIZE_MAX / 8 || left > SIZE_MAX / 8) return fp_no_memory(error);
    size_t room = used + left / 3 * 4 + 16;
    if (w->to && room <= w->room) return FP_OK;
    if (w->to) room += room / 2;
    char *to = FP_NEED(fp_arena_raw(w->arena, room, 1), error);
    if (kept) memcpy(to, w->to ? w->to : w->from.data, kept);
    w->to = to;
    w->room = room;
    return FP_OK;
}

/* ---- Plain text: no character needs its entry ---- */

/* Copies whole blocks in which nothing changes. Returns the end of the stretch to be processed by character. */
static size_t skip_blocks(work *w, size_t end) {
    if (w->at >= w->next_run) {
        size_t begin = w->at, size = fp_plain_unfolded(w->from.data + begin, end - begin);
        if (w->to) memcpy(w->to + w->used, w->from.data + begin, size);
        w->at += size;
        w->used += size;
        w->next_run = fp_run_next(begin, w->at);
    }
    return w->next_run < end ? w->next_run : end;
}

/* Moves `at` to the first character that is not plain or changes, at most to `end`. */
static void skip_plain(work *w, size_t end) {
    const char *data = w->from.data;
    const uint16_t *basic = fp_table_han.basic;
    for (end = skip_blocks(w, end); w->at < end && end - w->at >= 8;) {
        uint64_t word = fp_load_eight(data + w->at);
        uint32_t first = fp_utf8_pair_code(word), second = fp_utf8_pair_code(word >> 24);
        if (fp_utf8_is_pair(word) && !((basic[first] ^ first) | (basic[second] ^ second))) w->at += 6;
        else if (!(word & 0x80)) w->at += fp_unmarked(word & FP_EIGHT_HIGH_BITS);
        else if (fp_utf8_is_common(word) && basic[first] == first) w->at += 3;
        else break;
    }
    w->used = w->at;
}

/* The three bytes of UTF-8 of a code point from U+0800 to U+FFFF, the first in the lowest byte. */
static inline uint64_t three_bytes(uint32_t code) {
    return 0x8080e0u | code >> 12 | (code >> 6 & 0x3f) << 8 | (code & 0x3f) << 16;
}

/* Rewrites plain characters up to the first other one, at most to `end`. */
static void rewrite_plain(work *w, size_t end) {
    const char *stop = w->from.data + skip_blocks(w, end), *from = w->from.data + w->at;
    const uint16_t *basic = fp_table_han.basic;
    char *to = w->to + w->used;
    uint32_t difference = 0;
    while (stop - from >= 8) {
        uint64_t word = fp_load_eight(from);
        size_t size;
        if (word & 0x80) {
            if (!fp_utf8_is_common(word)) break;
            uint32_t first = fp_utf8_pair_code(word), a = basic[first];
            uint32_t second = fp_utf8_pair_code(word >> 24), b = fp_utf8_is_common(word >> 24) ? basic[second] : 0;
            if (!a) break;
            difference |= (a ^ first) | (b ? b ^ second : 0);
            word = three_bytes(a) | three_bytes(b) << 24;
            size = b ? 6 : 3;
        } else size = fp_unmarked(word & FP_EIGHT_HIGH_BITS);
        fp_store_eight(to, word);
        from += size;
        to += size;
    }
    if (difference) w->changed = true;
    w->at = (size_t)(from - w->from.data);
    w->used = (size_t)(to - w->to);
}

/* ---- Characters with an entry ---- */

/* The preferred phrase that contains the character at `at`, starts at `first` or later, and ends by `end`. */
static const fp_han_phrase *find_phrase(const fp_han_entry *entry, const char *data, size_t first, size_t at,
                                        size_t end) {
    const fp_han_phrase *phrase = fp_table_han.phrase + entry->phrase;
    for (size_t i = 0; i < entry->phrase_count; i++, phrase++) {
        size_t prefix = phrase->prefix_size;
        if (prefix > at - first || phrase->from_size - prefix > end - at) continue;
        if (memcmp(fp_table_han.pool + phrase->from, data + at - prefix, phrase->from_size) == 0) return phrase;
    }
    return NULL;
}

/* Folds one character, or the phrase that contains it; a phrase may start at `first` or later. */
static fp_status step(work *w, size_t *first, size_t end, fp_error *error) {
    const char *data = w->from.data;
    uint32_t code;
    size_t size = fp_utf8_decode(data + w->at, &code);
    const fp_han_entry *entry = entry_of(code);
    const char *bytes = data + w->at;
    size_t bytes_size = size;
    if (entry) {
        const fp_han_phrase *phrase = entry->phrase_count ? find_phrase(entry, data, *first, w->at, end) : NULL;
        bool changes = phrase ? phrase->changes : entry->changes;
        if (changes && !w->to) FP_TRY(make_room(w, w->at, w->at, error));
        if (changes) w->changed = true;
        if (phrase ? phrase->sensitive : entry->sensitive) w->sensitive = true;
        size = phrase ? phrase->from_size - (size_t)phrase->prefix_size : size;
        bytes_size = phrase ? phrase->to_size - (size_t)phrase->prefix_size : entry->size;
        bytes = phrase ? fp_table_han.pool + phrase->to + phrase->prefix_size : entry->to;
        if (phrase || !is_plain(code)) *first = w->at + size;
    }
    if (w->to) memcpy(w->to + w->used, bytes, bytes_size);
    w->used += bytes_size;
    w->at += size;
    return FP_OK;
}

/* Folds `from` up to `end`, the end of a line. */
static fp_status fold_once(work *w, size_t end, fp_error *error) {
    size_t first = w->at;
    w->changed = w->sensitive = false;
    while (w->at < end) {
        if (w->to) rewrite_plain(w, end);
        else skip_plain(w, end);
        if (w->at < end) FP_TRY(step(w, &first, end, error));
    }
    return FP_OK;
}

/* ---- Lines ---- */

/* Folds a folded line again until nothing changes, and replaces the result from `start` on. */
static fp_status fold_on(work *w, size_t start, fp_error *error) {
    fp_string line = {w->to + start, w->used - start};
    for (int round = 1; round < MOST_ROUNDS; round++) {
        work again = {.from = line, .next_run = fp_run_first(), .arena = w->arena};
        FP_TRY(fold_once(&again, line.length, error));
        if (!again.changed) break;
        line = (fp_string){again.to, again.used};
        if (!again.sensitive) break;
    }
    if (line.data == w->to + start) return FP_OK;
    FP_TRY(make_room(w, start, start + line.length, error));
    memcpy(w->to + start, line.data, line.length);
    w->used = start + line.length;
    return FP_OK;
}

static void keep(work *w, size_t end) {
    if (w->to) memcpy(w->to + w->used, w->from.data + w->at, end - w->at);
    w->used += end - w->at;
    w->at = end;
}

fp_status fp_han_fold(fp_string text, bool foreign, fp_arena *arena, fp_string *folded, fp_error *error) {
    return fp_han_fold_from(text, 0, foreign, arena, folded, error);
}

fp_status fp_han_fold_from(fp_string text, size_t from, bool foreign, fp_arena *arena, fp_string *folded,
                           fp_error *error) {
    const char *before = from < text.length ? memrchr(text.data, '\n', from) : NULL;
    size_t start_line = from < text.length ? (before ? (size_t)(before - text.data) + 1 : 0) : text.length;
    work w = {.from = text, .at = start_line, .used = start_line, .next_run = fp_run_first(), .arena = arena};
    while (w.at < text.length) {
        const char *line_end = memchr(text.data + w.at, '\n', text.length - w.at);
        size_t end = line_end ? (size_t)(line_end - text.data) : text.length;
        size_t start = w.used;
        if (foreign && is_foreign_line((fp_string){text.data + w.at, end - w.at})) keep(&w, end);
        else FP_TRY(fold_once(&w, end, error));
        if (w.changed && w.sensitive) FP_TRY(fold_on(&w, start, error));
        w.changed = w.sensitive = false;
        if (line_end) keep(&w, end + 1);
    }
    *folded = w.to ? (fp_string){w.to, w.used} : text;
    return FP_OK;
}
