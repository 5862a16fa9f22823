/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compile_unicode OUTPUT - writes the table of reports/lab/wasm/unicode_table.h from ICU. Runs during the build of the
 * WebAssembly module.
 */
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>

#include "reports/lab/wasm/unicode_table.h"
#include "text/tables/compile.h"
#include "text/unicode/utf16.h"

static fp_unicode_table table;
static uint16_t place[CODES];
static uint8_t byte[CODES];
static uint32_t pool_used = 1; /* 0 means no entry */

static bool is_syllable(UChar32 code) { return code >= 0xac00 && code <= 0xd7a3; }
static bool is_half(UChar32 code) { return code >= 0xd800 && code <= 0xdfff; }

/* The offset of the sequence in the pool, where it is added if it is new. */
static uint16_t put(const char *name, const uint32_t *codes, uint32_t count) {
    uint32_t at = 1;
    for (; at < pool_used; at += 1 + table.pool[at])
        if (table.pool[at] == count && memcmp(table.pool + at + 1, codes, count * sizeof *codes) == 0)
            return (uint16_t)at;
    if (at + 1 + count > FP_UNICODE_POOL) die(name, 0, "the pool of forms is full; raise its capacity");
    table.pool[at] = count;
    memcpy(table.pool + at + 1, codes, count * sizeof *codes);
    pool_used = at + 1 + count;
    return (uint16_t)at;
}

static uint16_t form_of(const char *name, const UNormalizer2 *fold, UChar32 code) {
    UChar units[128];
    uint32_t codes[128], count = 0;
    UErrorCode status = U_ZERO_ERROR;
    int32_t length = is_half(code) || is_syllable(code) ? -1 : unorm2_getDecomposition(fold, code, units, 128, &status);
    if (U_FAILURE(status)) die(name, 0, "U+%04X: %s", (unsigned)code, u_errorName(status));
    if (length < 0) return 0;
    for (size_t i = 0; i < (size_t)length;) codes[count++] = fp_utf16_next(units, &i);
    return put(name, codes, count);
}

static void fill_forms(const char *name, const UNormalizer2 *fold) {
    for (UChar32 code = 0; code < CODES; code++) place[code] = form_of(name, fold, code);
    store_blocks(name, place, sizeof place[0], table.folded.index, table.folded.block, 512);
}

static void fill_bytes(const char *name, uint8_t (*of)(UChar32 code), fp_unicode_bytes *to) {
    for (UChar32 code = 0; code < CODES; code++) byte[code] = of(code);
    store_blocks(name, byte, sizeof byte[0], to->index, to->block, 512);
}

static uint8_t class_of(UChar32 code) { return u_getCombiningClass(code); }

static uint8_t flags_of(UChar32 code) {
    return (uint8_t)((u_isalnum(code) ? FP_UNICODE_ALNUM : 0) |
                     (u_hasBinaryProperty(code, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) ? FP_UNICODE_IGNORABLE : 0) |
                     (u_isalpha(code) ? FP_UNICODE_ALPHA : 0) | (u_isupper(code) ? FP_UNICODE_UPPER : 0) |
                     (u_islower(code) ? FP_UNICODE_LOWER : 0) | (u_isUWhiteSpace(code) ? FP_UNICODE_WHITE : 0) |
                     (u_hasBinaryProperty(code, UCHAR_EXTENDED_PICTOGRAPHIC) ? FP_UNICODE_PICTURE : 0) |
                     (u_charType(code) == U_OTHER_PUNCTUATION ? FP_UNICODE_MARK : 0));
}

static uint8_t cluster_of(UChar32 code) { return (uint8_t)u_getIntPropertyValue(code, UCHAR_GRAPHEME_CLUSTER_BREAK); }

static uint8_t word_of(UChar32 code) { return (uint8_t)u_getIntPropertyValue(code, UCHAR_WORD_BREAK); }

static uint8_t script_of(UChar32 code) {
    UErrorCode status = U_ZERO_ERROR;
    UScriptCode script = uscript_getScript(code, &status);
    if (U_FAILURE(status) || script < 0 || script > UINT8_MAX) die("script", 0, "U+%04X has none", (unsigned)code);
    return (uint8_t)script;
}

static uint8_t digit_of(UChar32 code) { return (uint8_t)(u_isdigit(code) ? u_charDigitValue(code) + 1 : 0); }

FP_COMPARES(by_parts, fp_unicode_pair, FP_ORDER(a->first, b->first) ?: FP_ORDER(a->second, b->second));

static void fill_pairs(const char *name, const UNormalizer2 *compose) {
    for (UChar32 code = 0; code < CODES; code++) {
        UErrorCode status = U_ZERO_ERROR;
        UChar raw[8];
        if (is_half(code) || is_syllable(code)) continue;
        int32_t length = unorm2_getRawDecomposition(compose, code, raw, 8, &status);
        if (U_FAILURE(status)) die(name, 0, "U+%04X: %s", (unsigned)code, u_errorName(status));
        if (length <= 0) continue;
        size_t at = 0;
        uint32_t first = fp_utf16_next(raw, &at);
        if (at == (size_t)length) continue;
        uint32_t second = fp_utf16_next(raw, &at);
        if (unorm2_composePair(compose, (UChar32)first, (UChar32)second) != code) continue;
        if (table.pair_count == FP_UNICODE_PAIRS) die(name, 0, "too many pairs compose; raise the capacity");
        table.pairs[table.pair_count++] = (fp_unicode_pair){first, second, (uint32_t)code};
    }
    qsort(table.pairs, table.pair_count, sizeof *table.pairs, by_parts);
}

int main(int count, char **argument) {
    if (count != 2) die("compile_unicode", 0, "usage: compile_unicode OUTPUT");
    const char *name = argument[1];
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2 *compose = unorm2_getNFCInstance(&status), *fold = unorm2_getNFKCCasefoldInstance(&status);
    if (U_FAILURE(status)) die(name, 0, "ICU: %s", u_errorName(status));
    fill_forms(name, fold);
    fill_bytes(name, class_of, &table.class);
    fill_bytes(name, flags_of, &table.flags);
    fill_bytes(name, cluster_of, &table.cluster);
    fill_bytes(name, word_of, &table.word);
    fill_bytes(name, script_of, &table.script);
    fill_bytes(name, digit_of, &table.digit);
    fill_pairs(name, compose);
    snprintf(table.version, sizeof table.version, "%s", U_UNICODE_VERSION);
    write_table(name, &table, sizeof table);
    return 0;
}
