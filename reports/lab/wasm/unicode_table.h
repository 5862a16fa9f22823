/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * unicode_table.h - the data that the library uses from ICU, as one table. text/tables/compile_unicode.c makes it from
 * the program's ICU: the module gives the same bytes as the program, whatever Unicode the browser has.
 */
#ifndef FP_LAB_UNICODE_TABLE_H
#define FP_LAB_UNICODE_TABLE_H

#include <stdint.h>

#include "text/unicode/code_blocks.h"

enum {
    FP_UNICODE_ALNUM = 1,
    FP_UNICODE_IGNORABLE = 2,
    FP_UNICODE_ALPHA = 4,
    FP_UNICODE_UPPER = 8,
    FP_UNICODE_LOWER = 16,
    FP_UNICODE_WHITE = 32,
    FP_UNICODE_PICTURE = 64, /* Extended_Pictographic */
    FP_UNICODE_MARK = 128    /* of the category Po */
};
enum { FP_UNICODE_POOL = 0x10000, FP_UNICODE_PAIRS = 1024 };

/* One value for each code point (FP_CODE_VALUE). */
typedef struct fp_unicode_places {
    uint16_t index[FP_CODE_BLOCKS];
    uint16_t block[512][FP_CODE_BLOCK];
} fp_unicode_places;
typedef struct fp_unicode_bytes {
    uint16_t index[FP_CODE_BLOCKS];
    uint8_t block[512][FP_CODE_BLOCK];
} fp_unicode_bytes;

/* Two code points and their composition. */
typedef struct fp_unicode_pair {
    uint32_t first, second, whole;
} fp_unicode_pair;

/* Without Hangul syllables, which are computed (Unicode 15, section 3.12). */
typedef struct fp_unicode_table {
    fp_unicode_places folded; /* the place in the pool of a code point's NFKC_Casefold, decomposed; 0: itself */
    fp_unicode_bytes class;   /* canonical combining class */
    fp_unicode_bytes flags;
    fp_unicode_bytes cluster;       /* Grapheme_Cluster_Break, as ICU numbers it */
    fp_unicode_bytes word;          /* the same for Word_Break */
    fp_unicode_bytes script;        /* the same for Script */
    fp_unicode_bytes digit;         /* the value of a decimal digit plus 1 */
    uint32_t pool[FP_UNICODE_POOL]; /* the number of code points, then these */
    uint32_t pair_count;
    fp_unicode_pair pairs[FP_UNICODE_PAIRS]; /* ascending by first, then second */
    char version[16];                        /* of Unicode */
} fp_unicode_table;

#endif
