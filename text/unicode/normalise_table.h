/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * normalise_table.h - the layout of the normalisation table, which text/tables/compile_normalise.c writes from ICU and
 * the Han folding table, and normalise.c and plain.c read.
 *
 * A code point with a normalisation boundary before it, followed by another such code point, is normalised alone,
 * independently of its context. So one class and one mapping for every code point suffice for all text except the
 * neighbourhood of code points without a boundary before them: combining marks, default ignorables, Hangul vowels and
 * finals.
 */
#ifndef FP_NORMALISE_TABLE_H
#define FP_NORMALISE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "text/unicode/code_blocks.h"

/* Classes of code points. */
enum {
    FP_COPY = 0,    /* is its own normal form */
    FP_MAP = 1,     /* becomes the bytes of its mapping, one or more */
    FP_SPACE = 2,   /* a control character that becomes U+0020 */
    FP_LINE = 3,    /* a line end that becomes U+000A */
    FP_ATTACH = 4,  /* has no boundary before it */
    FP_CIRCLE = 5,  /* ○, which becomes 〇 in some contexts */
    FP_ACTION = 7,  /* mask of the above */
    FP_FOREIGN = 8, /* flag: kana or hangul */
    FP_FOLDS = 16   /* flag, in `basic` alone: Han folding changes the character or depends on its context */
};

/* Whether the code point is in the blocks CJK Radicals Supplement and Kangxi Radicals, which become the ideographs that
 * they resemble. */
static inline bool fp_is_radical(uint32_t code) { return code - 0x2e80 < 0x2fe0 - 0x2e80; }

/* Values below FP_MAPPED are classes; others are FP_MAPPED + the offset of a mapping in the pool: a byte with its
 * length in the bits of FP_MAPPING_LENGTH and the flag FP_MAPPING_FOREIGN, then its bytes. */
enum { FP_MAPPED = 16, FP_MAPPING_LENGTH = 0x7f, FP_MAPPING_FOREIGN = 0x80 };

enum { FP_NORMALISE_BLOCKS = 448, FP_NORMALISE_POOL = 0xa000 };

typedef struct fp_normalise_table {
    uint8_t basic[0x10000];         /* class of a code point up to U+FFFF, in one step for speed */
    uint16_t index[FP_CODE_BLOCKS]; /* value of every code point */
    uint16_t block[FP_NORMALISE_BLOCKS][FP_CODE_BLOCK];
    unsigned char pool[FP_NORMALISE_POOL];
} fp_normalise_table;
extern const fp_normalise_table fp_table_normalise;

#endif
