/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compile_han.h - what the files of compile_han share: the characters and phrases as far as they are known.
 */
#ifndef FP_COMPILE_HAN_H
#define FP_COMPILE_HAN_H

#include "text/tables/compile.h"

enum { HAN_CODES = 0x110000 };

/* What each code point becomes; 0: itself. */
extern uint32_t han_single[HAN_CODES];

static inline uint32_t han_single_of(uint32_t code) { return han_single[code] ? han_single[code] : code; }

/* A row "from TAB first second …" of one of OpenCC's dictionaries: from and first. */
typedef struct pair {
    char *from, *to;
} pair;
pair han_cut_row(const reader *from);
/* The code point of a text of one character. */
uint32_t han_only_code(const reader *from, const char *text);
/* `from` and `to` have as many characters. */
void han_add_phrase(const char *file, size_t line, const char *from, const char *to);
bool han_has_phrase(const char *from);
/* Follows chains of characters to their end. */
void han_close_characters(const char *file);

/* Folds what Taiwan and Hong Kong write otherwise. `files`: phrases and characters of OpenCC that lead from Taiwan's
 * forms to its own traditional ones, the same of Hong Kong's, and jieba's words with their frequencies. */
enum { HAN_VARIANT_FILES = 5 };
void han_add_variants(char *const files[HAN_VARIANT_FILES]);

#endif
