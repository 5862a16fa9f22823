/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * han_table.h - the layout of the Han folding table, which text/tables/compile_han.c makes from OpenCC's dictionaries
 * and han.c reads.
 */
#ifndef FP_HAN_TABLE_H
#define FP_HAN_TABLE_H

#include <stdint.h>

#include "text/unicode/code_blocks.h"

enum { FP_HAN_BLOCKS = 768, FP_HAN_ENTRIES = 5120, FP_HAN_PHRASES = 768, FP_HAN_POOL = 0x4000 };

/* A character that changes by itself or in a phrase. */
typedef struct fp_han_entry {
    char to[4];            /* what it becomes by itself */
    uint8_t size;          /* bytes of it */
    uint8_t changes;       /* it becomes another one */
    uint8_t sensitive;     /* what it becomes could change in another context */
    uint16_t phrase_count; /* phrases of which it is the first character that is not plain, in order of preference */
    uint16_t phrase;       /* the first of them */
} fp_han_entry;

/* A phrase is found at its first character that is not plain. Preferred is the one that starts first, then the
 * longest. */
typedef struct fp_han_phrase {
    uint16_t from, to; /* where they stand in the pool */
    uint8_t from_size, to_size;
    uint8_t prefix_size; /* bytes of both before that character: what it becomes by itself */
    uint8_t changes;     /* it becomes another one */
    uint8_t sensitive;   /* what it becomes could change in another context */
} fp_han_phrase;

typedef struct fp_han_table {
    /* What a plain code point up to U+FFFF becomes whatever stands around it; 0: it is not plain, see its entry. U+1000
     * to U+CFFF stay at three bytes of UTF-8. */
    uint16_t basic[0x10000];
    uint16_t index[FP_CODE_BLOCKS]; /* entry of a code point, counted from 1; 0 where there is none */
    uint16_t block[FP_HAN_BLOCKS][FP_CODE_BLOCK];
    fp_han_entry entry[FP_HAN_ENTRIES];
    fp_han_phrase phrase[FP_HAN_PHRASES];
    char pool[FP_HAN_POOL];
} fp_han_table;

#endif
