/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pinyin.h - pinyin of Han text, its initials looked up on the words that a segmenter found.
 *
 * Readings come, the first that knows wins, from text/data/pinyin_phrases.txt (ours: a row there mends a wrong
 * reading), from Rime's simplified pinyin dictionary (phrases; and the usual reading of a character by its weight), and
 * from Unihan's kMandarin. A traditional character reads as its simplified one, so it makes no difference whether the
 * text was folded, as far as the segmenter finds the same words.
 *
 * Decided: 儿 is e in every place, also where it only colours the vowel before it (花儿: h e). Interjections are read
 * as input methods spell them: 嗯 (ń, ng) is en, e; 呣 mu, m; 哼 heng, h; 欸 and 诶 ei, e; 哦 o. 哪 is n, also in 哪吒.
 */
#ifndef FP_PINYIN_H
#define FP_PINYIN_H

#include "text/segmentation/segment.h"

/* One lower-case letter per Han character of `text`, in text order: a word that is in the phrase table gives its
 * phrase's initials; in another word each longest phrase inside of it, from left to right, does; and the characters
 * left over give their most usual reading's. Neighbouring words of one character are looked up together, because
 * segmenters leave unknown words in such pieces (去 and 重 of 去重: q c). Phrases that are marked so, and surnames with
 * what shows them (text/data/surnames.txt: 曾先生), are found across words as well (系 and 领带: j l d; 一行 and 访问:
 * y x f w). A word of three characters that no phrase begins is a name when a surname stands before two characters that
 * jieba's dictionary has in given names more than elsewhere (解小明: x x m). Of overlapping tokens (search mode) the
 * longest words count. zh, ch, sh give z, c, s; syllables without a consonant give a, e or o; y and w are initials.
 * Characters without a known reading, Latin words, digits and punctuation give nothing. */
fp_status fp_pinyin_initials(fp_string text, fp_tokens tokens, fp_arena *arena, fp_string *initials, fp_error *error);

/* The 20 consonants that begin a Mandarin syllable, in the order of the fingerprint: "bcdfghjklmnpqrstwxyz". */
extern const char fp_pinyin_letters[21];

/* What is counted of text in pinyin, side by side in one order: the consonants, then finals, tones (1 to 4, 5 neutral)
 * and syllables without tone (text/data/pinyin_syllables.txt). */
enum {
    FP_PINYIN_INITIALS = 20,
    FP_PINYIN_FINALS = 36,
    FP_PINYIN_TONES = 5,
    FP_PINYIN_SYLLABLES = 405,
    FP_PINYIN_SYMBOLS = FP_PINYIN_INITIALS + FP_PINYIN_FINALS + FP_PINYIN_TONES + FP_PINYIN_SYLLABLES
};

/* The symbols of one character; FP_PINYIN_SYMBOLS where it has none. */
typedef struct fp_pinyin_reading {
    uint16_t symbol[4]; /* initial, final, tone, syllable */
} fp_pinyin_reading;

/* A reading for each of the `initials` of `text`: the first of its character in Unihan's kMandarin, kHanyuPinlu and
 * kTGHZ2013 that begins with the initial, or else the first. So 行 of 银行 is hang, and 好 always hao3: readings of one
 * initial are not told apart, neutral tones and tone sandhi are those of the single character. Characters and initials
 * are matched in text order; NULL when there is no memory. */
const fp_pinyin_reading *fp_pinyin_readings(fp_string text, fp_string initials, fp_arena *arena);
/* Whether a character gives an initial. */
bool fp_pinyin_has_reading(uint32_t code);
/* "zh" is z; finals and syllables are written with v for ü. */
const char *fp_pinyin_symbol(size_t symbol);

/* Reference relative frequency of each symbol. Of the 20 letters it is that among all initials (vowel initials included
 * in the total, so the sum is < 1): three parts the word frequencies of jieba's dictionary times the words' initials
 * (printed text), one part the weights of Rime's simplified pinyin dictionary times theirs (what people type). Of the
 * others likewise, 10⁻⁶ at least. Built with the tables; text/tables/compile_pinyin.c says why. */
extern const double *fp_pinyin_reference(void);

#endif
