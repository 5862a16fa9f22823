/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * conversion_table.h - the layout of the table of OpenCC's dictionaries, which text/tables/compile_conversion.c writes
 * and conversion.c reads.
 */
#ifndef FP_CONVERSION_TABLE_H
#define FP_CONVERSION_TABLE_H

#include "base/base.h"
#include "text/unicode/utf8.h"

/* OpenCC's dictionaries by their names. */
typedef enum fp_opencc {
    FP_OPENCC_ST_PHRASES,
    FP_OPENCC_ST_CHARACTERS,
    FP_OPENCC_TW_PHRASES,
    FP_OPENCC_TW_VARIANTS,
    FP_OPENCC_HK_VARIANTS,
    FP_OPENCC_TW_PHRASES_REV,
    FP_OPENCC_TW_VARIANTS_REV_PHRASES,
    FP_OPENCC_TW_VARIANTS_REV,
    FP_OPENCC_TS_PHRASES,
    FP_OPENCC_TS_CHARACTERS,
    FP_OPENCCS
} fp_opencc;

enum { FP_CONVERSION_SLOTS = 1 << 17, FP_CONVERSION_POOL = 3 << 20, FP_CONVERSION_FIRSTS = 4096 };

/* Open addressing: slot = fp_conversion_hash mod slots, then the next. A slot is the offset of an entry in the pool, 0:
 * empty. An entry is three bytes (dictionary, length of the word, length of its replacement), the word, and its
 * replacement. */
typedef struct fp_conversion_table {
    /* [code of a first character mod FP_CONVERSION_FIRSTS]: bytes of the longest word that begins with it. */
    uint8_t longest[FP_CONVERSION_FIRSTS][FP_OPENCCS];
    uint32_t slot[FP_CONVERSION_SLOTS];
    uint8_t pool[FP_CONVERSION_POOL];
} fp_conversion_table;

static inline size_t fp_conversion_hash(fp_string word, fp_opencc dictionary) {
    return (size_t)(fp_xxh3(word.data, word.length, dictionary) % FP_CONVERSION_SLOTS);
}

/* The row of `longest` for a non-empty text. */
static inline size_t fp_conversion_first(fp_string text) {
    uint32_t code;
    fp_utf8_decode(text.data, &code);
    return code % FP_CONVERSION_FIRSTS;
}

#endif
