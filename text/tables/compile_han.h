/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * compile_han.h - shared state of compile_han: the characters and phrases known so far.
 */
#ifndef FP_COMPILE_HAN_H
#define FP_COMPILE_HAN_H

#include "text/tables/compile.h"

/* The replacement of each code point; 0: itself. */
extern uint32_t han_single[CODES];

static inline uint32_t han_single_of(uint32_t code) { return han_single[code] ? han_single[code] : code; }

/* The code point of a text of one character. */
uint32_t han_only_code(const reader *from, const char *text);
/* `from` and `to` have the same number of characters. */
void han_add_phrase(const char *file, size_t line, const char *from, const char *to);
bool han_has_phrase(const char *from);
/* Follows chains of characters to their end. */
void han_close_characters(const char *file);

/* Adds folding of Taiwan's and Hong Kong's forms. `files`: OpenCC's phrases and characters from Taiwan's forms to its
 * own traditional ones, the same for Hong Kong's, and jieba's words with their frequencies. */
enum { HAN_VARIANT_FILES = 5 };
void han_add_variants(char *const files[HAN_VARIANT_FILES]);

#endif
