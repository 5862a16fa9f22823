/* SPDX-License-Identifier: GPL-3.0-or-later
 * The part of ICU that the library uses, under ICU's names, from a table: properties, decomposition, and composition
 * (Unicode 15, sections 3.11 and 3.12). */
#include <stdlib.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>

#include "base/base.h"
#include "reports/lab/wasm/unicode_table.h"
#include "text/unicode/utf16.h"

extern const fp_unicode_table fp_table_unicode;

enum { S = 0xac00, L = 0x1100, V = 0x1161, T = 0x11a7, L_COUNT = 19, V_COUNT = 21, T_COUNT = 28 };
enum { SYLLABLES = L_COUNT * V_COUNT * T_COUNT };

uint8_t u_getCombiningClass(UChar32 code) { return FP_CODE_VALUE(&fp_table_unicode.class, (uint32_t)code); }

static UBool has(UChar32 code, int flag) {
    return (FP_CODE_VALUE(&fp_table_unicode.flags, (uint32_t)code) & flag) != 0;
}

UBool u_isalnum(UChar32 code) { return has(code, FP_UNICODE_ALNUM); }
UBool u_isalpha(UChar32 code) { return has(code, FP_UNICODE_ALPHA); }
UBool u_isupper(UChar32 code) { return has(code, FP_UNICODE_UPPER); }
UBool u_islower(UChar32 code) { return has(code, FP_UNICODE_LOWER); }
UBool u_isUWhiteSpace(UChar32 code) { return has(code, FP_UNICODE_WHITE); }

/* Only the two properties that the library uses. */
UBool u_hasBinaryProperty(UChar32 code, UProperty property) {
    return has(code, property == UCHAR_EXTENDED_PICTOGRAPHIC ? FP_UNICODE_PICTURE : FP_UNICODE_IGNORABLE);
}

/* Only the two properties that the library uses. */
int32_t u_getIntPropertyValue(UChar32 code, UProperty property) {
    const fp_unicode_bytes *of = property == UCHAR_WORD_BREAK ? &fp_table_unicode.word : &fp_table_unicode.cluster;
    return FP_CODE_VALUE(of, (uint32_t)code);
}

UScriptCode uscript_getScript(UChar32 code, UErrorCode *status) {
    (void)status;
    return (UScriptCode)FP_CODE_VALUE(&fp_table_unicode.script, (uint32_t)code);
}

/* Only the one category that the library uses. */
int8_t u_charType(UChar32 code) { return has(code, FP_UNICODE_MARK) ? U_OTHER_PUNCTUATION : U_UNASSIGNED; }

int32_t u_charDigitValue(UChar32 code) { return (int32_t)FP_CODE_VALUE(&fp_table_unicode.digit, (uint32_t)code) - 1; }
UBool u_isdigit(UChar32 code) { return u_charDigitValue(code) >= 0; }

const char *u_errorName(UErrorCode status) {
    return status == U_MEMORY_ALLOCATION_ERROR ? "U_MEMORY_ALLOCATION_ERROR" : "U_BUFFER_OVERFLOW_ERROR";
}

/* ---- Decomposition ---- */

struct UNormalizer2 {
    char unused;
};
static const UNormalizer2 NFC, NFKC_CASEFOLD;

const UNormalizer2 *unorm2_getNFCInstance(UErrorCode *status) { return (void)status, &NFC; }
const UNormalizer2 *unorm2_getNFKCCasefoldInstance(UErrorCode *status) { return (void)status, &NFKC_CASEFOLD; }

/* Only of NFKC_Casefold, with enough room. Syllables of Hangul stay, since composition takes them whole. */
int32_t unorm2_getDecomposition(const UNormalizer2 *form, UChar32 code, UChar *to, int32_t capacity,
                                UErrorCode *status) {
    (void)form, (void)capacity, (void)status;
    const uint32_t *found = fp_table_unicode.pool + FP_CODE_VALUE(&fp_table_unicode.folded, (uint32_t)code);
    size_t length = 0;
    if (found == fp_table_unicode.pool) return -1;
    for (uint32_t i = 1; i <= *found; i++) length += fp_utf16_encode(found[i], to + length);
    return (int32_t)length;
}

/* ---- Composition ---- */

FP_COMPARES(by_parts, fp_unicode_pair, FP_ORDER(a->first, b->first) ?: FP_ORDER(a->second, b->second));

/* 0 if they do not compose. */
static uint32_t composed(uint32_t first, uint32_t second) {
    if (first - L < L_COUNT && second - V < V_COUNT) return S + ((first - L) * V_COUNT + (second - V)) * T_COUNT;
    if (first - S < SYLLABLES && (first - S) % T_COUNT == 0 && second - T - 1 < T_COUNT - 1)
        return first + (second - T);
    const fp_unicode_pair key = {first, second, 0}, *found = bsearch(&key, fp_table_unicode.pairs,
                                                                     fp_table_unicode.pair_count, sizeof key, by_parts);
    return found ? found->whole : 0;
}

/* Composes code[count] in place; returns the new count. Code points between a starter and a mark must have a lower
 * class than the mark. */
static size_t compose(uint32_t *code, size_t count) {
    size_t starter = SIZE_MAX, kept = 0;
    uint8_t last = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t whole = 0;
        uint8_t class = u_getCombiningClass((UChar32)code[i]);
        if (starter != SIZE_MAX && (kept - 1 == starter || last < class)) whole = composed(code[starter], code[i]);
        if (whole) {
            code[starter] = whole;
            continue;
        }
        if (class == 0) starter = kept;
        last = class;
        code[kept++] = code[i];
    }
    return kept;
}

/* Only of NFC, for text that is decomposed and in canonical order; `to` has room for as many units as `source`. */
int32_t unorm2_normalize(const UNormalizer2 *form, const UChar *source, int32_t length, UChar *to, int32_t capacity,
                         UErrorCode *status) {
    (void)form, (void)capacity;
    size_t count = 0, units = 0;
    uint32_t *code = malloc(((size_t)length + 1) * sizeof *code);
    if (!code) return *status = U_MEMORY_ALLOCATION_ERROR, 0;
    for (size_t i = 0; i < (size_t)length;) code[count++] = fp_utf16_next(source, &i);
    count = compose(code, count);
    for (size_t i = 0; i < count; i++) units += fp_utf16_encode(code[i], to + units);
    free(code);
    return (int32_t)units;
}
