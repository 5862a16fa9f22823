/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * character_counts.h - how often each letter, digit and Han character stands in some texts, to draw from.
 */
#ifndef FP_CHARACTER_COUNTS_H
#define FP_CHARACTER_COUNTS_H

#include "base/base.h"

/* What may stand in for what. */
typedef enum fp_letter_class {
    FP_LETTER_NONE,
    FP_LETTER_DIGIT,
    FP_LETTER_UPPER,
    FP_LETTER_LOWER,
    FP_LETTER_HAN
} fp_letter_class;

/* Decimal digits of any script; Latin letters; Han. */
fp_letter_class fp_letter_class_of(uint32_t code);

typedef struct fp_character_counts {
    size_t count;
    const uint32_t *code; /* [count] ascending */
    const uint64_t *upto; /* [count + 1] occurrences of those before */
} fp_character_counts;

/* Adds the characters of a text to times[0x110000]. Digits are left out: any is as good as another. */
void fp_character_tally(fp_string text, uint32_t *times);
/* From such sums. Lives in `arena`. */
fp_status fp_character_counts_make(const uint32_t *times, fp_arena *arena, fp_character_counts *counts,
                                   fp_error *error);

/* A character of the class by its share, never `code` itself; 0 where there is no other. */
uint32_t fp_character_counts_draw(const fp_character_counts *counts, fp_letter_class of, uint32_t code,
                                  uint64_t random);

#endif
