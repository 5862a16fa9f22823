/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * normalise_table.h - the layout of the normalisation table, which text/tables/compile_normalise.c makes from ICU and
 * normalise.c reads.
 *
 * A code point with a normalisation boundary before it that another such code point follows is normalised alone,
 * whatever stands around it. So one class and one mapping for every code point do for all text but the neighbourhood of
 * those without a boundary before them: combining marks, default ignorables, Hangul vowels and finals.
 */
#ifndef FP_NORMALISE_TABLE_H
#define FP_NORMALISE_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "text/unicode/code_blocks.h"

/* What to do with a code point. */
enum {
    FP_COPY = 0,   /* it is its own normal form */
    FP_MAP = 1,    /* it becomes the bytes of its mapping, one or more */
    FP_SPACE = 2,  /* a control character that becomes U+0020 */
    FP_LINE = 3,   /* a line end that becomes U+000A */
    FP_ATTACH = 4, /* it has no boundary before it */
    FP_CIRCLE = 5, /* it is ○, which what stands around it may make 〇 */
    FP_ACTION = 7, /* mask of the above */
    FP_FOREIGN = 8 /* flag: kana or hangul */
};

/* In the blocks CJK Radicals Supplement and Kangxi Radicals, which become the ideographs that they look like. */
static inline bool fp_is_radical(uint32_t code) { return code - 0x2e80 < 0x2fe0 - 0x2e80; }

/* Values below FP_MAPPED are classes; from there on, FP_MAPPED + where in the pool a mapping stands: a byte that holds
 * its length in the bits of FP_MAPPING_LENGTH and FP_MAPPING_FOREIGN, then its bytes. */
enum { FP_MAPPED = 16, FP_MAPPING_LENGTH = 0x7f, FP_MAPPING_FOREIGN = 0x80 };

enum { FP_NORMALISE_BLOCKS = 448, FP_NORMALISE_POOL = 0xa000 };

typedef struct fp_normalise_table {
    uint8_t basic[0x10000];         /* class of a code point up to U+FFFF, in one step for speed */
    uint16_t index[FP_CODE_BLOCKS]; /* value of every code point */
    uint16_t block[FP_NORMALISE_BLOCKS][FP_CODE_BLOCK];
    unsigned char pool[FP_NORMALISE_POOL];
} fp_normalise_table;

#endif
