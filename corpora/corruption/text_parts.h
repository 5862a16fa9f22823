/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * text_parts.h - what a text is made of, as parts of it in its order.
 */
#ifndef FP_TEXT_PARTS_H
#define FP_TEXT_PARTS_H

#include "base/base.h"

typedef struct fp_text_part {
    fp_string text;
    uint32_t code; /* its first code point */
    size_t within; /* units with the same number stand in the same sentence, or paragraph */
} fp_text_part;

typedef struct fp_text_parts {
    const fp_text_part *part;
    size_t count;
} fp_text_parts;

/* Bytes of the extended grapheme cluster that the text, which is not empty, begins with: Unicode Standard Annex 29,
 * GB3 to GB13. */
size_t fp_character_size(fp_string text);

/* All of these live in `arena`. */

/* Characters; they cover the text. */
fp_status fp_text_parts_characters(fp_string text, fp_arena *arena, fp_text_parts *units, fp_error *error);
/* Sentences with a letter or a digit, with their marks and without white space at their ends; `within` counts lines. */
fp_status fp_text_parts_sentences(fp_string text, fp_arena *arena, fp_text_parts *units, fp_error *error);
/* Clauses: what stands between the commas, colons and semicolons of a sentence, without them and the marks that end it;
 * `within` counts sentences. A comma or colon between digits is none. */
fp_status fp_text_parts_clauses(fp_string text, fp_arena *arena, fp_text_parts *units, fp_error *error);

/* White space of any kind. */
bool fp_is_blank(uint32_t code);

/* ---- Frequencies of letters, digits and Han characters in some texts, from which replacements are sampled ---- */

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
