/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * words.h - letters and digits, and the words of Unicode Standard Annex 29 where no dictionary is needed.
 */
#ifndef FP_WORDS_H
#define FP_WORDS_H

#include "base/base.h"

/* Letters and digits of any script; 〇 and the Suzhou numerals 〡 to 〩 among them. */
bool fp_is_rare_letter(uint32_t code); /* the same, without ASCII, the usual marks and the first block of Han */
static inline bool fp_is_wordy(uint32_t code) {
    if (code < 0x80) return (code | 32) - 'a' < 26u || code - '0' < 10u;
    if (code - 0x4e00 < 0x9fffu - 0x4e00) return true;
    if (code - 0x2010 < 0x60u || code - 0x3000 < 5u || code - 0x3008 < 25u) return false;
    return fp_is_rare_letter(code);
}
/* True when one of them is in the text. */
bool fp_has_wordy(const char *data, size_t length);
static inline bool fp_has_word(const char *data, size_t length) {
    /* The bytes E5 to E9 begin U+5000 to U+9FFF. */
    return (length && (unsigned char)data[0] - 0xe5u < 5u) || fp_has_wordy(data, length);
}

typedef struct fp_word {
    size_t end;   /* byte offset behind it */
    bool foreign; /* a letter, digit or mark of it is neither ASCII nor Han */
    bool uncut;   /* it is one letter of a script whose words only a dictionary finds: Thai, Lao, Khmer, Myanmar, Tai,
                     Ahom, hiragana */
} fp_word;

/* Whether the character may stand in a word behind its first letter. */
bool fp_may_join(uint32_t code);

/* The word, or the single character that is none, which begins at byte `at` < text.length of valid UTF-8, by the rules
 * WB4 to WB13 of Unicode 15. Han characters (々 too) are single. `at` is a word boundary. */
fp_word fp_word_at(fp_string text, size_t at);

#endif
