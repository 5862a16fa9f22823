/* SPDX-License-Identifier: GPL-3.0-or-later
 * The part of ICU that the library uses, under ICU's names, from a table: properties, and the three normalisation forms
 * (Unicode 15, section 3.11: decomposition, canonical order, composition; section 3.12: Hangul syllables). */
#include <stdbool.h>
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

/* ---- Code points ---- */

typedef struct codes {
    uint32_t *at;
    size_t count, room;
    bool failed; /* memory ran out */
} codes;

static void add(codes *to, uint32_t code) {
    if (to->failed) return;
    if (to->count == to->room) {
        size_t room = to->room * 2 + 64;
        uint32_t *at = realloc(to->at, room * sizeof *at);
        if (!at) {
            to->failed = true;
            return;
        }
        to->at = at;
        to->room = room;
    }
    to->at[to->count++] = code;
}

/* ---- Decomposition ---- */

static void add_syllable(codes *to, uint32_t index) {
    add(to, L + index / (V_COUNT * T_COUNT));
    add(to, V + index / T_COUNT % V_COUNT);
    if (index % T_COUNT) add(to, T + index % T_COUNT);
}

static void decompose(const fp_unicode_places *by, const UChar *units, size_t length, codes *to) {
    for (size_t i = 0; i < length;) {
        uint32_t code = fp_utf16_next(units, &i);
        if (code - S < SYLLABLES) {
            add_syllable(to, code - S);
            continue;
        }
        uint32_t place = FP_CODE_VALUE(by, code);
        if (!place) add(to, code);
        for (uint32_t k = 1; place && k <= fp_table_unicode.pool[place]; k++) add(to, fp_table_unicode.pool[place + k]);
    }
}

/* Insertion sort: runs are short, and long ones are already in order (text/unicode/normalise.c). */
static void order(const codes *of) {
    for (size_t i = 1; i < of->count; i++) {
        uint32_t code = of->at[i];
        uint8_t class = u_getCombiningClass((UChar32)code);
        size_t to = i;
        for (; class && to && u_getCombiningClass((UChar32)of->at[to - 1]) > class; to--) of->at[to] = of->at[to - 1];
        of->at[to] = code;
    }
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

/* In place. Code points between a starter and a mark must have a lower class than the mark. */
static void compose(codes *of) {
    size_t starter = SIZE_MAX, kept = 0;
    uint8_t last = 0;
    for (size_t i = 0; i < of->count; i++) {
        uint32_t code = of->at[i], whole = 0;
        uint8_t class = u_getCombiningClass((UChar32)code);
        if (starter != SIZE_MAX && (kept - 1 == starter || last < class)) whole = composed(of->at[starter], code);
        if (whole) {
            of->at[starter] = whole;
            continue;
        }
        if (class == 0) starter = kept;
        last = class;
        of->at[kept++] = code;
    }
    of->count = kept;
}

/* ---- The forms ---- */

struct UNormalizer2 {
    const fp_unicode_places *by;
    bool composes;
};

static const UNormalizer2 NFC = {&fp_table_unicode.decomposed, true}, NFKC_CASEFOLD = {&fp_table_unicode.folded, true};

const UNormalizer2 *unorm2_getNFCInstance(UErrorCode *status) { return (void)status, &NFC; }
const UNormalizer2 *unorm2_getNFKCCasefoldInstance(UErrorCode *status) { return (void)status, &NFKC_CASEFOLD; }

static size_t units_of(uint32_t code) { return code >= 0x10000 ? 2 : 1; }

int32_t unorm2_normalize(const UNormalizer2 *form, const UChar *source, int32_t length, UChar *to, int32_t capacity,
                         UErrorCode *status) {
    codes made = {0};
    size_t count = 0;
    if (U_FAILURE(*status)) return 0;
    decompose(form->by, source, (size_t)length, &made);
    if (!made.failed) order(&made);
    if (!made.failed && form->composes) compose(&made);
    for (size_t i = 0; i < made.count; i++) {
        if (count + units_of(made.at[i]) <= (size_t)capacity) fp_utf16_encode(made.at[i], to + count);
        count += units_of(made.at[i]);
    }
    free(made.at);
    if (made.failed) *status = U_MEMORY_ALLOCATION_ERROR;
    else if (count > (size_t)capacity) *status = U_BUFFER_OVERFLOW_ERROR;
    return (int32_t)count;
}

int32_t unorm2_getDecomposition(const UNormalizer2 *form, UChar32 code, UChar *to, int32_t capacity,
                                UErrorCode *status) {
    const UNormalizer2 decomposes = {form->by, false};
    UChar source[2];
    int32_t length = (int32_t)fp_utf16_encode((uint32_t)code, source);
    return unorm2_normalize(&decomposes, source, length, to, capacity, status);
}
