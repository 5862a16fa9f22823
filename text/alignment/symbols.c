/* SPDX-License-Identifier: GPL-3.0-or-later
 * Text to compared characters. */
#include "text/alignment/symbols.h"

#include <unicode/uchar.h>

#include "text/unicode/han.h"
#include "text/unicode/normalise.h"
#include "text/unicode/utf8.h"

/* What is compared of the code point, or 0: it is passed over. */
static uint32_t symbol_of(uint32_t code) {
    uint32_t folded = fp_normalise_code(code);
    if (folded < 0x80) return folded > ' ' ? folded : 0;
    if (folded - 0x4e00 >= 0xa000 - 0x4e00 && u_isUWhiteSpace((UChar32)folded)) return 0;
    return fp_han_fold_code(folded);
}

/* A letter of a script whose letters are as wide as Han characters, and stand for about as much. */
static bool is_wide_letter(uint32_t code) {
    if (code < 0x1100) return false;
    if (code - 0x4e00 < 0xa000 - 0x4e00) return true;
    return u_isUAlphabetic((UChar32)code) && u_getIntPropertyValue((UChar32)code, UCHAR_EAST_ASIAN_WIDTH) == U_EA_WIDE;
}

fp_status fp_symbols_read(fp_string text, fp_arena *arena, fp_symbols *out, fp_error *error) {
    if (text.length >= UINT32_MAX) return fp_fail(error, FP_ERROR_RANGE, "a text of 4 GiB or more");
    size_t most = fp_utf8_count(text), count = 0;
    uint32_t *code = fp_arena_raw(arena, most, sizeof *code), *place = fp_arena_raw(arena, most, sizeof *place);
    uint32_t *byte = fp_arena_raw(arena, most, sizeof *byte), *weight = fp_arena_raw(arena, most + 1, sizeof *weight);
    if (!code || !place || !byte || !weight) return fp_no_memory(error);
    weight[0] = 0;
    uint32_t number = 0, read;
    for (size_t at = 0, size; at < text.length; at += size, number++) {
        size = fp_utf8_decode(text.data + at, &read);
        uint32_t symbol = symbol_of(read);
        if (!symbol) continue;
        code[count] = symbol;
        place[count] = number;
        byte[count] = (uint32_t)at;
        weight[count + 1] = weight[count] + (is_wide_letter(symbol) ? 2 : 1);
        count++;
    }
    *out = (fp_symbols){text, count, code, place, byte, weight};
    return FP_OK;
}

size_t fp_symbols_byte_end(const fp_symbols *symbols, size_t at) {
    size_t byte = symbols->byte[at];
    return byte + fp_utf8_size(symbols->text.data[byte]);
}
