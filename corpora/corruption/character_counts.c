/* SPDX-License-Identifier: GPL-3.0-or-later
 * Draws from the characters of a corpus. */
#include "corpora/corruption/character_counts.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include "text/unicode/utf8.h"

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
    uint32_t *codes = fp_arena_raw(arena, count + 1, sizeof *codes);
    uint64_t *upto = fp_arena_raw(arena, count + 1, sizeof *upto);
    if (!codes || !upto) return fp_no_memory(error);
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

/* The first place whose code is at least this one. */
static size_t place_of(const fp_character_counts *counts, uint32_t code) {
    size_t low = 0, high = counts->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (counts->code[middle] < code) low = middle + 1;
        else high = middle;
    }
    return low;
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
    size_t low = first, high = end; /* the last place with upto ≤ before + left */
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (counts->upto[middle] - before <= left) low = middle;
        else high = middle;
    }
    return counts->code[low];
}
