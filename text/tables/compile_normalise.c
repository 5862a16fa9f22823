/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compile_normalise OUTPUT EQUIVALENT HAN - writes the normalisation table from ICU's NFKC_Casefold form of every code
 * point, from Unicode's EquivalentUnifiedIdeograph.txt for radicals without such a form, and from the compiled table of
 * Han folding.
 */
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>
#include <unicode/ustring.h>

#include "text/unicode/han_table.h"
#include "text/unicode/normalise_table.h"
#include "text/tables/compile.h"

static fp_normalise_table table;
static fp_han_table han;
static uint16_t value[CODES];
static size_t pool_used;
static uint32_t ideograph[CODES]; /* of radicals; 0: none */

/* Rows "first[..last] ; ideograph # …". */
static void read_equivalents(const char *file, const UNormalizer2 *form) {
    reader from = open_reader(file, "unicode-data");
    while (next_line(&from)) {
        from.text[strcspn(from.text, "#")] = '\0';
        unsigned first, last, to;
        if (!from.text[strspn(from.text, " ")]) continue;
        if (sscanf(from.text, "%x ; %x", &first, &to) == 2) last = first;
        else if (sscanf(from.text, "%x..%x ; %x", &first, &last, &to) != 3)
            die(file, from.line, "not a code point or a range, a semicolon and a code point");
        if (last >= CODES || first > last) die(file, from.line, "not a range of code points");
        if (!unorm2_isInert(form, (UChar32)to)) die(file, from.line, "U+%04X is not its own normal form", to);
        for (; first <= last; first++)
            if (fp_is_radical(first)) ideograph[first] = to;
    }
}

/* The newline functions of Unicode 15, section 5.8: LF, VT, FF, CR, NEL, LS, PS. */
static bool is_line_end(UChar32 code) {
    return (code >= 0x0a && code <= 0x0d) || code == 0x85 || code == 0x2028 || code == 0x2029;
}

static bool is_foreign(UChar32 code) {
    UErrorCode status = U_ZERO_ERROR;
    UScriptCode script = uscript_getScript(code, &status);
    return script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA || script == USCRIPT_HANGUL;
}

static uint16_t add_mapping(const char *name, const char *bytes, size_t length, bool foreign) {
    if (length == 0 || length > FP_MAPPING_LENGTH) die(name, 0, "a mapping of %zu bytes", length);
    if (pool_used + 1 + length > FP_NORMALISE_POOL) die(name, 0, "the pool of mappings is full; raise its capacity");
    size_t place = pool_used;
    table.pool[place] = (unsigned char)(length | (foreign ? FP_MAPPING_FOREIGN : 0));
    memcpy(table.pool + place + 1, bytes, length);
    pool_used += 1 + length;
    return (uint16_t)(FP_MAPPED + place);
}

static uint16_t value_of(const char *name, const UNormalizer2 *form, UChar32 code) {
    uint16_t foreign = is_foreign(code) ? FP_FOREIGN : 0;
    if (code >= 0xd800 && code <= 0xdfff) return FP_COPY; /* surrogates are invalid in UTF-8 */
    if (code == '\n') return FP_COPY;
    if (code == 0x25cb) return FP_CIRCLE;
    if (is_line_end(code)) return FP_LINE;
    if (u_charType(code) == U_CONTROL_CHAR) return FP_SPACE;
    if (!unorm2_hasBoundaryBefore(form, code)) return FP_ATTACH | foreign;
    UErrorCode status = U_ZERO_ERROR;
    UChar source[2], normal[64];
    char bytes[256];
    int32_t length = 0, bytes_length;
    U16_APPEND_UNSAFE(source, length, code);
    int32_t normal_length = unorm2_normalize(form, source, length, normal, 64, &status);
    u_strToUTF8(bytes, sizeof bytes, &bytes_length, normal, normal_length, &status);
    if (U_FAILURE(status)) die(name, 0, "U+%04X: %s", (unsigned)code, u_errorName(status));
    if (normal_length == length && u_memcmp(normal, source, length) == 0) {
        if (!ideograph[code]) return FP_COPY | foreign;
        bytes_length = (int32_t)fp_utf8_encode(ideograph[code], bytes);
    }
    for (int32_t i = 0; i < normal_length; i++) /* U+1F201, a symbol, becomes two kana; none is beyond U+FFFF */
        if (is_foreign(normal[i])) foreign = FP_FOREIGN;
    return add_mapping(name, bytes, (size_t)bytes_length, foreign);
}

static void read_han(const char *file) {
    FILE *stream = fopen(file, "rb");
    if (!stream || fread(&han, 1, sizeof han, stream) != sizeof han) die(file, 0, "cannot be read");
    fclose(stream);
    for (uint32_t code = 1; code < 0x80; code++)
        if (han.basic[code] != code) die(file, 0, "folds ASCII");
}

int main(int count, char **argument) {
    if (count != 4) die("compile_normalise", 0, "usage: compile_normalise OUTPUT EQUIVALENT HAN");
    const char *name = argument[1];
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2 *form = unorm2_getNFKCCasefoldInstance(&status);
    if (U_FAILURE(status)) die(name, 0, "ICU: %s", u_errorName(status));
    read_equivalents(argument[2], form);
    read_han(argument[3]);
    for (UChar32 code = 0; code < CODES; code++) value[code] = value_of(name, form, code);
    for (size_t code = 0; code < 0x10000; code++) {
        bool mapped = value[code] >= FP_MAPPED;
        bool foreign = mapped && table.pool[value[code] - FP_MAPPED] & FP_MAPPING_FOREIGN;
        unsigned class = mapped ? FP_MAP | (foreign ? FP_FOREIGN : 0u) : value[code];
        table.basic[code] = (uint8_t)(class | (han.basic[code] == code ? 0 : FP_FOLDS));
    }
    store_blocks(name, value, sizeof value[0], table.index, table.block, FP_NORMALISE_BLOCKS);
    write_table(name, &table, sizeof table);
    return 0;
}
