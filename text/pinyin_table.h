/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pinyin_table.h - the layout of the pinyin table, which text/tables/compile_pinyin.c makes, and the look-up that both
 * it and pinyin.c use.
 */
#ifndef FP_PINYIN_TABLE_H
#define FP_PINYIN_TABLE_H

#include "base/base.h"
#include "text/code_blocks.h"

/* A code point's value: the place of its usual initial in the alphabet, a = 1, or 0 when it has no reading; and a flag.
 */
enum { FP_PINYIN_LETTER = 31, FP_PINYIN_MANY = 32 /* it has another initial in some phrase */ };

/* Characters of a phrase; longer ones are refused when the table is made. */
enum { FP_PINYIN_LONGEST = 8 };

enum { FP_PINYIN_BLOCKS = 1280, FP_PINYIN_SLOTS = 1 << 14 };

/* A phrase with a character of many initials; the others read as their characters do. Open addressing: slot = key mod
 * slots, then the next. */
typedef struct fp_pinyin_slot {
    uint64_t key; /* XXH3 of the phrase, each character folded by itself (fp_han_fold_code); 0: empty */
    char initials[FP_PINYIN_LONGEST];
} fp_pinyin_slot;

typedef struct fp_pinyin_table {
    double reference[20];
    fp_pinyin_slot slot[FP_PINYIN_SLOTS];
    uint16_t index[FP_CODE_BLOCKS];
    uint8_t block[FP_PINYIN_BLOCKS][FP_CODE_BLOCK];
} fp_pinyin_table;

/* Appends the initials of a word to `to`, which has room for one letter per three bytes of the word, and returns their
 * number. */
size_t fp_pinyin_word(const fp_pinyin_table *table, fp_string word, char *to);

/* The key of a phrase of 2 to FP_PINYIN_LONGEST characters whose folded form is `folded`. */
uint64_t fp_pinyin_key(const char *folded, size_t length);

#endif
