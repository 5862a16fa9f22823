/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stretches of text through ICU. A short one goes as it is. ICU puts combining marks into canonical order by insertion,
 * which is quadratic in the length of a pile of marks; a long stretch is therefore mapped, decomposed and put in order
 * here, which is what the definition says (Unicode 15, section 3.13, R5: map each character, then NFC; section 3.11,
 * D109: canonical order), and ICU only composes it.
 */
#include <string.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>

#include "text/unicode/normalise_stretch.h"
#include "text/unicode/utf16.h"
#include "text/unicode/utf8.h"

static fp_status icu_failed(UErrorCode status, fp_error *error) {
    if (status == U_MEMORY_ALLOCATION_ERROR) return fp_no_memory(error);
    return fp_fail(error, FP_ERROR_TOOL, "ICU cannot normalise: %s", u_errorName(status));
}

/* UTF-16 units of valid UTF-8 into `to`, which has room for one unit per byte. */
static size_t to_units(fp_string text, uint16_t *to) {
    size_t count = 0;
    for (size_t at = 0; at < text.length;) {
        uint32_t code;
        at += fp_utf8_decode(text.data + at, &code);
        count += fp_utf16_encode(code, to + count);
    }
    return count;
}

/* ---- Long stretches ---- */

typedef struct pile {
    uint32_t *code; /* mapped and decomposed */
    uint8_t *class; /* canonical combining class of each */
    size_t count, room;
    fp_arena *arena;
    const UNormalizer2 *fold, *decompose;
} pile;

static bool pile_add(pile *to, uint32_t code) {
    if (to->count == to->room) {
        size_t room = to->room * 2 + 1024;
        uint32_t *codes = fp_arena_raw(to->arena, room, sizeof *codes);
        uint8_t *classes = fp_arena_raw(to->arena, room, sizeof *classes);
        if (!codes || !classes) return false;
        if (to->count) memcpy(codes, to->code, to->count * sizeof *codes);
        if (to->count) memcpy(classes, to->class, to->count);
        to->code = codes;
        to->class = classes;
        to->room = room;
    }
    to->code[to->count] = code;
    to->class[to->count++] = u_getCombiningClass((UChar32)code);
    return true;
}

/* The mapping of one code point, decomposed. */
static fp_status pile_map(pile *to, uint32_t code, fp_error *error) {
    enum { ROOM = 64 };
    UErrorCode status = U_ZERO_ERROR;
    UChar source[2], folded[ROOM], decomposed[ROOM];
    int32_t length = (int32_t)fp_utf16_encode(code, source);
    length = unorm2_normalize(to->fold, source, length, folded, ROOM, &status);
    length = unorm2_normalize(to->decompose, folded, length, decomposed, ROOM, &status);
    if (U_FAILURE(status)) return icu_failed(status, error);
    for (size_t i = 0; i < (size_t)length;) {
        if (!pile_add(to, fp_utf16_next(decomposed, &i))) return fp_no_memory(error);
    }
    return FP_OK;
}

/* Counting sort of marks begin … end − 1 by class, stable. */
static fp_status order_marks(pile *of, size_t begin, size_t end, fp_error *error) {
    size_t start[257] = {0}, length = end - begin;
    bool ordered = true;
    for (size_t i = begin; i < end; i++) {
        start[of->class[i] + 1]++;
        if (i > begin && of->class[i] < of -> class[i - 1]) ordered = false;
    }
    if (ordered) return FP_OK;
    for (size_t i = 0; i < 256; i++) start[i + 1] += start[i];
    uint32_t *sorted = fp_arena_raw(of->arena, length, sizeof *sorted);
    if (!sorted) return fp_no_memory(error);
    for (size_t i = begin; i < end; i++) sorted[start[of->class[i]]++] = of->code[i];
    memcpy(of->code + begin, sorted, length * sizeof *sorted);
    return FP_OK;
}

static fp_status order_pile(pile *of, fp_error *error) {
    for (size_t begin = 0; begin < of->count;) {
        size_t end = begin;
        while (end < of->count && of->class[end]) end++;
        if (end - begin > 1) FP_TRY(order_marks(of, begin, end, error));
        begin = end + 1;
    }
    return FP_OK;
}

static fp_status normalise_pile(fp_string text, fp_arena *arena, const uint16_t **units, size_t *count,
                                fp_error *error) {
    UErrorCode status = U_ZERO_ERROR;
    pile made = {
        .arena = arena, .fold = unorm2_getNFKCCasefoldInstance(&status), .decompose = unorm2_getNFDInstance(&status)};
    const UNormalizer2 *compose = unorm2_getNFCInstance(&status);
    if (U_FAILURE(status)) return icu_failed(status, error);
    for (size_t at = 0; at < text.length;) {
        uint32_t code;
        at += fp_utf8_decode(text.data + at, &code);
        FP_TRY(pile_map(&made, code, error));
    }
    FP_TRY(order_pile(&made, error));
    if (made.count > INT32_MAX / 2)
        return fp_fail(error, FP_ERROR_RANGE, "more than 2^30 combining characters in a row");
    uint16_t *source = fp_arena_raw(arena, made.count * 2, sizeof *source);
    uint16_t *normal = fp_arena_raw(arena, made.count * 2, sizeof *normal);
    if (!source || !normal) return fp_no_memory(error);
    size_t length = 0;
    for (size_t i = 0; i < made.count; i++) length += fp_utf16_encode(made.code[i], source + length);
    int32_t normal_length =
        unorm2_normalize(compose, source, (int32_t)length, normal, (int32_t)made.count * 2, &status);
    if (U_FAILURE(status)) return icu_failed(status, error);
    *units = normal;
    *count = (size_t)normal_length;
    return FP_OK;
}

/* ---- Both ---- */

fp_status fp_normalise_stretch(fp_string text, fp_stretch *room, fp_arena *arena, const uint16_t **units, size_t *count,
                               fp_error *error) {
    if (text.length > FP_STRETCH_SOURCE) return normalise_pile(text, arena, units, count, error);
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2 *fold = unorm2_getNFKCCasefoldInstance(&status);
    size_t length = to_units(text, room->source);
    int32_t normal = unorm2_normalize(fold, room->source, (int32_t)length, room->normal, FP_STRETCH_NORMAL, &status);
    if (status == U_BUFFER_OVERFLOW_ERROR) return normalise_pile(text, arena, units, count, error);
    if (U_FAILURE(status)) return icu_failed(status, error);
    *units = room->normal;
    *count = (size_t)normal;
    return FP_OK;
}
