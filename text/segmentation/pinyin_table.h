/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pinyin_table.h - the layout of the pinyin table, which text/tables/compile_pinyin.c writes, and the look-up that both
 * it and pinyin.c use.
 */
#ifndef FP_PINYIN_TABLE_H
#define FP_PINYIN_TABLE_H

#include "base/base.h"
#include "text/segmentation/pinyin.h"
#include "text/unicode/code_blocks.h"

/* A code point's value: its most common initial as a number, a = 1, or 0 without a reading; and flags. */
enum {
    FP_PINYIN_LETTER = 31,
    FP_PINYIN_MANY = 32,     /* it has another initial in some phrase */
    FP_PINYIN_ACROSS = 64,   /* it begins a phrase that may cross a word border */
    FP_PINYIN_FOLLOWS = 128, /* it occurs in such a phrase, after the begin */
    FP_PINYIN_GIVEN = 256    /* it is more common in given names than elsewhere */
};

/* Characters of a phrase; the compiler refuses longer ones. */
enum { FP_PINYIN_LONGEST = 8 };

enum { FP_PINYIN_BLOCKS = 1280, FP_PINYIN_SLOTS = 1 << 15, FP_PINYIN_SURNAMES = 64, FP_PINYIN_CODED = 1 << 16 };

/* A phrase with a character that has several initials; other phrases follow from their characters. Open addressing:
 * slot = key mod slots, then the next. */
typedef struct fp_pinyin_slot {
    uint64_t key; /* fp_pinyin_key of the phrase, each character folded alone (fp_han_fold_code); 0: empty */
    char initials[FP_PINYIN_LONGEST];
} fp_pinyin_slot;

typedef struct fp_pinyin_table {
    double reference[FP_PINYIN_SYMBOLS];
    char name[FP_PINYIN_SYMBOLS][8];
    uint8_t final_of[FP_PINYIN_SYLLABLES];
    uint32_t coded_count;
    uint32_t
        coded[FP_PINYIN_CODED]; /* readings by character, the preferred first: code, 9 bits syllable, 3 bits tone */
    struct {
        uint32_t code; /* 0 after the last */
        char initial;
    } surname[FP_PINYIN_SURNAMES]; /* surnames with several initials */
    fp_pinyin_slot slot[FP_PINYIN_SLOTS];
    uint16_t index[FP_CODE_BLOCKS];
    uint16_t block[FP_PINYIN_BLOCKS][FP_CODE_BLOCK];
} fp_pinyin_table;

/* Appends the initials of a word to `to`, which has room for one letter per three bytes, and returns their number. Bit
 * i of `ends`: one of the contiguous words that follow ends i + 1 bytes after the word. A phrase that begins in the
 * word may end there; *over is the number of those bytes that it covers. `singles`: each character is a word. */
size_t fp_pinyin_word(const fp_pinyin_table *table, fp_string word, bool singles, uint32_t ends, char *to,
                      size_t *over);

/* The same for a word whose characters have one initial each and begin no phrase that continues after it; false if
 * fp_pinyin_word is needed. `joined`: whether another word follows without a gap. */
bool fp_pinyin_plain(const fp_pinyin_table *table, fp_string word, bool joined, char *to, size_t *made);

/* fp_pinyin_readings, into readings[initials.length]. */
void fp_pinyin_read(const fp_pinyin_table *table, fp_string text, fp_string initials, fp_pinyin_reading *readings);

/* Where a phrase may occur. */
typedef enum fp_pinyin_place {
    FP_PINYIN_IN_WORD, /* in one word */
    FP_PINYIN_RUNS_ON, /* from anywhere in a word to the end of a later one */
    FP_PINYIN_WHOLE    /* from the begin of a word to the end of a later one */
} fp_pinyin_place;

/* The key of a phrase of 2 to FP_PINYIN_LONGEST characters whose folded form is `folded`. */
uint64_t fp_pinyin_key(const char *folded, size_t length, fp_pinyin_place place);

#endif
