/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * conversion_table.h - the layout of the table of OpenCC's dictionaries, which text/tables/compile_conversion.c makes
 * and conversion.c reads.
 */
#ifndef FP_CONVERSION_TABLE_H
#define FP_CONVERSION_TABLE_H

#include "base/base.h"

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

enum { FP_CONVERSION_SLOTS = 1 << 17, FP_CONVERSION_POOL = 3 << 20 };

/* Open addressing: slot = fp_conversion_hash mod slots, then the next. A slot is the place in the pool of one byte each
 * for dictionary, bytes of the word and bytes of what it becomes, then both; 0: empty. */
typedef struct fp_conversion_table {
    uint32_t longest[FP_OPENCCS]; /* bytes of the longest word */
    uint32_t slot[FP_CONVERSION_SLOTS];
    uint8_t pool[FP_CONVERSION_POOL];
} fp_conversion_table;

static inline size_t fp_conversion_hash(fp_string word, fp_opencc dictionary) {
    return (size_t)(fp_xxh3(word.data, word.length, dictionary) % FP_CONVERSION_SLOTS);
}

#endif
