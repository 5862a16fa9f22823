/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * han_table.h - the layout of the Han folding table, which text/tables/compile_han.c writes from OpenCC's dictionaries
 * and han.c reads.
 */
#ifndef FP_HAN_TABLE_H
#define FP_HAN_TABLE_H

#include <stdint.h>

#include "text/unicode/code_blocks.h"

enum { FP_HAN_BLOCKS = 768, FP_HAN_ENTRIES = 5120, FP_HAN_PHRASES = 768, FP_HAN_POOL = 0x4000 };

/* A character that changes alone or in a phrase. */
typedef struct fp_han_entry {
    char to[4];            /* its own replacement */
    uint8_t size;          /* bytes of `to` */
    uint8_t changes;       /* the replacement differs */
    uint8_t sensitive;     /* the replacement could change in another context */
    uint16_t phrase_count; /* phrases whose first character that is not plain is this one, in order of preference */
    uint16_t phrase;       /* index of the first of these phrases */
} fp_han_entry;

/* A phrase is found at its first character that is not plain. The phrase that starts first is preferred, then the
 * longest. */
typedef struct fp_han_phrase {
    uint16_t from, to; /* offsets in the pool */
    uint8_t from_size, to_size;
    uint8_t prefix_size; /* bytes of both before that character, where plain characters have their own replacements */
    uint8_t changes;     /* the replacement differs */
    uint8_t sensitive;   /* the replacement could change in another context */
} fp_han_phrase;

typedef struct fp_han_table {
    /* The replacement of a plain code point up to U+FFFF in any context; 0: not plain, see its entry. U+1000 to U+CFFF
     * stay at three bytes of UTF-8. */
    uint16_t basic[0x10000];
    uint16_t index[FP_CODE_BLOCKS]; /* entry number of a code point, from 1; 0: none */
    uint16_t block[FP_HAN_BLOCKS][FP_CODE_BLOCK];
    fp_han_entry entry[FP_HAN_ENTRIES];
    fp_han_phrase phrase[FP_HAN_PHRASES];
    char pool[FP_HAN_POOL];
} fp_han_table;

#endif
