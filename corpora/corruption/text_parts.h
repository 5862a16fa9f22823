/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * text_parts.h - the parts of a text (characters, sentences, clauses), in order.
 */
#ifndef FP_TEXT_PARTS_H
#define FP_TEXT_PARTS_H

#include "base/base.h"

typedef struct fp_text_part {
    fp_string text;
    uint32_t code; /* its first code point */
    size_t within; /* parts with the same number are in the same sentence or line */
} fp_text_part;

typedef struct fp_text_parts {
    fp_text_part *part; /* [count] */
    size_t count;
} fp_text_parts;

/* Bytes of the extended grapheme cluster at the beginning of the text, which is not empty: Unicode Standard Annex 29,
 * GB3 to GB13. */
size_t fp_character_size(fp_string text);

/* The results of the following functions live in `arena`. */

/* Characters; they cover the whole text. */
fp_status fp_text_parts_characters(fp_string text, fp_arena *arena, fp_text_parts *units, fp_error *error);
/* Sentences with a letter or a digit, with their marks and without white space at either end; `within` counts lines. */
fp_status fp_text_parts_sentences(fp_string text, fp_arena *arena, fp_text_parts *units, fp_error *error);
/* Clauses: the stretches between the commas, colons and semicolons of a sentence, without these and the marks at its
 * end; `within` counts sentences. A comma or colon between digits does not separate clauses. */
fp_status fp_text_parts_clauses(fp_string text, fp_arena *arena, fp_text_parts *units, fp_error *error);

/* White space of any kind. */
bool fp_is_blank(uint32_t code);

/* ---- Frequencies of letters, digits and Han characters, from which replacements are sampled ---- */

/* A character is replaced by one of the same class. */
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
    const uint64_t *upto; /* [count + 1] total occurrences of all earlier codes */
} fp_character_counts;

/* Adds the characters of a text to times[0x110000]. Digits are not counted, since they are sampled uniformly. */
void fp_character_tally(fp_string text, uint32_t *times);
/* Makes the table of cumulative counts. Lives in `arena`. */
fp_status fp_character_counts_make(const uint32_t *times, fp_arena *arena, fp_character_counts *counts,
                                   fp_error *error);

/* A character of the class, sampled by frequency, never `code` itself; 0 if there is no other. */
uint32_t fp_character_counts_draw(const fp_character_counts *counts, fp_letter_class of, uint32_t code,
                                  uint64_t random);

#endif
