/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * jieba.h - internals of the jieba segmenter, shared by its files:
 *
 *     jieba.c         blocks of characters to tokens, by the most probable words of each, and for runs of single
 *                     characters by the model for unknown words; the fp_segmenter
 *     jieba_words.c   the user dictionary
 *
 * The reference is jieba 0.42.1's Tokenizer.cut: the same tokens, with the same double arithmetic in the same order.
 * Each character of a block is a number (text/segmentation/jieba_table.h); a block is a maximal run of characters that
 * jieba.re_han_default matches, so a character of a block takes 1 or 3 bytes.
 *
 * One difference: a word of Annex 29 (text/unicode/words.h) with a letter, digit or mark that is neither ASCII nor Han
 * is one token (naïve, Привет), while jieba makes each such character a token.
 */
#ifndef FP_JIEBA_H
#define FP_JIEBA_H

#include "text/segmentation/jieba_table.h"
#include "text/segmentation/segment.h"

/* ---- The user dictionary, an overlay of the compiled one ---- */

typedef struct fp_jieba_word {
    double log;         /* of the frequency; −∞ if it is 0 */
    uint64_t frequency; /* 0 deletes the word */
    bool set;           /* a row defined this word; otherwise the node is only a prefix */
    bool split;         /* a row gave it the frequency 0: the model must not produce it, whatever later rows say */
} fp_jieba_word;

/* A growing trie over symbols: the character's number, or FP_JIEBA_CODES + code point for characters without one. */
typedef struct fp_jieba_words {
    fp_growing_trie trie;
    fp_jieba_word *word; /* [trie.limit] by node */
    uint8_t *begins; /* [class_count + 1] by first character, a filter: the bits of the second characters modulo 8; a
                        word of one character sets all bits */
    bool splits;     /* some word has `split` */
} fp_jieba_words;

/* ---- The segmenter's state ---- */

typedef struct fp_jieba {
    const fp_jieba_table *table;
    const uint16_t *number; /* [FP_JIEBA_CODES] */
    const uint64_t *units;
    const double *log;           /* by trie value */
    const double *emission;      /* [FP_JIEBA_STATES] for each character */
    const fp_jieba_words *words; /* NULL if there is no user dictionary */
    uint64_t total;              /* of all frequencies, the user's included */
    double log_total;
    fp_segment_options options;
} fp_jieba;

/* The symbol of a code point in both tries. */
static inline uint32_t fp_jieba_symbol(const fp_jieba *jieba, uint32_t code) {
    uint32_t number = code < FP_JIEBA_CODES ? jieba->number[code] : 0;
    return number ? number : FP_JIEBA_CODES + code;
}

/* FREQ.get(word): true if the word, or a longer one with this prefix, is known; *frequency is 0 for a proper prefix. */
bool fp_jieba_frequency(const fp_jieba *jieba, const uint32_t *symbols, size_t count, uint64_t *frequency);

/* Reads jieba->options.userdict as an overlay of the table. */
fp_status fp_jieba_load_words(fp_jieba *jieba, fp_arena *arena, fp_error *error);

/* Cuts a text into the words of Tokenizer.cut; the tokens live in `scratch`. */
fp_status fp_jieba_words_of(const fp_jieba *jieba, bool hmm, fp_string text, fp_arena *scratch, fp_token **tokens,
                            size_t *count, fp_error *error);

#endif
