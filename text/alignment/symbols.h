/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * symbols.h - a text as an alignment sees it: the characters that are compared, folded, with their places.
 */
#ifndef FP_SYMBOLS_H
#define FP_SYMBOLS_H

#include "base/base.h"

typedef struct fp_symbols {
    fp_string text;         /* as given */
    size_t count;           /* compared characters; under 2³² */
    const uint32_t *code;   /* [count] folded */
    const uint32_t *place;  /* [count] number of the code point in the text */
    const uint32_t *byte;   /* [count] where it begins */
    const uint32_t *weight; /* [count + 1] of all before: 2 for a wide letter (Han, kana, hangul, …), 1 for others */
} fp_symbols;

/* Reads valid UTF-8 into `arena`. FP_ERROR_RANGE for 4 GiB or more. */
fp_status fp_symbols_read(fp_string text, fp_arena *arena, fp_symbols *out, fp_error *error);

/* Bytes and code points behind the symbol. */
size_t fp_symbols_byte_end(const fp_symbols *symbols, size_t at);
static inline size_t fp_symbols_place_end(const fp_symbols *symbols, size_t at) {
    return (size_t)symbols->place[at] + 1;
}

#endif
