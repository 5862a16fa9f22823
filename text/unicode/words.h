/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * words.h - letters and digits, Chinese digits, and the words of Unicode Standard Annex 29 that need no dictionary.
 */
#ifndef FP_WORDS_H
#define FP_WORDS_H

#include "base/base.h"

/* fp_is_wordy: letters and digits of any script, including 〇 and the Suzhou numerals 〡 to 〩. */
bool fp_is_rare_letter(uint32_t code); /* the slow path, without ASCII, common marks and the first block of Han */
static inline bool fp_is_wordy(uint32_t code) {
    if (code < 0x80) return (code | 32) - 'a' < 26u || code - '0' < 10u;
    if (code - 0x4e00 < 0x9fffu - 0x4e00) return true;
    if (code - 0x2010 < 0x60u || code - 0x3000 < 5u || code - 0x3008 < 25u) return false;
    return fp_is_rare_letter(code);
}
/* Whether the text has such a character. */
bool fp_has_wordy(const char *data, size_t length);
static inline bool fp_has_word(const char *data, size_t length) {
    /* Fast path: the bytes E5 to E9 begin U+5000 to U+9FFF. */
    return (length && (unsigned char)data[0] - 0xe5u < 5u) || fp_has_wordy(data, length);
}

typedef struct fp_word {
    size_t end;   /* byte offset after it */
    bool foreign; /* some letter, digit or mark of it is neither ASCII nor Han */
    bool uncut;   /* it is one letter of a script whose words need a dictionary: Thai, Lao, Khmer, Myanmar, Tai, Ahom,
                     hiragana */
} fp_word;

/* Whether the character may occur in a word after its first letter. */
bool fp_may_join(uint32_t code);

/* The word that begins at byte `at` < text.length of valid UTF-8, or the single character there, by the rules WB4 to
 * WB13 of Unicode 15. Han characters (including 々) are single. `at` must be a word boundary. */
fp_word fp_word_at(fp_string text, size_t at);

#endif
