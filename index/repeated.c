/* SPDX-License-Identifier: GPL-3.0-or-later
 * Spans of text that occurred before. */
#include "index/repeated.h"

#include <string.h>

#include "text/features/sentences.h"
#include "text/unicode/utf8.h"

/* Where a window was first: its text, from 1, and its byte there. */
typedef struct place {
    uint32_t text, byte;
} place;

struct fp_repeated {
    size_t window, mask;
    place *places; /* [mask + 1] open addressing; text 0: free */
    fp_string *texts;
    size_t count, room; /* of texts */
    uint64_t last;      /* BASE^(window − 1) */
    fp_arena *arena;
};

static const uint64_t BASE = UINT64_C(0x9E3779B97F4A7C15);

fp_status fp_repeated_open(size_t window, size_t characters, fp_arena *arena, fp_repeated **repeated, fp_error *error) {
    fp_repeated *made = *repeated = fp_arena_alloc(arena, 1, sizeof *made);
    size_t room = 2;
    while (room / 3 * 2 < characters) room *= 2;
    if (!made) return fp_no_memory(error);
    *made = (fp_repeated){.window = window, .mask = room - 1, .last = 1, .arena = arena};
    made->places = fp_arena_alloc(arena, room, sizeof *made->places);
    for (size_t i = 1; i < window; i++) made->last *= BASE;
    return made->places ? FP_OK : fp_no_memory(error);
}

static fp_status keep_text(fp_repeated *to, fp_string text, fp_error *error) {
    if (text.length >= UINT32_MAX || to->count >= UINT32_MAX - 1)
        return fp_fail(error, FP_ERROR_RANGE, "a text of 4 GiB, or 2^32 texts");
    if (to->count == to->room) {
        size_t room = to->room ? 2 * to->room : 1024;
        fp_string *larger = FP_NEED(fp_arena_raw(to->arena, room, sizeof *larger), error);
        if (to->count) memcpy(larger, to->texts, to->count * sizeof *larger);
        to->texts = larger;
        to->room = room;
    }
    to->texts[to->count++] = text;
    return FP_OK;
}

/* The place of a window: where it was first, or free. */
static place *find(const fp_repeated *in, uint64_t hash, const char *window, size_t bytes) {
    for (size_t at = fp_mix(hash, 0) & in->mask;; at = (at + 1) & in->mask) {
        place *there = in->places + at;
        if (!there->text) return there;
        fp_string text = in->texts[there->text - 1];
        if (text.length - there->byte >= bytes && !memcmp(text.data + there->byte, window, bytes)) return there;
    }
}

/* A window that was there: the last span goes on, or a new one begins. */
static void put(fp_repeated_span *spans, size_t *count, size_t begin, size_t end, const place *first) {
    fp_repeated_span *last = *count ? spans + *count - 1 : NULL;
    if (last && begin < last->end && last->text == first->text - 1 && last->at + (begin - last->begin) == first->byte)
        last->end = end;
    else spans[(*count)++] = (fp_repeated_span){begin, end, first->text - 1, first->byte};
}

fp_status fp_repeated_next(fp_repeated *repeated, fp_string text, fp_arena *scratch, const fp_repeated_span **spans,
                           size_t *count, fp_error *error) {
    size_t characters = fp_utf8_count(text), window = repeated->window, begin = 0, end = 0;
    size_t windows = characters >= window ? characters - window + 1 : 0;
    fp_repeated_span *made = FP_NEED(fp_arena_raw(scratch, windows, sizeof *made), error);
    FP_TRY(keep_text(repeated, text, error));
    *spans = made;
    *count = 0;
    uint64_t hash = 0;
    for (size_t i = 0; windows && i < characters; i++) {
        uint32_t code;
        end += fp_utf8_decode(text.data + end, &code);
        hash = hash * BASE + code + 1;
        if (i + 1 < window) continue;
        place *there = find(repeated, hash, text.data + begin, end - begin);
        if (there->text) put(made, count, begin, end, there);
        else *there = (place){(uint32_t)repeated->count, (uint32_t)begin};
        begin += fp_utf8_decode(text.data + begin, &code);
        hash -= (code + 1) * repeated->last;
    }
    return FP_OK;
}

/* ---- What is left ---- */

static bool is_space(char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

/* Whether the spans from *next on cover begin … end. Spans are left behind that end before it. */
static bool covered(const fp_repeated_span *spans, size_t count, size_t *next, size_t begin, size_t end) {
    while (*next < count && spans[*next].end <= begin) ++*next;
    for (size_t i = *next; i < count && begin < end && spans[i].begin <= begin; i++)
        if (spans[i].end > begin) begin = spans[i].end;
    return begin >= end;
}

fp_status fp_repeated_without(fp_string text, const fp_repeated_span *spans, size_t count, fp_arena *arena,
                              fp_string *left, size_t *removed, fp_error *error) {
    fp_sentence_scan scan = fp_sentence_scan_of(text, false);
    fp_string sentence;
    size_t next = 0, length = 0;
    char *kept = FP_NEED(fp_arena_raw(arena, text.length, 1), error);
    *removed = 0;
    while (fp_sentence_next(&scan, &sentence)) {
        size_t begin = (size_t)(sentence.data - text.data), end = begin + sentence.length;
        while (begin < end && is_space(text.data[begin])) begin++;
        while (end > begin && is_space(text.data[end - 1])) end--;
        if (begin < end && covered(spans, count, &next, begin, end)) {
            ++*removed;
            continue;
        }
        memcpy(kept + length, sentence.data, sentence.length);
        length += sentence.length;
    }
    *left = *removed ? fp_string_trim((fp_string){kept, length}, " \t\r\n") : text;
    return FP_OK;
}
